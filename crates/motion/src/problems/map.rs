//! Regions of a plane of two numbers in which the contact problem has one solution, several, or none, and the curves between them.

use super::analysis::Status;
use super::level::{LevelCurve, level_curves};
use super::varied::Varied;
use crate::mode::ClosedSet;

/// What closed contacts do at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Region {
    /// One answer: at least one contact stays closed and slips.
    Slip,
    /// One answer: contacts stay closed, and none slips.
    Stick,
    /// One answer: all contacts open.
    Flight,
    /// Several answers.
    Indeterminate,
    /// No answer without an impact.
    Inconsistent,
    /// No state there lies on the surfaces and outside all obstacles.
    Impossible,
}

impl Region {
    /// Every region.
    pub const ALL: [Region; 6] =
        [Region::Slip, Region::Stick, Region::Flight, Region::Indeterminate, Region::Inconsistent, Region::Impossible];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Region::Slip => "slip",
            Region::Stick => "stick",
            Region::Flight => "flight",
            Region::Indeterminate => "indeterminate",
            Region::Inconsistent => "inconsistent",
            Region::Impossible => "impossible",
        }
    }

    fn of(status: Status, mode: ClosedSet) -> Region {
        match status {
            Status::Inconsistent => Region::Inconsistent,
            Status::Indeterminate => Region::Indeterminate,
            Status::Unique if mode.is_empty() => Region::Flight,
            Status::Unique if mode.slips() => Region::Slip,
            Status::Unique => Region::Stick,
        }
    }
}

/// The numbers of a contact whose signs decide what it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Critical {
    /// A: zero at the critical friction.
    A,
    /// b: zero where the contact would just open without force.
    B,
    /// g_T': zero where slip changes its direction, and A jumps.
    Slip,
}

impl Critical {
    /// Every one of them.
    pub const ALL: [Critical; 3] = [Critical::A, Critical::B, Critical::Slip];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Critical::A => "A",
            Critical::B => "b",
            Critical::Slip => "slip",
        }
    }
}

/// A curve on which A, b or the slip speed of a contact vanishes.
#[derive(Debug, Clone, PartialEq)]
pub struct CriticalCurve {
    /// The contact.
    pub contact: usize,
    /// What vanishes.
    pub quantity: Critical,
    /// The curve.
    pub curve: LevelCurve,
}

/// A map of the plane. Cells are in rows, the first number changing fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMap {
    /// The values of both numbers.
    pub values: [Vec<f64>; 2],
    /// What happens at every place.
    pub regions: Vec<Region>,
    /// The contacts.
    pub contacts: Vec<usize>,
    /// A of every contact at every place; not a number where that is impossible.
    pub a: Vec<Vec<f64>>,
    /// b likewise.
    pub b: Vec<Vec<f64>>,
    /// Where A, b and slip speeds vanish; none in a map that is not complete.
    pub curves: Vec<CriticalCurve>,
    /// Whether all rows are there; otherwise the second values are those of the rows that are.
    pub complete: bool,
}

/// Curves are looked for on a grid of at least so many lines each way.
const FEWEST_LINES: usize = 161;

impl ContactMap {
    /// The map of two numbers over their values, which increase; the rows up to where `goes_on`, which receives the share that is done, is false.
    ///
    /// # Panics
    /// If not two numbers vary.
    pub fn new(varied: &mut Varied, values: [Vec<f64>; 2], goes_on: &mut dyn FnMut(f64) -> bool) -> ContactMap {
        assert_eq!(varied.what().len(), 2, "a map is one of two numbers");
        let contacts: Vec<usize> = varied.closed().iter().collect();
        let count = values[0].len() * values[1].len();
        let mut map = ContactMap {
            values,
            regions: Vec::with_capacity(count),
            a: vec![Vec::with_capacity(count); contacts.len()],
            b: vec![Vec::with_capacity(count); contacts.len()],
            contacts,
            curves: Vec::new(),
            complete: false,
        };
        let rows = map.values[1].len();
        for row in 0..rows {
            let second = map.values[1][row];
            if !goes_on(row as f64 / rows as f64) {
                map.values[1].truncate(row);
                return map;
            }
            for &first in &map.values[0] {
                let possible = varied.place(&[first, second]);
                for (k, &contact) in map.contacts.iter().enumerate() {
                    let known = possible.then(|| varied.contact(contact));
                    map.a[k].push(known.map_or(f64::NAN, |known| known.a));
                    map.b[k].push(known.map_or(f64::NAN, |known| known.b));
                }
                map.regions.push(match possible {
                    true => {
                        let (status, mode) = varied.status();
                        Region::of(status, mode)
                    }
                    false => Region::Impossible,
                });
            }
        }
        map.complete = true;
        map.trace(varied);
        map
    }

    /// The region at a place, by the positions of its values.
    pub fn region(&self, first: usize, second: usize) -> Region {
        self.regions[second * self.values[0].len() + first]
    }

    /// Which share of all places belongs to every region that occurs.
    pub fn shares(&self) -> Vec<(Region, f64)> {
        let count = |region: Region| self.regions.iter().filter(|&&other| other == region).count();
        let all = self.regions.len() as f64;
        Region::ALL.into_iter().map(|region| (region, count(region) as f64 / all)).filter(|(_, s)| *s > 0.0).collect()
    }

    /// Finds the curves on which A, b and slip speeds vanish.
    fn trace(&mut self, varied: &mut Varied) {
        let lines = [0, 1].map(|axis| finer(&self.values[axis]));
        let same = lines == self.values;
        for (k, &contact) in self.contacts.iter().enumerate() {
            for quantity in Critical::ALL {
                let mut function = |first: f64, second: f64, is_node: bool| {
                    if !varied.place(&[first, second]) {
                        return f64::NAN;
                    }
                    let known = varied.contact(contact);
                    match quantity {
                        Critical::A => known.a,
                        Critical::B => known.b,
                        // Rounding on its own has no direction.
                        Critical::Slip if is_node && known.slip.is_none() => 0.0,
                        Critical::Slip => known.slip_speed,
                    }
                };
                let mut looked_at = Vec::new();
                if !same || quantity == Critical::Slip {
                    for &second in &lines[1] {
                        looked_at.extend(lines[0].iter().map(|&first| function(first, second, true)));
                    }
                }
                let nodes = match (same, quantity) {
                    (true, Critical::A) => &self.a[k],
                    (true, Critical::B) => &self.b[k],
                    _ => &looked_at,
                };
                let curves = level_curves(&lines[0], &lines[1], nodes, &mut |x, y| function(x, y, false));
                self.curves.extend(curves.into_iter().map(|curve| CriticalCurve { contact, quantity, curve }));
            }
        }
    }
}

/// The same values with others between them, if they are few.
fn finer(values: &[f64]) -> Vec<f64> {
    let intervals = values.len().saturating_sub(1);
    if intervals == 0 {
        return values.to_vec();
    }
    let parts = (FEWEST_LINES - 1).div_ceil(intervals);
    let between = values
        .windows(2)
        .flat_map(|pair| (0..parts).map(move |k| pair[0] + (pair[1] - pair[0]) * k as f64 / parts as f64));
    between.chain(values.last().copied()).collect()
}
