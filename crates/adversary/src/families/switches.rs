//! Random piecewise linear systems with one or two switches; oracle: the same motion in double-double arithmetic by Filippov's rules.

use std::fmt::Write as _;

use saltation_model::{Model, Overrides};
use saltation_motion::{ClosedSet, Ended, EventKind, Happening, Motion, Settings, Side, System};

use crate::dice::Dice;
use crate::family::{Disagreement, Family, LONGEST, Outcome, Watch};
use crate::oracles::filippov::{End, Followed, Part, Pieces};
use crate::oracles::{company, slopes};

/// The family.
pub const SWITCHES: Family = Family {
    name: "switches",
    about: "random piecewise linear systems that cross and slide: sides and times of events in double-double arithmetic",
    every: 1,
    examine: drawn,
};

/// The names of the states and of the switches.
const STATES: [&str; 3] = ["x", "y", "z"];
const SWITCHES_OF: [&str; 2] = ["one", "two"];

/// One system with its start.
#[derive(Debug, Clone, PartialEq)]
struct Member {
    pieces: Pieces,
    start: Vec<f64>,
    until: f64,
}

impl Member {
    fn drawn(dice: &mut Dice) -> Member {
        let n = 2 + dice.below(2);
        let switches = 1 + dice.below(2);
        let mut number =
            |size: f64| if dice.chance(0.15) { 0.0 } else { (dice.between(-size, size) * 1000.0).round() / 1000.0 };
        let mut part = |sides: &[usize], shift: f64| {
            let row = |i: usize| {
                (0..=n)
                    .map(|j| number(1.5) - if i == j { shift } else { 0.0 })
                    .map(|x| (x * 1000.0).round() / 1000.0)
                    .collect()
            };
            Part { sides: sides.to_vec(), rows: (0..n).map(row).collect() }
        };
        let mut parts = vec![part(&[], 1.5)];
        (0..switches).for_each(|k| parts.push(part(&[k], 0.0)));
        let product = part(&[0, 1], 0.0);
        let mut planes: Vec<Vec<f64>> = (0..switches).map(|_| (0..=n).map(|_| number(1.0)).collect()).collect();
        let mut start: Vec<f64> = (0..n).map(|_| number(2.0)).collect();
        if switches == 2 && dice.chance(0.2) {
            parts.push(product);
        }
        // Coordinates as functions make starts on surfaces exact.
        for (k, plane) in planes.iter_mut().enumerate() {
            if dice.chance(0.4) || plane[..n].iter().all(|h| h.abs() < 0.05) {
                plane.iter_mut().enumerate().for_each(|(i, h)| *h = if i == k { 1.0 } else { 0.0 });
                if dice.chance(0.3) {
                    start[k] = 0.0;
                }
            }
        }
        Member { pieces: Pieces { parts, planes }, start, until: 8.0 }
    }

    /// The model.
    fn text(&self) -> String {
        let n = self.start.len();
        let form = |row: &[f64]| {
            let mut text = String::new();
            for (j, &a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let sign = if a < 0.0 { " - " } else { " + " };
                let factor = if j < n { format!("*{}", STATES[j]) } else { String::new() };
                let _ = write!(text, "{sign}{}{factor}", a.abs());
            }
            if text.is_empty() { "0".to_string() } else { text.trim_start_matches(" + ").trim_start().to_string() }
        };
        let mut text = "format = 1\nname = \"member\"\n".to_string();
        for (k, plane) in self.pieces.planes.iter().enumerate() {
            let _ = writeln!(text, "[switches.{}]\nwhen = \"{}\"", SWITCHES_OF[k], form(plane));
        }
        text.push_str("[flow]\n");
        for (i, name) in STATES.iter().enumerate().take(n) {
            let terms = self.pieces.parts.iter().filter(|part| part.rows[i].iter().any(|a| *a != 0.0)).map(|part| {
                let sides: String = part.sides.iter().map(|&k| format!("side({})*", SWITCHES_OF[k])).collect();
                if sides.is_empty() { form(&part.rows[i]) } else { format!("{sides}({})", form(&part.rows[i])) }
            });
            let terms: Vec<String> = terms.collect();
            let rate = if terms.is_empty() { "0".to_string() } else { terms.join(" + ") };
            let _ = writeln!(text, "{name} = \"{rate}\"");
        }
        text.push_str("[start]\n");
        self.start.iter().zip(STATES).for_each(|(x, name)| text.push_str(&format!("{name} = {x}\n")));
        let _ = write!(text, "# to the time {}", self.until);
        text
    }

