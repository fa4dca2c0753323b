//! What follows from the parameters of a run: other parameters, start values and periods, compiled once for all numbers of a model.

use saltation_expr::{Graph, Jet, Node, Tape};
use saltation_numerics::number::Number;

/// The formulas of parameters, starts and periods of a model, perhaps with some that were set.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub graph: Graph,
    /// The symbols of the parameters.
    pub symbols: Vec<Node>,
    pub parameters: Vec<Node>,
    pub starts: Vec<Node>,
    /// The period of the phase.
    pub phase: Option<Node>,
    /// The period of every state that is an angle or the phase.
    pub angles: Vec<Option<Node>>,
    /// The period of every section that goes round.
    pub sections: Vec<Option<Node>>,
}

impl Given {
    /// The same in a graph without anything else.
    pub fn alone(&self) -> Given {
        let some = |list: &[Option<Node>]| list.iter().flatten().copied().collect::<Vec<Node>>();
        let periods = [some(&[self.phase]), some(&self.angles), some(&self.sections)].concat();
        let part = self.graph.part(&[&self.symbols[..], &self.parameters, &self.starts, &periods].concat());
        let mut roots = part.roots.into_iter();
        let mut next = |node: Node| roots.next().unwrap_or(node);
        let symbols = self.symbols.iter().map(|&node| next(node)).collect();
        let parameters = self.parameters.iter().map(|&node| next(node)).collect();
        let starts = self.starts.iter().map(|&node| next(node)).collect();
        let phase = self.phase.map(&mut next);
        let angles = self.angles.iter().map(|node| node.map(&mut next)).collect();
        let sections = self.sections.iter().map(|node| node.map(&mut next)).collect();
        Given { graph: part.graph, symbols, parameters, starts, phase, angles, sections }
    }

    /// The parameters in each of the formulas of parameters.
    pub fn uses(&self) -> Vec<Vec<usize>> {
        let used = |&node: &Node| {
            let inside = self.graph.symbols_of(node);
            (0..self.symbols.len()).filter(|&j| inside.contains(&self.symbols[j])).collect()
        };
        self.parameters.iter().map(used).collect()
    }
}

/// These formulas, compiled.
#[derive(Debug)]
pub(crate) struct Dependence {
    given: Given,
    /// The parameters that are no plain numbers, each after those that its formula uses.
    followers: Vec<Follower>,
    starts: Formulas,
    periods: Formulas,
    /// The states that are angles or the phase, and their periods.
    angles: Vec<usize>,
    angle_periods: Tape,
}

/// A parameter given by a formula of others.
#[derive(Debug)]
pub(crate) struct Follower {
    pub parameter: usize,
    /// The parameters in its formula.
    pub uses: Vec<usize>,
    tape: Tape,
}

impl Follower {
    /// Its value, given those of the parameters that it uses.
    pub fn value<T: Number>(&self, parameters: &[T]) -> T {
        let mut value = [T::ZERO];
        evaluate(&self.tape, parameters, &mut value);
        value[0]
    }
}

/// The values of some formulas of parameters: most are plain numbers.
#[derive(Debug)]
struct Formulas {
    numbers: Vec<f64>,
    varying: Vec<usize>,
    tape: Option<Tape>,
}

impl Formulas {
    fn new(graph: &Graph, symbols: &[Node], formulas: &[Node]) -> Formulas {
        let numbers = formulas.iter().map(|&node| graph.as_constant(node).unwrap_or(f64::NAN)).collect();
        let varying: Vec<usize> = (0..formulas.len()).filter(|&i| graph.as_constant(formulas[i]).is_none()).collect();
        let nodes: Vec<Node> = varying.iter().map(|&i| formulas[i]).collect();
        let tape = (!nodes.is_empty()).then(|| Tape::new(graph, &[], symbols, &[], &nodes));
        Formulas { numbers, varying, tape }
    }

    fn at(&self, parameters: &[f64]) -> Vec<f64> {
        let mut values = self.numbers.clone();
        if let Some(tape) = &self.tape {
            let mut some = vec![0.0; self.varying.len()];
            evaluate(tape, parameters, &mut some);
            self.varying.iter().zip(some).for_each(|(&i, value)| values[i] = value);
        }
        values
    }
}

/// The values of all formulas of a tape.
fn evaluate<T: Number>(tape: &Tape, parameters: &[T], values: &mut [T]) {
    tape.evaluate(&tape.bind(parameters), &[], &mut Jet::new(tape), values);
}

/// The periods at some values of the parameters.
pub(crate) struct Periods {
    pub phase: Option<f64>,
    pub angles: Vec<Option<f64>>,
    pub sections: Vec<Option<f64>>,
}

impl Dependence {
    /// Compiles formulas; in `sequence` every parameter stands after those that its formula uses.
    pub fn new(given: Given, sequence: &[usize]) -> Dependence {
        let Given { graph, symbols, parameters, .. } = &given;
        let uses = given.uses();
        let follows = sequence.iter().copied().filter(|&i| graph.as_constant(parameters[i]).is_none());
        let followers = follows.map(|parameter| {
            let tape = Tape::new(graph, &[], symbols, &[], &[parameters[parameter]]);
            Follower { parameter, uses: uses[parameter].clone(), tape }
        });
        let followers = followers.collect();
        let starts = Formulas::new(graph, symbols, &given.starts);
        let own: Vec<Node> = given.angles.iter().flatten().copied().collect();
        let sections = given.sections.iter().flatten().copied();
        let periods: Vec<Node> = given.phase.into_iter().chain(own.iter().copied()).chain(sections).collect();
        let periods = Formulas::new(graph, symbols, &periods);
        let angles = (0..given.angles.len()).filter(|&i| given.angles[i].is_some()).collect();
        let angle_periods = Tape::new(graph, &[], symbols, &[], &own);
        Dependence { followers, starts, periods, angles, angle_periods, given }
    }

    /// The formulas themselves.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// The parameters that are plain numbers; not a number for the others.
    pub fn numbers(&self) -> Vec<f64> {
        self.given.parameters.iter().map(|&node| self.given.graph.as_constant(node).unwrap_or(f64::NAN)).collect()
    }

    /// The parameters given by formulas of others, each after those that it uses.
    pub fn followers(&self) -> &[Follower] {
        &self.followers
    }

    /// The start values at values of all parameters.
    pub fn starts(&self, parameters: &[f64]) -> Vec<f64> {
        self.starts.at(parameters)
    }

    /// The periods at values of all parameters.
    pub fn periods(&self, parameters: &[f64]) -> Periods {
        let mut values = self.periods.at(parameters).into_iter();
        let phase = self.given.phase.and_then(|_| values.next());
        let angles = self.given.angles.iter().map(|period| period.and_then(|_| values.next())).collect();
        let sections = self.given.sections.iter().map(|period| period.and_then(|_| values.next()));
        let sections = sections.map(|period| period.map(f64::abs).filter(|&period| period > 0.0)).collect();
        Periods { phase, angles, sections }
    }

    /// The period of every state that is an angle or the phase, at values of all parameters; 0 for other states.
    pub fn angle_periods<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let mut values = vec![T::ZERO; self.angles.len()];
        if !values.is_empty() {
            evaluate(&self.angle_periods, parameters, &mut values);
        }
        let mut periods = vec![T::ZERO; self.given.angles.len()];
        self.angles.iter().zip(values).for_each(|(&i, value)| periods[i] = value);
        periods
    }
}
