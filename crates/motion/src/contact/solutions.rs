//! All solutions of the contact problem of contacts that act on each other: every cone of its complementarity problem, for every choice of the sides from which constraints push.
//!
//! The complementarity problem is that of [`problem`](super::problem), Glocker 2001 and Pfeiffer & Glocker 1996.

use saltation_numerics::dense::Matrix;
use saltation_numerics::lcp;

use super::problem::{Balance, Does, Problem, Sliding};

/// The sides of at most so many constraints that act on each other are tried.
const MOST_CONSTRAINTS: usize = 8;

/// The complementarity problem of contacts.
struct Complementarity {
    matrix: Matrix,
    right: Vec<f64>,
    /// The sizes of the terms of `right`.
    sizes: Vec<f64>,
    /// Where the variables of every contact begin.
    places: Vec<usize>,
}

impl Problem {
    /// The contacts that act on each other, directly or by others: the blocks of G, each in the order of its contacts.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let n = self.contacts();
        let linked = |i: usize, j: usize| {
            let pairs = [(i, j), (i, n + j), (n + i, j), (n + i, n + j)];
            pairs.into_iter().any(|(row, column)| self.acts(row, column) != 0.0)
        };
        let mut group: Vec<Option<usize>> = vec![None; n];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for first in 0..n {
            if group[first].is_some() {
                continue;
            }
            let number = groups.len();
            group[first] = Some(number);
            let mut members = vec![first];
            let mut at = 0;
            while at < members.len() {
                for other in (0..n).filter(|&other| group[other].is_none()).collect::<Vec<_>>() {
                    if linked(members[at], other) {
                        group[other] = Some(number);
                        members.push(other);
                    }
                }
                at += 1;
            }
            members.sort_unstable();
            groups.push(members);
        }
        groups
    }

    /// The problem of some contacts alone.
    pub(super) fn part(&self, group: &[usize]) -> Problem {
        let (n, k) = (self.contacts(), group.len());
        let row = |i: usize| if i < k { group[i] } else { n + group[i - k] };
        let rows = |x: &[f64]| (0..2 * k).map(|i| x[row(i)]).collect();
        let own = |x: &[f64]| group.iter().map(|&i| x[i]).collect();
        Problem {
            delassus: Matrix::from_fn(2 * k, 2 * k, |i, j| self.delassus[(row(i), row(j))]),
            free: rows(&self.free),
            scale: rows(&self.scale),
            friction: own(&self.friction),
            given: own(&self.given),
            sliding: group.iter().map(|&i| self.sliding[i]).collect(),
            opposite: group.iter().map(|&i| group.iter().position(|&other| self.opposite[i] == Some(other))).collect(),
        }
    }

    /// All solutions of contacts that act on each other. A constraint pushes from one of its sides at a time: for every choice of them those of the contacts that may then
    /// have forces, in which no constraint opens.
    pub(super) fn of_one_group(&self) -> (Vec<Balance>, bool) {
        let n = self.contacts();
        let second = |i: usize| self.opposite[i].filter(|&first| first < i);
        let seconds: Vec<usize> = (0..n).filter(|&i| second(i).is_some()).collect();
        if seconds.is_empty() {
            return self.with_forces();
        }
        let mut complete = seconds.len() <= MOST_CONSTRAINTS;
        let every: Vec<usize> = (0..n).collect();
        let mut solutions: Vec<Balance> = Vec::new();
        for choice in 0..1_u32 << seconds.len().min(MOST_CONSTRAINTS) {
            let carries = |i: usize| match (second(i), self.opposite[i]) {
                (None, None) => true,
                (first, other) => {
                    let place = seconds.iter().position(|&second| second == i || Some(second) == other);
                    place.is_some_and(|k| (choice >> k & 1 == 1) == first.is_some())
                }
            };
            let loaded: Vec<usize> = (0..n).filter(|&i| carries(i)).collect();
            let (found, all) = self.part(&loaded).with_forces();
            complete &= all;
            for balance in found {
                let mut forces = vec![0.0; 2 * n];
                for (k, &contact) in loaded.iter().enumerate() {
                    (forces[contact], forces[n + contact]) = (balance.normal[k], balance.tangential[k]);
                }
                let balance = Balance { underdetermined: balance.underdetermined, ..self.judge(forces) };
                if (0..n).any(|i| self.opposite[i].is_some() && balance.does[i] == Does::Open) {
                    continue;
                }
                match solutions.iter_mut().find(|known| self.moves_alike(known, &balance)) {
                    Some(known) => {
                        let underdetermined =
                            known.underdetermined || balance.underdetermined || !self.same_forces(known, &balance);
                        if self.norm(&balance, &every) < self.norm(known, &every) {
                            *known = balance;
                        }
                        known.underdetermined = underdetermined;
                    }
                    None => solutions.push(balance),
                }
            }
        }
        (solutions, complete)
    }

    /// All solutions of contacts that act on each other, each of which may have a force.
    fn with_forces(&self) -> (Vec<Balance>, bool) {
        let Complementarity { matrix, right, sizes, places } = self.complementarity();
        let smooth = self.sliding.iter().all(|sliding| *sliding == Sliding::Smooth);
        let complete = smooth || right.len() <= lcp::MOST_ENUMERATED;
        let answer = match (smooth, complete) {
            (true, _) => lcp::convex(&matrix, &right, &sizes),
            (false, true) => {
                lcp::enumerate_among(&matrix, &right, &sizes, &|count, mask| self.is_told_apart(&places, count, mask))
            }
            (false, false) => lcp::lemke_within(&matrix, &right, &sizes),
        };
        // That there is no solution is said only when no cone at all has one: rounding may move a solution at a border into one of the others.
        let answer = match answer {
            Ok(known) if !smooth && complete && known.solutions.is_empty() => {
                lcp::enumerate_within(&matrix, &right, &sizes)
            }
            answer => answer,
        };
        // A search that failed found nothing, and proves nothing.
        let complete = complete && answer.is_ok();
        let found = answer.map_or(Vec::new(), |answer| answer.solutions);
        let mut solutions: Vec<Balance> = Vec::new();
        for solution in found {
            let mut balance = self.balance(&solution, &places);
            balance.underdetermined = if smooth {
                !solution.isolated
            } else {
                !(complete && solution.isolated) && self.is_redundant(&balance)
            };
            match solutions.iter_mut().find(|known| self.moves_alike(known, &balance)) {
                Some(known) => {
                    known.underdetermined |= balance.underdetermined || !self.same_forces(known, &balance);
                }
                None => solutions.push(balance),
            }
        }
        // What comes on top of given impulses decides nothing that follows.
        if !smooth && self.given.iter().all(|given| *given == 0.0) {
            for balance in solutions.iter_mut().filter(|balance| balance.underdetermined) {
                *balance = Balance { underdetermined: true, ..self.judge(self.least(balance)) };
            }
        }
        (solutions, complete)
    }

    /// Whether cones that begin with so many choices can hold a solution that others do not. Of the eight choices for the three components of a contact
    /// whose slip is open these do: without a force of its own it slips forward or backward, or sticks if an impulse is given; with one it slips forward,
    /// sticks, or slips backward. In the other choices both parts of the slip grow together, or both of friction vanish.
    fn is_told_apart(&self, places: &[usize], count: usize, mask: u32) -> bool {
        let Some(i) = places.iter().position(|&place| place + 3 == count) else { return true };
        if self.sliding[i] != Sliding::Sticking {
            return true;
        }
        match mask >> places[i] & 0b111 {
            0b000 | 0b110 | 0b001 | 0b011 | 0b111 => true,
            0b010 => self.given[i] != 0.0,
            _ => false,
        }
    }

    fn complementarity(&self) -> Complementarity {
        let n = self.contacts();
        let acts = |row: usize, column: usize| self.acts(row, column);
        let mut places = Vec::with_capacity(n);
        let mut size = 0;
        for sliding in &self.sliding {
            places.push(size);
            size += if *sliding == Sliding::Sticking { 3 } else { 1 };
        }
        let mut matrix = Matrix::zeros(size, size);
        let mut right = vec![0.0; size];
        let mut sizes = vec![0.0; size];
        for i in 0..n {
            let rows = if self.sliding[i] == Sliding::Sticking { 2 } else { 1 };
            for (row, at) in [(i, places[i]), (n + i, places[i] + 1)].into_iter().take(rows) {
                right[at] = self.free[row];
                sizes[at] = self.scale[row].max(self.free[row].abs());
                for j in 0..n {
                    let (push, rub) = (acts(row, j), acts(row, n + j));
                    let mu = self.friction[j];
                    matrix[(at, places[j])] = match self.sliding[j] {
                        Sliding::Smooth => push,
                        Sliding::Along(slip) => push - slip.sign() * mu * rub,
                        Sliding::Sticking => push - mu * rub,
                    };
                    if self.sliding[j] == Sliding::Sticking {
                        matrix[(at, places[j] + 1)] = rub;
                    }
                    right[at] += matrix[(at, places[j])] * self.given[j];
                    sizes[at] += (matrix[(at, places[j])] * self.given[j]).abs();
                }
            }
            if rows == 2 {
                let at = places[i];
                matrix[(at + 1, at + 2)] = 1.0;
                matrix[(at + 2, at)] = 2.0 * self.friction[i];
                matrix[(at + 2, at + 1)] = -1.0;
                right[at + 2] = 2.0 * self.friction[i] * self.given[i];
                sizes[at + 2] = right[at + 2];
            }
        }
        Complementarity { matrix, right, sizes, places }
    }

    fn balance(&self, solution: &lcp::Solution, places: &[usize]) -> Balance {
        let n = self.contacts();
        let mut forces = vec![0.0; 2 * n];
        for i in 0..n {
            let at = places[i];
            let normal = solution.z[at] + self.given[i];
            forces[i] = normal;
            forces[n + i] = match self.sliding[i] {
                Sliding::Smooth => 0.0,
                Sliding::Along(slip) => -slip.sign() * self.friction[i] * normal,
                Sliding::Sticking => solution.z[at + 1] - self.friction[i] * normal,
            };
        }
        self.judge(forces)
    }
}
