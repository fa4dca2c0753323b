use saltation_expr::Jet;
use saltation_model::{Model, Values, gallery};
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::exact::{Exact, Grid, Unsuited};
use super::forcing::Forcing;
use super::growth;
use crate::system::System;

fn gallery_model(name: &str) -> (System, Values) {
    let model = gallery::model(name).unwrap().unwrap();
    let values = model.values(&Default::default()).unwrap();
    (System::new(&model), values)
}

/// The exact flow of flight with values for the parameters, the grid beginning at a phase.
fn bind<T: Number>(system: &System, parameters: &[T], grid: Option<Grid<T>>) -> Result<Exact<T>, Unsuited> {
    let mode = &system.modes[0];
    let slots = mode.tape.bind(parameters);
    Exact::bind(mode.linear.as_ref().unwrap(), (&mode.tape, &slots, parameters), grid, system.section_range())
}

fn circle<T: Number>(origin: f64) -> Option<Grid<T>> {
    Some(Grid { period: T::from_f64(std::f64::consts::TAU), origin: T::from_f64(origin) })
}

/// The state of the impact oscillator after so many cells and the time that they take.
fn fly<T: Number>(system: &System, parameters: &[T], cells: usize) -> ([T; 2], T) {
    let exact = bind(system, parameters, circle(0.4)).unwrap();
    let mut state = [T::from_f64(-0.5), T::from_f64(0.2)];
    for cell in 0..cells {
        let mut end = [T::ZERO; 2];
        exact.propagate(cell % exact.cells(), &state, &mut end);
        state = end;
    }
    (state, exact.cell.scale(cells as f64))
}

/// Derivatives with respect to damping, frequency and amplitude, of which the frequency changes the cells themselves.
#[test]
fn dual_numbers_give_derivatives_with_respect_to_parameters() {
    let (system, values) = gallery_model("impact-oscillator");
    let index = |name: &str| system.model().parameter(name).unwrap();
    let chosen = [index("zeta"), index("omega"), index("A")];
    let dual: Vec<Dual<3>> = values
        .parameters()
        .iter()
        .enumerate()
        .map(|(i, &p)| chosen.iter().position(|&c| c == i).map_or(Dual::constant(p), |d| Dual::variable(p, d)))
        .collect();
    let (state, time) = fly(&system, &dual, 37);
    let (plain, plain_time) = fly(&system, values.parameters(), 37);
    assert_eq!((state.map(|x| x.value), time.value), (plain, plain_time));
    for (direction, &parameter) in chosen.iter().enumerate() {
        let step = 1e-6;
        let at = |sign: f64| {
            let mut parameters = values.parameters().to_vec();
            parameters[parameter] += sign * step;
            fly(&system, &parameters, 37)
        };
        let ((up, late), (down, early)) = (at(1.0), at(-1.0));
        for i in 0..2 {
            let difference = (up[i] - down[i]) / (2.0 * step);
            assert!((state[i].tangent[direction] - difference).abs() < 1e-8, "state {i}, direction {direction}");
        }
        assert!((time.tangent[direction] - (late - early) / (2.0 * step)).abs() < 1e-7);
    }
}

/// A forcing of amplitude zero has no harmonics, but its derivative with respect to the amplitude has: the motion is linear in
/// the amplitude, so that it is the difference of two others.
#[test]
fn harmonics_without_value_keep_their_derivatives() {
    let (system, values) = gallery_model("impact-oscillator");
    let amplitude = system.model().parameter("A").unwrap();
    let mut parameters: Vec<Dual<1>> = values.parameters().iter().map(|&p| Dual::constant(p)).collect();
    parameters[amplitude] = Dual::variable(0.0, 0);
    let (state, _) = fly(&system, &parameters, 5);
    let at = |value: f64| {
        let mut parameters = values.parameters().to_vec();
        parameters[amplitude] = value;
        fly(&system, &parameters, 5).0
    };
    let (one, two) = (at(1.0), at(2.0));
    for i in 0..2 {
        assert!((state[i].tangent[0] - (two[i] - one[i])).abs() < 1e-14);
    }
    assert!(state[1].tangent[0].abs() > 0.1);
}

