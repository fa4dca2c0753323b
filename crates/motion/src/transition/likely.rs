//! The modes of closed contacts that the complementarity problem of their accelerations suggests: those of all its solutions, with those that coincide at borders and those in which
//! constraints whose forces are zero push from either side.

use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use super::border::Border;
use super::consistent::TimeScale;
use crate::contact::bordering::{MOST_BORDERS, bordering, mode_of};
use crate::contact::problem::{Balance, Problem, Sliding};
use crate::instant::knowledge::BORDER;
use crate::mode::{Bound, ClosedSet, Constraint, Slip};

/// A mode, and constraints that have forces in it as far as that is known.
pub(super) type Candidate = (ClosedSet, Vec<Constraint>);

/// The sides of the constraints with friction whose forces are zero at a solution, or at the border that is reached: either side may be the one that carries next.
fn constraints_without_force(
    problem: &Problem,
    (solution, least): (&Balance, &[f64]),
    contacts: &[usize],
    border: &Border,
) -> Vec<[usize; 2]> {
    let vanishes = |i: usize| solution.normal[i] <= least[i] || border.contains(contacts[i], Bound::Force);
    let pairs = problem.opposite.iter().enumerate().filter_map(|(i, other)| Some((i, (*other)?)));
    let open = pairs.filter(|&(i, other)| i < other && vanishes(i) && vanishes(other));
    open.map(|(i, other)| [contacts[i], contacts[other]]).collect()
}

/// Every candidate with each choice of the sides from which constraints push that have no force yet.
fn carried(candidates: Vec<Candidate>, undecided: &[[usize; 2]]) -> Vec<Candidate> {
    undecided.iter().fold(candidates, |known, sides| {
        let pushes = |(mode, loaded): &Candidate, side: usize| {
            let others = loaded.iter().filter(|constraint| !sides.contains(&constraint.contact())).copied();
            (*mode, std::iter::once(Constraint::Normal(side)).chain(others).collect())
        };
        known.iter().flat_map(|candidate| sides.map(|side| pushes(candidate, side))).take(MOST_BORDERS).collect()
    })
}

/// Modes that may obey their own laws.
pub(super) struct Likely {
    pub modes: Vec<Candidate>,
    /// Those that accelerations say clearly, where the forces are those of one choice only.
    pub certain: Vec<Candidate>,
}

