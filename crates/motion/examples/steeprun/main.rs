//! scratch
mod steep;
use steep::{Verdict, examine};
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (mut agree, mut undecided, mut differ, mut share, mut error) =
        (0, std::collections::BTreeMap::new(), 0, 0.0_f64, 0.0_f64);
    let t0 = std::time::Instant::now();
    for seed in a[0]..a[1] {
        let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234;
        let mut unit = || {
            s = s.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = s;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        let t = std::time::Instant::now();
        match examine(&mut unit) {
            Verdict::Agree { share: s, error: e } => {
                agree += 1;
                share = share.max(s);
                error = error.max(e);
            }
            Verdict::Undecided(w) => *undecided.entry(w).or_insert(0) += 1,
            Verdict::Differ { what, file } => {
                differ += 1;
                println!("seed {seed}: {what}\n{file}");
            }
        }
        if t.elapsed().as_secs_f64() > 3.0 {
            println!("seed {seed} took {:?}", t.elapsed());
        }
    }
    println!(
        "agree {agree} undecided {undecided:?} differ {differ} worst share {share:.2e} error {error:.2e} in {:?}",
        t0.elapsed()
    );
}
