//! The pieces of tables on which a motion is: steps end where the argument of one reaches the end of its piece, and the next piece is entered there.
//!
//! A piece is held whatever rounding says of its argument, as the side of a switch is: where the argument has come to a knot it is on the knot by definition, and
//! goes to the piece into which its first coefficient leads that is not zero. Fields that jump there take the derivatives through it as a switch does.

use saltation_numerics::polynomial::first_descent;
use saltation_numerics::rounded::Rounded;

use super::automaton::{Automaton, BoundSystem, Instant, Joint};
use super::knots::{End, Pieces};
use crate::ended::Ended;

/// Arguments this close to a knot, in units of rounding of the sizes of both, are on it.
pub(crate) const ON_KNOT: f64 = 16.0 * f64::EPSILON;
/// An argument that has arrived at a knot is this close to it, if no jump has taken it elsewhere.
const ARRIVED: f64 = 1e-9;
/// The order up to which arguments on a knot are looked at.
const ORDER: usize = 4;
/// Rates and forces that change by less than this at a knot, relative to their sizes, do not jump: their tables have coefficients with so much rounding.
pub(crate) const NO_JUMP: f64 = 1e-10;

/// What happens to an argument at the start of a step.
enum Step {
    /// It is on its piece.
    Stays(Option<(End, usize)>),
    /// It enters another piece; whether the knot between them is passed, and not jumped over.
    Enters(i64, bool),
}

