//! Roots whose arguments are zero: the formulas where they stay so, the variable in which a motion comes there without a singularity, and
//! the series of a motion in s = sqrt t where a square root vanishes at the start, by Picard iteration.
//!
//! From x = 0 with x' > 0 the root of x grows as sqrt t: its series in t does not exist, and that of x = a t + b t^(3/2) + ...
//! does not exist beyond its first term. In s everything is regular as long as what stands under a root begins with an even power of s and a
//! positive coefficient (Puiseux). With t = s^2 the integral of a rate is that of 2 s times the rate, so that every iteration
//! adds at least one right coefficient.

use crate::jet::{Jet, LENGTH};
use crate::side_by_side::SideBySide;
use crate::tape::{Instruction, Row, Slot, Tape};
use saltation_numerics::number::Number;

/// A step of a series is this part of the way to a singularity, or longer, by far: of low order too, where high ones leave the range of numbers.
const FEW_LENGTHS: f64 = 1e4;

/// Coefficients that change by no more than this part of themselves have settled.
const UNSETTLED: f64 = 1e-14;

/// What stands under a square root of a tape, or under another power that is no integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Root(Row);

/// A power of what depends on states: `out` = `a`^`exponent`, whose exponent is positive and no integer.
#[derive(Debug, Clone, Copy)]
struct RootOf {
    out: Row,
    a: Row,
    exponent: f64,
}

impl RootOf {
    fn new(instruction: &Instruction) -> Option<RootOf> {
        match *instruction {
            Instruction::SquareRoot { out, a } => Some(RootOf { out, a, exponent: 0.5 }),
            Instruction::RealPower { out, a, exponent, .. } if exponent > 0.0 && exponent.fract() != 0.0 => {
                Some(RootOf { out, a, exponent })
            }
            _ => None,
        }
    }
}

