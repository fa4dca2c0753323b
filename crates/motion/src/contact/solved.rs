//! Problems that were solved a short while ago: where one comes again, or a multiple of it, its solutions are known.
//!
//! A contact that rebounds beside others at rest meets them in the same place again and again, a million times in a second, and all
//! cones of its problem would be searched each time. Every entry of a problem is a sum of products, known to the rounding of its terms; two problems that differ by
//! no more are one problem (Oettli & Prager, Numer. Math. 6, 1964). The laws are homogeneous: at another speed the impulses are others by the same factor.
//! The forces then decide what is decided from them, in the equations of the present state.

use super::problem::{Balance, Problem};

/// Entries of problems that differ by less than this part of their terms are the same: the products of a dozen coordinates, and the directions of two contacts.
const SAME_ENTRY: f64 = 64.0 * f64::EPSILON;
/// So many problems are kept: the phases of an impact and what follows it, for two contacts that strike in turn.
const KEPT: usize = 8;

/// The problems that were solved last, with all their solutions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Solved {
    known: Vec<(Problem, Vec<Balance>, bool)>,
    next: usize,
}

impl Solved {
    /// Nothing is known.
    pub(crate) fn forget(&mut self) {
        *self = Solved::default();
    }

    /// [`Problem::solutions`]. The accelerations are those of this problem.
    pub(crate) fn solutions(&mut self, problem: &Problem) -> (Vec<Balance>, bool) {
        let again = self.known.iter().find_map(|entry| multiple(&entry.0, problem).map(|factor| (factor, entry)));
        if let Some((factor, (_, balances, complete))) = again {
            let here = |balance: &Balance| {
                let forces = balance.normal.iter().chain(&balance.tangential).map(|force| factor * force).collect();
                Balance { underdetermined: balance.underdetermined, ..problem.judge(forces) }
            };
            return (balances.iter().map(here).collect(), *complete);
        }
        let (balances, complete) = problem.solutions();
        // One contact alone takes less than to remember it.
        if problem.contacts() > 1 {
            let entry = (problem.clone(), balances.clone(), complete);
            match self.known.get_mut(self.next) {
                Some(place) => *place = entry,
                None => self.known.push(entry),
            }
            self.next = (self.next + 1) % KEPT;
        }
        (balances, complete)
    }
}

/// By which factor the forces of a known problem are those of another one: its equations are the same to within the rounding of their entries, and what there is without forces is
/// so many times as large. The laws are homogeneous.
fn multiple(known: &Problem, new: &Problem) -> Option<f64> {
    let n = new.contacts();
    if known.contacts() != n
        || known.sliding != new.sliding
        || known.friction != new.friction
        || known.opposite != new.opposite
    {
        return None;
    }
    let own = |i: usize| new.delassus[(i, i)].sqrt();
    // By the row with the largest terms; what is left of them may be rounding.
    let pace = |i: usize| if own(i) > 0.0 { known.scale[i] / own(i) } else { 0.0 };
    let largest = (0..2 * n).max_by(|&i, &j| pace(i).total_cmp(&pace(j)))?;
    let factor =
        if known.scale[largest] == new.scale[largest] { 1.0 } else { new.scale[largest] / known.scale[largest] };
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= SAME_ENTRY * size;
    let rows = (0..2 * n).all(|i| {
        let [free, scale] = [known.free[i], known.scale[i]].map(|known| factor * known);
        near(free, new.free[i], scale.min(new.scale[i])) && near(scale, new.scale[i], new.scale[i])
    });
    let given = |i: usize| near(factor * known.given[i], new.given[i], new.given[i]);
    let entries = |i: usize| (0..2 * n).all(|j| near(known.delassus[(i, j)], new.delassus[(i, j)], own(i) * own(j)));
    (factor > 0.0 && rows && (0..n).all(given) && (0..2 * n).all(entries)).then_some(factor)
}

