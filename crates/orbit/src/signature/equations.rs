//! Evaluates the equations of a signature and their Jacobian.

use saltation_continuation::{Problem, evaluate_densely};
use saltation_model::{StateKind, Values};
use saltation_motion::FlowChoice;
use saltation_motion::System;
use saltation_motion::extension::{Completed, Extension, Image, Lost, Slope};
use saltation_numerics::blocks::{BlockMatrix, Pattern};
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;

use crate::phases::is_other;

use super::{FlowTime, Kind, Layout, Signature};

/// Chattering takes no longer than so many periods of the first orbit.
pub(super) const LONGEST_SEQUENCE: f64 = 2.0;

/// An unknown that goes round: an angle, or the phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circle {
    /// The unknown.
    pub unknown: usize,
    /// Its period.
    pub period: f64,
}

/// A chattering sequence that was followed.
#[derive(Debug, Clone)]
struct KnownSequence {
    /// The state at its first impact, and all parameters.
    start: Vec<f64>,
    end: Image,
    completed: Completed,
}

/// The equations of a signature with some free parameters.
#[derive(Debug, Clone)]
pub struct Equations<'s> {
    pub(super) flow: Extension<'s>,
    pub(super) tolerance: f64,
    pub(super) following: Values,
    /// The signature.
    pub(super) signature: Signature,
    pub(super) layout: Layout,
    /// The size of every unknown.
    pub(super) sizes: Vec<f64>,
    pub(super) parameters: Vec<f64>,
    along: Vec<Vec<f64>>,
    /// The values of the free parameters that the flows have.
    bound: Vec<f64>,
    /// What the periods of angles and phase are, and their derivatives by the free parameters.
    pub(super) periods: Vec<Dual<2>>,
    pub(super) jump: Image,
    pub(super) end: Image,
    onto: Image,
    pub(super) gap: Slope,
    pub(super) speed: Slope,
    completed: Completed,
    /// By how much the last sequence of a [`Kind::Accumulation`] misses the end at which the contact force vanishes.
    pub(super) excess: Slope,
    /// For every node the last chattering sequence: its start with the parameters, and its end. A point is evaluated several times.
    sequences: Vec<Option<KnownSequence>>,
    identity: Matrix,
    /// Of every state whether it is discrete: no perturbation changes it.
    pub(super) discrete: Vec<bool>,
    /// For every state that need not close the derivatives of its end by the unknowns, at the last point that was evaluated.
    end_slopes: Vec<(usize, Vec<(usize, f64)>)>,
}

