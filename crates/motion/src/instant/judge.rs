//! Whether a mode obeys the laws of all elements at an instant: the first coefficient that is not rounding, of everything that its switches must keep above zero along its own motion.
//!
//! Where s = 0 a mode obeys the field if its own motion keeps it: on a side the first coefficient of s that is not zero has the sign of the side, and
//! while sliding sigma stays between -1 and 1 (Filippov; di Bernardo, Budd, Champneys & Kowalczyk, *Piecewise-smooth Dynamical Systems*, Sect. 2.2). Its contacts have been judged
//! by `transition::consistent`.

use saltation_numerics::rounded::Rounded;

use crate::instant::knowledge::ROUNDING;
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Limit, Side, Sides, Slip};
use crate::transition::automaton::{Automaton, Flows, Instant, Known};
use crate::transition::consistent::ConsistentMode;
use crate::transition::still::Stillness;

/// The order up to which the motion beside a surface is looked at.
pub(crate) const ORDER: usize = 6;

/// A mode that obeys the laws of all elements where switches are zero.
#[derive(Debug, Clone)]
pub(crate) struct Lawful {
    pub sides: Sides,
    /// What its contacts do.
    pub contacts: ConsistentMode,
    /// How many leading coefficients of the outputs of switches vanish in it.
    pub vanishing: Vec<(usize, usize)>,
    /// The switches, as elements, whose functions stay zero, with the rounding of their coefficients.
    pub still: Vec<(usize, Vec<f64>)>,
    /// The coefficients of all states, and what is rounding of them by what the states have been.
    pub motion: Vec<Rounded>,
    pub noise: Vec<f64>,
    /// The forces of closed contacts.
    pub forces: Vec<(usize, Rounded)>,
    /// Whether roots that are zero in it may also leave zero.
    pub leaves: bool,
    /// Whether coefficients below zero count as zero in it that are more than the last digits of their terms, no digit of a multiplier is known, or a contact slips early.
    pub doubtful: bool,
}

/// What a mode does where switches are zero, before it is judged.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    sides: Sides,
    contacts: ConsistentMode,
    /// What was located where the trajectory has come here, as far as that is zero in this mode as well.
    reached: Option<(usize, Bound)>,
    /// What the switches keep above zero, with their coefficients, and which of these are rounding of what the states have been.
    limits: Vec<Limit>,
    rows: Vec<Vec<Rounded>>,
    /// The switches of which the rows are functions, with the same function in every mode: neither multipliers of sliding nor of complementarities.
    functions: Vec<Option<usize>>,
    is_rounding: Vec<[bool; ORDER + 1]>,
    /// The orders with which functions rise that have no series in time.
    rises: Vec<Option<usize>>,
    motion: Vec<Rounded>,
    noise: Vec<f64>,
    forces: Vec<(usize, Rounded)>,
    leaves: bool,
    /// Whether some digit is known of every multiplier of sliding.
    acts: bool,
}

/// The largest coefficients in all modes that were looked at: of the function of every switch, and of every state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sizes {
    functions: Vec<(usize, [f64; ORDER + 1])>,
    pub(super) motion: Vec<f64>,
}

impl Sizes {
    pub(crate) fn include(&mut self, seen: &Seen) {
        // What slides by a multiplier of which no digit is known says nothing of sizes.
        let is_cone = |limit: &Limit| matches!(limit.kind, Bound::Cone(_));
        let mut cones = seen.limits.iter().zip(&seen.rows).filter(|(limit, _)| is_cone(limit));
        if cones.any(|(_, row)| has_no_digit(&row[0])) {
            return;
        }
        for (switch, row) in seen.functions.iter().zip(&seen.rows) {
            let Some(switch) = *switch else { continue };
            if !self.functions.iter().any(|(known, _)| *known == switch) {
                self.functions.push((switch, [0.0; ORDER + 1]));
            }
            for (_, sizes) in self.functions.iter_mut().filter(|(known, _)| *known == switch) {
                sizes.iter_mut().zip(row).for_each(|(size, c)| *size = size.max(finite(c.value)));
            }
        }
        self.motion.resize(seen.motion.len(), 0.0);
        self.motion.iter_mut().zip(&seen.motion).for_each(|(size, c)| *size = size.max(finite(c.value)));
    }

    /// The size of a coefficient of a function.
    fn of(&self, switch: usize, order: usize) -> f64 {
        self.functions.iter().find(|(known, _)| *known == switch).map_or(0.0, |(_, sizes)| sizes[order])
    }
}

/// Whether no digit of a multiplier, which is 1 at most, is known: where what it multiplies vanishes.
fn has_no_digit(multiplier: &Rounded) -> bool {
    multiplier.rounding().is_nan() || multiplier.rounding() >= 1.0
}

