//! Which numbers do parameters and start values have, given what the user sets?

use saltation_expr::parse::{Formula, UnknownName};
use saltation_expr::{Graph, Node};

use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::names::order;
use crate::section::SectionKind;
use crate::symmetry::SymmetryMap;

/// At how many states on a surface the laws of a contact are tried before a run.
pub(crate) const FEW_SAMPLES: usize = 4;
/// The help where a formula has no finite value.
const DEFINED: &str = "write a number such as 0.1, or a formula that neither divides by zero nor takes the root or \
                       logarithm of something negative";

/// What the user changes: parameters and start values, by name, as formulas of parameters.
///
/// A parameter whose formula in the file uses a changed one follows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Parameters and their formulas.
    pub set: Vec<(String, String)>,
    /// States and their start values.
    pub start: Vec<(String, String)>,
}

/// The numbers of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// The value of every parameter.
    pub parameters: Vec<f64>,
    /// The start value of every state.
    pub start: Vec<f64>,
    /// The period of the phase.
    pub phase_period: Option<f64>,
    /// For every state its period if it is an angle or the phase.
    pub angle_periods: Vec<Option<f64>>,
    /// For every section the period of its formula, if that goes round.
    pub section_periods: Vec<Option<f64>>,
    /// The symmetry of the file, if it has one and it holds at these parameters (checked near the start).
    pub symmetry: Option<SymmetryMap>,
}

/// The settings as a text in which mistakes can be shown, one line each.
struct Typed {
    text: String,
    mistakes: Vec<Mistake>,
}

impl Typed {
    /// Writes one setting and says where its name and its value stand.
    fn line(&mut self, word: &str, name: &str, value: &str) -> (usize, usize) {
        self.text.push_str(word);
        let name_at = self.text.len();
        self.text.push_str(name);
        self.text.push_str(" = ");
        let value_at = self.text.len();
        self.text.push_str(value);
        self.text.push('\n');
        (name_at, value_at)
    }
}

impl Model {
    /// The numbers of a run as they are set: formulas evaluated, bounds of parameters kept, and nothing said about the start. These are for
    /// questions that do not begin at the start, such as that for a [`Structure`](crate::Structure).
    ///
    /// # Errors
    /// Mistakes in the settings, and values that are not finite or out of bounds.
    pub fn numbers(&self, settings: &Overrides) -> Result<Values, Mistakes> {
        let mut graph = self.graph.clone();
        let mut typed = Typed { text: String::new(), mistakes: Vec::new() };
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut formulas: Vec<Node> = self.parameters.iter().map(|parameter| parameter.value).collect();
        let mut lines: Vec<Option<std::ops::Range<usize>>> = vec![None; names.len()];
        for (name, value) in &settings.set {
            if let Some((i, node, span)) = self.setting(&mut graph, &mut typed, "set ", name, value, &names) {
                formulas[i] = node;
                lines[i] = Some(span);
            }
        }
        let states: Vec<&str> = self.states.iter().map(|state| state.name.as_str()).collect();
        let mut starts: Vec<Node> = self.states.iter().map(|state| state.start).collect();
        let mut start_lines = vec![None; states.len()];
        for (name, value) in &settings.start {
            if let Some((i, node, span)) = self.setting(&mut graph, &mut typed, "start ", name, value, &states) {
                starts[i] = node;
                start_lines[i] = Some(span);
            }
        }
        let sequence = if settings.set.is_empty() {
            Ok(self.parameter_order.clone())
        } else {
            let used = |&node: &Node| {
                let inside = graph.symbols_of(node);
                (0..names.len()).filter(|&j| inside.contains(&self.parameters[j].symbol)).collect()
            };
            order(&formulas.iter().map(used).collect::<Vec<Vec<usize>>>())
        };
        let sequence = sequence.unwrap_or_else(|circle| {
            let mut names: Vec<&str> = circle.iter().map(|&i| names[i]).collect();
            names.push(names[0]);
            let message = match circle.as_slice() {
                [_] => format!("the parameter `{}` refers to itself", names[0]),
                _ => format!("parameters refer to each other in a circle: {}", names.join(" -> ")),
            };
            let span = circle.iter().find_map(|&i| lines[i].clone());
            let help = format!("set a number, e.g. {} = 1", names[0]);
            typed.mistakes.push(Mistake { span, ..Mistake::general(message).help(help) });
            Vec::new()
        });
        if !typed.mistakes.is_empty() {
            return Err(Mistakes::new("settings", &typed.text, typed.mistakes));
        }

        let n = self.states.len();
        let mut symbols = vec![f64::NAN; n + names.len()];
        let mut of_file = Vec::new();
        for i in sequence {
            let value = graph.evaluate(formulas[i], &|symbol| symbols[symbol]);
            symbols[n + i] = value;
            let parameter = &self.parameters[i];
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
            match lines[i].clone() {
                Some(span) => typed.mistakes.push(Mistake::at(span, message).help(help)),
                None => of_file.push(self.mistake_at(&format!("parameters.{name}"), message).help(help)),
            }
        }
        let value = |node: Node| graph.evaluate(node, &|symbol| symbols[symbol]);
        let at_once = graph.values(&starts, &|symbol| symbols[symbol]);
        let start: Vec<f64> = starts.iter().map(|node| at_once[node]).collect();
        for (i, number) in start.iter().enumerate().filter(|(_, number)| !number.is_finite()) {
            let message = format!("the start value of `{}` is not finite: it is {number}", states[i]);
            match start_lines[i].clone() {
                Some(span) => typed.mistakes.push(Mistake::at(span, message).help(DEFINED)),
                None if of_file.is_empty() => {
                    of_file.push(self.mistake_at(&format!("start.{}", states[i]), message).help(DEFINED));
                }
                None => {}
            }
        }
        if !typed.mistakes.is_empty() {
            return Err(Mistakes::new("settings", &typed.text, typed.mistakes));
        }
        if !of_file.is_empty() {
            return Err(self.mistakes(of_file));
        }
        let section_periods = self.sections.iter().map(|section| match section.kind {
            SectionKind::Formula { period, .. } => {
                period.map(|period| value(period).abs()).filter(|&period| period > 0.0)
            }
            SectionKind::Contact(_) => None,
        });
        Ok(Values {
            phase_period: self.phase.as_ref().map(|phase| value(phase.period)),
            angle_periods: self.states.iter().map(|state| state.angle_period.map(value)).collect(),
            section_periods: section_periods.collect(),
            symmetry: None,
            parameters: symbols[n..].to_vec(),
            start,
        })
    }

