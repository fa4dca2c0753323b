//! Harmonics by formulas against those of samples of the same functions, with their derivatives by the parameters.

use saltation_expr::parse::{Formula, UnknownName};
use saltation_expr::{Graph, Node, Tape};
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::super::form::LinearForm;
use super::Forcing;

/// The symbols in formulas: a state, the phase, and parameters, the period last.
const NAMES: [&str; 8] = ["x", "t", "a", "b", "s", "w", "v", "T"];

/// Functions of the phase, as outputs of a mode with the state x and the phase t.
struct Functions {
    form: LinearForm,
    sampled: LinearForm,
    tape: Tape,
}

impl Functions {
    fn new(texts: &[String]) -> Functions {
        let mut graph = Graph::new();
        let symbols: Vec<Node> = NAMES.iter().map(|name| graph.symbol(name)).collect();
        let (states, parameters) = symbols.split_at(2);
        let outputs: Vec<Node> = texts
            .iter()
            .map(|text| {
                let formula = Formula::read(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
                let name = |graph: &mut Graph, name: &str| match NAMES.contains(&name) {
                    true => Ok(graph.symbol(name)),
                    false => Err(UnknownName::among(name, NAMES)),
                };
                formula.build(&mut graph, &mut { name }).unwrap_or_else(|e| panic!("{text}: {e:?}"))
            })
            .collect();
        let one = graph.constant(1.0);
        let rates = [graph.negate(states[0]), one];
        let tape = Tape::new(&graph, states, parameters, &rates, &outputs);
        let mut form = || LinearForm::new(&mut graph, states, parameters, (&rates, &outputs), true).unwrap();
        Functions { form: form(), sampled: form().sampled(), tape }
    }

    /// The harmonics by formulas and by samples. Functions are numbered with the rate of the state first.
    fn both<T: Number>(&self, parameters: [T; 6]) -> [Result<Forcing<T>, usize>; 2] {
        assert!(self.form.has_formulas());
        [&self.form, &self.sampled].map(|form| {
            let (coefficients, slots) = (form.bind(&parameters), self.tape.bind(&parameters));
            form.forcing(&coefficients, 1 + self.tape.outputs(), (&self.tape, &slots), Some(parameters[5]))
        })
    }
}

fn functions(texts: &[&str]) -> Functions {
    Functions::new(&texts.iter().map(|text| text.to_string()).collect::<Vec<_>>())
}

/// All harmonics of one are those of the other, relative to the size of each function; one that is absent is zero.
fn assert_same<T: Number>(one: &Forcing<T>, other: &Forcing<T>, what: &str) {
    let absent = [T::ZERO; 2];
    let pair = |forcing: &Forcing<T>, f: usize, k: u32| match forcing.harmonics.iter().position(|&h| h == k) {
        Some(place) => [forcing.row(f)[1 + 2 * place], forcing.row(f)[2 + 2 * place]],
        None => absent,
    };
    for f in 0..one.slopes.len() {
        let size = other.row(f).iter().fold(other.slopes[f].magnitude(), |sum, c| sum + c.magnitude());
        let close = |a: T, b: T| assert!((a - b).magnitude() <= 1e-13 * (1.0 + size), "{what}: {one:?} {other:?}");
        close(one.row(f)[0], other.row(f)[0]);
        close(one.slopes[f], other.slopes[f]);
        for &k in one.harmonics.iter().chain(&other.harmonics) {
            let (own, others) = (pair(one, f, k), pair(other, f, k));
            close(own[0], others[0]);
            close(own[1], others[1]);
        }
    }
}

/// Numbers that only look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1_u64 << 40) as f64
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }

    /// A sum, product or power of sines and cosines of multiples of the phase, of degree four at most.
    fn formula(&mut self, degree: u64) -> String {
        match self.below(if degree > 1 { 6 } else { 3 }) {
            0 => self.pick(&["a", "b", "1.5", "(a - b)", "sin(s)", "a/(2 + b)", "-0.25"]).to_string(),
            1 | 2 => {
                let angle = self.pick(&["2*pi*t/T", "t*(2*pi/T)", "-2*pi/T*t", "(t/T - 0.25)*2*pi"]);
                let shift = self.pick(&["", " + s", " - a*s", " + 1"]);
                format!(
                    "{}*{}({}*({angle}){shift})",
                    self.pick(&["a", "b", "2"]),
                    self.pick(&["sin", "cos"]),
                    1 + self.below(3)
                )
            }
            3 => format!("({} + {})", self.formula(degree), self.formula(degree - 1)),
            4 => format!(
                "({} - {})*{}",
                self.formula(degree / 2),
                self.formula(degree / 2),
                self.formula(degree - degree / 2)
            ),
            _ => format!("({})^2/(1 + a^2)", self.formula(degree / 2)),
        }
    }

    fn parameters(&mut self) -> [f64; 6] {
        let [a, b, s, w, v] = std::array::from_fn(|_| 0.2 + self.unit());
        [a, b, s, w, v, 1.0 + 9.0 * self.unit()]
    }
}

