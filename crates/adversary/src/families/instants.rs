//! Bodies on a line with contacts, friction, switches and events that start at coincidences or are driven into them; oracle: implicit time stepping of the whole inclusion.

use std::fmt::Write as _;
use std::time::Duration;

use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, Motion, Settings, System};

use crate::dice::Dice;
use crate::family::{Disagreement, Family, LONGEST, Outcome, Watch};
use crate::oracles::inclusion::{Bodies, Law, Linear, Lost, Pad, Reached, Reset, Rubbing, Shape, State, follow};

/// The family.
pub const INSTANTS: Family = Family {
    name: "instants",
    about: "bodies on a line that start at coincidences of contacts, friction, signs and events: implicit steps of the inclusion",
    every: 1,
    examine: drawn,
};

/// How long a member that disagrees is made smaller.
const PATIENCE: Duration = Duration::from_secs(1);
/// Motions may differ by this much, relative to their size, beyond what the oracle may be wrong.
const SAME: f64 = 1e-4;
/// Gaps, forces, speeds and margins of friction above this say clearly what a contact does.
const CLEAR: f64 = 1e-2;

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let member = member(dice);
    let early = |word: &'static str| Outcome { early: vec![word], ..Outcome::default() };
    match compared(&member, watch) {
        Verdict::Agree => Outcome::default(),
        Verdict::NoOracle(lost) => {
            let reason = match lost {
                Lost::NoStep => "no oracle: no step",
                Lost::Long => "no oracle: long",
                Lost::Diverges => "no oracle: diverges",
                Lost::Several => "several motions",
            };
            let unknown =
                Disagreement { oracle: reason.to_string(), what: "not compared".to_string(), file: text(&member) };
            Outcome { undecided: vec![unknown], ..early(reason) }
        }
        Verdict::Stopped => early("interrupted"),
        Verdict::Differ(kind, what) => {
            // A hang is as long for every smaller member.
            let least = if kind == HANG { member } else { smaller(&member, kind, watch) };
            let shown = if kind == HANG { Verdict::Differ(kind, what) } else { compared(&least, watch) };
            let Verdict::Differ(oracle, what) = shown else { return early("undecided") };
            let disagreement = Disagreement { oracle: oracle.to_string(), what, file: text(&least) };
            Outcome { disagreements: vec![disagreement], ..Outcome::default() }
        }
    }
}

/// The kind of a motion that does not end.
const HANG: &str = "hang";

