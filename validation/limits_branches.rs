//! Branches through chattering, persistent contact and friction: independent of the origin of the phase, with boundaries against closed forms, other
//! signatures and motions on both sides.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::assert_close;
use crate::common::case::Case;
use saltation_model::{Model, Overrides};
use saltation_motion::{EventKind, Motion, Settings, System};
use saltation_orbit as orbit;
use saltation_orbit::branch::{self, Branch, Ended, SpecialKind, Vanishing};
use saltation_orbit::curve;

/// Chattering that ends where the phase wraps ended the branch at 0.0894686.
#[test]
fn chattering_ends_at_every_phase() {
    Case::of("chatter-across-phase", "z", (0.06, 0.42)).alike(&[], ["range", "range"]);
    let set: &[(&str, &str)] = &[("r", "0.4"), ("omega", "0.5"), ("sigma", "0.3")];
    let case = Case { set, start: &[("x", "-1")], settle: 50, ..Case::of("budd-dux", "omega", (0.3, 0.8)) };
    // There the first impact and the sequence behind it lose their speeds together: the contact lands smoothly.
    for later in 0..6 {
        let (_, branch) = case.branch(later);
        assert_eq!(branch.ended[0], Ended::Border { kind: SpecialKind::ChatterLoss }, "{later}");
        assert_close(branch.value(&branch.points[0]), 0.387994156068468, 1e-11);
        assert_eq!(branch.special.last().unwrap().kind, SpecialKind::StickLoss);
    }
}

