//! Tapes: a set of formulas as a flat list of instructions on rows of Taylor coefficients, for fast evaluation.
//!
//! A tape has *states* (they change along a motion), *parameters* (they do not), one *rate* per state and any number of
//! *outputs*. Everything that depends on parameters alone is computed once, when the tape is [bound](Tape::bind) to
//! parameter values. What depends on the states becomes a row of Taylor coefficients; sums with constant weights are one
//! instruction, whatever their length, so that only true products cost a convolution.
//!
//! The recurrences are the classical ones of automatic differentiation (Jorba & Zou, Exp. Math. 14 (2005), Sect. 3);
//! they stand in [`crate::jet`].

use saltation_numerics::number::Number;

use crate::function::Function;
use crate::tabulated::{Lookup, Part};

/// A row of Taylor coefficients in a jet.
pub type Row = u32;
/// A quantity that does not change along a motion.
pub type Slot = u32;

/// One instruction; `out` and the other written rows are written by no other instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Instruction {
    /// out = constant + sum of weight * row over `terms[first..last]`
    Linear { out: Row, constant: Slot, first: u32, last: u32 },
    /// out = a b
    Product { out: Row, a: Row, b: Row },
    /// out = a^2
    Square { out: Row, a: Row },
    /// out = a / b
    Quotient { out: Row, a: Row, b: Row },
    /// out = a / b, where a does not change
    Reciprocal { out: Row, a: Slot, b: Row },
    /// sin a, cos a; `slope` holds j a_j. With `steady` the rate of a is a constant where the states move with their rates: a wave.
    SineCosine { sine: Row, cosine: Row, slope: Row, a: Row, steady: bool },
    /// sinh a, cosh a
    HyperbolicSineCosine { sine: Row, cosine: Row, slope: Row, a: Row },
    /// tan a, with weight = 1 + tan^2 a
    Tangent { out: Row, weight: Row, slope: Row, a: Row },
    /// tanh a, with weight = 1 - tanh^2 a
    HyperbolicTangent { out: Row, weight: Row, slope: Row, a: Row },
    /// exp a
    Exponential { out: Row, slope: Row, a: Row },
    /// f(a) with f' = 1/weight: log, asin, acos, atan; `slope` holds j out_j
    Primitive { out: Row, slope: Row, a: Row, weight: Row, function: Function },
    /// sqrt a
    SquareRoot { out: Row, a: Row },
    /// one of two rows that are equal, as they are said to be where a is
    Either { out: Row, a: Row, near: Row, far: Row, rule: Rule },
    /// the side of zero on which a is: a constant
    Sign { out: Row, a: Row },
    /// a number of the piece of a table on which a is, by the place of the lookup in the tape: a constant
    Piece { out: Row, a: Row, lookup: u32, part: Part },
    /// a^c; `slope` holds j a_j, `own_slope` j out_j
    RealPower { out: Row, slope: Row, own_slope: Row, a: Row, exponent: f64 },
    /// atan2(y, x), with weight = x^2 + y^2; slopes hold j y_j, j x_j, j out_j
    Atan2 { out: Row, y: Row, x: Row, weight: Row, slopes: Row },
}

/// Which of two equal rows has a series that rounding does not spoil.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rule {
    /// The near one for |a| below this, and on |a| up to twice as much.
    Small(f64),
    /// The near one for negative a.
    Negative,
}

impl Rule {
    /// Whether the near row is taken where a has this value.
    #[inline(always)]
    pub(crate) fn is_near(self, a: f64) -> bool {
        match self {
            Rule::Small(bound) => a.abs() < bound,
            Rule::Negative => a < 0.0,
        }
    }
}

/// An instruction on quantities that do not change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fixed {
    Add(Slot, Slot),
    Subtract(Slot, Slot),
    Multiply(Slot, Slot),
    Divide(Slot, Slot),
    Negate(Slot),
    Power(Slot, f64),
    Apply(Function, Slot),
    Atan2(Slot, Slot),
    Piece(u32, Part, Slot),
}

