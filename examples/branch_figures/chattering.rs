//! Nordmark & Piiroinen, complete chattering: the double pendulum against a wall.

use saltation::draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation::model::Values;
use saltation::motion::{self, EventKind, Motion, Run, System, Trajectory};
use saltation::orbit::branch::{self, Branch, BranchPoint, SpecialKind};

use crate::strands::{real_parts, strands};
use crate::{Outcome, free, settled};

const MODEL: &str = "double-pendulum";

/// X = L1 sin q1 + L2 sin q2 of the lower mass along a path; both bars have length 1.
fn lower_mass(path: &Trajectory, from: f64, until: f64) -> Points {
    let mut state = vec![0.0; 4];
    let mut points = Vec::new();
    for piece in path.pieces() {
        for k in 0..=12 {
            let since = piece.length * f64::from(k) / 12.0;
            let time = piece.start + since;
            if (from..=until).contains(&time) {
                piece.evaluate(since, &mut state);
                points.push((time - from, state[0].sin() + state[1].sin()));
            }
        }
    }
    points
}

/// The times in sticking.
fn sticking(run: &Run, from: f64, until: f64) -> Vec<(f64, f64)> {
    let mut bands = Vec::new();
    let mut since = None;
    for event in run.events.iter().filter(|event| (from..=until).contains(&event.time)) {
        match event.kind {
            EventKind::Stick => since = Some(event.time),
            EventKind::Release => bands.extend(since.take().map(|start: f64| (start - from, event.time - from))),
            _ => {}
        }
    }
    bands.extend(since.map(|start| (start - from, until - from)));
    bands
}

fn run(system: &System, values: &Values, until: f64) -> Outcome<Run> {
    let settings = motion::Settings { until, ..motion::Settings::default() };
    Ok(Motion::new(system, values, settings)?.run(true, |_| true))
}

/// X(t) between two times of a run.
fn history(run: &Run, (from, until): (f64, f64), name: &str) -> Outcome<Panel> {
    let path = run.trajectory.as_ref().ok_or("the path was kept")?;
    let time = Axis::new("time").unit("s").between(0.0, until - from);
    Ok(Panel::new(time, Axis::new(name).unit("m"))
        .layer(Layer::bands(sticking(run, from, until)).label("sticking"))
        .layer(Layer::horizontal(-0.5).label("wall"))
        .layer(Layer::line(lower_mass(path, from, until)).color(Color::BLUE).width(1.2)))
}

/// How the duration of the stick tells the distance: slope and height of the line through the logarithms, by least squares.
fn law(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0.ln() / n, y + p.1.ln() / n));
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in points {
        xy += (x.ln() - mx) * (y.ln() - my);
        xx += (x.ln() - mx).powi(2);
    }
    (xy / xx, my - xy / xx * mx)
}

/// Fig. 8 without its brute-force diagram.
pub fn sticking_lost() -> Outcome<Figure> {
    let (system, following) = free(MODEL, &[], &["e"])?;
    let orbit = settled(&system, &following.values, 1, 0)?;
    let settings = branch::Settings { longest_step: 0.02, ..branch::Settings::between(0.88, 0.95) };
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?.remove(0);
    let loss = branch.special.iter().find(|special| special.kind == SpecialKind::StickLoss).ok_or("a stick is lost")?;
    let end = branch.value(&loss.point);
    // The unknowns begin with the state at the stick and its duration.
    let duration = |point: &BranchPoint| point.unknowns[system.model().states.len()];
    let sticks: Points = branch.points.iter().map(|p| (end - branch.value(p), duration(p))).filter(|p| p.0 > 0.0).collect();
    let close: Points = sticks.iter().copied().filter(|p| (1e-8..1e-5).contains(&p.0)).collect();
    let (slope, height) = law(&close);

    let values = Values { start: orbit.state.clone(), ..following.values.clone() };
    let complete = run(&system, &values, orbit.period)?;
    let (system, higher) = free(MODEL, &[("e", "0.896")], &[])?;
    let later = run(&system, &higher.values, 130.0)?;
    // The first turn after a hundred seconds without complete chattering.
    let turns: Vec<f64> = later.events.iter().filter(|e| e.kind == EventKind::Section).map(|e| e.time).collect();
    let within = |window: &[f64], kind: EventKind| {
        later.events.iter().filter(|e| (window[0]..window[1]).contains(&e.time) && e.kind == kind).count()
    };
    let incomplete = |window: &&[f64]| window[0] > 100.0 && within(window, EventKind::Chatter) == 0;
    let turn = turns.windows(2).find(incomplete).ok_or("a turn has no complete chattering")?;
    let impacts = within(turn, EventKind::Impact);

    let line = [1e-9, 1e-2].map(|x: f64| (x, (height + slope * x.ln()).exp()));
    let stick = Panel::new(Axis::new("e* − e").log(), Axis::new("(b)  time of sticking τ").unit("s").log())
        .layer(Layer::line(line).color(Color::GREY).dashed().width(1.2).label(format!("slope {slope:.2}")))
        .layer(Layer::markers(Marker::Circle, sticks).color(Color::BLUE).width(4.0).label("branch of the orbit in (a)"));
    Ok(Figure::new("A double pendulum stops sticking: chattering becomes incomplete")
        .subtitle(format!(
            "d = 0.5 m, T = −31.15 N m; (a) e = 0.89, (b) e* = {end:.6}, (c) e = 0.896, {impacts} impacts in the turn shown"
        ))
        .size(680.0, 860.0)
        .panel(history(&complete, (0.0, orbit.period), "(a)  X")?)
        .panel(stick)
        .panel(history(&later, (turn[0], turn[1]), "(c)  X")?))
}

