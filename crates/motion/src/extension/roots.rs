//! Flows between surfaces on which square roots vanish, as that of Hertz's law, with their derivatives.
//!
//! A piece of an orbit may begin and end where what stands under a root is zero. In z, with t = T z^2 (3 - 2z), it grows as z^2 at the start and as
//! (1 - z)^2 before the end, and its root is smooth. The field in z is followed by extrapolation of the midpoint rule (Gragg; Bulirsch & Stoer, Numer. Math. 8,
//! 1966), which takes single values of the field. On the other side of the surface, where Newton's method may look as well, the root is that of the absolute
//! value.

use std::collections::HashMap;
use std::sync::Arc;

use saltation_expr::{Function, Node, Operation, Tape};
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::{Extension, Field, Image, Lost};
use crate::flow::arrival::zero_ahead;
use crate::flow::taylor::Taylor;
use crate::mode::expansion::Expansion;
use crate::mode::formulas::Formulas;
use crate::mode::switched::is_multiple;
use crate::mode::{ClosedSet, Constraint};
use crate::sensitivity::dual::{LANES, Number4};
use crate::system::System;

/// The numbers of steps of the midpoint rule that are extrapolated.
const STEPS: [usize; 9] = [2, 4, 6, 8, 10, 12, 14, 16, 18];
/// The square of a number beside which all others are large.
const TINY: f64 = 1e-300;
/// Operations whose rounding adds up in a sum of rates.
const FEW: f64 = 4.0;
/// A piece is halved at most so often.
const DEEPEST: usize = 12;

/// The rates of a mode with the roots of absolute values; `None` if there are no roots that vanish where a switch does.
pub(super) fn reflected(system: &System, closed: ClosedSet, redundant: &[Constraint]) -> Option<Arc<Tape>> {
    let Formulas { mut graph, field, outputs, limits, .. } = system.mode_formulas(closed, redundant);
    let of_switches = limits.iter().filter(|limit| ClosedSet::switch(limit.contact).is_some());
    let surfaces: Vec<Node> = of_switches.map(|limit| outputs[limit.output]).collect();
    let half = |c: f64| c.fract() != 0.0 && (2.0 * c).fract() == 0.0;
    let mut images: HashMap<Node, Node> = HashMap::new();
    for node in graph.reachable(&field) {
        let (base, exponent) = match graph.operation(node) {
            Operation::Power(base, c) if half(c) => (base, c),
            Operation::Apply(Function::Sqrt, base) => (base, 0.5),
            _ => continue,
        };
        if !surfaces.iter().any(|&surface| is_multiple(&graph, base, surface)) {
            continue;
        }
        // |b|^c as (b^2 + tiny)^(c/2), whose gradient is zero where b is.
        let (square, tiny) = (graph.multiply(base, base), graph.constant(TINY));
        let size = graph.add(square, tiny);
        let image = graph.power(size, 0.5 * exponent);
        images.insert(node, image);
    }
    if images.is_empty() {
        return None;
    }
    let field = graph.substitute_all(&field, &images);
    Some(Arc::new(Tape::new(&graph, system.symbols(), system.parameter_symbols(), &field, &[])))
}

/// The rates in z of a state.
fn rates(dual: &mut Expansion<Number4>, (z, time): (f64, f64), state: &[Number4], rates: &mut [Number4]) {
    let pace = 6.0 * z * (1.0 - z) * time;
    if pace == 0.0 {
        // The gradient of a root has no value on its surface, where nothing moves in z.
        rates.fill(Number4::ZERO);
        return;
    }
    dual.expand(state, 1);
    for (i, rate) in rates.iter_mut().enumerate() {
        *rate = dual.state(i)[1].scale(pace);
    }
}

/// Gragg's rule over [from, from + length] in so many steps, an even number; and the sizes of all terms of its sums.
fn midpoint(
    dual: &mut Expansion<Number4>,
    (from, length): (f64, f64),
    time: f64,
    start: &[Number4],
    steps: usize,
) -> (Vec<Number4>, Vec<Number4>) {
    let h = length / steps as f64;
    let mut rate = vec![Number4::ZERO; start.len()];
    rates(dual, (from, time), start, &mut rate);
    let mut before = start.to_vec();
    let mut sizes: Vec<Number4> = start.iter().map(|&x| size(x)).collect();
    let mut now: Vec<Number4> = start.iter().zip(&rate).map(|(&x, r)| x + r.scale(h)).collect();
    for k in 1..steps {
        rates(dual, (from + k as f64 * h, time), &now, &mut rate);
        sizes.iter_mut().zip(&rate).for_each(|(sum, &r)| *sum += size(r).scale(h));
        let next: Vec<Number4> = before.iter().zip(&rate).map(|(&x, r)| x + r.scale(2.0 * h)).collect();
        before = std::mem::replace(&mut now, next);
    }
    rates(dual, (from + length, time), &now, &mut rate);
    let smooth = |((now, before), rate): ((&Number4, &Number4), &Number4)| (*now + *before + rate.scale(h)).scale(0.5);
    (now.iter().zip(&before).zip(&rate).map(smooth).collect(), sizes)
}

/// The sizes of a number and of its derivatives.
fn size(a: Number4) -> Number4 {
    Dual { value: a.value.abs(), tangent: a.tangent.map(f64::abs) }
}

