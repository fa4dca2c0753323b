//! Settings: parameters and start values that a user gives as formulas, read into the numbers of a run with every mistake at its place.

use std::ops::Range;
use std::sync::Arc;

use saltation_expr::parse::{Formula, UnknownName};
use saltation_expr::{Graph, Node};

use crate::dependence::Dependence;
use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::names::order;
use crate::values::Values;

/// The help where a formula has no finite value.
const DEFINED: &str = "write a number such as 0.1, or a formula that neither divides by zero nor takes the root or \
                       logarithm of something negative";

/// What the user changes: parameters and start values, by name, as formulas of parameters. It is text; its numbers are [`Values`].
///
/// A parameter whose formula in the file uses a changed one follows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Parameters and their formulas.
    pub set: Vec<(String, String)>,
    /// States and their start values.
    pub start: Vec<(String, String)>,
}

/// What a setting gives a value to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A parameter.
    Parameter,
    /// The start value of a state.
    Start,
}

impl Target {
    /// How a line of settings begins.
    fn word(self) -> &'static str {
        match self {
            Target::Parameter => "set ",
            Target::Start => "start ",
        }
    }

    /// What it is called.
    fn noun(self) -> &'static str {
        match self {
            Target::Parameter => "parameter",
            Target::Start => "state",
        }
    }

    /// What there is of it in a model.
    pub fn names(self, model: &Model) -> Vec<&str> {
        match self {
            Target::Parameter => model.parameters.iter().map(|parameter| parameter.name.as_str()).collect(),
            Target::Start => model.states.iter().map(|state| state.name.as_str()).collect(),
        }
    }
}

/// The settings as a text in which mistakes can be shown, one line each.
#[derive(Default)]
pub(crate) struct Typed {
    text: String,
    mistakes: Vec<Mistake>,
    /// What was set, with the place of its value; the last one counts.
    lines: Vec<(Target, usize, Range<usize>)>,
}

impl Typed {
    /// Writes one setting and finds the quantity that it sets, with the place of its value.
    pub fn line(&mut self, model: &Model, target: Target, name: &str, value: &str) -> Option<(usize, Range<usize>)> {
        self.text.push_str(target.word());
        let name_at = self.text.len();
        self.text.push_str(name);
        self.text.push_str(" = ");
        let value_at = self.text.len();
        self.text.push_str(value);
        self.text.push('\n');
        match position(model, target, name) {
            Ok(index) => {
                let place = value_at..value_at + value.len();
                self.lines.push((target, index, place.clone()));
                Some((index, place))
            }
            Err(mistake) => {
                self.mistakes.push(Mistake { span: Some(name_at..name_at + name.len()), ..mistake });
                None
            }
        }
    }

    /// The place of the value of a quantity, if that was set here.
    fn place(&self, target: Target, index: usize) -> Option<Range<usize>> {
        let last = self.lines.iter().rev().find(|line| (line.0, line.1) == (target, index));
        last.map(|(_, _, place)| place.clone())
    }

    /// The mistakes of the settings so far, if there are any.
    pub fn finish(&mut self) -> Result<(), Mistakes> {
        let mistakes = std::mem::take(&mut self.mistakes);
        if mistakes.is_empty() { Ok(()) } else { Err(Mistakes::new("settings", &self.text, mistakes)) }
    }

    /// Whether numbers that follow from the settings are finite and within their bounds.
    ///
    /// # Errors
    /// What is wrong with those that were set, shown in their own text; or else with those of the file.
    pub fn judge(&mut self, model: &Model, parameters: &[f64], start: &[f64]) -> Result<(), Mistakes> {
        let mut of_file = Vec::new();
        for (i, (parameter, &value)) in model.parameters.iter().zip(parameters).enumerate() {
            let low = parameter.min.filter(|&min| value < min);
            let high = parameter.max.filter(|&max| value > max);
            let name = &parameter.name;
            let (message, help) = if !value.is_finite() {
                (format!("the parameter `{name}` has no finite value"), DEFINED.to_string())
            } else if let Some(min) = low {
                let help = format!("choose a value of at least {min}, or change `min` of `{name}` in [parameters]");
                (format!("the parameter `{name}` is {value}, but its least value is {min}"), help)
            } else if let Some(max) = high {
                let help = format!("choose a value of at most {max}, or change `max` of `{name}` in [parameters]");
                (format!("the parameter `{name}` is {value}, but its greatest value is {max}"), help)
            } else {
                continue;
            };
            match self.place(Target::Parameter, i) {
                Some(span) => self.mistakes.push(Mistake::at(span, message).help(help)),
                None => of_file.push(model.mistake_at(&format!("parameters.{name}"), message).help(help)),
            }
        }
        for (i, (state, number)) in model.states.iter().zip(start).enumerate() {
            if number.is_finite() {
                continue;
            }
            let message = format!("the start value of `{}` is not finite: it is {number}", state.name);
            match self.place(Target::Start, i) {
                Some(span) => self.mistakes.push(Mistake::at(span, message).help(DEFINED)),
                // It may follow from a parameter that has none.
                None if of_file.is_empty() => {
                    of_file.push(model.mistake_at(&format!("start.{}", state.name), message).help(DEFINED));
                }
                None => {}
            }
        }
        self.finish()?;
        if of_file.is_empty() { Ok(()) } else { Err(model.mistakes(of_file)) }
    }
}

/// The position of a parameter or a state by its name; otherwise the mistake, with the name that is nearest or all there are.
pub(crate) fn position(model: &Model, target: Target, name: &str) -> Result<usize, Mistake> {
    let known = target.names(model);
    known.iter().position(|candidate| *candidate == name).ok_or_else(|| {
        let what = target.noun();
        let near = UnknownName::among(name, known.iter().copied()).help.filter(|help| help.starts_with("did"));
        let all = match known.as_slice() {
            [] => format!("declare it in the model file, in [{what}s]"),
            known => format!("its {what}s are {}", known.join(", ")),
        };
        Mistake::general(format!("the model has no {what} `{name}`")).help(near.unwrap_or(all))
    })
}

