use saltation_modes::{LinearModes, single::Singles};
use std::time::Instant;
fn matrices(n: usize, fe: bool) -> LinearModes {
    let h = n as f64;
    let (mut m, mut k) = (vec![], vec![]);
    for i in 0..n {
        let last = i + 1 == n;
        if fe {
            m.push((i, i, if last { 2.0 } else { 4.0 } / (6.0 * h)));
            if !last {
                m.extend([(i, i + 1, 1.0 / (6.0 * h)), (i + 1, i, 1.0 / (6.0 * h))]);
            }
        } else {
            m.push((i, i, 1.0 / h));
        }
        k.push((i, i, if last { h } else { 2.0 * h }));
        if !last {
            k.extend([(i, i + 1, -h), (i + 1, i, -h)]);
        }
    }
    let mut w = vec![0.0; n];
    w[n - 1] = -1.0;
    LinearModes::new(n, &m, &k, &w, 1.0).unwrap()
}
fn main() {
    for (n, fe) in [(5, false), (400, false), (400, true)] {
        let modes = matrices(n, fe);
        let t1 = modes.period(0);
        let mut singles = Singles::new(&modes);
        let reps = if n == 5 { 200 } else { 10 };
        for _ in 0..3 {
            let t = Instant::now();
            let (mut count, mut sum) = (0, 0.0);
            for _ in 0..reps {
                count = 0;
                for i in 0..1000 {
                    let period = t1 * (0.2 + 1.3 * (i as f64 + 0.5) / 1000.0);
                    let (single, ok) = singles.at(period);
                    sum += single.energy;
                    if ok {
                        count += 1;
                    }
                }
            }
            println!(
                "n {n} fe {fe}: {:.3} us per period, admissible {count} {sum:e}",
                t.elapsed().as_secs_f64() / reps as f64 * 1e3
            );
        }
    }
}