#[cfg(test)]
mod tests {
    use saltation_numerics::dense::Matrix;

    use super::super::problem::Sliding;
    use super::*;

    /// Two feet of a block.
    fn feet(load: f64) -> Problem {
        Problem {
            delassus: Matrix::from_rows([
                [2.0, 0.5, 0.1, 0.0],
                [0.5, 2.0, 0.0, 0.1],
                [0.1, 0.0, 1.5, 1.0],
                [0.0, 0.1, 1.0, 1.5],
            ]),
            free: vec![-load, -load, 0.3 * load, 0.3 * load],
            scale: vec![load; 4],
            friction: vec![0.4, 0.4],
            given: vec![0.0; 2],
            sliding: vec![Sliding::Sticking; 2],
            opposite: vec![None; 2],
        }
    }

    #[test]
    fn problems_that_differ_by_rounding_are_one_and_others_are_not() {
        let problem = feet(1.0);
        let mut solved = Solved::default();
        assert_eq!(solved.solutions(&problem), problem.solutions());
        let mut close = problem.clone();
        close.free[0] *= 1.0 + 4.0 * f64::EPSILON;
        assert_eq!(multiple(&problem, &close), Some(1.0));
        // The accelerations are those of the problem that was asked for.
        let (found, _) = solved.solutions(&close);
        assert_eq!(found[0].normal, problem.solutions().0[0].normal);
        assert_eq!(
            found[0].opening,
            close.judge([found[0].normal.clone(), found[0].tangential.clone()].concat()).opening
        );
        for (row, by) in [(0, 1e-12), (3, -1e-12)] {
            let mut other = problem.clone();
            other.free[row] += by;
            assert_eq!(multiple(&problem, &other), None);
            assert_eq!(solved.solutions(&other), other.solutions());
        }
        let mut other = problem.clone();
        other.given[0] = 1e-300;
        assert_eq!(multiple(&problem, &other), None);
        // What is not a number is no problem that is known.
        for bad in [f64::NAN, f64::INFINITY] {
            let mut other = problem.clone();
            (other.free[1], other.scale[1]) = (bad, bad);
            assert_eq!(multiple(&other, &other), None);
        }
    }

    #[test]
    fn problems_that_are_multiples_have_forces_that_are_multiples() {
        let problem = feet(1.0);
        let mut solved = Solved::default();
        let (first, _) = solved.solutions(&problem);
        for load in [1e-200, 3e-7, 7.0, 1e200] {
            let other = feet(load);
            let factor = multiple(&problem, &other).unwrap();
            assert!((factor - load).abs() <= 2.0 * f64::EPSILON * load);
            let (found, complete) = solved.solutions(&other);
            let (right, _) = other.solutions();
            assert!(complete && found.len() == right.len() && found.len() == first.len());
            for (a, b) in found.iter().zip(&right) {
                assert_eq!(a.does, b.does);
                let pairs = a.normal.iter().chain(&a.tangential).zip(b.normal.iter().chain(&b.tangential));
                pairs.for_each(|(x, y)| assert!((x - y).abs() <= 1e-14 * load, "{load:e}: {x:e} {y:e}"));
            }
        }
        assert_eq!(solved.known.len(), 1);
        // The opposite load is another problem, and so is one whose terms, not its sums, are larger.
        let mut other = feet(1.0);
        other.free.iter_mut().for_each(|free| *free = -*free);
        assert_eq!(multiple(&problem, &other), None);
        other = feet(1.0);
        other.scale[3] = 2.0;
        assert_eq!(multiple(&problem, &other), None);
    }

    #[test]
    fn only_the_last_problems_are_kept() {
        let mut solved = Solved::default();
        (1..100).for_each(|k| {
            let mut problem = feet(1.0);
            problem.free[3] *= f64::from(k);
            drop(solved.solutions(&problem));
        });
        assert_eq!(solved.known.len(), KEPT);
        solved.forget();
        assert!(solved.known.is_empty());
    }
}