impl Automaton<'_> {
    /// No piece is known any more.
    pub(super) fn release_pieces(&mut self) {
        self.now.pieces.held.fill(None);
        self.now.pieces.reached.fill(None);
        self.hold_pieces();
    }

    /// All modes and laws hold the pieces on which the trajectory is.
    fn hold_pieces(&mut self) {
        let Automaton {
            system,
            modes,
            variation,
            bound: BoundSystem { laws, .. },
            joint: Joint { group, .. },
            now: Instant { pieces, .. },
            ..
        } = self;
        let held = &pieces.held;
        modes.list.iter_mut().for_each(|mode| mode.hold(held));
        laws.iter_mut().zip(&system.laws).for_each(|(bound, law)| bound.hold(law, held));
        group.hold(system, held);
        for motion in &mut variation.motions {
            motion.laws.iter_mut().zip(&system.laws).for_each(|(bound, law)| bound.hold(law, held));
            motion.group.hold(system, held);
        }
    }

    /// Finds the pieces on which the motion goes on from the present state.
    ///
    /// # Errors
    /// An argument where its table has no value, and one that a jump holds at a knot.
    pub(crate) fn settle_pieces(&mut self) -> Result<(), Ended> {
        if self.modes.now().lookups.is_empty() {
            return Ok(());
        }
        let arrives = self.flow.last_step.length == self.now.pieces.length;
        if !arrives {
            self.now.pieces.reached.fill(None);
        }
        self.now.pieces.length = f64::NAN;
        // Every lookup enters a piece once: one that would go back is held at its knot.
        self.now.pieces.entered.clear();
        loop {
            self.modes.now_mut().probe(&self.now.state, ORDER);
            let mut moved = None;
            for k in 0..self.modes.now().lookups.len() {
                let (lookup, output) = self.modes.now().lookups[k];
                match self.look_at_knot(lookup, output)? {
                    Step::Stays(on) => self.now.pieces.on[lookup as usize] = on,
                    Step::Enters(piece, passes) => {
                        moved = Some((lookup, output, piece, passes));
                        break;
                    }
                }
            }
            let Some((lookup, output, piece, passes)) = moved else {
                self.now.pieces.reached.fill(None);
                return Ok(());
            };
            let number = lookup as usize;
            let before = self.now.pieces.held[number];
            self.now.pieces.reached[number] = None;
            if !passes {
                self.now.pieces.held[number] = Some(piece);
                self.hold_pieces();
                continue;
            }
            if self.now.pieces.entered.contains(&lookup) {
                let value = self.modes.now().probed(output)[0];
                return Err(Ended::HeldAtKnot { lookup, value });
            }
            self.now.pieces.entered.push(lookup);
            self.pass_knot(lookup, output, piece)?;
            // It is on the knot, whatever rounding says, and thus at the other end of this piece.
            self.now.pieces.reached[number] = before.map(|before| if piece > before { End::Low } else { End::High });
        }
    }

    /// What happens to the argument of a lookup where the present mode was probed.
    fn look_at_knot(&self, lookup: u32, output: usize) -> Result<Step, Ended> {
        let number = lookup as usize;
        let table = &self.system.lookup(lookup).table;
        let row = self.modes.now().probed(output);
        let x = row[0];
        let find = || table.find(x).ok_or(Ended::OutsideTable { lookup, value: x });
        let Some(piece) = self.now.pieces.held[number] else { return Ok(Step::Enters(find()?, false)) };
        let [low, high] = table.ends(piece);
        let size = [x, low, high].into_iter().filter(|x| x.is_finite()).fold(0.0, |size: f64, x| size.max(x.abs()));
        let rounding = ON_KNOT * size;
        let known = |end: &End| {
            let knot = if *end == End::Low { low } else { high };
            (x - knot).abs() <= ARRIVED * if (high - low).is_finite() { size.max(high - low) } else { size }
        };
        let end = self.now.pieces.reached[number].filter(known).or(match () {
            () if (x - low).abs() <= rounding => Some(End::Low),
            () if (x - high).abs() <= rounding => Some(End::High),
            () => None,
        });
        let Some(end) = end else {
            let inside = low <= x && x <= high;
            return Ok(if inside { Step::Stays(None) } else { Step::Enters(find()?, false) });
        };
        let first = row.iter().skip(1).position(|&c| c != 0.0).map(|k| k + 1);
        let Some(first) = first else { return Ok(Step::Stays(Some((end, row.len())))) };
        let next = match (end, row[first] > 0.0) {
            (End::Low, false) => piece - 1,
            (End::High, true) => piece + 1,
            _ => return Ok(Step::Stays(Some((end, first)))),
        };
        if table.has(next) { Ok(Step::Enters(next, true)) } else { Err(Ended::OutsideTable { lookup, value: x }) }
    }

    /// Enters the next piece of a table. The neighbouring motions pass the knot at their own time.
    fn pass_knot(&mut self, lookup: u32, output: usize, piece: i64) -> Result<(), Ended> {
        let number = lookup as usize;
        let before = self.now.pieces.held[number];
        let mut rates = std::mem::take(&mut self.now.pieces.before);
        rates.clear();
        rates.extend(self.felt());
        self.now.pieces.held[number] = Some(piece);
        self.hold_pieces();
        self.modes.now_mut().probe(&self.now.state, ORDER);
        let after = self.felt();
        let differs = rates.iter().zip(after).any(|(a, b)| (a - b).abs() > NO_JUMP * (a.abs() + b.abs()));
        let jumps = differs && self.feels_jump(&rates);
        self.now.pieces.before = rates;
        if !jumps {
            return Ok(());
        }
        if self.varies() {
            self.now.pieces.held[number] = before;
            self.hold_pieces();
            self.vary_to_zero(output);
            self.now.pieces.held[number] = Some(piece);
            self.hold_pieces();
        }
        if self.closed().is_empty() && self.system.hybrid.is_empty() {
            return Ok(());
        }
        // Forces jump with the table: contacts, friction and switches are decided anew.
        let surfaces = self.closed_surfaces();
        self.switch_at_wrap(&surfaces)
    }

    /// Whether what the motion feels differs from what it felt before by more than rounding of its terms.
    fn feels_jump(&mut self, before: &[f64]) -> bool {
        self.room.data.clear();
        self.room.data.extend(self.now.state.iter().map(|&x| Rounded::new(x)));
        let states = self.now.state.len();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &self.room.data, 1);
        let outputs = before.len() - states;
        let rates = (0..states).map(|i| series.state(i)[1]);
        let after = rates.chain((0..outputs).map(|output| series.output(output)[0]));
        before.iter().zip(after).any(|(before, after)| (before - after.value).abs() > NO_JUMP * after.size)
    }

    /// What the motion feels where the present mode was probed: all rates and all outputs.
    fn felt(&self) -> impl Iterator<Item = f64> + '_ {
        let mode = self.modes.now();
        let rates = (0..self.now.state.len()).map(|i| mode.probed_state(i)[1]);
        rates.chain((0..mode.tape().outputs()).map(|output| mode.probed(output)[0]))
    }

    /// How long arguments that move at constant rates take to the ends of their pieces; the jet of the step has begun.
    pub(crate) fn until_steady_knot(&self) -> f64 {
        let mode = self.modes.now();
        let steady = mode.lookups.iter().filter(|(_, output)| mode.tape().is_steady_output(*output));
        let times = steady.filter_map(|&(lookup, output)| {
            let [x, rate] = *mode.probed(output).first_chunk::<2>()?;
            let [low, high] = self.system.lookup(lookup).table.ends(self.now.pieces.held[lookup as usize]?);
            let left = if rate < 0.0 { low - x } else { high - x };
            Some(left / rate).filter(|time| *time > 0.0)
        });
        times.fold(f64::INFINITY, f64::min)
    }

    /// The part of a step of this length, whose polynomials are complete, up to the first end of a piece.
    pub(crate) fn until_knot(&mut self, length: f64) -> f64 {
        let Automaton { modes, system, now: Instant { pieces, .. }, .. } = self;
        let mode = modes.now();
        if mode.lookups.is_empty() {
            return length;
        }
        let Pieces { held, on, reached, room, row, .. } = pieces;
        let mut within = length;
        for &(lookup, output) in &mode.lookups {
            let number = lookup as usize;
            let Some(piece) = held[number] else { continue };
            let series = mode.output(output);
            let ends = system.lookup(lookup).table.ends(piece);
            for (end, knot, sign) in [(End::Low, ends[0], 1.0), (End::High, ends[1], -1.0)] {
                if knot.is_infinite() {
                    continue;
                }
                // How far the argument is from the end, which falls to zero there.
                row.clear();
                row.extend(series.iter().map(|c| sign * c));
                row[0] -= sign * knot;
                let vanishing = on[number].filter(|(on, _)| *on == end).map_or(0, |(_, vanishing)| vanishing);
                if vanishing >= row.len() || within.is_infinite() && row[1..].iter().all(|c| *c == 0.0) {
                    continue;
                }
                let moved = row[1..].iter().rev().fold(0.0, |sum: f64, c| (sum + c.abs()) * within);
                if vanishing == 0 && moved < row[0] {
                    continue;
                }
                if let Some(root) = first_descent(row, within, vanishing, room).root {
                    if root < within {
                        reached.fill(None);
                    }
                    within = root;
                    reached[number] = Some(end);
                }
            }
        }
        pieces.length = if reached.iter().any(Option::is_some) { within } else { f64::NAN };
        within
    }
}
