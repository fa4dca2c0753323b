//! The flows of all modes continued through surfaces, forward and backward in time, with their derivatives.
//!
//! Orbits near a graze are sought among motions that do not exist: through the wall for a moment, or backward in time. Their
//! pieces are smooth in everything (Ghosh & Simpson, The VIVID function, Sect. 2), and so are the equations made of them.

mod accumulation;
mod chatter;
mod knots;
mod laws;
mod roots;
mod stretch;

use std::ops::ControlFlow;
use std::sync::Arc;

use saltation_expr::{Jet, Remainder, Tape};
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use crate::contact::group::Group;
use crate::contact::law::BoundLaw;
use crate::flow::FlowChoice;
use crate::flow::linear::{KeptForm, Passage};
use crate::flow::taylor::Taylor;
use crate::mode::bound::watched;
use crate::mode::compiled::Mode;
use crate::mode::expansion::Expansion;
use crate::mode::hybrid::BoundHybrid;
use crate::mode::{ClosedSet, Constraint, Limit};
use crate::run::motion::Motion;
use crate::sensitivity::dual::{LANES, Number4};
use crate::system::System;

use knots::Passed;

pub use chatter::Completed;
pub use laws::Slope;
pub use stretch::Stretch;

/// So many parameters can be free at once.
pub const MOST_FREE: usize = 2;
type Free = Dual<MOST_FREE>;
/// Receives the polynomials and the length of every step.
type Steps<'t> = &'t mut dyn FnMut(&Expansion, f64) -> ControlFlow<()>;

/// Why a piece of motion has no end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Lost {
    /// The flow has no finite value on the way.
    #[error("the flow has no finite value {after:.6} units of time after the piece begins")]
    Undefined {
        /// For how long it could be followed.
        after: f64,
    },
    /// The rates of two phases have another ratio than on the orbit, so that they do not return together.
    #[error("the phases {first} and {other} turn in another ratio than on the orbit and do not return together")]
    Apart {
        /// The phase that counts returns.
        first: String,
        /// The other one.
        other: String,
    },
    /// The flow needs more steps than make sense.
    #[error("the flow takes too many steps")]
    Stiff,
    /// A chattering sequence does not come to an end on the surface.
    #[error("chattering on {contact} does not become complete: {reason}")]
    Incomplete {
        /// The contact.
        contact: String,
        /// What happens instead.
        reason: String,
    },
}

/// Where a piece of motion leads.
#[derive(Debug, Clone)]
pub struct Image {
    /// The state there.
    pub state: Vec<f64>,
    /// Its derivative by the states at the start, then by the free parameters: one row per state.
    pub derivative: Matrix,
    /// The rate of the state there.
    pub rate: Vec<f64>,
}

impl Image {
    /// Room for so many states and free parameters.
    pub fn new(states: usize, free: usize) -> Image {
        Image { state: vec![0.0; states], derivative: Matrix::zeros(states, states + free), rate: vec![0.0; states] }
    }
}

/// A mode, bound.
#[derive(Debug, Clone)]
struct Field {
    closed: ClosedSet,
    /// The constraints without a force, and the one that was asked to have one.
    redundant: Vec<Constraint>,
    loaded: Option<Constraint>,
    limits: Vec<Limit>,
    /// The way back to the surfaces along which the motion slides, for every group of directions.
    correction: Option<Arc<Tape>>,
    corrections: Vec<Expansion<Number4>>,
    form: Option<Arc<KeptForm>>,
    /// The outputs whose roots matter.
    watched: Vec<usize>,
    series: Expansion,
    probe: Jet<f64>,
    remainder: Remainder,
    free_slots: Vec<Free>,
    passage: Option<Passage<MOST_FREE>>,
    /// For every group of directions.
    duals: Vec<Expansion<Number4>>,
    /// The lookups of tables with arguments that move, and these among the outputs.
    lookups: Vec<(u32, usize)>,
    /// Where there are square roots: the rates with those of absolute values, for every group of directions.
    roots: Option<Arc<Tape>>,
    reflected: Vec<Expansion<Number4>>,
    bound: bool,
}

