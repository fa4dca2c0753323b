//! Ghosh & Simpson, The VIVID function: orbits with two loops and one impact near their graze.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_model::Values;
use saltation_motion::System;
use saltation_orbit::Orbit;
use saltation_orbit::branch::{self, Branch, BranchPoint, Place, Special, SpecialKind};
use saltation_orbit::curve::{self, Origin, SpecialCurve};

use crate::strands::{GAP, real_part, strands};
use crate::{Outcome, free, settled};

const MODEL: &str = "impact-oscillator";

/// The orbit of two loops along A.
struct TwoLoops {
    system: System,
    both: Values,
    orbit: Orbit,
    branch: Branch,
}

impl TwoLoops {
    fn new(omega: &str, amplitude: &str, range: (f64, f64)) -> Outcome<TwoLoops> {
        let set = [("omega", omega), ("A", amplitude)];
        let (system, following) = free(MODEL, &set, &["A"])?;
        let orbit = settled(&system, &following, 2, 800)?;
        let settings = branch::Settings { longest_step: 0.001, ..branch::Settings::between(range.0, range.1) };
        let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?.remove(0);
        let (_, both) = free(MODEL, &set, &["A", "omega"])?;
        Ok(TwoLoops { system, both, orbit, branch })
    }

    fn special(&self, wanted: impl Fn(&Special) -> bool) -> Outcome<&Special> {
        Ok(self.branch.special.iter().find(|special| wanted(special)).ok_or("the branch has this special point")?)
    }

    /// The curve through a special point in the plane of A and omega.
    fn curve(&self, special: &Special, range: (f64, f64)) -> Outcome<SpecialCurve> {
        let origin = Origin::of(&self.branch, special, &self.orbit);
        let settings =
            curve::Settings { longest_step: 0.02, points: 6000, ..curve::Settings::between(range.0, range.1) };
        Ok(curve::follow(&self.system, &self.both, &origin, &settings, &mut |_, _| true)?)
    }
}

/// Impact speed and multipliers along A.
fn along(omega: &str, amplitude: &str, range: (f64, f64), multipliers: (f64, f64)) -> Outcome<Figure> {
    let TwoLoops { branch, .. } = TwoLoops::new(omega, amplitude, range)?;
    let graze = |special: &&Special| special.kind == SpecialKind::Graze && matches!(special.place, Place::Node { .. });
    let graze = branch.special.iter().find(graze).ok_or("the branch grazes")?;
    let grazing = branch.value(&graze.point);
    let axis = || Axis::new("amplitude A of the forcing").between(range.0, range.1);
    let green = || Layer::vertical(grazing).color(Color::GREEN).width(1.6).label("graze without impacts");
    let speed = |point: &BranchPoint| (branch.value(point), -point.impact_speeds[0]);
    let mut speeds = strands(Panel::new(axis(), Axis::new("impact speed y")).layer(green()), &branch, speed);
    let mut spectrum = Panel::new(axis(), Axis::new("multipliers λ₁, λ₂").between(multipliers.0, multipliers.1));
    spectrum = spectrum.layer(Layer::horizontal(1.0)).layer(Layer::horizontal(-1.0)).layer(green());
    for index in [0, 1] {
        // At the graze one multiplier goes through infinity.
        let part = |point: &BranchPoint| if *point == graze.point { f64::NAN } else { real_part(point, index) };
        spectrum = strands(spectrum, &branch, |point| (branch.value(point), part(point)));
    }
    let kinds = [
        (SpecialKind::PeriodDoubling, "period doubling", Marker::Square),
        (SpecialKind::Fold, "saddle-node", Marker::Circle),
    ];
    for (kind, name, marker) in kinds {
        let found = || branch.special.iter().filter(move |special| special.kind == kind && special.point.admissible);
        let critical = if kind == SpecialKind::Fold { 1.0 } else { -1.0 };
        let mark = |points: Points| Layer::markers(marker, points).color(Color::BLACK).width(7.0);
        if found().next().is_some() {
            speeds = speeds.layer(mark(found().map(|special| speed(&special.point)).collect()).label(name));
            let at = found().map(|special| (branch.value(&special.point), critical)).collect();
            spectrum = spectrum.layer(mark(at).label(name));
        }
    }
    Ok(Figure::stacked("Two-loop orbit with one impact through its graze", vec![speeds, spectrum])
        .subtitle(format!("impact oscillator, ω = {omega}, ζ = 0.02, ε = 0.9; of complex multipliers the real part"))
        .size(640.0, 600.0))
}

/// Fig. 3(a).
pub(crate) fn doubling() -> Outcome<Figure> {
    along("0.81", "0.35", (0.343, 0.352), (-4.0, 3.0))
}