    /// All numbers, for changing them.
    fn numbers(&mut self) -> Vec<&mut f64> {
        let parts = self.pieces.parts.iter_mut().flat_map(|part| part.rows.iter_mut().flatten());
        parts.chain(self.pieces.planes.iter_mut().flatten()).chain(&mut self.start).collect()
    }
}

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let member = Member::drawn(dice);
    match compared(&member, watch) {
        Verdict::Agree => Outcome::default(),
        Verdict::Early(word) => Outcome { early: vec![word], ..Outcome::default() },
        Verdict::Differ(..) => {
            let least = smaller(&member, &Watch::over(std::time::Duration::from_secs(3)));
            let Verdict::Differ(oracle, what) = compared(&least, watch) else {
                return Outcome { early: vec!["undecided"], ..Outcome::default() };
            };
            let disagreement = Disagreement { oracle: oracle.to_string(), what, file: least.text() };
            Outcome { disagreements: vec![disagreement], ..Outcome::default() }
        }
    }
}

/// The member with as many zeros and round numbers as it can have and still differ in the same way.
fn smaller(member: &Member, watch: &Watch) -> Member {
    let mut least = member.clone();
    let Verdict::Differ(kind, _) = compared(member, watch) else { return least };
    let differs = |other: &Member| matches!(compared(other, watch), Verdict::Differ(same, _) if same == kind);
    for round in [|_: f64| 0.0, f64::round, |x: f64| (10.0 * x).round() / 10.0] {
        for i in 0..least.numbers().len() {
            let mut other = least.clone();
            let number = &mut other.numbers()[i];
            **number = round(**number);
            if watch.allows()
                && other != least
                && other.pieces.planes.iter().all(|h| h[..h.len() - 1].iter().any(|h| *h != 0.0))
                && differs(&other)
            {
                least = other;
            }
        }
    }
    least
}

