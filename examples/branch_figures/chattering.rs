//! Nordmark & Piiroinen, complete chattering: the double pendulum against a wall.

use std::f64::consts::{PI, TAU};

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_model::Values;
use saltation_motion::{self as motion, EventKind, Motion, Run, System, Trajectory};
use saltation_orbit::Orbit;
use saltation_orbit::branch::{self, Branch, BranchPoint, SpecialKind};

use crate::strands::{printed, real_part, strands};
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

/// The distance by the duration of the stick: slope and height of the line through the logarithms, by least squares.
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
pub(crate) fn sticking_lost() -> Outcome<Figure> {
    let (system, following) = free(MODEL, &[], &["e"])?;
    let orbit = settled(&system, &following, 1, 0)?;
    let settings = branch::Settings { longest_step: 0.02, ..branch::Settings::between(0.88, 0.95) };
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?.remove(0);
    let loss = branch.special.iter().find(|special| special.kind == SpecialKind::StickLoss).ok_or("a stick is lost")?;
    let end = branch.value(&loss.point);
    // The unknowns begin with the state at the stick and its duration.
    let duration = |point: &BranchPoint| point.unknowns[system.model().states.len()];
    let sticks: Points =
        branch.points.iter().map(|p| (end - branch.value(p), duration(p))).filter(|p| p.0 > 0.0).collect();
    let close: Points = sticks.iter().copied().filter(|p| (1e-8..1e-5).contains(&p.0)).collect();
    let (slope, height) = law(&close);

    let values = following.with_start(&orbit.state);
    let complete = run(&system, &values, orbit.period)?;
    let (system, higher) = free(MODEL, &[("e", "0.896")], &[])?;
    let later = run(&system, &higher, 130.0)?;
    // The first turn after a hundred seconds without complete chattering.
    let turns: Vec<f64> = later.events.iter().filter(|e| e.kind == EventKind::Section).map(|e| e.time).collect();
    let within = |window: &[f64], kind: EventKind| {
        later.events.iter().filter(|e| (window[0]..window[1]).contains(&e.time) && e.kind == kind).count()
    };
    let incomplete = |window: &&[f64]| window[0] > 100.0 && within(window, EventKind::Chatter) == 0;
    let turn = turns.windows(2).find(incomplete).ok_or("a turn has no complete chattering")?;
    let impacts = within(turn, EventKind::Impact);

    let line = [1e-12, 1e-2].map(|x: f64| (x, (height + slope * x.ln()).exp()));
    let stick = Panel::new(Axis::new("e* − e").log(), Axis::new("time of sticking").unit("s").log())
        .layer(Layer::line(line).color(Color::GREY).dashed().width(1.2).label(format!("slope {slope:.2}")))
        .layer(Layer::markers(Marker::Circle, sticks).color(Color::BLUE).width(4.0).label("orbit (a) along e"));
    let speeds = |run: &Run, (from, until): (f64, f64), name: &str, color: Color| {
        let impacts = run.events.iter().filter(|event| event.kind == EventKind::Impact);
        let inside = impacts.filter(|event| (from..until).contains(&event.time));
        let points = inside.map(|event| (event.time - from, -event.speed_before));
        Layer::markers(Marker::Circle, points).color(color).width(3.5).label(name)
    };
    let fading = Panel::new(
        Axis::new("time").unit("s").between(0.0, orbit.period),
        Axis::new("impact speed, both").unit("m/s").log(),
    )
    .layer(speeds(&later, (turn[0], turn[1]), "e = 0.896", Color::VERMILLION))
    .layer(speeds(&complete, (0.0, orbit.period), "e = 0.89", Color::BLUE));
    Ok(Figure::new("Sticking after chattering is lost: the double pendulum against a wall")
        .subtitle(format!(
            "d = 0.5 m, T = −31.15 N m; (a) e = 0.89, (c) e = 0.896, {impacts} impacts in this turn; e* = {end:.6}"
        ))
        .size(680.0, 1040.0)
        .panel(history(&complete, (0.0, orbit.period), "(a)  X")?)
        .panel(history(&later, (turn[0], turn[1]), "(c)  X")?)
        .panel(fading)
        .panel(stick))
}

