//! Jets by independent routes: closed forms, sums of the series in double-double, tangents against differences.

use saltation_expr::jet::HIGHEST_ORDER;
use saltation_expr::{Function, Graph, Jet, Node, Tape};
use saltation_numerics::dual::Dual;
use saltation_numerics::exact::DoubleDouble;
use saltation_numerics::number::Number;
use saltation_numerics::vectors::Vectors;

/// A system of two states whose rates and outputs use every operation there is.
fn everything() -> (Graph, Vec<Node>, Vec<Node>, Vec<Node>, Vec<Node>) {
    let mut g = Graph::new();
    let (x, y, a) = (g.symbol("x"), g.symbol("y"), g.symbol("a"));
    // x' = y a - x/3,  y' = -sin(x) + a cos(y)
    let third = g.constant(3.0);
    let xa = g.divide(x, third);
    let ya = g.multiply(y, a);
    let rate_x = g.subtract(ya, xa);
    let sine = g.apply(Function::Sin, x);
    let cosine = g.apply(Function::Cos, y);
    let driven = g.multiply(a, cosine);
    let rate_y = g.subtract(driven, sine);
    let half = g.constant(0.25);
    let xx = g.multiply(x, x);
    let two = g.constant(2.0);
    let positive = g.add(xx, two); // 2 + x^2
    let small = g.multiply(half, sine); // |small| <= 1/4
    let mut outputs = Vec::new();
    for f in Function::ALL {
        let argument = match f {
            Function::Log | Function::Sqrt => positive,
            Function::Asin | Function::Acos | Function::Tan => small,
            _ => x,
        };
        outputs.push(g.apply(f, argument));
    }
    outputs.push(g.atan2(y, positive));
    outputs.push(g.atan2(a, positive));
    outputs.push(g.power(positive, 1.7));
    outputs.push(g.power(positive, -0.5));
    outputs.push(g.power(y, 5.0));
    outputs.push(g.power(positive, -3.0));
    outputs.push(g.divide(y, positive));
    outputs.push(g.divide(a, positive));
    outputs.push(g.raise(positive, a));
    let product = g.multiply(x, y);
    outputs.push(g.multiply(product, positive));
    let aa = g.multiply(a, a);
    outputs.push(aa);
    let weighted = g.multiply(aa, product);
    let sum = g.sum([weighted, x, aa, y, x, half]);
    outputs.push(sum);
    (g, vec![x, y], vec![a], vec![rate_x, rate_y], outputs)
}

fn tape() -> Tape {
    let (g, states, parameters, rates, outputs) = everything();
    Tape::new(&g, &states, &parameters, &rates, &outputs)
}

fn sum<T: Number>(row: &[T], t: T) -> T {
    row.iter().rev().fold(T::ZERO, |s, &c| s * t + c)
}

/// The jet of every output, summed at a small time, equals the output's formula at the state summed at that time.
#[test]
fn the_series_of_an_output_is_the_output_of_the_series() {
    let (g, _, _, _, outputs) = everything();
    let tape = tape();
    let a = DoubleDouble::from_f64(0.7);
    let slots = tape.bind(&[a]);
    let mut jet = Jet::new(&tape);
    let start = [DoubleDouble::from_f64(0.4), DoubleDouble::from_f64(-0.3)];
    tape.expand(&slots, &start, 30, &mut jet);
    let t = DoubleDouble::from_f64(1.0 / 64.0);
    let later = [sum(jet.state(0), t), sum(jet.state(1), t)];
    let mut values = vec![DoubleDouble::ZERO; tape.outputs()];
    let mut room = Jet::new(&tape);
    tape.evaluate(&slots, &later, &mut room, &mut values);
    for (i, &value) in values.iter().enumerate() {
        let series = sum(jet.output(&tape, i), t);
        let error = (series - value).value().abs();
        assert!(error < 1e-27, "{}: {series:?} against {value:?}", g.print(outputs[i]));
    }
}

/// The states' series obeys the differential equation: its derivative at a later time is the rate there.
#[test]
fn the_series_of_the_states_solves_the_equation() {
    let tape = tape();
    let slots = tape.bind(&[DoubleDouble::from_f64(0.7)]);
    let mut jet = Jet::new(&tape);
    tape.expand(&slots, &[DoubleDouble::from_f64(0.4), DoubleDouble::from_f64(-0.3)], 30, &mut jet);
    let t = DoubleDouble::from_f64(1.0 / 64.0);
    let later = [sum(jet.state(0), t), sum(jet.state(1), t)];
    let mut rates = [DoubleDouble::ZERO; 2];
    let mut room = Jet::new(&tape);
    tape.rates(&slots, &later, &mut room, &mut rates);
    for (i, &rate) in rates.iter().enumerate() {
        let slope: Vec<DoubleDouble> =
            jet.state(i).iter().enumerate().skip(1).map(|(k, &c)| c.scale(k as f64)).collect();
        assert!((sum(&slope, t) - rate).value().abs() < 1e-27);
    }
}

