//! The numbers of one run: parameters, start, periods and symmetry. What follows from a number is computed anew whenever that is set.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::dependence::Dependence;
use crate::mistake::Mistakes;
use crate::model::Model;
use crate::numbers::Numbers;
use crate::symmetry::SymmetryMap;
use crate::symmetry_check;
use crate::typed::{Target, Typed};

/// At how many states on a surface the laws of a contact are tried before a run.
pub(crate) const FEW_SAMPLES: usize = 4;

/// A start that is moved by less than this, relative to its values, was typed with all digits.
const ROUNDING: f64 = 1e-14;

/// The numbers of one run.
///
/// Parameters and start values that a formula gives follow the parameters in it, and so do all periods and the symmetry. What is set
/// stays as it is set, also where the file has a formula. Setting takes microseconds: the formulas are compiled once per model.
///
/// ```
/// use saltation_model::gallery;
/// let model = gallery::model("rocking-block").unwrap()?;
/// let mut numbers = model.numbers()?;
/// numbers.set_all(&[("b", 0.5), ("h", 1.5), ("m", 3.0)])?;
/// let inertia = model.parameter("J").unwrap();
/// assert_eq!(numbers.parameters()[inertia], 2.5); // m (b² + h²)/3
/// numbers.set("J", 2.0)?;
/// numbers.set("m", 4.0)?;
/// assert_eq!(numbers.parameters()[inertia], 2.0);
/// assert!(numbers.set("mass", 1.0).is_err());
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Clone)]
pub struct Values {
    model: Arc<Model>,
    dependence: Arc<Dependence>,
    numbers: Numbers,
    /// Which parameters were set to a number.
    set: Vec<bool>,
    set_start: Vec<bool>,
    /// Whether parameters differ from the file, by numbers or formulas.
    changed: bool,
    /// By how much every state was moved onto the constraints; empty where it was not.
    shift: Vec<f64>,
    symmetry: Symmetric,
    /// The parameters that may vary in a computation.
    pub(crate) free: Vec<usize>,
    /// The positions among the followers of those that vary along.
    pub(crate) moved: Vec<usize>,
}

/// What is known of the symmetry.
#[derive(Clone)]
enum Symmetric {
    /// Nothing: the numbers were not checked.
    Unasked,
    /// Whether it holds.
    Known(Option<SymmetryMap>),
    /// It is looked for near a start once somebody asks.
    Near(Vec<f64>, OnceLock<Option<SymmetryMap>>),
}

/// A parameter or a state by its position in the model or by its name.
pub trait Key: Copy {
    /// The position among the names of a model, and how a message calls it.
    #[doc(hidden)]
    fn name(self, names: &[&str]) -> String;
}

impl Key for usize {
    fn name(self, names: &[&str]) -> String {
        names.get(self).map_or_else(|| self.to_string(), |name| name.to_string())
    }
}

impl Key for &str {
    fn name(self, _: &[&str]) -> String {
        self.to_string()
    }
}

impl Values {
    /// The numbers of formulas as they stand; [`Values::follow`] makes the rest of them.
    pub(crate) fn new(model: Arc<Model>, dependence: Arc<Dependence>) -> Values {
        let (parameters, start) = (dependence.numbers(), vec![f64::NAN; model.states.len()]);
        Values {
            numbers: Numbers { parameters, start, ..Numbers::default() },
            set: vec![false; model.parameters.len()],
            set_start: vec![false; model.states.len()],
            changed: false,
            shift: Vec::new(),
            symmetry: Symmetric::Unasked,
            free: Vec::new(),
            moved: Vec::new(),
            model,
            dependence,
        }
    }

    /// The value of every parameter, in the order of the model.
    pub fn parameters(&self) -> &[f64] {
        &self.numbers.parameters
    }

    /// The start value of every state, in the order of the model.
    pub fn start(&self) -> &[f64] {
        &self.numbers.start
    }

    /// The period of the phase.
    pub fn phase_period(&self) -> Option<f64> {
        self.numbers.phase_period
    }

    /// For every state its period if it is an angle or the phase.
    pub fn angle_periods(&self) -> &[Option<f64>] {
        &self.numbers.angle_periods
    }

    /// For every section the period of its formula, if that goes round.
    pub fn section_periods(&self) -> &[Option<f64>] {
        &self.numbers.section_periods
    }

    /// The symmetry of the file, if it has one and it holds at these parameters (checked near the start at which they were set). Numbers
    /// that were not checked, as those of [`Model::numbers`], have none.
    pub fn symmetry(&self) -> Option<&SymmetryMap> {
        match &self.symmetry {
            Symmetric::Unasked => None,
            Symmetric::Known(map) => map.as_ref(),
            Symmetric::Near(start, found) => found
                .get_or_init(|| {
                    let there = Numbers { start: start.clone(), ..self.numbers.clone() };
                    symmetry_check::map(&self.model, &there, FEW_SAMPLES).ok().flatten()
                })
                .as_ref(),
        }
    }

