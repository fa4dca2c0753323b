//! One implicit step: the mixed complementarity problem of all elements.

use super::bodies::State::{Hold, Minus, Plus};
use super::bodies::{Bodies, Law, Linear, Shape, State, dot};

/// The compliance of elements that hold, relative to their own response.
pub(super) const COMPLIANCE: f64 = 1e-9;
/// Surfaces this near, relative to the state, are touched, and functions of velocities this small have no sign.
const TOUCHED: f64 = 1e-9;
/// Where a corner changes its slope this near, relative to the state, the force is the same.
const CORNER: f64 = 1e-7;
/// What holds within this part of the length in which a force acts on a step stops there, without being moved to its
/// surface.
const BESIDE: f64 = 1e-2;
/// So many combinations of states are looked at.
const ENUMERATED: usize = 10_000;

/// A step that is over.
pub(super) struct Step {
    pub(super) x: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// The multipliers of all elements.
    pub(super) z: Vec<f64>,
}

/// One motion.
pub(super) struct Run<'b> {
    pub(super) bodies: &'b Bodies,
    pub(super) shortest: f64,
    pub(super) time: f64,
    pub(super) x: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// Of contacts, then of frictions (one for each contact), then of laws.
    pub(super) states: Vec<State>,
    pub(super) z: Vec<f64>,
    /// The sides of events; zero beside a surface that was just left.
    pub(super) sides: Vec<f64>,
    /// The speeds of their functions where the surfaces were left.
    pub(super) going: Vec<f64>,
    /// By how much changes within short steps may be wrong.
    pub(super) doubt: f64,
    pub(super) steps: usize,
    pub(super) rows: Vec<f64>,
}

