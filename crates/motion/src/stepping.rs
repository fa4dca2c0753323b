//! Time stepping after Moreau and Jean: contact laws between velocities and impulses, with a step that no event ends.
//!
//! A second method beside [`Motion`](crate::Motion), independent of it: it finds no event and has the accuracy of its step, but
//! it does not mind how many contacts open and close. One step of length h from (q, v) is the theta method, implicit in the smooth
//! forces f by one step of Newton's method,
//!
//! ```text
//! q_m = q + theta h v,    t_m = t + theta h,
//! (M - theta h C' - theta^2 h^2 K') (v^+ - v) = h f(q_m, v, t_m) + sum over contacts with g(q_m, t_m) <= 0 of w_N P_N + w_T P_T,
//! q^+ = q + h ((1 - theta) v + theta v^+),
//! ```
//!
//! with M, C' = df/dv - and K' = df/dq - M' f, the derivatives of M (M^-1 f), at (q_m, v, t_m), where f is: about another state the linear
//! part would not be that of f, and a stiff force that begins within the step would be explicit. Theta is 1/2 unless asked otherwise: Moreau's midpoint
//! rule, which has second order where the motion is smooth and takes no energy from a structure; 1 has first order and damps what is fast. For both
//! and all between, linear forces that do not feed the motion let no step be too long.
//!
//! With gradients at q_m there holds, for each of these contacts, Newton's law of impact and Coulomb's law of friction,
//!
//! ```text
//! 0 <= g_N'^+ + e g_N'^-  _|_  P_N >= 0,    P_T in -mu P_N Sign(g_T'^+),
//! ```
//!
//! where opening speeds and speeds of slip contain the motion of obstacles and belts (J. J. Moreau, Numerical aspects of the sweeping
//! process, Comput. Methods Appl. Mech. Engrg. 177 (1999); M. Jean, The non-smooth contact dynamics method, ibid.; V. Acary & B. Brogliato,
//! Numerical Methods for Nonsmooth Dynamical Systems, Springer 2008). All contacts of a step take part together,
//! whatever the model says about impacts of several. The error is of the order of the step, and so is what gaps may fall below zero; between
//! the steps coordinates go straight from q over q + (1 - theta) h v to q^+, and velocities jump there.
//!
//! | module | the question it answers |
//! |---|---|
//! | `formulas` | what has to be evaluated in a step? |
//! | `implicit` | what do forces and impulses do to velocities in an implicit step? |
//! | `planar` | which impulse has one contact, if all others keep theirs? |
//! | `sweeps` | which impulses do all contacts of a step have together? |
//! | `acceleration` | where does a sequence of sweeps go? |

mod acceleration;
mod formulas;
mod implicit;
mod planar;
mod sweeps;

use crate::ended::Ended;
use crate::mode::ClosedSet;
use crate::trajectory::{Piece, Rows};
use formulas::{Contacts, Evaluated};
use implicit::Implicit;
pub use planar::Contacting;
use saltation_expr::Node;
use saltation_model::{ImpactLaw, Model, Phase, Values};
pub use sweeps::ActiveContact;
use sweeps::{Active, Swept};

/// How steps are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteppingSettings {
    /// h > 0, in units of the model's time. The last step ends at `until` and may be shorter.
    pub step: f64,
    /// The end time; trajectories start at time 0.
    pub until: f64,
    /// How far the laws of contact may fail after a step, as a speed relative to the speeds that the step would have without them.
    pub tolerance: f64,
    /// How implicit a step is in smooth forces, from 1/2 to 1.
    pub theta: f64,
    /// The most sweeps over all contacts in one step. A step that needs more is counted in [`SolverReport::capped`].
    pub most_sweeps: u64,
}

impl SteppingSettings {
    /// Steps of length `step` until a time, by the midpoint rule, with the laws to 1e-6 and at most a thousand sweeps a step.
    pub fn new(step: f64, until: f64) -> SteppingSettings {
        SteppingSettings { step, until, tolerance: 1e-6, theta: THETA, most_sweeps: 1000 }
    }
}

