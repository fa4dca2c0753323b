//! Costs of a nonsmooth mode.
//!
//! * `linear_modes_bar_400`, `intervals_bar_400`: the linear modes of a bar, and all intervals of one impact per period from 0.999 T_1 to T_1;
//! * `search_five`: starts of the search for five impacts per period of the chain of five.
//!
//! Single motions with one impact per period are W6 of `saltation bench`.

use divan::Bencher;
use divan::counter::ItemsCount;
use saltation_modes::{Search, single};

#[path = "../validation/common/structures.rs"]
mod structures;
use structures::{bar, chain};

fn main() {
    divan::main();
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