/// q2 at every passage of the section, for every point of a branch, each by a step of shooting from it.
fn passages(system: &System, values: &Values, branch: &Branch, returns: u64) -> Outcome<Vec<(f64, Vec<f64>)>> {
    let turned = |state: &Vec<f64>| (state[1] + PI).rem_euclid(TAU) - PI;
    let of = |point: &BranchPoint| -> Outcome<(f64, Vec<f64>)> {
        let values = values.with_start(&point.state).with_parameters(&point.parameters);
        let orbit = settled(system, &values, returns, 0)?;
        Ok((branch.value(point), orbit.points.iter().map(turned).collect()))
    };
    branch.points.iter().map(of).collect()
}

/// Figs. 9(c) and 9(d): the period-2 orbit as the wall moves away.
pub(crate) fn doubling() -> Outcome<Figure> {
    let set = [("d", "0.5009"), ("e", "0.19"), ("T", "-40")];
    let (system, following) = free(MODEL, &set, &["d"])?;
    let orbit = settled(&system, &following, 2, 40)?;
    let range = (0.5005, 0.5013);
    let settings = branch::Settings { longest_step: 0.02, ..branch::Settings::between(range.0, range.1) };
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?.remove(0);
    let values = following.with_start(&orbit.state);
    let period = history(&run(&system, &values, orbit.period)?, (0.0, orbit.period), "(a)  X")?;
    let axis = || Axis::new("distance d of the wall").unit("m").between(range.0, range.1);
    let passages = passages(&system, &following, &branch, 2)?;
    // Beyond the period doubling an orbit of four turns attracts the motion.
    let behind = [("d", "0.50105"), ("e", "0.19"), ("T", "-40")];
    let (system, following) = free(MODEL, &behind, &["d"])?;
    let start = following.with_start(&orbit.state);
    let four = settled(&system, &start, 4, 800)?;
    let settings = branch::Settings { longest_step: 0.02, ..branch::Settings::between(0.501, 0.50113) };
    let doubled = branch::follow(&system, &following, &four, &settings, &mut |_, _| true)?.remove(0);
    let doublings = |branch: &Branch| -> Vec<f64> {
        let special = branch.special.iter().filter(|special| special.kind == SpecialKind::PeriodDoubling);
        special.map(|special| branch.value(&special.point)).collect()
    };
    let at = [doublings(&branch), doublings(&doubled)].concat();
    let marked = |panel: Panel, at: &[f64]| {
        let line = |d: f64| Layer::vertical(d).color(Color::GREEN).label("period doubling (PD)");
        at.iter().fold(panel, |panel, &d| panel.layer(line(d)))
    };
    let four = self::passages(&system, &following, &doubled, 4)?;
    let (near, other) = ((four[0].1[0] - passages[0].1[0]).abs(), (four[0].1[0] - passages[0].1[1]).abs());
    let offset = usize::from(near > other);
    let at_point = |passages: &[(f64, Vec<f64>)], value: f64, k: usize| {
        let known = passages.iter().find(|(d, _)| *d == value);
        (value, known.map_or(f64::NAN, |(_, all)| all[k]))
    };
    let place = |name: &str, k: usize| {
        let panel = marked(Panel::new(axis(), Axis::new(name).unit("rad")), &at);
        let panel = strands(panel, &branch, |point| at_point(&passages, branch.value(point), k));
        [0, 2].iter().fold(panel, |panel, turn| {
            let k = (k + offset + turn) % 4;
            strands(panel, &doubled, |point| at_point(&four, doubled.value(point), k))
        })
    };
    let mut spectrum =
        marked(Panel::new(axis(), Axis::new("(d)  multipliers λ, two turns").between(-4.0, 1.5)), &doublings(&branch));
    let across = [range.0, range.1].map(|d| (d, -1.0));
    spectrum = spectrum.layer(Layer::line(across).dashed().color(Color::GREY).label("λ = −1"));
    for index in 0..4 {
        spectrum = strands(spectrum, &branch, |point| (branch.value(point), real_part(point, index)));
    }
    let doubling = at.first().copied().unwrap_or(f64::NAN);
    Ok(Figure::new("A period-2 orbit of the double pendulum doubles its period")
        .subtitle(format!(
            "e = 0.19, T = −40 N m; (a) d = 0.5009 m; q₂ at q₁ = π/2, also of the orbit of four turns; PD at d = {doubling:.7} m"
        ))
        .size(680.0, 1040.0)
        .panel(period)
        .panel(place("(c)  q₂, first", 0))
        .panel(place("(c)  q₂, second", 1))
        .panel(spectrum))
}