/// f64 jets are the rounded double-double jets.
#[test]
fn plain_jets_agree_with_exact_ones() {
    let tape = tape();
    let exact_slots = tape.bind(&[DoubleDouble::from_f64(0.7)]);
    let slots = tape.bind(&[0.7]);
    let mut exact = Jet::new(&tape);
    let mut plain = Jet::new(&tape);
    tape.expand(&exact_slots, &[DoubleDouble::from_f64(0.4), DoubleDouble::from_f64(-0.3)], 20, &mut exact);
    tape.expand(&slots, &[0.4, -0.3], 20, &mut plain);
    for i in 0..tape.outputs() {
        let scale = exact.output(&tape, i).iter().fold(0.0_f64, |m, c| m.max(c.value().abs()));
        for (p, e) in plain.output(&tape, i).iter().zip(exact.output(&tape, i)) {
            assert!((p - e.value()).abs() < 1e-13 * scale, "output {i}: {p} against {e:?}");
        }
    }
}

/// Tangent directions in states and parameters, against central differences in double-double.
/// Fused multiply-adds on vectors and plain arithmetic differ by rounding: coefficients as large as x on the circle of radius 1/2, to some eps of it.
#[test]
fn portable_jets_agree_with_those_of_the_vector_unit() {
    let tape = tape();
    let slots = tape.bind(&[0.7]);
    let (mut plain, mut fast) = (Jet::on(&tape, Vectors::PORTABLE), Jet::on(&tape, Vectors::native()));
    for order in 0..=HIGHEST_ORDER {
        tape.expand(&slots, &[0.3, -0.8], order, &mut plain);
        tape.expand(&slots, &[0.3, -0.8], order, &mut fast);
        let rows = (0..2).map(|i| (plain.state(i), fast.state(i)));
        let outputs = (0..tape.outputs()).map(|o| (plain.output(&tape, o), fast.output(&tape, o)));
        for (a, b) in rows.chain(outputs) {
            let size = a.iter().enumerate().map(|(k, c)| c.abs() * 0.5_f64.powi(k as i32)).fold(0.0, f64::max);
            for (k, (x, y)) in a.iter().zip(b).enumerate() {
                assert!((x - y).abs() * 0.5_f64.powi(k as i32) <= 1e-13 * size, "order {k}: {x:e} {y:e}");
            }
        }
    }
}

#[test]
fn tangents_are_limits_of_differences() {
    let tape = tape();
    let value = [0.4, -0.3, 0.7];
    let dual: Vec<Dual<3>> = value.iter().enumerate().map(|(i, &v)| Dual::variable(v, i)).collect();
    let slots = tape.bind(&dual[2..]);
    let mut jet: Jet<Dual<3>> = Jet::new(&tape);
    tape.expand(&slots, &dual[..2], 12, &mut jet);
    let step = 1e-9;
    for direction in 0..3 {
        let shifted = |sign: f64| {
            let mut v: Vec<DoubleDouble> = value.iter().map(|&v| DoubleDouble::from_f64(v)).collect();
            v[direction] += DoubleDouble::from_f64(sign * step);
            let slots = tape.bind(&v[2..]);
            let mut jet = Jet::new(&tape);
            tape.expand(&slots, &v[..2], 12, &mut jet);
            jet
        };
        let (plus, minus) = (shifted(1.0), shifted(-1.0));
        for i in 0..tape.outputs() {
            for k in 0..=12 {
                let difference = (plus.output(&tape, i)[k] - minus.output(&tape, i)[k]).value() / (2.0 * step);
                let tangent = jet.output(&tape, i)[k].tangent[direction];
                let scale = 1.0 + tangent.abs();
                assert!(
                    (tangent - difference).abs() < 1e-12 * scale,
                    "output {i} order {k} direction {direction}: {tangent} against {difference}"
                );
            }
        }
    }
}

/// The derivative as a graph equals the tangent on the tape, for every formula and symbol.
#[test]
fn derivatives_of_graphs_are_tangents_of_tapes() {
    let (mut g, states, parameters, _, outputs) = everything();
    let symbols: Vec<Node> = states.iter().chain(&parameters).copied().collect();
    let mut roots = outputs.clone();
    for &output in &outputs {
        roots.extend(g.gradient(output, &symbols));
    }
    let tape = Tape::new(&g, &states, &parameters, &[], &roots);
    let dual: Vec<Dual<3>> = [0.4, -0.3, 0.7].iter().enumerate().map(|(i, &v)| Dual::variable(v, i)).collect();
    let slots = tape.bind(&dual[2..]);
    let mut jet = Jet::new(&tape);
    let mut values = vec![Dual::<3>::ZERO; roots.len()];
    tape.evaluate(&slots, &dual[..2], &mut jet, &mut values);
    for i in 0..outputs.len() {
        for direction in 0..3 {
            let graph = values[outputs.len() + 3 * i + direction].value();
            let tangent = values[i].tangent[direction];
            assert!((graph - tangent).abs() < 1e-13 * (1.0 + graph.abs()), "{}", g.print(outputs[i]));
        }
    }
}