/// How well the laws of contact were solved, over all steps made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverReport {
    /// How many steps were made.
    pub steps: u64,
    /// In how many of them a contact was near.
    pub with_contact: u64,
    /// The greatest number of contacts in one step.
    pub most_contacts: usize,
    /// The sweeps of all steps.
    pub sweeps: u64,
    /// The sweeps of the step with the most.
    pub most_sweeps: u64,
    /// How many steps ended at the bound for sweeps, with laws that hold less well than was asked.
    pub capped: u64,
    /// The largest residual of a step: by which speed its laws fail, relative to the speeds that it would have without them; at the tolerance where it is rounding of their terms.
    pub residual: f64,
    /// The deepest gap that was seen, at the middle of a step; 0 if none was below zero.
    pub penetration: f64,
}

/// Why there is no time stepping for a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SteppingError {
    /// A `[flow]` has no masses.
    #[error("time stepping needs masses and forces, and a [flow] has none: write it as [mechanics] or [lagrangian]")]
    Flow,
    /// The model asks for Poisson's law.
    #[error("time stepping knows Newton's law of impact only, and the model asks for law = \"poisson\"")]
    Poisson,
    /// A contact has a coefficient of stick.
    #[error(
        "time stepping has one coefficient of friction for stick and slip, and contact `{0}` has mu_static: leave it out, or step from event to event"
    )]
    Static(String),
    /// Bodies with constraints.
    #[error(
        "time stepping knows no constraints, and the model has `{0}`: write it with fewer coordinates, or step from event to event"
    )]
    Constrained(String),
    /// Dry friction has a static limit.
    #[error(
        "time stepping has one force of friction for stick and slip, and friction `{0}` has a static limit: leave it out, or step from event to event"
    )]
    Held(String),
    /// Formulas have the time itself.
    #[error(
        "time stepping knows a phase, and not the time itself: declare the forcing as [phase.phi], or step from event to event"
    )]
    Time,
    /// The state jumps at an event.
    #[error("time stepping knows no events, and the model has `{0}`: leave it out, or step from event to event")]
    Event(String),
    /// There are multipliers without contacts.
    #[error(
        "time stepping knows no multipliers but those of contacts, and the model has `{0}`: step from event to event"
    )]
    Complementarity(String),
    /// Formulas were never made.
    #[error("a structure of this size has modes, but is not simulated")]
    TooLarge,
    /// A step that is not positive and finite.
    #[error("a step of time must be positive and finite, but it is {0}")]
    Step(f64),
    /// A theta with which steps would be unstable, or would lead beyond their end.
    #[error("theta must be from 1/2 to 1, but it is {0}")]
    Theta(f64),
    /// More steps than can be counted, or an end that is no time.
    #[error("{0:e} steps are more than can be made")]
    Steps(f64),
}

/// The midpoint rule.
pub const THETA: f64 = 0.5;
/// The most steps of one motion: beyond 2^53 they cannot be told apart.
const MOST_STEPS: f64 = 9e15;
/// A last step shorter than this, relative to the others, belongs to the one before: it is rounding.
const ROUNDING: f64 = 1e-9;

/// A motion made of steps of time.
///
/// ```
/// use saltation_model::{Model, Overrides};
/// use saltation_motion::stepping::{Stepping, SteppingSettings};
/// // A block on a slope of 20 degrees, up at 2 m/s: friction stops it at v0/(g (sin + mu cos)), and it stays.
/// let model = Model::parse(r#"
///     format = 1
///     name = "block"
///     [parameters]
///     slope = "pi/9"
///     [mechanics]
///     coordinates = ["x", "y"]
///     velocities = ["vx", "vy"]
///     M = { diagonal = [1, 1] }
///     h = ["-9.81*sin(slope)", "-9.81*cos(slope)"]
///     [contacts.ground]
///     gap = "y"
///     restitution = 0
///     friction = { law = "coulomb", mu = 0.5 }
///     track = "x"
///     [start]
///     x = 0
///     y = 0
///     vx = 2
///     vy = 0
/// "#, "block.toml")?;
/// let values = model.values(&Overrides::default())?;
/// let mut motion = Stepping::new(&model, &values, SteppingSettings::new(1e-4, 1.0))?;
/// let mut stopped = f64::NAN;
/// while motion.advance() {
///     if stopped.is_nan() && motion.mode_name() == "stick:ground" {
///         stopped = motion.time();
///     }
/// }
/// assert!((stopped - 0.2511171603).abs() < 2e-4);
/// assert!(motion.state()[2].abs() < 1e-12 && motion.solver().capped == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stepping<'m> {
    model: &'m Model,
    parameters: Vec<f64>,
    settings: SteppingSettings,
    steps: u64,
    made: u64,
    /// Coordinates with their velocities.
    pairs: Vec<(usize, usize)>,
    /// The phases with their rates and where they begin.
    phases: Vec<(usize, f64, f64)>,
    accelerations: Evaluated,
    /// Nothing where no force depends on coordinates or velocities.
    implicit: Option<Implicit>,
    changes: Vec<f64>,
    gaps: Evaluated,
    contacts: Contacts,
    active: Active,
    /// For every contact the impulses of the last step, per time, and its case then.
    before: Vec<([f64; 2], Contacting)>,
    state: Vec<f64>,
    last: Vec<f64>,
    middle: Vec<f64>,
    coefficients: Vec<f64>,
    solver: SolverReport,
    ended: Option<Ended>,
}

