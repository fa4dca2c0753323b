//! What follows from the parameters of a run: other parameters, start values and periods, compiled once for all numbers of a model.

use saltation_expr::{Graph, Jet, Node, Tape};
use saltation_numerics::number::Number;

/// The formulas of parameters, starts and periods of a model, perhaps with some that were set.
#[derive(Debug)]
pub(crate) struct Dependence {
    periodic: Periodic,
    /// The formulas below and the symbols of the parameters, without anything else of the model.
    graph: Graph,
    symbols: Vec<Node>,
    parameters: Vec<Node>,
    starts: Vec<Node>,
    /// The periods of the phase, of angles by state, and of sections; those that are.
    periods: Vec<Node>,
    /// The parameters that are no plain numbers, each after those that its formula uses.
    followers: Vec<Follower>,
    start_values: Formulas,
    period_values: Formulas,
    /// The states that are angles or the phase, and their periods.
    angles: Vec<usize>,
    angle_periods: Tape,
}

/// Which quantities of a model have a period.
#[derive(Debug, Clone)]
pub(crate) struct Periodic {
    pub phase: bool,
    pub states: Vec<bool>,
    pub sections: Vec<bool>,
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
    pub(crate) fn value<T: Number>(&self, parameters: &[T]) -> T {
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

    fn at<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let mut values: Vec<T> = self.numbers.iter().map(|&number| T::from_f64(number)).collect();
        if let Some(tape) = &self.tape {
            let mut some = vec![T::ZERO; self.varying.len()];
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
    /// The same model with other formulas, in a graph that has grown from that of these.
    pub(crate) fn with(
        &self,
        graph: Graph,
        parameters: Vec<Node>,
        starts: Vec<Node>,
        sequence: Vec<usize>,
    ) -> Dependence {
        let (symbols, periods) = (self.symbols.clone(), self.periods.clone());
        let known = Known { periodic: self.periodic.clone(), symbols, periods };
        Dependence::compile(known, graph, parameters, starts, &sequence)
    }

    pub(crate) fn compile(
        Known { periodic, symbols, periods }: Known,
        graph: Graph,
        parameters: Vec<Node>,
        starts: Vec<Node>,
        sequence: &[usize],
    ) -> Dependence {
        let uses = uses(&graph, &symbols, &parameters);
        let follows = sequence.iter().copied().filter(|&i| graph.as_constant(parameters[i]).is_none());
        let followers = follows.map(|parameter| {
            let tape = Tape::new(&graph, &[], &symbols, &[], &[parameters[parameter]]);
            Follower { parameter, uses: uses[parameter].clone(), tape }
        });
        let followers = followers.collect();
        let start_values = Formulas::new(&graph, &symbols, &starts);
        let period_values = Formulas::new(&graph, &symbols, &periods);
        let angles: Vec<usize> = (0..periodic.states.len()).filter(|&i| periodic.states[i]).collect();
        let from = usize::from(periodic.phase);
        let angle_periods = Tape::new(&graph, &[], &symbols, &[], &periods[from..from + angles.len()]);
        Dependence {
            periodic,
            graph,
            symbols,
            parameters,
            starts,
            periods,
            followers,
            start_values,
            period_values,
            angles,
            angle_periods,
        }
    }

    /// The graph of all formulas.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The symbols of the parameters in it.
    pub(crate) fn symbols(&self) -> &[Node] {
        &self.symbols
    }

    /// The formulas of parameters and starts.
    pub(crate) fn formulas(&self) -> (Vec<Node>, Vec<Node>) {
        (self.parameters.clone(), self.starts.clone())
    }

    /// The parameters in each of some formulas of a graph that has grown from this one.
    pub(crate) fn uses(&self, graph: &Graph, formulas: &[Node]) -> Vec<Vec<usize>> {
        uses(graph, &self.symbols, formulas)
    }

    /// The parameters that are plain numbers; not a number for the others.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.parameters.iter().map(|&node| self.graph.as_constant(node).unwrap_or(f64::NAN)).collect()
    }

    /// The parameters given by formulas of others, each after those that it uses.
    pub(crate) fn followers(&self) -> &[Follower] {
        &self.followers
    }

    /// The start values at values of all parameters.
    pub(crate) fn starts<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        self.start_values.at(parameters)
    }

    /// The periods at values of all parameters.
    pub(crate) fn periods(&self, parameters: &[f64]) -> Periods {
        let mut values = self.period_values.at(parameters).into_iter();
        let mut next = |periodic: bool| if periodic { values.next() } else { None };
        let phase = next(self.periodic.phase);
        let angles = self.periodic.states.iter().map(|&periodic| next(periodic)).collect();
        let sections = self.periodic.sections.iter();
        let sections = sections.map(|&periodic| next(periodic).map(f64::abs).filter(|&period| period > 0.0));
        Periods { phase, angles, sections: sections.collect() }
    }

    /// The period of every state that is an angle or the phase, at values of all parameters; 0 for other states.
    pub(crate) fn angle_periods<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        let mut values = vec![T::ZERO; self.angles.len()];
        if !values.is_empty() {
            evaluate(&self.angle_periods, parameters, &mut values);
        }
        let mut periods = vec![T::ZERO; self.periodic.states.len()];
        self.angles.iter().zip(values).for_each(|(&i, value)| periods[i] = value);
        periods
    }
}

/// What formulas that are set do not change.
pub(crate) struct Known {
    pub periodic: Periodic,
    pub symbols: Vec<Node>,
    pub periods: Vec<Node>,
}

/// The parameters in each of some formulas.
fn uses(graph: &Graph, symbols: &[Node], formulas: &[Node]) -> Vec<Vec<usize>> {
    let used = |&node: &Node| {
        let inside = graph.symbols_of(node);
        (0..symbols.len()).filter(|&j| inside.contains(&symbols[j])).collect()
    };
    formulas.iter().map(used).collect()
}
