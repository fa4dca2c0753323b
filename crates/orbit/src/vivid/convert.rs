//! Converts zeros of V into solutions of the equations of a signature, and back.
//!
//! The flight from x_2 that comes back to x_1 takes T = t_3 + t_4 - t_0, with the times t_3 from x_2 to Pi, t_4 of the loops, and
//! t_0 from x_1 to Pi. The loops are the minima of the gap on the continued flight from x_3, which may lie before x_2.

use std::ops::ControlFlow;

use saltation_model::Values;
use saltation_motion::{ClosedSet, FlowChoice, System};

use super::{Failure, Unsuitable, Vivid};
use crate::phases::is_other;
use crate::signature::{Kind, Node, Reading, Signature};

/// The last loop ends where the flight comes back, up to this part of the time.
const CLOSING_TIME: f64 = 1e-6;

impl<'s> Vivid<'s> {
    /// The VIVID function of which a solution of the equations of a signature is a zero, and that zero. `unknowns` are those of
    /// the signature with the free parameters last, `sizes` theirs.
    ///
    /// # Errors
    /// If the signature is not that of one impact in free flight, or its loops cannot be counted.
    pub fn of_signature(
        system: &'s System,
        following: Values,
        signature: &Signature,
        (unknowns, sizes): (&[f64], &[f64]),
        accuracy: (f64, FlowChoice),
    ) -> Result<(Vivid<'s>, Vec<f64>), Unsuitable> {
        let states = system.state_names().len();
        let refused = |reason: &str| Err(Unsuitable::Signature(reason.to_string()));
        if system.switches() {
            return refused("the system has switches or events");
        }
        if signature.mirror.is_some() {
            return refused("half of it is given, with its mirror image");
        }
        if let Some((state, _)) = signature.held.first() {
            let name = &system.state_names()[*state];
            if is_other(system.model(), *state) {
                return refused(&format!(
                    "{name} is a second phase, which the equations of a signature know and V does not"
                ));
            }
            return refused(&format!("{name} drifts, which the equations of a signature can follow and V cannot"));
        }
        if signature.nodes.first().is_none_or(|node| node.kind == Kind::Waypoint) {
            return refused("it does not begin with an event");
        }
        let mut impacts = Vec::new();
        for (k, node) in signature.nodes.iter().enumerate() {
            match node.kind {
                _ if !node.before.is_empty() || !node.after.is_empty() => return refused("a contact stays closed"),
                Kind::Impact { contact } => impacts.push((k, contact)),
                Kind::Chatter { .. }
                | Kind::Accumulation { .. }
                | Kind::Release { .. }
                | Kind::Turn { .. }
                | Kind::Reset { .. } => {
                    return refused("a contact stays closed");
                }
                Kind::Wrap => return refused("the field is not smooth where the phase begins anew"),
                Kind::Minimum { .. } | Kind::Phase { .. } | Kind::Plane { .. } | Kind::Waypoint => {}
            }
        }
        let [(node, contact)] = impacts[..] else {
            return refused(&format!("it has {} impacts", impacts.len()));
        };
        let layout = signature.layout(states);
        let (count, free) = (layout.parameters + following.free().len(), layout.parameters);
        if unknowns.len() != count || sizes.len() != count {
            return Err(Unsuitable::Sizes { expected: count });
        }
        let pick = |row: &[f64]| {
            let state = &row[layout.nodes[node]..layout.nodes[node] + states];
            [state, &row[free..]].concat()
        };
        let own = pick(unknowns);
        let period: f64 = (0..layout.times.len()).map(|node| layout.duration(node, unknowns)).sum();
        let mut vivid = Vivid::new(system, following, contact, 1, pick(sizes), accuracy)?;
        vivid.loops = vivid.count_loops(&own, period)?;
        Ok((vivid, own))
    }

    /// How many minima of the gap the continued flight after an impact passes until it comes back in a time.
    ///
    /// # Errors
    /// If it does not come back at a minimum, or V has no value.
    pub fn count_loops(&mut self, unknowns: &[f64], period: f64) -> Result<usize, Unsuitable> {
        // Of one loop, to have the points and times before it.
        let loops = std::mem::replace(&mut self.loops, 1);
        let begun = self.vary(unknowns).map(|v| (v.left.state.clone(), period - v.times[1] + v.times[0]));
        self.loops = loops;
        let (left, time) = begun?;
        let (mut found, mut last) = (0, 0.0);
        let latest = time + CLOSING_TIME * period.abs();
        if !latest.is_finite() || time <= 0.0 {
            return Err(Unsuitable::Uncounted(format!("they would take the time {time:.6}")));
        }
        self.maps.minima(&left, &mut |at| {
            if at > latest || found > super::MOST_LOOPS {
                return ControlFlow::Break(());
            }
            (found, last) = (found + 1, at);
            ControlFlow::Continue(())
        })?;
        if found > super::MOST_LOOPS {
            return Err(Unsuitable::Loops(found));
        }
        if found == 0 || (last - time).abs() > CLOSING_TIME * period.abs() {
            let reason = format!("the gap has no minimum when the trajectory comes back, {time:.6} after its start");
            return Err(Unsuitable::Uncounted(reason));
        }
        Ok(found)
    }

    /// The signature of a zero of V, with the unknowns of its equations, those of the free parameters left out.
    ///
    /// # Errors
    /// If V has no value there.
    pub fn reading(&mut self, unknowns: &[f64]) -> Result<Reading, Failure> {
        let states = self.states();
        let contact = self.contact();
        let variation = self.vary(unknowns)?;
        let (period, turns) = (variation.period(), variation.turns.clone());
        let node = Node {
            kind: Kind::Impact { contact },
            before: ClosedSet::NONE,
            after: ClosedSet::NONE,
            collisions: Vec::new(),
        };
        let with_time = |row: &[f64], time: f64| [&row[..states], &[time]].concat();
        Ok(Reading {
            signature: Signature { nodes: vec![node], turns, mirror: None, held: Vec::new() },
            unknowns: with_time(unknowns, period),
            sizes: with_time(&self.sizes, period.abs().max(f64::MIN_POSITIVE)),
        })
    }
}