impl Automaton<'_> {
    /// The problem of the accelerations of contacts with g_N = g_N' = 0 at the current state. In `pressed` those that slip have a direction.
    pub(crate) fn acceleration_problem(&mut self, pressed: ClosedSet) -> Problem {
        let contacts: Vec<usize> = pressed.iter().collect();
        self.enter_mode(ClosedSet::NONE);
        let data: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let system = self.system;
        let series = self.modes.now_mut().expand_sized(&self.parameters, &data, 1);
        // Forces that cancel are as large as their terms.
        let rates: Vec<f64> = system.velocities().iter().map(|&v| series.state(v)[1].size).collect();
        for &contact in &contacts {
            self.joint.group.look(system, contact, &self.now.state);
        }
        let mut problem = self.joint.group.problem(system, &contacts, &rates);
        for (k, &contact) in contacts.iter().enumerate() {
            let terms = self.joint.group.terms(system, contact, &self.parameters, &data);
            for (row, terms) in [k, contacts.len() + k].into_iter().zip(terms) {
                problem.scale[row] = problem.scale[row].max(terms);
            }
            let touch = &self.joint.group.touches[contact];
            problem.free[k] = touch.acceleration();
            problem.free[contacts.len() + k] = touch.slip_acceleration();
            problem.sliding[k] = match (system.has_friction(contact), pressed.slip(contact)) {
                (false, _) => Sliding::Smooth,
                (true, Some(slip)) => Sliding::Along(slip),
                (true, None) => Sliding::Sticking,
            };
            if problem.sliding[k] == Sliding::Sticking {
                problem.friction[k] = touch.holding();
            }
        }
        problem
    }

    /// The modes that the accelerations suggest, those in which the most contacts stay closed and stick first, and those in `likely`.
    pub(super) fn likely_modes(
        &mut self,
        pressed: ClosedSet,
        likely: &[ClosedSet],
        border: &Border,
        pace: &TimeScale,
    ) -> Likely {
        let problem = self.acceleration_problem(pressed);
        let contacts: Vec<usize> = pressed.iter().collect();
        let (mut solutions, _) = self.joint.solved.solutions(&problem);
        self.question_uneven(&problem, &contacts, &mut solutions);
        let mut certain: Vec<Candidate> = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        // The forces that are rounding on the time in which the motion changes.
        let least: Vec<f64> = (contacts.iter().enumerate())
            .map(|(k, &contact)| match problem.opposite[k] {
                Some(_) => BORDER * self.joint.group.terms(self.system, contact, &self.parameters, &pace.data)[0],
                None => 0.0,
            })
            .zip(0..)
            .map(|(terms, k)| terms / problem.delassus[(k, k)])
            .collect();
        let mut undecided: Vec<[usize; 2]> = Vec::new();
        for solution in &solutions {
            let loaded = solution.loaded(&contacts);
            let open = constraints_without_force(&problem, (solution, &least), &contacts, border);
            let decided = open.is_empty();
            undecided.extend(open);
            if solution.underdetermined {
                let corners = problem.corners(solution, &contacts).into_iter().flatten();
                candidates.extend(corners.map(|(does, loaded)| (mode_of(&contacts, &does), loaded)));
            }
            let mut solution = solution.clone();
            if border.joins(mode_of(&contacts, &solution.does)) {
                for (borderline, contact) in solution.borderline.iter_mut().zip(&contacts) {
                    *borderline |= border.at.iter().any(|(at, _)| at == contact);
                }
            }
            if !solution.borderline.contains(&true) {
                let mode = mode_of(&contacts, &solution.does);
                if !solution.underdetermined && decided {
                    certain.push((mode, loaded.clone()));
                }
                candidates.push((mode, loaded));
                continue;
            }
            candidates.extend(bordering(&problem, &solution, &contacts).into_iter().map(|mode| (mode, loaded.clone())));
        }
        candidates.extend(likely.iter().map(|&mode| (mode, Vec::new())));
        candidates.extend(self.modes_beside_slip(&problem, &contacts, &candidates));
        // Where forces that are zero as yet do not say which constraints hold by others, each of them may be one that needs a force.
        for (mode, loaded) in candidates.clone() {
            let redundant = self.joint.group.redundant(self.system, mode, &self.now.state, &loaded);
            let normal = redundant.into_iter().filter(|constraint| matches!(constraint, Constraint::Normal(_)));
            let needed = normal.filter(|constraint| !loaded.contains(constraint));
            candidates.extend(needed.map(|constraint| (mode, loaded.iter().copied().chain([constraint]).collect())));
        }
        undecided.sort_unstable();
        undecided.dedup();
        let mut candidates = carried(candidates, &undecided);
        candidates.sort_by_key(|(mode, _)| {
            let sticks = mode.iter().filter(|&c| mode.slip(c).is_none()).count();
            std::cmp::Reverse((mode.iter().count(), sticks))
        });
        Likely { modes: candidates, certain }
    }

    /// The corners of what contacts may choose that hold one motion together, or with switches: some stick at their static limits.
    pub(super) fn limiting_modes(&mut self, pressed: ClosedSet) -> Vec<ClosedSet> {
        let halted = |contact: usize| pressed.slip(contact).is_none();
        if !pressed.iter().any(|contact| halted(contact) && self.is_uneven(contact))
            || !self.is_statically_indeterminate(pressed)
        {
            return Vec::new();
        }
        let mut modes = vec![pressed];
        for contact in pressed.iter().filter(|&contact| halted(contact) && self.system.has_friction(contact)) {
            let limits = self.is_uneven(contact);
            let does = |mode: &ClosedSet| {
                let mode = *mode;
                let slips = Slip::BOTH.map(|slip| mode.with_slip(contact, slip));
                let limiting = Slip::BOTH.map(|slip| mode.with_limiting(contact, slip)).into_iter().filter(|_| limits);
                limiting.chain([mode]).chain(slips).collect::<Vec<_>>()
            };
            modes = modes.iter().flat_map(does).take(MOST_BORDERS).collect();
        }
        modes.retain(|mode| mode.iter().any(|contact| mode.limiting(contact).is_some()));
        modes
    }

    /// All that contacts may do, as many modes as may be tried: open, stay closed, begin to slip.
    pub(super) fn all_modes(&self, pressed: ClosedSet) -> Vec<ClosedSet> {
        let mut modes = vec![pressed];
        for contact in pressed.iter() {
            let halted = self.system.has_friction(contact) && pressed.slip(contact).is_none();
            let open = modes.iter().map(|mode| mode.without(contact));
            let slips = modes.iter().flat_map(|mode| Slip::BOTH.map(|slip| mode.with_slip(contact, slip)));
            let others: Vec<ClosedSet> = if halted { open.chain(slips).collect() } else { open.collect() };
            if modes.len() + others.len() > MOST_BORDERS {
                break;
            }
            modes.extend(others);
        }
        modes
    }
}
