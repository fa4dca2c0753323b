//! Sliding bifurcations: grazing-sliding against an obstacle in velocity space, and symmetric orbits with stops, read from one half.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::assert_close;
use saltation_model::{Model, Overrides, Values};
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, Sliding, SpecialKind};
use saltation_orbit::{self as orbit, Orbit};

fn text(name: &str) -> String {
    let path = format!("{}/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A branch that is asked for: the parameters, the parameter it is followed in and how far, and the returns of its orbits.
struct Asked<'t> {
    text: &'t str,
    set: &'t [(&'t str, f64)],
    along: &'t str,
    range: (f64, f64),
    returns: u64,
    settle: u64,
}

impl Asked<'_> {
    fn following(&self, model: &Model) -> Values {
        let set = self.set.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
        model
            .values(&Overrides { set, start: vec![] })
            .and_then(|values| values.along(&[self.along]))
            .expect("settings are right")
    }

    /// The attracting orbit, or one near it, with its branch and those that bifurcate from it.
    fn branches(&self) -> (Orbit, Vec<Branch>) {
        let model = Model::parse(self.text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let system = System::new(&model);
        let following = self.following(&model);
        let section = orbit::Settings::through(system.default_section().expect("the model has a section"));
        let settings = orbit::Settings { returns: self.returns, settle: self.settle, ..section };
        let search = orbit::find(&system, &following, &settings, &mut |_| true);
        let orbit = search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended));
        let settings = branch::Settings { switch: true, ..branch::Settings::between(self.range.0, self.range.1) };
        let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).expect("it begins");
        (orbit, branches)
    }
}

/// The values at which something special happens to motions.
fn admissible(branch: &Branch, kind: SpecialKind) -> Vec<f64> {
    let own = branch.special.iter().filter(|one| one.kind == kind && one.point.admissible);
    own.map(|one| branch.value(&one.point)).collect()
}

/// A mass on a belt that slips for ever, until its speed just reaches that of the belt: grazing-sliding of Popp's oscillator at nu = 1.70779971488. In the space
/// of speeds that is a graze of the obstacle u < 1, for which friction is not needed.
#[test]
fn slip_that_just_reaches_the_belt_begins_to_stick() {
    let popp = text("popp-oscillator");
    fn asked(text: &str) -> Asked<'_> {
        Asked { text, set: &[], along: "nu", range: (1.7, 1.712), returns: 4, settle: 1000 }
    }
    let graze = "format = 1\nname = \"speeds\"\n[parameters]\nnu = 1.709\n[phase.phi]\nrate = \"nu\"\nperiod = \"2*pi\"\n\
                 [definitions]\nv = \"1 - u\"\n[flow]\nx = \"u\"\nu = \"-x + 0.1*cos(phi) + 1.5 - 1.5*v + 0.45*v^3\"\n\
                 [contacts.belt]\ngap = \"1 - u\"\njump = { x = \"3 + 0.2*cos(phi) - x\" }\n[start]\nx = 0\nu = 0\nphi = 0\n";
    let (orbit, _) = asked(&popp).branches();
    let graze = graze.replace("x = 0\nu = 0", &format!("x = {:?}\nu = {:?}", orbit.state[0], orbit.state[2]));
    let (_, branches) = asked(&graze).branches();
    let grazes = admissible(&branches[0], SpecialKind::Graze);
    assert_close(grazes[0], 1.70779971488, 1e-11);
    for later in 0..6 {
        let shifted = popp.replace("cos(phi)", &format!("cos(phi + {later})"));
        let (_, branches) = asked(&shifted).branches();
        let borders = admissible(&branches[0], SpecialKind::Boundary);
        assert_eq!(borders.len(), 1, "{borders:?}");
        assert_close(borders[0], grazes[0], 1e-12);
        // Beyond, it sticks once in four periods, and is unstable.
        let beyond = &branches[1];
        assert_eq!(beyond.signature.nodes.len(), 2);
        let ends = [beyond.points.first(), beyond.points.last()].map(|end| beyond.value(end.unwrap()));
        assert_close(ends[0], grazes[0], 1e-12);
        assert_close(ends[1], 1.7, 0.0);
        assert!(beyond.points[1..].iter().all(|point| point.admissible && !point.stable));
    }
}

/// The orbits that stick end where their stop vanishes: the same border, from the other side.
#[test]
fn the_stop_vanishes_where_slip_grazes_the_belt() {
    let popp = text("popp-oscillator");
    let asked =
        Asked { text: &popp, set: &[("nu", 1.705)], along: "nu", range: (1.7, 1.712), returns: 4, settle: 1500 };
    let (orbit, branches) = asked.branches();
    assert!(!orbit.stable);
    assert_eq!(branches[0].signature.nodes.len(), 2);
    assert_close(admissible(&branches[0], SpecialKind::Boundary)[0], 1.70779971488, 1e-11);
    assert!(branches[1].signature.nodes.len() == 1 && branches[1].points.iter().all(|point| point.admissible));
}