/// Polynomials from any point, on the grid or not, end where the propagators do.
#[test]
fn series_and_propagators_agree() {
    for name in ["impact-oscillator", "two-wall-oscillator", "impact-damper", "ball-on-table", "forced-oscillator"] {
        let (system, values) = gallery_model(name);
        let tape = &system.modes[0].tape;
        let exact = bind(&system, values.parameters(), circle(1.0)).unwrap();
        let mut jet = Jet::new(tape);
        let mut taylor = Jet::new(tape);
        let slots = tape.bind(values.parameters());
        let mut generators = vec![0.0; exact.size()];
        let phase = exact.moving;
        for cell in [0, 3, exact.cells() - 1] {
            let mut state = values.start().to_vec();
            state[phase] = exact.grid_phase(cell);
            exact.generators_at(&state, cell, &mut generators);
            let order = exact.order_for(exact.cell);
            exact.expand(&generators, state[phase], order, tape, &mut jet);
            tape.expand(&slots, &state, order, &mut taylor);
            let rows = (0..state.len()).map(|i| (jet.state(i), taylor.state(i)));
            for (a, b) in rows.chain((0..tape.outputs()).map(|o| (jet.output(tape, o), taylor.output(tape, o)))) {
                let size = b.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-14 * size), "{name}: {a:?} {b:?}");
            }
            let mut end = vec![0.0; exact.moving];
            exact.propagate(cell, &state, &mut end);
            for (i, end) in end.iter().enumerate() {
                let value = crate::trajectory::horner(jet.state(i), exact.cell);
                assert!((value - end).abs() <= 1e-14 * (1.0 + end.abs()), "{name}: {value} {end}");
            }
            let place = exact.place(state[phase]);
            assert_eq!((place.cell, place.at_grid, place.rest), (cell, true, exact.cell));
            let later = exact.place(state[phase] + 0.25 * exact.cell * exact.circle.unwrap().rate);
            assert_eq!((later.cell, later.at_grid), (cell, false));
            assert!((later.rest - 0.75 * exact.cell).abs() < 1e-14);
        }
    }
}

/// A ball in flight is a polynomial: its steps need no propagator.
#[test]
fn a_field_whose_series_end_needs_no_grid() {
    let (system, values) = gallery_model("bouncing-ball");
    assert_eq!(bind(&system, values.parameters(), None).err(), Some(Unsuited::SeriesEnd));
}

/// The rate bounds high powers, is near the spectral radius, and does not depend on units.
#[test]
fn growth_is_honest_and_has_no_units() {
    // (matrix, least and largest rate)
    // Balancing is by powers of two: a factor below two remains, of which the eighth root is felt.
    let cases: [(&[f64], f64, f64); 5] = [
        (&[0.0, 1.0, -1.0, 0.0], 1.0, 1.0),
        (&[0.0, 1e-6, -1e6, 0.0], 1.0, 2.0_f64.powf(0.125)),
        (&[0.0, 1.0, -1.0, -2.0], 1.0, 1.5),
        (&[0.0, 1.0, 0.0, 0.0], 0.0, 0.0),
        (&[3.0, 0.0, 0.0, -7.0], 7.0, 7.0),
    ];
    for (matrix, least, largest) in cases {
        let rate = growth::rate(matrix, 2);
        assert!(rate >= least * (1.0 - 1e-12) && rate <= largest * (1.0 + 1e-12), "{matrix:?}: {rate}");
    }
    let serves = growth::serves();
    assert!(serves.windows(2).all(|pair| pair[0] < pair[1]));
    // (1/2)^16/16! < 1e-18 < (1/2)^15/15!
    assert!(serves[15] > 0.5 && serves[14] < 0.5);
}