/// Formulas compiled for evaluation.
///
/// ```
/// use saltation_expr::{Graph, Jet, Tape};
/// // x' = -k x, and the output x^2, from x = 1 with k = 2.
/// let mut graph = Graph::new();
/// let (x, k) = (graph.symbol("x"), graph.symbol("k"));
/// let product = graph.multiply(k, x);
/// let rate = graph.negate(product);
/// let square = graph.multiply(x, x);
/// let tape = Tape::new(&graph, &[x], &[k], &[rate], &[square]);
/// let fixed = tape.bind(&[2.0]);
/// let mut jet = Jet::new(&tape);
/// tape.expand(&fixed, &[1.0], 3, &mut jet);
/// assert_eq!(jet.state(0), [1.0, -2.0, 2.0, -4.0 / 3.0]); // exp(-2t)
/// assert_eq!(jet.output(&tape, 0)[..2], [1.0, -4.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Tape {
    pub(crate) states: usize,
    pub(crate) rows: usize,
    pub(crate) instructions: Vec<Instruction>,
    /// Those of the instructions that outputs need.
    pub(crate) output_instructions: Vec<Instruction>,
    pub(crate) terms: Vec<(Slot, Row)>,
    pub(crate) rates: Vec<Row>,
    pub(crate) outputs: Vec<Row>,
    pub(crate) affine: bool,
    /// Whether jets are computed by columns.
    pub(crate) wide: bool,
    /// Of a wide tape the sines and cosines, and what they need.
    pub(crate) waves: Vec<Instruction>,
    /// Which rows move at a constant rate where the states move with their rates: their series end with the first order.
    pub(crate) steady: Vec<bool>,
    /// The rows that are read outside of the tape: those of states, rates and outputs.
    pub(crate) seen: Vec<Row>,
    /// The rows whose sizes are factors in bounds of others.
    pub(crate) multiplied: Vec<Row>,
    pub(crate) parameters: usize,
    pub(crate) constants: Vec<f64>,
    pub(crate) fixed: Vec<Fixed>,
    /// The lookups of tables by the numbers that they have in the graph; each has a slot, after all others, for the piece that is held.
    pub(crate) lookups: Vec<(u32, Lookup)>,
}