/// The sliding bifurcations of the forced oscillator with dry friction have the same name from both sides.
#[test]
fn borders_of_friction_have_names() {
    let plain = text("forced-stops");
    for (om, force, value, name) in [
        (0.35, 0.2, 0.12438552616875, Sliding::Switching),
        (0.35, 0.11, 0.12438552616875, Sliding::Switching),
        (0.22, 0.45, 0.3550001294883, Sliding::Adding),
        (0.22, 0.3, 0.3550001294883, Sliding::Adding),
        (0.22, 0.3, 0.2728735652844, Sliding::Grazing),
        (0.22, 0.15, 0.2728735652844, Sliding::Grazing),
    ] {
        let set = [("om", om), ("F", force)];
        let asked = Asked { text: &plain, set: &set, along: "F", range: (0.05, 0.6), returns: 1, settle: 100 };
        let branch = &asked.branches().1[0];
        let near = branch.special.iter().filter(|one| (branch.value(&one.point) - value).abs() < 1e-9);
        let names: Vec<Option<Sliding>> = near.map(|one| one.sliding).collect();
        assert!(!names.is_empty() && names.iter().all(|found| *found == Some(name)), "F = {force}: {names:?}");
    }
    let popp = text("popp-oscillator");
    for nu in [1.705, 1.709] {
        let set = [("nu", nu)];
        let asked = Asked { text: &popp, set: &set, along: "nu", range: (1.7, 1.712), returns: 4, settle: 1500 };
        let branch = &asked.branches().1[0];
        let borders = branch.special.iter().filter(|one| one.kind == SpecialKind::Boundary);
        assert!(borders.clone().count() == 1 && borders.clone().all(|one| one.sliding == Some(Sliding::Grazing)));
    }
}

/// Orbits of period four come back to themselves, half a period later, where they double the period of others.
#[test]
fn a_branch_passes_the_orbit_whose_period_it_doubles() {
    let popp = text("popp-oscillator");
    for later in 0..6 {
        let shifted = popp.replace("cos(phi)", &format!("cos(phi + {later})"));
        let asked = Asked { text: &shifted, set: &[], along: "nu", range: (1.708, 1.72), returns: 4, settle: 1000 };
        let (_, branches) = asked.branches();
        let points = admissible(&branches[0], SpecialKind::BranchPoint);
        assert_eq!(points.len(), 1, "phase {later}: {:?}", branches[0].ended);
        let other = branches.iter().find_map(|branch| admissible(branch, SpecialKind::PeriodDoubling).first().copied());
        assert_close(points[0], other.expect("the other branch doubles its period"), 1e-12);
    }
}

/// Orbits that stop twice in a period and are their own mirror images are known from half of them: slip changes its direction there.
#[test]
fn symmetric_orbits_that_stop_have_the_borders_of_all_orbits() {
    let plain = text("forced-stops");
    let symmetric = format!("{plain}\n[symmetry]\nsigns = {{ x = -1, u = -1 }}\nphase = \"pi\"\n");
    for (om, force) in [(0.22, 0.3), (0.22, 0.45), (0.22, 0.15), (0.35, 0.11), (0.35, 0.2)] {
        let set = [("om", om), ("F", force)];
        let [halves, wholes] = [&symmetric, &plain].map(|text| {
            Asked { text, set: &set, along: "F", range: (0.05, 0.6), returns: 1, settle: 100 }.branches().1
        });
        assert!(halves.iter().all(|branch| branch.signature.mirror.is_some()), "om = {om}, F = {force}");
        let words = |branches: &[Branch]| branches[0].marks();
        assert_eq!(words(&halves), words(&wholes), "om = {om}, F = {force}");
        // What happens twice in an orbit happens once in half of it.
        let borders = |branches: &[Branch]| {
            let mut all: Vec<f64> = branches.iter().flat_map(|one| admissible(one, SpecialKind::Boundary)).collect();
            all.sort_by(f64::total_cmp);
            all.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
            all
        };
        let (of_halves, of_wholes) = (borders(&halves), borders(&wholes));
        assert_eq!(of_halves.len(), of_wholes.len(), "om = {om}, F = {force}: {of_halves:?} {of_wholes:?}");
        of_halves.iter().zip(&of_wholes).for_each(|(a, b)| assert_close(*a, *b, 1e-12));
        // At om = 0.35 a multiplier is 1 at the border, and smaller on both sides.
        let points = halves.iter().flat_map(|branch| &branch.points).filter(|point| point.admissible);
        assert!(points.map(|point| point.multipliers[0].norm()).fold(0.0, f64::max) < 1.0 + 1e-9);
    }
}
