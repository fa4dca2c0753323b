//! Motions that the last digits of their start decide: copies whose starts differ by one unit in the last place come apart as far as two computations do.
//!
//! Two presentations of one motion begin with starts that differ by rounding. Where the same presentation, computed the same way from such a start, is as far
//! away at the same time, what lies between them is no property of the trajectory, and none of the two is wrong. Copies that stay together say nothing.

use std::time::Duration;

use saltation_motion::{Motion, Settings};

use crate::dice::Dice;
use crate::family::LONGEST;
use crate::subject::{Subject, Trial};

/// So many copies are tried.
const COPIES: u64 = 24;
/// So long they are looked for.
const PATIENCE: Duration = Duration::from_secs(15);
/// Copies decide if they are this part of the disagreement away from each other: comparisons allow ten times what nearby motions differ by.
const SHARE: f64 = 0.1;

/// The ending of motions whose laws have no solution, which the digits of a state may decide.
const NO_SOLUTION: &str = "inconsistent";

/// What an oracle has against a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    /// What is wrong, by how much, and where.
    pub what: String,
    /// The distance from another computation of the same motion, if that is what is wrong.
    pub apart: Option<Apart>,
}

/// How another computation of the same motion differs, at a time and in the words of the first one.
#[derive(Debug, Clone, PartialEq)]
pub enum Apart {
    /// The coordinates (0) or the velocities (1) are so far away.
    By {
        /// When.
        time: f64,
        /// Which.
        part: usize,
        /// How far.
        off: f64,
    },
    /// It has ended in this way.
    Ends {
        /// When.
        time: f64,
        /// The name of the ending.
        name: &'static str,
    },
}

impl Against {
    /// A law that does not hold: no digits of the start excuse that.
    pub fn law(what: String) -> Against {
        Against { what, apart: None }
    }
}

/// Whether the last digits of the start decide a motion as far as another computation of it is away.
pub fn decide(subject: &Subject, apart: &Apart) -> bool {
    let n = subject.body.degrees();
    match apart {
        // An ending that names a failure of a computation is one, however seldom it comes.
        Apart::Ends { name, .. } if *name != NO_SOLUTION => false,
        Apart::Ends { time, name } => copies(subject).any(|copy| {
            let ended = &copy.run.ended;
            !ended.is_complete() && ended.name() == *name && copy.run.time <= *time * (1.0 + 1e-6)
        }),
        Apart::By { time, part, off } => {
            let entries = part * n..(part + 1) * n;
            let Some(base) = subject.base.at(*time) else { return false };
            let mut range: Vec<[f64; 2]> = base[entries.clone()].iter().map(|&x| [x, x]).collect();
            copies(subject).filter_map(|copy| copy.at(*time)).any(|state| {
                for (range, &x) in range.iter_mut().zip(&state[entries.clone()]) {
                    *range = [range[0].min(x), range[1].max(x)];
                }
                range.iter().any(|[low, high]| high - low >= SHARE * off)
            })
        }
    }
}

/// Copies of the first motion of a subject: every entry of their starts that is not zero is up to one unit in its last place away.
fn copies<'s>(subject: &'s Subject) -> impl Iterator<Item = Trial> + 's {
    let base = &subject.base;
    let n = subject.body.degrees();
    let watch = subject.watch.within(PATIENCE);
    let allowed = watch.clone();
    (0..COPIES).take_while(move |_| allowed.allows()).filter_map(move |number| {
        let mut dice = Dice::of("last digits", 1, number);
        let mut start = base.values.start().to_vec();
        for x in start[..2 * n].iter_mut().filter(|x| **x != 0.0) {
            *x = dice.of_list(&[x.next_down(), *x, x.next_up()]);
        }
        let values = base.values.with_start(&start);
        let settings = Settings { until: subject.body.until, ..Settings::default() };
        let motion = Motion::new(&base.system, &values, settings).ok()?;
        let own = watch.within(LONGEST);
        let run = motion.run(true, |_| own.allows());
        Some(Trial { system: base.system.clone(), values, run })
    })
}
