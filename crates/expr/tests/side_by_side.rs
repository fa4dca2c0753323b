//! Jets side by side against those of one motion: all rows to the last bit, and the bounds of what they leave out.

use saltation_expr::{Graph, Jet, Node, Remainder, SideBySide, Tape, parse::Formula};
use saltation_numerics::lanes::Lanes;
use saltation_numerics::vectors::Vectors;

/// Rates and outputs with every kind of instruction, and sums, quotients and powers of what moves at a constant rate and of what does not.
const FORMULAS: [&str; 19] = [
    "x^7 - x^2 + 0.3*cos(s)",
    "1/x",
    "x/(1 + x^4) + sin(s)",
    "sin(3*x)*cos(x^2)",
    "sinh(x)/cosh(2*x)",
    "tan(x)",
    "tanh(20*x)",
    "exp(-(10*x)^2)",
    "0.4 + 0.6*exp(-((x - cos(s))/0.3)^2)",
    "log(x)",
    "sqrt(x)",
    "x^0.3",
    "x^(-1.5)",
    "atan(30*x)",
    "asin(x/2) + acos(x/3)",
    "atan2(x, 0.2)*x",
    "sign(x)*x",
    "2*x - 3*s",
    "sqrt(1 + tanh(5*x)^2)/(2 + exp(sin(8*x)))",
];

#[test]
fn every_lane_is_as_it_is_alone() {
    for text in FORMULAS {
        let mut graph = Graph::new();
        let (x, s) = (graph.symbol("x"), graph.symbol("s"));
        let rate = formula(&mut graph, text, [x, s]);
        let (one, twice) = (graph.constant(1.0), graph.multiply(rate, x));
        let tape = Tape::new(&graph, &[x, s], &[], &[rate, one], &[twice, s]);
        let slots = tape.bind(&[]);
        let start = |lane: usize| [[0.3, -0.7, 1.2, 0.01, 2.5, 0.0, -1.3, 0.9][lane], 0.4 * lane as f64 - 1.0];
        let (mut together, mut jet) = (SideBySide::on(&tape, Vectors::native()), Jet::on(&tape, Vectors::native()));
        let (mut given, mut room) = (Jet::new(&tape), Remainder::default());
        if !Vectors::native().are_wide() {
            return;
        }
        for order in [2, 5, 12, 19, 24, 28] {
            (0..8).for_each(|lane| together.place(lane, &slots, &start(lane)));
            together.expand(&tape, order);
            let length = |lane: usize| 0.02 * (lane + 1) as f64;
            let rough = order % 2 == 1;
            together.bound(&tape, Lanes::of(length), rough.then_some(1e-12));
            for lane in 0..8 {
                tape.expand(&slots, &start(lane), order, &mut jet);
                together.give(&tape, lane, true, &mut given);
                let rows = |jet: &Jet<f64>| -> Vec<Vec<f64>> {
                    let outputs = (0..2).map(|i| jet.output(&tape, i).to_vec());
                    (0..2).map(|i| jet.state(i).to_vec()).chain(outputs).collect()
                };
                for (alone, beside) in rows(&jet).iter().flatten().zip(rows(&given).iter().flatten()) {
                    let same = alone.to_bits() == beside.to_bits() || alone.is_nan() && beside.is_nan();
                    assert!(same, "{text}, order {order}, lane {lane}: {alone:e} alone, {beside:e} beside others");
                }
                match rough {
                    true => tape.bound_roughly(&slots, &jet, (length(lane), 1e-12), &mut room),
                    false => tape.bound(&slots, &jet, length(lane), &mut room),
                }
                let bounds = together.bounds();
                let pairs = [
                    (room.state(0), bounds.state(0)),
                    (room.rate(&tape, 0), bounds.rate(&tape, 0)),
                    (room.output(&tape, 0), bounds.output(&tape, 0)),
                ];
                for (alone, beside) in pairs {
                    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs() || a.is_nan() && b.is_nan();
                    let tails = near(alone.tail, beside.tail.lane(lane));
                    let sizes =
                        near(alone.value, beside.value.lane(lane)) && near(alone.terms, beside.terms.lane(lane));
                    let beside = (beside.tail.lane(lane), beside.value.lane(lane), beside.terms.lane(lane));
                    assert!(tails && sizes, "{text}, order {order}, lane {lane}: {alone:?} alone, {beside:?} beside");
                }
            }
        }
    }
}

fn formula(graph: &mut Graph, text: &str, [x, s]: [Node; 2]) -> Node {
    let formula = Formula::read(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let resolve = &mut |_: &mut Graph, name: &str| Ok(if name == "x" { x } else { s });
    formula.build(graph, resolve).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}
