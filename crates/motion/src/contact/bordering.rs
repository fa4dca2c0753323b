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
    let own = |i: usize| match (solution.borderline[i], problem.sliding[i]) {
        (false, _) => vec![solution.does[i]],
        (true, Sliding::Smooth) => vec![Does::Stick, Does::Open],
        (true, Sliding::Along(slip)) => vec![Does::Slip(slip), Does::Open],
        (true, Sliding::Halted) => vec![Does::Stick, Does::Slip(Slip::Forward), Does::Slip(Slip::Backward), Does::Open],
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
    choices.iter().map(|does| mode_of(contacts, does)).collect()
}
