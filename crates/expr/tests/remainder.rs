//! What the series of every function leave out, against the functions themselves: bounds hold on the whole step, and mean something on short ones.

use saltation_expr::{Graph, Jet, Node, Remainder, Tape, parse::Formula};

/// Formulas of x, each with every kind of instruction somewhere, and starts at which they have values.
const FORMULAS: [(&str, [f64; 3]); 16] = [
    ("x^7 - x^2", [-1.0, 0.0, 3.0]),
    ("1/x", [-2.0, 0.1, 30.0]),
    ("x/(1 + x^4)", [-3.0, 0.0, 0.7]),
    ("sin(3*x)*cos(x^2)", [-1.0, 0.0, 10.0]),
    ("sinh(x)/cosh(2*x)", [-1.0, 0.0, 4.0]),
    ("tan(x)", [-1.4, 0.0, 1.0]),
    ("tanh(20*x)", [-5.0, 0.01, 0.9]),
    ("exp(-(10*x)^2)", [-3.0, 0.0, 0.5]),
    ("log(x)", [0.01, 1.0, 50.0]),
    ("sqrt(x)", [0.01, 1.0, 50.0]),
    ("x^0.3", [0.01, 1.0, 50.0]),
    ("x^(-1.5)", [0.01, 1.0, 50.0]),
    ("atan(30*x)", [-1.0, 0.01, 4.0]),
    ("asin(x/2) + acos(x/3)", [-1.9, 0.0, 1.0]),
    ("atan2(x, 0.2)*x", [-1.0, 0.0, 0.3]),
    ("sqrt(1 + tanh(5*x)^2)/(2 + exp(sin(8*x)))", [-1.0, 0.0, 0.3]),
];

#[test]
fn bounds_hold_on_the_whole_step() {
    for (text, starts) in FORMULAS {
        let mut graph = Graph::new();
        let x = graph.symbol("x");
        let node = formula(&mut graph, text, x);
        let one = graph.constant(1.0);
        let tape = Tape::new(&graph, &[x], &[], &[one], &[node]);
        let (slots, mut jet, mut room, mut at) =
            (tape.bind(&[]), Jet::new(&tape), Remainder::default(), Jet::new(&tape));
        let mut served = 0;
        for start in starts {
            for order in [5, 12, 23, 24] {
                tape.expand(&slots, &[start], order, &mut jet);
                for exponent in -24..4 {
                    let length = 2.0_f64.powi(exponent);
                    tape.bound(&slots, &jet, length, &mut room);
                    let sharp = room.output(&tape, 0).tail;
                    tape.bound_roughly(&slots, &jet, (length, 0.3), &mut room);
                    let rough = room.output(&tape, 0).tail;
                    served += usize::from(sharp < 1e-10) + usize::from(rough < 1e-10);
                    let series = &jet.output(&tape, 0)[..order];
                    for k in -10..=10 {
                        let t = 0.1 * f64::from(k) * length;
                        let mut value = [0.0];
                        tape.evaluate(&slots, &[start + t], &mut at, &mut value);
                        let sum = series.iter().rev().fold(0.0, |sum, c| sum * t + c);
                        let sizes = series.iter().rev().fold(0.0, |sum, c| sum * t.abs() + c.abs());
                        let left = (value[0] - sum).abs();
                        // The rounding of the sum, and that of the argument of a steep function.
                        let rounding =
                            1e-13 * (sizes + value[0].abs()) + 1e-13 * (start.abs() + t.abs()) * series[1].abs();
                        for (name, tail) in [("sharp", sharp), ("rough", rough)] {
                            let held = left <= 1.000_001 * tail + rounding || tail.is_infinite();
                            assert!(held, "{text} from {start}, order {order}, at {t}: {left:e} > {name} {tail:e}");
                        }
                    }
                }
            }
        }
        assert!(served > 40, "{text}: {served} bounds are of use");
    }
}

fn formula(graph: &mut Graph, text: &str, x: Node) -> Node {
    let formula = Formula::read(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    formula.build(graph, &mut |_, _| Ok(x)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}