impl Tape {
    fn all_roots(&self) -> impl Iterator<Item = RootOf> + '_ {
        self.instructions.iter().filter_map(RootOf::new)
    }

    /// Whether there are square roots, or other powers that are no integers, of what depends on states.
    pub fn has_roots(&self) -> bool {
        self.all_roots().next().is_some()
    }

    /// What stands under roots and is zero in an expansion, as `is_zero` says of its first coefficients.
    pub fn roots_at_zero<T: Number>(&self, jet: &Jet<T>, is_zero: impl Fn(T) -> bool) -> Vec<Root> {
        let mut zero: Vec<Root> = Vec::new();
        for RootOf { a, .. } in self.all_roots() {
            if is_zero(jet.row(a)[0]) && !zero.contains(&Root(a)) {
                zero.push(Root(a));
            }
        }
        zero
    }

    /// What stands under a root, as a series: known to an order less than states are.
    pub fn under_root<'j, T: Number>(&self, jet: &'j Jet<T>, root: Root) -> &'j [T] {
        &jet.row(root.0)[..jet.order().max(1)]
    }

    /// The same formulas where what stands under some roots stays at zero: there the roots are zero, with all derivatives.
    ///
    /// ```
    /// use saltation_expr::{Function, Graph, Jet, Tape};
    /// // x' = -sqrt x stays at 0.
    /// let mut graph = Graph::new();
    /// let x = graph.symbol("x");
    /// let root = graph.apply(Function::Sqrt, x);
    /// let rate = graph.negate(root);
    /// let tape = Tape::new(&graph, &[x], &[], &[rate], &[]);
    /// let mut jet = Jet::new(&tape);
    /// tape.expand(&tape.bind(&[]), &[0.0], 2, &mut jet);
    /// let still = tape.without_roots(&tape.roots_at_zero(&jet, |x| x == 0.0));
    /// assert!(!still.has_roots());
    /// still.expand(&still.bind(&[]), &[0.0], 2, &mut jet);
    /// assert_eq!(jet.state(0), [0.0; 3]);
    /// ```
    pub fn without_roots(&self, roots: &[Root]) -> Tape {
        let mut tape = self.clone();
        let zero = self.constants.iter().position(|&c| c == 0.0);
        let Some(constant) = zero.map(|place| (self.parameters + place) as Slot) else {
            unreachable!("every tape has the constant zero");
        };
        for instruction in tape.instructions.iter_mut().chain(&mut tape.output_instructions) {
            if let Some(RootOf { out, a, .. }) = RootOf::new(instruction)
                && roots.contains(&Root(a))
            {
                *instruction = Instruction::Linear { out, constant, first: 0, last: 0 };
            }
        }
        tape
    }

    /// Whether all roots of what is positive at the start of a jet are square roots whose own series have a property.
    pub fn square_roots_all(&self, jet: &Jet<f64>, property: impl Fn(&[f64]) -> bool) -> bool {
        let known = jet.order().max(1);
        let mut positive = self.all_roots().filter(|root| root.exponent < 1.0 && jet.row(root.a)[0] > 0.0);
        positive.all(|RootOf { out, exponent, .. }| exponent == 0.5 && property(&jet.row(out)[..known]))
    }

    /// The same for a lane of jets side by side.
    pub fn square_roots_all_in(&self, together: &SideBySide, lane: usize, property: impl Fn(&[f64]) -> bool) -> bool {
        let known = together.order().max(1);
        let first = |row: Row| together.row(row)[0].lane(lane);
        let mut positive = self.all_roots().filter(|root| root.exponent < 1.0 && first(root.a) > 0.0);
        let mut series = [0.0; LENGTH];
        positive.all(|RootOf { out, exponent, .. }| {
            let row = &together.row(out)[..known];
            series.iter_mut().zip(row).for_each(|(x, lanes)| *x = lanes.lane(lane));
            exponent == 0.5 && property(&series[..known])
        })
    }

    /// The series of a^(1 - p) for the smallest power p < 1 of what stands under a root; none if all are larger.
    ///
    /// Where a' = -c a^p with a smooth c > 0, this is the variable that goes to zero with a finite speed, (1 - p) c, and without a singularity.
    pub fn regular_at_zero(&self, jet: &Jet<f64>, root: Root) -> Option<(f64, Vec<f64>)> {
        let RootOf { out, a, exponent } = self.steepest(root)?;
        let known = jet.order().max(1);
        let (a, out) = (&jet.row(a)[..known], &jet.row(out)[..known]);
        if exponent == 0.5 {
            return Some((exponent, out.to_vec()));
        }
        let mut quotient: Vec<f64> = Vec::with_capacity(known);
        for k in 0..known {
            let carried: f64 = (0..k).map(|j| quotient[j] * out[k - j]).sum();
            quotient.push((a[k] - carried) / out[0]);
        }
        Some((exponent, quotient))
    }

    /// The smallest power below one of what stands under a root.
    fn steepest(&self, root: Root) -> Option<RootOf> {
        let own = self.all_roots().filter(|found| Root(found.a) == root && found.exponent < 1.0);
        own.min_by(|a, b| a.exponent.total_cmp(&b.exponent))
    }

    /// How fast what stands under each of some roots that are zero grows with the roots themselves: row i has da_i'/dw_j, by the chain rule on series in
    /// the size of w_j. Of powers above one nothing grows to first order.
    pub fn growth_by_roots(&self, slots: &[f64], state: &[f64], roots: &[Root], jet: &mut Jet<f64>) -> Vec<Vec<f64>> {
        let mut growth = vec![vec![0.0; roots.len()]; roots.len()];
        let mut along = |tangents: &[f64], raised: Option<Row>| {
            jet.set_order(1);
            for (i, (&value, &tangent)) in state.iter().zip(tangents).enumerate() {
                jet.state_row(i)[..2].copy_from_slice(&[value, tangent]);
            }
            for instruction in &self.instructions {
                match RootOf::new(instruction) {
                    Some(RootOf { out, a, .. }) if roots.contains(&Root(a)) => {
                        let slope = if raised == Some(out) { 1.0 } else { 0.0 };
                        jet.row_mut(out)[..2].copy_from_slice(&[0.0, slope]);
                    }
                    _ => self.evaluate_series(instruction, slots, jet, 1),
                }
            }
            let rates: Vec<f64> = self.rates.iter().map(|&rate| jet.row(rate)[1]).collect();
            let under: Vec<f64> = roots.iter().map(|root| jet.row(root.0)[1]).collect();
            (rates, under)
        };
        let still = vec![0.0; self.states];
        for (j, &root) in roots.iter().enumerate() {
            let Some(RootOf { out, .. }) = self.steepest(root) else { continue };
            let (rates, _) = along(&still, Some(out));
            let (_, under) = along(&rates, None);
            growth.iter_mut().zip(under).for_each(|(row, entry)| row[j] = entry);
        }
        growth
    }

    /// The gradient of what stands under a root, by the states.
    pub fn gradient_under_root(&self, slots: &[f64], state: &[f64], root: Root, jet: &mut Jet<f64>) -> Vec<f64> {
        let slope = |moved: usize| {
            jet.set_order(1);
            for (i, &value) in state.iter().enumerate() {
                jet.state_row(i)[..2].copy_from_slice(&[value, if i == moved { 1.0 } else { 0.0 }]);
            }
            self.compose(slots, jet);
            jet.row(root.0)[1]
        };
        (0..self.states).map(slope).collect()
    }

    /// Whether everything under roots of a jet that falls within a length is zero there, to within a part of what it is at first; and whether
    /// there is any.
    pub fn roots_end_at(&self, jet: &Jet<f64>, length: f64, part: f64) -> bool {
        let value = |row: &[f64]| row.iter().rev().fold(0.0, |sum, &c| sum * length + c);
        let mut ends = false;
        for RootOf { a, .. } in self.all_roots() {
            let row = &jet.row(a)[..=jet.order().min(2)];
            let (first, last) = (row[0].abs(), value(row).abs());
            let falls = last <= part * first;
            if !falls && last < 0.5 * first {
                return false;
            }
            ends |= falls;
        }
        ends
    }

    /// Whether something under a square root of a jet grows so fast that it was zero no longer ago than a few times a length:
    /// series in time then are that short, and ever longer.
    pub fn has_left_root(&self, jet: &Jet<f64>, length: f64) -> bool {
        self.all_roots().any(|RootOf { a, .. }| {
            let row = jet.row(a);
            row[0] > 0.0 && row[0] <= FEW_LENGTHS * length * row[1]
        })
    }

    /// Expands the motion through a state in powers of time where a = w^2 under a square root leaves zero without a speed, as w = w_1 t + ... does:
    /// w_1 is the positive root of w_1^2 = a_2, and the equations w_1 w_k + ... = a_(k+1) of all others are linear, as a_(k+1) is linear in w_k. Whether
    /// it does so, as `leaves` says of a_1 and of a_2 without the root: if not, the jet is of no use.
    ///
    /// ```
    /// use saltation_expr::{Function, Graph, Jet, Tape};
    /// // x' = 3 s - sqrt x with s' = 1 from 0: x = s^2.
    /// let mut graph = Graph::new();
    /// let (x, s, one, three) = (graph.symbol("x"), graph.symbol("s"), graph.constant(1.0), graph.constant(3.0));
    /// let root = graph.apply(Function::Sqrt, x);
    /// let inflow = graph.multiply(three, s);
    /// let rate = graph.subtract(inflow, root);
    /// let tape = Tape::new(&graph, &[x, s], &[], &[rate, one], &[]);
    /// let (slots, mut jet) = (tape.bind(&[]), Jet::new(&tape));
    /// tape.expand(&slots, &[0.0, 0.0], 0, &mut jet);
    /// let roots = tape.roots_at_zero(&jet, |x: f64| x == 0.0);
    /// assert!(tape.expand_from_rest(&slots, &[0.0, 0.0], 5, roots[0], |first, second| first == 0.0 && second > 0.0, &mut jet));
    /// assert_eq!(jet.state(0), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    /// ```
    pub fn expand_from_rest<T: Number>(
        &self,
        slots: &[T],
        state: &[T],
        order: usize,
        root: Root,
        leaves: impl Fn(T, T) -> bool,
        jet: &mut Jet<T>,
    ) -> bool {
        // Other powers of the same have other series.
        let only_square = self.all_roots().all(|other| Root(other.a) != root || other.exponent == 0.5);
        if !only_square || order < 2 {
            return false;
        }
        let mut w = [T::ZERO; LENGTH];
        // The coefficient of order k + 1 under the root if w_k has some value.
        let under = |w: &[T; LENGTH], k: usize, jet: &mut Jet<T>| {
            self.iterate(slots, state, k + 1, (root, w), jet);
            jet.row(root.0)[k + 1]
        };
        for k in 1..order {
            w[k] = T::ZERO;
            let known = under(&w, k, jet);
            if k == 1 && !leaves(jet.row(root.0)[1], known) {
                return false;
            }
            w[k] = T::ONE;
            let slope = under(&w, k, jet) - known;
            w[k] = if k == 1 {
                (slope + (slope.square() + known.scale(4.0)).sqrt()).scale(0.5)
            } else {
                let carried = (2..k).map(|j| w[j] * w[k + 1 - j]).fold(T::ZERO, |sum, term| sum + term);
                (known - carried) / (w[1].scale(2.0) - slope)
            };
        }
        self.iterate(slots, state, order, (root, &w), jet);
        (0..self.states).all(|i| jet.state(i).iter().all(|c| c.is_finite()))
    }

    /// Picard iteration in powers of time, where a root is a known series.
    fn iterate<T: Number>(
        &self,
        slots: &[T],
        state: &[T],
        order: usize,
        (root, series): (Root, &[T; LENGTH]),
        jet: &mut Jet<T>,
    ) {
        jet.set_order(order);
        for (i, &value) in state.iter().enumerate() {
            *jet.state_row(i) = [T::ZERO; LENGTH];
            jet.state_row(i)[0] = value;
        }
        for _ in 0..=order {
            for instruction in &self.instructions {
                match *instruction {
                    Instruction::SquareRoot { out, a } if Root(a) == root => *jet.row_mut(out) = *series,
                    _ => self.evaluate_series(instruction, slots, jet, order),
                }
            }
            for (i, &rate) in self.rates.iter().enumerate() {
                for k in 1..=order {
                    jet.state_row(i)[k] = jet.row(rate)[k - 1].scale(1.0 / k as f64);
                }
            }
        }
    }

    /// Expands the motion through a state in powers of the square root of time, up to an order; all rows of the jet then are
    /// series in it. What stands under the `roots` begins with zero, whatever rounding has left of it. Whether this is possible: if not, the
    /// jet is of no use.
    ///
    /// ```
    /// use saltation_expr::{Function, Graph, Jet, Tape};
    /// // x' = 1 - sqrt x from 0: x = t - (2/3) t^(3/2) + t^2/6 + ...
    /// let mut graph = Graph::new();
    /// let (x, one) = (graph.symbol("x"), graph.constant(1.0));
    /// let root = graph.apply(Function::Sqrt, x);
    /// let rate = graph.subtract(one, root);
    /// let tape = Tape::new(&graph, &[x], &[], &[rate], &[]);
    /// let mut jet = Jet::new(&tape);
    /// assert!(tape.expand_in_root(&tape.bind(&[]), &[0.0], 8, &[], &mut jet));
    /// assert_eq!(jet.state(0)[..5], [0.0, 0.0, 1.0, -2.0 / 3.0, 1.0 / 6.0]);
    /// // x' = sqrt x from 0 has several solutions.
    /// let tape = Tape::new(&graph, &[x], &[], &[root], &[]);
    /// assert!(!tape.expand_in_root(&tape.bind(&[]), &[0.0], 8, &[], &mut jet));
    /// ```
    ///
    /// # Panics
    /// If the order is above [`HIGHEST_ORDER`](crate::jet::HIGHEST_ORDER).
    pub fn expand_in_root(
        &self,
        slots: &[f64],
        state: &[f64],
        order: usize,
        roots: &[Root],
        jet: &mut Jet<f64>,
    ) -> bool {
        jet.set_order(order);
        for (i, &value) in state.iter().enumerate() {
            *jet.state_row(i) = [0.0; LENGTH];
            jet.state_row(i)[0] = value;
        }
        let mut regular = false;
        for round in 1..=order {
            regular = true;
            for instruction in &self.instructions {
                match *instruction {
                    Instruction::SquareRoot { out, a } if roots.contains(&Root(a)) => {
                        jet.row_mut(a)[0] = 0.0;
                        regular &= root_of_zero(jet, out, a);
                    }
                    Instruction::SquareRoot { out, a } if jet.row(a)[0] == 0.0 => regular &= root_of_zero(jet, out, a),
                    _ => self.evaluate_series(instruction, slots, jet, order),
                }
            }
            for (i, &rate) in self.rates.iter().enumerate() {
                for k in 2..=order {
                    let next = 2.0 * jet.row(rate)[k - 2] / k as f64;
                    // Low coefficients of a root that its own argument is made of may not settle.
                    let last = std::mem::replace(&mut jet.state_row(i)[k], next);
                    regular &= round < order || 2 * k > order || (next - last).abs() <= UNSETTLED * next.abs();
                }
            }
        }
        regular && (0..self.states).all(|i| jet.state(i).iter().all(|c| c.is_finite()))
    }
}

/// The root of a series that begins with zero: s^m sqrt(b) for a = s^(2m) b. Whether it has one; a series without any
/// coefficient has the root zero here, and none that is known.
fn root_of_zero(jet: &mut Jet<f64>, out: Row, a: Row) -> bool {
    let order = jet.order();
    let mut root = [0.0; LENGTH];
    let series = *jet.row(a);
    let first = (0..=order).find(|&k| series[k] != 0.0);
    let regular = first.is_some_and(|first| first % 2 == 0 && series[first] > 0.0);
    if let (Some(first), true) = (first, regular) {
        let (b, m) = (&series[first..=order], first / 2);
        root[m] = b[0].sqrt();
        for k in 1..b.len() {
            let known: f64 = (1..k).map(|j| root[m + j] * root[m + k - j]).sum();
            root[m + k] = (b[k] - known) / (2.0 * root[m]);
        }
    }
    *jet.row_mut(out) = root;
    regular
}
