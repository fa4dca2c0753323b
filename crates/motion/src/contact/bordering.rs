//! The modes that belong to a solution of the contact problem, at a border all that coincide there.

use super::problem::{Balance, Does, Problem, Sliding};
use crate::mode::{ClosedSet, Slip};

/// At most so many combinations at borders are looked at.
pub(crate) const MOST_BORDERS: usize = 512;

/// The mode in which contacts do what a solution says.
pub(crate) fn mode_of(contacts: &[usize], does: &[Does]) -> ClosedSet {
    contacts.iter().zip(does).fold(ClosedSet::NONE, |set, (&contact, &does)| match does {
        Does::Open => set,
        Does::Stick => set.with(contact),
        Does::Slip(slip) => set.with_slip(contact, slip),
    })
}

/// The modes that coincide in a solution at a border. Where these are very many: the one in which all contacts at the border stay closed, that in which all open,
/// and their neighbours.
pub(crate) fn bordering(problem: &Problem, solution: &Balance, contacts: &[usize]) -> Vec<ClosedSet> {
    // A constraint does not open, and both of its sides do the same.
    let follows = |i: usize| problem.opposite[i].filter(|&first| first < i);
    let borderline = |i: usize| solution.borderline[i] || problem.opposite[i].is_some_and(|j| solution.borderline[j]);
    let own = |i: usize| match (borderline(i), problem.sliding[i]) {
        (true, Sliding::Sticking) if problem.opposite[i].is_some() && follows(i).is_none() => {
            vec![Does::Stick, Does::Slip(Slip::Forward), Does::Slip(Slip::Backward)]
        }
        _ if problem.opposite[i].is_some() => vec![solution.does[i]],
        (false, _) => vec![solution.does[i]],
        (true, Sliding::Smooth) => vec![Does::Stick, Does::Open],
        (true, Sliding::Along(slip)) => vec![Does::Slip(slip), Does::Open],
        (true, Sliding::Sticking) => {
            vec![Does::Stick, Does::Slip(Slip::Forward), Does::Slip(Slip::Backward), Does::Open]
        }
    };
    let all: Vec<Vec<Does>> = (0..contacts.len()).map(own).collect();
    let many = all.iter().try_fold(1_usize, |count, own| count.checked_mul(own.len()).filter(|c| *c <= MOST_BORDERS));
    let choices: Vec<Vec<Does>> = if many.is_some() {
        all.iter().fold(vec![Vec::new()], |choices, own| {
            let longer = |known: &Vec<Does>, does: Does| known.iter().copied().chain([does]).collect();
            choices.iter().flat_map(|known| own.iter().map(move |&does| longer(known, does))).collect()
        })
    } else {
        let closed: Vec<Does> = all.iter().map(|own| own[0]).collect();
        let open: Vec<Does> = all.iter().map(|own| own[own.len() - 1]).collect();
        let neighbours = [&closed, &open].into_iter().flat_map(|base| {
            let other = move |i: usize, does: Does| {
                let mut next = base.clone();
                next[i] = does;
                next
            };
            all.iter().enumerate().flat_map(move |(i, own)| {
                own.iter().filter(move |&&does| does != base[i]).map(move |&does| other(i, does))
            })
        });
        [closed.clone(), open.clone()].into_iter().chain(neighbours).collect()
    };
    let with_sides = |mut does: Vec<Does>| {
        (0..does.len()).for_each(|i| does[i] = follows(i).map_or(does[i], |first| does[first]));
        does
    };
    choices.into_iter().map(|does| mode_of(contacts, &with_sides(does))).collect()
}

/// All sets of contacts, the smallest first; of very many those with the fewest contacts.
pub(crate) fn subsets(contacts: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let all = (0..=contacts.len()).flat_map(|k| combinations(contacts.len(), k)).take(MOST_BORDERS);
    all.map(|chosen| chosen.into_iter().map(|i| contacts[i]).collect())
}

/// All choices of k of the numbers below n, in lexicographic order.
fn combinations(n: usize, k: usize) -> impl Iterator<Item = Vec<usize>> {
    std::iter::successors(Some((0..k).collect()), move |known: &Vec<usize>| {
        let raised = (0..k).rev().find(|&i| known[i] < n - k + i)?;
        let rest = (0..k - raised).map(|j| known[raised] + 1 + j);
        Some(known[..raised].iter().copied().chain(rest).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_subsets_come_once_the_smallest_first() {
        for n in 0..8 {
            let contacts: Vec<usize> = (0..n).map(|i| 3 * i + 1).collect();
            let found: Vec<Vec<usize>> = subsets(&contacts).collect();
            assert_eq!(found.len(), 1 << n);
            assert!(found.iter().enumerate().all(|(i, set)| !found[..i].contains(set)));
            assert!(found.windows(2).all(|pair| pair[0].len() <= pair[1].len()));
        }
        assert_eq!(subsets(&(0..200).collect::<Vec<_>>()).count(), MOST_BORDERS);
    }
}