/// The section anywhere in a sequence of chattering, up to the part of it that is completed: the same orbit, with as many impacts as it takes to complete it.
#[test]
fn a_section_late_in_a_sequence_changes_nothing() {
    let case = Case::of("chatter-across-phase", "z", (0.06, 0.42));
    let orbit_of = |later: f64| {
        let text = case.text().replace("cos(phi)", &format!("cos(phi + {later:?})"));
        let model = Model::parse(&text, case.name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let system = System::new(&model);
        let settings = orbit::Settings { settle: 400, ..orbit::Settings::through(system.default_section().unwrap()) };
        let search = orbit::find(&system, &case.following(&model), &settings, &mut |_| true);
        let orbit = search.orbit.unwrap_or_else(|| panic!("later by {later}: {:?}", search.ended));
        assert_eq!(search.ended, orbit::Ended::Converged, "later by {later}");
        orbit
    };
    let known = orbit_of(0.0);
    let first = known.events.iter().find(|event| event.kind == EventKind::Impact).unwrap().time;
    let last = known.events.iter().find(|event| event.kind == EventKind::Chatter).unwrap().end();
    let rate = std::f64::consts::TAU / known.period;
    for halvings in [0, 1, 2, 4, 6, 8, 9, 10, 11, 12, 14, 17, 20, 25, 29, 33, 40] {
        let orbit = orbit_of(rate * (last - (last - first) * 0.5_f64.powi(halvings)));
        let impacts = orbit.events.iter().filter(|event| event.kind == EventKind::Impact).count();
        assert!(orbit.residual < 1e-11 && orbit.stable && impacts < 60, "{halvings}: {} {impacts}", orbit.residual);
        assert_eq!(orbit.signature.len(), known.signature.len(), "{halvings}: {:?}", orbit.signature);
        assert_close(orbit.period, known.period, 1e-12);
        assert!(orbit.multipliers.iter().all(|m| m.norm() == 0.0), "{halvings}: {:?}", orbit.multipliers);
    }
}

/// Periods of forced orbits are whole periods of the forcing: sticks were too long by whole turns.
#[test]
fn forced_orbits_take_whole_periods_of_the_forcing() {
    let four = Case { returns: 4, settle: 300, ..Case::of("table-of-four", "om", (2.0, 2.3)) };
    let eight = Case { returns: 8, ..Case::of("table-of-eight", "om", (1.01065, 2.25289)) };
    let three = Case { returns: 3, settle: 300, ..Case::of("table-of-three", "om", (1.0, 3.0)) };
    for case in [four, eight, three] {
        let (orbit, branch) = case.branch(0);
        assert!(branch.points.len() > 20);
        for point in &branch.points {
            let turns = point.period * branch.value(point) / std::f64::consts::TAU;
            assert_close(turns, orbit.returns as f64, 1e-9);
        }
    }
}

/// A contact after chattering is lost where the impacts accumulate at a force of zero: to rounding, from every phase.
#[test]
fn the_loss_of_a_stick_is_the_same_at_every_phase() {
    let lost = |value: f64| (SpecialKind::StickLoss, value, true);
    Case::of("stick-after-chatter", "r", (0.4, 0.6)).alike(&[lost(0.5342778723253)], ["range", "stick_loss"]);
    let three = Case { returns: 3, settle: 300, ..Case::of("table-of-three", "A", (1.0, 1.5)) };
    three.alike(&[lost(1.2624040168302), lost(1.3706022628891)], ["stick_loss", "stick_loss"]);
}

/// Motions a little before and behind the loss: contact that lasts, of a length that falls like the power 0.6 of the distance, and none.
#[test]
fn motions_lose_the_stick_where_the_branch_does() {
    let case = Case::of("stick-after-chatter", "r", (0.4, 0.6));
    let model = case.model(0);
    let system = System::new(&model);
    let lasting = |r: f64| {
        let set = vec![("r".to_string(), format!("{r:e}"))];
        let values = model.values(&Overrides { set, start: vec![] }).unwrap();
        let period = std::f64::consts::TAU / 2.6378;
        let run = Motion::new(&system, &values, Settings { until: 420.0 * period, ..Settings::default() });
        let run = run.unwrap().run(false, |_| true);
        let late = |kind: EventKind| {
            run.events.iter().filter(|e| e.kind == kind && e.time > 400.0 * period).map(|e| e.time).next_back()
        };
        late(EventKind::Stick).and_then(|stick| Some((late(EventKind::Release)? - stick).rem_euclid(period)))
    };
    let lost = 0.5342778723253;
    let (near, nearer) = (lasting(lost - 1e-7).unwrap(), lasting(lost - 1e-9).unwrap());
    assert!(nearer > 0.0 && nearer < near && near < 1e-2, "{near} {nearer}");
    // ln(1 - tau) / ln(dw'/dw) for this restitution, between the 0.600 and 0.603 of restitutions 0.9 and 0.5; a log-periodic part remains.
    assert_close((near / nearer).log10() / 2.0, 0.6027, 0.02);
    assert_eq!(lasting(lost + 1e-7), None);
}

/// Nordmark & Piiroinen, Sect. 6.1, to all digits of reference page chattering.md.
#[test]
fn the_double_pendulum_loses_its_stick_to_rounding() {
    let (system, following) = crate::common::free("double-pendulum", &[], &["e"]);
    let orbit = crate::common::settled(&system, &following, 1, 0);
    let settings = branch::Settings::between(0.88, 0.95);
    let branch = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap().swap_remove(0);
    assert_eq!(branch.ended[1], Ended::Border { kind: SpecialKind::StickLoss });
    assert_close(branch.value(&branch.special[0].point), 0.8944636346689, 1e-12);
}

/// The force of contact on a table A cos(omega t) just vanishes where A omega sqrt(omega^2 + z^2) = g, that on a wall at d where A = -d.
#[test]
fn flights_vanish_where_the_force_just_does() {
    let vanishes = |value: f64| (SpecialKind::Boundary, value, true);
    let (g, a, z): (f64, f64, f64) = (0.8459, 0.5257, 0.05);
    let square = -0.5 * z * z + (0.25 * z.powi(4) + (g / a).powi(2)).sqrt();
    let table = Case { settle: 300, ..Case::of("table-flight-vanishes", "om", (1.25, 1.88)) };
    table.alike(&[vanishes(square.sqrt())], ["boundary", "range"]);
    Case::of("wall-flight-vanishes", "d", (-0.78, -0.3)).alike(&[vanishes(-0.7788)], ["boundary", "range"]);
    let (_, branch) = table.branch(0);
    assert_eq!(branch.ended[0], Ended::Vanished { what: Vanishing::Flight });
    assert!(branch.ended[0].describe().contains("the flight vanishes"));
}

/// Without restitution: the flight after the first impact vanishes. The values solve A cos(phi) = d + c d^3 at the landing of a Taylor integration of the
/// one flight that begins where the same equation releases the body.
#[test]
fn a_second_impact_vanishes() {
    let special = [(SpecialKind::Boundary, 0.4500364858258288, true), (SpecialKind::Boundary, 0.668219906618366, true)];
    Case::of("plastic-second-impact", "om", (0.356781, 0.894853)).alike(&special, ["boundary", "boundary"]);
}

/// A block on a belt turns before it stops; where it stops at once was 4e-6 off at some phases.
#[test]
fn a_reversal_vanishes() {
    let special = [(SpecialKind::Boundary, 0.3725114273902, true), (SpecialKind::Boundary, 0.5748630379474, true)];
    Case::of("belt-turns-and-stops", "mu", (0.30077, 0.7)).alike(&special, ["range", "boundary"]);
}

/// A graze from inside the wall is no orbit.
#[test]
fn a_graze_from_inside_is_not_admissible() {
    let special = [
        (SpecialKind::PeriodDoubling, -0.108613137472847, false),
        (SpecialKind::Graze, -0.116499464067606, false),
        (SpecialKind::Fold, -0.122446804381294, false),
        (SpecialKind::Graze, -0.0992032483145237, true),
    ];
    Case::of("graze-from-inside", "d", (-0.125786, 0.0135106)).alike(&special, ["range", "range"]);
}

/// The forced oscillator with dry friction: switching-sliding (the edge of the cone is reached where the stop begins), adding-sliding (a second stop comes
/// in, or goes) and a slip that just stops, each from both sides.
#[test]
fn borders_of_friction_are_the_same_from_both_sides() {
    let at = |om: &'static str, force: &'static str| -> &'static [(&'static str, &'static str)] {
        Box::leak(Box::new([("om", om), ("F", force)]))
    };
    let borders = |om: &'static str, force: &'static str| {
        let case = Case { set: at(om, force), settle: 100, ..Case::of("forced-stops", "F", (0.1, 0.6)) };
        let (_, branch) = case.branch(0);
        let boundary = branch.special.iter().filter(|s| s.kind == SpecialKind::Boundary && s.point.admissible);
        boundary.map(|s| branch.value(&s.point)).collect::<Vec<f64>>()
    };
    for (om, force, known) in [
        ("0.35", "0.2", 0.12438552616875),
        ("0.35", "0.45", 0.12438552616875),
        ("0.35", "0.11", 0.12438552616875),
        ("0.22", "0.45", 0.3550001294883),
        ("0.22", "0.3", 0.3550001294883),
        ("0.22", "0.3", 0.2728735652844),
        ("0.22", "0.15", 0.2728735652844),
    ] {
        let found = borders(om, force);
        let near = found.iter().any(|value| (value - known).abs() < 1e-12);
        assert!(near, "om = {om}, from F = {force}: {found:?}");
    }
}