/// Fig. 3(b).
pub(crate) fn folding() -> Outcome<Figure> {
    along("0.799", "0.3642", (0.3625, 0.3645), (-4.0, 6.0))
}

/// (omega, A) along a curve: its admissible points, and the others.
fn parts(curve: &SpecialCurve) -> [Points; 2] {
    let place = |k: usize| {
        let point = &curve.points[k];
        (point.parameters[curve.parameters[1]], point.parameters[curve.parameters[0]])
    };
    let special: Vec<usize> = curve.special.iter().map(|special| special.index).collect();
    let step = |k: usize| curve.points[if special.contains(&k) { k + 1 } else { k }].admissible;
    [true, false].map(|admissible| {
        let steps = 0..curve.points.len().saturating_sub(1);
        steps.flat_map(|k| if step(k) == admissible { [place(k), place(k + 1)] } else { [GAP, GAP] }).collect()
    })
}

/// Fig. 4.
pub(crate) fn plane() -> Outcome<Figure> {
    let range = (0.78, 1.005);
    let right = TwoLoops::new("0.81", "0.35", (0.34, 0.36))?;
    let left = TwoLoops::new("0.799", "0.366", (0.355, 0.367))?;
    let high = TwoLoops::new("0.80", "0.37", (0.36, 0.40))?;
    let is = |kind: SpecialKind| move |special: &Special| special.kind == kind && special.point.admissible;
    let grazes = right.curve(right.special(is(SpecialKind::Graze))?, range)?;
    let doublings = right.curve(right.special(is(SpecialKind::PeriodDoubling))?, range)?;
    let folds = left.curve(left.special(is(SpecialKind::Fold))?, range)?;
    let secondary = high.special(|special| matches!(special.place, Place::Between { .. }))?;
    let seconds = high.curve(secondary, range)?;

    let second = |special: &&curve::CurveSpecial| special.kind == SpecialKind::Graze && special.point.admissible;
    let end = folds.special.iter().find(second).ok_or("the folds end in a graze")?;
    let place = |curve: &SpecialCurve, point: &curve::CurvePoint| {
        (point.parameters[curve.parameters[1]], point.parameters[curve.parameters[0]])
    };
    let end = place(&folds, &end.point);
    // Every other curve touches the grazing curve at the resonances.
    let resonances: Points = grazes.special.iter().map(|special| place(&grazes, &special.point)).collect();
    let (zeta, near) = (0.02, (0.786, 0.804));
    let grazing = |omega: f64| ((1.0 - omega * omega).powi(2) + (2.0 * zeta * omega).powi(2)).sqrt();
    let draw = |mut panel: Panel, height: &dyn Fn((f64, f64)) -> (f64, f64)| {
        let curves = [
            (&grazes, Color::GREEN, "graze without impacts"),
            (&doublings, Color::VERMILLION, "period doubling"),
            (&folds, Color::BLUE, "saddle-node"),
            (&seconds, Color::PURPLE, "other loop grazes"),
        ];
        for (curve, color, name) in curves {
            let [own, outside] = parts(curve).map(|line| line.into_iter().map(height));
            panel = panel.layer(Layer::line(own).color(color).width(1.8).label(name));
            if !std::ptr::eq(curve, &grazes) {
                panel = panel.layer(Layer::line(outside).color(color).width(1.0).dashed());
            }
        }
        let mark = |marker, at: &[(f64, f64)]| {
            Layer::markers(marker, at.iter().map(|&at| height(at)).collect::<Points>()).color(Color::BLACK)
        };
        panel
            .layer(mark(Marker::Circle, &resonances).label("resonance"))
            .layer(mark(Marker::Square, &[end]).width(5.0).label("end of the saddle-nodes"))
    };
    let (low, high) = (0.346, 0.392);
    let frame = [(near.0, low), (near.1, low), (near.1, high), (near.0, high), (near.0, low)];
    let omega = || Axis::new("frequency ω of the forcing");
    let whole = Panel::new(omega().between(range.0, range.1), Axis::new("(a)  amplitude A").between(0.0, 0.55));
    let whole = draw(whole.layer(Layer::line(frame).color(Color::GREY).width(1.0).dashed()), &|at| at);
    let closer = Panel::new(omega().between(near.0, near.1), Axis::new("(b)  amplitude A").between(low, high));
    let above =
        Panel::new(omega().between(near.0, near.1), Axis::new("(b)  A − A of the graze").between(-0.004, 0.004));
    Ok(Figure::new("Two-loop orbit of the impact oscillator in the plane of two parameters")
        .subtitle("ζ = 0.02, ε = 0.9; dashed: virtual, no motions of the system; the frame in (a) is shown in (b)")
        .size(680.0, 1000.0)
        .panel(whole)
        .panel(draw(closer, &|at| at))
        .panel(draw(above, &|(omega, amplitude)| (omega, amplitude - grazing(omega)))))
}
