//! The series of a motion in s = sqrt t where a square root vanishes at the start, by Picard iteration.
//!
//! From x = 0 with x' > 0 the root of x grows as sqrt t: its series in t does not exist, and that of x = a t + b t^(3/2) + ...
//! does not exist beyond its first term. In s everything is regular as long as what stands under a root begins with an even power of s and a
//! positive coefficient (Puiseux). With t = s^2 the integral of a rate is that of 2 s times the rate, so that every iteration
//! adds at least one right coefficient.

use crate::jet::{Jet, LENGTH};
use crate::tape::{Instruction, Row, Tape};
use saltation_numerics::number::Number;

/// A step of a series of order 20 is this part of the way to a singularity, or longer, by far.
const FEW_LENGTHS: f64 = 100.0;

/// What stands under a square root of a tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Root(Row);

impl Tape {
    /// Whether there are square roots, or half-integer powers, of what depends on states.
    pub fn has_roots(&self) -> bool {
        self.instructions.iter().any(|instruction| matches!(instruction, Instruction::SquareRoot { .. }))
    }

    /// What stands under square roots and is zero in an expansion, as `is_zero` says of its first coefficients.
    pub fn roots_at_zero<T: Number>(&self, jet: &Jet<T>, is_zero: impl Fn(T) -> bool) -> Vec<Root> {
        let roots = self.instructions.iter().filter_map(|instruction| match *instruction {
            Instruction::SquareRoot { a, .. } => Some(Root(a)),
            _ => None,
        });
        roots.filter(|root| is_zero(jet.row(root.0)[0])).collect()
    }

    /// Whether everything under square roots of a jet that falls within a length is zero there, to within a part of what it is at first; and whether
    /// there is any.
    pub fn roots_end_at(&self, jet: &Jet<f64>, length: f64, part: f64) -> bool {
        let value = |row: &[f64]| row.iter().rev().fold(0.0, |sum, &c| sum * length + c);
        let mut ends = false;
        for instruction in &self.instructions {
            if let Instruction::SquareRoot { a, .. } = *instruction {
                let row = &jet.row(a)[..=jet.order().min(2)];
                let (first, last) = (row[0].abs(), value(row).abs());
                let falls = last <= part * first;
                if !falls && last < 0.5 * first {
                    return false;
                }
                ends |= falls;
            }
        }
        ends
    }

    /// Whether something under a square root of a jet grows so fast that it was zero no longer ago than a few times a length:
    /// series in time then are that short, and ever longer.
    pub fn has_left_root(&self, jet: &Jet<f64>, length: f64) -> bool {
        self.instructions.iter().any(|instruction| match *instruction {
            Instruction::SquareRoot { a, .. } => {
                let row = jet.row(a);
                row[0] > 0.0 && row[0] <= FEW_LENGTHS * length * row[1]
            }
            _ => false,
        })
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
        for _ in 0..order {
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
                    jet.state_row(i)[k] = 2.0 * jet.row(rate)[k - 2] / k as f64;
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
