//! Numbers follow what is set: against a new evaluation of the same settings as text, bit for bit, for all models of the gallery.

use std::collections::HashMap;

use saltation_expr::Node;
use saltation_model::{Model, Overrides, SectionKind, Values, gallery};
use saltation_numerics::dual::Dual;

fn model(name: &str) -> Model {
    gallery::model(name).expect("listed").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A pseudo-random number between 0 and 1 for each index.
fn noise(i: usize) -> f64 {
    let x = (i as f64 * 12.9898 + 4.1).sin() * 43758.5453;
    x - x.floor()
}

fn pair(name: &str, value: f64) -> (String, String) {
    (name.to_string(), format!("{value:?}"))
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

fn optional(values: &[Option<f64>]) -> Vec<Option<u64>> {
    values.iter().map(|x| x.map(f64::to_bits)).collect()
}

fn assert_same(a: &Values, b: &Values, what: &str) {
    assert_eq!(bits(a.parameters()), bits(b.parameters()), "{what}");
    assert_eq!(bits(a.start()), bits(b.start()), "{what}");
    assert_eq!(optional(&[a.phase_period()]), optional(&[b.phase_period()]), "{what}");
    assert_eq!(optional(a.angle_periods()), optional(b.angle_periods()), "{what}");
    assert_eq!(optional(a.section_periods()), optional(b.section_periods()), "{what}");
    assert_eq!(a, b, "{what}");
}

/// Numbers by walking the graph, formula by formula, as the compiled ones must be to the last bit.
fn walked(model: &Model, settings: &HashMap<usize, f64>) -> ([Vec<f64>; 2], [Vec<Option<f64>>; 2]) {
    let n = model.states.len();
    let mut symbols = vec![f64::NAN; n + model.parameters.len()];
    for &i in &model.parameter_order {
        let formula = || model.graph.evaluate(model.parameters[i].value, &|symbol| symbols[symbol]);
        symbols[n + i] = settings.get(&i).copied().unwrap_or_else(formula);
    }
    let value = |node: Node| model.graph.evaluate(node, &|symbol| symbols[symbol]);
    let sections = model.sections.iter().map(|section| match section.kind {
        SectionKind::Formula { period, .. } => period.map(|node| value(node).abs()).filter(|&period| period > 0.0),
        SectionKind::Contact(_) => None,
    });
    let start = model.states.iter().map(|state| value(state.start)).collect();
    let angles = model.states.iter().map(|state| state.angle_period.map(value)).collect();
    ([symbols[n..].to_vec(), start], [angles, sections.collect()])
}

/// Between the bounds of a parameter, or near its value in the file.
fn some_value(model: &Model, parameter: usize, now: f64, noise: f64) -> f64 {
    let (low, high) = (model.parameters[parameter].min, model.parameters[parameter].max);
    let near = now * (0.8 + 0.4 * noise) + if now == 0.0 { 0.1 * noise } else { 0.0 };
    near.max(low.unwrap_or(f64::NEG_INFINITY)).min(high.unwrap_or(f64::INFINITY))
}

#[test]
fn a_number_that_is_set_is_one_that_is_typed() {
    for (k, name) in gallery::NAMES.into_iter().enumerate() {
        let model = model(name);
        let file = model.numbers().unwrap_or_else(|mistakes| panic!("{mistakes}"));
        for sample in 0..20 {
            let mut values = file.clone();
            let mut settings = Overrides::default();
            let mut known = HashMap::new();
            for (i, parameter) in model.parameters.iter().enumerate() {
                let seed = 1000 * k + 50 * sample + i;
                if noise(seed + 7) < 0.5 {
                    let value = some_value(&model, i, file.parameters()[i], noise(seed));
                    settings.set.push(pair(&parameter.name, value));
                    known.insert(i, value);
                    match sample % 2 {
                        0 => values.set(i, value),
                        _ => values.set(parameter.name.as_str(), value),
                    }
                    .unwrap_or_else(|mistakes| panic!("{mistakes}"));
                }
            }
            let ([parameters, start], [angles, sections]) = walked(&model, &known);
            assert_eq!(bits(values.parameters()), bits(&parameters), "{name}");
            assert_eq!(bits(values.start()), bits(&start), "{name}");
            assert_eq!(optional(values.angle_periods()), optional(&angles), "{name}");
            assert_eq!(optional(values.section_periods()), optional(&sections), "{name}");
            for (i, state) in model.states.iter().enumerate() {
                if noise(17 * sample + i) < 0.3 {
                    let value = 2.0 * noise(sample + i) - 1.0;
                    settings.start.push(pair(&state.name, value));
                    values.set_start(i, value).unwrap_or_else(|mistakes| panic!("{mistakes}"));
                }
            }
            let typed = model.numbers_with(&settings).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            assert_same(&values, &typed, name);
            let all: Vec<(usize, f64)> = known.iter().map(|(&i, &value)| (i, value)).collect();
            let mut at_once = file.clone();
            at_once.set_all(&all).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            assert_eq!(bits(at_once.parameters()), bits(typed.parameters()), "{name}");
            assert_same(&file.with_start(typed.start()).with_parameters(typed.parameters()), &typed, name);
            assert_same(&model.numbers_at(typed.parameters(), typed.start()), &typed, name);
        }
    }
}

/// The symmetry that is looked for after a parameter was set is that of the settings as text.
#[test]
fn the_symmetry_follows() {
    for (name, clearance) in [("two-wall-oscillator", 1.3), ("impact-damper", 4.5)] {
        let model = model(name);
        let mut values = model.values(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert!(values.symmetry().is_some());
        values.set("Delta", clearance).unwrap();
        let settings = Overrides { set: vec![pair("Delta", clearance)], start: vec![] };
        assert_same(&values, &model.values(&settings).unwrap(), name);
        assert!(values.symmetry().is_some());
    }
    let mut values = model("two-wall-oscillator").values(&Overrides::default()).unwrap();
    values.set_start(0, 0.1).unwrap();
    assert_eq!(values.symmetry().unwrap().shift, std::f64::consts::PI, "another start changes no symmetry");
    assert_eq!(model("two-wall-oscillator").numbers().unwrap().symmetry(), None, "nothing was checked");
}

const WHEEL: &str = r#"
format = 1
name = "wheel"
[parameters]
teeth = 4
turn = "2*pi/teeth"
twice = "2*turn"
speed = { value = 1, min = 0, max = 10 }
place = "speed/2"
[phase.phi]
rate = "speed"
period = "turn"
[flow]
x = "v"
v = "cos(phi*teeth) - x"
[sections]
tooth = { when = "teeth*phi" }
[start]
x = "place"
v = 0
phi = 0
"#;

fn wheel() -> Model {
    Model::parse(WHEEL, "wheel.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn parameter(model: &Model, values: &Values, name: &str) -> f64 {
    values.parameters()[model.parameter(name).expect("a parameter")]
}

#[test]
fn periods_and_starts_follow_a_parameter() {
    let model = wheel();
    let mut values = model.numbers().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let turn = 2.0 * std::f64::consts::PI / 8.0;
    values.set_all(&[("teeth", 8.0), ("speed", 3.0)]).unwrap();
    assert_eq!(values.phase_period(), Some(turn));
    assert_eq!(values.angle_periods(), [None, None, Some(turn)]);
    assert_eq!(values.section_periods(), [Some(8.0 * turn)]);
    assert_eq!(parameter(&model, &values, "twice"), 2.0 * turn);
    assert_eq!(values.start(), [1.5, 0.0, 0.0]);
}

#[test]
fn what_is_set_stays() {
    let model = wheel();
    let mut values = model.numbers().unwrap();
    values.set("turn", 1.0).unwrap();
    values.set_start("x", 7.0).unwrap();
    values.set("teeth", 8.0).unwrap();
    values.set("speed", 4.0).unwrap();
    assert_eq!((parameter(&model, &values, "turn"), parameter(&model, &values, "twice")), (1.0, 2.0));
    assert_eq!((values.phase_period(), values.start()[0]), (Some(1.0), 7.0));
    let values = values.with_parameters(values.parameters()).with("teeth", 2.0).unwrap();
    assert_eq!(parameter(&model, &values, "turn"), 1.0);
}

#[test]
fn formulas_that_are_typed_follow_numbers_that_are_set() {
    let model = wheel();
    let settings = Overrides {
        set: vec![("turn".into(), "1/2".into()), ("speed".into(), "turn*teeth".into())],
        start: vec![("v".into(), "place + 1".into())],
    };
    let mut values = model.numbers_with(&settings).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!((parameter(&model, &values, "speed"), values.start()), (2.0, &[1.0, 2.0, 0.0][..]));
    values.set("teeth", 6.0).unwrap();
    assert_eq!((parameter(&model, &values, "speed"), values.start()), (3.0, &[1.5, 2.5, 0.0][..]));
    assert_eq!(values.phase_period(), Some(0.5));
}

#[test]
fn wrong_numbers_are_answered_and_change_nothing() {
    let model = wheel();
    let mut values = model.numbers().unwrap();
    let before = values.clone();
    insta::assert_snapshot!("numbers-names", values.set_all(&[("tooth", 1.0), ("sped", 2.0)]).unwrap_err());
    insta::assert_snapshot!("numbers-state", values.set_start("y", 1.0).unwrap_err());
    insta::assert_snapshot!("numbers-not-finite", values.set_all(&[("turn", f64::NAN), ("speed", 11.0)]).unwrap_err());
    insta::assert_snapshot!("numbers-start", values.set_starts(&[("x", f64::INFINITY)]).unwrap_err());
    insta::assert_snapshot!("numbers-follower", values.set("teeth", 0.0).unwrap_err());
    assert!(values.set(99, 1.0).is_err() && values.set_start(99, 1.0).is_err());
    assert_same(&values, &before, "after mistakes");
}

#[test]
fn what_follows_has_derivatives_by_what_is_free() {
    let model = wheel();
    let values = model.numbers().unwrap().along(&["teeth", "speed"]).unwrap();
    assert_eq!((values.free(), values.free_values()), (&[0, 3][..], vec![4.0, 1.0]));
    let free = [Dual { value: 4.0, tangent: [1.0, 0.0] }, Dual { value: 1.0, tangent: [0.0, 1.0] }];
    let mut parameters = Vec::new();
    values.parameters_at(&free, &mut parameters);
    let turn = 2.0 * std::f64::consts::PI / 4.0;
    assert_eq!((parameters[1].value, parameters[1].tangent), (turn, [-turn / 4.0, 0.0]));
    assert_eq!((parameters[4].value, parameters[4].tangent), (0.5, [0.0, 0.5]));
    let periods = values.angle_periods_at(&parameters);
    assert_eq!((periods[2].value, periods[2].tangent, periods[0].value), (turn, [-turn / 4.0, 0.0], 0.0));
    let there = values.at_free(&[8.0, 2.0]);
    assert_eq!((there.phase_period(), there.start()[0]), (Some(turn / 2.0), 1.0));
    // What is set does not follow any more, and neither does what follows from that alone.
    let held = values.with("turn", 1.0).unwrap();
    held.parameters_at(&free, &mut parameters);
    assert_eq!((parameters[1].tangent, parameters[2].value, parameters[2].tangent), ([0.0; 2], 2.0, [0.0; 2]));
    assert!(values.along(&["teeth", "teeth"]).is_err() && values.along(&["tooth"]).is_err());
}
