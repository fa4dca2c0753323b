//! A system: a model that is shared and compiled once, with the parameter and start values of a user.

use crate::error::{Error, Refusal};
use crate::naming::Naming;
use crate::text::{cut, number};
use saltation_expr::parse::{Formula, FormulaError, UnknownName, nearest};
use saltation_expr::{Graph, Tape};
use saltation_model::{Mistake, Mistakes, Model, Overrides, Values, gallery};
use saltation_motion::{self as motion, ClosedSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A model with numbers: the subject of all questions.
///
/// Cheap to clone and to give other numbers: the model and its compiled formulas are shared, also between threads.
///
/// ```
/// use saltation::System;
/// let system = System::gallery("impact-oscillator")?;
/// let harder = system.with("A", 0.36)?;
/// assert_eq!(harder.parameter("A"), Some(0.36));
/// assert_eq!(system.parameter("A"), Some(0.35));
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Clone)]
pub struct System {
    shared: Arc<Shared>,
    settings: Overrides,
    /// Start values from an answer, not from the user.
    origin: Vec<(String, String)>,
    numbers: Arc<Values>,
    /// The same numbers with all checks of a start, once a question needs them.
    checked: Arc<OnceLock<Result<Values, Mistakes>>>,
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("System")
            .field("model", &self.shared.model.name)
            .field("numbers", &self.numbers)
            .finish_non_exhaustive()
    }
}

/// The largest number of states by which motions are differentiated: the derivatives are dense.
const MOST_VARIED: usize = 400;

/// What all systems of one model have in common.
struct Shared {
    model: Model,
    compiled: OnceLock<motion::System>,
    /// How the mechanism looks, once somebody asks.
    sketch: OnceLock<Option<Arc<Tape>>>,
    states: Arc<[String]>,
    parameters: Arc<[String]>,
}

impl System {
    /// A model of the gallery, by its name.
    ///
    /// # Errors
    /// If there is none of that name; the help lists similar names.
    pub fn gallery(name: &str) -> Result<System, Error> {
        let Some(text) = gallery::find(name) else {
            let message = format!("the gallery has no model `{}`", cut(name));
            let mistake = Mistake::general(message).help(suggestion(name));
            return Err(Mistakes { file: name.to_string(), text: String::new(), list: vec![mistake] }.into());
        };
        System::new(Model::parse(text, &format!("{name}.toml (gallery)"))?)
    }

    /// A model file.
    ///
    /// # Errors
    /// All mistakes of the first layer that has any: the file itself, TOML, shape, names and formulas, mathematics, numbers.
    pub fn read(path: impl AsRef<Path>) -> Result<System, Error> {
        System::new(Model::read(path)?)
    }

    /// A model as a text; `file` is its name in messages.
    ///
    /// # Errors
    /// As [`System::read`].
    pub fn parse(text: &str, file: &str) -> Result<System, Error> {
        System::new(Model::parse(text, file)?)
    }

    /// A model with the numbers of its file.
    ///
    /// # Errors
    /// Numbers of the file that are not finite or out of their bounds.
    pub fn new(model: Model) -> Result<System, Error> {
        Ok(System::with_settings(model, Overrides::default())?)
    }

    /// A model with settings: parameters and start values by name, as formulas of parameters.
    ///
    /// # Errors
    /// All mistakes in the settings, shown in their own text, or else those of the file at these numbers.
    pub fn with_settings(model: Model, settings: Overrides) -> Result<System, Mistakes> {
        System::with_origin(model, settings, &Overrides::default())
    }

    /// The same that begins at an answer: its parameters and start values come after those that are set.
    ///
    /// # Errors
    /// As [`System::with_settings`].
    pub fn with_origin(model: Model, settings: Overrides, origin: &Overrides) -> Result<System, Mistakes> {
        let settings = Overrides { set: [&settings.set[..], &origin.set].concat(), start: settings.start };
        let numbers = model.numbers_with(&complete(&settings, &origin.start))?;
        let names = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<String>>().into();
        let states = names(&mut model.states.iter().map(|state| &state.name));
        let parameters = names(&mut model.parameters.iter().map(|parameter| &parameter.name));
        let shared = Arc::new(Shared { model, compiled: OnceLock::new(), sketch: OnceLock::new(), states, parameters });
        let origin = origin.start.clone();
        Ok(System { shared, settings, origin, numbers: Arc::new(numbers), checked: Arc::default() })
    }

    fn set_by(&self, change: impl FnOnce(&mut Overrides)) -> Result<System, Error> {
        let mut settings = self.settings.clone();
        change(&mut settings);
        self.with_numbers(settings, self.origin.clone())
    }