impl<'m> Stepping<'m> {
    /// A motion from the start of the values, which have passed the checks of [`Model::values`].
    ///
    /// # Errors
    /// Where the model is no mechanical body, asks for another law of impact, or the step is no step.
    pub fn new(model: &'m Model, values: &Values, settings: SteppingSettings) -> Result<Stepping<'m>, SteppingError> {
        let body = model.body.mechanics().ok_or(SteppingError::Flow)?;
        if model.impacts.law == ImpactLaw::Poisson {
            return Err(SteppingError::Poisson);
        }
        if !model.is_moved() {
            return Err(SteppingError::TooLarge);
        }
        if let Some(event) = model.resets.first() {
            return Err(SteppingError::Event(event.name.clone()));
        }
        if let Some(element) = model.complementarities.first() {
            return Err(SteppingError::Complementarity(element.name.clone()));
        }
        let held = model.contacts.iter().find(|contact| contact.friction.as_ref().is_some_and(|f| f.held.is_some()));
        if let Some(contact) = held {
            return Err(SteppingError::Static(contact.name.clone()));
        }
        if let Some(constraint) = model.constraints.first() {
            return Err(SteppingError::Constrained(constraint.name.clone()));
        }
        if let Some(dry) = model.frictions.iter().find(|dry| dry.held.is_some()) {
            return Err(SteppingError::Held(dry.name.clone()));
        }
        if model.time().is_some() {
            return Err(SteppingError::Time);
        }
        let SteppingSettings { step, until, .. } = settings;
        if !(step > 0.0 && step.is_finite()) {
            return Err(SteppingError::Step(step));
        }
        if !(0.5..=1.0).contains(&settings.theta) {
            return Err(SteppingError::Theta(settings.theta));
        }
        let steps = (until / step - ROUNDING).ceil().max(0.0);
        if steps.is_nan() || steps > MOST_STEPS {
            return Err(SteppingError::Steps(steps));
        }
        let parameters = values.parameters().to_vec();
        let states = model.states.len();
        let parameter = |symbol: usize| parameters.get(symbol.wrapping_sub(states)).copied().unwrap_or(f64::NAN);
        let advances =
            |phase: &Phase| (phase.state, model.graph.evaluate(phase.rate, &parameter), values.start()[phase.state]);
        let phases = model.phases().map(advances).collect();
        let rates: Vec<Node> = body.velocities.iter().map(|&velocity| model.states[velocity].rate).collect();
        let gaps: Vec<Node> = model.contacts.iter().map(|contact| contact.gap).collect();
        let accelerations = formulas::of_states(model, &parameters, &rates);
        let gaps = formulas::of_states(model, &parameters, &gaps);
        let contacts = Contacts::new(model, body, &parameters);
        Ok(Stepping {
            model,
            settings,
            steps: steps as u64,
            made: 0,
            pairs: body.coordinates.iter().copied().zip(body.velocities.iter().copied()).collect(),
            phases,
            accelerations,
            implicit: Implicit::new(model, body, &parameters, settings.theta),
            changes: vec![0.0; rates.len()],
            gaps,
            contacts,
            active: Active::default(),
            before: vec![([0.0; 2], Contacting::Open); model.contacts.len()],
            last: values.start().to_vec(),
            middle: values.start().to_vec(),
            state: values.start().to_vec(),
            coefficients: vec![0.0; 4 * states],
            parameters,
            solver: SolverReport::default(),
            ended: None,
        })
    }

    /// The time after so many steps.
    fn time_of(&self, steps: u64) -> f64 {
        if steps >= self.steps { self.settings.until } else { steps as f64 * self.settings.step }
    }

    /// Makes a step; false if the trajectory has ended.
    pub fn advance(&mut self) -> bool {
        if self.ended.is_none() && self.made >= self.steps {
            self.ended = Some(Ended::ReachedTime);
        }
        if self.ended.is_some() {
            return false;
        }
        let h = self.time_of(self.made + 1) - self.time();
        let theta = self.settings.theta;
        self.last.copy_from_slice(&self.state);
        self.middle.copy_from_slice(&self.state);
        for &(q, v) in &self.pairs {
            self.middle[q] += theta * h * self.state[v];
        }
        for &(phase, rate, _) in &self.phases {
            self.middle[phase] += theta * h * rate;
        }
        let accelerations = self.accelerations.at(&self.middle);
        if !accelerations.iter().chain(self.gaps.at(&self.middle)).all(|value| value.is_finite()) {
            return self.end_without_value();
        }
        // All steps but the last have this length, but for rounding.
        let length = if self.made + 1 < self.steps { self.settings.step } else { h };
        match &mut self.implicit {
            None => {
                for (&(_, v), a) in self.pairs.iter().zip(accelerations) {
                    self.state[v] += h * a;
                }
            }
            Some(implicit) => {
                if let Err(step) = implicit.prepare(length, &self.middle) {
                    return self.end_too_long(step);
                }
                self.changes.iter_mut().zip(accelerations).for_each(|(change, a)| *change = h * a);
                implicit.carry(&mut self.changes);
                for (&(_, v), change) in self.pairs.iter().zip(&self.changes) {
                    self.state[v] += change;
                }
            }
        }
        self.active.clear();
        let (mut deepest, mut is_finite) = (0.0_f64, true);
        for (contact, &gap) in self.gaps.values.iter().enumerate() {
            let (impulse, case) = &mut self.before[contact];
            if gap <= 0.0 {
                deepest = deepest.max(-gap);
                is_finite &= self.active.push(contact, &mut self.contacts, &self.middle, impulse.map(|p| p * h), *case);
                if let Some(implicit) = self.implicit.as_mut().filter(|_| is_finite) {
                    let velocities = (self.pairs[0].1, self.pairs.len());
                    if let Err(step) = self.active.carry_last(implicit, length, velocities) {
                        return self.end_too_long(step);
                    }
                }
            } else {
                (*impulse, *case) = ([0.0; 2], Contacting::Open);
            }
        }
        if !is_finite {
            return self.end_without_value();
        }
        let swept = self.active.sweep(&mut self.state, self.settings.tolerance, self.settings.most_sweeps);
        if swept.residual.is_nan() || !self.pairs.iter().all(|&(_, v)| self.state[v].is_finite()) {
            return self.end_without_value();
        }
        for contact in &self.active.contacts {
            self.before[contact.contact] = (contact.impulse.map(|p| p / h), contact.case);
        }
        for &(q, v) in &self.pairs {
            self.state[q] = self.last[q] + (1.0 - theta) * h * self.last[v] + theta * h * self.state[v];
        }
        self.made += 1;
        for k in 0..self.phases.len() {
            // Not a sum of steps, which would drift.
            let (phase, rate, start) = self.phases[k];
            self.state[phase] = start + rate * self.time();
        }
        self.count(swept, deepest);
        true
    }

    fn count(&mut self, swept: Swept, deepest: f64) {
        let SteppingSettings { tolerance, .. } = self.settings;
        let solver = &mut self.solver;
        solver.steps += 1;
        solver.with_contact += u64::from(!self.active.contacts.is_empty());
        solver.most_contacts = solver.most_contacts.max(self.active.contacts.len());
        solver.sweeps += swept.sweeps;
        solver.most_sweeps = solver.most_sweeps.max(swept.sweeps);
        solver.capped += u64::from(swept.residual > tolerance);
        solver.residual = solver.residual.max(swept.residual);
        solver.penetration = solver.penetration.max(deepest);
    }

    /// Ends before a step that is too long.
    fn end_too_long(&mut self, step: f64) -> bool {
        self.state.copy_from_slice(&self.last);
        self.active.clear();
        self.ended = Some(Ended::StepTooLong { step });
        false
    }

    /// Ends before a step in which a formula has no value, at the state before it.
    fn end_without_value(&mut self) -> bool {
        let model = self.model;
        self.state.copy_from_slice(&self.last);
        self.active.clear();
        let value = |symbol: usize| self.middle.iter().chain(&self.parameters).nth(symbol).copied().unwrap_or(f64::NAN);
        let rates = model.states.iter().map(|state| (format!("the rate of {}", state.name), state.rate));
        let contacts = model.contacts.iter().flat_map(|contact| {
            let friction = contact.friction.as_ref();
            let formulas = [(Some(contact.gap), "gap"), (Some(contact.restitution), "restitution")];
            let rubbing = [(friction.map(|f| f.coefficient), "friction"), (friction.map(|f| f.slip), "speed of slip")];
            let responses = contact.response.iter().map(|&node| (Some(node), "response"));
            let all = formulas.into_iter().chain(rubbing).chain(responses);
            all.filter_map(|(node, what)| Some((format!("the {what} of contact {}", contact.name), node?)))
        });
        let found = rates.chain(contacts).find_map(|(quantity, node)| {
            let formula = model.graph.first_undefined(node, &value)?;
            Some(Ended::NotFinite { quantity, formula: model.graph.print(formula) })
        });
        let negative = || {
            model.contacts.iter().enumerate().find_map(|(contact, law)| {
                let mu = model.graph.evaluate(law.friction.as_ref()?.coefficient, &value);
                (mu < 0.0).then(|| Ended::friction(contact, mu))
            })
        };
        let unknown = || Ended::NotFinite { quantity: "a velocity".to_string(), formula: "M^-1 w".to_string() };
        self.ended = Some(found.or_else(negative).unwrap_or_else(unknown));
        false
    }

    /// Ends the motion where it is.
    pub fn interrupt(&mut self) {
        self.ended.get_or_insert(Ended::Interrupted);
    }

    /// Why the trajectory has ended; `None` while it continues.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        self.time_of(self.made)
    }

