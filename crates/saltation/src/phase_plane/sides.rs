//! A place in the plane of two states: its sides of the switches, the rates there, and what a surface does there.

use crate::error::Error;
use crate::system::System;
use saltation_expr::Node;
use saltation_motion::{ClosedSet, Field, Side, Sides};

/// Rounding of the gap of a contact that is closed, relative to the largest state: that of a few operations on it, with room.
const GAP_ROUNDING: f64 = 1e-13;

/// The system with two of its states free, the others at their initial values.
pub(super) struct Place<'s> {
    system: &'s System,
    compiled: &'s saltation_motion::System,
    parameters: Vec<f64>,
    state: Vec<f64>,
    free: [usize; 2],
    /// The fields of the sides that have occurred.
    fields: Vec<(Sides, Field<'s>)>,
    /// The formulas of switching functions with their gradients, and the graph that has them.
    graph: saltation_expr::Graph,
    switches: Vec<(Node, Vec<Node>)>,
}

impl<'s> Place<'s> {
    pub(super) fn new(system: &'s System, names: &[String; 2]) -> Result<Place<'s>, Error> {
        let (compiled, model) = (system.compiled()?, system.model());
        let numbers = system.numbers();
        let index = |name: &String| system.state_names().iter().position(|known| known == name).unwrap_or(0);
        let mut graph = model.graph.clone();
        let symbols: Vec<Node> = model.states.iter().map(|state| state.symbol).collect();
        let functions: Vec<Node> = model.switches.iter().map(|switch| switch.function).collect();
        let switches = functions.into_iter().map(|function| (function, graph.gradient(function, &symbols))).collect();
        Ok(Place {
            system,
            compiled,
            parameters: numbers.parameters().to_vec(),
            state: numbers.start().to_vec(),
            free: [index(&names[0]), index(&names[1])],
            fields: Vec::new(),
            graph,
            switches,
        })
    }

    pub(super) fn switch_names(&self) -> &'s [String] {
        self.compiled.switch_names()
    }

    pub(super) fn contact_names(&self) -> &'s [String] {
        self.compiled.contact_names()
    }

    fn state(&self, x: f64, y: f64) -> Vec<f64> {
        let mut state = self.state.clone();
        (state[self.free[0]], state[self.free[1]]) = (x, y);
        state
    }

    fn value(&self, node: Node, state: &[f64]) -> f64 {
        let states = state.len();
        let value = |symbol: usize| match symbol.checked_sub(states) {
            Some(parameter) => self.parameters[parameter],
            None => state[symbol],
        };
        self.graph.evaluate(node, &value)
    }

    /// The sides of all switches.
    pub(super) fn sides(&self, x: f64, y: f64) -> Sides {
        self.compiled.sides_at(&self.parameters, &self.state(x, y))
    }

    /// The value of a switching function.
    pub(super) fn switching(&self, switch: usize, x: f64, y: f64) -> f64 {
        self.value(self.switches[switch].0, &self.state(x, y))
    }

    /// The gap of a contact.
    pub(super) fn gap(&self, contact: usize, x: f64, y: f64) -> f64 {
        self.value(self.system.model().contacts[contact].gap, &self.state(x, y))
    }

    /// Whether no gap is negative.
    pub(super) fn is_open(&self, x: f64, y: f64) -> bool {
        (0..self.contact_names().len()).all(|contact| self.gap(contact, x, y) >= 0.0)
    }

    /// The name of a contact whose gap is zero, up to rounding, at all corners of a range and in the middle, so that it is closed wherever the two states are.
    pub(super) fn closed_everywhere(&self, [x, y]: [[f64; 2]; 2]) -> Option<&'s str> {
        let middle = |[low, high]: [f64; 2]| 0.5 * (low + high);
        let places = [(x[0], y[0]), (x[0], y[1]), (x[1], y[0]), (x[1], y[1]), (middle(x), middle(y))];
        let size = self.state.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        let closed =
            |contact: &usize| places.iter().all(|&(x, y)| self.gap(*contact, x, y).abs() <= GAP_ROUNDING * size);
        (0..self.contact_names().len()).find(closed).map(|contact| self.contact_names()[contact].as_str())
    }

    fn all_rates(&mut self, sides: Sides, state: &[f64]) -> &[f64] {
        let known = self.fields.iter().position(|(known, _)| *known == sides);
        let place = known.unwrap_or_else(|| {
            let closed = ClosedSet::NONE.with_sides(sides);
            self.fields.push((sides, Field::new(self.compiled, &self.parameters, &[], closed)));
            self.fields.len() - 1
        });
        &self.fields[place].1.at(state).rates
    }

    /// The rates of both states by the formulas of given sides.
    pub(super) fn rates_on(&mut self, sides: Sides, x: f64, y: f64) -> [f64; 2] {
        let (state, free) = (self.state(x, y), self.free);
        let rates = self.all_rates(sides, &state);
        free.map(|k| rates[k])
    }

    /// The rates of both states; none inside an obstacle or without finite values.
    pub(super) fn rates(&mut self, x: f64, y: f64) -> Option<[f64; 2]> {
        if !self.is_open(x, y) {
            return None;
        }
        let sides = self.sides(x, y);
        Some(self.rates_on(sides, x, y)).filter(|rates| rates.iter().all(|rate| rate.is_finite()))
    }

    /// What a surface does at a place on it.
    pub(super) fn kind(&mut self, switch: usize, x: f64, y: f64) -> &'static str {
        if !self.compiled.is_felt(switch) {
            return "event";
        }
        let state = self.state(x, y);
        let sides = self.sides(x, y);
        let [below, above] = [Side::Negative, Side::Positive].map(|side| {
            let gradient = self.switches[switch].1.clone();
            let rates = self.all_rates(sides.with(switch, side), &state).to_vec();
            gradient.iter().zip(&rates).map(|(slope, rate)| self.value(*slope, &state) * rate).sum::<f64>()
        });
        match (below > 0.0 && above < 0.0, below < 0.0 && above > 0.0) {
            (true, _) if self.compiled.may_slide(switch) => "sliding",
            (_, true) if self.compiled.may_slide(switch) => "escaping",
            _ => "crossing",
        }
    }
}
