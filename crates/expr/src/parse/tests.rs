use super::*;
use proptest::prelude::*;

const NAMES: [&str; 4] = ["x", "y", "e", "φ_2"];

fn node(graph: &mut Graph, text: &str) -> Result<Node, Vec<FormulaError>> {
    Formula::read(text)?.build(graph, &mut |graph, name| {
        if NAMES.contains(&name) { Ok(graph.symbol(name)) } else { Err(UnknownName::among(name, NAMES)) }
    })
}

fn value(text: &str) -> f64 {
    let mut graph = Graph::new();
    for name in NAMES {
        graph.symbol(name);
    }
    let node = node(&mut graph, text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    graph.evaluate(node, &|symbol| [0.3, -1.7, 0.9, 2.5][symbol])
}

fn errors(text: &str) -> Vec<FormulaError> {
    node(&mut Graph::new(), text).expect_err(text)
}

#[test]
fn precedence_is_that_of_written_mathematics() {
    let (x, y, e) = (0.3_f64, -1.7_f64, 0.9_f64);
    for (text, expected) in [
        ("-x^2", -(x * x)),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("8/4*2", 4.0),
        ("--x", x),
        ("+x", x),
        ("-x*y", -x * y),
        ("x - -y", x + y),
        ("2^-x^2", 2f64.powf(-(x * x))),
        ("1e-3 + .5 + 1. + 2E+1", 21.501),
        ("e*x", e * x),
        ("2*e", 2.0 * e),
        ("φ_2/2", 1.25),
        ("atan2(y, x)", y.atan2(x)),
        ("sin(x)^2 + cos(x)^2", 1.0),
        ("exp(-(x - y)^2/2)", (-(x - y) * (x - y) / 2.0).exp()),
        ("sqrt(log(1 + x))", (1.0 + x).ln().sqrt()),
        ("cosh(x) - sinh(x)", (-x).exp()),
        ("tan(asin(x))", x / (1.0 - x * x).sqrt()),
        ("acos(x) + atan(y) + tanh(y)", x.acos() + y.atan() + y.tanh()),
        ("2*pi", 2.0 * std::f64::consts::PI),
        ("\t( x\n+ y )", x + y),
    ] {
        approx::assert_relative_eq!(value(text), expected, max_relative = 1e-14);
    }
}

/// At x = 0.3, y = -1.7, e = 0.9 and phi_2 = 2.5.
#[test]
fn corners_choose_a_side() {
    for (text, expected) in [
        ("sign(y)", -1.0),
        ("sign(-2*x)", -1.0),
        ("sign(x - y)*sign(y - x)", -1.0),
        ("sign(0)", 0.0),
        ("abs(y)", 1.7),
        ("max(x, y)", 0.3),
        ("min(x, y, e)", -1.7),
        ("max(1, 2, 3)", 3.0),
        ("clip(y, -1, 1)", -1.0),
        ("clip(x, -1, 1)", 0.3),
        ("clip(φ_2, -1, 1)", 1.0),
        ("step(x) + 10*step(y)", 1.0),
        ("if(x < y, 1, 2)", 2.0),
        ("if(x >= y, 1, 2)", 1.0),
        ("if(x > 0 and y > 0, 1, 2)", 2.0),
        ("if(x > 0 or y > 0, 1, 2)", 1.0),
        ("if(not x > 0, 1, 2)", 2.0),
        ("if(not (x > 0 and y < 0) or (e < 1), 1, 2)", 1.0),
        ("if((x + 1)*2 > e, if(y < 0, 5, 6), 7)", 5.0),
        ("if(x > 0, sqrt(x), log(y))", 0.3_f64.sqrt()),
        ("if(y > 0, sqrt(y), 4)", 4.0),
    ] {
        approx::assert_relative_eq!(value(text), expected, max_relative = 1e-14);
    }
}

#[test]
fn equal_functions_have_one_side() {
    let mut graph = Graph::new();
    let of = |graph: &mut Graph, text: &str| node(graph, text).unwrap();
    let side = of(&mut graph, "sign(x - y)");
    for (text, same) in
        [("sign(3*(x - y))", true), ("sign((x - y)/2)", true), ("-sign(y - x)", true), ("sign(x + y)", false)]
    {
        assert_eq!(of(&mut graph, text) == side, same, "{text}");
    }
    for (text, same) in
        [("sign(sign(x - y))", true), ("sign(0.5 - 2*sign(y - x))", true), ("sign(sign(x - y) - y)", false)]
    {
        assert_eq!(of(&mut graph, text) == side, same, "{text}");
    }
    assert_eq!(of(&mut graph, "sign(sign(x - y) + 3)"), graph.constant(1.0));
    // On either side a side is its own third power, and its square is one.
    assert_eq!(of(&mut graph, "sign(x)^2"), graph.constant(1.0));
    assert_eq!(of(&mut graph, "sign(x)^3"), of(&mut graph, "sign(x)"));
    // Words of conditions and corners are names where they are not called.
    let mut names = Graph::new();
    let read = Formula::read("step + max*sign").unwrap();
    assert!(read.build(&mut names, &mut |graph, name| Ok(graph.symbol(name))).is_ok());
}

#[test]
fn mistakes_are_named_and_placed() {
    for (text, place, part) in [
        ("2x", "2x", "`*` is missing between `2` and `x`"),
        ("2 x", "2 x", "`*` is missing"),
        ("x(y + 1)", "x", "no function `x`"),
        ("(x)(y)", ")(", "`*` is missing"),
        ("2e", "2e", "`*` is missing"),
        ("x**2", "**", "not `**`"),
        ("ln(x)", "ln", "no function `ln`"),
        ("sine(x)", "sine", "no function `sine`"),
        ("sin x", "sin", "in brackets"),
        ("sin(x, y)", "sin(x, y)", "takes 1 argument, not 2"),
        ("sin()", "sin()", "takes 1 argument, not 0"),
        ("atan2(x)", "atan2(x)", "takes 2 arguments, not 1"),
        ("abs(x, y)", "abs(x, y)", "takes 1 argument, not 2"),
        ("x + max(x)", "max(x)", "takes 2 or more arguments, not 1"),
        ("x mod 2", "mod", "again and again"),
        ("floor(x)", "floor", "again and again"),
        ("|x|", "|", "not written with `|`"),
        ("sgn(x)", "sgn", "no function `sgn`"),
        ("x < y", "<", "in the condition of `if` only"),
        ("(x < y)*2", "<", "in the condition of `if` only"),
        ("if(x, y, 1)", "x", "is not a comparison"),
        ("if(x < y < 1, 2, 3)", "< y <", "has three"),
        ("if(x < y, 1)", "if(x < y, 1)", "takes 3 arguments, not 2"),
        ("clip(x, 1, -1)", "clip(x, 1, -1)", "the lowest value of `clip` is above its highest"),
        ("if(x < y and e, 1, 2)", "e", "is not a comparison"),
        ("side(1)", "side", "needs the name of a switch"),
        ("cos(t)", "t", "`t` is not declared"),
        ("z + 1", "z", "`z` is not declared"),
        ("(x + (y - 1)", "(", "never closed"),
        ("sin(x", "(", "never closed"),
        ("x + 1)", ")", "closes nothing"),
        ("1,5*x", ",", "point, not a comma"),
        ("x, y", ",", "a comma has no place"),
        ("x + ", "+", "missing after `+`"),
        ("x + * y", "*", "missing before `*`"),
        ("", "", "empty"),
        ("   ", "   ", "empty"),
        ("x = 1", "=", "no place"),
        ("x′", "′", "no place"),
        ("x²", "²", "raised digits"),
        ("x − y", "−", "minus sign"),
        ("1.2.3", "1.2.3", "missing between `1.2` and `.3`"),
        (".", ".", "not a number"),
        ("1e999", "1e999", "too large"),
    ] {
        let found = errors(text);
        let first = &found[0];
        assert!(first.message.contains(part), "{text}: {first:?}");
        assert_eq!(&text[first.span.clone()], place, "{text}: {first:?}");
    }
}

#[test]
fn several_mistakes_are_found_in_one_pass() {
    assert_eq!(errors("ln(x) + floor(y) + 2x").len(), 3);
    assert_eq!(errors("z + w + q").len(), 3);
    assert_eq!(errors("x ? y $ e").len(), 2);
}

#[test]
fn names_near_a_known_one_are_suggested() {
    let suggestion = |name, known: &[&'static str]| nearest(name, known.iter().copied());
    assert_eq!(suggestion("omga", &["zeta", "omega"]), Some("omega"));
    assert_eq!(suggestion("oemga", &["zeta", "omega"]), Some("omega"));
    assert_eq!(suggestion("X", &["y", "x"]), Some("x"));
    assert_eq!(suggestion("Zeta", &["zeta"]), Some("zeta"));
    assert_eq!(suggestion("q", &["x", "y"]), None);
    assert_eq!(suggestion("restitution", &["x", "gap"]), None);
    assert!(errors("e2 + 1")[0].help.is_some());
    assert!(UnknownName::among("e", ["x"]).help.is_some_and(|h| h.contains("exp(1)")));
}

#[test]
fn sizes_are_bounded_without_exhausting_the_stack() {
    let message = |text: String| errors(&text)[0].message.clone();
    assert!(message("(".repeat(60_000)).contains("nested"));
    assert!(message(format!("{}x{}", "(".repeat(201), ")".repeat(201))).contains("nested"));
    assert!(message(format!("x{}", "^x".repeat(300))).contains("nested"));
    assert!(message("sin(".repeat(10_000)).contains("nested"));
    assert!(message("x+".repeat(60_000)).contains("bytes"));
    assert!(message(format!("{}x", "x+".repeat(20_000))).contains("more than"));
    assert!(message("-".repeat(30_000) + "x").contains("more than"));

    // The longest flat formulas that are legal can be derived and printed.
    for operator in ["+e*", "*", "-"] {
        let mut graph = Graph::new();
        let x = graph.symbol("x");
        let text = format!("{}x", format!("x{operator}").repeat(4_000));
        let node = node(&mut graph, &text).expect("legal");
        graph.derivative(node, x);
        assert!(!graph.print(node).is_empty());
    }
}

#[test]
fn words_of_the_language_are_no_names() {
    for name in ["x", "x1", "_a", "φ", "e", "x_1"] {
        assert!(is_name(name), "{name}");
    }
    for name in ["", "1x", "a b", "pi", "sin", "atan2", "x'", "a.b", "x²"] {
        assert!(!is_name(name), "{name}");
    }
}

fn formula_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(NAMES.to_vec()).prop_map(str::to_string),
        (-50i32..50, 0u32..4).prop_map(|(a, b)| format!("({})", f64::from(a) / f64::from(10u32.pow(b)))),
        Just("pi".to_string()),
    ];
    leaf.prop_recursive(6, 48, 2, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]), inner.clone())
                .prop_map(|(a, o, b)| format!("({a}){o}({b})")),
            (inner.clone(), -3i32..4).prop_map(|(a, n)| format!("({a})^{n}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})^({b})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            (prop::sample::select(Function::ALL.to_vec()), inner.clone())
                .prop_map(|(f, a)| format!("{}({a})", f.name())),
            (inner.clone(), inner).prop_map(|(a, b)| format!("atan2({a},{b})")),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_as_the_same_node(text in formula_text()) {
        let mut graph = Graph::new();
        let first = node(&mut graph, &text).expect("built to be legal");
        let printed = graph.print(first);
        prop_assume!(!printed.contains('…') && !printed.contains("inf") && !printed.contains("NaN"));
        let second = node(&mut graph, &printed);
        prop_assert_eq!(second, Ok(first), "{} printed as {}", text, printed);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[-+*/^(),.0-9a-z |²π=]{0,60}|\\PC{0,40}") {
        let mut graph = Graph::new();
        if let Err(errors) = node(&mut graph, &text) {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error);
            }
        }
    }
}