impl Tape {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The number of rows of a jet, a measure of its memory.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The state that is the rate of another one, as a velocity is that of its coordinate.
    pub fn followed(&self, state: usize) -> Option<usize> {
        let row = *self.rates.get(state)? as usize;
        (row < self.states).then_some(row)
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Whether a state moves at a constant rate, as the phase of a forcing does.
    pub fn is_steady_state(&self, state: usize) -> bool {
        self.steady[state]
    }

    /// Whether an output moves at a constant rate.
    pub fn is_steady_output(&self, output: usize) -> bool {
        self.steady[self.outputs[output] as usize]
    }

    /// Whether an output has a row of its own in a jet, which is not that of a state or of an output before it.
    pub fn has_own_row(&self, output: usize) -> bool {
        let row = self.outputs[output];
        row as usize >= self.states && !self.outputs[..output].contains(&row)
    }

    /// The outputs that are the constant zero, whatever states and parameters are.
    pub fn vanishing_outputs(&self) -> Vec<bool> {
        let is_zero = |slot: Slot| {
            let constant = (slot as usize).checked_sub(self.parameters);
            constant.and_then(|k| self.constants.get(k)).is_some_and(|&c| c == 0.0)
        };
        let mut zero = vec![false; self.rows];
        for instruction in &self.instructions {
            if let Instruction::Linear { out, constant, first, last } = *instruction {
                zero[out as usize] = first == last && is_zero(constant);
            }
        }
        self.outputs.iter().map(|&row| zero[row as usize]).collect()
    }

    /// The number of instructions on rows, a measure of the cost of one order of a jet.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether all rates and outputs are affine in the states: the tape has sums only. The series of a motion then ends where
    /// one order of all states vanishes.
    pub fn is_affine(&self) -> bool {
        self.affine
    }

    /// Whether there is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The instructions that the rows need, in order.
    pub(crate) fn instructions_for(&self, rows: &[Row]) -> Vec<Instruction> {
        let mut needed = vec![false; self.rows];
        for &row in rows {
            needed[row as usize] = true;
        }
        let mut kept = Vec::new();
        for instruction in self.instructions.iter().rev() {
            if instruction.written().iter().any(|&row| needed[row as usize]) {
                kept.push(*instruction);
                for row in instruction.read(&self.terms) {
                    needed[row as usize] = true;
                }
            }
        }
        kept.reverse();
        kept
    }

    /// Notes which rows are read by whom.
    pub(crate) fn note_readers(&mut self) {
        let once = |mut rows: Vec<Row>| {
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        self.seen = once(
            (0..self.states as Row).chain(self.rates.iter().copied()).chain(self.outputs.iter().copied()).collect(),
        );
        self.multiplied = once(self.instructions.iter().flat_map(Instruction::multiplied).flatten().collect());
    }

    /// Marks the sines and cosines of what moves at a constant rate: states whose rates are constants, and sums of them.
    pub(crate) fn mark_waves(&mut self) {
        let mut constant = vec![false; self.rows];
        for instruction in &self.instructions {
            if let Instruction::Linear { out, first, last, .. } = *instruction {
                constant[out as usize] = first == last;
            }
        }
        let mut moves_steadily: Vec<bool> = self.rates.iter().map(|&rate| constant[rate as usize]).collect();
        moves_steadily.resize(self.rows, false);
        for instruction in &mut self.instructions {
            match instruction {
                Instruction::Linear { out, first, last, .. } => {
                    let terms = &self.terms[*first as usize..*last as usize];
                    moves_steadily[*out as usize] = terms.iter().all(|&(_, row)| moves_steadily[row as usize]);
                }
                Instruction::SineCosine { steady, a, .. } => *steady = moves_steadily[*a as usize],
                _ => {}
            }
        }
        self.steady = moves_steadily;
    }

    /// Computes everything that depends on the parameters alone. `parameters` as given to [`Tape::new`].
    pub fn bind<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let mut fixed = Vec::new();
        self.bind_into(parameters, &mut fixed);
        fixed
    }

    /// The values of the outputs of a tape without states: formulas of the parameters alone.
    ///
    /// # Panics
    /// If the tape has states.
    ///
    /// ```
    /// use saltation_expr::{Graph, Tape};
    /// let mut graph = Graph::new();
    /// let (k, m) = (graph.symbol("k"), graph.symbol("m"));
    /// let ratio = graph.divide(k, m);
    /// let tape = Tape::new(&graph, &[], &[k, m], &[], &[ratio, k, ratio]);
    /// assert_eq!(tape.values(&[3.0, 2.0]), [1.5, 3.0, 1.5]);
    /// ```
    pub fn values<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        assert_eq!(self.states, 0, "formulas of parameters alone");
        let slots = self.bind(parameters);
        // Without states every instruction fills one row with a constant, in their order.
        let value = |&row: &Row| match self.instructions[row as usize] {
            Instruction::Linear { constant, .. } => slots[constant as usize],
            ref instruction => unreachable!("{instruction:?} moves"),
        };
        self.outputs.iter().map(value).collect()
    }

