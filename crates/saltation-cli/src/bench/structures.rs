//! W6: nonsmooth modes with one impact per period. λ, energy and certified admissibility of the motions of period T_1 (0.2 + 1.3 (i + 1/2)/1000),
//! i = 0 .. 999, with the gap 1: of a chain of 5 masses 1/5 between springs of stiffness 5, and of a bar of 400 linear elements with consistent masses.

use crate::bench::run::{Check, Run, failed, repeated};
use saltation::Error;
use saltation::layers::modes::LinearModes;
use saltation::layers::modes::single::Singles;

const PERIODS: u32 = 1000;

/// A structure of n degrees of freedom with tridiagonal matrices, held at the first and free at the last.
pub(crate) struct Structure {
    n: usize,
    /// A mass on the diagonal, the last one there, and one beside the diagonal.
    masses: [f64; 3],
}

/// n masses 1/n.
pub(crate) fn chain(n: usize) -> Structure {
    let mass = 1.0 / n as f64;
    Structure { n, masses: [mass, mass, 0.0] }
}

/// A bar of length, density and stiffness 1 in n linear elements.
pub(crate) fn bar(n: usize) -> Structure {
    let sixth = 1.0 / (6.0 * n as f64);
    Structure { n, masses: [4.0 * sixth, 2.0 * sixth, sixth] }
}

impl Structure {
    fn entries(&self, [inside, last, beside]: [f64; 3]) -> Vec<(usize, usize, f64)> {
        let diagonal = (0..self.n).map(|i| (i, i, if i + 1 == self.n { last } else { inside }));
        let others = (1..self.n).flat_map(|i| [(i - 1, i, beside), (i, i - 1, beside)]);
        diagonal.chain(others.filter(|entry| entry.2 != 0.0)).collect()
    }

    fn modes(&self) -> Result<LinearModes, Error> {
        let size = self.n as f64;
        let stiffness = self.entries([2.0 * size, size, -size]);
        let mut normal = vec![0.0; self.n];
        normal[self.n - 1] = -1.0;
        LinearModes::new(self.n, &self.entries(self.masses), &stiffness, &normal, 1.0).map_err(failed)
    }
}

/// Time per period in microseconds; the number of admissible motions.
pub(crate) fn prepare(structure: &Structure) -> Result<Run, Error> {
    let modes = structure.modes()?;
    repeated(1e6 / f64::from(PERIODS), move || {
        let mut singles = Singles::new(&modes);
        let mut admissible = 0;
        for i in 0..PERIODS {
            let period = modes.period(0) * (0.2 + 1.3 * (f64::from(i) + 0.5) / f64::from(PERIODS));
            admissible += u64::from(singles.at(period).1);
        }
        Ok(Check::Count(admissible))
    })
}