    fn with_numbers(&self, settings: Overrides, origin: Vec<(String, String)>) -> Result<System, Error> {
        let numbers = self.shared.model.numbers_with(&complete(&settings, &origin))?;
        Ok(self.at(settings, origin, numbers))
    }

    /// The same model with the numbers of some settings.
    fn at(&self, settings: Overrides, origin: Vec<(String, String)>, numbers: Values) -> System {
        let shared = Arc::clone(&self.shared);
        System { shared, settings, origin, numbers: Arc::new(numbers), checked: Arc::default() }
    }

    /// The same system with another value of a parameter; parameters that depend on it are updated.
    ///
    /// # Errors
    /// If the model has no such parameter, or may not have this value.
    pub fn with(&self, name: &str, value: f64) -> Result<System, Error> {
        // A number needs no formula to be read, and formulas have one zero.
        match self.numbers.with(name, value + 0.0) {
            Ok(numbers) => {
                let mut settings = self.settings.clone();
                put(&mut settings.set, name, &number::exact(value));
                Ok(self.at(settings, self.origin.clone(), numbers))
            }
            // The mistake among all settings.
            Err(_) => self.with_formula(name, &number::exact(value)),
        }
    }

    /// The same system with a formula of other parameters for a parameter, which then depends on them.
    ///
    /// # Errors
    /// As [`System::with`], and mistakes of the formula.
    pub fn with_formula(&self, name: &str, formula: &str) -> Result<System, Error> {
        self.set_by(|settings| put(&mut settings.set, name, formula))
    }

    /// The same system with another start value of a state.
    ///
    /// # Errors
    /// If the model has no such state, or the value is not finite. Whether a motion can begin there is checked when one is computed.
    pub fn from_state(&self, name: &str, value: f64) -> Result<System, Error> {
        let mut numbers = Values::clone(&self.numbers);
        match numbers.set_start(name, value + 0.0) {
            Ok(()) => {
                let mut settings = self.settings.clone();
                put(&mut settings.start, name, &number::exact(value));
                Ok(self.at(settings, self.origin.clone(), numbers))
            }
            Err(_) => self.from_formula(name, &number::exact(value)),
        }
    }

    /// The same system with a formula of parameters for the start value of a state.
    ///
    /// # Errors
    /// As [`System::from_state`], and mistakes of the formula.
    pub fn from_formula(&self, name: &str, formula: &str) -> Result<System, Error> {
        self.set_by(|settings| put(&mut settings.start, name, formula))
    }

    /// The same system that begins at an answer: parameters and start values that are not set already.
    ///
    /// # Errors
    /// As [`System::with_settings`].
    pub(crate) fn at_origin(&self, origin: &Overrides) -> Result<System, Error> {
        let mut settings = self.settings.clone();
        origin.set.iter().for_each(|(name, formula)| put(&mut settings.set, name, formula));
        self.with_numbers(settings, origin.start.clone())
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.shared.model
    }

    /// The parameters and start values that were set, as formulas, in the order given.
    pub fn settings(&self) -> &Overrides {
        &self.settings
    }

    /// The same with the start values that come from an answer.
    pub fn all_settings(&self) -> Overrides {
        complete(&self.settings, &self.origin)
    }

    /// The numbers, checked only for being finite and within their bounds.
    pub fn numbers(&self) -> &Values {
        &self.numbers
    }

    /// The numbers of a motion that begins at the start, checked: the start is admissible and satisfies the contact laws.
    ///
    /// # Errors
    /// Mistakes of the model at these numbers.
    pub fn values(&self) -> Result<&Values, Error> {
        let checked = self.checked.get_or_init(|| Values::clone(&self.numbers).checked());
        checked.as_ref().map_err(|mistakes| Error::from(mistakes.clone()))
    }

    /// By how much the start was moved onto the constraints of the model, if it was: the states that moved.
    pub fn start_moved(&self) -> Option<crate::Named> {
        let values = self.values().ok()?;
        let moved = self.state_names().iter().zip(values.start_shift()).filter(|(_, shift)| **shift != 0.0);
        let (names, shifts): (Vec<String>, Vec<f64>) = moved.map(|(name, &shift)| (name.clone(), shift)).unzip();
        (!names.is_empty()).then(|| crate::Named::new(names.into(), shifts))
    }