impl Run<'_> {
    /// The states as the values of the functions are.
    pub(super) fn sides_of(&self) -> Vec<State> {
        let (bodies, phase) = (self.bodies, self.bodies.rate * self.time);
        let touched = TOUCHED * self.size();
        let side = |s: f64| {
            if s.abs() <= touched {
                Hold
            } else if s > 0.0 {
                Plus
            } else {
                Minus
            }
        };
        let gaps = bodies
            .contacts
            .iter()
            .map(|contact| if contact.gap.value(&self.x, &self.v, phase) > touched { Plus } else { Hold });
        let slips = (0..bodies.contacts.len()).map(|k| side(self.slip(k, &self.v)));
        let laws = bodies.laws.iter().map(|law| match (law.shape, side(law.of.value(&self.x, &self.v, phase))) {
            (Shape::Corner(..), Hold) => Plus,
            (_, side) => side,
        });
        gaps.chain(slips).chain(laws).collect()
    }

    pub(super) fn slip(&self, contact: usize, v: &[f64]) -> f64 {
        let friction = self.bodies.contacts[contact].friction.as_ref();
        friction.map_or(0.0, |friction| dot(&friction.track, v) - friction.belt)
    }

    pub(super) fn size(&self) -> f64 {
        self.x.iter().chain(&self.v).fold(1.0_f64, |size, x| size.max(x.abs()))
    }

    /// The states of all elements at the end of a step, and the step.
    pub(super) fn solve(&mut self, h: f64) -> Option<(Vec<State>, Step)> {
        let start = self.states.clone();
        let mut found = match self.changed(start, h, None) {
            Some(found) => found,
            None => self.all(h)?.pop()?,
        };
        // Static friction goes on to hold where it can: slip is a solution there, too.
        let contacts = self.bodies.contacts.len();
        for k in contacts..2 * contacts {
            let friction = self.bodies.contacts[k - contacts].friction.as_ref();
            // Where others held it, it may have been in the state of slip without any.
            let at_rest = self.states[k] == Hold || self.slip(k - contacts, &self.v).abs() <= TOUCHED * self.size();
            let held = at_rest && found.0[k] != Hold && found.0[k - contacts] == Hold;
            if held && friction.is_some_and(|friction| friction.mu_static > friction.mu) {
                let mut states = found.0.clone();
                states[k] = Hold;
                found = self.changed(states, h, Some(k)).unwrap_or(found);
            }
        }
        Some(found)
    }

    /// The step to which changes of violated elements lead from these states, but for that of one which is to keep its own.
    pub(super) fn changed(
        &mut self,
        mut states: Vec<State>,
        h: f64,
        kept: Option<usize>,
    ) -> Option<(Vec<State>, Step)> {
        let (x, v, time) = (self.x.clone(), self.v.clone(), self.time + h);
        let contacts = self.bodies.contacts.len();
        for round in 0..60 {
            let step = self.solved(&states, &x, &v, time, h)?;
            let Some(mut changed) = self.violated(&states, &step, time, h, 0.0) else { return Some((states, step)) };
            changed.retain(|&(element, _)| Some(element) != kept);
            if changed.is_empty() {
                return None;
            }
            // All at once first; then the first only, which finds the solution where all principal minors are
            // positive (Murty 1974).
            let number = if round < 8 { changed.len() } else { 1 };
            for &(element, state) in changed.iter().take(number) {
                states[element] = state;
                if element < contacts && state == Hold {
                    states[contacts + element] = self.sides_of()[contacts + element];
                }
            }
        }
        None
    }

    /// The steps that obey all laws, of all combinations of states; the last one changes the fewest elements. `None`
    /// if there are too many combinations.
    pub(super) fn all(&mut self, h: f64) -> Option<Vec<(Vec<State>, Step)>> {
        let (x, v, time) = (self.x.clone(), self.v.clone(), self.time + h);
        let (bodies, contacts) = (self.bodies, self.bodies.contacts.len());
        let own = |k: usize| -> Vec<State> {
            let law = k.checked_sub(2 * contacts).map(|k| bodies.laws[k].shape);
            match law {
                None if k < contacts => vec![Hold, Plus],
                None if bodies.contacts[k - contacts].friction.is_none() => vec![self.states[k]],
                None | Some(Shape::Sign) => vec![Minus, Hold, Plus],
                Some(Shape::Corner(..)) => vec![Minus, Plus],
            }
        };
        let lists: Vec<Vec<State>> = (0..self.states.len()).map(own).collect();
        let all = lists.iter().map(Vec::len).product();
        if all > ENUMERATED {
            return None;
        }
        let mut candidates: Vec<Vec<State>> = (0..all)
            .map(|number| {
                let mut rest = number;
                let pick = |list: &Vec<State>| {
                    let own = list[rest % list.len()];
                    rest /= list.len();
                    own
                };
                lists.iter().map(pick).collect()
            })
            .collect();
        let changes = |states: &[State]| states.iter().zip(&self.states).filter(|(a, b)| a != b).count();
        candidates.sort_by_key(|states| std::cmp::Reverse(changes(states)));
        let mut found = Vec::new();
        for states in candidates {
            let Some(step) = self.solved(&states, &x, &v, time, h) else { continue };
            if self.violated(&states, &step, time, h, 0.0).is_none() {
                found.push((states, step));
            }
        }
        Some(found)
    }

    /// Whether several motions begin: only signs that push away from their surfaces can be the reason.
    pub(super) fn is_torn(&mut self, h: f64) -> bool {
        let repels = |law: &Law| {
            let own = |of: &[f64]| (0..of.len()).map(|i| of[i] * law.push[i] / self.bodies.mass[i]).sum::<f64>();
            law.shape == Shape::Sign && (own(&law.of.q) > 0.0 || own(&law.of.v) > 0.0)
        };
        if !self.bodies.laws.iter().any(repels) {
            return false;
        }
        let found = self.all(h).unwrap_or_default();
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-3 * h);
        found.iter().any(|(_, step)| apart(&step.v, &found[0].1.v))
    }

    /// The step in which elements have these states: linear equations for the velocities at its end and for the
    /// multipliers of what holds.
    pub(super) fn solved(&mut self, states: &[State], x: &[f64], v: &[f64], time: f64, h: f64) -> Option<Step> {
        self.steps += 1;
        let bodies = self.bodies;
        let (n, contacts, phase) = (x.len(), bodies.contacts.len(), bodies.rate * time);
        let held: Vec<usize> = (0..states.len()).filter(|&k| states[k] == Hold && self.acts(states, k)).collect();
        let width = n + held.len() + 1;
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        rows.resize((n + held.len()) * width, 0.0);
        let column = |element: usize| held.iter().position(|&k| k == element).map(|place| n + place);
        let smooth = |rows: &mut [f64], i: usize, of: &Linear, factor: f64| {
            for j in 0..n {
                rows[i * width + j] -= factor * h * (of.v[j] + h * of.q[j]);
            }
            rows[i * width + width - 1] += factor * h * (dot(&of.q, x) + of.at(phase));
        };
        for i in 0..n {
            rows[i * width + i] += bodies.mass[i];
            rows[i * width + width - 1] += bodies.mass[i] * v[i];
            smooth(&mut rows, i, &bodies.force[i], 1.0);
        }
        for (k, law) in bodies.laws.iter().enumerate() {
            let element = 2 * contacts + k;
            for i in (0..n).filter(|&i| law.push[i] != 0.0) {
                match (law.shape, states[element]) {
                    (Shape::Corner(below, above), state) => {
                        let slope = if state == Minus { below } else { above };
                        smooth(&mut rows, i, &law.of, law.push[i] * slope);
                    }
                    (Shape::Sign, Plus) => rows[i * width + width - 1] += h * law.push[i],
                    (Shape::Sign, Minus) => rows[i * width + width - 1] -= h * law.push[i],
                    (Shape::Sign, Hold) => rows[i * width + column(element)?] -= h * law.push[i],
                }
            }
        }
        for (k, contact) in bodies.contacts.iter().enumerate().filter(|(k, _)| states[*k] == Hold) {
            let normal = column(k)?;
            (0..n).for_each(|i| rows[i * width + normal] -= h * contact.gap.q[i]);
            let Some(friction) = &contact.friction else { continue };
            let along = |i: usize| h * friction.track[i];
            match states[contacts + k] {
                Hold => {
                    let tangential = column(contacts + k)?;
                    (0..n).for_each(|i| rows[i * width + tangential] -= along(i));
                }
                side => {
                    let sign = if side == Plus { -1.0 } else { 1.0 };
                    (0..n).for_each(|i| rows[i * width + normal] -= sign * friction.mu * along(i));
                }
            }
        }
        for (place, &element) in held.iter().enumerate() {
            let row = n + place;
            let (of, push) = self.element(element);
            let mut own = 0.0;
            for j in 0..n {
                let factor = of.v[j] + h * of.q[j];
                rows[row * width + j] = factor;
                own += (factor * h * push[j] / bodies.mass[j]).abs();
            }
            // A force that grows with its function (contacts and friction) opposes it by the same sign, that of a
            // sign does where its function falls.
            let sign = if element < 2 * contacts { 1.0 } else { -1.0 };
            rows[row * width + n + place] = sign * COMPLIANCE * own;
            let value = dot(&of.q, x) + of.at(phase);
            let stays =
                of.v.iter().all(|factor| *factor == 0.0) && value.abs() <= (BESIDE * h * h).min(TOUCHED) * self.size();
            rows[row * width + width - 1] = if stays { 0.0 } else { -value };
        }
        let solution = eliminate(&mut rows, n + held.len());
        self.rows = rows;
        let solution = solution?;
        let v = solution[..n].to_vec();
        let x = x.iter().zip(&v).map(|(x, v)| x + h * v).collect();
        let mut z = vec![0.0; states.len()];
        for (place, &element) in held.iter().enumerate() {
            z[element] = solution[n + place];
        }
        for (k, contact) in bodies.contacts.iter().enumerate() {
            let friction = contact.friction.as_ref().filter(|_| states[k] == Hold);
            if let (Some(friction), Plus | Minus) = (friction, states[contacts + k]) {
                z[contacts + k] = if states[contacts + k] == Plus { -1.0 } else { 1.0 } * friction.mu * z[k];
            }
        }
        for k in 2 * contacts..states.len() {
            match states[k] {
                Plus => z[k] = 1.0,
                Minus => z[k] = -1.0,
                Hold => {}
            }
        }
        Some(Step { x, v, z })
    }

    /// Whether an element acts at all: friction does while its contact is closed.
    pub(super) fn acts(&self, states: &[State], element: usize) -> bool {
        let contacts = self.bodies.contacts.len();
        match element.checked_sub(contacts) {
            Some(k) if k < contacts => states[k] == Hold && self.bodies.contacts[k].friction.is_some(),
            _ => true,
        }
    }

    /// The function of an element, and the direction of its force.
    pub(super) fn element(&self, element: usize) -> (Linear, Vec<f64>) {
        let (bodies, contacts) = (self.bodies, self.bodies.contacts.len());
        match element.checked_sub(2 * contacts) {
            Some(k) => (bodies.laws[k].of.clone(), bodies.laws[k].push.clone()),
            None if element < contacts => {
                let gap = &bodies.contacts[element].gap;
                (gap.clone(), gap.q.clone())
            }
            None => {
                let friction = bodies.contacts[element - contacts].friction.as_ref();
                let track = friction.map_or_else(|| vec![0.0; bodies.mass.len()], |friction| friction.track.clone());
                let mut of = Linear::zero(track.len());
                of.v.clone_from(&track);
                of.constant = -friction.map_or(0.0, |friction| friction.belt);
                (of, track)
            }
        }
    }

    /// The elements whose laws a step violates by more than rounding, with the states that they would have; `None` if
    /// there is none.
    pub(super) fn violated(
        &self,
        states: &[State],
        step: &Step,
        time: f64,
        h: f64,
        more: f64,
    ) -> Option<Vec<(usize, State)>> {
        let (bodies, contacts, phase) = (self.bodies, self.bodies.contacts.len(), self.bodies.rate * time);
        let size = self.size();
        let mut list = Vec::new();
        for element in 0..states.len() {
            if !self.acts(states, element)
                || (element >= contacts && element < 2 * contacts && states[element - contacts] != Hold)
            {
                continue;
            }
            let (of, push) = self.element(element);
            // What a multiplier of one does to the function.
            let own: f64 =
                (0..push.len()).map(|j| ((of.v[j] + h * of.q[j]) * h * push[j] / bodies.mass[j]).abs()).sum();
            // Among elements that hold together compliance decides which of them is at the end of its interval;
            // whichever is stays there.
            let moves = of.v.iter().any(|factor| *factor != 0.0);
            let corner =
                element.checked_sub(2 * contacts).is_some_and(|k| matches!(bodies.laws[k].shape, Shape::Corner(..)));
            let rounding = match (corner, moves) {
                (true, _) => CORNER,
                (_, true) => TOUCHED,
                (_, false) => TOUCHED.min(BESIDE * h * h),
            };
            let small = rounding * size + 100.0 * COMPLIANCE * own + more;
            match states[element] {
                Hold => {
                    // What rounding of the function does to the multiplier.
                    let small = COMPLIANCE * size + 16.0 * f64::EPSILON * size / (own / h).min(h);
                    let z = step.z[element];
                    if element < contacts {
                        if z < -small {
                            list.push((element, Plus));
                        }
                        continue;
                    }
                    let (bound, rising) = match element.checked_sub(2 * contacts) {
                        Some(_) => (1.0, Plus),
                        None => {
                            let friction = bodies.contacts[element - contacts].friction.as_ref();
                            (friction.map_or(0.0, |f| f.mu_static) * step.z[element - contacts].max(0.0), Minus)
                        }
                    };
                    if z > bound + small {
                        list.push((element, rising));
                    } else if z < -bound - small {
                        list.push((element, if rising == Plus { Minus } else { Plus }));
                    }
                }
                side => {
                    let value = of.value(&step.x, &step.v, phase) * if side == Plus { 1.0 } else { -1.0 };
                    if value < -small {
                        let other = if side == Plus { Minus } else { Plus };
                        list.push((element, if corner { other } else { Hold }));
                    }
                }
            }
        }
        (!list.is_empty()).then_some(list)
    }
}

/// The solution of linear equations, rows with their right-hand sides last, by elimination with pivots of scaled rows.
pub(super) fn eliminate(rows: &mut [f64], m: usize) -> Option<Vec<f64>> {
    let width = m + 1;
    for i in 0..m {
        let largest = rows[i * width..i * width + m].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        if largest == 0.0 {
            return None;
        }
        rows[i * width..(i + 1) * width].iter_mut().for_each(|x| *x /= largest);
    }
    for k in 0..m {
        let pivot = (k..m).max_by(|&i, &j| rows[i * width + k].abs().total_cmp(&rows[j * width + k].abs()))?;
        if rows[pivot * width + k] == 0.0 {
            return None;
        }
        for j in k..width {
            rows.swap(k * width + j, pivot * width + j);
        }
        for i in k + 1..m {
            let factor = rows[i * width + k] / rows[k * width + k];
            if factor != 0.0 {
                for j in k..width {
                    rows[i * width + j] -= factor * rows[k * width + j];
                }
            }
        }
    }
    let mut solution = vec![0.0; m];
    for k in (0..m).rev() {
        let known: f64 = (k + 1..m).map(|j| rows[k * width + j] * solution[j]).sum();
        solution[k] = (rows[k * width + m] - known) / rows[k * width + k];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
