use saltation_modes::{LinearModes, Single, single};
fn chain(n: usize, gap: f64) -> LinearModes {
    let h = n as f64;
    let mut k = Vec::new();
    let mut m = Vec::new();
    for i in 0..n {
        m.push((i, i, 1.0 / h));
        k.push((i, i, if i + 1 == n { h } else { 2.0 * h }));
        if i + 1 < n { k.extend([(i, i + 1, -h), (i + 1, i, -h)]); }
    }
    let mut w = vec![0.0; n];
    w[n - 1] = -1.0;
    LinearModes::new(n, &m, &k, &w, gap).unwrap()
}
#[test]
fn look() {
    for d in [1.0, -1.0] {
        let modes = chain(5, d);
        let list = single::intervals(&modes, 0.0, 40.0);
        println!("{}", list.len());
        for i in &list { println!("{:?}", i); }
    }
    let s = Single::new(&chain(5, 1.0), 3.8);
    println!("{s:?}");
    println!("{}", chain(5,1.0).grazing_energy(2));
}
#[test]
fn search_look() {
    let modes = chain(5, 1.0);
    for k in [2, 3, 5, 7] {
        let search = saltation_modes::Search { impacts: k, periods: (1.0, 9.0), keep_period: false, starts: 20000, seed: 1 };
        let t = std::time::Instant::now();
        let found = search.run(&modes, |_, _| true);
        println!("k {k}: {} of {} solutions, pulling {}, penetrating {}, copies {}, dup {}, {:?}", found.motions.len(), found.solutions, found.pulling, found.penetrating, found.copies, found.duplicates, t.elapsed());
        let worst = found.motions.iter().map(|m| m.closing_error(&modes)).fold(0.0, f64::max);
        println!("worst closing {worst:e}");
        for m in found.motions.iter().take(4) { println!("{:?} {:?} {:?}", m.flight_times(), m.lambda, saltation_modes::sequence::mirror(m, 1e-7)); }
        println!("asymmetric: {}", found.motions.iter().filter(|m| saltation_modes::sequence::mirror(m, 1e-7).is_none()).count());
    }
}
#[test]
fn family_look() {
    use saltation_modes::*;
    let modes = chain(5, 1.0);
    for t in [3.8, 4.1, 4.2] { let s = stability(&modes, &Single::new(&modes, t).motion(&modes)).unwrap(); println!("{t} {} {:e}", s.spectral_radius, s.pairing); }
    for (k, near) in [(2, 2.8), (3, 3.34), (5, 7.0), (7, 0.0)] {
        let search = Search { impacts: k, periods: if near > 0.0 { (near, near) } else { (1.0, 9.0) }, keep_period: near > 0.0, starts: 20000, seed: 1 };
        let found = search.run(&modes, |_, _| true);
        println!("k {k}: {}", found.motions.len());
        for m in found.motions.iter().take(6) {
            println!("T {} sigma {:?} lambda {:?} E {} rho {:?}", m.period(), m.flight_times(), m.lambda, m.energy(), stability(&modes, m).map(|s| (s.spectral_radius, s.pairing)));
            let t = std::time::Instant::now();
            match Family::of(&modes, m, &Steps::default(), |_| true) {
                None => println!("no family"),
                Some(f) => {
                    let (a, b) = (&f.motions[0], &f.motions[f.motions.len() - 1]);
                    println!("  {} motions {:?} .. {:?}, T {} .. {}, E {} .. {}; {:?}", f.motions.len(), f.begins.end, f.ends.end, a.period(), b.period(), a.energy(), b.energy(), t.elapsed());
                    for s in &f.special { println!("    {} T {} {:?}", s.kind.name(), s.motion.period(), s.motion.flight_times()); }
                    println!("   worst closing {:e}, inadmissible {}", f.motions[1..f.motions.len()-1].iter().map(|m| m.closing_error(&modes)).fold(0.0, f64::max), f.motions[1..f.motions.len()-1].iter().filter(|m| !m.verdict(&modes).is_admissible()).count());
                }
            }
        }
    }
}

#[test]
fn continuum_look() {
    use saltation_modes::*;
    let modes = chain(5, 1.0);
    for b in continuum::bridges(&modes, 0.0, 9.0) { println!("{b:?}"); }
    let search = Search { impacts: 2, periods: (1.0, 9.0), keep_period: false, starts: 20000, seed: 1 };
    for c in continuum::continua(&modes, &search, |_, _| true) { println!("{c:?} {:e}", c.motion(&modes, 0.3).closing_error(&modes)); }
}
