//! Is a solution an orbit? Every gap and every contact force on the way, by the roots of polynomials and not by samples.

use saltation_model::Direction;
use saltation_motion::Bound;
use saltation_motion::extension::{Lost, Stretch};
use saltation_numerics::polynomial::{self, Crossing, Workspace, real_roots};

use super::{Equations, Kind};

/// A place on an orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// The node it comes after.
    pub node: usize,
    /// The time since the end of that node's jump.
    pub time: f64,
    /// The state there.
    pub state: Vec<f64>,
}

/// The lowest minimum of a gap or a contact force between events.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowest {
    /// The contact.
    pub contact: usize,
    /// The gap or force.
    pub value: f64,
    /// Where.
    pub site: Site,
}

/// A section to be looked out for: where its formula is `offset`, or differs from that by whole periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watched {
    /// The position in [`System::section_names`](saltation_motion::System::section_names).
    pub section: usize,
    /// The value of the formula on it.
    pub offset: f64,
    /// The period of the formula, if it goes round.
    pub period: Option<f64>,
    /// In which direction it is passed.
    pub direction: Direction,
}

impl Watched {
    /// The passages on a step.
    fn passages(&self, row: &[f64], h: f64, workspace: &mut Workspace, mut tell: impl FnMut(f64)) {
        let (start, end) = (row[0] - self.offset, polynomial::evaluate(row, h) - self.offset);
        let mut levels = vec![0.0];
        if let Some(period) = self.period {
            let (low, high) = ((start.min(end) / period).floor() - 1.0, (start.max(end) / period).ceil() + 1.0);
            levels = (0..=(high - low) as usize).map(|k| (low + k as f64) * period).collect();
        }
        let mut moved = row.to_vec();
        for level in levels {
            moved[0] = row[0] - self.offset - level;
            for root in real_roots(&moved, 0.0, h, 0.0, workspace) {
                let wanted = match self.direction {
                    Direction::Rising => root.crossing == Crossing::Rising,
                    Direction::Falling => root.crossing == Crossing::Falling,
                    Direction::Any => root.crossing != Crossing::Touching,
                };
                // The end of a step is the start of the next.
                if wanted && root.at < h {
                    tell(root.at);
                }
            }
        }
    }
}

/// With what a bound begins after a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The node.
    pub node: usize,
    /// The contact.
    pub contact: usize,
    /// The bound; `None` for the laws of a collision that were not used as equations, the least of them relative to its size.
    pub bound: Option<Bound>,
    /// The value.
    pub value: f64,
}

/// What there is to know about the way of a solution.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inspection {
    /// For every contact the lowest minimum of its gap between the nodes.
    pub gaps: Vec<Option<Lowest>>,
    /// For every contact the lowest minimum of its force while it is closed.
    pub forces: Vec<Option<Lowest>>,
    /// The lowest minimum of everything that friction keeps above zero, on the flow after each node.
    pub margins: Vec<(Bound, Lowest)>,
    /// With what contact forces, and what friction keeps above zero, begin after every node, and by how much its collisions obey their laws.
    pub beginnings: Vec<Beginning>,
    /// The opening speed of every impact: node, contact, speed.
    pub speeds: Vec<(usize, usize, f64)>,
    /// The duration of every lasting contact, by the node at which it begins: node, time.
    pub sticks: Vec<(usize, f64)>,
    /// For every release: node, rate of the contact force.
    pub releases: Vec<(usize, f64)>,
    /// The gap at every node that is a minimum of it: node, contact, gap.
    pub touches: Vec<(usize, usize, f64)>,
    /// The time between each event and the next.
    pub durations: Vec<f64>,
    /// The shortest time between events.
    pub shortest: f64,
    /// The passages of the section that was asked for, in order.
    pub passages: Vec<Site>,
    /// Whether it is a motion of the system.
    pub admissible: bool,
    /// A contact whose gap has a minimum below zero, beyond rounding.
    pub sunk: Option<usize>,
    /// A contact whose friction does not obey its laws.
    pub broken: Option<usize>,
}

/// Depths of this fraction of the size of a gap or a force are rounding.
const ROUNDING: f64 = 1e-11;