/// A closed form: x' = y, y' = -x from (0, 1) gives the series of sine and cosine to order 30.
#[test]
fn the_harmonic_oscillator_has_the_series_of_the_sine() {
    let mut g = Graph::new();
    let (x, y) = (g.symbol("x"), g.symbol("y"));
    let minus = g.negate(x);
    let tape = Tape::new(&g, &[x, y], &[], &[y, minus], &[]);
    let slots = tape.bind::<f64>(&[]);
    let mut jet = Jet::new(&tape);
    tape.expand(&slots, &[0.0, 1.0], 30, &mut jet);
    let mut factorial = 1.0;
    for k in 0..=30 {
        if k > 0 {
            factorial *= k as f64;
        }
        let sine = [0.0, 1.0, 0.0, -1.0][k % 4] / factorial;
        assert!((jet.state(0)[k] - sine).abs() <= 1e-15 * sine.abs());
    }
}

/// A long flat sum neither overflows the stack nor costs more than one instruction.
#[test]
fn a_long_sum_is_one_instruction() {
    let mut g = Graph::new();
    let x = g.symbol("x");
    let weights: Vec<Node> = (0..20_000).map(|i| g.symbol(&format!("p{i}"))).collect();
    let mut sum = g.constant(0.0);
    for &w in &weights {
        let term = g.multiply(w, x);
        sum = g.add(sum, term);
    }
    let tape = Tape::new(&g, &[x], &weights, &[sum], &[]);
    assert_eq!(tape.len(), 1);
    let derivative = g.derivative(sum, x);
    assert!(g.symbols_of(derivative).len() == 20_000);
}

/// A chain of n unit masses between unit springs, x_i'' = x_(i-1) - 2 x_i + x_(i+1) + [i = n] f cos(p) with p' = w, and the output x_1 - x_n.
fn chain(n: usize) -> Tape {
    let mut g = Graph::new();
    let x: Vec<Node> = (0..n).map(|i| g.symbol(&format!("x{i}"))).collect();
    let v: Vec<Node> = (0..n).map(|i| g.symbol(&format!("v{i}"))).collect();
    let (p, f, w, two) = (g.symbol("p"), g.symbol("f"), g.symbol("w"), g.constant(2.0));
    let wave = g.apply(Function::Cos, p);
    let force = g.multiply(f, wave);
    let accelerations: Vec<Node> = (0..n)
        .map(|i| {
            let twice = g.multiply(two, x[i]);
            let own = g.negate(twice);
            let mut terms = vec![own];
            terms.extend(i.checked_sub(1).map(|k| x[k]));
            terms.push(if i + 1 < n { x[i + 1] } else { force });
            g.sum(terms)
        })
        .collect();
    let output = g.subtract(x[0], x[n - 1]);
    let states = [&x[..], &v[..], &[p]].concat();
    let rates = [&v[..], &accelerations[..], &[w]].concat();
    Tape::new(&g, &states, &[f, w], &rates, &[output])
}

