//! Robustness against arbitrary text in model files, formulas and settings: no panic, no hang, and every message has a sentence and a place.
//!
//! The functions take bytes of any kind and say what is wrong with the answer, if anything; the targets in `fuzz/` call them, and the
//! family [`INPUTS`] calls them with texts of the gallery that it has mutated.

use saltation_expr::parse::{Formula, FormulaError};
use saltation_expr::{Graph, Node};
use saltation_model::{Mistakes, Model, Overrides, gallery};
use saltation_motion::{ClosedSet, Ended, Motion, Settings, System};

use crate::dice::Dice;
use crate::family::{Disagreement, Family, Outcome, Watch};

/// The family of mutated texts.
pub const INPUTS: Family = Family {
    name: "inputs",
    about: "mutated model files, formulas and settings: no panic, no hang, and every message has a place",
    every: 1,
    examine: drawn,
};

/// The steps of a motion that a model gets if it is right.
const STEPS: u32 = 300;

/// A model file: it is right and moves, or its mistakes have places.
pub fn model(bytes: &[u8], watch: &Watch) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    match Model::parse(&text, "input.toml") {
        Ok(model) => moves(&model, &Overrides::default(), watch),
        Err(mistakes) => unclear(&mistakes),
    }
}

/// A formula: its text, printed again, means the same; or its mistakes have places.
pub fn formula(bytes: &[u8], _: &Watch) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let build = |text: &str| -> Result<(Graph, Node), Vec<FormulaError>> {
        let formula = Formula::read(text)?;
        let mut graph = Graph::new();
        let node = formula.build(&mut graph, &mut |graph, name| Ok(graph.symbol(name)))?;
        Ok((graph, node))
    };
    let (graph, node) = match build(&text) {
        Ok(built) => built,
        Err(errors) => {
            return errors.into_iter().find_map(|error| {
                let placed = text.get(error.span.clone()).is_some() && !error.message.is_empty();
                (!placed).then(|| format!("{error:?} has no place in the formula"))
            });
        }
    };
    let value = |graph: &Graph, node: Node| {
        graph.evaluate(node, &|symbol| graph.symbol_name(symbol).bytes().map(|b| f64::from(b) / 97.0).sum())
    };
    let printed = graph.print(node);
    let right = value(&graph, node);
    match build(&printed) {
        // Terms may be in another order, which rounds otherwise.
        Ok((again, node)) => {
            let other = value(&again, node);
            let same = other == right
                || (other - right).abs() <= 1e-6 * right.abs()
                || !right.is_finite()
                || !other.is_finite();
            (!same).then(|| format!("it is {right:e}, and printed as `{printed}` it is {other:e}"))
        }
        // What is printed may be longer than what may be written.
        Err(_) if printed.len() > 1000 => None,
        Err(errors) => Some(format!("it is printed as `{printed}`, and that is refused: {errors:?}")),
    }
}

/// Settings of a model of the gallery: the first byte says which, then lines `name = formula`, those of start values with an @.
pub fn settings(bytes: &[u8], watch: &Watch) -> Option<String> {
    let (&first, rest) = bytes.split_first()?;
    let name = gallery::NAMES[usize::from(first) % gallery::NAMES.len()];
    let model = match gallery::model(name)? {
        Ok(model) => model,
        Err(mistakes) => return Some(mistakes.to_string()),
    };
    let mut overrides = Overrides::default();
    for line in String::from_utf8_lossy(rest).lines() {
        let Some((name, value)) = line.split_once('=') else { continue };
        let pair = |name: &str| (name.trim().to_string(), value.trim().to_string());
        match name.strip_prefix('@') {
            Some(name) => overrides.start.push(pair(name)),
            None => overrides.set.push(pair(name)),
        }
    }
    moves(&model, &overrides, watch)
}

/// Whether a model with these settings moves to an end that is reported, or its mistakes have places.
fn moves(model: &Model, overrides: &Overrides, watch: &Watch) -> Option<String> {
    if let Err(mistakes) = model.check(overrides) {
        return unclear(&mistakes);
    }
    let values = match model.values(overrides) {
        Ok(values) => values,
        Err(mistakes) => return unclear(&mistakes),
    };
    if model.contacts.len() > ClosedSet::LARGEST || !model.is_moved() {
        return None;
    }
    let system = System::new(model);
    let settings = Settings { until: 1.0, ..Settings::default() };
    let motion = match Motion::new(&system, &values, settings) {
        Ok(motion) => motion,
        Err(error) => return error.to_string().is_empty().then(|| "a start is refused without a message".to_string()),
    };
    let mut steps = 0;
    let run = motion.run(false, |_| {
        steps += 1;
        steps < STEPS && watch.allows()
    });
    let finite = run.state.iter().all(|x| x.is_finite());
    match &run.ended {
        _ if !watch.allows() && !watch.is_stopped() => Some(format!("{steps} steps take too long, up to {}", run.time)),
        ended if ended.is_complete() && !finite => Some(format!("the end state is {:?}", run.state)),
        Ended::Interrupted => None,
        ended => ended.describe(&system).is_empty().then(|| format!("no word about {ended:?}")),
    }
}