    /// The formulas of the sketch compiled, once for all systems that share them; `None` if the model has no sketch.
    pub(crate) fn sketch_tape(&self) -> Option<&Arc<Tape>> {
        let Shared { model, sketch, .. } = &*self.shared;
        sketch.get_or_init(|| model.sketch.as_ref().map(|sketch| Arc::new(sketch.tape()))).as_ref()
    }

    /// The formulas of the model compiled for event-driven simulation, once for all systems that share it.
    ///
    /// # Errors
    /// If the model has too many contacts for it.
    pub fn compiled(&self) -> Result<&motion::System, Error> {
        let model = self.model();
        let (count, most) = (model.contacts.len(), ClosedSet::LARGEST);
        if count <= most {
            return Ok(self.shared.compiled.get_or_init(|| motion::System::new(model)));
        }
        let message = format!("the model has {count} contacts; event-driven simulation is limited to {most}");
        let help = "use time stepping for many contacts: saltation simulate MODEL --method moreau --step H";
        Err(Error::from(model.mistakes(vec![Mistake::general(message).help(help)])))
    }

    /// The same for questions that need derivatives of motions by all states.
    ///
    /// # Errors
    /// As [`System::compiled`], and if there are too many states for it.
    pub fn compiled_for_derivatives(&self) -> Result<&motion::System, Error> {
        let (model, count) = (self.model(), self.shared.states.len());
        if count <= MOST_VARIED {
            return self.compiled();
        }
        let message = format!("the model has {count} states; derivatives of trajectories are limited to {MOST_VARIED}");
        let help = "use fewer elements, or `saltation simulate` and `saltation modes`, which need no derivatives";
        Err(Error::from(model.mistakes(vec![Mistake::general(message).help(help)])))
    }

    /// That motions may repeat themselves, which what is asked for needs: no formula has the time itself.
    pub(crate) fn repeats(&self, asked: &str) -> Result<(), Error> {
        let model = self.model();
        let Some(time) = model.time() else { return Ok(()) };
        let name = &model.states[time].name;
        let message = format!(
            "there are no {asked} of a model with the time `{name}` in its formulas: no trajectory of it repeats itself"
        );
        let help = "declare the forcing as a circle, [phase.phi] with rate = \"omega\" and period = \"2*pi\", and write phi for omega*t; \
                    `saltation simulate` and `saltation sweep` take the time as it is";
        Err(Error::from(model.mistakes(vec![Mistake::general(message).help(help)])))
    }

    /// The names of the states.
    pub fn state_names(&self) -> &Arc<[String]> {
        &self.shared.states
    }

    /// The names of the parameters.
    pub fn parameter_names(&self) -> &Arc<[String]> {
        &self.shared.parameters
    }

