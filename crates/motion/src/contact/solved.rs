//! Problems that were solved a short while ago: where one comes again, its solutions are known.
//!
//! A contact that rebounds beside others at rest meets them in the same place again and again, a million times in a second, and all
//! cones of its problem would be searched each time. Every entry of a problem is a sum of products, known to the rounding of its terms; two problems that differ by
//! no more are one problem (Oettli & Prager, Numer. Math. 6, 1964). Its forces then decide what is decided from them, in the equations of the present state.

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
        if let Some((_, balances, complete)) = self.known.iter().find(|(known, ..)| is_same(known, problem)) {
            let here = |balance: &Balance| {
                let forces = balance.normal.iter().chain(&balance.tangential).copied().collect();
                Balance { one_of_many: balance.one_of_many, ..problem.judge(forces) }
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

/// Whether two problems differ by no more than the rounding of their entries.
fn is_same(known: &Problem, new: &Problem) -> bool {
    let n = new.contacts();
    if known.contacts() != n || known.sliding != new.sliding || known.friction != new.friction {
        return false;
    }
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= SAME_ENTRY * size;
    let rows = (0..2 * n).all(|i| {
        near(known.free[i], new.free[i], known.scale[i].min(new.scale[i]))
            && near(known.scale[i], new.scale[i], new.scale[i])
    });
    let own = |i: usize| new.delassus[(i, i)].sqrt();
    let entries = |i: usize| (0..2 * n).all(|j| near(known.delassus[(i, j)], new.delassus[(i, j)], own(i) * own(j)));
    rows && (0..n).all(|i| near(known.given[i], new.given[i], new.given[i])) && (0..2 * n).all(entries)
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
            sliding: vec![Sliding::Halted; 2],
        }
    }

    #[test]
    fn problems_that_differ_by_rounding_are_one_and_others_are_not() {
        let problem = feet(1.0);
        let mut solved = Solved::default();
        assert_eq!(solved.solutions(&problem), problem.solutions());
        let mut close = problem.clone();
        close.free[0] *= 1.0 + 4.0 * f64::EPSILON;
        assert!(is_same(&problem, &close));
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
            assert!(!is_same(&problem, &other));
            assert_eq!(solved.solutions(&other), other.solutions());
        }
        let mut other = problem.clone();
        other.given[0] = 1e-300;
        assert!(!is_same(&problem, &other));
        other = feet(2.0);
        assert_eq!(solved.solutions(&other), other.solutions());
        // What is not a number is no problem that is known.
        other.free[1] = f64::NAN;
        assert!(!is_same(&other, &other));
    }

    #[test]
    fn only_the_last_problems_are_kept() {
        let mut solved = Solved::default();
        (1..100).for_each(|k| drop(solved.solutions(&feet(f64::from(k)))));
        assert_eq!(solved.known.len(), KEPT);
        solved.forget();
        assert!(solved.known.is_empty());
    }
}