    /// Sets a parameter, by its name or its position in the model. What follows from it follows.
    ///
    /// # Errors
    /// A name or position that the model does not have, a value that is not finite or out of its bounds, and what follows from it and is.
    /// The numbers are then as before.
    pub fn set(&mut self, parameter: impl Key, value: f64) -> Result<(), Mistakes> {
        self.set_all(&[(parameter, value)])
    }

    /// Sets several parameters at once.
    ///
    /// # Errors
    /// As [`Values::set`], for all of them.
    pub fn set_all<K: Key>(&mut self, parameters: &[(K, f64)]) -> Result<(), Mistakes> {
        self.put_all(Target::Parameter, parameters)
    }

    /// Sets the start value of a state, by its name or its position in the model.
    ///
    /// # Errors
    /// A name or position that the model does not have, and a value that is not finite. The numbers are then as before.
    pub fn set_start(&mut self, state: impl Key, value: f64) -> Result<(), Mistakes> {
        self.set_starts(&[(state, value)])
    }

    /// Sets the start values of several states at once.
    ///
    /// # Errors
    /// As [`Values::set_start`], for all of them.
    pub fn set_starts<K: Key>(&mut self, states: &[(K, f64)]) -> Result<(), Mistakes> {
        self.put_all(Target::Start, states)
    }

    /// The same with another value of a parameter.
    ///
    /// # Errors
    /// As [`Values::set`].
    pub fn with(&self, parameter: impl Key, value: f64) -> Result<Values, Mistakes> {
        let mut values = self.clone();
        values.set(parameter, value)?;
        Ok(values)
    }

    /// The same from another state, which is taken as it is: whether a motion can begin there is known when it begins.
    ///
    /// ```
    /// use saltation_model::gallery;
    /// let numbers = gallery::model("bouncing-ball").unwrap()?.numbers()?.with_start(&[3.0, -1.0]);
    /// assert_eq!(numbers.with("h", 2.0)?.start(), [3.0, -1.0]); // the height h of the file counts no more
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    ///
    /// # Panics
    /// If it has not one entry per state.
    pub fn with_start(&self, state: &[f64]) -> Values {
        let mut values = self.clone();
        values.start_from(state);
        values
    }

    /// Sets the start values of all states as [`Values::with_start`] does.
    ///
    /// # Panics
    /// If it has not one entry per state.
    pub fn start_from(&mut self, state: &[f64]) {
        self.numbers.start.copy_from_slice(state);
        self.set_start.fill(true);
    }

    /// The same at other values of all parameters, as a computation has them: they are taken as they are, also out of their bounds. Those
    /// that have not the value of their formula count as set. Start values that formulas give, periods and the symmetry follow.
    ///
    /// ```
    /// use saltation_model::gallery;
    /// let numbers = gallery::model("bouncing-ball").unwrap()?.numbers()?;
    /// let higher: Vec<f64> = numbers.parameters().iter().map(|p| 2.0 * p).collect();
    /// assert_eq!(numbers.with_parameters(&higher).start()[0], 2.0 * numbers.start()[0]);
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    ///
    /// # Panics
    /// If there is not one value per parameter.
    pub fn with_parameters(&self, parameters: &[f64]) -> Values {
        let mut values = self.clone();
        values.numbers.parameters.copy_from_slice(parameters);
        for follower in self.dependence.followers() {
            let i = follower.parameter;
            values.set[i] |= follower.value(parameters).to_bits() != parameters[i].to_bits();
        }
        values.changed = true;
        values.follow();
        values
    }

    /// The same for a motion that nobody looks at on sections: none of them has a period.
    #[must_use]
    pub fn without_sections(mut self) -> Values {
        self.numbers.section_periods.fill(None);
        self
    }

    /// By how much every state of the start was moved onto the constraints of the model when it was checked; empty where it was on them, to within rounding.
    pub fn start_shift(&self) -> &[f64] {
        &self.shift
    }