    /// The value of a parameter; `None` if there is none of that name.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        self.model().parameter(name).map(|index| self.numbers.parameters()[index])
    }

    /// The value of a formula of parameters.
    ///
    /// ```
    /// use saltation::System;
    /// let system = System::gallery("impact-oscillator")?;
    /// assert_eq!(system.evaluate("10*A"), Ok(3.5));
    /// assert!(system.evaluate("10*B").is_err());
    /// # Ok::<(), saltation::Error>(())
    /// ```
    ///
    /// # Errors
    /// Mistakes of the formula, with their places in the text. A value that is not finite is not a mistake.
    pub fn evaluate(&self, formula: &str) -> Result<f64, Vec<FormulaError>> {
        let mut graph = Graph::new();
        let model = self.model();
        let node = Formula::read(formula)?.build(&mut graph, &mut |graph, name| match model.parameter(name) {
            Some(index) => Ok(graph.constant(self.numbers.parameters()[index])),
            None if ["nan", "inf", "infinity"].contains(&name.to_lowercase().as_str()) => Err(UnknownName {
                message: format!("`{name}` is not a finite number"),
                help: Some("give a number or a formula such as 20*pi".to_string()),
            }),
            None => Err(UnknownName::among(name, model.parameters.iter().map(|p| p.name.as_str()))),
        })?;
        Ok(graph.evaluate(node, &|_| f64::NAN))
    }

    /// Names and values of the parameters.
    pub fn parameters(&self) -> crate::Named {
        crate::Named::new(Arc::clone(&self.shared.parameters), self.numbers.parameters().to_vec())
    }

    /// The start: every state, phases on their circles.
    pub fn start(&self) -> crate::Named {
        let circle = |i: usize| crate::naming::circle(self.model(), &self.numbers, i);
        let on_circle = |(i, &x): (usize, &f64)| crate::naming::on_circle(circle(i), x);
        let values = self.numbers.start().iter().enumerate().map(on_circle);
        crate::Named::new(Arc::clone(&self.shared.states), values.collect())
    }

    /// The names of the numbers of a motion.
    ///
    /// # Errors
    /// As [`System::compiled`].
    pub(crate) fn naming(&self) -> Result<Naming<'_>, Error> {
        Ok(Naming::new(self.compiled()?, &self.numbers, &self.shared.states, &self.shared.parameters))
    }

    /// The period of the forcing, if there is one.
    pub fn forcing_period(&self) -> Option<f64> {
        let model = self.model();
        let phase = model.phase.as_ref()?;
        let states = model.states.len();
        let value = |symbol: usize| match symbol.checked_sub(states) {
            Some(parameter) => self.numbers.parameters()[parameter],
            None => self.numbers.start()[symbol],
        };
        let rate = model.graph.evaluate(phase.rate, &value);
        let period = self.numbers.phase_period()? / rate.abs();
        (period.is_finite() && period > 0.0).then_some(period)
    }

    /// The headline of a report: name and title.
    pub(crate) fn headline(&self) -> String {
        match &self.model().title {
            Some(title) => format!("{}: {title}", self.model().name),
            None => self.model().name.clone(),
        }
    }

    /// The parameters and start values that were set, as `name = value`; repeated names are listed once.
    pub(crate) fn changed(&self) -> Vec<String> {
        self.changed_but(&[])
    }

    /// The same without some parameters.
    pub(crate) fn changed_but(&self, without: &[&str]) -> Vec<String> {
        let parameters = &self.model().parameters;
        let changed = |names: &[(String, String)], name: &str| names.iter().any(|(changed, _)| changed == name);
        let set = parameters.iter().zip(self.numbers.parameters());
        let set = set.filter(|(parameter, _)| changed(&self.settings.set, &parameter.name));
        let set = set.filter(|(parameter, _)| !without.contains(&parameter.name.as_str()));
        let set = set.map(|(parameter, &value)| {
            let name = parameter.symbol_text.as_ref().unwrap_or(&parameter.name);
            let unit = parameter.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{name} = {}{unit}", number::short(value, 10))
        });
        let start = self.model().states.iter().zip(self.numbers.start());
        let start = start.filter(|(state, _)| changed(&self.settings.start, &state.name));
        let start = start.map(|(state, &value)| format!("{}(0) = {}", state.name, number::short(value, 10)));
        set.chain(start).collect()
    }
}

/// All settings of a run: start values from an answer are used where none are set.
fn complete(settings: &Overrides, origin: &[(String, String)]) -> Overrides {
    let new = origin.iter().filter(|(name, _)| !settings.start.iter().any(|(set, _)| set == name));
    Overrides { set: settings.set.clone(), start: settings.start.iter().chain(new).cloned().collect() }
}

/// Gives a name another formula, in the place of the last that it had, which is the one that counts.
fn put(list: &mut Vec<(String, String)>, name: &str, formula: &str) {
    match list.iter_mut().rev().find(|(known, _)| known == name) {
        Some((_, old)) => *old = formula.to_string(),
        None => list.push((name.to_string(), formula.to_string())),
    }
}

/// The names of the gallery similar to `name`, or else all of them.
pub fn suggestion(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split(['-', '_', ' ']).filter(|word| word.len() > 2).collect();
    let mut near: Vec<&str> = nearest(name, gallery::NAMES).into_iter().collect();
    for known in gallery::NAMES {
        if words.iter().any(|word| known.contains(word)) && !near.contains(&known) {
            near.push(known);
        }
    }
    near.truncate(4);
    match near[..] {
        [] => format!("the gallery has {}", gallery::NAMES.join(", ")),
        _ => {
            let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            format!("did you mean {} of the gallery?", quoted.join(" or "))
        }
    }
}

/// The range of tolerances: the lower end is the limit of double precision.
const FINEST: f64 = 1e-16;
const COARSEST: f64 = 1e-2;
/// The local error of one step, relative to the size of the state, unless a request says otherwise.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// Mistakes in a tolerance.
pub(crate) fn check_tolerance(value: f64) -> Option<Refusal> {
    if (FINEST..=COARSEST).contains(&value) {
        return None;
    }
    let message = if value.is_nan() {
        "the tolerance is not a number".to_string()
    } else if value <= 0.0 {
        "the tolerance must be positive".to_string()
    } else if value < FINEST {
        format!("a tolerance of {value:e} is below what double precision can hold")
    } else {
        format!("a tolerance of {value} is too coarse to find events")
    };
    Some(Refusal::new("tol", message, "give a number from 1e-16 to 0.01; 1e-12 is the default"))
}