    /// The state there, in the order of the model's states; the phase as it has turned, not modulo its period.
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// The state before the last step.
    pub fn state_before(&self) -> &[f64] {
        &self.last
    }

    /// The contacts that were near in the last step, in the order of the model, with impulses and speeds; also those that
    /// gave no impulse.
    pub fn contacts(&self) -> &[ActiveContact] {
        &self.active.contacts
    }

    /// How well the laws were solved until now.
    pub fn solver(&self) -> &SolverReport {
        &self.solver
    }

    /// What the contacts did in the last step, in the words of the interface: `flight`, or for each contact with an impulse what it
    /// does, as in `stick:floor,slip+:wall`. In the step of an impact that is what the impact did.
    pub fn mode_name(&self) -> String {
        let closed = self.active.contacts.iter().filter(|contact| contact.impulse[0] > 0.0);
        let words = closed.map(|c| format!("{}:{}", c.case.name(), self.model.contacts[c.contact].name));
        let words: Vec<String> = words.collect();
        if words.is_empty() { "flight".to_string() } else { words.join(",") }
    }

    /// The two straight pieces of the last step, which meet where the velocities jump: in its middle, or earlier with a greater theta. Nothing before
    /// the first step.
    pub fn pieces(&mut self) -> [Piece<'_>; 2] {
        let states = self.state.len();
        let end = self.time();
        let start = self.time_of(self.made.saturating_sub(1));
        let theta = self.settings.theta;
        let (before, after) = ((1.0 - theta) * (end - start), theta * (end - start));
        for i in 0..states {
            let (from, to) = (2 * i, 2 * (states + i));
            self.coefficients[from..from + 2].copy_from_slice(&[self.last[i], 0.0]);
            self.coefficients[to..to + 2].copy_from_slice(&[self.state[i], 0.0]);
        }
        for &(q, v) in &self.pairs {
            self.coefficients[2 * q + 1] = self.last[v];
            self.coefficients[2 * (states + q)] = self.last[q] + before * self.last[v];
            self.coefficients[2 * (states + q) + 1] = self.state[v];
        }
        for &(phase, rate, _) in &self.phases {
            self.coefficients[2 * phase + 1] = rate;
            self.coefficients[2 * (states + phase)] = self.last[phase] + before * rate;
            self.coefficients[2 * (states + phase) + 1] = rate;
        }
        let (first, second) = self.coefficients.split_at(2 * states);
        [(start, before, first), (start + before, after, second)].map(|(start, length, coefficients)| Piece {
            start,
            length,
            closed: ClosedSet::NONE,
            completes_chatter: false,
            redundant: &[],
            rows: Rows::Table { coefficients, order: 1 },
            states,
        })
    }
}
