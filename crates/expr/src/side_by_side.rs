//! The jets of several motions on one tape at once, in the lanes of the vector unit: what is in a lane has the bits that its motion has alone.
//!
//! Going through the instructions costs as much as the sums of products do, and the sums of one motion wait for each other. Motions side by side share the way, and
//! fill the vectors without any order being turned round.

use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::Number;
use saltation_numerics::vectors::{Loop, Unit, Vectors};

use crate::jet::listing::{AnyOrder, Listing};
use crate::jet::{Jet, Rows};
use crate::remainder::{Remainder, Series};
use crate::tape::{Row, Tape};

/// The coefficients in a row, orders 0 to 29: no power of two, so that rows do not compete for the same places of the nearest memory.
const ORDERS: usize = 30;

/// The jets of eight motions on one tape, made once and filled again and again without allocation.
///
/// ```
/// use saltation_expr::{Graph, Jet, SideBySide, Tape};
/// // x' = k x from x = 1, 2, 3, 4 with k = 1, 2, 3, 4.
/// let mut graph = Graph::new();
/// let (x, k) = (graph.symbol("x"), graph.symbol("k"));
/// let rate = graph.multiply(k, x);
/// let tape = Tape::new(&graph, &[x], &[k], &[rate], &[]);
/// let mut together = SideBySide::new(&tape);
/// for lane in 0..4 {
///     together.place(lane, &tape.bind(&[1.0 + lane as f64]), &[1.0 + lane as f64]);
/// }
/// let mut jet = Jet::new(&tape);
/// if jet.has_lanes() {
///     together.expand(&tape, 3);
///     together.give(&tape, 2, true, &mut jet);
///     assert_eq!(jet.state(0), [3.0, 9.0, 13.5, 13.5]);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct SideBySide {
    rows: Vec<[Lanes; ORDERS]>,
    slots: Vec<Lanes>,
    order: usize,
    bounds: Remainder<Lanes>,
    vectors: Vectors,
}

impl SideBySide {
    /// How many motions stand side by side.
    pub const COUNT: usize = Lanes::COUNT;
    /// The highest order of these jets.
    pub const HIGHEST_ORDER: usize = ORDERS - 1;

    /// Room for the jets of motions on a tape, filled by the fastest arithmetic of the processor.
    pub fn new(tape: &Tape) -> SideBySide {
        SideBySide::on(tape, Vectors::of_process())
    }

    /// The same with a certain form of arithmetic.
    pub fn on(tape: &Tape, vectors: Vectors) -> SideBySide {
        SideBySide {
            rows: vec![[Lanes::ZERO; ORDERS]; tape.rows],
            slots: Vec::new(),
            order: 0,
            bounds: Remainder::default(),
            vectors,
        }
    }

    /// Puts a motion into a lane: its `slots`, from [`Tape::bind`], and its state.
    ///
    /// # Panics
    /// If there are not so many lanes.
    pub fn place(&mut self, lane: usize, slots: &[f64], state: &[f64]) {
        self.slots.resize(slots.len(), Lanes::ZERO);
        for (slot, &value) in self.slots.iter_mut().zip(slots) {
            slot.set(lane, value);
        }
        for (row, &value) in self.rows.iter_mut().zip(state) {
            row[0].set(lane, value);
        }
    }

    /// Computes the jets of the motions through the states that were placed up to an order, outputs included.
    ///
    /// # Panics
    /// Above [`SideBySide::HIGHEST_ORDER`], on a [wide](Tape::is_wide) tape, and where a jet [has no lanes](Jet::has_lanes).
    pub fn expand(&mut self, tape: &Tape, order: usize) {
        assert!(order < ORDERS && !tape.is_wide(), "no room for this order, or a wide tape");
        assert!(self.vectors.are_wide(), "the processor or a portable process has no vectors of four");
        self.order = order;
        let SideBySide { rows, slots, vectors, .. } = self;
        let states = Listing { tape, slots, instructions: &tape.instructions, rates: &tape.rates };
        let outputs = Listing { tape, slots, instructions: &tape.output_instructions, rates: &[] };
        let rows = Rows::among(rows);
        match order {
            0 => outputs.begin(rows),
            _ => {
                states.begin(rows);
                vectors.run_wide(Passes { states, outputs, rows, order });
            }
        }
    }

    pub(crate) fn row(&self, row: Row) -> &[Lanes] {
        &self.rows[row as usize]
    }

    /// The coefficients of a state in all lanes.
    #[inline]
    pub fn state(&self, state: usize) -> &[Lanes] {
        &self.rows[state][..=self.order]
    }

    /// The coefficients of an output in all lanes.
    #[inline]
    pub fn output(&self, tape: &Tape, output: usize) -> &[Lanes] {
        &self.rows[tape.outputs[output] as usize][..=self.order]
    }

    /// The vector unit on which it is computed.
    pub fn vectors(&self) -> Vectors {
        self.vectors
    }

    /// Bounds what the series leave out, each lane on a step of its own length, as [`Tape::bound_roughly`] does for one motion, or for no tolerance as
    /// [`Tape::bound`].
    pub fn bound(&mut self, tape: &Tape, lengths: Lanes, tolerance: Option<f64>) {
        let SideBySide { rows, slots, order, vectors, bounds, .. } = self;
        let series = Known { rows, order: *order };
        tape.bound_side_by_side(slots, (&series, *vectors), (lengths, tolerance), bounds);
    }

    /// The bounds that were found last.
    pub fn bounds(&self) -> &Remainder<Lanes> {
        &self.bounds
    }

    /// The highest order that has been computed.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Copies the jet of a lane: all rows, or only those of states, rates and outputs, with the values of the others.
    ///
    /// # Panics
    /// If there are not so many lanes.
    pub fn give(&self, tape: &Tape, lane: usize, all: bool, jet: &mut Jet<f64>) {
        jet.set_order(self.order);
        let copy = |to: &mut [f64], from: &[Lanes]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from.lane(lane);
            }
        };
        if all {
            for (to, from) in jet.rows.iter_mut().zip(&self.rows) {
                copy(to, &from[..=self.order]);
            }
            return;
        }
        for (to, from) in jet.rows.iter_mut().zip(&self.rows) {
            to[0] = from[0].lane(lane);
        }
        for &row in &tape.seen {
            copy(&mut jet.rows[row as usize], &self.rows[row as usize][..=self.order]);
        }
    }
}

/// The series of all lanes.
struct Known<'a> {
    rows: &'a [[Lanes; ORDERS]],
    order: usize,
}

impl Series<Lanes> for Known<'_> {
    #[inline(always)]
    fn row(&self, row: Row) -> &[Lanes] {
        &self.rows[row as usize]
    }

    #[inline(always)]
    fn order(&self) -> usize {
        self.order
    }
}

/// All orders from 1 on: one piece of code for the vector unit.
struct Passes<'a> {
    states: Listing<'a, Lanes>,
    outputs: Listing<'a, Lanes>,
    rows: Rows<'a, Lanes, ORDERS>,
    order: usize,
}

impl Loop for Passes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let Passes { states, outputs, rows, order } = self;
        for k in 1..order {
            states.pass(unit, rows, AnyOrder(k));
        }
        outputs.pass(unit, rows, AnyOrder(order));
    }
}
