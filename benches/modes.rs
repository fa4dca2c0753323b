//! Costs of a nonsmooth mode.
//!
//! * `one_impact_chain_5`, `one_impact_chain_400`, `one_impact_bar_400`: λ, energy and certified admissibility of the
//!   motion with one impact per period at T = T_1 (0.2 + 1.3 (i + 1/2)/1000), i = 0 .. 999, gap 1; a thousand periods;
//! * `linear_modes_bar_400`, `intervals_bar_400`: its linear modes, and all intervals of one impact per period from 0.999 T_1 to T_1;
//! * `search_five`: starts of the search for five impacts per period of the chain of five.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use saltation_modes::single::{self, Singles};
use saltation_modes::{LinearModes, Search};

#[path = "../validation/common/structures.rs"]
mod structures;
use structures::{bar, chain};

fn main() {
    divan::main();
}

/// How many of the motions are admissible, with the sum of their λ.
fn single_impacts(modes: &LinearModes) -> (usize, f64) {
    let mut admissible = (0, 0.0);
    let mut singles = Singles::new(modes);
    for i in 0..1000 {
        let period = modes.period(0) * (0.2 + 1.3 * (f64::from(i) + 0.5) / 1000.0);
        let (motion, is_admissible) = singles.at(black_box(period));
        if is_admissible {
            admissible = (admissible.0 + 1, admissible.1 + motion.lambda);
        }
        black_box(motion.energy);
    }
    admissible
}

fn bench_single(bencher: Bencher, modes: &LinearModes) {
    let (count, sum) = single_impacts(modes);
    eprintln!("{count} admissible, sum of impulses {:.9}", 2.0 * sum / modes.root_mobility());
    bencher.counter(ItemsCount::new(1000_usize)).bench(|| single_impacts(modes));
}

#[divan::bench(sample_count = 100)]
fn one_impact_chain_5(bencher: Bencher) {
    bench_single(bencher, &chain(5, 1.0).modes());
}

#[divan::bench(sample_count = 20)]
fn one_impact_chain_400(bencher: Bencher) {
    bench_single(bencher, &chain(400, 1.0).modes());
}

#[divan::bench(sample_count = 20)]
fn one_impact_bar_400(bencher: Bencher) {
    bench_single(bencher, &bar(400, 1.0).modes());
}

#[divan::bench(sample_count = 3)]
fn linear_modes_bar_400(bencher: Bencher) {
    let structure = bar(400, 1.0);
    bencher.bench(|| structure.modes());
}

#[divan::bench(sample_count = 3)]
fn intervals_bar_400(bencher: Bencher) {
    let modes = bar(400, 1.0).modes();
    bencher.bench(|| single::intervals(&modes, 0.999 * modes.period(0), modes.period(0)));
}

#[divan::bench(sample_count = 5)]
fn search_five(bencher: Bencher) {
    let modes = chain(5, 1.0).modes();
    let search = Search { impacts: 5, periods: (2.0, 8.0), starts: 500, ..Search::default() };
    let found = search.run(&modes, |_, _| true);
    eprintln!("{} motions from {} solutions of {} starts", found.motions.len(), found.solutions, found.starts);
    bencher.counter(ItemsCount::new(search.starts)).bench(|| search.run(&modes, |_, _| true));
}