/// Fig. 10.
pub(crate) fn homoclinic() -> Outcome<Figure> {
    let (system, following) = free(MODEL, &[("e", "0.9"), ("T", "-31.1")], &["T"])?;
    let orbit = settled(&system, &following, 1, 8)?;
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
    // The orbit at a torque, from the nearest point of the branch.
    let orbit_at = |torque: f64| -> Outcome<Orbit> {
        let values = following.with_start(&nearest(torque)?.state).with(branch.parameter, torque)?;
        settled(&system, &values, 1, 0)
    };
    let torques = [-31.09, -31.0017];
    let [first, second] = [orbit_at(torques[0])?, orbit_at(torques[1])?];
    let shown = |orbit: &Orbit, periods: f64, name: &str| -> Outcome<Panel> {
        let values = following.with_start(&orbit.state).with_parameters(&orbit.parameters);
        let until = periods * orbit.period;
        history(&run(&system, &values, until)?, (0.0, until), name)
    };
    let marks = [(torques[0], first.period), (torques[1], second.period)];
    let lawful: Points = (0..=400)
        .map(|k| law.value - 0.13 * 1e-6_f64.powf(f64::from(k) / 400.0))
        .map(|torque| (torque, period(torque)))
        .collect();
    let distances = |points: &[(f64, f64)]| -> Points { points.iter().map(|(t, p)| (law.value - t, *p)).collect() };
    let dots = |points: Points| Layer::markers(Marker::Circle, points).color(Color::BLACK).label("I and II");
    let fitted = |points: Points| Layer::line(points).color(Color::GREY).dashed().width(1.2).label("c − ln(T* − T)/μ");
    let name = || Axis::new("(b)  period").unit("s").between(0.0, 50.0);
    let periods = Panel::new(Axis::new("torque T").unit("N m").between(-31.13, -30.995), name())
        .layer(Layer::vertical(law.value).color(Color::GREEN).label("homoclinic orbit"));
    let periods = strands(periods, &branch, |point| (branch.value(point), point.period))
        .layer(fitted(lawful.clone()))
        .layer(dots(marks.to_vec()));
    let straight = Panel::new(
        Axis::new("T* − T").unit("N m").log().between(0.2, 1e-6),
        Axis::new("period").unit("s").between(0.0, 50.0),
    );
    let straight = strands(straight, &branch, |point| (law.value - branch.value(point), point.period))
        .layer(fitted(distances(&lawful)))
        .layer(dots(distances(&marks)));
    Ok(Figure::new("The period of the double pendulum grows to a homoclinic orbit")
        .subtitle(format!(
            "d = 0.5 m, e = 0.9; (a) point I, T = −31.09; (c) point II, T = −31.0017; T* = {} N m, μ = {:.4} 1/s",
            printed(law.value, 6),
            law.rate
        ))
        .size(720.0, 1040.0)
        .panel(shown(&first, 7.0, "(a)  X")?)
        .panel(periods)
        .panel(straight)
        .panel(shown(&second, 1.7, "(c)  X")?))
}
