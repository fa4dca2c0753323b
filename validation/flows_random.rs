//! Random bodies with walls, contacts between them, dry friction and switches on positions, as mechanical models and as flows with the same jumps: the same trajectories, from starts at coincidences.

use crate::common::parse;
use saltation_motion::{Ended, Motion, Run, Settings};
use saltation_numerics::random::Random;

/// Two bodies on a line.
struct Bodies {
    mass: [f64; 2],
    /// The forces on both.
    force: [String; 2],
    /// Gaps as formulas, with the restitution: the first body at a wall, the second one at another, and both together.
    contacts: Vec<(Gap, f64)>,
    start: [f64; 4],
}

#[derive(Clone, Copy, PartialEq)]
enum Gap {
    First,
    Second,
    Between,
}

impl Gap {
    fn formula(self) -> &'static str {
        match self {
            Gap::First => "x",
            Gap::Second => "2 - y",
            Gap::Between => "y - x - 1",
        }
    }
}

fn drawn(random: &mut Random) -> Bodies {
    let of = |random: &mut Random, list: &[f64]| list[random.below(list.len())];
    let mass = [of(random, &[0.5, 1.0, 2.0]), of(random, &[0.5, 1.0, 2.0])];
    let mut force = [String::new(), String::new()];
    for (k, (x, v)) in [("x", "u"), ("y", "w")].into_iter().enumerate() {
        let mut terms = vec![format!("{:?}", of(random, &[-3.0, -1.0, 0.0, 1.0, 3.0]))];
        let mut add = |random: &mut Random, chance: f64, term: String| {
            if random.unit() < chance {
                terms.push(term);
            }
        };
        let size = of(random, &[0.5, 1.0, 2.0, 4.0]);
        let [friction, switch] = [of(random, &[0.5, 1.0, 2.0]), of(random, &[1.0, 2.0, 5.0])];
        add(random, 0.5, format!("{size:?}*cos(phi)"));
        add(random, 0.6, format!("- {friction:?}*sign({v})"));
        add(random, 0.4, format!("- {switch:?}*sign({x} - {k})"));
        add(random, 0.4, format!("- 4*({x} - {k})"));
        add(random, 0.3, format!("- 0.3*{v}"));
        force[k] = terms.join(" + ");
    }
    if random.unit() < 0.4 {
        let size = of(random, &[0.5, 1.0, 2.0]);
        force[0] += &format!(" + {size:?}*sign(w - u)");
        force[1] += &format!(" - {size:?}*sign(w - u)");
    }
    let mut contacts = Vec::new();
    for gap in [Gap::First, Gap::Second, Gap::Between] {
        if random.unit() < 0.6 {
            contacts.push((gap, of(random, &[0.0, 0.0, 0.5, 0.8])));
        }
    }
    let touches = random.unit() < 0.5;
    let x = if random.unit() < 0.5 { 0.0 } else { random.between(0.0, 0.5) };
    let y = if touches { x + 1.0 } else { random.between(1.5, 2.0) };
    let speed = |random: &mut Random| if random.unit() < 0.5 { 0.0 } else { random.between(-2.0, 2.0) };
    let start = [x, y, speed(random), speed(random)];
    Bodies { mass, force, contacts, start }
}

impl Bodies {
    fn end(&self) -> String {
        let [x, y, u, w] = self.start;
        format!(
            "[phase.phi]\nrate = 1.7\nperiod = \"2*pi\"\n[start]\nx = {x:?}\ny = {y:?}\nu = {u:?}\nw = {w:?}\nphi = 0\n"
        )
    }

    /// As a mechanical model.
    fn body(&self) -> String {
        let [a, b] = self.mass;
        let [p, q] = &self.force;
        let mut text = format!(
            "format = 1\nname = \"bodies\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = {{ diagonal = [{a:?}, {b:?}] }}\nh = [\"{p}\", \"{q}\"]\n"
        );
        for (k, (gap, e)) in self.contacts.iter().enumerate() {
            text += &format!("[contacts.c{k}]\ngap = \"{}\"\nrestitution = {e:?}\n", gap.formula());
        }
        text + &self.end()
    }

    /// As a flow whose jumps are those of the impacts.
    fn flow(&self) -> String {
        let [a, b] = self.mass;
        let [p, q] = &self.force;
        let mut text = format!(
            "format = 1\nname = \"flow\"\n[flow]\nx = \"u\"\ny = \"w\"\nu = \"({p})/{a:?}\"\nw = \"({q})/{b:?}\"\n"
        );
        for (k, (gap, e)) in self.contacts.iter().enumerate() {
            let jump = match gap {
                Gap::First => format!("u = \"-{e:?}*u\""),
                Gap::Second => format!("w = \"-{e:?}*w\""),
                Gap::Between => {
                    let shares = [b, a].map(|other| (1.0 + e) * other / (a + b));
                    format!("u = \"u + {:?}*(w - u)\", w = \"w - {:?}*(w - u)\"", shares[0], shares[1])
                }
            };
            text += &format!("[contacts.c{k}]\ngap = \"{}\"\njump = {{ {jump} }}\n", gap.formula());
        }
        text + &self.end()
    }
}

/// A trajectory to its end, or to where it is followed impact by impact for very long.
fn followed(text: &str) -> Option<Run> {
    let (system, values) = parse(text);
    let motion = Motion::new(&system, &values, Settings { until: 3.0, ..Settings::default() });
    let mut steps = 0;
    let run = motion.expect("the start is admissible").run(false, |_| {
        steps += 1;
        steps < MOST_STEPS
    });
    (run.ended != Ended::Interrupted).then_some(run)
}

/// A trajectory of a member is not followed beyond so many steps.
const MOST_STEPS: usize = 20_000;

/// How many members are alike in both forms to their end, and what differs.
fn compare(seed: u64, members: usize) -> (usize, Vec<String>) {
    let mut random = Random(seed);
    let (mut alike, mut differ) = (0, Vec::new());
    for member in 0..members {
        let bodies = drawn(&mut random);
        let texts = [bodies.body(), bodies.flow()];
        let [Some(body), Some(flow)] = texts.clone().map(|text| followed(&text)) else { continue };
        // A flow says nothing of an impact that others pass on.
        let together = matches!(flow.ended, Ended::ContactsTogether { .. });
        if together || [&body, &flow].iter().all(|run| run.ended != Ended::ReachedTime) {
            continue;
        }
        let off = flow.state[..4].iter().zip(&body.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        match flow.ended == body.ended && off < 1e-8 {
            true => alike += 1,
            false => differ.push(format!("member {member}: {flow:?} and {body:?}\n{}\n{}", texts[0], texts[1])),
        }
    }
    (alike, differ)
}

#[test]
fn flows_and_bodies_are_the_same_trajectories() {
    let (alike, differ) = compare(1, 200);
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(alike > 120, "{alike} of 200 to their end");
}

/// The same for many members: `cargo test --workspace --test all five_thousand_flows -- --ignored`. Where forces just reach the limit of what holds, rounding decides for one form and not for the
/// other (`docs/limits.md`): one member in a thousand.
#[test]
#[ignore = "takes two minutes"]
fn five_thousand_flows_and_bodies_are_the_same_trajectories() {
    let (alike, differ) = compare(2, 5000);
    assert!(alike > 3000 && differ.len() <= 5, "{alike} alike; {}", differ.join("\n"));
}