impl<'s> Equations<'s> {
    /// The equations of a signature; `sizes` has an entry for every unknown, those of the free parameters last.
    pub fn new(
        system: &'s System,
        following: Values,
        signature: Signature,
        sizes: Vec<f64>,
        (tolerance, choice): (f64, FlowChoice),
    ) -> Equations<'s> {
        let states = system.state_names().len();
        let free = following.free().len();
        let image = Image::new(states, free);
        Equations {
            flow: Extension::new(system, tolerance, choice),
            tolerance,
            layout: signature.layout(states),
            following,
            signature,
            sizes,
            parameters: Vec::new(),
            along: vec![Vec::new(); free],
            bound: Vec::new(),
            periods: Vec::new(),
            jump: image.clone(),
            end: image.clone(),
            onto: image,
            gap: Slope::default(),
            speed: Slope::default(),
            completed: Completed::default(),
            excess: Slope::default(),
            sequences: Vec::new(),
            end_slopes: Vec::new(),
            identity: Matrix::from_fn(states, states + free, |i, j| f64::from(i == j)),
            discrete: system.model().states.iter().map(|state| state.kind == StateKind::Discrete).collect(),
        }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.flow.system()
    }

    /// The signature.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Where the unknowns stand.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// A row of unknowns, or of what belongs to them, without the entries of waypoints.
    pub fn without_waypoints(&self, row: &[f64]) -> Vec<f64> {
        self.layout.without_waypoints(&self.signature, row)
    }

    /// The free parameters and what follows them.
    pub fn following(&self) -> &Values {
        &self.following
    }

    /// The size of every unknown.
    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    /// Replaces the sizes of the unknowns.
    pub fn set_sizes(&mut self, sizes: Vec<f64>) {
        self.sizes = sizes;
    }

    /// Moves the plane of node `node` so that it passes through the state there, across the motion.
    pub fn turn_plane(&mut self, node: usize, unknowns: &[f64]) {
        self.bind(unknowns);
        let states = self.layout.states;
        let at = self.layout.nodes[node];
        let state = &unknowns[at..at + states];
        let before = self.signature.nodes[node].before;
        let mut rate = vec![0.0; states];
        self.flow.rate(before, state, &mut rate);
        // A plane on which shifts of what drifts lie.
        self.signature.held.iter().for_each(|(i, _)| rate[*i] = 0.0);
        let normal = plane_normal(&rate, &self.sizes[at..at + states]);
        if let Kind::Plane { normal: old, point } = &mut self.signature.nodes[node].kind {
            *old = normal;
            point.copy_from_slice(state);
        }
    }

    /// The values of all parameters.
    pub fn parameters(&mut self, unknowns: &[f64]) -> &[f64] {
        self.bind(unknowns);
        &self.parameters
    }

    /// By how much the turns of the signature advance every angle and the phase, and by how much states drift that need not close: x_(N+1) - S x_1.
    pub fn turn_lengths(&mut self, unknowns: &[f64]) -> Vec<f64> {
        self.bind(unknowns);
        let turns = self.signature.advances();
        let mut lengths: Vec<f64> =
            turns.iter().zip(&self.periods).map(|(turns, period)| turns * period.value).collect();
        let sign = |i: usize| self.signature.mirror.as_ref().map_or(1.0, |mirror| mirror.signs[i]);
        let signs: Vec<f64> = (0..lengths.len()).map(sign).collect();
        if let Ok(end) = self.end_of_held(unknowns) {
            end.into_iter().for_each(|(i, end)| lengths[i] = end - signs[i] * unknowns[i]);
        }
        lengths
    }

    /// By how much the states that need not close advance in one period.
    ///
    /// # Errors
    /// If a piece of the trajectory has no end.
    pub fn drift(&mut self, unknowns: &[f64]) -> Result<Vec<(usize, f64)>, Lost> {
        let mut ends = self.end_of_held(unknowns)?;
        ends.retain(|(i, _)| !is_other(self.system().model(), *i));
        let halves = |i: usize| self.signature.mirror.as_ref().map_or(1.0, |mirror| 1.0 + mirror.signs[i]);
        Ok(ends.into_iter().map(|(i, end)| (i, halves(i) * (end - unknowns[i]))).collect())
    }

    /// The change of the end of every state that need not close, along a direction of the unknowns, at the point that was evaluated last.
    pub fn end_changes(&self, direction: &[f64]) -> Vec<(usize, f64)> {
        let change = |slopes: &[(usize, f64)]| {
            slopes
                .iter()
                .filter(|(column, _)| *column < direction.len())
                .map(|&(column, slope)| slope * direction[column])
                .sum()
        };
        self.end_slopes.iter().map(|(i, slopes)| (*i, change(slopes))).collect()
    }

    /// Where the states that need not close arrive at the end of the last flow.
    fn end_of_held(&mut self, unknowns: &[f64]) -> Result<Vec<(usize, f64)>, Lost> {
        let held: Vec<usize> = self.signature.held.iter().map(|(i, _)| *i).collect();
        if held.is_empty() {
            return Ok(Vec::new());
        }
        let last = self.signature.nodes.len() - 1;
        let mut image = Image::new(self.layout.states, self.along.len());
        let end = self.along(last, unknowns, self.layout.duration(last, unknowns), &mut image)?;
        Ok(held.into_iter().map(|i| (i, end[i])).collect())
    }

    /// Gives the flows the parameters of these unknowns.
    pub(super) fn bind(&mut self, unknowns: &[f64]) {
        let values = &unknowns[self.layout.parameters..];
        if !self.periods.is_empty() && self.bound == values {
            return;
        }
        self.bound.clear();
        self.bound.extend_from_slice(values);
        let free: Vec<Dual<2>> = values.iter().enumerate().map(|(k, &value)| Dual::variable(value, k)).collect();
        let mut numbers = Vec::new();
        self.following.parameters_at(&free, &mut numbers);
        self.parameters.clear();
        self.parameters.extend(numbers.iter().map(|p| p.value));
        for (k, row) in self.along.iter_mut().enumerate() {
            row.clear();
            row.extend(numbers.iter().map(|p| p.tangent[k]));
        }
        self.flow.bind(&self.parameters, &self.along);
        self.periods = self.following.angle_periods_at(&numbers);
    }

    /// Evaluates the jump of a node into `self.jump`; how long it takes is `self.completed.duration`.
    pub(super) fn jump(&mut self, node: usize, state: &[f64]) -> Result<(), Lost> {
        let before = self.signature.nodes[node].before;
        self.completed.duration = 0.0;
        let together = !self.signature.nodes[node].collisions.is_empty();
        match self.signature.nodes[node].kind {
            Kind::Impact { .. } | Kind::Release { .. } | Kind::Turn { .. } if together => {
                self.flow.collide(&self.signature.nodes[node].collisions, state, &mut self.jump);
            }
            Kind::Impact { contact } => {
                self.flow.strike(contact, state, &mut self.jump);
            }
            Kind::Reset { ref resets, .. } => self.flow.reset(resets, state, &mut self.jump),
            Kind::Wrap => {
                let (last, period) = (state.len() - 1, self.periods[state.len() - 1]);
                self.jump.state.copy_from_slice(state);
                self.jump.state[last] -= period.value;
                self.jump.derivative.entries_mut().copy_from_slice(self.identity.entries());
                for k in 0..self.along.len() {
                    self.jump.derivative[(last, state.len() + k)] -= period.tangent[k];
                }
            }
            Kind::Chatter { contact } => {
                let known = [state, &self.parameters].concat();
                self.sequences.resize(self.signature.nodes.len(), None);
                if let Some(sequence) = &self.sequences[node]
                    && sequence.start == known
                {
                    self.jump.clone_from(&sequence.end);
                    self.completed.clone_from(&sequence.completed);
                    return Ok(());
                }
                let longest = LONGEST_SEQUENCE * self.sizes[self.layout.time(node)];
                let start = (state, longest, self.signature.nodes[node].collisions.first());
                self.flow.complete_chattering(contact, before, start, &mut self.jump, &mut self.completed)?;
                let (end, completed) = (self.jump.clone(), self.completed.clone());
                self.sequences[node] = Some(KnownSequence { start: known, end, completed });
            }
            Kind::Accumulation { contact, impacts } => {
                let longest = LONGEST_SEQUENCE * self.sizes[self.layout.time(node)];
                let start = (state, longest, self.signature.nodes[node].collisions.first());
                let (jump, completed) = (&mut self.jump, &mut self.completed);
                self.excess = self.flow.accumulate((contact, before), start, impacts, jump, completed)?;
            }
            _ => {
                self.jump.state.copy_from_slice(state);
                self.jump.derivative.entries_mut().copy_from_slice(self.identity.entries());
            }
        }
        Ok(())
    }

    /// The state after the jump of the last node that was evaluated, and how long the jump took.
    pub(super) fn jumped(&self) -> (&[f64], &Completed) {
        (&self.jump.state, &self.completed)
    }

    /// The value of the condition of a node, with its derivatives by the state and the free parameters.
    pub(super) fn condition(&mut self, node: usize, state: &[f64]) -> (f64, &[f64]) {
        let free = self.along.len();
        let before = self.signature.nodes[node].before;
        match &self.signature.nodes[node].kind {
            Kind::Impact { contact } | Kind::Chatter { contact } | Kind::Accumulation { contact, .. } => {
                self.flow.surface(*contact, state, &mut self.gap, &mut self.speed);
            }
            Kind::Minimum { contact } => {
                self.flow.surface(*contact, state, &mut self.speed, &mut self.gap);
            }
            Kind::Release { contact } => {
                self.flow.force(before, *contact, state, &mut self.gap);
            }
            Kind::Reset { contact, bound, .. } => {
                self.flow.bound(before, (*contact, *bound), state, &mut self.gap);
            }
            Kind::Turn { contact, bound } => {
                self.flow.bound(before, (*contact, *bound), state, &mut self.gap);
            }
            Kind::Wrap => {
                let last = state.len() - 1;
                let period = self.periods[last];
                self.gap.value = state[last] - period.value;
                self.gap.gradient.clear();
                self.gap.gradient.resize(state.len(), 0.0);
                self.gap.gradient[last] = 1.0;
                self.gap.gradient.extend((0..free).map(|k| -period.tangent[k]));
            }
            Kind::Phase { value } => {
                let last = state.len() - 1;
                self.gap.value = state[last] - value;
                self.gap.gradient.clear();
                self.gap.gradient.resize(state.len() + free, 0.0);
                self.gap.gradient[last] = 1.0;
            }
            Kind::Plane { normal, point } => {
                self.gap.value = normal.iter().zip(state).zip(point).map(|((n, x), p)| n * (x - p)).sum();
                self.gap.gradient.clear();
                self.gap.gradient.extend_from_slice(normal);
                self.gap.gradient.resize(state.len() + free, 0.0);
            }
            Kind::Waypoint => {}
        }
        (self.gap.value, &self.gap.gradient)
    }

    /// The unknowns that occur in the equations of every node: its own, its time, those of the next node and the free parameters.
    pub fn pattern(&self) -> Pattern {
        let Layout { states, ref nodes, ref times, parameters } = self.layout;
        let unknowns = parameters + self.along.len();
        let blocks = nodes.iter().enumerate().map(|(k, &at)| {
            let next = nodes[(k + 1) % nodes.len()];
            let own = (at..at + states).chain([times[k].unknown]).chain(next..next + states);
            let rows = nodes.get(k + 1).unwrap_or(&parameters) - at;
            (rows, own.chain(parameters..unknowns).collect())
        });
        Pattern::new(unknowns, blocks, 0)
    }

    /// The residuals and their derivatives: for every node the closing of the flow that leaves it, then its condition.
    ///
    /// # Errors
    /// If a piece of motion has no end.
    pub fn evaluate(&mut self, unknowns: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Lost> {
        self.bind(unknowns);
        self.keep_pace(unknowns)?;
        jacobian.clear();
        let states = self.layout.states;
        let free = self.along.len();
        let last = self.signature.nodes.len() - 1;
        let first_parameter = self.layout.parameters;
        let advances = self.signature.advances();
        self.end_slopes.clear();
        for node in 0..=last {
            let at = self.layout.nodes[node];
            let FlowTime { unknown: time, parts } = self.layout.times[node];
            let state = &unknowns[at..at + states];
            self.jump(node, state)?;
            let closed = self.signature.nodes[node].after;
            let share = 1.0 / parts as f64;
            self.flow.flow(closed, &self.jump.state, unknowns[time] * share, &mut self.end)?;
            if self.flow.system().keeps(closed) {
                // Truncation moves the state off the surfaces of the closed contacts, and off the constraints.
                self.flow.project(closed, &self.end.state, &mut self.onto);
                compose(&self.onto, &mut self.end, states, free);
            }
            let after = &self.jump.derivative;
            for i in (0..states).filter(|&i| !self.discrete[i]) {
                // Of a state that need not close the row is another one, and its slopes are kept.
                let drifts = node == last && self.signature.drifts(i);
                let mut slopes = Vec::new();
                let mut put = |column: usize, entry: f64| match drifts {
                    true => slopes.push((column, entry)),
                    false => jacobian[(at + i, column)] += entry,
                };
                for j in 0..states + free {
                    let own = if j < states { 0.0 } else { self.end.derivative[(i, j)] };
                    let entry = (0..states).fold(own, |sum, l| sum + self.end.derivative[(i, l)] * after[(l, j)]);
                    put(if j < states { at + j } else { first_parameter + j - states }, entry);
                }
                put(time, self.end.rate[i] * share);
                if drifts {
                    self.end_slopes.push((i, slopes));
                }
            }
            // The end of the flow less the state at the next node.
            if node < last {
                let next = self.layout.nodes[node + 1];
                for i in 0..states {
                    residual[at + i] = self.end.state[i] - unknowns[next + i];
                    jacobian[(at + i, next + i)] -= 1.0;
                }
            } else {
                for &(i, value) in &self.signature.held {
                    residual[at + i] = unknowns[i] - value;
                    jacobian[(at + i, i)] = 1.0;
                    if let Some((phase, pace)) = self.pace(i) {
                        residual[at + i] -= pace.value * unknowns[phase];
                        jacobian[(at + i, phase)] = -pace.value;
                        for k in 0..free {
                            jacobian[(at + i, first_parameter + k)] = -pace.tangent[k] * unknowns[phase];
                        }
                    }
                }
                for i in (0..states).filter(|&i| !self.signature.drifts(i)) {
                    let sign = self.signature.mirror.as_ref().map_or(1.0, |mirror| mirror.signs[i]);
                    let turns = advances[i];
                    residual[at + i] = self.end.state[i] - sign * unknowns[i] - turns * self.periods[i].value;
                    jacobian[(at + i, i)] -= sign;
                    for k in 0..free {
                        jacobian[(at + i, first_parameter + k)] -= turns * self.periods[i].tangent[k];
                    }
                }
            }
            if self.signature.nodes[node].kind != Kind::Waypoint {
                let row = at + states;
                let (value, gradient) = self.condition(node, &unknowns[at..at + states]);
                residual[row] = value;
                for (j, slope) in gradient.iter().enumerate() {
                    let column = if j < states { at + j } else { first_parameter + j - states };
                    jacobian[(row, column)] = *slope;
                }
            }
        }
        Ok(())
    }

    /// The change of the Jacobian that replaces the closing x_(N+1) = S x_1 by x_(N+1) = sigma S x_1: the equations of perturbations that
    /// return multiplied by sigma. Rows and columns (i, i) with their entries; those of states that need not close stay.
    pub fn closing(&self, sigma: f64) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let at = *self.layout.nodes.last().unwrap_or(&0);
        (0..self.layout.states).filter(|&i| !self.signature.drifts(i)).map(move |i| {
            let sign = self.signature.mirror.as_ref().map_or(1.0, |mirror| mirror.signs[i]);
            (at + i, i, (1.0 - sigma) * sign)
        })
    }

    /// By how much perturbations grow on the flow after a node, in units of the sizes of the states.
    ///
    /// # Errors
    /// If the flow has no end.
    pub fn growth(&mut self, node: usize, unknowns: &[f64], image: &mut Image) -> Result<f64, Lost> {
        self.along(node, unknowns, self.layout.duration(node, unknowns), image)?;
        let states = self.layout.states;
        let size = |i: usize| self.sizes[i];
        let entries = (0..states).flat_map(|i| (0..states).map(move |j| (i, j)));
        Ok(entries.map(|(i, j)| (image.derivative[(i, j)] * size(j) / size(i)).abs()).fold(0.0, f64::max))
    }

    /// The state so long after the jump of a node.
    ///
    /// # Errors
    /// If the flow has no end.
    pub fn along(&mut self, node: usize, unknowns: &[f64], time: f64, image: &mut Image) -> Result<Vec<f64>, Lost> {
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        self.jump(node, &unknowns[at..at + self.layout.states])?;
        let closed = self.signature.nodes[node].after;
        self.flow.flow(closed, &self.jump.state, time, image)?;
        Ok(image.state.clone())
    }

    /// The positions of unknowns that go round, angles and the phase at every node, with their periods.
    pub fn circles(&mut self, unknowns: &[f64]) -> Vec<Circle> {
        self.bind(unknowns);
        let around = self.periods.iter().enumerate().filter(|(_, period)| period.value > 0.0);
        let around: Vec<(usize, f64)> = around.map(|(i, period)| (i, period.value)).collect();
        self.layout
            .nodes
            .iter()
            .flat_map(|&at| around.iter().map(move |&(i, period)| Circle { unknown: at + i, period }))
            .collect()
    }

    /// The period of every state that goes round, 0 for others.
    pub fn state_periods(&mut self, unknowns: &[f64]) -> Vec<f64> {
        self.bind(unknowns);
        self.periods.iter().map(|period| period.value).collect()
    }

    /// The period of a section by formula, if that goes round.
    pub fn section_period(&self, section: usize) -> Option<f64> {
        self.flow.section_period(section)
    }

    /// The planes that the motion crosses at an angle whose cosine with their normal is below a bound.
    pub fn askew(&mut self, unknowns: &[f64], bound: f64) -> Vec<usize> {
        let states = self.layout.states;
        let planes: Vec<usize> = (0..self.signature.nodes.len())
            .filter(|&k| matches!(self.signature.nodes[k].kind, Kind::Plane { .. }))
            .collect();
        if planes.is_empty() {
            return planes;
        }
        self.bind(unknowns);
        let mut rate = vec![0.0; states];
        let across = |&k: &usize| {
            let at = self.layout.nodes[k];
            self.flow.rate(self.signature.nodes[k].before, &unknowns[at..at + states], &mut rate);
            let Kind::Plane { normal, .. } = &self.signature.nodes[k].kind else { return false };
            let sizes = &self.sizes[at..at + states];
            let dot: f64 = normal.iter().zip(&rate).map(|(n, f)| n * f).sum();
            let speed = rate.iter().zip(sizes).map(|(f, s)| (f / s).powi(2)).sum::<f64>().sqrt();
            let steep = normal.iter().zip(sizes).map(|(n, s)| (n * s).powi(2)).sum::<f64>().sqrt();
            dot < bound * speed * steep
        };
        planes.into_iter().filter(across).collect()
    }

    /// The time of one period: that of the turns of the phase, else of flows and chattering; twice that of half an orbit.
    ///
    /// # Errors
    /// If a chattering sequence has no end.
    pub fn period(&mut self, unknowns: &[f64]) -> Result<f64, Lost> {
        self.bind(unknowns);
        let halves = if self.signature.mirror.is_some() { 2.0 } else { 1.0 };
        if let Some(phase) = self.system().model().phase.as_ref().map(|phase| phase.state)
            && self.signature.turns[phase] != 0.0
        {
            // The phase determines the period exactly; the ends of sequences are known less well.
            let mut rate = vec![0.0; self.layout.states];
            self.flow.rate(self.signature.nodes[0].before, &unknowns[..self.layout.states], &mut rate);
            return Ok(halves * self.signature.turns[phase] * self.periods[phase].value / rate[phase]);
        }
        let mut period = 0.0;
        for node in 0..self.signature.nodes.len() {
            let at = self.layout.nodes[node];
            period += self.layout.duration(node, unknowns);
            if matches!(self.signature.nodes[node].kind, Kind::Chatter { .. } | Kind::Accumulation { .. }) {
                self.jump(node, &unknowns[at..at + self.layout.states])?;
                period += self.completed.duration;
            }
        }
        Ok(halves * period)
    }
}

