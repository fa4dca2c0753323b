//! Which switches are zero: what their functions are known to, from the sizes of their terms at the state, where the last step began and where the states have been.

use saltation_numerics::rounded::Rounded;

use super::automaton::{Automaton, BoundSystem, Instant, Known};
use crate::instant::judge::ORDER;
use crate::instant::knowledge::ROUNDING;
use crate::mode::bound::BoundMode;
use crate::mode::{ClosedSet, Side, Sides};
use crate::trajectory::horner;

/// So many derivatives show whether a state stands still: those of positions and of velocities.
pub(crate) const SEEN: usize = 2;

impl Automaton<'_> {
    /// The switches that are zero at the present state: to within a part of its terms, or to within the rounding of the last step.
    pub(crate) fn zero_surfaces(&mut self) -> Vec<usize> {
        let hybrid = &self.system.hybrid;
        if hybrid.is_empty() {
            return Vec::new();
        }
        let own: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let mut zero: Vec<bool> =
            self.bound.sized.functions(hybrid, &own).iter().map(|s| !s.exceeds(ROUNDING)).collect();
        let recent = self.recent_data();
        let values = self.bound.sized.functions(hybrid, &recent);
        zero.iter_mut().zip(values).for_each(|(zero, s)| *zero |= s.is_rounding());
        if self.has_complements() {
            let open = self.open_complements();
            hybrid.complementary().for_each(|k| zero[k] = open.contains(&k));
        }
        (0..zero.len()).filter(|&k| zero[k]).collect()
    }

    /// A step of a length begins, at whose end the surface of a switch may be crossed. States on which elements keep something at zero may be as small as that is, and remain as large as they
    /// were before; what stands still because forces cancel is known to the rounding of these.
    #[inline]
    pub(crate) fn remember_sizes(&mut self, length: f64, crosses: bool) {
        let holds = !self.closed().is_empty() || self.now.sides.slides() || !self.departures.still.is_empty();
        match (holds && !self.system.hybrid.is_empty() || crosses) && length.is_finite() {
            true if holds => return self.remember_terms(length),
            true => return self.remember_flight(length),
            false => {}
        }
        let Automaton { modes, known: Known { recent, .. }, now: Instant { state, .. }, .. } = self;
        let kept = &modes.now().kept;
        for (i, (size, x)) in recent.iter_mut().zip(state.iter()).enumerate() {
            *size = if kept.get(i) == Some(&true) { size.max(x.abs()) } else { x.abs() };
        }
    }

    /// The same in a mode that holds nothing, before a crossing: the state there consists of that at the beginning and of what rates add to it, whose terms may cancel.
    fn remember_flight(&mut self, length: f64) {
        let Automaton { modes, parameters, known: Known { recent, .. }, now: Instant { state, .. }, room, .. } = self;
        room.data.clear();
        room.data.extend(state.iter().map(|&x| Rounded::new(x)));
        let mode = modes.now_mut();
        mode.expand_sized(parameters, &room.data, 1);
        let BoundMode { sized: Some(series), kept, .. } = mode else { return };
        for (i, (size, x)) in recent.iter_mut().zip(&room.data).enumerate() {
            let terms = x.size + series.state(i)[1].size * length;
            let known = if kept.get(i) == Some(&true) { size.max(x.size) } else { x.size };
            *size = if terms.is_finite() { known.max(terms) } else { known };
        }
    }

    /// The same in a mode that holds something. What stands still does so on every step anew: its sizes are those of one step, and do not grow from step to step.
    fn remember_terms(&mut self, length: f64) {
        let data: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let Automaton { modes, parameters, known: Known { recent, .. }, .. } = self;
        let mode = modes.now_mut();
        mode.expand_sized(parameters, &data, SEEN);
        let BoundMode { sized: Some(series), kept, .. } = mode else { return };
        for (i, (size, x)) in recent.iter_mut().zip(&data).enumerate() {
            let row = &series.state(i)[..=SEEN];
            let sizes: Vec<f64> = row.iter().map(|c| c.size).collect();
            let terms = horner(&sizes, length);
            let stands = row[1..].iter().all(|c| c.is_rounding()) && terms.is_finite();
            *size = match (stands, kept.get(i)) {
                (true, _) => size.max(terms),
                (_, Some(true)) => size.max(x.value.abs()),
                _ => x.value.abs(),
            };
        }
    }

    /// The present state, each entry as large as it was where the last step began, or before it was kept at zero.
    pub(crate) fn recent_data(&self) -> Vec<Rounded> {
        let sizes = self.now.state.iter().zip(&self.known.recent);
        sizes.map(|(&value, &size)| Rounded { value, size: size.max(value.abs()) }).collect()
    }

    /// Measures the rounding of the function of every switch on a step: that of its terms at the start, at the end and where the last step began.
    pub(crate) fn measure_rounding(&mut self, length: f64) {
        if self.system.hybrid.is_empty() {
            return;
        }
        let complementary = self.has_complements();
        let Automaton {
            system,
            modes,
            parameters,
            bound: BoundSystem { sized, .. },
            now: Instant { state, .. },
            known: Known { recent, rounded, rounding, .. },
            ..
        } = self;
        rounding.clear();
        rounding.resize(system.hybrid.names.len(), 0.0);
        for at in [0.0, length].into_iter().filter(|at| at.is_finite()) {
            rounded.clear();
            let mode = modes.now();
            rounded.extend((0..state.len()).map(|i| {
                let value = horner(mode.state(i), at);
                Rounded { value, size: value.abs().max(recent[i]) }
            }));
            for (known, s) in rounding.iter_mut().zip(sized.functions(&system.hybrid, rounded)) {
                *known = known.max(s.rounding());
            }
            if !complementary {
                continue;
            }
            // Multipliers and values are those of the mode.
            let mode = modes.now_mut();
            let limits = mode.limits.len();
            mode.expand_sized(parameters, rounded, 0);
            for k in 0..limits {
                let limit = mode.limits[k];
                let switch = ClosedSet::switch(limit.contact).filter(|&k| system.hybrid.complements[k].is_some());
                let Some(switch) = switch else { continue };
                let own = mode.expanded_sized(limit.output).rounding();
                rounding[switch] = if at == 0.0 { own } else { rounding[switch].max(own) };
            }
        }
    }

    /// Whether less than half of the rounding of some function is left on the beginning of a step, of this length. Multipliers may stay at zero, and are known to the rounding of the whole step.
    pub(crate) fn rounds_less(&mut self, length: f64) -> bool {
        let Known { rounding, rounding_of_whole, .. } = &mut self.known;
        rounding_of_whole.clone_from(rounding);
        self.measure_rounding(length);
        let Automaton { system, known: Known { rounding, rounding_of_whole: whole, .. }, .. } = self;
        system.hybrid.complementary().for_each(|k| rounding[k] = whole[k]);
        rounding.iter().zip(whole.iter()).any(|(now, whole)| 2.0 * now < *whole)
    }

    /// At a located event the state obeys what its mode keeps by definition: it is known no better than by how far it is from there.
    pub(crate) fn know_kept(&mut self) {
        let Automaton { modes, now: Instant { state, .. }, known: Known { recent, .. }, .. } = self;
        let Some(correction) = &mut modes.now_mut().correction else { return };
        correction.expand(state, 0);
        for (i, size) in recent.iter_mut().enumerate() {
            *size = size.max(correction.output(i)[0].abs() / f64::EPSILON);
        }
    }

    /// An impact has led to `room.after`: velocities consist of those before and of what its impulses add, and what is rounding of the fastest of them is known no better than that.
    pub(crate) fn know_impact(&mut self) {
        let Automaton { system, now: Instant { state, .. }, known: Known { recent, .. }, room, .. } = self;
        let velocities = system.velocities();
        let fastest = velocities.iter().map(|&v| state[v].abs().max(room.after[v].abs())).fold(0.0, f64::max);
        for &v in velocities {
            let added = (room.after[v] - state[v]).abs();
            if added != 0.0 {
                let terms = if added <= ROUNDING * fastest { added / f64::EPSILON } else { added };
                recent[v] = recent[v].max(state[v].abs()).max(terms);
            }
        }
    }

    /// The functions of several switches are zero together: the state is known no better than by how far it is from where they are. Of one function alone nothing follows for the rates of others.
    pub(crate) fn know_surfaces(&mut self, zero: &[usize]) {
        if zero.len() < 2 {
            return;
        }
        let own = zero.iter().filter(|&&k| self.system.hybrid.complements[k].is_none());
        let met = own.fold(Sides::NONE, |met, &k| met.with(k, Side::Sliding));
        let mut on_all = self.now.state.clone();
        self.move_onto(met, &mut on_all);
        let moved = on_all.iter().zip(&self.now.state).map(|(on, x)| (on - x).abs() / f64::EPSILON);
        self.known.recent.iter_mut().zip(moved).for_each(|(size, moved)| *size = size.max(moved));
    }

    /// Whether the function of a switch stays where it is in the present mode, to within the rounding of what the states have been.
    pub(super) fn stays(&mut self, switch: usize) -> bool {
        let element = ClosedSet::element(switch);
        let Some(limit) = self.modes.now().limits.iter().find(|limit| limit.contact == element).copied() else {
            return false;
        };
        let data = self.widest_data();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &data, ORDER);
        series.output(limit.output)[..=ORDER].iter().all(|c| c.is_rounding())
    }

    /// The switches whose functions are zero to within the rounding of what the states have been: where crossings accumulate in a corner of several
    /// surfaces, it is reached when nothing else is left of them.
    pub(super) fn reached_at_once(&mut self) -> Vec<usize> {
        let data = self.widest_data();
        let hybrid = &self.system.hybrid;
        let values = self.bound.sized.functions(hybrid, &data).iter().enumerate();
        let mut reached: Vec<usize> = values.filter(|(_, s)| s.is_rounding()).map(|(k, _)| k).collect();
        if self.has_complements() {
            reached.retain(|&k| hybrid.complements[k].is_none());
            let values = self.complement_values(&data);
            reached.extend(values.iter().filter(|(_, value)| value.is_rounding()).map(|(k, _)| *k));
        }
        reached
    }

    /// The present state, each entry as large as it has been.
    pub(crate) fn widest_data(&self) -> Vec<Rounded> {
        let sizes = self.now.state.iter().zip(&self.known.extent.widest);
        sizes.map(|(&value, &size)| Rounded { value, size: size.max(value.abs()) }).collect()
    }
}