/// The smooth flows of a system without its events.
///
/// ```
/// use saltation_motion::{ClosedSet, FlowChoice, System, extension::{Extension, Image}};
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let mut flow = Extension::new(&system, 1e-12, FlowChoice::Automatic);
/// flow.bind(values.parameters(), &[]);
/// let mut end = Image::new(2, 0);
/// // From the ground with 2 m/s: half a second later the ball would be under the ground.
/// flow.flow(ClosedSet::NONE, &[0.0, 2.0], 0.5, &mut end).unwrap();
/// assert!((end.state[0] + 0.225).abs() < 1e-12);
/// assert!((end.derivative[(0, 1)] - 0.5).abs() < 1e-12);
/// ```
#[derive(Debug, Clone)]
pub struct Extension<'s> {
    system: &'s System,
    tolerance: f64,
    choice: FlowChoice,
    taylor: Taylor,
    parameters: Vec<f64>,
    /// d parameters / d free, one row per free parameter.
    along: Vec<Vec<f64>>,
    free: Vec<Free>,
    groups: Vec<Vec<Number4>>,
    fields: Vec<Field>,
    /// The laws of every contact, for every group of directions.
    laws: Vec<Vec<BoundLaw<Number4>>>,
    plain: Vec<BoundLaw<f64>>,
    /// The jumps of events, for every group of directions.
    hybrid: Vec<BoundHybrid<Number4>>,
    /// What contacts do together, for every group of directions.
    together: Vec<Group<Number4>>,
    phase_period: Option<Free>,
    tone_periods: Vec<Free>,
    section_periods: Vec<f64>,
    lengths: Vec<f64>,
    /// Whether the last steps began or ended on a surface on which a root vanishes.
    on_root: bool,
    /// The pieces of tables on every step, where there are tables.
    passed: Passed,
    dual: Vec<Number4>,
    series: Vec<f64>,
    motion: Option<Motion<'s>>,
}

/// More steps than this are no piece of an orbit.
const MOST_STEPS: usize = 100_000;

