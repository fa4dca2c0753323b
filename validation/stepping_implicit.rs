//! Time stepping that is implicit in stiffness and damping (theta method, linearised once a step) against the exact flow, against event-driven
//! motions and against closed forms.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides, Structure, Values, gallery};
use saltation_motion::stepping::{Stepping, SteppingSettings};
use saltation_motion::{Ended, Motion, Settings, System};

fn read(text: &str) -> (Model, Values) {
    let model = Model::parse(text, "model.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (model, values)
}

fn settings(step: f64, until: f64, theta: f64) -> SteppingSettings {
    SteppingSettings { tolerance: 1e-13, theta, ..SteppingSettings::new(step, until) }
}

/// The end of a motion by steps, which must reach its time.
fn by_steps((model, values): &(Model, Values), step: f64, until: f64, theta: f64) -> Vec<f64> {
    let mut stepping = Stepping::new(model, values, settings(step, until, theta)).unwrap();
    while stepping.advance() {}
    assert_eq!(stepping.ended(), Some(&Ended::ReachedTime));
    stepping.state().to_vec()
}

/// The end of the same motion by events.
fn by_events((model, values): &(Model, Values), until: f64) -> Vec<f64> {
    let system = System::new(model);
    let settings = Settings { until, ..Settings::default() };
    let run = Motion::new(&system, values, settings).unwrap().run(false, |_| true);
    assert!(run.ended.is_complete(), "{:?}", run.ended);
    run.state
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The order of convergence between steps of 1/100 and of 1/1600 of the time.
fn order(case: &(Model, Values), until: f64, theta: f64) -> f64 {
    let exact = by_events(case, until);
    let [coarse, fine] = [100.0, 1600.0].map(|count| distance(&exact, &by_steps(case, until / count, until, theta)));
    (coarse / fine).log2() / 4.0
}

/// A bar of a hundred elements from the generator of the gallery; its highest frequency is near sqrt(12) 100.
fn bar() -> (Model, Values) {
    let files = gallery::structure::bar(100).unwrap().files;
    let beside = |name: &str| files.iter().find(|(file, _)| file == name).map(|(_, text)| text.clone());
    let mut text = files[0].1.clone();
    // The matrices inline, so that the model is one text.
    for (key, file) in [("M", "bar-100-M.mtx"), ("K", "bar-100-K.mtx")] {
        let matrix = saltation_numerics::matrix_market::read(&beside(file).unwrap()).unwrap().dense();
        let rows: Vec<String> = (0..100)
            .map(|i| format!("[{}]", (0..100).map(|j| format!("{:e}", matrix[(i, j)])).collect::<Vec<_>>().join(", ")))
            .collect();
        let named = text.lines().find(|line| line.contains(file)).unwrap().to_string();
        text = text.replace(&named, &format!("{key} = [{}]", rows.join(",\n")));
    }
    read(&text)
}

/// v' M v/2 + u' K u/2.
fn energy(structure: &Structure, state: &[f64]) -> f64 {
    let (u, v) = state.split_at(structure.rest.len());
    let half = |x: &[f64], y: Vec<f64>| 0.5 * x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    half(v, structure.mass.times(v)) + half(u, structure.stiffness.times(u))
}

#[test]
fn a_bar_of_a_hundred_elements_keeps_its_energy_at_steps_beyond_the_explicit_limit() {
    let case = bar();
    let structure = Structure::of(&case.0, &case.1, None).unwrap();
    let begin = energy(&structure, case.1.start());
    // Before its end meets the wall at t = 5/3 the even pull is let go as a wave: the exact flow is that of events.
    let exact = by_events(&case, 1.0);
    let displacements = |state: &[f64]| state[..100].to_vec();
    let errors = [5e-4, 2.5e-4, 1.25e-4].map(|step| {
        let state = by_steps(&case, step, 1.0, 0.5);
        assert_close(energy(&structure, &state), begin, 1e-12);
        distance(&displacements(&state), &displacements(&exact))
    });
    let order = (errors[0] / errors[2]).log2() / 2.0;
    assert!((order - 2.0).abs() < 0.2, "order {order}, {errors:?}");
    // Explicit steps are stable up to 2/346 = 5.8e-3. Impacts that lose nothing leave the energy as it is.
    for step in [2e-2, 1e-2, 1e-3] {
        let mut stepping = Stepping::new(&case.0, &case.1, settings(step, 60.0, 0.5)).unwrap();
        let mut struck = 0;
        while stepping.advance() {
            struck += usize::from(!stepping.contacts().is_empty());
            assert!(
                (energy(&structure, stepping.state()) / begin - 1.0).abs() < 1e-10,
                "{step}: t = {}",
                stepping.time()
            );
        }
        assert!(struck > 20, "{step}: {struck}");
    }
    // With theta = 1 it only falls between impacts. (An impact with restitution e may add some where theta > 1/(1 + e): the work of an impulse is P times the speed at theta.)
    let mut stepping = Stepping::new(&case.0, &case.1, settings(1e-2, 20.0, 1.0)).unwrap();
    let mut last = begin * (1.0 + 1e-12);
    while stepping.advance() {
        let now = energy(&structure, stepping.state());
        let is_free = stepping.contacts().iter().all(|contact| contact.impulse == [0.0; 2]);
        assert!(now <= last || !is_free, "t = {}: {now} after {last}", stepping.time());
        last = now * (1.0 + 1e-12);
    }
    assert!(last < 0.9 * begin, "{last}");
}

const PENDULUM: &str = "format = 1\nname = \"pendulum\"\n[lagrangian]\ncoordinates = [\"p\", \"r\"]\nvelocities = [\"w\", \"s\"]\n\
    L = \"(s^2 + r^2*w^2)/2 + 3*r*cos(p) - 20*(r - 1)^2\"\ndissipation = \"(0.1 + r^2)*w^2/20\"\n[start]\np = 2\nr = 1.1\nw = 0.3\ns = 0\n";

/// A pendulum on a spring: the masses depend on its length, damping and stiffness on everything.
#[test]
fn smooth_motion_has_the_second_order_of_the_midpoint_and_the_first_order_of_the_end() {
    let pendulum = read(PENDULUM);
    for (theta, expected) in [(0.5, 2.0), (1.0, 1.0), (0.75, 1.0)] {
        let found = order(&pendulum, 2.0, theta);
        assert!((found - expected).abs() < 0.15, "theta = {theta}: {found}");
    }
}

/// x'' = a x' + k x in one step from (x, v), written out.
#[test]
fn one_step_is_the_theta_method() {
    let case = read(
        "format = 1\nname = \"one\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[2]]\nh = [\"-30*x - 4*v\"]\n\
         [start]\nx = 0.3\nv = -1\n",
    );
    for theta in [0.5, 0.6, 1.0] {
        let (h, x, v) = (0.7, 0.3, -1.0);
        // The theta method of the first-order system, by Cramer's rule.
        let th = theta * h;
        let right_x = x + (h - th) * v;
        let right_v = v + (h - th) * (-15.0 * x - 2.0 * v);
        let determinant = 1.0 + 2.0 * th + 15.0 * th * th;
        let end =
            [(right_x * (1.0 + 2.0 * th) + th * right_v) / determinant, (right_v - 15.0 * th * right_x) / determinant];
        assert_all_close(&by_steps(&case, h, h, theta), &end, 1e-14);
    }
}

/// Where no force depends on the state, the steps are Moreau's. (That they have the same bits as ever is known by the stored answers.)
#[test]
fn without_stiffness_the_steps_are_those_of_moreau() {
    let case = read(gallery::find("bouncing-ball").unwrap());
    let (h, e) = (1.0 / 64.0, 0.8);
    let (mut x, mut v) = (1.0_f64, 0.0_f64);
    let mut impacts = 0;
    for _ in 0..128 {
        let middle = x + 0.5 * h * v;
        let before = v;
        v += h * -9.8;
        if middle <= 0.0 && v + e * before < 0.0 {
            v = -(e * before);
            impacts += 1;
        }
        x = middle + 0.5 * h * v;
    }
    let end = by_steps(&case, h, 2.0, 0.5);
    assert!(impacts >= 2);
    assert_all_close(&end, &[x, v], 1e-13);
}

/// Coupled masses as matrices (sparse factors, or full ones where C is not symmetric) and as formulas, with an impact and friction.
#[test]
fn matrices_and_formulas_make_the_same_steps() {
    for gyration in [0.0, 3.0] {
        let rest = "[contacts.wall]\ngap = \"0.2 - u1\"\nrestitution = 0.5\nfriction = { law = \"coulomb\", mu = 0.4 }\ntrack = \"u2\"\n[start]\n\
                    u1 = -1\nu2 = 0.5\nv1 = 0\nv2 = 0\n";
        let matrices = read(&format!(
            "format = 1\nname = \"m\"\n[matrices]\nM = [[2, 0.5], [0.5, 1]]\nK = [[300, -100], [-100, 200]]\nC = [[1, {gyration}], [{}, 0.5]]\n{rest}",
            -gyration
        ));
        let formulas = read(&format!(
            "format = 1\nname = \"f\"\n[mechanics]\ncoordinates = [\"u1\", \"u2\"]\nvelocities = [\"v1\", \"v2\"]\nM = [[2, 0.5], [0.5, 1]]\n\
             h = [\"-300*u1 + 100*u2 - v1 - {gyration}*v2\", \"100*u1 - 200*u2 + {gyration}*v1 - 0.5*v2\"]\n{rest}"
        ));
        for theta in [0.5, 1.0] {
            let (a, b) = (by_steps(&matrices, 1e-2, 2.0, theta), by_steps(&formulas, 1e-2, 2.0, theta));
            assert_all_close(&a, &b, 1e-9);
        }
        // Both go to the motion by events with the first power of the step.
        let exact = by_events(&matrices, 0.5);
        let errors = [1e-3, 1e-5].map(|step| distance(&exact, &by_steps(&matrices, step, 0.5, 0.5)));
        assert!(errors[1] < 5e-2 * errors[0].max(1e-3), "{gyration}: {errors:?}");
    }
}

/// A stiff spring that begins within a step, and viscous friction far too fast for explicit steps: both end at rest on the spring.
#[test]
fn stiff_forces_take_long_steps() {
    let case = read(
        "format = 1\nname = \"stiff\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\n\
         h = [\"-10 + 1e8*max(0, -x) - 1e4*v*step(-x)\"]\n[start]\nx = 1\nv = 0\n",
    );
    let end = by_steps(&case, 1e-2, 5.0, 1.0);
    assert!((end[0] + 1e-7).abs() < 1e-9 && end[1].abs() < 1e-6, "{end:?}");
}

/// The inverted pendulum, linear: Mhat = 1 - theta^2 h^2 100 vanishes at h = 1/(10 theta).
#[test]
fn a_step_too_long_says_which_would_do() {
    let text = |force: &str| {
        read(&format!(
            "format = 1\nname = \"up\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force}\"]\n\
             [start]\nx = 0.5\nv = 0\n"
        ))
    };
    for (force, theta, step, enough) in [
        ("100*x", 0.5, 0.3, Some(0.15)),
        ("100*x", 0.5, 0.19, None),
        ("100*x", 1.0, 0.19, Some(0.095)),
        ("100*sin(x)", 1.0, 3.0, Some(0.09375)),
        ("20*v", 0.5, 0.2, Some(0.05)),
    ] {
        let (model, values) = text(force);
        let mut stepping = Stepping::new(&model, &values, settings(step, 2.0 * step, theta)).unwrap();
        while stepping.advance() {}
        match (stepping.ended(), enough) {
            (Some(Ended::StepTooLong { step: found }), Some(enough)) => {
                assert_close(*found, enough, 1e-15);
                assert_eq!((stepping.time(), stepping.state()), (0.0, [0.5, 0.0].as_slice()));
                // What it says is true.
                let mut shorter = Stepping::new(&model, &values, settings(enough, 1.5 * enough, theta)).unwrap();
                assert!(shorter.advance(), "{force}");
            }
            (ended, enough) => assert_eq!((ended, enough), (Some(&Ended::ReachedTime), None), "{force} {theta} {step}"),
        }
    }
}

/// An inertia that is not symmetric may push a contact the wrong way at long steps, where no eigenvalue is real.
#[test]
fn a_contact_that_gives_way_to_pressure_is_a_step_too_long() {
    let (model, values) = read(
        "format = 1\nname = \"turned\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\n\
         h = [\"-1 - 30*y + 20*u\", \"30*x - 80*v\"]\n[contacts.floor]\ngap = \"y + 0.2*x\"\nrestitution = 0\n[start]\nx = 0.1\ny = 0.1\nu = 0\nv = -1\n",
    );
    let mut ends = Vec::new();
    for step in [0.5, 1e-3] {
        let mut stepping = Stepping::new(&model, &values, settings(step, 0.5, 0.5)).unwrap();
        while stepping.advance() {}
        ends.push(stepping.ended().cloned().unwrap());
    }
    let Ended::StepTooLong { step } = ends[0] else { panic!("{ends:?}") };
    assert!(step > 0.0 && step < 0.5, "{step}");
    assert_eq!(ends[1], Ended::ReachedTime);
}