/// One value that was set: a number, or a formula in a graph with the parameters.
enum Set {
    Number(f64),
    Formula(Node),
}

impl Model {
    /// The numbers of the file: formulas evaluated, bounds of parameters kept, and nothing said about the start.
    ///
    /// ```
    /// use saltation_model::gallery;
    /// let model = gallery::model("rocking-block").unwrap()?;
    /// let mut numbers = model.numbers()?;
    /// let inertia = model.parameter("J").unwrap();
    /// let before = numbers.parameters()[inertia];
    /// numbers.set("m", 2.0 * numbers.parameters()[model.parameter("m").unwrap()])?;
    /// assert_eq!(numbers.parameters()[inertia], 2.0 * before); // J = m (b² + h²)/3
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    ///
    /// # Errors
    /// Values that are not finite or out of bounds.
    pub fn numbers(&self) -> Result<Values, Mistakes> {
        self.numbers_with(&Overrides::default())
    }

    /// The numbers of a run as they are set: formulas evaluated, bounds of parameters kept, and nothing said about the start. These are for
    /// questions that do not begin at the start, such as that for a [`Structure`](crate::Structure).
    ///
    /// # Errors
    /// Mistakes in the settings, and values that are not finite or out of bounds.
    pub fn numbers_with(&self, settings: &Overrides) -> Result<Values, Mistakes> {
        let dependence = self.dependence();
        let mut typed = Typed::default();
        let mut graph: Option<Graph> = None;
        let mut set = Vec::new();
        let targets = settings.set.iter().map(|pair| (Target::Parameter, pair));
        for (target, (name, value)) in targets.chain(settings.start.iter().map(|pair| (Target::Start, pair))) {
            let Some((index, place)) = typed.line(self, target, name, value) else { continue };
            match read(self, dependence, &mut graph, value) {
                Ok(one) => set.push((target, index, one)),
                Err(mistakes) => typed.mistakes.extend(mistakes.into_iter().map(|error| {
                    let span = place.start + error.span.start..place.start + error.span.end;
                    Mistake::of_formula(span, error)
                })),
            }
        }
        let dependence = match graph {
            None => Arc::clone(dependence),
            Some(graph) => {
                let (mut formulas, mut starts) = dependence.formulas();
                let mut graph = graph;
                for (target, index, one) in &set {
                    let node = match *one {
                        Set::Number(number) => graph.constant(number),
                        Set::Formula(node) => node,
                    };
                    match target {
                        Target::Parameter => formulas[*index] = node,
                        Target::Start => starts[*index] = node,
                    }
                }
                match order(&dependence.uses(&graph, &formulas)) {
                    Ok(sequence) => Arc::new(dependence.with(graph, formulas, starts, sequence)),
                    Err(circle) => {
                        typed.mistakes.push(self.circle(&circle, &typed));
                        Arc::clone(dependence)
                    }
                }
            }
        };
        typed.finish()?;
        let mut values = Values::new(dependence);
        for (target, index, one) in set {
            let number = match one {
                Set::Number(number) => Some(number),
                Set::Formula(_) => None,
            };
            values.put(target, index, number);
        }
        values.follow();
        typed.judge(self, values.parameters(), values.start())?;
        Ok(values)
    }

    /// Parameters whose formulas need each other.
    fn circle(&self, circle: &[usize], typed: &Typed) -> Mistake {
        let mut names: Vec<&str> = circle.iter().map(|&i| self.parameters[i].name.as_str()).collect();
        names.push(names[0]);
        let message = match circle {
            [_] => format!("the parameter `{}` refers to itself", names[0]),
            _ => format!("parameters refer to each other in a circle: {}", names.join(" -> ")),
        };
        let span = circle.iter().find_map(|&i| typed.place(Target::Parameter, i));
        let help = format!("set a number, e.g. {} = 1", names[0]);
        Mistake { span, ..Mistake::general(message).help(help) }
    }
}

/// Reads a formula of parameters. One that is a number needs no graph; any other is written into `graph`, which begins as that of the model.
fn read(
    model: &Model,
    dependence: &Dependence,
    graph: &mut Option<Graph>,
    value: &str,
) -> Result<Set, Vec<saltation_expr::parse::FormulaError>> {
    let formula = Formula::read(value)?;
    let mut alone = Graph::new();
    let mut named = false;
    let node = formula.build(&mut alone, &mut |alone, name| match model.parameter(name) {
        Some(_) => {
            named = true;
            Ok(alone.symbol(name))
        }
        None if model.state(name).is_some() => Err(UnknownName {
            message: format!("`{name}` is not a parameter"),
            help: Some("use numbers and parameters only".to_string()),
        }),
        None => {
            let unknown = UnknownName::among(name, model.parameters.iter().map(|parameter| parameter.name.as_str()));
            let rule = || "use numbers and parameters only".to_string();
            Err(UnknownName { help: unknown.help.or_else(|| Some(rule())), ..unknown })
        }
    })?;
    if let Some(number) = alone.as_constant(node).filter(|_| !named) {
        return Ok(Set::Number(number));
    }
    let graph = graph.get_or_insert_with(|| dependence.graph().clone());
    let symbol = |name: &str| model.parameter(name).map(|i| dependence.symbols()[i]);
    let unknown = |name: &str| UnknownName::among(name, []);
    formula.build(graph, &mut |_, name| symbol(name).ok_or_else(|| unknown(name))).map(Set::Formula)
}