/// Speeds of this fraction of what they are made of are rounding.
pub(super) const SLOW: f64 = 1e-12;

/// What falls to zero at the next node may miss that by so much of its size.
const AT_END: f64 = 1e-8;

/// A minimum this near to a node that is one, as a fraction of the time between them, is that node.
const AT_NODE: f64 = 1e-6;

/// What a walk looks for.
struct Look<'w> {
    workspace: &'w mut Workspace,
    slope: Vec<f64>,
    /// For every contact the slope of its gap where the last step ended.
    before: Vec<f64>,
}

impl Look<'_> {
    /// The minima of a polynomial on (0, h], the first `vanishing` coefficients being zero.
    fn minima(&mut self, row: &[f64], h: f64, vanishing: usize, mut tell: impl FnMut(f64)) {
        self.slope.clear();
        self.slope.extend(row.iter().enumerate().skip(1.max(vanishing)).map(|(k, c)| k as f64 * c));
        for root in real_roots(&self.slope, 0.0, h, 0.0, self.workspace) {
            if root.crossing != Crossing::Falling && root.at > 0.0 {
                tell(root.at);
            }
        }
    }
}

impl Equations<'_> {
    /// Walks along a solution. `section` is looked out for, if given.
    ///
    /// # Errors
    /// If a piece of it has no end.
    pub fn inspect(
        &mut self,
        unknowns: &[f64],
        section: Option<Watched>,
        workspace: &mut Workspace,
    ) -> Result<Inspection, Lost> {
        self.bind(unknowns);
        let system = self.system();
        let contacts = system.contact_names().len();
        let states = self.layout.states;
        let mut found = Inspection {
            gaps: vec![None; contacts],
            forces: vec![None; contacts],
            shortest: f64::INFINITY,
            admissible: true,
            ..Inspection::default()
        };
        let sized = self.sized_speeds(unknowns);
        found.speeds = sized.iter().map(|&(node, contact, speed, _)| (node, contact, speed)).collect();
        // At the graze itself rounding must not decide.
        found.admissible &= sized.iter().all(|s| s.2 < SLOW * s.3);
        let count = self.signature().nodes.len();
        let mut look = Look { workspace, slope: Vec::new(), before: vec![0.0; contacts] };
        // Whether the node that follows is reached from inside the obstacle.
        let speed_at = |node: usize, speeds: &[(usize, usize, f64)]| speeds.iter().find(|s| s.0 == node).map(|s| s.2);
        for node in 0..count {
            let at = self.layout.nodes[node];
            let state = &unknowns[at..at + states];
            self.jump(node, state)?;
            let (start, completed) = self.jumped();
            let start = start.to_vec();
            if let Kind::Chatter { .. } = self.signature().nodes[node].kind {
                found.admissible &= completed.acceleration < 0.0;
            }
            let (time, parts) = self.layout.times[node];
            let length = unknowns[time] / parts as f64;
            let kind = self.signature().nodes[node].kind.clone();
            if let Kind::Impact { contact } = kind
                && self.signature().nodes[node].after.contains(contact)
            {
                // Only without restitution an impact is the beginning of lasting contact.
                found.admissible &= self.is_plastic(node, unknowns);
                self.jump(node, state)?;
            }
            if let Kind::Impact { contact } = kind
                && let Some(&(.., speed, size)) = sized.iter().find(|known| known.0 == node)
                && speed.abs() <= SLOW * size
            {
                // A touch without speed comes from outside if the gap has a minimum there.
                let flight = self.signature().nodes[node].before;
                // Short flights end with small speeds and press the contact.
                found.admissible &= speed < 0.0 || self.flow.gap_derivatives(flight, contact, state)[2] > 0.0;
            }
            let (before, after) = (self.signature().nodes[node].before, self.signature().nodes[node].after);
            if let Kind::Impact { contact } = kind
                && !after.contains(contact)
                && self.is_plastic(node, unknowns)
            {
                // Without a rebound the contact opens only if its acceleration does.
                let value = self.flow.gap_derivatives(after, contact, &start)[2];
                found.admissible &= value >= -self.acceleration_rounding(after, contact, &start);
                found.beginnings.push(Beginning { node, contact, bound: None, value });
            }
            let next = (node + 1) % count;
            let next_kind = self.signature().nodes[next].kind.clone();
            if kind != Kind::Waypoint {
                found.durations.push(unknowns[time]);
                found.shortest = found.shortest.min(unknowns[time]);
            }
            if let Some(stick) = self.stick(node, unknowns) {
                found.sticks.push((node, stick));
            }
            for collision in &self.signature().nodes[node].collisions.clone() {
                let margin = self.flow.margin(collision, state);
                if margin < -ROUNDING {
                    found.broken = kind.contact();
                }
                found.beginnings.push(Beginning {
                    node,
                    contact: kind.contact().unwrap_or(0),
                    bound: None,
                    value: margin,
                });
            }
            if let Kind::Turn { contact, bound } = kind {
                let mut value = Default::default();
                let rate = self.flow.bound(before, (contact, bound), state, &mut value);
                found.releases.push((node, rate));
                // Where nothing happens the bound is touched only.
                found.admissible &= rate < 0.0 || before == after;
            }
            if let Kind::Release { contact } = kind {
                let mut force = Default::default();
                let rate = self.flow.force(before, contact, state, &mut force);
                found.releases.push((node, rate));
                // Where nothing happens the bound is touched only.
                found.admissible &= rate < 0.0 || before == after;
            }
            if let Kind::Minimum { contact } = kind {
                let value = self.flow.gap_derivatives(after, contact, state)[0];
                let size = state.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                found.admissible &= value >= -ROUNDING * size;
                found.touches.push((node, contact, value));
            }
            if length <= 0.0 {
                // Backward in time: this is no motion.
                found.admissible &= length >= -SLOW * self.sizes()[time];
                continue;
            }
            // What begins or ends with the gap of a contact at zero, and on which side.
            let left = match kind {
                // An impact that leaves no speed leaves none by rounding either.
                Kind::Impact { contact } if self.is_plastic(node, unknowns) => Some((contact, 2)),
                Kind::Impact { contact } => Some((contact, 1)),
                Kind::Release { contact } | Kind::Accumulation { contact, .. } => Some((contact, 3)),
                // Detached at a finite force.
                Kind::Turn { contact, .. } if !after.contains(contact) => Some((contact, 2)),
                _ => None,
            };
            let mut skip_first = match kind {
                Kind::Impact { contact } => speed_at(node, &found.speeds).filter(|v| *v >= 0.0).map(|_| contact),
                _ => None,
            };
            let reached = match next_kind {
                // The other half begins at the mirror image of the first contact.
                Kind::Impact { contact } | Kind::Chatter { contact } | Kind::Accumulation { contact, .. } => {
                    let contact = match &self.signature().mirror {
                        Some(mirror) if next == 0 => mirror.contacts[contact],
                        _ => contact,
                    };
                    speed_at(next, &found.speeds).filter(|v| *v >= 0.0).map(|_| contact)
                }
                _ => None,
            };
            let mut lows: Vec<Vec<Lowest>> = vec![Vec::new(); contacts];
            let mut forces: Vec<Option<Lowest>> = vec![None; contacts];
            let mut sizes = vec![0.0_f64; contacts];
            let mut loads = vec![0.0_f64; contacts];
            let mut first_forces: Vec<(usize, f64)> = Vec::new();
            if kind != Kind::Waypoint {
                // Where a motion jumps, another gap may turn without a smooth minimum.
                for contact in (0..contacts).filter(|c| !before.contains(*c) && !after.contains(*c)) {
                    if kind.contact() == Some(contact) {
                        continue;
                    }
                    let [value, falling, ..] = self.flow.gap_derivatives(before, contact, state);
                    let [_, rising, ..] = self.flow.gap_derivatives(after, contact, &start);
                    let size = state.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                    found.admissible &= value >= -ROUNDING * size;
                    if falling < 0.0 && rising >= 0.0 {
                        let site = Site { node, time: 0.0, state: start.clone() };
                        lows[contact].push(Lowest { contact, value, site });
                    }
                }
            }
            // Where nothing happens nothing begins either, but a minimum may be just there.
            let anchored = matches!(kind, Kind::Phase { .. } | Kind::Plane { .. });
            let depths: Vec<f64> = (0..contacts).map(|contact| self.gap_rounding(contact, &start)).collect();
            let weights: Vec<f64> = (0..contacts)
                .map(|contact| if after.contains(contact) { self.force_rounding(after, contact, &start) } else { 0.0 })
                .collect();
            let slacks: Vec<[f64; 4]> = (0..contacts).map(|c| self.bound_rounding(after, c, &start)).collect();
            let mut broken = found.broken;
            let (passages, margins, beginnings) = (&mut found.passages, &mut found.margins, &mut found.beginnings);
            self.flow.walk(after, &start, length, &mut |step: &Stretch| {
                let site = |since: f64| Site {
                    node,
                    time: step.start + since,
                    state: (0..states).map(|i| polynomial::evaluate(step.state(i), since)).collect(),
                };
                for contact in 0..contacts {
                    if after.contains(contact) {
                        let Some(row) = step.force(contact) else { continue };
                        loads[contact] = loads[contact].max(row[0].abs());
                        if step.start == 0.0 && kind != Kind::Waypoint {
                            // Contact that begins must be pressed together.
                            first_forces.push((contact, row[0]));
                            let bound = Some(Bound::Force);
                            beginnings.extend((!anchored).then_some(Beginning { node, contact, bound, value: row[0] }));
                        }
                        let mut low = |since: f64| {
                            let value = polynomial::evaluate(row, since);
                            if forces[contact].as_ref().is_none_or(|known| value < known.value) {
                                forces[contact] = Some(Lowest { contact, value, site: site(since) });
                            }
                        };
                        if anchored && step.start == 0.0 {
                            low(0.0);
                        }
                        look.minima(row, step.length, 0, &mut low);
                        continue;
                    }
                    let row = step.gap(contact);
                    sizes[contact] = sizes[contact].max(row[0].abs());
                    let vanishing = match left {
                        Some((own, vanishing)) if own == contact && step.start == 0.0 => vanishing,
                        _ => 0,
                    };
                    // A minimum where two steps meet.
                    let begins = row.get(1).copied().unwrap_or(0.0);
                    let mut tell = |since: f64| {
                        let value = polynomial::evaluate(row, since);
                        lows[contact].push(Lowest { contact, value, site: site(since) });
                    };
                    if step.start > 0.0 && look.before[contact] < 0.0 && begins >= 0.0 {
                        tell(0.0);
                    }
                    look.minima(row, step.length, vanishing, &mut tell);
                    look.before[contact] = polynomial::evaluate_with_derivative(row, step.length).1;
                }
                for (contact, bound, row) in step.bounds() {
                    let starts = before.contains(contact) && before.slip(contact) != after.slip(contact);
                    let fresh = step.start == 0.0 && kind != Kind::Waypoint && !anchored;
                    if fresh && !(bound == Bound::Speed && starts) {
                        beginnings.push(Beginning { node, contact, bound: Some(bound), value: row[0] });
                    }
                    let powers = std::iter::successors(Some(1.0), |power| Some(power * step.length));
                    let terms = || row.iter().zip(powers.clone()).map(|(c, power)| c * power);
                    let size = terms().fold(0.0_f64, |size, term| size.max(term.abs()));
                    // Slip begins with a speed of zero, and out of a stick with an acceleration of zero too.
                    let vanishing = match kind {
                        _ if !(bound == Bound::Speed && starts && step.start == 0.0) => 0,
                        Kind::Turn { contact: own, bound: Bound::Cone(_) } if own == contact => 2,
                        _ => 1,
                    };
                    // At its beginning the first coefficient that is no rounding counts.
                    let slack = Bound::ALL.iter().zip(slacks[contact]).find(|known| *known.0 == bound);
                    let rounding = slack.map_or(0.0, |known| known.1);
                    let small = (ROUNDING * size).max(rounding);
                    let first = terms().skip(vanishing).find(|term| term.abs() > small);
                    let mut falls = first.is_some_and(|term| term < 0.0);
                    look.minima(row, step.length, vanishing, |since| {
                        let value = polynomial::evaluate(row, since);
                        falls |= value < -small;
                        let own = |low: &Lowest| (low.site.node, low.contact) == (node, contact);
                        let known = margins.iter_mut().find(|(kind, low)| *kind == bound && own(low));
                        let low = Lowest { contact, value, site: site(since) };
                        match known {
                            Some((_, lowest)) if value < lowest.value => *lowest = low,
                            Some(_) => {}
                            None => margins.push((bound, low)),
                        }
                    });
                    falls |= polynomial::evaluate(row, step.length) < -(AT_END * size).max(rounding);
                    if falls {
                        broken = Some(contact);
                    }
                }
                if let Some((watched, row)) = section.and_then(|w| Some((w, step.section(w.section)?))) {
                    watched.passages(row, step.length, look.workspace, |since| passages.push(site(since)));
                }
            })?;
            found.broken = broken;
            // A node that is a minimum is no minimum between nodes.
            let at_node = |kind: &Kind, contact: usize| *kind == Kind::Minimum { contact };
            for (contact, mut lows) in lows.into_iter().enumerate() {
                lows.retain(|low| {
                    let share = low.site.time / length;
                    !(share < AT_NODE && at_node(&kind, contact)
                        || share > 1.0 - AT_NODE && at_node(&next_kind, contact))
                });
                if skip_first == Some(contact) && !lows.is_empty() {
                    lows.remove(0);
                    skip_first = None;
                }
                if reached == Some(contact) {
                    lows.pop();
                }
                let tolerance = (ROUNDING * sizes[contact]).max(depths[contact]);
                for low in lows {
                    if low.value < -tolerance {
                        found.admissible = false;
                        found.sunk = Some(contact);
                    }
                    let known = &mut found.gaps[contact];
                    if known.as_ref().is_none_or(|known| low.value < known.value) {
                        *known = Some(low);
                    }
                }
            }
            // Contacts that last no time have no load but rounding.
            let light = |contact: usize| (ROUNDING * loads[contact]).max(weights[contact]);
            for (contact, force) in first_forces {
                found.admissible &= force >= -light(contact);
            }
            for (contact, low) in forces.into_iter().enumerate() {
                let Some(low) = low else { continue };
                found.admissible &= low.value >= -light(contact);
                let known = &mut found.forces[contact];
                if known.as_ref().is_none_or(|known| low.value < known.value) {
                    *known = Some(low);
                }
            }
        }
        found.admissible &= found.broken.is_none();
        if let Some(watched) = section
            && self.signature().mirror.is_some()
        {
            self.mirrored_passages(unknowns, watched, workspace, &mut found.passages)?;
        }
        Ok(found)
    }

    /// The passages of a section in the other half of an orbit, the mirror image of the nodes.
    fn mirrored_passages(
        &mut self,
        unknowns: &[f64],
        watched: Watched,
        workspace: &mut Workspace,
        passages: &mut Vec<Site>,
    ) -> Result<(), Lost> {
        let Some(mirror) = self.signature().mirror.clone() else { return Ok(()) };
        let turns = self.turn_lengths(unknowns);
        let states = self.layout.states;
        for node in 0..self.signature().nodes.len() {
            let at = self.layout.nodes[node];
            self.jump(node, &unknowns[at..at + states])?;
            let image = self.jumped().0.iter().zip(&mirror.signs).zip(&turns);
            let start: Vec<f64> = image.map(|((x, sign), turn)| sign * x + turn).collect();
            let (time, parts) = self.layout.times[node];
            let after = self.signature().nodes[node].after;
            self.flow.walk(
                after.mirrored(&mirror),
                &start,
                (unknowns[time] / parts as f64).max(0.0),
                &mut |step: &Stretch| {
                    let Some(row) = step.section(watched.section) else { return };
                    watched.passages(row, step.length, workspace, |since| {
                        let state = (0..states).map(|i| polynomial::evaluate(step.state(i), since)).collect();
                        passages.push(Site { node, time: step.start + since, state });
                    });
                },
            )?;
        }
        Ok(())
    }
}
