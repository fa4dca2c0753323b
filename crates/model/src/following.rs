//! How do all numbers of a run follow when some parameters vary? Parameters given by formulas of them vary along.

use saltation_expr::parse::UnknownName;
use saltation_expr::{Jet, Node, Tape};
use saltation_numerics::number::Number;

use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::values::{Overrides, Values};

/// The numbers of a run as functions of some free parameters.
///
/// ```
/// use saltation_model::{Model, Overrides};
/// let model = Model::parse(r#"
///     format = 1
///     name = "ball"
///     [parameters]
///     g = 9.8
///     weight = "2*g"
///     [flow]
///     x = "v"
///     v = "-g"
///     [contacts.floor]
///     gap = "x"
///     jump = { v = "-v" }
///     [start]
///     x = 1
///     v = 0
/// "#, "ball.toml")?;
/// let following = model.following(&Overrides::default(), &["g"])?;
/// let mut parameters = Vec::new();
/// following.parameters(&[1.6], &mut parameters);
/// assert_eq!(parameters, [1.6, 3.2]);
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Debug, Clone)]
pub struct Following {
    /// The free parameters, by their position in the model.
    pub free: Vec<usize>,
    /// The numbers at the settings themselves.
    pub values: Values,
    /// The parameters that follow, in an order in which each stands after those it uses.
    formulas: Vec<(usize, Tape)>,
    /// The period of every angle, by state.
    angles: Vec<usize>,
    angle_periods: Tape,
}

impl Model {
    /// The numbers of a run with some parameters free.
    ///
    /// # Errors
    /// Mistakes in the settings, or a name that is no parameter or is given twice.
    pub fn following(&self, settings: &Overrides, free: &[&str]) -> Result<Following, Mistakes> {
        self.following_values(self.values(settings)?, settings, free)
    }

    /// The same from a state that a computation has found, with one entry per state: the start of the model need not be admissible at these parameters.
    ///
    /// # Errors
    /// Mistakes in the parameters, or a name that is no parameter or is given twice.
    ///
    /// # Panics
    /// If `start` has another length.
    pub fn following_from(
        &self,
        set: &[(String, String)],
        start: &[f64],
        free: &[&str],
    ) -> Result<Following, Mistakes> {
        let settings = Overrides { set: set.to_vec(), start: Vec::new() };
        let mut values = self.numbers(&settings)?;
        values.start.copy_from_slice(start);
        values.symmetry = self.symmetry_of(&values, !set.is_empty())?;
        self.following_values(values, &settings, free)
    }

    fn following_values(&self, values: Values, settings: &Overrides, free: &[&str]) -> Result<Following, Mistakes> {
        let mut positions = Vec::new();
        for name in free {
            let known = self.parameter(name).filter(|position| !positions.contains(position));
            let Some(position) = known else {
                let text = format!("along {name}");
                let (message, help) = match self.parameter(name) {
                    Some(_) => (format!("`{name}` is named twice"), "name two different parameters".to_string()),
                    None => {
                        let names: Vec<&str> = self.parameters.iter().map(|p| p.name.as_str()).collect();
                        let near = UnknownName::among(name, names.iter().copied()).help;
                        let all = match names.as_slice() {
                            [] => "declare it in the model file, in [parameters]".to_string(),
                            names => format!("its parameters are {}", names.join(", ")),
                        };
                        let help = near.filter(|help| help.starts_with("did")).unwrap_or(all);
                        (format!("the model has no parameter `{name}`"), help)
                    }
                };
                let mistake = Mistake::at(6..text.len(), message).help(help);
                return Err(Mistakes::new("settings", &text, vec![mistake]));
            };
            positions.push(position);
        }
        let (graph, formulas, sequence) = self.parameter_formulas(settings);
        let symbols = self.parameter_symbols();
        let mut moving = positions.clone();
        let mut followers = Vec::new();
        for i in sequence {
            let inside = graph.symbols_of(formulas[i]);
            let moved = !positions.contains(&i) && moving.iter().any(|&j| inside.contains(&symbols[j]));
            if moved {
                moving.push(i);
                followers.push((i, Tape::new(&graph, &[], &symbols, &[], &[formulas[i]])));
            }
        }
        let angle = |(i, state): (usize, &crate::model::State)| state.angle_period.map(|period| (i, period));
        let (angles, periods): (Vec<usize>, Vec<Node>) = self.states.iter().enumerate().filter_map(angle).unzip();
        let angle_periods = Tape::new(&self.graph, &[], &symbols, &[], &periods);
        Ok(Following { free: positions, values, formulas: followers, angles, angle_periods })
    }
}

impl Following {
    /// The values of the free parameters at the settings.
    pub fn start(&self) -> Vec<f64> {
        self.free.iter().map(|&i| self.values.parameters[i]).collect()
    }

    /// The values of all parameters, given those of the free ones.
    ///
    /// # Panics
    /// If there are not as many as are free.
    pub fn parameters<T: Number>(&self, free: &[T], parameters: &mut Vec<T>) {
        assert_eq!(free.len(), self.free.len(), "one value per free parameter");
        parameters.clear();
        parameters.extend(self.values.parameters.iter().map(|&value| T::from_f64(value)));
        for (&i, &value) in self.free.iter().zip(free) {
            parameters[i] = value;
        }
        for (i, tape) in &self.formulas {
            let mut value = [T::ZERO];
            tape.evaluate(&tape.bind(parameters), &[], &mut Jet::new(tape), &mut value);
            parameters[*i] = value[0];
        }
    }

    /// The period of every state that is an angle or the phase, at values of all parameters; 0 for other states.
    pub fn angle_periods<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let tape = &self.angle_periods;
        let mut values = vec![T::ZERO; tape.outputs()];
        if !values.is_empty() {
            tape.evaluate(&tape.bind(parameters), &[], &mut Jet::new(tape), &mut values);
        }
        let mut periods = vec![T::ZERO; self.values.start.len()];
        self.angles.iter().zip(values).for_each(|(&i, value)| periods[i] = value);
        periods
    }
}