/// Figs. 9(c) and 9(d): the period-2 orbit as the wall moves away.
pub fn doubling() -> Outcome<Figure> {
    let set = [("d", "0.5009"), ("e", "0.19"), ("T", "-40")];
    let (system, following) = free(MODEL, &set, &["d"])?;
    let orbit = settled(&system, &following.values, 2, 40)?;
    let settings = branch::Settings { longest_step: 0.02, switch: true, ..branch::Settings::between(0.5005, 0.502) };
    let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?;
    for b in &branches {
        eprintln!("{:?} {} points {:?} {:?} {:?}", b.parent, b.points.len(), b.extent(), b.ended, b.special.iter().map(|s| (s.kind, b.value(&s.point))).collect::<Vec<_>>());
    }
    let axis = || Axis::new("distance d of the wall").unit("m");
    let mut place = Panel::new(axis(), Axis::new("q₂ at q₁ = π/2").unit("rad"));
    let branch = &branches[0];
    place = strands(place, branch, |point| (branch.value(point), point.state[1]));
    let mut spectrum = Panel::new(axis(), Axis::new("multipliers λ"))
        .layer(Layer::horizontal(-1.0).label("λ = −1"));
    for index in 0..4 {
        spectrum = strands(spectrum, branch, |point| (branch.value(point), real_parts(point, index)));
    }
    Ok(Figure::stacked("Period-2 orbit of the double pendulum", vec![place, spectrum])
        .subtitle("e = 0.19, T = −40 N m")
        .size(640.0, 620.0))
}

/// Fig. 10.
pub fn homoclinic() -> Outcome<Figure> {
    let (system, following) = free(MODEL, &[("e", "0.9"), ("T", "-31.1")], &["T"])?;
    let orbit = settled(&system, &following.values, 1, 8)?;
    let settings = branch::Settings { longest_step: 0.02, ..branch::Settings::between(-31.13, -30.9) };
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?.remove(0);
    let special = branch.special.iter().find(|s| s.kind == SpecialKind::Homoclinic).ok_or("a homoclinic orbit")?;
    let law = special.homoclinic.as_ref().ok_or("a homoclinic orbit has a law")?;
    let period = |torque: f64| law.constant - (law.value - torque).ln() / law.rate;
    let nearest = |torque: f64| -> Outcome<&BranchPoint> {
        let distance = |point: &&BranchPoint| (branch.value(point) - torque).abs();
        let closest = branch.points.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        Ok(closest.ok_or("the branch has points")?)
    };
    let (first, second) = (nearest(-31.09)?, nearest(-31.0017)?);
    let at = |point: &BranchPoint, periods: f64| -> Outcome<Run> {
        let values = Values { parameters: point.parameters.clone(), start: point.state.clone(), ..following.values.clone() };
        run(&system, &values, periods * point.period)
    };
    let (a, c) = (at(first, 7.0)?, at(second, 1.7)?);
    let place = |point: &BranchPoint| (branch.value(point), point.period);
    let curve = (0..=400).map(|k| law.value - 0.13 * 1e-7_f64.powf(f64::from(k) / 400.0)).map(|t| (t, period(t)));
    let mut periods = Panel::new(
        Axis::new("torque T").unit("N m").between(-31.13, -30.99),
        Axis::new("(b)  period").unit("s"),
    )
    .layer(Layer::vertical(law.value).color(Color::GREEN).label("homoclinic orbit"));
    periods = strands(periods, &branch, place)
        .layer(Layer::line(curve).color(Color::GREY).dashed().width(1.0).label("c − ln(T* − T)/μ"))
        .layer(Layer::markers(Marker::Circle, [place(first), place(second)]).color(Color::BLACK).label("I, II"));
    Ok(Figure::new("The period of a double pendulum grows to a homoclinic orbit")
        .subtitle(format!(
            "d = 0.5 m, e = 0.9; T* = {:.6} N m, μ = {:.5} 1/s; (a) T = {:.4}, (c) T = {:.4}",
            law.value, law.rate, branch.value(first), branch.value(second)
        ))
        .size(680.0, 860.0)
        .panel(history(&a, (0.0, 7.0 * first.period), "(a)  X")?)
        .panel(periods)
        .panel(history(&c, (0.0, 1.7 * second.period), "(c)  X")?))
}

#[allow(dead_code)]
fn unused(_: &Branch) {}
