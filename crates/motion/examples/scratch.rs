//! scratch
use saltation_motion::*;
use std::collections::BTreeMap;
fn m_state(p: &Piece<'_>) -> Vec<Vec<f64>> {
    let n: usize = std::env::var("V").unwrap().parse().unwrap();
    (0..n).map(|i| p.polynomial(i).to_vec()).collect()
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let until: f64 = args[2].parse().unwrap();
    let tol: f64 = args[3].parse().unwrap();
    let reps: usize = args.get(4).map_or(1, |x| x.parse().unwrap());
    let model = saltation_model::Model::parse(&text, "x").unwrap();
    let system = System::new(&model);
    let mut over = saltation_model::Overrides::default();
    for a in args.iter().skip(5) {
        let (k, v) = a.split_once('=').unwrap();
        if let Some(k) = k.strip_prefix("@") {
            over.start.push((k.into(), v.into()))
        } else {
            over.set.push((k.into(), v.into()))
        }
    }
    let values = model.values(&over).unwrap();
    let mut times = Vec::new();
    for r in 0..reps {
        let t0 = std::time::Instant::now();
        let mut m = Motion::new(&system, &values, Settings { until, tolerance: tol, ..Settings::default() }).unwrap();
        let (mut steps, mut min, mut ev) = (0u64, f64::INFINITY, BTreeMap::new());
        let ended = loop {
            match m.advance() {
                Happening::Step(p) => {
                    steps += 1;
                    min = min.min(p.length);
                    if std::env::var("V").is_ok() {
                        println!("{} {} {:?} {:?}", p.start, p.length, p.closed, m_state(&p))
                    }
                }
                Happening::Leap { .. } => steps += 1,
                Happening::Event(e) => {
                    *ev.entry(format!("{:?}", e.kind)).or_insert(0) += 1;
                }
                Happening::Ended(e) => break e.clone(),
            }
            if steps > 3_000_000 {
                break Ended::Interrupted;
            }
        };
        times.push(t0.elapsed().as_secs_f64());
        if r == 0 {
            println!("t={} {:?}\n steps {steps} min {min:e} {:?} {}", m.time(), m.state(), ev, ended.describe(&system));
        }
    }
    times.sort_by(f64::total_cmp);
    println!(" median {:.3e} min {:.3e}", times[times.len() / 2], times[0]);
}