impl<'s> Extension<'s> {
    /// The flows of a system; [`Extension::bind`] gives them parameters.
    pub fn new(system: &'s System, tolerance: f64, choice: FlowChoice) -> Extension<'s> {
        let states = system.names.len();
        Extension {
            system,
            tolerance,
            choice,
            taylor: Taylor::new(tolerance, f64::INFINITY),
            parameters: Vec::new(),
            along: Vec::new(),
            free: Vec::new(),
            groups: Vec::new(),
            fields: Vec::new(),
            laws: Vec::new(),
            plain: Vec::new(),
            hybrid: Vec::new(),
            together: Vec::new(),
            phase_period: None,
            tone_periods: Vec::new(),
            section_periods: Vec::new(),
            lengths: Vec::new(),
            on_root: false,
            passed: Passed::default(),
            dual: vec![Number4::ZERO; states],
            series: Vec::new(),
            motion: None,
        }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The number of free parameters.
    pub fn free(&self) -> usize {
        self.along.len()
    }

    /// The values of all parameters.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Gives every parameter a value, and names the directions in which they are free: for each free parameter the derivative of
    /// all parameters by it.
    ///
    /// # Panics
    /// If there are more than [`MOST_FREE`] directions.
    pub fn bind(&mut self, parameters: &[f64], along: &[Vec<f64>]) {
        assert!(along.len() <= MOST_FREE, "at most {MOST_FREE} parameters are free at once");
        let same = self.along.len() == along.len() && self.along.iter().zip(along).all(|(a, b)| a == b);
        if same && self.parameters == parameters && !self.plain.is_empty() {
            return;
        }
        let states = self.system.names.len();
        let old_groups = self.groups.len();
        self.parameters.clear();
        self.parameters.extend_from_slice(parameters);
        self.along = along.to_vec();
        let tangent = |i: usize, k: usize| along.get(k).map_or(0.0, |row| row[i]);
        self.free = parameters
            .iter()
            .enumerate()
            .map(|(i, &value)| Dual { value, tangent: std::array::from_fn(|k| tangent(i, k)) })
            .collect();
        let directions = states + along.len();
        self.groups.resize(directions.div_ceil(LANES), Vec::new());
        for (g, group) in self.groups.iter_mut().enumerate() {
            group.clear();
            group.extend(parameters.iter().enumerate().map(|(i, &value)| Dual {
                value,
                tangent: std::array::from_fn(|m| (g * LANES + m).checked_sub(states).map_or(0.0, |k| tangent(i, k))),
            }));
        }
        if self.laws.is_empty() || old_groups != self.groups.len() {
            let laws = &self.system.laws;
            self.laws = laws.iter().map(|law| self.groups.iter().map(|g| BoundLaw::new(law, g)).collect()).collect();
            self.plain = laws.iter().map(|law| BoundLaw::new(law, parameters)).collect();
        } else {
            for ((law, bound), plain) in self.system.laws.iter().zip(&mut self.laws).zip(&mut self.plain) {
                bound.iter_mut().zip(&self.groups).for_each(|(bound, group)| bound.bind(law, group));
                plain.bind(law, parameters);
            }
        }
        if self.system.switches() {
            self.hybrid = self.groups.iter().map(|bound| BoundHybrid::new(&self.system.hybrid, bound)).collect();
        }
        if self.together.len() == self.groups.len() {
            self.together.iter_mut().zip(&self.groups).for_each(|(group, bound)| group.bind(self.system, bound));
        } else {
            self.together = self.groups.iter().map(|bound| Group::new(self.system, bound)).collect();
        }
        self.fields.iter_mut().for_each(|field| field.bound = false);
        self.motion = None;
        let periods = &self.system.periods;
        let mut values = vec![Free::ZERO; periods.outputs()];
        periods.evaluate(&periods.bind(&self.free), &[], &mut Jet::new(periods), &mut values);
        self.phase_period = self.system.phase.map(|_| values[0]);
        self.section_periods.clear();
        let tones = values.len() - self.system.tones.len();
        self.section_periods.extend(values[1..tones].iter().map(|period| period.value.abs()));
        self.tone_periods.clear();
        self.tone_periods.extend_from_slice(&values[tones..]);
    }

    /// The period of a declared section by formula, if that goes round.
    pub fn section_period(&self, section: usize) -> Option<f64> {
        self.section_periods.get(section).copied().filter(|period| *period > 0.0)
    }

    /// The period of the phase, and its derivatives by the free parameters.
    pub fn phase_period(&self) -> Option<(f64, [f64; MOST_FREE])> {
        self.phase_period.map(|period| (period.value, period.tangent))
    }

    /// The position of a mode among the fields, bound to the present parameters.
    ///
    /// At a state of it, where it is used for the first time: which constraints follow from others is seen there.
    fn field(&mut self, closed: ClosedSet, state: &[f64]) -> usize {
        self.bound_field(closed, state, None)
    }

    /// Whether constraints of a mode hold at a state because others do: their forces are one choice of many.
    pub fn shares_forces(&mut self, closed: ClosedSet, state: &[f64]) -> bool {
        let index = self.field(closed, state);
        !self.fields[index].redundant.is_empty()
    }

    /// The position of a mode in which a constraint has a force that others may have as well, if that can be chosen.
    fn field_with(&mut self, closed: ClosedSet, state: &[f64], loaded: Option<Constraint>) -> usize {
        let plain = self.field(closed, state);
        match loaded.filter(|constraint| self.fields[plain].redundant.contains(constraint)) {
            None => plain,
            loaded => self.bound_field(closed, state, loaded),
        }
    }

    /// The position of a mode, in which a constraint is asked to have a force.
    fn bound_field(&mut self, closed: ClosedSet, state: &[f64], loaded: Option<Constraint>) -> usize {
        let known = self.fields.iter().position(|field| (field.closed, field.loaded) == (closed, loaded));
        let index = known.unwrap_or_else(|| {
            // One contact alone follows from no others.
            let alone = self.system.modes.iter().any(|m| m.closed == closed);
            let redundant = match alone {
                true => Vec::new(),
                false => {
                    Group::new(self.system, &self.parameters).redundant(self.system, closed, state, loaded.as_slice())
                }
            };
            let Mode { tape, linear: form, limits, correction, lookups, constraint_forces, .. } =
                self.system.mode(closed, &redundant, true);
            let watched = watched(&tape, closed, self.system.contact_names.len(), &constraint_forces);
            self.fields.push(Field {
                closed,
                redundant: redundant.clone(),
                loaded,
                limits,
                correction,
                corrections: Vec::new(),
                form,
                watched,
                series: Expansion::new(&tape, &self.parameters),
                probe: Jet::new(&tape),
                remainder: Remainder::default(),
                free_slots: Vec::new(),
                passage: None,
                duals: Vec::new(),
                lookups,
                roots: tape.has_roots().then(|| roots::reflected(self.system, closed, &redundant)).flatten(),
                reflected: Vec::new(),
                bound: false,
            });
            self.fields.len() - 1
        });
        let field = &mut self.fields[index];
        if !field.bound {
            field.bound = true;
            field.series.bind(&self.parameters);
            let tape = &field.series.tape;
            let form = field.form.as_ref().filter(|_| self.choice != FlowChoice::Taylor);
            field.passage = form.and_then(|form| {
                tape.bind_into(&self.free, &mut field.free_slots);
                Passage::bind(form, tape, &field.free_slots, &self.free, self.phase_period)
            });
            field.duals.truncate(self.groups.len());
            field.duals.iter_mut().zip(&self.groups).for_each(|(dual, group)| dual.bind(group));
            let more = self.groups.iter().skip(field.duals.len()).map(|group| Expansion::new(tape, group));
            field.duals.extend(more.collect::<Vec<_>>());
            if let Some(tape) = &field.roots {
                field.reflected = self.groups.iter().map(|group| Expansion::new(tape, group)).collect();
            }
            if let Some(tape) = &field.correction {
                field.corrections = self.groups.iter().map(|group| Expansion::new(tape, group)).collect();
            }
        }
        index
    }

    /// The rates of all states in a mode.
    pub fn rate(&mut self, closed: ClosedSet, state: &[f64], rate: &mut [f64]) {
        let index = self.field(closed, state);
        let field = &mut self.fields[index];
        if field.roots.is_some() {
            self.root_rates(index, state, rate);
            return;
        }
        field.series.hold(&[]);
        field.series.tape.rates(&field.series.slots, state, &mut field.probe, rate);
    }

    /// Follows the field of a mode for a time, which may be negative.
    ///
    /// # Errors
    /// If the flow has no finite value on the way.
    ///
    /// # Panics
    /// If `state` or `end` do not fit the system.
    pub fn flow(&mut self, closed: ClosedSet, state: &[f64], time: f64, end: &mut Image) -> Result<(), Lost> {
        if !time.is_finite() || !state.iter().all(|x| x.is_finite()) {
            return Err(Lost::Undefined { after: 0.0 });
        }
        let index = self.field(closed, state);
        if let Some(passage) = &mut self.fields[index].passage {
            passage.flow(state, time, &mut end.state, &mut end.derivative);
        } else {
            match self.taylor_flow(index, state, time, end) {
                Err(_) if self.fields[index].roots.is_some() => self.root_flow(index, state, time, end)?,
                followed => followed?,
            }
        }
        if !end.state.iter().all(|x| x.is_finite()) || !end.derivative.is_finite() {
            return Err(Lost::Undefined { after: time });
        }
        let field = &mut self.fields[index];
        if field.roots.is_some() {
            self.root_rates(index, &end.state, &mut end.rate);
            return Ok(());
        }
        field.series.tape.rates(&field.series.slots, &end.state, &mut field.probe, &mut end.rate);
        Ok(())
    }

    /// By Taylor steps: first the motion itself, which decides on their lengths, then each group of directions.
    fn taylor_flow(&mut self, index: usize, state: &[f64], time: f64, end: &mut Image) -> Result<(), Lost> {
        let states = state.len();
        end.state.copy_from_slice(state);
        let mut lengths = std::mem::take(&mut self.lengths);
        lengths.clear();
        let followed = self.steps(index, &mut end.state, time, &mut |_, length| {
            lengths.push(length);
            ControlFlow::Continue(())
        });
        self.lengths = lengths;
        followed?;
        // Derivatives have no series on a surface on which a root vanishes.
        if self.on_root {
            return Err(Lost::Undefined { after: 0.0 });
        }
        let (derivative, groups) = (&mut end.derivative, self.groups.len());
        for g in 0..groups {
            for (i, x) in self.dual.iter_mut().enumerate() {
                *x = Dual::variable(state[i], i.wrapping_sub(g * LANES));
            }
            self.carry(index, g)?;
            for m in 0..LANES.min(states + self.along.len() - g * LANES) {
                for (i, x) in self.dual.iter().enumerate() {
                    derivative[(i, g * LANES + m)] = x.tangent[m];
                }
            }
        }
        Ok(())
    }

    /// Takes the state over steps for a time and hands on each of them; backward steps are as long as the series
    /// allow forward. The time may be infinite; then there is no step from an equilibrium.
    fn steps(&mut self, index: usize, state: &mut [f64], time: f64, step: Steps) -> Result<(), Lost> {
        let mut left = time.abs();
        let mut elapsed = 0.0;
        let shortest = if left.is_finite() { 1e-14 * left } else { 0.0 };
        let taylor = self.taylor;
        let field = &mut self.fields[index];
        self.passed.begin(field);
        self.on_root = false;
        for _ in 0..MOST_STEPS {
            if left <= 0.0 {
                return Ok(());
            }
            if !self.passed.find_pieces(self.system, field, state, time.signum()) {
                return Err(Lost::Undefined { after: elapsed });
            }
            let Expansion { tape, slots, jet } = &mut field.series;
            tape.begin(state, jet);
            let formulas = (&**tape, &slots[..], &field.watched[..]);
            let reach = taylor.complete(formulas, (jet, &mut field.remainder), (left, 0), None, None);
            let mut length = reach.length;
            let serves = length >= left;
            if field.roots.is_some() && !serves && time > 0.0 {
                let served = if length > shortest { length } else { 0.0 };
                if let Some(touching) = roots::touching(field, &taylor, state, (left, served), elapsed == 0.0) {
                    (length, self.on_root) = (touching, true);
                }
            }
            let served = length;
            length = self.passed.until_knot(self.system, field, time.signum(), length);
            // Where an argument turns back on a knot, a step of no length leads to the piece beyond it.
            let shortest = if length < served { -1.0 } else { shortest };
            if length.is_nan() || length <= shortest {
                return Err(Lost::Undefined { after: elapsed });
            }
            if length.is_infinite() {
                return Ok(());
            }
            let signed = length * time.signum();
            if step(&field.series, signed).is_break() {
                return Ok(());
            }
            for (i, x) in state.iter_mut().enumerate() {
                *x = saltation_numerics::polynomial::evaluate(field.series.state(i), signed);
            }
            if !state.iter().all(|x| x.is_finite()) {
                return Err(Lost::Undefined { after: elapsed });
            }
            left -= length;
            elapsed += length;
            if left < 1e-15 * time.abs() {
                return Ok(());
            }
        }
        Err(Lost::Stiff)
    }

    /// Takes the dual state of a group over the steps of the trajectory, in as many parts as the series of its derivatives ask for.
    fn carry(&mut self, index: usize, group: usize) -> Result<(), Lost> {
        let field = &mut self.fields[index];
        for (step, &length) in self.lengths.iter().enumerate() {
            self.passed.enter(field, group, step, &mut self.dual);
            let dual = &mut field.duals[group];
            let mut left = length.abs();
            let shortest = 1e-5 * left;
            while left > 0.0 {
                dual.expand(&self.dual, self.taylor.order);
                let mut reach = left;
                for i in 0..self.dual.len() {
                    let row = dual.state(i);
                    for m in 0..LANES {
                        self.series.clear();
                        self.series.extend(row.iter().map(|c| c.tangent[m]));
                        reach = reach.min(self.taylor.longest_step(&self.series));
                    }
                }
                if reach.is_nan() {
                    return Err(Lost::Undefined { after: 0.0 });
                }
                let step = if reach >= left { left } else { reach.max(shortest).min(left) };
                let signed = step * length.signum();
                for (i, x) in self.dual.iter_mut().enumerate() {
                    let row = dual.state(i);
                    *x = row.iter().rev().fold(Number4::ZERO, |value, &c| value.scale(signed) + c);
                }
                left -= step;
            }
        }
        Ok(())
    }
}
