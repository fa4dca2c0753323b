//! The exact flow of linear fields against Taylor steps and closed forms, and certified quiet steps against event detection on every step.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::oscillator::Oscillator;
use crate::common::{assert_all_close, assert_close, system};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::{EventKind, FlowChoice, Motion, Run, Settings, StartError, System};

fn compile(body: &str) -> (System, Values) {
    let text = format!("format = 1\nname = \"test\"\n{body}");
    let model = Model::parse(&text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    (System::new(&model), values)
}

fn run(system: &System, values: &Values, settings: Settings, flow: FlowChoice, path: bool) -> Run {
    let settings = Settings { flow, ..settings };
    Motion::new(system, values, settings).unwrap_or_else(|e| panic!("{e}")).run(path, |_| true)
}

/// The same events at the same times with the same states, and the same end.
#[track_caller]
fn assert_alike(a: &Run, b: &Run, tolerance: f64) {
    let names = |run: &Run| run.events.iter().map(|e| (e.kind, e.contact, e.section)).collect::<Vec<_>>();
    assert_eq!(names(a), names(b));
    for (x, y) in a.events.iter().zip(&b.events) {
        assert_close(x.time, y.time, tolerance);
        // Where a sequence is completed is a matter of rounding, once it is known to tolerance; its end is not.
        if x.kind == EventKind::Chatter {
            assert_close(x.end(), y.end(), tolerance);
            continue;
        }
        assert_close(x.speed_before, y.speed_before, tolerance);
    }
    assert_eq!((&a.ended, a.closed), (&b.ended, b.closed));
    assert_all_close(&a.state, &b.state, tolerance);
}

/// The misses are the same.
#[track_caller]
fn assert_same_misses(a: &Run, b: &Run, tolerance: f64) {
    assert_eq!(a.misses.count, b.misses.count);
    if a.misses.count > 0 {
        assert_close(a.misses.smallest, b.misses.smallest, tolerance);
    }
}

/// Impacts, chattering, stick and release of every linear model of the gallery, by both methods and with quiet steps.
#[test]
fn the_gallery_moves_alike_by_both_routes() {
    let mut moved = Vec::new();
    for name in gallery::NAMES {
        let (system, values) = system(name, &[], &[]);
        // Neighbours of the bar's motion leave it by a factor of 10^6 in 20 units of time, and rounding with them; in 4 by 10^2.
        // The velocities of the woodpecker change by some thousands in a unit, and its differences by as much more; it makes two cycles.
        let until = match name {
            "bar" => 4.0,
            "woodpecker" => 0.3,
            // The oscillation of the bridge decays within a hundredth.
            "diode-bridge" => 5e-3,
            _ => 20.0,
        };
        let settings = Settings { until, tolerance: 1e-15, ..Settings::default() };
        // A field may be linear and a gap not, as for bodies whose corners turn with them.
        let refused = Motion::new(&system, &values, Settings { flow: FlowChoice::Exact, ..settings });
        if refused.is_err() {
            assert!(matches!(refused.map(|_| ()), Err(StartError::NotLinear { .. })), "{name}");
            continue;
        }
        assert!(system.model().linear, "{name}");
        moved.push(name);
        let taylor = run(&system, &values, settings, FlowChoice::Taylor, true);
        let exact = run(&system, &values, settings, FlowChoice::Exact, true);
        let leaps = run(&system, &values, settings, FlowChoice::Exact, false);
        println!("{name}: {} events", taylor.events.len());
        assert_alike(&exact, &taylor, 1e-12);
        assert_alike(&leaps, &taylor, 1e-12);
        // The gaps of the woodpecker's sleeve have plateaus, on which rounding decides whether there is a minimum.
        if name != "woodpecker" {
            assert_same_misses(&exact, &taylor, 1e-12);
            assert_same_misses(&leaps, &taylor, 1e-12);
        }
        let (path, other) = (exact.trajectory.unwrap(), taylor.trajectory.unwrap());
        let mut largest = vec![1.0_f64; values.start().len()];
        // The angular velocities of the woodpecker reach 32 within milliseconds: it alone is compared in parts of the largest values.
        let samples = if name == "woodpecker" { 500 } else { 0 };
        for k in 0..samples {
            let state = other.at(until / 500.0 * f64::from(k));
            largest.iter_mut().zip(&state).for_each(|(size, x)| *size = size.max(x.abs()));
        }
        for k in 0..=500 {
            let time = until / 500.0 * f64::from(k);
            let near = taylor.events.iter().any(|e| time > e.time - 1e-9 && time < e.end() + 1e-9);
            if !near {
                // A step may run beyond the period of the phase before that is wrapped.
                let moving = values.start().len() - usize::from(values.phase_period().is_some());
                let (a, b) = (path.at(time), other.at(time));
                let of_largest = |state: &[f64]| -> Vec<f64> {
                    state[..moving].iter().zip(&largest).map(|(x, size)| x / size).collect()
                };
                assert_all_close(&of_largest(&a), &of_largest(&b), 1e-11);
            }
        }
    }
    for name in
        ["impact-oscillator", "ball-on-table", "belt-oscillator", "bouncing-disc", "simplified-bounce", "sliding-block"]
    {
        assert!(moved.contains(&name), "{name} is not in {moved:?}");
    }
}

/// One flight of the oscillator is right to rounding, wherever it starts and ends on the grid.
#[test]
fn the_oscillator_has_its_closed_form() {
    let oscillator = Oscillator { zeta: 0.02, omega: 0.81, amplitude: 0.1 };
    for path in [true, false] {
        for until in [0.1, 1.7, 7.757, 30.0, 100.0] {
            for phase in [0.0, 0.3, 6.0] {
                let start = [("x", -0.7), ("y", 0.1), ("phi", phase)];
                let (system, values) = system("impact-oscillator", &[("A", 0.1)], &start);
                let settings = Settings { until, ..Settings::default() };
                let run = run(&system, &values, settings, FlowChoice::Exact, path);
                assert_eq!(run.events.len(), 0);
                let began = phase / 0.81;
                let (x, y) = oscillator.flight(began + until, began, -0.7, 0.1);
                let tolerance = 1e-15 * (10.0 + until);
                assert_all_close(&run.state[..2], &[x, y], tolerance);
            }
        }
    }
}

/// Leaps find every impact, count every minimum and pass every section that polynomials do, for hundreds of periods.
#[test]
fn leaps_change_nothing() {
    let grazing = Oscillator::grazing_amplitude(0.02, 0.81);
    for k in 0..12 {
        let amplitude = grazing * (0.9 + 0.02 * f64::from(k));
        let (system, values) = system("impact-oscillator", &[("A", amplitude), ("r", 0.3)], &[]);
        for returns in [None, Some((system.default_section().unwrap(), 60))] {
            let settings = Settings { until: 470.0, returns, ..Settings::default() };
            let whole = run(&system, &values, settings, FlowChoice::Exact, true);
            let leaps = run(&system, &values, settings, FlowChoice::Exact, false);
            assert_eq!((&leaps.events, &leaps.state, leaps.misses), (&whole.events, &whole.state, whole.misses));
            if returns.is_some() {
                assert_eq!(whole.count(EventKind::Section), 60);
                for (n, event) in whole.events.iter().filter(|e| e.kind == EventKind::Section).enumerate() {
                    assert_close(event.time, (n + 1) as f64 * std::f64::consts::TAU / 0.81, 1e-11);
                }
            }
        }
    }
}

/// A section by a formula and a longest step, with and without quiet steps.
#[test]
fn sections_and_short_steps_are_kept() {
    let body = "[phase.phi]\nrate = -1.3\nperiod = 2\n[flow]\nx = \"y\"\ny = \"-x - 0.1*y + 2*cos(pi*phi)\"\n\
                [contacts.wall]\ngap = \"0.6 - x\"\njump = { y = \"-0.5*y\" }\n\
                [sections.top]\nwhen = \"y - 0.05*cos(3*pi*phi)\"\ndirection = \"falling\"\n\
                [sections.angle]\nwhen = \"phi - 0.7\"\n[start]\nx = 0.3\ny = 0.2\nphi = 0.5\n";
    let (system, values) = compile(body);
    let settings = Settings { until: 60.0, tolerance: 1e-15, ..Settings::default() };
    let taylor = run(&system, &values, settings, FlowChoice::Taylor, true);
    assert!(taylor.count(EventKind::Section) > 40 && taylor.count(EventKind::Impact) > 3);
    for path in [true, false] {
        for longest_step in [f64::INFINITY, 0.9, 0.01] {
            let exact = run(&system, &values, Settings { longest_step, ..settings }, FlowChoice::Exact, path);
            assert_alike(&exact, &taylor, 1e-11);
            assert_same_misses(&exact, &taylor, 1e-11);
        }
    }
    let steps = Settings { longest_step: 0.01, until: 1.0, ..settings };
    assert!(run(&system, &values, steps, FlowChoice::Exact, true).trajectory.unwrap().len() >= 100);
}

/// x'' + x = cos t from rest: x = (t sin t)/2 grows without end. No frequency is special.
#[test]
fn resonance_grows_as_it_should() {
    let body = "[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"cos(phi) - x\"\n\
                [start]\nx = 0\nv = 0\nphi = 0\n";
    let (system, values) = compile(body);
    for path in [true, false] {
        for until in [1.0, 40.0, 1000.0] {
            let run = run(&system, &values, Settings { until, ..Settings::default() }, FlowChoice::Exact, path);
            assert_close(run.state[0], 0.5 * until * until.sin(), 4e-15 * until * until.max(10.0));
        }
    }
}

/// x'' + 2 x' + x = 0 with a double root, a free mass pushed by cos^3, and a constant drive on an unstable one.
#[test]
fn double_roots_and_free_masses_are_nothing_special() {
    let body = "[phase.phi]\nrate = 3\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"-2*v - x\"\n\
                p = \"q\"\nq = \"cos(phi)^3\"\nz = \"z/4 + 1\"\n\
                [start]\nx = 1\nv = 0.5\np = 0.2\nq = -0.1\nz = 0\nphi = 0\n";
    let (system, values) = compile(body);
    for path in [true, false] {
        for until in [0.3, 5.0, 20.0] {
            let run = run(&system, &values, Settings { until, ..Settings::default() }, FlowChoice::Exact, path);
            let t = until;
            assert_close(run.state[0], (1.0 + 1.5 * t) * (-t).exp(), 1e-15);
            // cos^3 = (3 cos + cos 3)/4, integrated twice.
            let (w, push) = (3.0 * t, |a: f64| (1.0 - (a * t).cos()) / (a * a));
            assert_close(run.state[2], 0.2 - 0.1 * t + 0.75 * push(3.0) + 0.25 * push(9.0), 1e-14 * (1.0 + t));
            assert_close(run.state[3], -0.1 + 0.75 * w.sin() / 3.0 + 0.25 * (9.0 * t).sin() / 9.0, 1e-14);
            let z = 4.0 * ((t / 4.0).exp() - 1.0);
            assert_close(run.state[4], z, 1e-14 * (1.0 + z));
        }
    }
}

/// Smooth forcing that is no finite sum of harmonics is resolved to rounding, or left to Taylor steps if it cannot be.
#[test]
fn forcing_is_resolved_or_refused() {
    let body = |force: &str| {
        format!(
            "[phase.phi]\nrate = 0.7\nperiod = 3\n[flow]\nx = \"v\"\nv = \"-x - v/5 + {force}\"\n\
             [contacts.wall]\ngap = \"1 - x\"\njump = {{ v = \"-0.8*v\" }}\n[start]\nx = 0\nv = 0\nphi = 1\n"
        )
    };
    let smooth = "exp(cos(2*pi*phi/3))/(3 + sin(2*pi*phi/3))";
    let (system, values) = compile(&body(smooth));
    let settings = Settings { until: 30.0, tolerance: 1e-15, ..Settings::default() };
    let taylor = run(&system, &values, settings, FlowChoice::Taylor, false);
    assert!(taylor.count(EventKind::Impact) > 3);
    assert_alike(&run(&system, &values, settings, FlowChoice::Exact, false), &taylor, 1e-11);
    for rough in ["phi", "1/(1.01 + cos(2*pi*phi/3))", "cos(phi)"] {
        let (system, values) = compile(&body(rough));
        let refused = Motion::new(&system, &values, Settings { flow: FlowChoice::Exact, ..settings }).map(|_| ());
        let expected = StartError::NotLinear { formula: Some("the rate of v".to_string()) };
        assert_eq!(refused, Err(expected), "{rough}");
        let automatic = run(&system, &values, settings, FlowChoice::Automatic, false);
        let taylor = run(&system, &values, settings, FlowChoice::Taylor, false);
        assert_alike(&automatic, &taylor, 1e-12);
    }
}

/// What is not linear is named: gaps and rates.
#[test]
fn what_is_not_linear_is_named() {
    for (gap, rate, name) in [("1 - x^2", "-x", "the gap of contact wall"), ("2 - x", "-sin(x)", "the rate of v")] {
        let body = format!(
            "[flow]\nx = \"v\"\nv = \"{rate}\"\n[contacts.wall]\ngap = \"{gap}\"\njump = {{ v = \"-v\" }}\n\
             [start]\nx = 0\nv = 1\n"
        );
        let (system, values) = compile(&body);
        let settings = Settings { flow: FlowChoice::Exact, ..Settings::default() };
        let refused = Motion::new(&system, &values, settings).map(|_| ());
        assert_eq!(refused, Err(StartError::NotLinear { formula: Some(name.to_string()) }));
    }
}

/// Chains of masses with random springs, dampers and walls: exact against Taylor, and quiet steps against both.
#[test]
fn random_chains_move_alike() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as f64 / u64::MAX as f64
    };
    let mut impacts = 0;
    for case in 0..60 {
        let masses = 1 + case % 4;
        let forced = case % 3 != 0;
        let mut body = String::new();
        if forced {
            body += &format!("[phase.phi]\nrate = {}\nperiod = \"2*pi\"\n", 0.5 + 2.0 * random());
        }
        let name = |letter: &str, i: usize| format!("\"{letter}{i}\"");
        let list = |letter: &str| (0..masses).map(|i| name(letter, i)).collect::<Vec<_>>().join(", ");
        let diagonal: Vec<String> = (0..masses).map(|_| format!("{}", 0.2 + 2.0 * random())).collect();
        body += &format!(
            "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [",
            list("x"),
            list("v"),
            diagonal.join(", ")
        );
        for i in 0..masses {
            let (k, c) = (0.5 + 3.0 * random(), 0.2 * random());
            let mut force = format!("{} - {k}*x{i} - {c}*v{i}", random() - 0.5);
            if i > 0 {
                force += &format!(" + {}*(x{} - x{i})", 2.0 * random(), i - 1);
            }
            if forced {
                force += &format!(" + {}*cos(phi) + {}*sin(2*phi)", 2.0 * random(), random());
            }
            body += &format!("\"{force}\", ");
        }
        body += "]\n";
        for i in 0..masses {
            let (gap, r) = (0.3 + 0.5 * random(), 0.3 + 0.6 * random());
            body += &format!("[contacts.wall{i}]\ngap = \"{gap} - x{i}\"\nrestitution = {r}\n");
        }
        body += "[start]\n";
        for i in 0..masses {
            body += &format!("x{i} = {}\nv{i} = {}\n", 0.2 * random(), random() - 0.5);
        }
        if forced {
            body += "phi = 0.3\n";
        }
        let (system, values) = compile(&body);
        let settings = Settings { until: 8.0, tolerance: 1e-15, ..Settings::default() };
        let taylor = run(&system, &values, settings, FlowChoice::Taylor, false);
        impacts += taylor.events.len();
        for path in [true, false] {
            let exact = run(&system, &values, settings, FlowChoice::Exact, path);
            assert_alike(&exact, &taylor, 1e-10);
            assert_same_misses(&exact, &taylor, 1e-10);
        }
    }
    assert!(impacts > 150, "{impacts}");
}