    /// [`Tape::bind`] into a vector that is used again.
    pub fn bind_into<T: Number>(&self, parameters: &[T], slots: &mut Vec<T>) {
        assert_eq!(parameters.len(), self.parameters, "one value per parameter");
        slots.clear();
        slots.reserve(parameters.len() + self.constants.len() + self.fixed.len());
        slots.extend_from_slice(parameters);
        slots.extend(self.constants.iter().map(|&c| T::from_f64(c)));
        for instruction in &self.fixed {
            let of = |s: Slot| slots[s as usize];
            let value = match *instruction {
                Fixed::Add(a, b) => of(a) + of(b),
                Fixed::Subtract(a, b) => of(a) - of(b),
                Fixed::Multiply(a, b) => of(a) * of(b),
                Fixed::Divide(a, b) => of(a) / of(b),
                Fixed::Negate(a) => -of(a),
                Fixed::Power(a, c) => raise(of(a), c),
                Fixed::Apply(f, a) => f.at(of(a)),
                Fixed::Atan2(y, x) => of(y).atan2(of(x)),
                Fixed::Piece(lookup, part, a) => T::from_f64(self.lookups[lookup as usize].1.at(part, of(a).value())),
            };
            slots.push(value);
        }
        if self.is_wide() {
            // The weights of all terms, in their order.
            slots.reserve(self.terms.len());
            for &(weight, _) in &self.terms {
                slots.push(slots[weight as usize]);
            }
        }
        // No piece is held.
        slots.extend(self.lookups.iter().map(|_| T::from_f64(f64::NAN)));
    }
}

impl Tape {
    /// The lookups of the tape, by their numbers in the graph.
    pub fn lookups(&self) -> impl Iterator<Item = u32> + '_ {
        self.lookups.iter().map(|(number, _)| *number)
    }

    /// Holds in slots what others hold, on another kind of number.
    pub fn hold_like<S: Number, T: Number>(&self, held: &[S], slots: &mut [T]) {
        let count = self.lookups.len();
        let (from, to) = (held.len() - count, slots.len() - count);
        slots[to..].iter_mut().zip(&held[from..]).for_each(|(slot, held)| *slot = T::from_f64(held.value()));
    }

    /// Whether there are any.
    pub fn has_lookups(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// Holds the pieces of lookups, given by their numbers in the graph, in slots from [`Tape::bind`]: each stays the same whatever its argument is. Where a piece
    /// is `None`, and where none was ever held, the value of the argument says which it is.
    pub fn hold<T: Number>(&self, slots: &mut [T], pieces: &[Option<i64>]) {
        let first = slots.len() - self.lookups.len();
        for (slot, (number, _)) in slots[first..].iter_mut().zip(&self.lookups) {
            // Numbers of pieces are below 2^53.
            let piece = pieces.get(*number as usize).copied().flatten();
            *slot = T::from_f64(piece.map_or(f64::NAN, |piece| piece as f64));
        }
    }

    /// A number of a piece: of the one that is held, or else of that on which x lies.
    #[inline(always)]
    pub(crate) fn piece<T: Number>(&self, slots: &[T], (lookup, part): (u32, Part), x: f64) -> f64 {
        let known = &self.lookups[lookup as usize].1;
        let held = slots[slots.len() - self.lookups.len() + lookup as usize].value();
        if held.is_nan() { known.at(part, x) } else { known.of(part, held as i64) }
    }
}

/// x^c on any kind of number: by squaring for integers, so that negative bases are allowed.
pub(crate) fn raise<T: Number>(x: T, c: f64) -> T {
    if let Some(n) = small_integer(c) {
        let mut power = T::ONE;
        let mut base = x;
        let mut rest = n.unsigned_abs();
        while rest > 0 {
            if rest & 1 == 1 {
                power *= base;
            }
            rest >>= 1;
            if rest > 0 {
                base = base.square();
            }
        }
        return if n < 0 { power.reciprocal() } else { power };
    }
    x.powf(c)
}

/// The exponent as an integer, if it is one that repeated squaring should handle.
pub(crate) fn small_integer(c: f64) -> Option<i32> {
    (c.fract() == 0.0 && c.abs() <= 64.0).then_some(c as i32)
}