/// Finite sums of harmonics come back; what is no such sum is refused.
#[test]
fn harmonics_come_back() {
    let functions = |phase: f64, values: &mut [f64]| {
        let angle = std::f64::consts::TAU * phase / 3.0;
        values.copy_from_slice(&[
            2.0,
            1.0 + 3.0 * angle.cos() - (5.0 * angle).sin(),
            0.25 * phase + (3.0 * angle).cos(),
        ]);
    };
    let forcing = Forcing::resolve(3, 3.0, functions).unwrap();
    assert_eq!(forcing.harmonics, [1, 3, 5]);
    let expected = [
        [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 3.0, 0.0, 0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    ];
    for (row, expected) in forcing.coefficients.chunks_exact(7).zip(expected) {
        assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{row:?}");
    }
    assert_eq!(forcing.slopes, [0.0, 0.0, 0.25]);
    let step = |phase: f64, values: &mut [f64]| values[0] = if phase < 1.0 { 1.0 } else { 0.0 };
    assert_eq!(Forcing::resolve(1, 3.0, step).err(), Some(0));
    let undefined = |phase: f64, values: &mut [f64]| values[0] = (1.0 - phase).sqrt();
    assert_eq!(Forcing::resolve(1, 3.0, undefined).err(), Some(0));
    // A frequency that samples at equal distances take for a constant.
    let fast = |phase: f64, values: &mut [f64]| values[0] = (64.0 * std::f64::consts::TAU * phase / 3.0).cos();
    assert_eq!(Forcing::resolve(1, 3.0, fast).err(), Some(0));
}

/// Values of a model bind to the same flow whatever its file says about linearity elsewhere: M, K and C with parameters.
#[test]
fn coefficients_may_be_formulas_of_parameters() {
    let text = "format = 1\nname = \"two\"\n[parameters]\nm = 2\nk = 3\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
                velocities = [\"u\", \"w\"]\nM = [[\"m\", 1], [1, \"m + 1\"]]\nh = [\"-k*x + sin(k)*y\", \"exp(-m)*u\"]\n\
                [start]\nx = 1\ny = 0\nu = 0\nw = 0\n";
    let model = Model::parse(text, "two.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Default::default()).unwrap();
    let system = System::new(&model);
    let exact = bind(&system, values.parameters(), None).unwrap();
    let mut end = [0.0; 4];
    exact.propagate(0, &[1.0, 0.0, 0.0, 0.0], &mut end);
    let tape = &system.modes[0].tape;
    let mut jet = Jet::new(tape);
    tape.expand(&tape.bind(values.parameters()), &[1.0, 0.0, 0.0, 0.0], 24, &mut jet);
    for (i, end) in end.iter().enumerate() {
        let value = crate::trajectory::horner(jet.state(i), exact.cell);
        assert!((value - end).abs() < 1e-15);
    }
}

/// A flow that was bound before is copied: with another phase of its grid, with the same numbers as one bound anew; other parameters bind another.
#[test]
fn kept_flows_are_those_bound_anew() {
    let (system, values) = gallery_model("impact-oscillator");
    let mode = &system.modes[0];
    let form = mode.linear.as_ref().unwrap();
    let mut parameters = values.parameters().to_vec();
    let ends = |exact: &Exact<f64>| -> Vec<[f64; 2]> {
        (0..exact.cells())
            .map(|cell| {
                let mut end = [0.0; 2];
                exact.propagate(cell, &[-0.5, 0.2], &mut end);
                end
            })
            .collect()
    };
    for (origin, amplitude) in [(0.4, 0.7), (1.9, 0.7), (0.4, 0.7), (0.4, 0.8), (2.2, 0.8)] {
        parameters[system.model().parameter("A").unwrap()] = amplitude;
        let slots = mode.tape.bind(&parameters);
        let kept = form.bind_exact((&mode.tape, &slots, &parameters), circle(origin), system.section_range()).unwrap();
        let anew = bind(&system, &parameters, circle(origin)).unwrap();
        assert_eq!(ends(&kept), ends(&anew));
        assert_eq!(kept.grid_phase(1), anew.grid_phase(1));
    }
}