/// A structure of many degrees of freedom takes Taylor steps, whose series are computed by columns; the exact flow agrees, through impacts, chattering, persistent
/// contact and release.
#[test]
fn a_structure_moves_alike_by_both_routes() {
    let kinds = routes_of_a_bar(&|text| text.replace("restitution = 1", "restitution = 0.5"));
    for kind in [EventKind::Impact, EventKind::Chatter, EventKind::Release] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

/// The same with damping and a load of two harmonics.
#[test]
fn a_forced_structure_moves_alike_by_both_routes() {
    let kinds = routes_of_a_bar(&|text| {
        text.replace("restitution = 1", "restitution = 0.5")
            .replace("-K.mtx\"\n", "-K.mtx\"\ndamping = { mass = 0.1, stiffness = 1e-4 }\nload = { 60 = \"0.9*cos(phi) + 0.2*sin(3*phi + 1)\" }\n\n[phase.phi]\nrate = 1.3\nperiod = \"2*pi\"\n")
            .replace("[start]\n", "[start]\nphi = 0.2\n")
    });
    assert!(kinds.iter().filter(|kind| **kind == EventKind::Impact).count() > 10, "{kinds:?}");
}

/// The events of a bar of 60 elements with a changed model file, which are those of the exact flow.
fn routes_of_a_bar(change: &dyn Fn(&str) -> String) -> Vec<EventKind> {
    let generated = gallery::structure::bar(60).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &generated.files {
        std::fs::write(folder.path().join(name), change(text)).unwrap();
    }
    let model = Model::read(folder.path().join(&generated.files[0].0)).unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let settings = Settings { until: 6.0, tolerance: 1e-14, ..Settings::default() };
    let exact = run(&system, &values, settings, FlowChoice::Exact, true);
    let automatic = run(&system, &values, settings, FlowChoice::Automatic, true);
    let taylor = run(&system, &values, settings, FlowChoice::Taylor, true);
    assert_eq!(automatic.state, taylor.state, "so many degrees of freedom take Taylor steps");
    assert_alike(&exact, &taylor, 1e-9);
    exact.events.iter().map(|event| event.kind).collect()
}

/// A bar of 1000 elements against the sum of its modes in closed form until it strikes the wall, and its energy through the impacts after that.
#[test]
fn a_bar_of_a_thousand_elements_is_the_sum_of_its_modes() {
    const N: usize = 1000;
    let generated = gallery::structure::bar(N).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &generated.files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let model = Model::read(folder.path().join(&generated.files[0].0)).unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let settings = Settings { until: 1.75, ..Settings::default() };
    let run = run(&System::new(&model), &values, settings, FlowChoice::Automatic, false);

    // M = h/6 tridiag(1, 4, 1) and K = tridiag(-1, 2, -1)/h have the modes sin(i theta_j), theta_j = (2j - 1) pi/(2n), with
    // w^2 = 6 n^2 (1 - cos theta)/(2 + cos theta) and the masses n/2 (2 + cos theta)/(3n).
    let n = N as f64;
    let mass = |x: &dyn Fn(usize) -> f64, i: usize| {
        let below = if i > 1 { x(i - 1) } else { 0.0 };
        if i == N { (below + 2.0 * x(i)) / (6.0 * n) } else { (below + 4.0 * x(i) + x(i + 1)) / (6.0 * n) }
    };
    let pull = -1.5 / n;
    let modes: Vec<(f64, f64)> = (1..=N)
        .map(|j| {
            let theta = (2 * j - 1) as f64 * std::f64::consts::PI / (2.0 * n);
            // 1 - cos theta without the difference.
            let half = (0.5 * theta).sin();
            let frequency = n * (12.0 * half * half / (2.0 + theta.cos())).sqrt();
            let weight: f64 = (1..=N).map(|i| (i as f64 * theta).sin() * mass(&|i| i as f64 * pull, i)).sum();
            let amplitude = weight / (0.5 * n * (2.0 + theta.cos()) / (3.0 * n));
            (frequency, amplitude * (n * theta).sin())
        })
        .collect();
    let gap = |t: f64| 1.0 - modes.iter().map(|(frequency, at_end)| at_end * (frequency * t).cos()).sum::<f64>();
    let (mut before, mut after) = (1.6, 1.7);
    while after - before > 1e-14 {
        let middle = 0.5 * (before + after);
        if gap(middle) > 0.0 { before = middle } else { after = middle }
    }
    assert_close(run.events[0].time, before, 1e-11);
    assert!(run.events.len() > 20, "{}", run.events.len());

    let (u, v) = run.state.split_at(N);
    let kinetic: f64 = (1..=N).map(|i| 0.5 * v[i - 1] * mass(&|i| v[i - 1], i)).sum();
    let strain = |i: usize| if i == 0 { u[0] } else { u[i] - u[i - 1] };
    let elastic: f64 = (0..N).map(|i| 0.5 * n * strain(i) * strain(i)).sum();
    assert_close(kinetic + elastic, 0.5 * 1.5 * 1.5, 1e-10);
}