enum Verdict {
    Agree,
    NoOracle(Lost),
    /// By Ctrl-C.
    Stopped,
    /// The ending, or `state`, and how.
    Differ(&'static str, String),
}

/// The motion of the library against that of the oracle.
fn compared(member: &Bodies, watch: &Watch) -> Verdict {
    let file = text(member);
    let values = Model::parse(&file, "member.toml").and_then(|model| {
        let values = model.values(&Overrides::default())?;
        Ok((model, values))
    });
    let (model, values) = match values {
        Ok(both) => both,
        Err(mistakes) => return Verdict::Differ("model", mistakes.to_string()),
    };
    let known = match follow(member) {
        Ok(known) => known,
        Err(lost) => return Verdict::NoOracle(lost),
    };
    let system = System::new(&model);
    let settings = Settings { until: member.until, ..Settings::default() };
    let motion = match Motion::new(&system, &values, settings) {
        Ok(motion) => motion,
        Err(error) => return Verdict::Differ("start", error.to_string()),
    };
    let own = watch.within(LONGEST);
    let run = motion.run(false, |_| own.allows());
    let shown = |state: &[f64]| state.iter().map(|x| format!("{x:.5}")).collect::<Vec<_>>().join(", ");
    if run.ended == Ended::Interrupted {
        return if watch.is_stopped() {
            Verdict::Stopped
        } else {
            Verdict::Differ(HANG, format!("at {}, {} events", run.time, run.events.len()))
        };
    }
    if run.ended != Ended::ReachedTime {
        let what = format!(
            "ended: {} at {}: {}; the oracle comes to ({})",
            run.ended.name(),
            run.time,
            run.ended.describe(&system),
            shown(&known.state)
        );
        return Verdict::Differ(run.ended.name(), what);
    }
    let size = known.state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let off = run.state.iter().zip(&known.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let allowed = SAME * size + 4.0 * known.spread;
    if off <= allowed {
        return match misnamed(member, &known, &system.mode_name(run.closed)) {
            None => Verdict::Agree,
            Some(what) => Verdict::Differ("mode", what),
        };
    }
    let what = format!(
        "({}) and not ({}): {off:.1e} apart, {allowed:.1e} allowed",
        shown(&run.state[..known.state.len()]),
        shown(&known.state)
    );
    Verdict::Differ("state", what)
}

/// A contact that is clearly open, closed, in stick or in slip at the end and is not so in the mode of this name.
fn misnamed(member: &Bodies, known: &Reached, mode: &str) -> Option<String> {
    let (n, contacts) = (member.mass.len(), member.contacts.len());
    let (x, v) = known.state.split_at(n);
    (0..contacts).find_map(|k| {
        let contact = &member.contacts[k];
        let own = format!(":c{k}");
        let said = mode.split(',').find_map(|word| word.strip_suffix(own.as_str()));
        let force = known.forces[k];
        let expected = match (&contact.friction, known.states[k], known.states[contacts + k]) {
            _ if contact.gap.value(x, v, 0.0) > CLEAR => None,
            (_, State::Plus, _) => return None,
            _ if force < CLEAR => return None,
            (None, ..) => Some("stick"),
            (Some(friction), _, State::Hold) => {
                let held = known.forces[contacts + k].abs() < (1.0 - CLEAR) * friction.mu_static * force;
                held.then_some("stick").or(said)
            }
            (Some(friction), ..) => {
                let slip: f64 = friction.track.iter().zip(v).map(|(t, v)| t * v).sum::<f64>() - friction.belt;
                let side = if slip > 0.0 { "slip+" } else { "slip-" };
                if slip.abs() > CLEAR { Some(side) } else { said }
            }
        };
        (said != expected).then(|| format!("c{k} is {said:?} and not {expected:?} at the end, in the mode {mode}"))
    })
}

/// A member with as few elements and as many zeros as it can have and still differ in the same way.
fn smaller(member: &Bodies, kind: &'static str, watch: &Watch) -> Bodies {
    let patience = Watch::over(PATIENCE);
    let mut least = member.clone();
    loop {
        let better = simpler(&least).into_iter().find(|other| {
            patience.allows()
                && watch.allows()
                && matches!(compared(other, &patience), Verdict::Differ(same, _) if same == kind)
        });
        match better {
            Some(other) => least = other,
            None => return least,
        }
    }
}

/// Slightly simpler members.
fn simpler(member: &Bodies) -> Vec<Bodies> {
    let mut list = Vec::new();
    let mut with = |change: &dyn Fn(&mut Bodies)| {
        let mut other = member.clone();
        change(&mut other);
        if other != *member {
            list.push(other);
        }
    };
    let n = member.mass.len();
    for i in (0..n).filter(|_| n > 1) {
        with(&|other| without(other, i));
    }
    (0..member.contacts.len()).for_each(|k| with(&|other| drop(other.contacts.remove(k))));
    (0..member.laws.len()).for_each(|k| with(&|other| drop(other.laws.remove(k))));
    (0..member.events.len()).for_each(|k| with(&|other| drop(other.events.remove(k))));
    for k in 0..member.contacts.len() {
        with(&|other| other.contacts[k].friction = None);
        with(&|other| other.contacts[k].restitution = 0.0);
    }
    with(&|other| {
        other.rate = 0.0;
        other.force.iter_mut().for_each(|force| force.wave = [0.0; 2]);
    });
    for i in 0..n {
        with(&|other| other.force[i].q.fill(0.0));
        with(&|other| other.force[i].v.fill(0.0));
        with(&|other| other.force[i].wave = [0.0; 2]);
        with(&|other| other.force[i].constant = 0.0);
        with(&|other| other.mass[i] = 1.0);
        with(&|other| other.start[n + i] = 0.0);
    }
    if member.until > 0.1 {
        with(&|other| other.until = (other.until * 500.0).round() / 1000.0);
    }
    list.retain(|other| is_sound(other));
    list
}

/// Whether every function of a law or contact depends on the state, as the model file asks.
fn is_sound(member: &Bodies) -> bool {
    let moves = |of: &Linear| of.q.iter().chain(&of.v).any(|x| *x != 0.0);
    member.laws.iter().all(|law| moves(&law.of) && law.push.iter().any(|p| *p != 0.0))
        && member.contacts.iter().all(|contact| moves(&contact.gap))
        && member.contacts.iter().filter_map(|c| c.friction.as_ref()).all(|f| f.track.iter().any(|t| *t != 0.0))
        && member.events.iter().all(|event| moves(&event.when) && !event.jump.is_empty())
}

/// The member without one coordinate, which stays at zero.
fn without(member: &mut Bodies, i: usize) {
    let n = member.mass.len();
    let cut = |of: &mut Linear| {
        of.q.remove(i);
        of.v.remove(i);
    };
    member.mass.remove(i);
    member.force.remove(i);
    member.force.iter_mut().for_each(cut);
    for law in &mut member.laws {
        cut(&mut law.of);
        law.push.remove(i);
    }
    for contact in &mut member.contacts {
        // Where the coordinate starts is part of the gap.
        contact.gap.constant += contact.gap.q[i] * member.start[i];
        cut(&mut contact.gap);
        if let Some(friction) = &mut contact.friction {
            friction.track.remove(i);
        }
    }
    for event in &mut member.events {
        cut(&mut event.when);
        event.condition.iter_mut().for_each(cut);
        event.jump.retain(|(state, _)| *state != i && *state != n + i);
        for (state, new) in &mut event.jump {
            *state -= usize::from(*state > i) + usize::from(*state > n + i);
            cut(new);
        }
    }
    member.start.remove(n + i);
    member.start.remove(i);
}

/// A formula of the states.
fn formula(of: &Linear) -> String {
    let mut text = String::new();
    let names = |letter: char, factors: &[f64]| -> Vec<(f64, String)> {
        factors.iter().enumerate().map(|(i, &a)| (a, format!("{letter}{i}"))).collect()
    };
    let mut terms = names('x', &of.q);
    terms.extend(names('v', &of.v));
    terms.extend([(of.wave[0], "sin(phi)".to_string()), (of.wave[1], "cos(phi)".to_string())]);
    terms.push((of.constant, String::new()));
    for (a, name) in terms.into_iter().filter(|(a, _)| *a != 0.0) {
        let sign = if a < 0.0 { " - " } else { " + " };
        let factor = match (a.abs(), name.is_empty()) {
            (1.0, false) => String::new(),
            (a, true) => format!("{a:?}"),
            (a, false) => format!("{a:?}*"),
        };
        let _ = write!(text, "{sign}{factor}{name}");
    }
    let text = text.trim_start_matches(" + ").trim_start().to_string();
    if text.is_empty() { "0".to_string() } else { text }
}

/// The model.
pub(crate) fn text(member: &Bodies) -> String {
    let n = member.mass.len();
    let names = |letter: char| (0..n).map(|i| format!("\"{letter}{i}\"")).collect::<Vec<_>>().join(", ");
    let mut text = "format = 1\nname = \"member\"\n".to_string();
    let waves = member.force.iter().chain(member.laws.iter().map(|law| &law.of)).any(|of| of.wave != [0.0; 2]);
    if waves {
        let _ = writeln!(text, "[phase.phi]\nrate = {:?}\nperiod = \"2*pi\"", member.rate);
    }
    let masses = member.mass.iter().map(|m| format!("{m:?}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]", names('x'), names('v'));
    let _ = writeln!(text, "M = {{ diagonal = [{masses}] }}");
    let force = |i: usize| {
        let mut force = formula(&member.force[i]);
        for law in member.laws.iter().filter(|law| law.push[i] != 0.0) {
            let of = formula(&law.of);
            let value = match law.shape {
                Shape::Sign => format!("sign({of})"),
                Shape::Corner(below, 0.0) => format!("{below:?}*min({of}, 0)"),
                Shape::Corner(0.0, above) => format!("{above:?}*max({of}, 0)"),
                Shape::Corner(..) => format!("abs({of})"),
            };
            let sign = if law.push[i] < 0.0 { '-' } else { '+' };
            let _ = write!(force, " {sign} {:?}*{value}", law.push[i].abs());
        }
        format!("\"{}\"", force.trim_start_matches("0 + "))
    };
    let _ = writeln!(text, "h = [{}]", (0..n).map(force).collect::<Vec<_>>().join(", "));
    for (k, contact) in member.contacts.iter().enumerate() {
        let _ = writeln!(text, "[contacts.c{k}]\ngap = \"{}\"", formula(&contact.gap));
        if let Some(friction) = &contact.friction {
            let track = Linear { q: friction.track.clone(), ..Linear::zero(n) };
            let _ = writeln!(text, "track = \"{}\"", formula(&track));
            if friction.belt != 0.0 {
                let _ = writeln!(text, "belt = {:?}", friction.belt);
            }
            let rest = if friction.mu_static == friction.mu {
                String::new()
            } else {
                format!(", mu_static = {:?}", friction.mu_static)
            };
            let _ = writeln!(text, "friction = {{ law = \"coulomb\", mu = {:?}{rest} }}", friction.mu);
        }
        let _ = writeln!(text, "restitution = {:?}", contact.restitution);
    }
    if member.contacts.len() > 1 {
        text.push_str("[impacts]\ntogether = \"lcp\"\n");
    }
    let state = |k: usize| if k < n { format!("x{k}") } else { format!("v{}", k - n) };
    for (k, event) in member.events.iter().enumerate() {
        let _ = writeln!(text, "[events.e{k}]\nwhen = \"{}\"", formula(&event.when));
        match event.direction {
            0 => {}
            rising => {
                let _ = writeln!(text, "direction = \"{}\"", if rising > 0 { "rising" } else { "falling" });
            }
        }
        if let Some(condition) = &event.condition {
            let _ = writeln!(text, "if = \"{}\"", formula(condition));
        }
        let jumps: Vec<String> =
            event.jump.iter().map(|(k, new)| format!("{} = \"{}\"", state(*k), formula(new))).collect();
        let _ = writeln!(text, "jump = {{ {} }}", jumps.join(", "));
    }
    text.push_str("[start]\n");
    for (k, x) in member.start.iter().enumerate() {
        let _ = writeln!(text, "{} = {x:?}", state(k));
    }
    if waves {
        text.push_str("phi = 0\n");
    }
    let _ = write!(text, "# to the time {:?}", member.until);
    text
}

/// A short decimal without the rounding of sums, another number as it is.
fn short(x: f64) -> f64 {
    let rounded = (1e6 * x).round() / 1e6;
    if (x - rounded).abs() < 1e-12 { rounded } else { x }
}

/// A member: bodies on a line, each with its forces, then what is between them, and the coincidences.
fn member(dice: &mut Dice) -> Bodies {
    let bodies = 1 + dice.below(3);
    let heights = bodies; // coordinates from here on are heights of bodies on a floor
    let floor: Vec<bool> = (0..bodies).map(|_| dice.chance(0.25)).collect();
    let n = bodies + floor.iter().filter(|on| **on).count();
    let unit = |i: usize, a: f64| {
        let mut of = vec![0.0; n];
        of[i] = a;
        of
    };
    let position = |i: usize, a: f64, constant: f64| Linear { q: unit(i, a), constant, ..Linear::zero(n) };
    let speed = |i: usize, constant: f64| Linear { v: unit(i, 1.0), constant, ..Linear::zero(n) };
    let between = |i: usize, j: usize| {
        let mut of = vec![0.0; n];
        (of[i], of[j]) = (-1.0, 1.0);
        of
    };
    let mut member = Bodies {
        mass: (0..n).map(|_| dice.of_list(&[1.0, 1.0, 2.0, 0.5])).collect(),
        force: vec![Linear::zero(n); n],
        start: vec![0.0; 2 * n],
        rate: dice.of_list(&[1.0, 2.0, 6.0]),
        // No time at which something is likely to happen.
        until: dice.of_list(&[1.013, 2.029, 3.017]),
        ..Bodies::default()
    };
    // Where bodies are: one apart if they touch.
    let touch = dice.chance(0.6);
    for i in 0..bodies {
        if i > 0 {
            let apart = if touch { 1.0 } else { dice.of_list(&[1.0, 1.1, 1.5]) };
            member.start[i] = short(member.start[i - 1] + apart);
        }
        member.start[n + i] =
            if dice.chance(0.6) { 0.0 } else { dice.of_list(&[1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.3, -1.2]) };
    }
    if dice.chance(0.3) {
        // All with one speed.
        let speed = dice.of_list(&[1.0, -1.0, 0.5, -2.0]);
        (0..bodies).for_each(|i| member.start[n + i] = speed);
    }
    for i in 0..bodies {
        if dice.chance(0.7) {
            member.force[i].constant =
                dice.of_list(&[1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 10.0, -4.0, 1.5, -0.3, 5.0]);
        }
        if dice.chance(0.25) {
            member.force[i].wave[dice.below(2)] = dice.of_list(&[0.1, 0.5, 1.0, 3.0, 8.0, -2.0]);
        }
        if dice.chance(0.15) {
            member.force[i].v[i] = dice.of_list(&[-0.1, -0.5, -1.0]);
        }
        if dice.chance(0.2) {
            let stiffness = dice.of_list(&[1.0, 4.0, 20.0]);
            member.force[i].q[i] -= stiffness;
            member.force[i].constant += stiffness * if dice.chance(0.7) { i as f64 } else { 0.0 };
        }
        // Dry friction as a sign, perhaps twice.
        for chance in [0.55, 0.1] {
            if dice.chance(chance) {
                let belt = if dice.chance(0.8) { 0.0 } else { dice.of_list(&[1.0, -1.0, 0.5]) };
                let mut of = speed(i, -belt);
                if dice.chance(0.05) {
                    of.wave[0] = dice.of_list(&[0.5, 1.0]);
                }
                let force = dice.of_list(&[1.0, 2.0, 0.5, 1.5, 3.0, 0.1, 4.0]);
                let push = unit(i, -force);
                member.laws.push(Law { of, shape: Shape::Sign, push });
            }
        }
        if dice.chance(0.25) {
            // A valley, sometimes a hill.
            let at = if dice.chance(0.7) { member.start[i] } else { dice.of_list(&[0.0, 1.0, 0.5]) };
            let at = at + if dice.chance(0.4) { dice.of_list(&[1.0, -1.0, -0.5]) } else { 0.0 };
            let force = dice.of_list(&[10.0, 3.0, 2.0, 1.0, 5.0]) * if dice.chance(0.03) { -0.5 } else { 1.0 };
            member.laws.push(Law { of: position(i, 1.0, short(-at)), shape: Shape::Sign, push: unit(i, -force) });
        }
        if dice.chance(0.15) {
            let at = member.start[i] + dice.of_list(&[0.0, 0.0, 0.5, -0.5]);
            let shape = dice.of_list(&[Shape::Corner(-1.0, 1.0), Shape::Corner(0.0, 1.0), Shape::Corner(1.0, 0.0)]);
            let of = if dice.chance(0.6) { position(i, 1.0, short(-at)) } else { speed(i, 0.0) };
            // It acts on the body or on its neighbour. (Signs that act on others leave their forces open where friction of contacts holds, too.)
            let force = dice.of_list(&[-1.0, -0.5, -5.0, 0.5]);
            let on = if dice.chance(0.7) { i } else { (i + 1) % bodies };
            member.laws.push(Law { of, shape, push: unit(on, force) });
        }
    }
    // Springs and friction between neighbours.
    for i in 1..bodies {
        if dice.chance(0.25) {
            let stiffness = dice.of_list(&[1.0, 5.0, 20.0]);
            let rest = if dice.chance(0.7) { 1.0 } else { 0.0 };
            for (k, sign) in [(i - 1, 1.0), (i, -1.0)] {
                member.force[k].q[i] += sign * stiffness;
                member.force[k].q[i - 1] -= sign * stiffness;
                member.force[k].constant -= sign * stiffness * rest;
            }
        }
        let mut pair = |of: Linear, force: f64| {
            let push = between(i - 1, i).iter().map(|x| -force * x).collect();
            member.laws.push(Law { of, shape: Shape::Sign, push });
        };
        if dice.chance(0.15) {
            let of = Linear { v: between(i - 1, i), ..Linear::zero(n) };
            pair(of, dice.of_list(&[1.0, 2.0, 0.5, 3.0]));
        }
        if dice.chance(0.05) {
            let of = Linear { q: between(i - 1, i), constant: -1.0, ..Linear::zero(n) };
            pair(of, dice.of_list(&[1.0, 2.0, 5.0]));
        }
        if dice.chance(0.65) {
            let gap = Linear { q: between(i - 1, i), constant: -1.0, ..Linear::zero(n) };
            let restitution = dice.of_list(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0]);
            member.contacts.push(Pad { gap, restitution, friction: None });
        }
    }
    // Walls: touched, at a distance, or where a decelerated body comes to rest.
    for i in 0..bodies {
        if !dice.chance(0.4) {
            continue;
        }
        let (x, v) = (member.start[i], member.start[n + i]);
        let side = if v < 0.0 || (v == 0.0 && dice.chance(0.5)) { 1.0 } else { -1.0 };
        let acceleration = member.force[i].constant / member.mass[i];
        let distance = match dice.below(3) {
            0 => 0.0,
            1 if acceleration * v < 0.0 => v * v / (2.0 * acceleration.abs()),
            _ => dice.of_list(&[0.1, 0.5, 1.0, 0.2]),
        };
        let restitution = dice.of_list(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0]);
        let gap = position(i, side, short(distance - side * x));
        member.contacts.push(Pad { gap, restitution, friction: None });
        if dice.chance(0.2) {
            let gap = position(i, -side, short(side * x + dice.of_list(&[0.1, 0.5, 0.0])));
            member.contacts.push(Pad { gap, restitution: 0.0, friction: None });
        }
    }
    // Floors with the friction of contacts; heights come last. A third body may stand on the one before it.
    let mut height = heights;
    for i in (0..bodies).filter(|&i| floor[i]) {
        member.force[height].constant = -dice.of_list(&[1.0, 2.0, 10.0, 5.0]);
        let raised = dice.chance(0.15);
        member.start[height] = if raised { dice.of_list(&[0.1, 0.5]) } else { 0.0 };
        let mu = dice.of_list(&[0.1, 0.2, 0.3, 0.5, 1.0]);
        let mut track = unit(i, 1.0);
        let below = height > heights && dice.chance(0.3);
        let mut gap = position(height, 1.0, 0.0);
        if below {
            let lower = (0..i).rev().find(|&j| floor[j]).unwrap_or(0);
            gap = Linear { q: between(height - 1, height), constant: -1.0, ..Linear::zero(n) };
            member.start[height] = member.start[height - 1] + 1.0;
            track = between(lower, i);
        } else if bodies > 1 && dice.chance(0.25) {
            // A disc that turns: the next coordinate is its angle.
            track[(i + 1) % bodies] = dice.of_list(&[1.0, 0.5]);
        }
        let friction = Rubbing {
            track,
            belt: if dice.chance(0.85) { 0.0 } else { dice.of_list(&[1.0, -0.5]) },
            mu,
            mu_static: if dice.chance(0.85) { mu } else { short(1.5 * mu) },
        };
        let restitution = if raised { dice.of_list(&[0.0, 0.5]) } else { 0.0 };
        member.contacts.push(Pad { gap, restitution, friction: Some(friction) });
        height += 1;
    }
    if dice.chance(0.1) {
        let i = dice.below(bodies);
        let at = member.start[i] + dice.of_list(&[0.25, -0.25, 0.75, -0.6]);
        let (when, jump) = match dice.below(3) {
            0 => (position(i, 1.0, short(-at)), (n + i, Linear { v: unit(i, -0.5), ..Linear::zero(n) })),
            1 => (position(i, 1.0, short(-at)), (n + i, Linear { v: unit(i, 0.5), ..Linear::zero(n) })),
            _ => {
                let when = speed(i, -dice.of_list(&[0.7, -0.7, 1.3]));
                (when, (n + i, Linear { constant: dice.of_list(&[0.0, 0.0, 0.2]), ..Linear::zero(n) }))
            }
        };
        let condition = dice.chance(0.3).then(|| speed(i, 0.0));
        let direction = dice.of_list(&[-1, 1, 1, 0]);
        member.events.push(Reset { when, direction, condition, jump: vec![jump] });
    }
    // Nothing at all is no instant.
    if member.laws.is_empty() && member.contacts.is_empty() {
        let push = unit(0, -1.0);
        member.laws.push(Law { of: speed(0, 0.0), shape: Shape::Sign, push });
    }
    member
}