#[test]
fn formulas_and_samples_have_the_same_harmonics() {
    let mut random = Random(1);
    for _ in 0..200 {
        let texts =
            [random.formula(4), format!("{} + 0.5*x", random.formula(4)), format!("{} - b*t", random.formula(2))];
        let functions = Functions::new(&texts);
        let values = random.parameters();
        let [one, other] = functions.both(values).map(Result::unwrap);
        assert!(one.harmonics.iter().all(|&k| (1..=12).contains(&k)), "{texts:?}: {one:?}");
        assert_same(&one, &other, &format!("{texts:?}"));
        // Derivatives by amplitudes, shift and period.
        let duals = std::array::from_fn(|i| match [0, 2, 5].iter().position(|&p| p == i) {
            Some(direction) => Dual::<3>::variable(values[i], direction),
            None => Dual::constant(values[i]),
        });
        let [one, other] = functions.both(duals).map(Result::unwrap);
        assert_same(&one, &other, &format!("{texts:?}"));
    }
}

#[test]
fn what_cancels_is_no_harmonic() {
    let period = |w: f64| std::f64::consts::TAU / w;
    // (formula, w, v, the harmonics that are left)
    let cases: [(&str, f64, f64, &[u32]); 7] = [
        ("a*cos(w*t) - a*cos(v*t)", 0.7, 0.7, &[]),
        ("a*cos(w*t) - a*cos(0.5*v*t) + a*cos(0.5*w*t)", 0.7, 0.7, &[1]),
        ("0*b*cos(0.3*t) + sin(2*w*t)", 0.7, 0.0, &[2]),
        ("(a - s)*cos(0.3*t) + sin(2*w*t)", 0.7, 0.0, &[2]),
        ("cos(2*w*t) + a*sin(3*w*t)", 0.7, 0.0, &[2, 3]),
        ("sin(w*t)^2 + cos(w*t)^2", 0.7, 0.0, &[]),
        ("cos(w*t)*cos(v*t)", 0.7, 2.1, &[2, 4]),
    ];
    for (text, w, v, harmonics) in cases {
        let parameters = [0.4, 0.3, 0.4, w, v, period(w)];
        let [one, other] = functions(&[text]).both(parameters).map(|found| found.unwrap_or_else(|_| panic!("{text}")));
        assert_eq!((&one.harmonics[..], &other.harmonics[..]), (harmonics, harmonics), "{text}");
        assert_same(&one, &other, text);
    }
}

/// A harmonic of amplitude zero has its derivative.
#[test]
fn an_amplitude_of_zero_has_a_derivative() {
    let found = functions(&["a*cos(2*pi*t/T) + a*b*sin(4*pi*t/T)"]);
    let mut parameters = [0.0, 0.5, 0.0, 0.0, 0.0, 3.0].map(Dual::<1>::constant);
    parameters[0] = Dual::variable(0.0, 0);
    for forcing in found.both(parameters).map(Result::unwrap) {
        assert_eq!(forcing.harmonics, [1, 2]);
        assert!((forcing.row(1)[1].tangent[0] - 1.0).abs() < 1e-15);
        assert!((forcing.row(1)[4].tangent[0] - 0.5).abs() < 1e-15);
    }
}

/// What is no harmonic of the period is refused, by its place.
#[test]
fn other_frequencies_are_refused_by_either_way() {
    let period = std::f64::consts::TAU / 0.7;
    let cases = [
        "cos(0.5*w*t)",
        "cos(w*t) + 1e-9*sin(0.3*t)",
        "cos(w*t)*sin(v*t)",
        "cos((1 + 1e-11)*w*t)",
        "cos(40*w*t)",
        "sin(w*t)^2*cos(31*w*t)",
        "1/(a - b) + cos(w*t)",
    ];
    for text in cases {
        let found = functions(&["cos(w*t)", text]).both([0.4, 0.4, 0.0, 0.7, 0.33, period]);
        assert_eq!(found.map(Result::err), [Some(2), Some(2)], "{text}");
    }
    // A frequency that the period does not follow: a harmonic here, but not next to it.
    let found = functions(&["cos(w*t)"]);
    let parameters = [0.4, 0.4, 0.0, 0.7, 0.33, period];
    assert!(found.both(parameters).iter().all(Result::is_ok));
    let mut free = parameters.map(Dual::<1>::constant);
    free[3] = Dual::variable(0.7, 0);
    assert_eq!(found.both(free).map(Result::err), [Some(1), Some(1)]);
    // With the period it is one.
    free[5] = Dual { value: period, tangent: [-period / 0.7] };
    assert!(found.both(free).iter().all(Result::is_ok));
}

/// Quotients of waves, and products with the phase, are left to samples.
#[test]
fn other_formulas_are_left_to_samples() {
    for text in ["1/(2 + cos(t))", "t*cos(t)", "t^2", "cos(t)^-1", "exp(cos(t))", "cos(t + 0.1*sin(t))", "cos(t)^65"] {
        assert!(!functions(&[text]).form.has_formulas(), "{text}");
    }
    assert!(functions(&["x + exp(a)*cos(t)^3 - atan2(a, b)*t"]).form.has_formulas());
}