/// The modulus of a number; zero of what is none.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value.abs() } else { 0.0 }
}

impl Lawful {
    /// The elements that begin to slip, or whose functions leave zero.
    fn moving(&self, zero: &[usize]) -> Vec<usize> {
        let stays = |k: usize| {
            self.sides.of(k) == Side::Sliding || self.still.iter().any(|&(element, _)| element == ClosedSet::element(k))
        };
        let switches = zero.iter().filter(|&&k| !stays(k)).map(|&k| ClosedSet::element(k));
        self.contacts.moving().into_iter().chain(switches).collect()
    }

    /// So many switches are on the side on which they have been.
    pub(super) fn kept(&self, zero: &[usize], before: Sides) -> usize {
        zero.iter().filter(|&&k| self.sides.of(k) == before.of(k)).count()
    }
}

/// Whether of two modes that obey all laws one lets more elements begin to slip than another one does, among them one with a static limit: what sticks does so until its limit is exceeded.
pub(crate) fn moves_needlessly(own: &[usize], other: &[usize], has_limit: impl Fn(usize) -> bool) -> bool {
    other.iter().all(|element| own.contains(element))
        && own.iter().any(|&element| !other.contains(&element) && has_limit(element))
}

impl Automaton<'_> {
    /// Modes with different motions without those that are doubtful beside others, and without those in which something begins to slip although all that has static limits can hold: what sticks does so until its limit is exceeded.
    pub(crate) fn held_first(&mut self, mut all: Vec<Lawful>, zero: &[usize]) -> Vec<Lawful> {
        if all.iter().any(|found| !found.doubtful) {
            all.retain(|found| !found.doubtful);
        }
        // What has no such limit may begin to slip in other modes instead.
        let moving: Vec<Vec<usize>> = all
            .iter()
            .map(|found| found.moving(zero).into_iter().filter(|&element| self.has_static_limit(element)).collect())
            .collect();
        let mut own = moving.iter();
        all.retain(|_| own.next().is_none_or(|own| !moving.iter().any(|other| moves_needlessly(own, other, |_| true))));
        all
    }

    /// Whether an element holds more while it sticks than it does while it slips.
    fn has_static_limit(&mut self, element: usize) -> bool {
        if let Some(switch) = ClosedSet::switch(element) {
            return self.system.hybrid.holds[switch];
        }
        self.joint.group.look(self.system, element, &self.now.state);
        self.is_uneven(element)
    }

    /// Whether something with a static limit begins to slip in a mode.
    pub(crate) fn moves_limited(&mut self, found: &Lawful, zero: &[usize]) -> bool {
        found.moving(zero).into_iter().any(|element| self.has_static_limit(element))
    }

    /// What the present mode does from the present state on, where switches are zero, once that lies on the surfaces along which the mode slides; `None` if it has no rates there or holds
    /// the motion twice.
    pub(crate) fn look(
        &mut self,
        contacts: ConsistentMode,
        zero: &[usize],
        reached: Option<(usize, Bound)>,
    ) -> Option<Seen> {
        if self.holds_twice(&contacts) || self.is_displaced() {
            return None;
        }
        let state = self.now.state.clone();
        let own: Vec<Rounded> = state.iter().map(|&x| Rounded::new(x)).collect();
        let known = [self.sizes_on_surfaces(&own), self.sizes_on_surfaces(&self.recent_data())];
        let acts = self.multipliers_act();
        self.correct_kept();
        let seen = self.look_from_surfaces(contacts, zero, reached, &known);
        self.now.state = state;
        seen.map(|seen| Seen { acts, ..seen })
    }

    /// Whether some digit is known of every multiplier of sliding where the trajectory has come: else what slides does not act on its function there, as on x v where x alone is zero.
    fn multipliers_act(&mut self) -> bool {
        let recent = self.recent_data();
        let Automaton { modes, parameters, .. } = self;
        let mode = modes.now_mut();
        let is_multiplier =
            |limit: &&Limit| matches!(limit.kind, Bound::Cone(_)) && ClosedSet::switch(limit.contact).is_some();
        let outputs: Vec<usize> = mode.limits.iter().filter(is_multiplier).map(|limit| limit.output).collect();
        if outputs.is_empty() {
            return true;
        }
        let series = mode.expand_sized(parameters, &recent, 0);
        outputs.into_iter().all(|output| !has_no_digit(&series.output(output)[0]))
    }

    /// How large the terms are of which the states consist that lie on the surfaces along which the present mode slides: they are known to the rounding of these.
    fn sizes_on_surfaces(&mut self, states: &[Rounded]) -> Vec<f64> {
        let Automaton { modes, parameters, .. } = self;
        let back = modes.now_mut().correct_sized(parameters, states);
        let terms = |i: usize| back.map_or(0.0, |back| finite(back.output(i)[0].size));
        states.iter().enumerate().map(|(i, x)| x.size.max(terms(i))).collect()
    }

    /// The rate with which an output that is zero leaves zero, where a motion may keep both: `None` if it is rounding of what the states have been recently, or at all.
    pub(crate) fn clear_rate(&mut self, output: usize, [recent, widest]: [&[Rounded]; 2]) -> Option<f64> {
        let Automaton { modes, parameters, .. } = self;
        let mut rate = |states: &[Rounded]| modes.now_mut().expand_sized(parameters, states, 1).output(output)[1];
        let own = rate(recent);
        (own.exceeds(ROUNDING) && !rate(widest).is_rounding()).then_some(own.value)
    }

    fn look_from_surfaces(
        &mut self,
        contacts: ConsistentMode,
        zero: &[usize],
        reached: Option<(usize, Bound)>,
        [own_sizes, recent_sizes]: &[Vec<f64>; 2],
    ) -> Option<Seen> {
        let on_surfaces = |x: (Rounded, &f64)| Rounded { value: x.0.value, size: x.0.size.max(*x.1) };
        let sides = self.now.sides;
        let leaves = self.modes.now().has_roots && self.enter_still() == Stillness::Open;
        let own = self.now.state.iter().map(|&x| Rounded::new(x));
        let mut data: Vec<Rounded> = own.zip(own_sizes).map(on_surfaces).collect();
        let widest = self.widest_data();
        let mut limits = self.modes.now().limits.clone();
        limits.retain(|limit| ClosedSet::switch(limit.contact).is_some_and(|switch| zero.contains(&switch)));
        let recent: Vec<Rounded> = self.recent_data().into_iter().zip(recent_sizes).map(on_surfaces).collect();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &recent, ORDER);
        let mut is_rounding: Vec<[bool; ORDER + 1]> =
            limits.iter().map(|limit| std::array::from_fn(|j| series.output(limit.output)[j].is_rounding())).collect();
        let orders = |i: usize, series: &Expansion<Rounded>| {
            series.state(i)[1..=ORDER].iter().map(|c| c.rounding()).collect::<Vec<f64>>()
        };
        let noise: Vec<f64> = (0..self.now.state.len()).flat_map(|i| orders(i, series)).collect();
        // Where a motion may slide along a function with its rate, both are zero to within the rounding of what states have been.
        let second = |limit: &Limit| {
            !matches!(limit.kind, Bound::Cone(_))
                && ClosedSet::switch(limit.contact).is_some_and(|k| self.system.hybrid.second[k])
        };
        for (limit, is_rounding) in limits.iter().zip(&mut is_rounding).filter(|(limit, _)| second(limit)) {
            is_rounding[1] |= self.clear_rate(limit.output, [&recent, &widest]).is_none();
        }
        let states = self.now.state.len();
        let has_rates = |series: &Expansion<Rounded>| (0..states).all(|i| series.state(i)[1].value.is_finite());
        let mode = self.modes.now_mut();
        if mode.has_roots && !has_rates(mode.expand_sized(&self.parameters, &data, 1)) {
            // What stands under a root may be rounding on the wrong side of zero.
            data = widest;
        }
        let series = mode.expand_at_roots(&self.parameters, &data, ORDER);
        if !has_rates(series) {
            return None;
        }
        let motion = (0..states).flat_map(|i| series.state(i)[1..=ORDER].to_vec()).collect();
        let force = |(k, contact)| (contact, series.output(self.system.force_output(k))[0]);
        let forces = contacts.mode.iter().enumerate().map(force).collect();
        let rows: Vec<Vec<Rounded>> = limits.iter().map(|limit| series.output(limit.output).to_vec()).collect();
        let function = |limit: &Limit| {
            let switch = ClosedSet::switch(limit.contact).filter(|_| !matches!(limit.kind, Bound::Cone(_)))?;
            let multiplies = self.system.hybrid.complements[switch].is_some() && sides.of(switch) == Side::Positive;
            (!multiplies).then_some(switch)
        };
        let functions = limits.iter().map(function).collect();
        let mut rises = vec![None; limits.len()];
        for (k, limit) in limits.iter().enumerate().filter(|(_, limit)| !matches!(limit.kind, Bound::Cone(_))) {
            let Some(nowhere) = rows[k].iter().position(|c| c.value.is_nan()) else { continue };
            if rows[k][1.min(nowhere)..nowhere].iter().any(|c| c.exceeds(ROUNDING)) {
                continue;
            }
            // The polynomials of the last step are still to be reported.
            let Automaton {
                modes,
                parameters,
                now: Instant { state, .. },
                known: Known { extent, .. },
                flow: Flows { taylor, .. },
                ..
            } = self;
            let kept = modes.now().series.clone();
            rises[k] = modes.now_mut().rises_from_roots(taylor, (parameters, state), &extent.widest, limit.output);
            modes.now_mut().series = kept;
        }
        Some(Seen {
            sides,
            contacts,
            reached,
            limits,
            rows,
            functions,
            is_rounding,
            rises,
            motion,
            noise,
            forces,
            leaves,
            acts: true,
        })
    }

    /// Whether a mode obeys the field where switches are zero, and whether any of them moves away from zero. Coefficients of functions are compared with those in other modes as well: where numbers
    /// alone cancel, formulas have lost their terms.
    pub(crate) fn obeys(&self, seen: Seen, sizes: &Sizes) -> Option<(Lawful, bool)> {
        let Seen { sides, contacts, reached, limits, rows, functions, is_rounding, .. } = seen;
        let Seen { rises, motion, noise, forces, leaves, acts, .. } = seen;
        let (mut vanishing, mut still) = (Vec::new(), Vec::new());
        let (mut moves, mut doubtful) = (false, contacts.slips_early || !acts);
        for (k, limit) in limits.iter().enumerate() {
            let Some(switch) = ClosedSet::switch(limit.contact) else { continue };
            let row = &rows[k];
            // By definition: s is zero, and where sliding has ended at a side so is its rate there.
            let (slides, towards) = match limit.kind {
                Bound::Cone(slip) => (true, slip),
                _ => (false, if sides.of(switch) == Side::Positive { Slip::Forward } else { Slip::Backward }),
            };
            let ended = reached == Some((limit.contact, Bound::Cone(towards)));
            // Unless it jumps with others, and is elsewhere; and a multiplier may jump with its own side.
            let complements = self.system.hybrid.complements[switch].is_some();
            let jumps = complements || !self.system.hybrid.inner[switch].is_empty();
            let elsewhere = !slides && jumps && row[0].exceeds(ROUNDING) && !(complements && is_rounding[k][0]);
            // Beyond a static limit slip begins with an acceleration.
            let eased = ended && (slides || !self.system.hybrid.holds[switch]);
            let known = if elsewhere { 0 } else { usize::from(!slides) + usize::from(eased) };
            if slides && !ended && row[0].value.is_nan() {
                return None;
            }
            // Multipliers and functions have no common size.
            let least = |j: usize| functions[k].map_or(0.0, |switch| ROUNDING * sizes.of(switch, j));
            let limiting = !slides && sides.limiting(switch).is_some();
            let exceeds = |j: usize| row[j].exceeds(ROUNDING) && row[j].value.abs() > least(j) && !is_rounding[k][j];
            let first = (known..=ORDER).find(|&j| exceeds(j) || !row[j].value.is_finite());
            let passed = first.map_or(&[][..], |first| &row[known..first]);
            let noise = &is_rounding[k][known..];
            doubtful |= passed.iter().zip(noise).any(|(c, noise)| !(*noise || c.is_rounding()) && c.value < 0.0);
            match first {
                // At a static limit nothing slips.
                Some(_) if limiting => return None,
                // Where a series in time ends, only what comes before says something, or the powers with which roots begin.
                Some(j) if row[j].value.is_nan() && !slides => {
                    vanishing.push((limit.output, rises[k]?));
                    moves = true;
                }
                Some(j) if row[j].value.is_nan() || row[j].value < 0.0 => return None,
                Some(0) => moves = true,
                Some(j) => {
                    vanishing.push((limit.output, j));
                    moves = true;
                }
                None if slides => return None,
                None => {
                    vanishing.push((limit.output, ORDER));
                    let noise = |j: usize| ROUNDING * sizes.of(switch, j).max(row[j].size);
                    still.push((limit.contact, (0..=ORDER).map(noise).collect()));
                }
            }
        }
        let leaves = leaves && !moves;
        Some((Lawful { sides, contacts, vanishing, still, motion, noise, forces, leaves, doubtful }, moves))
    }

    /// The switches of which a mode does not obey the law.
    pub(crate) fn violated(&self, seen: &Seen, sizes: &Sizes) -> Vec<usize> {
        let one = |limit: &Limit| {
            let place = seen.limits.iter().position(|other| other == limit);
            let only = Seen {
                limits: vec![*limit],
                rows: place.map(|k| seen.rows[k].clone()).into_iter().collect(),
                functions: place.map(|k| seen.functions[k]).into_iter().collect(),
                is_rounding: place.map(|k| seen.is_rounding[k]).into_iter().collect(),
                rises: place.map(|k| seen.rises[k]).into_iter().collect(),
                ..seen.clone()
            };
            self.obeys(only, sizes).is_none()
        };
        let mut violated: Vec<usize> = seen
            .limits
            .iter()
            .filter(|limit| one(limit))
            .filter_map(|limit| ClosedSet::switch(limit.contact))
            .collect();
        violated.dedup();
        violated
    }
}