enum Verdict {
    Agree,
    /// The comparison ends before the trajectory does, and why.
    Early(&'static str),
    /// Which oracle, and how.
    Differ(&'static str, String),
}

/// By how much starts are moved to see how errors grow.
const BESIDE: f64 = 1e-9;
/// Times may differ by this part of themselves plus one, and by it for every tenfold growth of errors.
const SAME: f64 = 1e-10;
/// Where errors grow by more trajectories have parted.
const PARTED: f64 = 1e3;
/// Events closer together than this are one.
const TOGETHER: f64 = 1e-9;

/// A system as the library follows it: groups of events with the sides after them.
fn followed(system: &System, motion: &mut Motion, watch: &Watch) -> (Vec<(f64, Vec<i8>)>, Ended) {
    let sides = |mode: ClosedSet| -> Vec<i8> {
        (0..system.switch_names().len())
            .map(|k| match mode.sides().of(k) {
                Side::Negative => -1,
                Side::Sliding => 0,
                Side::Positive => 1,
            })
            .collect()
    };
    let mut events = vec![(0.0, sides(motion.closed()))];
    let ended = loop {
        match motion.advance() {
            Happening::Event(event)
                if matches!(event.kind, EventKind::Switch | EventKind::Slide | EventKind::Leave) =>
            {
                let now = (event.time, sides(event.mode));
                match events.last_mut() {
                    Some(last) if now.0 - last.0 < TOGETHER => last.1 = now.1,
                    _ => events.push(now),
                }
            }
            Happening::Ended(ended) => break ended.clone(),
            _ if !watch.allows() => break Ended::Interrupted,
            _ => {}
        }
    };
    (events, ended)
}

/// How far events can be compared: their number, and the growth of errors at each and at the end, from motions that start beside.
fn growth(member: &Member, base: &Followed) -> (usize, Vec<f64>, f64) {
    let n = member.start.len();
    // Events in quick succession may be one, on the one side or the other.
    let quick = base.events.windows(2).position(|pair| pair[1].0 - pair[0].0 < 10.0 * TOGETHER);
    let mut until = quick.unwrap_or(base.events.len());
    let mut grown = vec![1.0_f64; base.events.len()];
    let mut at_end = 1.0_f64;
    for number in 0..2 * n {
        let mut start = member.start.clone();
        let (i, sign) = (number / 2, if number % 2 == 0 { 1.0 } else { -1.0 });
        // A start on a surface stays on it.
        let exact = member
            .pieces
            .planes
            .iter()
            .any(|h| h[i] != 0.0 && (0..n).map(|j| h[j] * start[j]).sum::<f64>() + h[n] == 0.0);
        if exact {
            continue;
        }
        start[i] += sign * BESIDE;
        let beside = member.pieces.follow(&start, member.until);
        let same = beside.events.iter().zip(&base.events).take_while(|(one, other)| one.1 == other.1);
        let moved: Vec<f64> = same.map(|(one, other)| (one.0 - other.0).abs() / BESIDE).collect();
        until = until.min(moved.len());
        grown.iter_mut().zip(moved).for_each(|(grown, moved)| *grown = grown.max(moved));
        if beside.end == base.end && beside.events.len() == base.events.len() {
            let apart = beside.state.iter().zip(&base.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            at_end = at_end.max(apart / BESIDE);
        } else {
            at_end = f64::INFINITY;
        }
    }
    let parted = grown[..until].iter().position(|g| *g > PARTED).unwrap_or(until);
    (parted, grown, at_end)
}

fn compared(member: &Member, watch: &Watch) -> Verdict {
    let base = member.pieces.follow(&member.start, member.until);
    if let (true, End::Undecided(why)) = (base.events.is_empty(), base.end) {
        return Verdict::Early(why);
    }
    let file = member.text();
    let model = match Model::parse(&file, "member.toml") {
        Ok(model) => model,
        Err(mistakes) => return Verdict::Differ("model", mistakes.to_string()),
    };
    let values = match model.values(&Overrides::default()) {
        Ok(values) => values,
        Err(mistakes) => return Verdict::Differ("model", mistakes.to_string()),
    };
    // Switches that no rate feels have no sides.
    if model.switches.len() != member.pieces.planes.len() || !model.switches.iter().all(|switch| switch.is_felt) {
        return Verdict::Early("not felt");
    }
    let system = System::new(&model);
    let order: Vec<usize> = (0..member.pieces.planes.len())
        .filter_map(|k| system.switch_names().iter().position(|name| name == SWITCHES_OF[k]))
        .collect();
    if order.len() != member.pieces.planes.len() {
        return Verdict::Early("not felt");
    }
    let settings = Settings { until: member.until, ..Settings::default() };
    if let Some(what) = company::apart(&system, &values, settings, &mut Dice::new(member.until.to_bits())) {
        return Verdict::Differ("company", what);
    }
    let mut dice = Dice::new(member.until.to_bits());
    let times = (0..8).map(|_| dice.between(0.0, member.until)).collect();
    if let Some(what) = slopes::apart(&system, &values, (settings, times), &mut dice, watch) {
        return Verdict::Differ("derivatives", what);
    }
    let mut motion = match Motion::new(&system, &values, settings) {
        Ok(motion) => motion,
        Err(error) => return Verdict::Differ("start", error.to_string()),
    };
    let (events, ended) = followed(&system, &mut motion, &watch.within(LONGEST));
    let mut events: Vec<(f64, Vec<i8>)> =
        events.into_iter().map(|(t, sides)| (t, order.iter().map(|&k| sides[k]).collect())).collect();
    // A side that is called by the other sign is one disagreement, and what follows is compared all the same.
    let turned: Vec<i8> = (0..order.len())
        .map(|k| {
            let mut products = events.iter().zip(&base.events).map(|((_, ours), (_, known))| ours[k] * known[k]);
            products.find(|product| *product != 0).unwrap_or(1)
        })
        .collect();
    events.iter_mut().for_each(|(_, sides)| sides.iter_mut().zip(&turned).for_each(|(side, sign)| *side *= sign));
    if ended == Ended::Interrupted {
        return if watch.is_stopped() {
            Verdict::Early("interrupted")
        } else {
            Verdict::Differ("hang", format!("at {}", motion.time()))
        };
    }
    let (until, grown, at_end) = growth(member, &base);
    let shown = |k: usize, list: &[(f64, Vec<i8>)]| {
        list.get(k).map_or_else(|| "nothing".to_string(), |(t, sides)| format!("{sides:?} at {t:.15}"))
    };
    for (k, ((time, sides), grown)) in base.events.iter().zip(&grown).enumerate().take(until) {
        let allowed = SAME * (1.0 + time) * (grown / 10.0).max(1.0);
        // The oracle begins on the sides on which the trajectory is just after its start.
        if !events.get(k).is_some_and(|(t, s)| s == sides && (t - time).abs() <= allowed) {
            let ending = if events.len() <= k {
                format!(", ended at {}: {}", motion.time(), ended.describe(&system))
            } else {
                String::new()
            };
            let what = format!(
                "event {k}: {} and not {}{ending}; errors grow by {:.1e}",
                shown(k, &events),
                shown(k, &base.events),
                grown
            );
            let oracle = if events.get(k).is_some_and(|(_, s)| s == sides) { "time" } else { "sides" };
            return Verdict::Differ(oracle, what);
        }
    }
    if until < base.events.len() || at_end > PARTED {
        return Verdict::Early("parted");
    }
    let off = motion.state().iter().zip(&base.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let size = base.state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let allowed = SAME * size * (1.0 + base.time) * (at_end / 10.0).max(1.0);
    let ending = || format!("{} at {}: {}", ended.name(), motion.time(), ended.describe(&system));
    match (base.end, &ended) {
        (End::Undecided(why), _) => Verdict::Early(why),
        // Along a surface towards a point at which both fields touch it sliding becomes ever faster.
        (End::Reached, Ended::Stiff { .. }) => Verdict::Early(ended.name()),
        (End::Reached, Ended::ReachedTime) if events.len() > base.events.len() => Verdict::Differ(
            "sides",
            format!("event {}: {} and not nothing", base.events.len(), shown(base.events.len(), &events)),
        ),
        (End::Reached, Ended::ReachedTime) if off > allowed => Verdict::Differ(
            "state",
            format!("{:?} and not {:?}: {off:.1e} apart, {allowed:.1e} allowed", motion.state(), base.state),
        ),
        (End::Reached, Ended::ReachedTime) if turned.contains(&-1) => Verdict::Differ(
            "names",
            format!("a motion on the sides {:?} is said to be on others: {turned:?}", base.events[0].1),
        ),
        (End::Reached, Ended::ReachedTime) => Verdict::Agree,
        (End::Several, Ended::NotUnique { .. }) | (End::None, Ended::NoContinuation { .. })
            if (motion.time() - base.time).abs() <= allowed =>
        {
            Verdict::Early(ended.name())
        }
        _ => Verdict::Differ("ending", format!("{}, and not {:?} at {}", ending(), base.end, base.time)),
    }
}