/// Motions of the chain in closed form, on both sides of the size from which tapes are computed by columns, with derivatives, and after the order was lowered:
/// under a constant force (w = 0) x_i = i f/(n + 1) + sin(i a) cos(2 sin(a/2) t) with a = k pi/(n + 1), and under a wave with w = 2 sin(a/2), where a is such a
/// multiple and a half, x_i = f sin(i a)/sin((n + 1) a) cos(w t).
#[test]
fn jets_of_large_sums_are_those_of_the_closed_form() {
    for (n, wide, forced) in [(8, false, false), (150, true, false), (8, false, true), (150, true, true)] {
        let tape = chain(n);
        assert_eq!(tape.is_wide(), wide);
        let part = std::f64::consts::PI / (n + 1) as f64;
        let angle = ((n / 2) as f64 + if forced { 0.5 } else { 0.0 }) * part;
        let frequency = 2.0 * (0.5 * angle).sin();
        let f = 0.7;
        // x_i = (still_i + moving_i cos(frequency t)) and its derivative by f.
        let still = |i: usize| if forced { 0.0 } else { (i + 1) as f64 / (n + 1) as f64 };
        let shape = |i: usize| ((i + 1) as f64 * angle).sin();
        let response = |i: usize| if forced { shape(i) / ((n + 1) as f64 * angle).sin() } else { 0.0 };
        let moving = |i: usize| if forced { f * response(i) } else { shape(i) };
        let start: Vec<Dual<1>> = (0..=2 * n)
            .map(|i| match i < n {
                true => Dual { value: f * still(i) + moving(i), tangent: [still(i) + response(i)] },
                false => Dual::from_f64(0.0),
            })
            .collect();
        let slots = tape.bind(&[Dual::<1>::variable(f, 0), Dual::from_f64(if forced { frequency } else { 0.0 })]);
        let mut jet = Jet::new(&tape);
        let assert_right = |jet: &Jet<Dual<1>>, order: usize| {
            assert_eq!(jet.order(), order);
            let (mut power, mut bound) = (1.0, 1e-14);
            for j in 0..=order {
                // cos(w t) has (-1)^(j/2) w^j/j! at even orders; the frequencies of the chain are below 2.
                power *= if j == 0 { 1.0 } else { frequency / j as f64 };
                bound *= if j == 0 { 1.0 } else { 4.0 / j as f64 };
                let wave = [power, 0.0, -power, 0.0][j % 4];
                let constant = if j == 0 { 1.0 } else { 0.0 };
                let value = |i: usize| constant * f * still(i) + wave * moving(i);
                let derivative = |i: usize| constant * still(i) + wave * response(i);
                let assert_close = |found: Dual<1>, value: f64, derivative: f64| {
                    assert!((found.value - value).abs() <= bound, "{n} {j}: {} {value}", found.value);
                    assert!((found.tangent[0] - derivative).abs() <= bound, "{n} {j}: {derivative}");
                };
                for i in [0, 1, n / 2, n - 1] {
                    assert_close(jet.state(i)[j], value(i), derivative(i));
                }
                let last = n - 1;
                assert_close(jet.output(&tape, 0)[j], value(0) - value(last), derivative(0) - derivative(last));
                if let Some(cosine) = tape.waves(jet).nth(1) {
                    assert!(!forced || (cosine[j].value - wave).abs() <= bound, "{} {wave}", cosine[j].value);
                }
            }
        };
        tape.expand(&slots, &start, 24, &mut jet);
        assert_right(&jet, 24);
        jet.set_order(9);
        (0..6).for_each(|_| tape.extend(&slots, &mut jet));
        tape.finish(&slots, &mut jet);
        assert_right(&jet, 15);
        let mut outputs = [Dual::from_f64(0.0)];
        tape.evaluate(&slots, &start, &mut jet, &mut outputs);
        assert!((outputs[0].value - (start[0] - start[n - 1]).value).abs() < 1e-15);
    }
}

/// Bodies that move alike: k x_1 - k x_2 is zero at every order, on the vector unit as without it, whatever k and however many other terms there are.
#[test]
fn equal_terms_cancel_at_all_orders() {
    let mut g = Graph::new();
    let states: Vec<Node> = ["x1", "v1", "x2", "v2"].iter().map(|name| g.symbol(name)).collect();
    let (k, c) = (g.symbol("k"), g.symbol("c"));
    let mut rates = Vec::new();
    for body in states.chunks(2) {
        let sine = g.apply(Function::Sin, body[0]);
        let damped = g.multiply(c, body[1]);
        let sum = g.add(sine, damped);
        rates.extend([body[1], g.negate(sum)]);
    }
    // k x1 - c v2 - k x2 + c v1, and the same with a product of states, which has its own row.
    let [kx1, kx2] = [0, 2].map(|i| g.multiply(k, states[i]));
    let [cv1, cv2] = [1, 3].map(|i| g.multiply(c, states[i]));
    let mixed = g.subtract(kx1, cv2);
    let mixed = g.subtract(mixed, kx2);
    let plain = g.subtract(kx1, kx2);
    let both = g.add(mixed, cv1);
    let tape = Tape::new(&g, &states, &[k, c], &rates, &[plain, both]);
    let slots = tape.bind(&[1.0 / 3.0, 0.1]);
    for vectors in [Vectors::PORTABLE, Vectors::native()] {
        let mut jet = Jet::on(&tape, vectors);
        for order in 0..=HIGHEST_ORDER {
            tape.expand(&slots, &[0.7, -0.3, 0.7, -0.3], order, &mut jet);
            assert!(jet.state(0).iter().all(|x| *x != 0.0));
            assert_eq!(jet.output(&tape, 0), vec![0.0; order + 1]);
            // Sums of more terms are rounded on their way, by no more than that.
            let sizes = jet.state(0).iter().zip(jet.state(1)).map(|(x, v)| 2.0 * f64::EPSILON * (x.abs() + v.abs()));
            assert!(jet.output(&tape, 1).iter().zip(sizes).all(|(sum, size)| sum.abs() <= size));
        }
    }
}