/// Curves of borders go through the borders of branches at other parameters.
#[test]
fn curves_of_borders_meet_those_of_branches() {
    for (case, along, value, set) in [
        (Case::of("stick-after-chatter", "r", (0.4, 0.6)), "om", 2.5, ("om", "2.5")),
        (
            Case { set: &[("om", "0.22"), ("F", "0.45")], settle: 100, ..Case::of("forced-stops", "F", (0.1, 0.7)) },
            "om",
            0.25,
            ("om", "0.25"),
        ),
    ] {
        let model = case.model(0);
        let system = System::new(&model);
        let (orbit, branch) = case.branch(0);
        let special = branch.special.iter().find(|s| s.point.admissible).unwrap();
        let pairs =
            |list: &[(&str, &str)]| list.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect::<Vec<_>>();
        let mut set_there = pairs(case.set);
        set_there.retain(|(name, _)| name != case.along);
        set_there.push((case.along.to_string(), format!("{:e}", branch.value(&special.point))));
        let there = model.numbers_with(&Overrides { set: set_there, start: vec![] }).unwrap();
        let following = there.found_at(&orbit.state).unwrap().along(&[case.along, along]).unwrap();
        let origin = curve::Origin {
            kind: special.kind,
            signature: branch.signature.clone(),
            unknowns: special.point.unknowns.clone(),
            sizes: branch.sizes.clone(),
            place: special.place.clone(),
            section: orbit.section,
            phase: 0.0,
            state: special.point.state.clone(),
        };
        let from = following.free_values()[1];
        let settings = curve::Settings::between(from.min(value), from.max(value));
        let found = curve::follow(&system, &following, &origin, &settings, &mut |_, _| true).unwrap();
        let end =
            found.points.iter().find(|point| (point.parameters[model.parameter(along).unwrap()] - value).abs() < 1e-12);
        let there = end.unwrap().parameters[model.parameter(case.along).unwrap()];
        let other: &'static [(&str, &str)] = Box::leak(Box::new([set, ("F", "0.45")]));
        let other = if case.name == "forced-stops" { other } else { &other[..1] };
        let (_, branch) = Case { set: other, ..case }.branch(0);
        let direct = branch.special.iter().map(|s| branch.value(&s.point));
        let nearest = direct.min_by(|a, b| (a - there).abs().total_cmp(&(b - there).abs())).unwrap();
        assert_close(nearest, there, 1e-11);
    }
}

