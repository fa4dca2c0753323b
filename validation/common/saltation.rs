//! The saltation matrix of an impact, by which it changes the distance of neighbouring motions: formulas derived from those of the model. A motion that carries
//! its derivatives never forms it, and is compared with it.
//!
//! Two neighbours do not hit at the same time. To first order their distance, at a fixed time just before and just after,
//! changes by the saltation matrix (Nordmark & Piiroinen, Eq. (43), for an instantaneous event)
//!
//! D = A + (B2 - A B1) C/d,   A = R_x,   B1 = F(x'),   B2 = F(R(x')),   C = H_x,   d = L_F H = v.
//!
//! It grows as 1/v. With h = H/u and u, the speed after the impact before, as two more states, the flight ends where h
//! vanishes, d = v/u stays near -1 along a chattering sequence, and D stays bounded (their Sect. 4.3).

use saltation_expr::{Graph, Node, Point, Tape};
use saltation_model::{Model, Values};
use std::collections::HashMap;

/// The saltation matrix of an impact from free flight, from the state just before it. Rows and columns are the model's states, the phase among them.
pub(crate) fn matrix(model: &Model, values: &Values, contact: usize, before: &[f64]) -> Vec<Vec<f64>> {
    let (mut graph, symbols, contact) = (model.graph.clone(), model.state_symbols(), &model.contacts[contact]);
    let normal = graph.gradient(contact.gap, &symbols);
    let rates = [model.rates(), after(&mut graph, model, &contact.after)];
    let formulas = compose(&mut graph, &symbols, &contact.after, &rates, &normal, contact.speed);
    evaluate(&graph, model, values, &symbols, before, &formulas)
}

/// The saltation matrix of an impact in the states (x, h, u), h = H/u; `departure` is u, the opening speed after the impact
/// before this one.
pub(crate) fn scaled_matrix(
    model: &Model,
    values: &Values,
    contact: usize,
    before: &[f64],
    departure: f64,
) -> Vec<Vec<f64>> {
    let (mut graph, mut symbols, contact) = (model.graph.clone(), model.state_symbols(), &model.contacts[contact]);
    let [zero, one] = [0.0, 1.0].map(|x| graph.constant(x));
    let mut rates = [model.rates(), after(&mut graph, model, &contact.after)];
    let [h, u] = ["the scaled gap", "the departure"].map(|name| graph.symbol(name));
    symbols.extend([h, u]);
    // (R(x), 0, v(R(x))); (F, v/u, 0) before, and after, where u is the speed itself.
    let jumped = [&contact.after[..], &[zero, contact.speed_after]].concat();
    let closing = graph.divide(contact.speed, u);
    rates[0].extend([closing, zero]);
    rates[1].extend([one, zero]);
    let normal: Vec<Node> = symbols.iter().map(|&x| if x == h { one } else { zero }).collect();
    let formulas = compose(&mut graph, &symbols, &jumped, &rates, &normal, closing);
    evaluate(&graph, model, values, &symbols, &[before, &[0.0, departure]].concat(), &formulas)
}

/// F(R(x)).
fn after(graph: &mut Graph, model: &Model, jumped: &[Node]) -> Vec<Node> {
    let moved: HashMap<Node, Node> = model.state_symbols().into_iter().zip(jumped.iter().copied()).collect();
    model.rates().into_iter().map(|rate| graph.substitute(rate, &moved)).collect()
}

/// A + (B2 - A B1) C/d, row by row.
fn compose(
    graph: &mut Graph,
    symbols: &[Node],
    jumped: &[Node],
    [b1, b2]: &[Vec<Node>; 2],
    normal: &[Node],
    speed: Node,
) -> Vec<Node> {
    let mut formulas = Vec::new();
    for (&image, &rate) in jumped.iter().zip(b2) {
        let row = graph.gradient(image, symbols);
        let carried = graph.dot(&row, b1);
        let missing = graph.subtract(rate, carried);
        let late = graph.divide(missing, speed);
        for (a, &c) in row.into_iter().zip(normal) {
            let share = graph.multiply(late, c);
            formulas.push(graph.add(a, share));
        }
    }
    formulas
}

/// The values of the entries of a square matrix.
fn evaluate(
    graph: &Graph,
    model: &Model,
    values: &Values,
    symbols: &[Node],
    state: &[f64],
    formulas: &[Node],
) -> Vec<Vec<f64>> {
    let tape = Tape::new(graph, symbols, &model.parameter_symbols(), &[], formulas);
    let mut entries = vec![0.0; formulas.len()];
    tape.evaluate_at(&tape.bind(values.parameters()), state, &mut Point::new(&tape), &mut entries);
    entries.chunks(symbols.len()).map(<[f64]>::to_vec).collect()
}