/// A mistake without a sentence or with a place outside the text, if there is one.
fn unclear(mistakes: &Mistakes) -> Option<String> {
    if mistakes.list.is_empty() || mistakes.to_string().is_empty() {
        return Some("refused without a mistake".to_string());
    }
    mistakes.list.iter().find_map(|mistake| {
        let placed = mistake.span.as_ref().is_none_or(|span| mistakes.text.get(span.clone()).is_some());
        let said = !mistake.message.is_empty() && mistake.help.as_ref().is_some_and(|help| !help.is_empty());
        (!placed || !said).then(|| format!("{mistake:?} has no place, no sentence or no help"))
    })
}

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let kind = dice.below(3);
    let text = gallery::find(dice.of_list(&gallery::NAMES)).unwrap_or_default();
    let input = match kind {
        0 => mutated(text, dice).into_bytes(),
        1 => {
            let formulas: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
            mutated(dice.of_list(&formulas), dice).into_bytes()
        }
        _ => {
            let lines = text.lines().filter(|line| line.contains('=') && !line.contains('['));
            let lines: Vec<String> =
                lines.map(|line| if dice.chance(0.3) { format!("@{line}") } else { line.to_string() }).collect();
            let chosen: Vec<String> = (0..1 + dice.below(4)).map(|_| dice.of_list(&lines)).collect();
            let first = [dice.below(256) as u8];
            [&first[..], mutated(&chosen.join("\n"), dice).as_bytes()].concat()
        }
    };
    let checks: [(&str, Check); 3] = [("model", model), ("formula", formula), ("settings", settings)];
    let (oracle, check) = checks[kind];
    let file = || String::from_utf8_lossy(&input).to_string();
    let against = check(&input, watch).map(|what| Disagreement { oracle: oracle.to_string(), what, file: file() });
    Outcome { disagreements: against.into_iter().collect(), ..Outcome::default() }
}

/// Mistakes in the answer to an input, if anything.
type Check = fn(&[u8], &Watch) -> Option<String>;

/// Words that mean something, or nearly.
const WORDS: [&str; 30] = [
    "1e308",
    "-1",
    "0",
    "1e-320",
    "nan",
    "inf",
    "0.5",
    "2*pi",
    "sin(",
    ")",
    "^",
    "/0",
    "sqrt(-1)",
    "log(0)",
    "[",
    "]",
    "\"",
    "=",
    "\n",
    "[contacts.x]",
    "gap = \"x\"",
    "restitution = 2",
    "[start]",
    "x",
    "v",
    "phi",
    "exp(1e3)",
    "{",
    "}",
    "é",
];

/// A text with a few mistakes of the kinds that people and programs make.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + dice.below(4) {
        let (from, to) = (dice.below(chars.len() + 1), dice.below(12));
        let part = from..(from + to).min(chars.len());
        match dice.below(6) {
            0 => drop(chars.drain(part)),
            1 => {
                let copy: Vec<char> = chars[part].to_vec();
                let at = dice.below(chars.len() + 1);
                drop(chars.splice(at..at, copy));
            }
            2 => {
                // A number becomes another one.
                let digits: Vec<usize> = (0..chars.len()).filter(|&i| chars[i].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    let at = dice.of_list(&digits);
                    drop(chars.splice(at..=at, dice.of_list(&WORDS[..8]).chars()));
                }
            }
            3 => {
                // A line is moved or left out.
                let lines: Vec<String> = chars.iter().collect::<String>().lines().map(str::to_string).collect();
                let mut lines = lines;
                if !lines.is_empty() {
                    let line = lines.remove(dice.below(lines.len()));
                    if dice.chance(0.5) {
                        lines.insert(dice.below(lines.len() + 1), line);
                    }
                }
                chars = lines.join("\n").chars().collect();
            }
            4 if !chars.is_empty() => {
                let at = dice.below(chars.len());
                chars[at] = char::from(32 + dice.below(95) as u8);
            }
            _ => drop(chars.splice(from..from, dice.of_list(&WORDS).chars())),
        }
    }
    chars.into_iter().collect()
}