/// From border to border: each branch begins where the one before ends, and all of the range is covered by admissible orbits.
#[test]
fn borders_lead_on_to_other_orbits() {
    let chain = |case: &Case| {
        let model = case.model(0);
        let system = System::new(&model);
        let following = case.following(&model);
        let (orbit, _) = case.branch(0);
        let settings = branch::Settings { switch: true, ..branch::Settings::between(case.range.0, case.range.1) };
        let mut branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap();
        let admissible = |branch: &Branch| {
            let values = branch.points.iter().filter(|p| p.admissible).map(|p| branch.value(p));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let extents: Vec<(f64, f64)> = branches.iter().map(admissible).collect();
        (extents, branches.iter_mut().map(|branch| branch.signature.nodes.len()).collect::<Vec<usize>>())
    };
    // Two stops in a period, four, and two again; a slip that comes in begins a little off the border.
    let stops =
        Case { set: &[("om", "0.22"), ("F", "0.45")], settle: 100, ..Case::of("forced-stops", "F", (0.1, 0.6)) };
    let (extents, nodes) = chain(&stops);
    assert_eq!(nodes, [4, 8, 4]);
    for (found, known) in extents.iter().zip([(0.3550001294883, 0.6), (0.2728735652844, 0.355), (0.1, 0.2728735652844)])
    {
        assert_close(found.0, known.0, 1e-12);
        assert_close(found.1, known.1, 1e-3);
    }
    // The flight of a table ends in contact that lasts; a second impact goes and comes.
    let table = Case { settle: 300, ..Case::of("table-flight-vanishes", "om", (1.25, 1.88)) };
    let (extents, nodes) = chain(&table);
    assert_eq!(nodes, [2, 1]);
    assert_close(extents[1].0, 1.25, 0.0);
    assert_close(extents[1].1, extents[0].0, 1e-12);
    let (extents, _) = chain(&Case::of("plastic-second-impact", "om", (0.356781, 0.894853)));
    assert_eq!(extents.len(), 3);
    assert_close(extents[1].1, extents[0].0, 1e-12);
    assert_close(extents[2].0, extents[0].1, 1e-12);
}

/// Two impacts become one with speed and time zero. Impacts that follow at once solve the equations there whatever the orbit, so that another curve crosses;
/// it was a branch point at some phases, a boundary 1e-8 beside it at others.
#[test]
fn impacts_coalesce_at_one_place() {
    let case = Case { returns: 2, settle: 326, ..Case::of("impacts-coalesce", "d", (-0.187197, -0.0127)) };
    let special = [
        (SpecialKind::Graze, -0.11105524607655862, false),
        (SpecialKind::PeriodDoubling, -0.12067098573376805, false),
        (SpecialKind::Fold, -0.12584039395470062, false),
        (SpecialKind::Boundary, -0.08939535211229915, false),
        (SpecialKind::PeriodDoubling, -0.050586297058012424, false),
        (SpecialKind::Graze, -0.019457683402449237, true),
    ];
    case.alike(&special, ["range", "range"]);
}

/// From some phases the border nearest to the last points was not found, from others points behind it were kept.
#[test]
fn a_stick_is_lost_at_both_ends() {
    let case = Case { returns: 6, settle: 384, ..Case::of("stick-lost-at-both-ends", "A", (1.20243, 1.94307)) };
    let special = [(SpecialKind::StickLoss, 1.5246806604266, true), (SpecialKind::StickLoss, 1.5255848689444778, true)];
    case.alike(&special, ["stick_loss", "stick_loss"]);
}

/// Behind a graze the contact lands ever more smoothly, until nothing is left of its impacts.
#[test]
fn impacts_vanish_in_a_smooth_landing() {
    let case = Case { returns: 3, settle: 394, ..Case::of("smooth-landing", "om", (0.9225, 1.19529)) };
    let special =
        [(SpecialKind::Graze, 1.0458864713636253, true), (SpecialKind::ChatterLoss, 1.0501807345769116, false)];
    case.alike(&special, ["range", "chatter_loss"]);
}

/// All impacts of one touch vanish at once with the flights between them: their borders were located one by one, to 1e-9, and named by chance.
#[test]
fn impacts_shrink_to_a_touch() {
    let case = Case { settle: 367, ..Case::of("impacts-shrink-to-a-touch", "g", (0.471, 0.593377)) };
    // The oscillator without impacts touches the table from inside where its mean is its amplitude.
    let touch = 0.3 * 1.3 / (0.7_f64.powi(2) + 0.1_f64.powi(2)).sqrt();
    let special = [
        (SpecialKind::Graze, 0.47243539466445816, true),
        (SpecialKind::PeriodDoubling, 0.5225682739065974, false),
        (SpecialKind::Boundary, touch, false),
    ];
    case.alike(&special, ["range", "range"]);
}

/// Flights between impacts without restitution vanish where they begin without acceleration: two borders were reported, to 1e-9.
#[test]
fn plastic_flights_vanish() {
    let case = Case { returns: 2, settle: 333, ..Case::of("plastic-flights-vanish", "k", (0.924675, 1.62191)) };
    let special = [
        (SpecialKind::PeriodDoubling, 1.5955713877533166, false),
        (SpecialKind::Boundary, 1.5940748871109194, false),
        (SpecialKind::PeriodDoubling, 1.591506536818571, false),
        (SpecialKind::Graze, 1.200941625594627, false),
        (SpecialKind::Fold, 1.0461658649582555, false),
        (SpecialKind::Boundary, 1.05528749136865, true),
        (SpecialKind::BranchPoint, 1.230872160640515, true),
        (SpecialKind::Boundary, 1.0552874913686496, true),
        (SpecialKind::Fold, 1.0461658649582557, false),
        (SpecialKind::Graze, 1.2009416255946261, false),
        (SpecialKind::PeriodDoubling, 1.5915065368185712, false),
        (SpecialKind::Boundary, 1.5940748871109196, false),
        (SpecialKind::PeriodDoubling, 1.5955713877533173, false),
    ];
    case.alike(&special, ["range", "range"]);
}

/// Both folds beside a point where the mirror image's branch crosses lie within one step: from some phases one was missed.
#[test]
fn folds_beside_a_crossing_are_found() {
    let case = Case { returns: 4, settle: 398, ..Case::of("folds-beside-a-crossing", "r", (0.551727, 0.97)) };
    let special = [
        (SpecialKind::BranchPoint, 0.8347936878661125, true),
        (SpecialKind::Graze, 0.7263375556788455, true),
        (SpecialKind::PeriodDoubling, 0.6836867569505004, false),
        (SpecialKind::Graze, 0.6760890658015021, false),
        (SpecialKind::Fold, 0.6755004444192826, false),
        (SpecialKind::PeriodDoubling, 0.6907171326186785, false),
        (SpecialKind::Graze, 0.7685591117672271, false),
        (SpecialKind::Graze, 0.8737448589424375, true),
        (SpecialKind::Fold, 0.9544902716378695, true),
        (SpecialKind::BranchPoint, 0.9544832535547019, true),
        (SpecialKind::Fold, 0.9544902716378248, true),
        (SpecialKind::Graze, 0.8737448589424367, true),
        (SpecialKind::Graze, 0.7685591117672267, false),
        (SpecialKind::PeriodDoubling, 0.690717132618679, false),
        (SpecialKind::Fold, 0.6755004444192817, false),
        (SpecialKind::Graze, 0.6760890658015024, false),
        (SpecialKind::PeriodDoubling, 0.6836867569505013, false),
        (SpecialKind::Graze, 0.7263375556788446, true),
    ];
    case.alike(&special, ["closed", "closed"]);
}

/// Behind the loss of a stick a zero of a determinant was sought too far from the curve, and an orbit that is none was called admissible.
#[test]
fn nothing_is_admissible_behind_a_loss() {
    let case =
        Case { returns: 5, settle: 400, ..Case::of("sequence-lost-beside-virtual-orbits", "r", (0.327115, 0.579198)) };
    let special = [
        (SpecialKind::ChatterLoss, 0.447933225546601),
        (SpecialKind::Graze, 0.4489705932422978),
        (SpecialKind::StickLoss, 0.4635064623091433),
    ];
    for later in 0..3 {
        let (_, branch) = case.branch(later);
        assert_eq!(branch.special.len(), special.len(), "{later}");
        for (found, (kind, value)) in branch.special.iter().zip(special) {
            assert_eq!(found.kind, kind, "{later}");
            assert_close(branch.value(&found.point), value, 1e-11);
        }
        let behind = |point: &&branch::BranchPoint| point.admissible && branch.value(point) > special[2].1 + 1e-12;
        assert_eq!(branch.points.iter().find(behind), None, "{later}");
    }
}

/// Slips that begin by a reversal and vanish where a body stops at the edge of its cone: their border lay too far from the last point, was refused as another
/// orbit, and a branch point of the singular equations took its place, admissible at one of six origins.
#[test]
fn a_slip_after_a_reversal_vanishes() {
    let case = Case { settle: 308, ..Case::of("reversed-slip-vanishes", "z", (0.123, 0.156059)) };
    let border = 0.12451001273144573;
    case.alike(&[(SpecialKind::Boundary, border, true)], ["range", "boundary"]);
    // Motions lose the reversal there, too: before, a body slips out of its stick and, reversed, into it; behind, it stops at once.
    let model = case.model(0);
    let system = System::new(&model);
    let slips = |z: f64| {
        let set = vec![("z".to_string(), format!("{z:e}"))];
        let values = model.values(&Overrides { set, start: vec![] }).unwrap();
        let period = std::f64::consts::TAU / 0.7355;
        let run = Motion::new(&system, &values, Settings { until: 310.0 * period, ..Settings::default() });
        let run = run.unwrap().run(false, |_| true);
        run.events.iter().filter(|e| e.kind == EventKind::Slip && e.time > 300.0 * period).count()
    };
    assert_eq!((slips(border - 1e-6), slips(border + 1e-6)), (20, 10));
}

/// Whether a flight of 1e-6 after an impact without restitution is a motion is decided by rounding, however far its border is away in the parameter.
#[test]
fn a_short_plastic_flight_has_one_border() {
    let case = Case { settle: 395, ..Case::of("short-plastic-flight", "k", (1.828, 2.31672)) };
    case.alike(&[(SpecialKind::Boundary, 2.3119968876121564, true)], ["range", "boundary"]);
}

/// What lies between the first point of a closed branch and the end of its last step was reported twice, from some origins.
#[test]
fn a_closed_branch_ends_at_its_first_point() {
    let case = Case { returns: 8, settle: 338, ..Case::of("branch-closes-beside-a-graze", "r", (0.12443, 0.541165)) };
    let special = [
        (SpecialKind::Graze, 0.2938142025708274, true),
        (SpecialKind::PeriodDoubling, 0.29381883332390885, false),
        (SpecialKind::Graze, 0.3115106020955222, true),
        (SpecialKind::PeriodDoubling, 0.3117480219311801, true),
        (SpecialKind::Fold, 0.3117538066202982, true),
        (SpecialKind::Graze, 0.3113832158777444, true),
        (SpecialKind::Graze, 0.29378059740205265, true),
        (SpecialKind::Fold, 0.29374089920619556, true),
    ];
    case.alike(&special, ["closed", "closed"]);
    let (_, branch) = case.branch(0);
    let [first, .., last] = &branch.points[..] else { panic!("a closed branch has points") };
    assert_eq!(first.state, last.state);
}

/// A body on a surface at rest that slips in one direction only cannot return. Where its slip is shorter than an orbit may miss itself by, such a motion was
/// reported as a stable orbit.
#[test]
fn a_slip_of_rounding_is_no_orbit() {
    for (start, settle) in [("0.32400000581125554", 0), ("0.3", 300)] {
        let case = Case { start: &[("u", "0")], ..Case::of("slip-of-rounding", "mu", (0.8, 1.2)) };
        for later in 0..6 {
            let model = case.model(later);
            let system = System::new(&model);
            let settings = Overrides { set: vec![], start: vec![("x".into(), start.into()), ("u".into(), "0".into())] };
            let values = model.values(&settings).unwrap();
            let settings = orbit::Settings { settle, ..orbit::Settings::through(system.default_section().unwrap()) };
            let search = orbit::find(&system, &values, &settings, &mut |_| true);
            let stable = search.orbit.as_ref().is_some_and(|orbit| orbit.stable);
            assert!(!stable, "{start} {later}: {:?}", search.orbit.map(|orbit| orbit.multipliers));
        }
    }
}

/// A step passed the border at which a second stop is added and the one at which the slip vanishes: the latter was called admissible, as the point before both.
#[test]
fn a_border_behind_a_border_has_its_own_verdict() {
    let case = Case { settle: 300, ..Case::of("stop-added-before-a-border", "k", (1.6, 2.33536)) };
    let special = [
        (SpecialKind::Boundary, 1.6589361979360189, true),
        (SpecialKind::Boundary, 1.690986182181359, true),
        (SpecialKind::Boundary, 1.6959023678011984, false),
    ];
    case.alike(&special, ["range", "boundary"]);
    // The motion from the state at the last border does not return to it.
    let (_, branch) = case.branch(4);
    let model = case.model(4);
    let system = System::new(&model);
    let misses = |point: &branch::BranchPoint| {
        let set = vec![("k".to_string(), format!("{:e}", branch.value(point)))];
        let names = system.state_names().iter().zip(&point.state);
        let start = names.map(|(name, x)| (name.clone(), format!("{x:e}"))).collect();
        let values = model.values(&Overrides { set, start }).unwrap();
        let run = Motion::new(&system, &values, Settings { until: point.period, ..Settings::default() });
        (run.unwrap().run(false, |_| true).state[0] - point.state[0]).abs()
    };
    for point in branch.points.iter().filter(|point| point.admissible) {
        assert!(misses(point) < 1e-9, "{} {}", branch.value(point), misses(point));
    }
    assert!(misses(&branch.special[2].point) > 1e-5);
}
