//! Pieces of motion and their derivatives: two flows against each other, differences, and closed forms.

use saltation_model::{Model, gallery};
use saltation_motion::extension::{Completed, Extension, Image, Slope};
use saltation_motion::{ClosedSet, FlowChoice, System};

fn system(name: &str) -> (System, Vec<f64>) {
    let model = Model::parse(gallery::find(name).unwrap(), name).unwrap();
    let values = model.values(&Default::default()).unwrap();
    (System::new(&model), values.parameters().to_vec())
}

/// The direction of one parameter.
fn unit(system: &System, name: &str) -> Vec<f64> {
    system.model().parameters.iter().map(|p| f64::from(p.name == name)).collect()
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())), "{what}: {a} against {b}");
}

const WALL: usize = 0;

#[test]
fn linear_fields_flow_as_by_taylor_steps() {
    let cases: [(&str, &[&str], ClosedSet, &[f64]); 4] = [
        ("impact-oscillator", &["A", "omega"], ClosedSet::NONE, &[-0.4, 0.3, 1.2]),
        ("two-wall-oscillator", &["nu", "e"], ClosedSet::NONE, &[0.4, 0.3, 1.2]),
        ("impact-damper", &["nu", "mu"], ClosedSet::NONE, &[0.4, 0.3, -1.2, 0.2, 0.8]),
        ("forced-oscillator", &["omega", "zeta"], ClosedSet::NONE.with(WALL), &[0.0, 0.0, 0.7]),
    ];
    for (name, free, closed, state) in cases {
        let (system, parameters) = system(name);
        let along: Vec<Vec<f64>> = free.iter().map(|p| unit(&system, p)).collect();
        let mut exact = Extension::new(&system, 1e-12, FlowChoice::Automatic);
        let mut taylor = Extension::new(&system, 1e-12, FlowChoice::Taylor);
        exact.bind(&parameters, &along);
        taylor.bind(&parameters, &along);
        let (mut a, mut b) = (Image::new(state.len(), 2), Image::new(state.len(), 2));
        for time in [15.5, 0.37, -2.1, 1e-7, 0.0] {
            exact.flow(closed, state, time, &mut a).unwrap();
            taylor.flow(closed, state, time, &mut b).unwrap();
            for i in 0..state.len() {
                close(a.state[i], b.state[i], 1e-11, name);
                close(a.rate[i], b.rate[i], 1e-11, name);
                for j in 0..state.len() + 2 {
                    close(a.derivative[(i, j)], b.derivative[(i, j)], 1e-10, &format!("{name} {time} ({i}, {j})"));
                }
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    for (name, closed, state, time) in [
        ("double-pendulum", ClosedSet::NONE, [1.2, -1.1, -3.0, 0.5], 0.3),
        ("double-pendulum", ClosedSet::NONE, [1.2, -1.1, -3.0, 0.5], -0.2),
    ] {
        let (system, parameters) = system(name);
        let along = vec![unit(&system, "T"), unit(&system, "d")];
        let mut flow = Extension::new(&system, 1e-13, FlowChoice::Automatic);
        let mut image = Image::new(4, 2);
        flow.bind(&parameters, &along);
        flow.flow(closed, &state, time, &mut image).unwrap();
        let step = 1e-4;
        for direction in 0..6 {
            let mut ends = Vec::new();
            for factor in [1.0, -1.0, 2.0, -2.0] {
                let mut state = state;
                let mut moved = parameters.clone();
                match direction {
                    0..4 => state[direction] += factor * step,
                    k => moved.iter_mut().zip(&along[k - 4]).for_each(|(p, d)| *p += factor * step * d),
                }
                let mut end = Image::new(4, 2);
                flow.bind(&moved, &along);
                flow.flow(closed, &state, time, &mut end).unwrap();
                ends.push(end.state);
            }
            let [a, b, c, d] = &ends[..] else { panic!("four ends") };
            for (i, (((a, b), c), d)) in a.iter().zip(b).zip(c).zip(d).enumerate() {
                let (inner, outer) = ((a - b) / (2.0 * step), (c - d) / (4.0 * step));
                close(image.derivative[(i, direction)], (4.0 * inner - outer) / 3.0, 1e-9, "difference");
            }
        }
    }
}

/// A ball that strikes the ground with speed v comes to rest after 2 e v / (g (1 - e)).
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let (system, parameters) = system("bouncing-ball");
    let e = system.model().parameters.iter().position(|p| p.name == "e").unwrap();
    let mut flow = Extension::new(&system, 1e-12, FlowChoice::Automatic);
    flow.bind(&parameters, &[unit(&system, "e")]);
    let (mut end, mut completed) = (Image::new(2, 1), Completed::default());
    flow.complete_chattering(0, ClosedSet::NONE, (&[0.0, -2.0], f64::INFINITY, None), &mut end, &mut completed)
        .unwrap();
    let (g, e) = (9.8, parameters[e]);
    close(completed.duration, 4.0 * e / (g * (1.0 - e)), 1e-12, "duration");
    close(completed.gradient[1], -2.0 * e / (g * (1.0 - e)), 1e-11, "by the speed");
    close(completed.gradient[2], 4.0 / (g * (1.0 - e) * (1.0 - e)), 1e-11, "by the restitution");
    assert_eq!(completed.gradient[0], 0.0);
    close(completed.acceleration, -g, 1e-14, "acceleration");
    assert!(end.state.iter().all(|x| x.abs() < 1e-14));
    let away =
        flow.complete_chattering(0, ClosedSet::NONE, (&[0.0, 2.0], f64::INFINITY, None), &mut end, &mut completed);
    assert!(away.unwrap_err().to_string().contains("no speed towards the surface"));
}

#[test]
fn gaps_speeds_and_forces_have_their_gradients() {
    let (system, parameters) = system("impact-oscillator");
    let mut flow = Extension::new(&system, 1e-12, FlowChoice::Automatic);
    flow.bind(&parameters, &[unit(&system, "A"), unit(&system, "r")]);
    let (mut gap, mut speed, mut force) = (Slope::default(), Slope::default(), Slope::default());
    let (x, y, phi) = (-0.2, 0.7, 0.4);
    flow.surface(WALL, &[x, y, phi], &mut gap, &mut speed);
    assert_eq!((gap.value, &gap.gradient[..]), (0.2, &[-1.0, 0.0, 0.0, 0.0, 0.0][..]));
    assert_eq!((speed.value, &speed.gradient[..]), (-0.7, &[0.0, -1.0, 0.0, 0.0, 0.0][..]));
    let closed = ClosedSet::NONE.with(WALL);
    // m x'' = h - lambda at rest against the wall: lambda = A cos(phi) - 2 zeta y - x - 1.
    let rate = flow.force(closed, WALL, &[0.0, 0.0, phi], &mut force);
    close(force.value, 0.35 * phi.cos() - 1.0, 1e-14, "force");
    close(force.gradient[2], -0.35 * phi.sin(), 1e-14, "by the phase");
    close(force.gradient[3], phi.cos(), 1e-14, "by the amplitude");
    close(rate, -0.35 * 0.81 * phi.sin(), 1e-14, "rate");
    let mut after = Image::new(3, 2);
    flow.strike(WALL, &[0.0, 0.7, phi], &mut after);
    close(after.state[1], -0.63, 1e-15, "after");
    close(after.derivative[(1, 4)], -0.7, 1e-15, "by the restitution");
}
