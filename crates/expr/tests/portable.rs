//! In a portable process jets have the bits of plain arithmetic and of the functions of libm, however fast the processor could be.

use std::process::Command;

use saltation_expr::{Function, Graph, Jet, Tape};
use saltation_numerics::vectors::Vectors;
use saltation_numerics::{elementary, portable};

const ORDER: usize = 24;

/// Runs a test of this file where no other has chosen the arithmetic yet: in a process of its own, which is this program with one test.
fn alone(name: &str, test: impl FnOnce()) {
    const ALONE: &str = "SALTATION_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let mut program = Command::new(std::env::current_exe().expect("the program has a path"));
    let output = program.args(["--exact", &format!("portable::{name}")]).env(ALONE, "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains(" 1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

/// x' = y, y' = -sin x + a cos(x y)/3, and every function of x/4 + 1/2.
fn tape() -> Tape {
    let mut g = Graph::new();
    let (x, y, a) = (g.symbol("x"), g.symbol("y"), g.symbol("a"));
    let product = g.multiply(x, y);
    let (sine, cosine) = (g.apply(Function::Sin, x), g.apply(Function::Cos, product));
    let third = g.constant(3.0);
    let driven = g.multiply(a, cosine);
    let driven = g.divide(driven, third);
    let rate = g.subtract(driven, sine);
    let (quarter, half) = (g.constant(0.25), g.constant(0.5));
    let scaled = g.multiply(quarter, x);
    let argument = g.add(scaled, half);
    let mut outputs: Vec<_> = Function::ALL.into_iter().map(|f| g.apply(f, argument)).collect();
    outputs.push(g.power(argument, 0.7));
    outputs.push(g.atan2(argument, a));
    Tape::new(&g, &[x, y], &[a], &[y, rate], &outputs)
}

/// All coefficients of states and outputs.
fn bits(tape: &Tape, mut jet: Jet<f64>) -> Vec<u64> {
    tape.expand(&tape.bind(&[0.7]), &[0.3, -0.8], ORDER, &mut jet);
    let rows = (0..2).map(|i| jet.state(i)).chain((0..tape.outputs()).map(|o| jet.output(tape, o)));
    rows.flatten().map(|c| c.to_bits()).collect()
}

#[test]
fn jets_have_the_bits_of_plain_arithmetic() {
    alone("jets_have_the_bits_of_plain_arithmetic", jets);
}

fn jets() {
    portable::choose(true).unwrap();
    let tape = tape();
    let chosen = bits(&tape, Jet::new(&tape));
    assert!(chosen == bits(&tape, Jet::on(&tape, Vectors::PORTABLE)));
    // Where the processor adds products unrounded its own form differs: the test sees a difference where there is one.
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        assert!(chosen != bits(&tape, Jet::on(&tape, Vectors::native())));
    }
    let hash = chosen
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3).rotate_left(17));
    assert_eq!(format!("{hash:016x}"), "8c221984245e0334");
}

#[test]
fn functions_are_those_of_libm() {
    alone("functions_are_those_of_libm", functions);
}

fn functions() {
    portable::choose(true).unwrap();
    for k in -500..500 {
        let x = f64::from(k) * 0.0173;
        assert_eq!(elementary::sin_cos(x), libm::sincos(x));
        assert_eq!(elementary::exp(x).to_bits(), libm::exp(x).to_bits());
        assert_eq!(elementary::ln(x.abs()).to_bits(), libm::log(x.abs()).to_bits());
        assert_eq!(elementary::powf(x.abs(), 0.3).to_bits(), libm::pow(x.abs(), 0.3).to_bits());
        assert_eq!(elementary::atan2(x, 0.4).to_bits(), libm::atan2(x, 0.4).to_bits());
        assert_eq!(elementary::hypot(x, 0.4).to_bits(), libm::hypot(x, 0.4).to_bits());
    }
    assert_eq!(portable::choose(false), Err(portable::TooLate { portable: false }));
}
