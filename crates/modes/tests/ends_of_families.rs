//! Ends of families of random structures, checked by matrix exponentials: no motion penetrates, and each end is what it is
//! reported to be.

use crate::common::Structure;
use saltation_modes::{End, Family, LinearModes, Motion, Search, Steps};
use std::collections::BTreeMap;

/// What was found at ends.
#[derive(Debug, Default)]
struct Tally {
    ends: usize,
    kinds: BTreeMap<&'static str, usize>,
    /// Ends at which the computation of the family stopped short.
    lost: usize,
    /// The deepest penetration, relative to the terms of the gap, and the largest gap at an impact.
    deepest: f64,
    open: f64,
    wrong: Vec<String>,
}

/// Gaps by exponentials are known to this part of their terms.
const KNOWN: f64 = 1e-8;

impl Tally {
    fn look(&mut self, seed: u64, structure: &Structure, modes: &LinearModes, limit: End, motion: &Motion) {
        self.ends += 1;
        *self.kinds.entry(limit.name()).or_default() += 1;
        self.lost += usize::from(limit == End::Lost);
        let seen = structure.follow(modes, motion);
        let (depth, open) = ((-seen.least / seen.size).max(0.0), seen.open / seen.size);
        (self.deepest, self.open) = (self.deepest.max(depth), self.open.max(open));
        let holds = match limit {
            End::ExtraContact { .. } => seen.least.abs() <= KNOWN * seen.size,
            End::Graze { .. } => seen.slowest.abs() <= 1e-6,
            _ => true,
        };
        if !(depth <= KNOWN && open <= KNOWN && holds) {
            self.wrong.push(format!(
                "structure {seed}, {} impacts, {limit:?} at T = {}: {seen:?}, lambda {:?}",
                motion.impacts(),
                motion.period(),
                motion.lambda
            ));
        }
    }

    /// Both ends of all families that a search finds in a structure.
    fn structure(&mut self, seed: u64) {
        let structure = Structure::random(seed);
        let Some(modes) = structure.modes() else { return };
        let longest = modes.period(0);
        for impacts in 2..=3 {
            let part = 0.3 + 0.4 * (seed % 5) as f64;
            let periods = (part * longest, (part + 0.5) * longest);
            let search = Search { impacts, periods, starts: 40, seed, ..Search::default() };
            let mut families: Vec<Family> = Vec::new();
            for motion in &search.run(&modes, |_, _| true).motions {
                if families.iter().any(|family| family.passes(motion)) {
                    continue;
                }
                let steps = Steps { most: 400, ..Steps::default() };
                let Some(family) = Family::of(&modes, motion, &steps, |_| true) else { continue };
                let (first, last) = (&family.motions[0], &family.motions[family.motions.len() - 1]);
                for (limit, motion) in [(&family.begins, first), (&family.ends, last)] {
                    self.look(seed, &structure, &modes, limit.end, motion);
                }
                families.push(family);
            }
        }
    }

    #[track_caller]
    fn assert(&self) {
        println!(
            "{} ends: {:?}, deepest {:.1e}, open {:.1e}, {} wrong",
            self.ends,
            self.kinds,
            self.deepest,
            self.open,
            self.wrong.len()
        );
        self.wrong.iter().take(30).for_each(|line| println!("{line}"));
        assert!(self.wrong.is_empty(), "{} of {} ends", self.wrong.len(), self.ends);
    }
}

#[test]
fn no_end_of_a_family_of_random_structures_penetrates() {
    let mut tally = Tally::default();
    (0..200).for_each(|seed| tally.structure(seed));
    tally.assert();
    assert!(tally.ends > 1000 && tally.kinds.len() > 4, "{tally:?}");
}

/// `cargo test --release -p saltation-modes ends_of_families:: -- --ignored --nocapture`
#[test]
#[ignore = "minutes: a hundred thousand ends"]
fn no_end_of_a_hundred_thousand_penetrates() {
    let mut tally = Tally::default();
    let mut seed = 1000;
    while tally.ends < 100_000 {
        tally.structure(seed);
        seed += 1;
        if seed % 2000 == 0 {
            println!("{seed}: {} ends, {} wrong", tally.ends, tally.wrong.len());
        }
    }
    tally.assert();
}

/// Three frequencies that differ by rounding: the shares that a step of refinement finds between their vectors are nothing but rounding, too.
#[test]
fn shapes_of_one_frequency_are_orthonormal() {
    let structure = Structure::random(6464);
    let modes = structure.modes().unwrap();
    assert_eq!((modes.len(), modes.degrees_of_freedom()), (3, 5));
    let shape = |p: usize| (0..5).map(|i| modes.shapes()[(i, p)]).collect::<Vec<f64>>();
    for p in 0..3 {
        let moved = structure.mass.times(&shape(p)).unwrap();
        for q in 0..3 {
            let product: f64 = shape(q).iter().zip(&moved).map(|(x, m)| x * m).sum();
            assert!((product - f64::from(p == q)).abs() < 1e-12, "{p} {q}: {product}");
        }
    }
    let mut tally = Tally::default();
    tally.structure(6464);
    tally.assert();
}