impl Instruction {
    /// The instruction on series that need not be those of a motion.
    pub(crate) fn on_any_series(mut self) -> Instruction {
        if let Instruction::SineCosine { steady, .. } = &mut self {
            *steady = false;
        }
        self
    }

    /// The rows that other instructions may read.
    pub(crate) fn written(&self) -> [Row; 2] {
        match *self {
            Instruction::SineCosine { sine, cosine, .. } | Instruction::HyperbolicSineCosine { sine, cosine, .. } => {
                [sine, cosine]
            }
            Instruction::Linear { out, .. }
            | Instruction::Product { out, .. }
            | Instruction::Square { out, .. }
            | Instruction::Quotient { out, .. }
            | Instruction::Reciprocal { out, .. }
            | Instruction::Tangent { out, .. }
            | Instruction::HyperbolicTangent { out, .. }
            | Instruction::Exponential { out, .. }
            | Instruction::Primitive { out, .. }
            | Instruction::SquareRoot { out, .. }
            | Instruction::Either { out, .. }
            | Instruction::Sign { out, .. }
            | Instruction::Piece { out, .. }
            | Instruction::RealPower { out, .. }
            | Instruction::Atan2 { out, .. } => [out, out],
        }
    }

    /// The rows whose sizes are factors in the bounds of the instruction.
    fn multiplied(&self) -> [Option<Row>; 4] {
        match *self {
            Instruction::Linear { .. } => [None; 4],
            Instruction::Product { a, b, .. } => [Some(a), Some(b), None, None],
            Instruction::Square { a, .. } => [Some(a), None, None, None],
            Instruction::Quotient { out, b, .. } | Instruction::Reciprocal { out, b, .. } => {
                [Some(b), Some(out), None, None]
            }
            Instruction::SineCosine { sine, cosine, a, .. }
            | Instruction::HyperbolicSineCosine { sine, cosine, a, .. } => [Some(sine), Some(cosine), Some(a), None],
            Instruction::Tangent { out, weight, a, .. }
            | Instruction::HyperbolicTangent { out, weight, a, .. }
            | Instruction::Primitive { out, a, weight, .. } => [Some(out), Some(weight), Some(a), None],
            Instruction::Piece { out, .. } => [Some(out), None, None, None],
            Instruction::Sign { out, a } | Instruction::Either { out, a, .. } => [Some(out), Some(a), None, None],
            Instruction::Exponential { out, a, .. } | Instruction::RealPower { out, a, .. } => {
                [Some(out), Some(a), None, None]
            }
            Instruction::SquareRoot { out, .. } => [Some(out), None, None, None],
            Instruction::Atan2 { out, y, x, weight, .. } => [Some(out), Some(y), Some(x), Some(weight)],
        }
    }

    pub(crate) fn read(&self, terms: &[(Slot, Row)]) -> Vec<Row> {
        match *self {
            Instruction::Linear { first, last, .. } => {
                terms[first as usize..last as usize].iter().map(|&(_, row)| row).collect()
            }
            Instruction::Product { a, b, .. } | Instruction::Quotient { a, b, .. } => vec![a, b],
            Instruction::Reciprocal { b, .. } => vec![b],
            Instruction::Square { a, .. }
            | Instruction::SineCosine { a, .. }
            | Instruction::HyperbolicSineCosine { a, .. }
            | Instruction::Tangent { a, .. }
            | Instruction::HyperbolicTangent { a, .. }
            | Instruction::Exponential { a, .. }
            | Instruction::SquareRoot { a, .. }
            | Instruction::Sign { a, .. }
            | Instruction::Piece { a, .. }
            | Instruction::RealPower { a, .. } => vec![a],
            Instruction::Primitive { a, weight, .. } => vec![a, weight],
            Instruction::Either { a, near, far, .. } => vec![a, near, far],
            Instruction::Atan2 { y, x, weight, .. } => vec![y, x, weight],
        }
    }
}
