//! Settings: parameters and start values that a user gives as formulas, read into the numbers of a run with every mistake at its place.

use std::sync::Arc;

use saltation_expr::parse::{Formula, UnknownName};
use saltation_expr::{Graph, Node};

use crate::dependence::Dependence;
use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::names::order;
use crate::typed::{Target, Typed};
use crate::values::Values;

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
        let (own, dependence) = self.compiled();
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
        let mut values = Values::new(Arc::clone(own), dependence);
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
    let resolve = &mut |alone: &mut Graph, name: &str| match model.parameter(name) {
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
    };
    let node = formula.build_where(&mut alone, resolve, &|_, _| true)?;
    if let Some(number) = alone.as_constant(node).filter(|_| !named) {
        return Ok(Set::Number(number));
    }
    let graph = graph.get_or_insert_with(|| dependence.graph().clone());
    let symbol = |name: &str| model.parameter(name).map(|i| dependence.symbols()[i]);
    let unknown = |name: &str| UnknownName::among(name, []);
    let resolve = &mut |_: &mut Graph, name: &str| symbol(name).ok_or_else(|| unknown(name));
    formula.build_where(graph, resolve, &|_, _| true).map(Set::Formula)
}
