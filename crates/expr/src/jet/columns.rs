//! One order of a large set of sums, computed on a column: the coefficients of this order of all rows, side by side.
//!
//! A row holds all orders of one formula, as products of series need them. Sums need one order of many formulas: the rows of a large structure
//! exceed the nearest memory of a processor, and a column does not. Among the sums may be sines and cosines of what moves at a constant rate, as the phase of a
//! forcing does; they are computed on rows. States, outputs and waves are kept as rows; nothing reads the others.

use saltation_numerics::number::Number;

use saltation_numerics::vectors::Portable;

use super::{AnyOrder, Jet, Rows};
use crate::tape::{Instruction, Row, Tape};

/// Tapes with more rows than this are computed on columns: with 32 orders each, they exceed the nearest memory.
const MOST_ROWS: usize = 128;
/// So many sines and cosines at most are among the sums of a wide tape.
const MOST_WAVES: usize = 32;

/// The coefficients of one order.
#[derive(Debug, Clone)]
pub(super) struct Column<T> {
    /// Those of all rows.
    values: Vec<T>,
    /// The next ones of the states.
    next: Vec<T>,
    /// The order of the states in it, if it is that of their rows.
    pub order: Option<usize>,
}

impl<T: Number> Column<T> {
    /// Room for a tape; none if it is computed on rows.
    pub(super) fn new(tape: &Tape) -> Column<T> {
        let (rows, states) = if tape.is_wide() { (tape.rows, tape.states) } else { (0, 0) };
        Column { values: vec![T::ZERO; rows], next: vec![T::ZERO; states], order: None }
    }
}

impl Tape {
    /// Whether the tape is a large set of sums of states and of sines and cosines of what moves at a constant rate. A jet keeps the series of states, outputs and
    /// these waves only.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// The sines and cosines among the sums of a wide tape, orders 0 to [`Jet::order`]; complete after [`Tape::finish`].
    pub fn waves<'j, T: Number>(&'j self, jet: &'j Jet<T>) -> impl Iterator<Item = &'j [T]> {
        let waves = self.waves.iter().filter(|wave| matches!(wave, Instruction::SineCosine { .. }));
        waves.flat_map(|wave| wave.written()).map(|row| &jet.rows[row as usize][..=jet.order])
    }

    /// The rows of the sines and cosines, if the tape has many rows and consists of sums and of a few of these.
    pub(crate) fn sums_and_waves(&self) -> Option<Vec<Row>> {
        if self.rows <= MOST_ROWS || self.rates.is_empty() {
            return None;
        }
        let mut waves = Vec::new();
        for instruction in &self.instructions {
            match *instruction {
                Instruction::Linear { .. } => {}
                Instruction::SineCosine { sine, steady: true, .. } => waves.push(sine),
                _ => return None,
            }
        }
        (waves.len() <= MOST_WAVES).then_some(waves)
    }

    /// Makes the tape one that is computed by columns.
    pub(crate) fn widen(&mut self, waves: &[Row]) {
        self.wide = true;
        self.waves = self.instructions_for(waves);
        // What was computed last enters last, so that little has to wait for it.
        for instruction in &self.instructions {
            if let Instruction::Linear { first, last, .. } = *instruction {
                self.terms[first as usize..last as usize].sort_by_key(|&(_, row)| row);
            }
        }
    }

    /// The number of terms of all its sums: with [`Tape::len`] the work of one order of a wide tape.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// As [`Tape::pass`](super), for a wide tape.
    pub(super) fn pass_column<T: Number>(
        &self,
        slots: &[T],
        jet: &mut Jet<T>,
        (instructions, rates): (&[Instruction], &[Row]),
        k: usize,
    ) {
        let inverse = T::from_f64(k as f64).reciprocal();
        for wave in &self.waves {
            let rows = Rows::of(jet);
            match k {
                0 => self.first(wave, slots, rows),
                _ => self.next(Portable, wave, slots, rows, AnyOrder(k), inverse),
            }
        }
        let Jet { rows, column: Column { values, next, order }, .. } = jet;
        for row in self.waves.iter().flat_map(Instruction::written) {
            values[row as usize] = rows[row as usize][k];
        }
        if *order != Some(k) {
            for (value, row) in values.iter_mut().zip(&rows[..self.states]) {
                *value = row[k];
            }
        }
        let weights = &slots[slots.len() - self.terms.len()..];
        for instruction in instructions {
            let Instruction::Linear { out, constant, first, last } = *instruction else { continue };
            let mut sum = if k == 0 { slots[constant as usize] } else { T::ZERO };
            let terms = first as usize..last as usize;
            for (&weight, &(_, row)) in weights[terms.clone()].iter().zip(&self.terms[terms]) {
                sum += weight * values[row as usize];
            }
            values[out as usize] = sum;
        }
        for &output in &self.outputs {
            rows[output as usize][k] = values[output as usize];
        }
        *order = Some(k);
        if rates.is_empty() {
            return;
        }
        let inverse = T::from_f64((k + 1) as f64).reciprocal();
        for ((next, row), &rate) in next.iter_mut().zip(rows.iter_mut()).zip(rates) {
            *next = values[rate as usize] * inverse;
            row[k + 1] = *next;
        }
        values[..self.states].copy_from_slice(next);
        *order = Some(k + 1);
    }
}