    /// Moves the start onto the constraints.
    pub(crate) fn move_start(&mut self, onto: &[f64]) {
        let pairs = || onto.iter().zip(&self.numbers.start);
        let is_rounding = |(a, b): (&f64, &f64)| (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
        self.shift = if pairs().all(is_rounding) { Vec::new() } else { pairs().map(|(a, b)| a - b).collect() };
        self.numbers.start.copy_from_slice(onto);
    }

    /// Whether parameters differ from those of the file, by numbers or formulas.
    pub(crate) fn is_changed(&self) -> bool {
        self.changed
    }

    /// The model.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The numbers at which formulas are evaluated.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// What follows from the parameters.
    pub(crate) fn dependence(&self) -> &Dependence {
        &self.dependence
    }

    /// Notes whether the symmetry of the file holds.
    pub(crate) fn set_symmetry(&mut self, map: Option<SymmetryMap>) {
        self.symmetry = Symmetric::Known(map);
    }

    /// Gives a quantity a number, or lets it follow its formula.
    pub(crate) fn put(&mut self, target: Target, index: usize, number: Option<f64>) {
        let (values, set) = match target {
            Target::Parameter => (&mut self.numbers.parameters, &mut self.set),
            Target::Start => (&mut self.numbers.start, &mut self.set_start),
        };
        set[index] = number.is_some();
        values[index] = number.unwrap_or(values[index]);
        self.changed |= target == Target::Parameter;
    }

    /// Computes everything that follows from the parameters.
    pub(crate) fn follow(&mut self) {
        let dependence = Arc::clone(&self.dependence);
        for follower in dependence.followers() {
            if !self.set[follower.parameter] {
                self.numbers.parameters[follower.parameter] = follower.value(&self.numbers.parameters);
            }
        }
        let starts = dependence.starts(&self.numbers.parameters);
        for (i, value) in starts.into_iter().enumerate() {
            if !self.set_start[i] {
                self.numbers.start[i] = value;
            }
        }
        let periods = dependence.periods(&self.numbers.parameters);
        self.numbers.phase_period = periods.phase;
        self.numbers.angle_periods = periods.angles;
        self.numbers.section_periods = periods.sections;
        self.moved = self.moving();
        if self.model.symmetry.is_some() && !matches!(self.symmetry, Symmetric::Unasked) {
            self.symmetry = Symmetric::Near(self.numbers.start.clone(), OnceLock::new());
        }
    }

    /// Whether a start value keeps the number that it was set to.
    pub(crate) fn is_start_set(&self, state: usize) -> bool {
        self.set_start[state]
    }

    /// Whether a parameter keeps the number that it was set to.
    pub(crate) fn is_set(&self, parameter: usize) -> bool {
        self.set[parameter]
    }

    fn put_all<K: Key>(&mut self, target: Target, list: &[(K, f64)]) -> Result<(), Mistakes> {
        let mut typed = Typed::default();
        let mut next = self.clone();
        let model = &*self.model;
        for &(key, value) in list {
            let name = key.name(&target.names(model));
            if let Some((index, _)) = typed.line(model, target, &name, &written(value)) {
                next.put(target, index, Some(value));
            }
        }
        typed.finish()?;
        match target {
            Target::Parameter => next.follow(),
            // Nothing follows from a start value.
            Target::Start => {}
        }
        typed.judge(model, &next.numbers.parameters, &next.numbers.start)?;
        *self = next;
        Ok(())
    }
}

/// A number with all its digits.
fn written(value: f64) -> String {
    format!("{value:?}").trim_end_matches(".0").to_string()
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        self.numbers == other.numbers && self.free == other.free && self.symmetry() == other.symmetry()
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values")
            .field("parameters", &self.numbers.parameters)
            .field("start", &self.numbers.start)
            .field("phase_period", &self.numbers.phase_period)
            .field("angle_periods", &self.numbers.angle_periods)
            .field("section_periods", &self.numbers.section_periods)
            .field("free", &self.free)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// Numbers as a computation has them, which are taken as they are: values of all parameters and a state to begin at.
    ///
    /// # Panics
    /// If there is not one value per parameter and one entry per state.
    pub fn numbers_at(&self, parameters: &[f64], start: &[f64]) -> Values {
        let (model, dependence) = self.compiled();
        Values::new(Arc::clone(model), Arc::clone(dependence)).with_start(start).with_parameters(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Overrides;

    /// Setting compiles nothing: all numbers of a model share its formulas, unless formulas are set that are no numbers.
    #[test]
    fn numbers_of_a_model_share_their_formulas() {
        let model = crate::gallery::model("rocking-block").expect("listed").expect("right");
        let file = model.numbers().expect("right");
        let typed = |value: &str| {
            let settings = Overrides { set: vec![("m".into(), value.into())], start: vec![] };
            model.numbers_with(&settings).expect("right")
        };
        for values in [file.with("m", 3.0).expect("right"), file.with_start(file.start()), typed("3"), typed("12/4")] {
            assert!(Arc::ptr_eq(&values.dependence, &model.compiled().1));
        }
        let own = typed("2*h");
        assert!(!Arc::ptr_eq(&own.dependence, &model.compiled().1));
        assert!(Arc::ptr_eq(&own.dependence, &own.with("h", 1.0).expect("right").dependence));
    }
}