/// The flow over [from, from + length] in z, extrapolated to steps of no length; halved where that does not settle to within a part of the
/// sizes of the whole flow.
fn extrapolated(
    dual: &mut Expansion<Number4>,
    (from, length): (f64, f64),
    time: f64,
    start: &[Number4],
    (whole, tolerance, depth): (&[Number4], f64, usize),
) -> Option<Vec<Number4>> {
    let mut last: Vec<Vec<Number4>> = Vec::new();
    // What rounding of the sums becomes by the weights of the extrapolation.
    let mut growth: Vec<f64> = Vec::new();
    for (k, &steps) in STEPS.iter().enumerate() {
        let (rough, sizes) = midpoint(dual, (from, length), time, start, steps);
        let (mut row, mut grown) = (vec![rough], vec![1.0]);
        for j in 1..=k {
            let weight = ((steps as f64 / STEPS[k - j] as f64).powi(2) - 1.0).recip();
            let better = row[j - 1].iter().zip(&last[j - 1]);
            row.push(better.map(|(&new, &old)| new + (new - old).scale(weight)).collect());
            grown.push(grown[j - 1] * (1.0 + weight) + growth[j - 1] * weight);
        }
        let within = tolerance.max(FEW * f64::EPSILON * grown[k]);
        let mut pairs = row[k].iter().zip(&row[k.saturating_sub(1)]).zip(sizes.iter().zip(whole));
        if k > 1 && pairs.all(|((a, b), (own, whole))| is_close(*a, *b, (*own + *whole).scale(within))) {
            return row.pop();
        }
        (last, growth) = (row, grown);
    }
    if depth == 0 {
        return None;
    }
    let half = 0.5 * length;
    let middle = extrapolated(dual, (from, half), time, start, (whole, tolerance, depth - 1))?;
    extrapolated(dual, (from + half, half), time, &middle, (whole, tolerance, depth - 1))
}

/// A state of an orbit lies on a surface to within this part of the sizes of its entries.
const ON_SURFACE: f64 = 1e-8;
/// Where an orbit is known to end on a surface, its series reaches that to within this part of the step.
const AT_END: f64 = 1e-6;

/// The length of a step of the motion itself that begins or ends on a surface where roots vanish, if the piece begins or ends there: `left` is what is
/// left of it, and `served` how far the series serves; it may begin there with its first step.
pub(super) fn touching(
    field: &mut Field,
    taylor: &Taylor,
    state: &[f64],
    (left, served): (f64, f64),
    begins: bool,
) -> Option<f64> {
    field.roots.as_ref()?;
    let Field { series, watched, limits, remainder, probe, .. } = field;
    let surfaces = limits.iter().filter(|limit| ClosedSet::switch(limit.contact).is_some());
    let zeros = surfaces.filter_map(|limit| zero_ahead(series.output(limit.output)));
    let zero = zeros.fold(f64::INFINITY, f64::min);
    let Expansion { tape, slots, jet } = series;
    if served > 0.0 && (zero - left).abs() <= AT_END * left {
        let formulas = (&**tape, &slots[..], &watched[..]);
        return taylor.arrives(formulas, (jet, remainder), (left, state)).then_some(left);
    }
    if !begins {
        return None;
    }
    let size = state.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let roots = tape.roots_at_zero(jet, |base: f64| base.abs() <= ON_SURFACE * size);
    if roots.is_empty() {
        return None;
    }
    let formulas = (&**tape, &slots[..], &watched[..]);
    taylor.depart(formulas, (jet, probe, remainder), (left, &roots))
}

/// Whether two numbers agree with their derivatives, each within its own difference.
fn is_close(a: Number4, b: Number4, within: Number4) -> bool {
    let close = |a: f64, b: f64, within: f64| (a - b).abs() <= within;
    close(a.value, b.value, within.value)
        && a.tangent.iter().zip(&b.tangent).zip(&within.tangent).all(|((&a, &b), &within)| close(a, b, within))
}

impl Extension<'_> {
    /// Follows the field of a mode with roots for a time, with its derivatives.
    pub(super) fn root_flow(&mut self, index: usize, state: &[f64], time: f64, end: &mut Image) -> Result<(), Lost> {
        let states = state.len();
        let tolerance = self.tolerance;
        for g in 0..self.groups.len() {
            let start: Vec<Number4> =
                state.iter().enumerate().map(|(i, &x)| Dual::variable(x, i.wrapping_sub(g * LANES))).collect();
            let dual = &mut self.fields[index].reflected[g];
            let (_, whole) = midpoint(dual, (0.0, 1.0), time, &start, STEPS[STEPS.len() - 1]);
            let found = extrapolated(dual, (0.0, 1.0), time, &start, (&whole, tolerance, DEEPEST));
            let found = found.ok_or(Lost::Undefined { after: 0.0 })?;
            for (i, x) in found.iter().enumerate() {
                end.state[i] = x.value;
                for m in 0..LANES.min(states + self.along.len() - g * LANES) {
                    end.derivative[(i, g * LANES + m)] = x.tangent[m];
                }
            }
        }
        Ok(())
    }

    /// The rates of a mode with roots, on either side of their surfaces.
    pub(super) fn root_rates(&mut self, index: usize, state: &[f64], rate: &mut [f64]) {
        let constant: Vec<Number4> = state.iter().map(|&x| Number4::from_f64(x)).collect();
        let dual = &mut self.fields[index].reflected[0];
        dual.expand(&constant, 1);
        rate.iter_mut().enumerate().for_each(|(i, rate)| *rate = dual.state(i)[1].value);
    }
}
