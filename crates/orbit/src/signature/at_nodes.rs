//! Evaluates quantities at single nodes of a solution: speeds, gaps and forces with their derivatives, and how long contact lasts.

use saltation_motion::Bound;
use saltation_motion::extension::{Lost, Slope};
use saltation_motion::{ClosedSet, EventKind, Happening, Motion, Settings, Slip};

use super::defining::BoundAfter;
use super::equations::LONGEST_SEQUENCE;
use super::inspect::SPEED_ROUNDING;
use super::{Equations, FlowTime, ImpactSpeed, Kind, Node, Site};

/// Terms are known to so many units in their last place.
const TERM_UNITS: f64 = 64.0;
/// A motion that is asked whether it comes back, or passes a section, makes so many steps and events at most in a period.
const MOST_HAPPENINGS: usize = 100_000;

/// An impact of a chattering sequence that approaches one at which the contact force vanishes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Approach {
    /// By how much the ratio of its acceleration to the one before differs from that of a lost contact.
    pub ratio_excess: f64,
}

impl Equations<'_> {
    /// The opening speed of the contact of a node, and its derivatives by all unknowns.
    pub fn speed_at(&mut self, node: usize, unknowns: &[f64], gradient: &mut [f64]) -> f64 {
        let Some(contact) = self.signature.nodes[node].kind.contact() else { return f64::NAN };
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        self.flow.surface(contact, &unknowns[at..at + self.layout.states], &mut self.gap, &mut self.speed);
        self.spread(node, false, gradient)
    }

    /// The gap of the contact of a node, and its derivatives by all unknowns.
    pub fn gap_at(&mut self, node: usize, unknowns: &[f64], gradient: &mut [f64]) -> f64 {
        let Some(contact) = self.signature.nodes[node].kind.contact() else { return f64::NAN };
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        self.flow.surface(contact, &unknowns[at..at + self.layout.states], &mut self.gap, &mut self.speed);
        self.spread(node, true, gradient)
    }

    /// The rate of change of the bound that is reached at a node, the contact force of a release, and its derivatives by all unknowns.
    pub fn bound_rate_at(&mut self, node: usize, unknowns: &[f64], gradient: &mut [f64]) -> f64 {
        let bound = match self.signature.nodes[node].kind {
            Kind::Release { contact } => (contact, Bound::Force),
            Kind::Turn { contact, bound } => (contact, bound),
            _ => return f64::NAN,
        };
        self.bind(unknowns);
        let (at, before) = (self.layout.nodes[node], self.signature.nodes[node].before);
        self.flow.bound_rate(before, bound, &unknowns[at..at + self.layout.states], &mut self.gap);
        self.spread(node, true, gradient)
    }

    /// The value with which a bound of a contact begins in a mode after the jump of a node, and its derivatives by all unknowns.
    ///
    /// # Errors
    /// If the jump has no end.
    pub(crate) fn bound_after(
        &mut self,
        BoundAfter { node, mode, contact, bound }: BoundAfter,
        unknowns: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, Lost> {
        self.bind(unknowns);
        let (at, states) = (self.layout.nodes[node], self.layout.states);
        self.jump(node, &unknowns[at..at + states])?;
        self.flow.bound(mode, (contact, bound), &self.jump.state, &mut self.gap);
        let (after, own) = (&self.jump.derivative, &self.gap.gradient);
        let through = |k: usize| (0..states).map(|i| own[i] * after[(i, k)]).sum::<f64>();
        let direct = |k: usize| if k < states { 0.0 } else { own[k] };
        let total = (0..own.len()).map(|k| direct(k) + through(k)).collect();
        let slope = Slope { value: self.gap.value, gradient: total };
        Ok(self.write(&slope, node, gradient))
    }

    /// By how much the sequence of a [`Kind::Accumulation`] misses the end at which the contact force vanishes, and its derivatives by all unknowns.
    ///
    /// # Errors
    /// If the sequence has no such end.
    pub fn excess_at(&mut self, node: usize, unknowns: &[f64], gradient: &mut [f64]) -> Result<f64, Lost> {
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        self.jump(node, &unknowns[at..at + self.layout.states])?;
        Ok(self.write(&self.excess, node, gradient))
    }

    /// How the impacts of the chattering sequence of a node approach one at which the contact force vanishes, one entry per impact, until the acceleration has
    /// fallen to the part `smallest` of the largest.
    ///
    /// # Errors
    /// If the sequence does not begin.
    pub(crate) fn approach(&mut self, node: usize, unknowns: &[f64], smallest: f64) -> Result<Vec<Approach>, Lost> {
        let Some(contact) = self.signature.nodes[node].kind.contact() else { return Ok(Vec::new()) };
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        let longest = LONGEST_SEQUENCE * self.sizes[self.layout.time(node)];
        let collision = self.signature.nodes[node].collisions.first();
        let start = (&unknowns[at..at + self.layout.states], longest, collision);
        let impacts = self.flow.approach((contact, self.signature.nodes[node].before), start, smallest)?;
        Ok(impacts.into_iter().map(|(_, ratio_excess)| Approach { ratio_excess }).collect())
    }

    /// The bound of a contact that the trajectory touches at a place between events: the one nearest to zero there, relative to the size of its terms.
    pub(crate) fn touched(&mut self, contact: usize, site: &Site, unknowns: &[f64]) -> Option<Bound> {
        self.bind(unknowns);
        let mode = self.signature.nodes[site.node].after;
        let sizes = &self.sizes[..self.layout.states];
        let mut relative = |bound: Bound| {
            self.flow.bound(mode, (contact, bound), &site.state, &mut self.gap);
            let terms: f64 = self.gap.gradient.iter().zip(sizes).map(|(slope, size)| (slope * size).abs()).sum();
            (self.gap.value / terms).abs()
        };
        let known = Bound::ALL.map(|bound| (bound, relative(bound)));
        let finite = known.into_iter().filter(|(_, part)| part.is_finite());
        finite.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bound, _)| bound)
    }

    /// The rate of the edge of a stick that is nearest to zero after a node.
    pub(crate) fn edge_rate(&mut self, node: usize, contact: usize, unknowns: &[f64]) -> Option<f64> {
        let state = self.after(node, unknowns).ok()?;
        let mode = self.signature.nodes[node].after;
        let mut edge = |slip: Slip| {
            let rate = self.flow.bound(mode, (contact, Bound::Cone(slip)), &state, &mut self.gap);
            (self.gap.value.abs(), rate)
        };
        let [a, b] = Slip::BOTH.map(&mut edge);
        let (distance, rate) = if a.0 <= b.0 { a } else { b };
        distance.is_finite().then_some(rate)
    }

    /// What a gap may be off by at a state because its terms are known to rounding.
    pub(super) fn gap_rounding(&mut self, contact: usize, state: &[f64]) -> f64 {
        self.flow.surface(contact, state, &mut self.gap, &mut self.speed);
        self.rounding()
    }

    /// What the force of a closed contact may be off by at a state because its terms are known to rounding.
    pub(super) fn force_rounding(&mut self, mode: ClosedSet, contact: usize, state: &[f64]) -> f64 {
        self.flow.force(mode, contact, state, &mut self.gap);
        self.rounding()
    }

    /// What the opening acceleration of a contact may be off by at a state because its terms are known to rounding.
    pub(super) fn acceleration_rounding(&mut self, mode: ClosedSet, contact: usize, state: &[f64]) -> f64 {
        let [_, acceleration, _] = self.flow.opening(mode, contact, state);
        self.gap = acceleration;
        self.rounding()
    }

    /// What the bounds of a contact may be off by at a state, in the order of [`Bound::ALL`]; 0 for those that do not exist.
    pub(super) fn bound_rounding(&mut self, mode: ClosedSet, contact: usize, state: &[f64]) -> [f64; 5] {
        let switches = ClosedSet::switch(contact).is_some();
        if !(self.system().is_coupled() || switches) || !mode.contains(contact) {
            return [0.0; 5];
        }
        Bound::ALL.map(|bound| {
            self.flow.bound(mode, (contact, bound), state, &mut self.gap);
            Some(self.rounding()).filter(|size| size.is_finite()).unwrap_or(0.0)
        })
    }

    /// The rounding of the terms of what was evaluated last.
    fn rounding(&self) -> f64 {
        let terms = self.gap.gradient.iter().zip(&self.sizes[..self.layout.states]);
        TERM_UNITS * f64::EPSILON * terms.map(|(slope, size)| (slope * size).abs()).sum::<f64>()
    }

    /// The state after the jump of a node.
    ///
    /// # Errors
    /// If the jump has no end.
    pub(crate) fn after(&mut self, node: usize, unknowns: &[f64]) -> Result<Vec<f64>, Lost> {
        self.bind(unknowns);
        let at = self.layout.nodes[node];
        self.jump(node, &unknowns[at..at + self.layout.states])?;
        Ok(self.jump.state.clone())
    }

    /// Whether the impact of a node leaves nothing but rounding of its speed.
    pub(crate) fn is_plastic(&mut self, node: usize, unknowns: &[f64]) -> bool {
        let Ok(after) = self.after(node, unknowns) else { return false };
        let speeds = self.speeds(unknowns);
        let impact = speeds.iter().find(|impact| impact.node == node);
        impact.is_some_and(|impact| self.leaves_no_speed(impact, &after))
    }

    /// Whether an impact leaves nothing but rounding of its speed, at the state after it.
    pub(super) fn leaves_no_speed(&mut self, impact: &ImpactSpeed, after: &[f64]) -> bool {
        self.flow.surface(impact.contact, after, &mut self.gap, &mut self.speed);
        self.speed.value.abs() <= SPEED_ROUNDING * (impact.speed.abs() + impact.size)
    }

    /// Writes the gradient of a gap or speed by state and free parameters into the places of a node.
    fn spread(&self, node: usize, of_gap: bool, gradient: &mut [f64]) -> f64 {
        self.write(if of_gap { &self.gap } else { &self.speed }, node, gradient)
    }

    /// Writes a gradient by state and free parameters into the places of a node.
    fn write(&self, slope: &Slope, node: usize, gradient: &mut [f64]) -> f64 {
        let (at, states) = (self.layout.nodes[node], self.layout.states);
        gradient.fill(0.0);
        gradient[at..at + states].copy_from_slice(&slope.gradient[..states]);
        let free = &slope.gradient[states..];
        gradient[self.layout.parameters..self.layout.parameters + free.len()].copy_from_slice(free);
        slope.value
    }

    /// The state after an impact of a contact at a state.
    pub fn struck(&mut self, contact: usize, unknowns: &[f64], state: &[f64]) -> Vec<f64> {
        self.bind(unknowns);
        let mut after = self.jump.clone();
        self.flow.strike(contact, state, &mut after);
        after.state
    }

    /// The speed with which the motion crosses the plane that an orbit without events begins on, if it does: zero where the orbit
    /// shrinks to an equilibrium.
    pub fn crossing_speed(&mut self, unknowns: &[f64]) -> Option<f64> {
        self.bind(unknowns);
        let Kind::Plane { normal, .. } = &self.signature.nodes[0].kind else { return None };
        let states = self.layout.states;
        let mut rate = vec![0.0; states];
        self.flow.rate(self.signature.nodes[0].before, &unknowns[..states], &mut rate);
        Some(normal.iter().zip(&rate).map(|(n, f)| n * f).sum())
    }

    /// How long the contact lasts that begins at a node: until its release, not counting the chattering before it. `None` if none
    /// begins there.
    pub fn stick(&self, node: usize, unknowns: &[f64]) -> Option<f64> {
        let nodes = &self.signature.nodes;
        let contact = match nodes[node].kind {
            Kind::Chatter { contact } => contact,
            Kind::Impact { contact } if nodes[node].after.contains(contact) => contact,
            _ => return None,
        };
        let mut time = 0.0;
        for k in 0..nodes.len() {
            let at = (node + k) % nodes.len();
            if k > 0 && nodes[at].kind == (Kind::Release { contact }) {
                return Some(time);
            }
            if nodes[at].kind != Kind::Waypoint {
                time += unknowns[self.layout.time(at)];
            }
        }
        Some(time)
    }

    /// Where the motion of an orbit next passes a section, begun in the middle of its longest flight: for passages that lie within a
    /// chattering sequence. The phase stands at `phase` where a section by it is.
    pub(crate) fn passage_by_motion(&mut self, unknowns: &[f64], section: usize, phase: f64) -> Option<Vec<f64>> {
        self.bind(unknowns);
        let time = |node: usize| unknowns[self.layout.time(node)];
        let node = (0..self.layout.nodes.len()).max_by(|&a, &b| time(a).total_cmp(&time(b)))?;
        let FlowTime { unknown, parts } = self.layout.times[node];
        let mut image = self.end.clone();
        let state = self.along(node, unknowns, 0.5 * unknowns[unknown] / parts as f64, &mut image).ok()?;
        let mut start = state.clone();
        if let Some(at) = self.system().model().phase.as_ref().map(|phase| phase.state) {
            start[at] = phase;
        }
        let values = self.following.with_start(&start).with_parameters(&self.parameters);
        let closed = self.signature.nodes[node].after;
        let tolerance = self.tolerance;
        let settings = Settings { tolerance, returns: Some((section, 1)), ..Settings::default() };
        let mut motion =
            Motion::resting_on(self.system(), &values, settings, &[], ClosedSet::NONE).ok()?.without_path();
        // Without sequences, whose times are no unknowns, the times of the orbit say how long it may last.
        let is_sequence = |node: &Node| matches!(node.kind, Kind::Chatter { .. } | Kind::Accumulation { .. });
        let longest = match self.signature.nodes.iter().any(is_sequence) {
            true => self.sizes[unknown],
            false => self.layout.times.iter().map(|time| unknowns[time.unknown].abs()).sum(),
        };
        motion.restart(&state, closed, (LONGEST_SEQUENCE * longest, Some((section, 1))), &[]).ok()?;
        let ended = (0..MOST_HAPPENINGS).find_map(|_| match motion.advance() {
            Happening::Ended(ended) => Some(ended.name() == "returned" || ended.is_complete()),
            _ => None,
        });
        (ended == Some(true) && motion.returns(section) > 0).then(|| motion.state().to_vec())
    }

    /// Whether a motion begun in the middle of the longest flight of an orbit comes back after its period: where several frictions hold one motion together, their forces are one choice of many, and
    /// one that does not obey the laws says nothing of the others. It strikes with the speeds of the orbit: where stops without rebound forget what comes before, another motion comes back, too.
    /// All to `within` of the sizes of states.
    pub(crate) fn comes_back(&mut self, unknowns: &[f64], speeds: &[ImpactSpeed], within: f64) -> bool {
        if self.signature.mirror.is_some() {
            return false;
        }
        let (Ok(period), Ok(drift)) = (self.period(unknowns), self.drift(unknowns)) else { return false };
        self.bind(unknowns);
        let time = |node: usize| self.layout.duration(node, unknowns);
        let Some(node) = (0..self.layout.nodes.len()).max_by(|&a, &b| time(a).total_cmp(&time(b))) else {
            return false;
        };
        let mut image = self.end.clone();
        let half = 0.5 * time(node);
        let Ok(state) = self.along(node, unknowns, half, &mut image) else { return false };
        let values = self.following.with_start(&state).with_parameters(&self.parameters);
        let settings = Settings { tolerance: self.tolerance, ..Settings::default() };
        let Ok(motion) = Motion::resting_on(self.system(), &values, settings, &[], ClosedSet::NONE) else {
            return false;
        };
        let mut motion = motion.without_path();
        let closed = self.signature.nodes[node].after;
        if motion.restart(&state, closed, (period, None), &[]).is_err() {
            return false;
        }
        let mut struck: Vec<(Option<usize>, f64)> = Vec::new();
        let mut impacts: Vec<f64> = Vec::new();
        let complete = (0..MOST_HAPPENINGS).find_map(|_| match motion.advance() {
            Happening::Ended(ended) => Some(ended.is_complete()),
            Happening::Event(event) => {
                struck.push((event.contact, event.speed_before));
                impacts.extend((event.kind == EventKind::Impact).then_some(event.speed_before));
                None
            }
            _ => None,
        });
        let is_struck = |speed: &ImpactSpeed| {
            let mut own = struck.iter().filter(|(contact, _)| *contact == Some(speed.contact));
            own.any(|(_, before)| (before - speed.speed).abs() <= within * speed.size)
        };
        // Other impacts are another orbit, however it ends.
        let fastest = self.sizes.iter().fold(0.0_f64, |most, size| most.max(*size));
        let sequence = |node: &Node| matches!(node.kind, Kind::Chatter { .. } | Kind::Accumulation { .. });
        let more = impacts.iter().filter(|speed| speed.abs() > within * fastest).count() > speeds.len();
        if !speeds.iter().all(is_struck) || more && !self.signature.nodes.iter().any(sequence) {
            return false;
        }
        // What need not close advances by its drift, or goes where it goes.
        let periods = values.angle_periods();
        let closes = |i: usize| {
            let advance = drift.iter().find(|(state, _)| *state == i).map(|(_, advance)| *advance);
            let free =
                periods[i].is_some() || advance.is_none() && self.signature.held.iter().any(|(held, _)| *held == i);
            free || (motion.state()[i] - state[i] - advance.unwrap_or(0.0)).abs() <= within * self.sizes[i]
        };
        complete == Some(true) && (0..state.len()).all(closes)
    }

    /// The opening speeds just before the impacts of one period, in their order; those of half an orbit once.
    pub fn speeds(&mut self, unknowns: &[f64]) -> Vec<ImpactSpeed> {
        self.bind(unknowns);
        let mut speeds = Vec::new();
        for node in 0..self.signature.nodes.len() {
            let (Kind::Impact { contact } | Kind::Chatter { contact } | Kind::Accumulation { contact, .. }) =
                self.signature.nodes[node].kind
            else {
                continue;
            };
            let at = self.layout.nodes[node];
            let state = &unknowns[at..at + self.layout.states];
            self.flow.surface(contact, state, &mut self.gap, &mut self.speed);
            let parts = self.speed.gradient.iter().zip(&self.sizes[at..at + self.layout.states]);
            let size = parts.map(|(slope, size)| (slope * size).abs()).sum();
            speeds.push(ImpactSpeed { node, contact, speed: self.speed.value, size });
        }
        speeds
    }
}
