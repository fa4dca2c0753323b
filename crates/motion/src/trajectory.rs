//! Dense output: the state at any time, on the polynomials of the steps.

use saltation_expr::Jet;
use saltation_numerics::polynomial;

use crate::mode::{ClosedSet, Constraint, Support};

/// One step of a motion: every state as a polynomial in the time since `start`.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// When the step began.
    pub start: f64,
    /// How long it is.
    pub length: f64,
    /// The contacts closed during the step.
    pub closed: ClosedSet,
    /// Whether the step stands for the rest of a chattering sequence: it then runs along the surface.
    pub completes_chatter: bool,
    /// Their constraints without a force.
    pub(crate) redundant: &'a [Constraint],
    pub(crate) rows: Rows<'a>,
    pub(crate) states: usize,
}

/// Where the coefficients of a step are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows<'a> {
    Jet(&'a Jet<f64>),
    /// Rows of `order` + 1 coefficients, one after another.
    Table {
        coefficients: &'a [f64],
        order: usize,
    },
}

impl Piece<'_> {
    /// The closed contacts, and which of them carry.
    pub fn support(&self) -> Support<'_> {
        Support { closed: self.closed, redundant: Some(self.redundant) }
    }

    /// The coefficients of a state in powers of the time since the start of the step, constant term first.
    #[inline]
    pub fn polynomial(&self, state: usize) -> &[f64] {
        match self.rows {
            Rows::Jet(jet) => jet.state(state),
            Rows::Table { coefficients, order } => &coefficients[state * (order + 1)..(state + 1) * (order + 1)],
        }
    }

    /// The order of the polynomials.
    pub fn order(&self) -> usize {
        match self.rows {
            Rows::Jet(jet) => jet.order(),
            Rows::Table { order, .. } => order,
        }
    }

    /// The state at a time `since` the start of the step, one entry per state.
    pub fn evaluate(&self, since: f64, state: &mut [f64]) {
        for (i, value) in state.iter_mut().enumerate().take(self.states) {
            *value = horner(self.polynomial(i), since);
        }
    }
}

/// The value of a polynomial.
#[inline]
pub(crate) fn horner(coefficients: &[f64], s: f64) -> f64 {
    polynomial::evaluate(coefficients, s)
}

#[derive(Debug, Clone, Copy)]
struct Stored {
    start: f64,
    length: f64,
    closed: ClosedSet,
    completes_chatter: bool,
    /// Where the list of its constraints without a force is.
    redundant: usize,
    order: usize,
    first: usize,
}

/// A whole motion as polynomials.
///
/// At an impact the motion is double valued; [`Trajectory::at`] gives the state after it. Between the last impact that was
/// followed and the end of a chattering sequence the path runs along the surface; the bounces left out there are
/// smaller than a millionth of the first of their sequence.
#[derive(Debug, Clone, Default)]
pub struct Trajectory {
    states: usize,
    pieces: Vec<Stored>,
    coefficients: Vec<f64>,
    /// Every list of constraints without a force, once.
    redundant: Vec<Vec<Constraint>>,
}

impl Trajectory {
    /// An empty trajectory of a system with this many states.
    pub fn new(states: usize) -> Trajectory {
        Trajectory { states, ..Trajectory::default() }
    }

    /// Adds a step; steps come in the order of time.
    pub fn push(&mut self, piece: &Piece) {
        let first = self.coefficients.len();
        for state in 0..self.states {
            self.coefficients.extend_from_slice(piece.polynomial(state));
        }
        let known = self.redundant.iter().rposition(|redundant| redundant == piece.redundant);
        let redundant = known.unwrap_or_else(|| {
            self.redundant.push(piece.redundant.to_vec());
            self.redundant.len() - 1
        });
        self.pieces.push(Stored {
            start: piece.start,
            length: piece.length,
            closed: piece.closed,
            completes_chatter: piece.completes_chatter,
            redundant,
            order: piece.order(),
            first,
        });
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The first and the last time; `None` if there is no step.
    pub fn span(&self) -> Option<(f64, f64)> {
        let (first, last) = (self.pieces.first()?, self.pieces.last()?);
        Some((first.start, last.start + last.length))
    }

    /// The steps in order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        self.pieces.iter().map(|stored| self.view(stored))
    }

    /// The step that holds a time; times outside the motion belong to its first or last step.
    pub fn piece_at(&self, time: f64) -> Option<Piece<'_>> {
        let after = self.pieces.partition_point(|piece| piece.start <= time);
        self.pieces.get(after.saturating_sub(1)).map(|stored| self.view(stored))
    }

    /// The state at a time, one entry per state; times outside the motion give its ends, and an empty trajectory nothing.
    pub fn at(&self, time: f64) -> Vec<f64> {
        let mut state = vec![0.0; self.states];
        match self.piece_at(time) {
            Some(piece) => piece.evaluate((time - piece.start).clamp(0.0, piece.length), &mut state),
            None => state.clear(),
        }
        state
    }

    fn view(&self, stored: &Stored) -> Piece<'_> {
        let size = self.states * (stored.order + 1);
        Piece {
            start: stored.start,
            length: stored.length,
            closed: stored.closed,
            completes_chatter: stored.completes_chatter,
            redundant: &self.redundant[stored.redundant],
            rows: Rows::Table {
                coefficients: &self.coefficients[stored.first..stored.first + size],
                order: stored.order,
            },
            states: self.states,
        }
    }
}