impl Problem for Equations<'_> {
    type Failure = Lost;

    fn unknowns(&self) -> usize {
        self.layout.parameters + self.along.len()
    }

    fn equations(&self) -> usize {
        self.layout.parameters
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Lost> {
        evaluate_densely(self, u, residual, jacobian)
    }

    fn pattern(&self) -> Pattern {
        Equations::pattern(self)
    }

    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Lost> {
        Equations::evaluate(self, u, residual, jacobian)
    }
}

/// Composes two maps with their derivatives by the chain rule: `image` becomes that of `after` applied to it.
fn compose(after: &Image, image: &mut Image, states: usize, free: usize) {
    let before = image.derivative.clone();
    for i in 0..states {
        for j in 0..states + free {
            let own = if j < states { 0.0 } else { after.derivative[(i, j)] };
            image.derivative[(i, j)] = (0..states).fold(own, |sum, l| sum + after.derivative[(i, l)] * before[(l, j)]);
        }
    }
    image.state.copy_from_slice(&after.state);
}

/// The normal of a plane across a motion: its rate in units of the sizes, as a form on states.
pub(crate) fn plane_normal(rate: &[f64], sizes: &[f64]) -> Vec<f64> {
    let scaled = || rate.iter().zip(sizes).map(|(f, s)| f / s);
    let length = scaled().map(|f| f * f).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    rate.iter().zip(sizes).map(|(f, s)| f / (s * s * length)).collect()
}