    /// The formulas of all parameters under settings that are right, with their graph and an order in which every parameter stands after
    /// those its formula uses.
    pub(crate) fn parameter_formulas(&self, settings: &Overrides) -> (Graph, Vec<Node>, Vec<usize>) {
        let mut graph = self.graph.clone();
        let mut typed = Typed { text: String::new(), mistakes: Vec::new() };
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut formulas: Vec<Node> = self.parameters.iter().map(|parameter| parameter.value).collect();
        for (name, value) in &settings.set {
            if let Some((i, node, _)) = self.setting(&mut graph, &mut typed, "set ", name, value, &names) {
                formulas[i] = node;
            }
        }
        let used = |&node: &Node| {
            let inside = graph.symbols_of(node);
            (0..names.len()).filter(|&j| inside.contains(&self.parameters[j].symbol)).collect()
        };
        let sequence = order(&formulas.iter().map(used).collect::<Vec<Vec<usize>>>());
        (graph, formulas, sequence.unwrap_or_default())
    }

    /// One setting: which quantity it sets, the formula, and where that stands in the typed text.
    fn setting(
        &self,
        graph: &mut Graph,
        typed: &mut Typed,
        word: &str,
        name: &str,
        value: &str,
        known: &[&str],
    ) -> Option<(usize, Node, std::ops::Range<usize>)> {
        let (name_at, value_at) = typed.line(word, name, value);
        let Some(index) = known.iter().position(|candidate| *candidate == name) else {
            let what = if word == "set " { "parameter" } else { "state" };
            let unknown = UnknownName::among(name, known.iter().copied());
            let mistake = Mistake::at(name_at..name_at + name.len(), format!("the model has no {what} `{name}`"));
            let all = match known {
                [] => format!("declare it in the model file, in [{what}s]"),
                _ => format!("its {what}s are {}", known.join(", ")),
            };
            typed.mistakes.push(mistake.help(unknown.help.filter(|help| help.starts_with("did")).unwrap_or(all)));
            return None;
        };
        let parameters = || self.parameters.iter().map(|parameter| parameter.name.as_str());
        let node = Formula::read(value).and_then(|formula| {
            formula.build(graph, &mut |_, name| match self.parameter(name) {
                Some(i) => Ok(self.parameters[i].symbol),
                None if self.state(name).is_some() => Err(UnknownName {
                    message: format!("`{name}` is not a parameter"),
                    help: Some("use numbers and parameters only".to_string()),
                }),
                None => {
                    let unknown = UnknownName::among(name, parameters());
                    let rule = || "use numbers and parameters only".to_string();
                    Err(UnknownName { help: unknown.help.or_else(|| Some(rule())), ..unknown })
                }
            })
        });
        match node {
            Ok(node) => Some((index, node, value_at..value_at + value.len())),
            Err(errors) => {
                typed.mistakes.extend(
                    errors.into_iter().map(|error| {
                        Mistake::of_formula(value_at + error.span.start..value_at + error.span.end, error)
                    }),
                );
                None
            }
        }
    }
}
