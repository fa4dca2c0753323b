//! Impacts of several contacts that have a solution: cradles, polygons on their flat sides, columns of many balls, and nonunique impulses.

use crate::common::{assert_close, model, of_kind, parse, run};
use saltation_model::{Overrides, Values};
use saltation_motion::{Coefficient, Ended, EventKind, FlowChoice, Motion, Run, Settings, System};

/// A model with two contacts in the other order.
fn swapped(name: &str) -> (System, Values) {
    let path = format!("{}/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let [first, second, behind] =
        ["[contacts.c0]", "[contacts.c1]", "[impacts]"].map(|table| text.find(table).unwrap());
    assert!(first < second && second < behind);
    let order = [&text[..first], &text[second..behind], &text[first..second], &text[behind..]].concat();
    parse(&order)
}

/// n balls of radius 0.1 above each other with gaps between them, the lowest `height` above the ground.
fn column(n: usize, height: f64, gap: f64, restitution: f64) -> (System, Values) {
    let list = |item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "format = 1\nname = \"column\"\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n[impacts]\ntogether = \"lcp\"\n",
        list(&|i| format!("\"x{i}\"")),
        list(&|i| format!("\"v{i}\"")),
        list(&|_| "1".to_string()),
        list(&|_| "\"-9.81\"".to_string())
    );
    text += &format!("[contacts.ground]\ngap = \"x0 - 0.1\"\nrestitution = {restitution}\n");
    for i in 1..n {
        text += &format!("[contacts.c{i}]\ngap = \"x{i} - x{} - 0.2\"\nrestitution = {restitution}\n", i - 1);
    }
    text += "[start]\n";
    for i in 0..n {
        text += &format!("x{i} = {:?}\nv{i} = 0\n", 0.1 + height + i as f64 * (0.2 + gap));
    }
    parse(&text)
}

/// The first ball of a cradle meets three that stay together: by Newton's and by Poisson's law with e = 1 it keeps half of its speed, and all swing with
/// x'' + c/m x' + g/L x = 0. So they meet again at x = 0 after every half period, and lose speed by damping only.
#[test]
fn a_cradle_of_four_balls_swings_on() {
    let (damping, square) = (0.5 * 1e-3 / 0.05, 9.81 / 0.2);
    let rate = f64::sqrt(square - damping * damping);
    for name in ["cradle-newton", "cradle-poisson"] {
        let (system, values) = model(name);
        let found = run(&system, &values, 8.0);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        let impacts = of_kind(&found, EventKind::Impact);
        assert!(impacts.len() >= 17, "{name}");
        let half = std::f64::consts::PI / rate;
        for pair in impacts.windows(2) {
            assert_close(pair[1].time - pair[0].time, half, 1e-10);
            assert_close(pair[1].speed_before / pair[0].speed_before, (-damping * half).exp(), 1e-9);
        }
    }
}

/// Polygons that come to rest on a flat side, after rattling on its two corners ever faster.
#[test]
fn polygons_come_to_rest_on_their_flat_sides() {
    for (name, corners) in [("polygon-573", [0, 1]), ("polygon-234", [0, 2])] {
        let (system, values) = model(name);
        let found = run(&system, &values, 3.0);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        assert!(found.closed.iter().eq(corners), "{name}");
        // Both corners lie on the ground: y + r sin(p + angle) = 0.
        let mut motion = Motion::new(&system, &values, Settings { until: 3.0, ..Settings::default() }).unwrap();
        while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {}
        let weight: f64 = corners.iter().map(|&c| motion.contact_force(c)).sum();
        let mass = if name == "polygon-573" { 1.0865 } else { 1.7869 };
        assert_close(weight, mass * 9.81, 1e-9);
        let (y, p) = (motion.state()[1], motion.state()[2]);
        let gaps = match name {
            "polygon-573" => [y + 0.2751 * (p + 6.396169).sin(), y + 0.3121 * (p + 8.273428).sin()],
            _ => [y + 0.2477 * (p + 6.255214).sin(), y + 0.1795 * (p + 9.684301).sin()],
        };
        assert!(gaps.iter().all(|gap| gap.abs() < 1e-12), "{name} {gaps:?}");
    }
}

/// Three forces that compress act on two velocities, and Poisson's law gives back a part of them: the forces of least norm, in any order of the contacts.
#[test]
fn impulses_that_are_not_unique_do_not_depend_on_the_order_of_contacts() {
    let runs: Vec<Run> = [model("poisson-order"), swapped("poisson-order")]
        .iter()
        .map(|(system, values)| run(system, values, 1.9))
        .collect();
    let impacts: Vec<_> = runs.iter().map(|run| of_kind(run, EventKind::Impact)).collect();
    assert!(impacts[0].len() == impacts[1].len() && impacts[0].len() == 2);
    for (one, other) in impacts[0].iter().zip(&impacts[1]) {
        assert_close(one.time, other.time, 1e-12);
        one.after.iter().zip(&other.after).for_each(|(x, y)| assert_close(*x, *y, 1e-12));
    }
    // It is said.
    assert!(impacts[0][1].choice.is_some_and(|choice| choice.impulses && choice.solutions == 1));
    assert_eq!(impacts[0][0].choice, None);
}

#[test]
fn one_solution_of_poissons_law_is_found_by_every_flow() {
    let (system, values) = model("false-inconsistent");
    let ends = [FlowChoice::Taylor, FlowChoice::Automatic].map(|flow| {
        let settings = Settings { until: 8.0, flow, ..Settings::default() };
        let found = Motion::new(&system, &values, settings).unwrap().run(true, |_| true);
        assert_eq!(found.ended, Ended::ReachedTime);
        found.events.last().unwrap().time
    });
    assert_close(ends[0], ends[1], 1e-8);
}

/// A column that falls as one bounces as one ball by Newton's law with equal coefficients, and comes to rest with all its weight on the ground.
#[test]
fn a_column_of_many_balls_comes_to_rest() {
    for (balls, height, gap) in [(20, 0.05, 0.01), (40, 0.05, 0.0), (120, 0.0, 0.0)] {
        let (system, values) = column(balls, height, gap, 0.5);
        let mut motion = Motion::new(&system, &values, Settings { until: 2.0, ..Settings::default() }).unwrap();
        let ended = loop {
            if let saltation_motion::Happening::Ended(ended) = motion.advance() {
                break ended.clone();
            }
        };
        assert_eq!(ended, Ended::ReachedTime, "{balls} balls");
        assert_eq!(motion.closed().iter().count(), balls);
        for contact in 0..balls {
            let above = (balls - contact) as f64 * 9.81;
            assert_close(motion.contact_force(contact), above, 1e-9 * above);
        }
    }
}

/// Two contacts that are the same carry the load of one, half each.
#[test]
fn contacts_that_are_the_same_twice_change_nothing() {
    let text = |second: &str| {
        format!(
            "format = 1\nname = \"ball\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[2]]\nh = [\"-19.62\"]\n[impacts]\ntogether = \"lcp\"\n\
             [contacts.floor]\ngap = \"x\"\nrestitution = 0.5\n{second}[start]\nx = 1\nv = 0\n"
        )
    };
    let ends = ["", "[contacts.again]\ngap = \"x\"\nrestitution = 0.5\n"].map(|second| {
        let (system, values) = parse(&text(second));
        let found = run(&system, &values, 3.0);
        assert_eq!(found.ended, Ended::ReachedTime);
        (found.end_time_of_impacts(), found.closed.iter().count())
    });
    assert_close(ends[0].0, ends[1].0, 1e-10);
    assert_eq!((ends[0].1, ends[1].1), (1, 2));
}

/// The time of the last impact or the end of the chattering, whichever is later.
trait Impacts {
    fn end_time_of_impacts(&self) -> f64;
}

impl Impacts for Run {
    fn end_time_of_impacts(&self) -> f64 {
        let sticks = self.events.iter().filter(|event| event.kind == EventKind::Stick);
        sticks.map(|event| event.time).fold(0.0, f64::max)
    }
}

#[test]
fn a_coefficient_of_friction_that_becomes_negative_ends_the_motion() {
    let text = "format = 1\nname = \"sled\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"u\"]\nM = { diagonal = [1, 1] }\nh = [\"1\", \"-10\"]\n\
                [contacts.ice]\ngap = \"y\"\nrestitution = 0\ntrack = \"x\"\nfriction = { law = \"coulomb\", mu = \"0.05 - 0.1*x\" }\n[start]\nx = 0\ny = 0\nv = 1\nu = 0\n";
    let model = saltation_model::Model::parse(text, "sled.toml").unwrap();
    let values = model.values(&Overrides::default()).unwrap();
    let found = run(&System::new(&model), &values, 10.0);
    assert!(
        matches!(found.ended, Ended::OutOfRange { contact: 0, coefficient: Coefficient::Friction, value } if value < 0.0),
        "{:?}",
        found.ended
    );
}

/// The value of a parameter of a model.
fn parameter(system: &System, values: &Values, name: &str) -> f64 {
    let at = system.model().parameters.iter().position(|parameter| parameter.name == name).expect("the model has it");
    values.parameters()[at]
}

/// A block on three feet, forces of which are one choice of many: none of them is left, pressed unevenly for six units of time, as rigid bodies
/// have it; and all of them slip together when the load exceeds mu N, whatever each of them carries.
#[test]
fn a_block_on_three_feet_keeps_them_all() {
    let (system, values) = model("three-feet");
    let held = run(&system, &values, 6.0);
    assert_eq!(held.ended, Ended::ReachedTime);
    assert_eq!(held.events.len(), 3, "{:?}", held.events.iter().map(|event| event.kind).collect::<Vec<_>>());
    assert!(held.events.iter().all(|event| event.kind == EventKind::Stick && event.time == 0.0));

    let (system, values) = model("three-feet-slip");
    let [m, g, mu, a, b, w] = ["m", "g", "mu", "A", "B", "w"].map(|name| parameter(&system, &values, name));
    let until = 1.2;
    let slid = run(&system, &values, until);
    assert_eq!(slid.ended, Ended::ReachedTime);
    assert_eq!(system.mode_name(slid.closed), "slip+:c0,slip+:c1,slip+:c2");
    // B cos(w t) = mu (m g - A sin(w t)) at the onset; then the momentum is the integral of their difference.
    let load = |t: f64| b * (w * t).cos() - mu * (m * g - a * (w * t).sin());
    let onset = slid.events.iter().map(|event| event.time).fold(0.0, f64::max);
    assert_close(load(onset), 0.0, 1e-12);
    let momentum = |t: f64| b / w * (w * t).sin() - mu * (m * g * t + a / w * (w * t).cos());
    assert_close(m * slid.state[3], momentum(until) - momentum(onset), 1e-11);
}

/// A disc between two planes sticks at both as long as some forces in the cones balance it. At the onset of slip both are at the edges that resist the
/// rotation, which gives its time in closed form. Their tangents are not parallel, so that their friction does not simply add up.
#[test]
fn a_disc_in_a_wedge_slips_at_the_edge_of_its_cones() {
    let (system, values) = model("wedge-disc");
    let [m, g, w, b, c, radius, angle, left, right] =
        ["m", "g", "w", "B", "C", "R", "b", "mua", "mub"].map(|name| parameter(&system, &values, name));
    let found = run(&system, &values, 0.64);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert_eq!(system.mode_name(found.closed), "slip-:c0,slip-:c1");
    // With -cos(phi) = k all forces are k times these: moments, forces along x, friction at both edges; k follows from the weight.
    let (sin, cos) = angle.sin_cos();
    let friction = c / radius;
    let difference = (b - cos * friction) / sin;
    let first = (friction + right * difference) / (left + right);
    let second = first - difference;
    let k = m * g / (cos * (first + second) + sin * (right * second - left * first));
    let onset = found.events.iter().map(|event| event.time).fold(0.0, f64::max);
    assert_close(onset, (-k).acos() / w, 1e-11);
}

/// Contacts that strike one after another without end: a body that rocks between plastic corners and bounces on a third, and one that chatters on one foot in
/// every flight of another. The end agrees with Aitken's extrapolation of the times of impact, and with Taylor steps.
#[test]
fn contacts_that_chatter_against_each_other_come_to_rest() {
    // Contact 0 bounces within the flights of the others.
    for (name, until) in [("rocking-plastic", 1.2), ("wedge-chatter", 1.0)] {
        let (system, values) = model(name);
        let found = run(&system, &values, until);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        assert!(found.events.len() < 1000, "{name}: {} events", found.events.len());
        let chatters = of_kind(&found, EventKind::Chatter);
        let chatter = chatters.iter().rfind(|event| event.contact != Some(0)).expect(name);
        let leader = chatter.contact;
        let strikes = found.events.iter().filter(|e| e.contact == leader && e.time <= chatter.time);
        let strikes =
            strikes.filter(|e| matches!(e.kind, EventKind::Impact | EventKind::Chatter) && e.speed_before < 0.0);
        let times: Vec<f64> = strikes.map(|event| event.time).collect();
        let [.., a, b, c] = times[..] else { panic!("{name}: {times:?}") };
        let limit = c + (c - b).powi(2) / ((b - a) - (c - b));
        assert_close(chatter.end(), limit, 1e-2 * (limit - c) + 1e-9);
        let taylor = Settings { until, flow: FlowChoice::Taylor, longest_step: 0.01, ..Settings::default() };
        let other = Motion::new(&system, &values, taylor).unwrap().run(false, |_| true);
        assert_eq!(other.closed, found.closed, "{name}");
        found.state.iter().zip(&other.state).for_each(|(&x, &y)| assert_close(x, y, 1e-8));
    }
}

/// Two balls that fall alike, the lower one held by the ground: the upper one comes back to its height and falls past it.
#[test]
fn bodies_that_fall_alike_do_not_touch() {
    let (system, values) = model("falling-alike");
    let found = run(&system, &values, 0.24);
    assert_eq!(found.ended, Ended::ReachedTime);
    // q = (q0, q1) with q0 = 0.758 Q0 - 0.189 Q1 = 0 and q1 = 0.106 Q0 + 1.037 Q1 = 1 + t - 4.9 t^2.
    let [a, b] = [found.state[0], found.state[1]];
    assert_close(0.7584323471175337 * a - 0.18931823082895566 * b, 0.0, 1e-14);
    assert_close(0.10648674357238302 * a + 1.0365128300351756 * b, 1.0 + 0.24 - 4.9 * 0.24 * 0.24, 1e-13);
}

/// Impulses that are one choice of many may lie at the edges of cones: then they solve the equations of slip, whose friction is known.
#[test]
fn a_corner_that_strikes_a_second_wall_does_not_close_faster() {
    let (system, values) = model("corner-struck");
    let found = run(&system, &values, 2.1);
    assert_eq!(found.ended, Ended::ReachedTime);
    let impacts = of_kind(&found, EventKind::Impact);
    assert!(impacts.len() > 20);
    for event in impacts {
        assert!(event.speed_after >= -1e-12 * event.speed_before.abs(), "{} at {}", event.speed_after, event.time);
    }
}

/// The load of a flat body moves to its last foot, where m g - A sin(w t) at the lever 0.7 just balances C sin(2 w t); then it tips.
#[test]
fn a_flat_body_tips_about_its_last_foot() {
    let (system, values) = model("flat-body-tips");
    let found = run(&system, &values, 0.19);
    assert_eq!(found.ended, Ended::ReachedTime);
    let moment = |t: f64| 0.7 * (0.6 - 3.0 * t.sin()) - 0.2 * (2.0 * t).sin();
    let (mut low, mut high) = (0.0, 0.2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if moment(middle) > 0.0 { low = middle } else { high = middle }
    }
    let released = of_kind(&found, EventKind::Release);
    assert!(released.len() == 2 && released.iter().all(|event| event.contact != Some(1)));
    released.iter().for_each(|event| assert_close(event.time, low, 1e-12));
}

/// Where a corner of the forces is degenerate every generator may be the next that carries.
#[test]
fn a_disc_between_rough_walls_stays() {
    let (system, values) = model("disc-in-corner");
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert!(found.state[3..6].iter().all(|v| v.abs() < 1e-12), "{:?}", found.state);
    assert_eq!(found.closed.iter().count(), 2);
}

/// The force between bodies that move alike is nothing but rounding, whose series allows no step.
#[test]
fn bodies_of_one_nonlinear_law_go_on_alike() {
    let (system, values) = model("pendulums-alike");
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    let short = Settings { until: 3.0, longest_step: 0.01, ..Settings::default() };
    let other = Motion::new(&system, &values, short).unwrap().run(false, |_| true);
    found.state.iter().zip(&other.state).for_each(|(&x, &y)| assert_close(x, y, 1e-9));
    assert_close(found.state[1], found.state[2], 1e-14);
    assert_close(found.state[2], found.state[3], 1e-14);
}

/// Impacts that follow each other within rounding of time are distinguished by gaps with full accuracy.
#[test]
fn a_collapse_does_not_depend_on_coordinates() {
    let events = |name: &str| {
        let (system, values) = model(name);
        let found = run(&system, &values, 0.53);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        found.events.into_iter().map(|event| (event.kind, event.contact, event.time)).collect::<Vec<_>>()
    };
    let (plain, skewed) = (events("column-collapse"), events("column-collapse-skewed"));
    assert!(plain.len() > 30);
    assert_eq!(plain.len(), skewed.len());
    for (a, b) in plain.iter().zip(&skewed) {
        assert_eq!((a.0, a.1), (b.0, b.1), "at {}", a.2);
        assert_close(a.2, b.2, 1e-9);
    }
}

/// A light ball between two heavy ones bounces without loss on the lower and hardly at all on the upper one, in flights that soon take no time that numbers
/// resolve. The three then move as one, with the momentum that they had, in any units.
#[test]
fn a_ball_that_is_squeezed_comes_to_rest_between_its_neighbours() {
    let masses = [0.57, 2.0, 0.33, 2.0];
    let heights = [0.68, 1.1501757876479162, 1.1501757876479162, 1.2381618032825917];
    let found = |length: f64, time: f64| {
        let (mut mass, mut force, mut start) = (Vec::new(), Vec::new(), String::new());
        for (i, (m, q)) in masses.iter().zip(heights).enumerate() {
            mass.push(format!("{m:?}"));
            force.push(format!("\"-{:?}\"", m * 9.8 * time * time / length));
            start += &format!("q{i} = {:?}\nv{i} = 0\n", q / length);
        }
        let mut contacts = String::new();
        for (i, restitution) in [0.5, 0.43, 1.0, 0.005].into_iter().enumerate() {
            let below = if i > 0 { format!(" - q{}", i - 1) } else { String::new() };
            contacts += &format!("[contacts.c{i}]\ngap = \"q{i}{below}\"\nrestitution = {restitution:?}\n");
        }
        let (system, values) = parse(&format!(
            "format = 1\nname = \"squeezed\"\nimpacts = {{ together = \"lcp\", law = \"poisson\" }}\n[mechanics]\n\
             coordinates = [\"q0\", \"q1\", \"q2\", \"q3\"]\nvelocities = [\"v0\", \"v1\", \"v2\", \"v3\"]\n\
             M = {{ diagonal = [{}] }}\nh = [{}]\n{contacts}[start]\n{start}",
            mass.join(", "),
            force.join(", ")
        ));
        run(&system, &values, 0.502 / time)
    };
    let momentum =
        |v: &[f64]| (1..4).map(|i| masses[i] * v[4 + i]).sum::<f64>() / (1..4).map(|i| masses[i]).sum::<f64>();
    for (length, time) in [(1.0, 1.0), (2.3e-5, 37000.0), (17.3, 0.061)] {
        let run = found(length, time);
        assert_eq!(run.ended, Ended::ReachedTime);
        assert_eq!(run.closed.iter().collect::<Vec<_>>(), [2, 3]);
        let chatter = of_kind(&run, EventKind::Chatter);
        assert_eq!(chatter.len(), 1);
        assert_close(chatter[0].time * time, 0.501371106909, 1e-11);
        let first = run.events.iter().find(|event| event.time * time > 0.5013 && event.contact == Some(2)).unwrap();
        let common = momentum(&first.before) - 9.8 * (chatter[0].time - first.time) * time * time / length;
        let stuck = run.events.iter().rfind(|event| event.kind == EventKind::Stick).unwrap();
        (5..8).for_each(|i| assert_close(stuck.after[i] / common, 1.0, 1e-9));
    }
}

/// What comes to rest at one contact keeps its motion at others: no velocity jumps without an impact.
#[test]
fn contacts_that_come_to_rest_take_no_motion_away() {
    let (system, values) = model("corner-rocks");
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert!(found.events.len() > 1500 && found.state[3..].iter().all(|v| v.abs() < 1e-12));
    for pair in found.events.windows(2) {
        let [first, second] = pair else { continue };
        if first.time == second.time && matches!(second.kind, EventKind::Slip | EventKind::Stick) {
            (3..6).for_each(|i| assert_close(second.after[i], first.after[i], 1e-6));
        }
    }
}

/// A motion that is nothing but rounding allows any step; no unit of length makes it too short.
#[test]
fn a_disc_rests_in_any_unit() {
    let (system, values) = model("disc-in-corner-small");
    let found = run(&system, &values, 26.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert_eq!(found.closed.iter().count(), 2);
    assert!(found.state[3..].iter().all(|v| v.abs() < 1e-12), "{:?}", found.state);
}

/// The moment C sin(2 w t) has to be carried by a foot with friction, and the one with the shorter lever rubs more: that way is taken, in any order of
/// contacts, although no foot rubs at first. m v' = cos(w t) - mu N with N = sin(2 w t)/(mu h - x).
#[test]
fn a_load_that_rises_from_zero_does_not_depend_on_the_order_of_contacts() {
    let name = "three-feet-load-rises";
    for (system, values) in [model(name), swapped(name)] {
        let found = run(&system, &values, 0.1);
        assert_eq!(found.ended, Ended::ReachedTime);
        let (w, lever) = (0.6, 0.4 - 0.14579101416092255);
        let impulse = f64::sin(w * 0.1) / w - (1.0 - f64::cos(2.0 * w * 0.1)) / (2.0 * w * lever);
        assert_close(found.state[3], impulse / 0.5, 1e-12);
    }
}

/// Of three feet in line only the second one has friction, and holds as much of the load as the first one leaves to it, or as the third one does. When its stick
/// ends it rubs with all of that load, in any order of contacts: the body begins to slide with no acceleration, m v' = B cos(w t) - mu N with
/// N = (m g - A sin(w t)) x0/(x0 - x1 + mu h), and its speed is zero by definition, whatever rounding has left of it.
#[test]
fn a_stick_that_ends_does_not_depend_on_the_order_of_contacts() {
    let [w, mass, lift, pull, height] = [3.0, 0.5, 1.0, 0.927, 0.06];
    let feet = [1.0, -0.2, -0.19531340158978572];
    let share = feet[0] / (feet[0] - feet[1] + height);
    // v' = 0 where the stick ends.
    let rate = |t: f64| pull * f64::cos(w * t) - (mass - lift * f64::sin(w * t)) * share;
    let (mut low, mut high) = (1.9, 1.92);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if rate(middle) > 0.0 { high = middle } else { low = middle }
    }
    let (begins, until) = (low, 1.92);
    let sine = f64::sin(w * until) - f64::sin(w * begins);
    let cosine = f64::cos(w * until) - f64::cos(w * begins);
    let speed = (pull * sine / w - (mass * (until - begins) + lift * cosine / w) * share) / mass;
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1]] {
        let mut text = format!(
            "format = 1\nname = \"feet\"\nimpacts = {{ together = \"lcp\", law = \"poisson\" }}\n[phase.phi]\nrate = {w:?}\nperiod = \"2*pi\"\n\
             [mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\nvelocities = [\"v0\", \"v1\", \"v2\"]\n\
             M = {{ diagonal = [{mass:?}, {mass:?}, 1] }}\nh = [\"{pull:?}*cos(phi)\", \"-{mass:?} + {lift:?}*sin(phi)\", \"0*sin(2*phi)\"]\n"
        );
        for k in order {
            let x = feet[k];
            let gap = format!("q1 + {x:?}*sin(q2) - {height:?}*cos(q2)");
            text += &format!("[contacts.c{k}]\ngap = \"{gap}\"\nrestitution = 0\n");
            if k == 1 {
                let track = format!("q0 + {x:?}*cos(q2) + {height:?}*sin(q2)");
                text += &format!("track = \"{track}\"\nfriction = {{ law = \"coulomb\", mu = 1 }}\n");
            }
        }
        text += &format!("[start]\nq0 = 0\nq1 = {height:?}\nq2 = 0\nv0 = 0\nv1 = 0\nv2 = 0\nphi = 0\n");
        let (system, values) = parse(&text);
        let found = run(&system, &values, until);
        assert_eq!(found.ended, Ended::ReachedTime, "{order:?}");
        assert_close(found.state[3], speed, 1e-9 * speed);
    }
}

/// Once two feet of a flat body are in persistent contact the third is, too: it is closed with them, although the gap of its last flight is a rounding error.
#[test]
fn feet_that_others_hold_come_to_rest_with_them() {
    for name in ["feet-come-to-rest", "feet-come-to-rest-skewed"] {
        let (system, values) = model(name);
        let found = run(&system, &values, 0.21);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        let rest = found.events.iter().rposition(|event| event.kind == EventKind::Impact).unwrap();
        assert_close(found.events[rest].time, 0.20019008, 1e-7);
        // Nothing else happens until the load tips the body or not, which is one choice of many and known as such.
        assert!(found.closed.iter().eq([0, 1, 2]), "{name}: {:?}", found.closed);
    }
}

/// A corner that has come to rest between two walls is pinned. What strikes a wall then rebounds with its own restitution, in any units.
#[test]
fn a_pinned_corner_does_not_depend_on_units() {
    let angle = |name: &str, time: f64, length: f64| {
        let (system, values) = model(name);
        let found = run(&system, &values, 1.5 / time);
        assert_eq!(found.ended, Ended::ReachedTime, "{name}");
        let last = found.events.iter().rfind(|event| event.kind == EventKind::Impact).unwrap();
        assert_close(last.speed_after / last.speed_before, -0.5, 1e-9);
        assert_close(last.time * time, 1.392466118611, 1e-9);
        found.state[2] * length
    };
    assert_close(angle("corner-pinned", 1.0, 1.0), angle("corner-pinned-units", 1.0, 17.3), 1e-8);
}

/// The slip that is left when a corner comes to rest is small beside the velocities that cancel in it, and is stopped by an impact without collision all the
/// same. At rest one corner of the body lies where both walls meet, and another on one of them.
#[test]
fn slip_that_is_small_beside_its_terms_is_stopped() {
    let (system, values) = model("corner-comes-to-rest");
    let found = run(&system, &values, 1.2);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert_eq!(system.mode_name(found.closed), "stick:c0,stick:c1,stick:c2");
    let [x, y, angle] = [0, 1, 2].map(|i| found.state[i]);
    assert!(found.state[3..].iter().all(|v| v.abs() < 1e-15));
    let number = |name: &str| parameter(&system, &values, name);
    let (r1, th1, r2, th2, b) = (number("r1"), number("th1"), number("r2"), number("th2"), number("b"));
    assert!((x + r1 * (angle + th1).cos()).abs() < 1e-14 && (y + r1 * (angle + th1).sin()).abs() < 1e-14);
    assert!((r2 * (angle + th2 - b).sin() - r1 * (angle + th1 - b).sin()).abs() < 1e-14);
}

/// Impacts late in a motion have times that are known to the last digit of the time, which is much beside the length of their sequence. It ends all the same,
/// where it ends at the default tolerance.
#[test]
fn a_short_sequence_late_in_a_motion_ends_at_any_tolerance() {
    let (system, values) = model("late-chatter");
    let rest = |tolerance: f64| {
        let settings = Settings { tolerance, until: 12.8, ..Settings::default() };
        let found = Motion::new(&system, &values, settings).unwrap().run(false, |_| true);
        assert_eq!(found.ended, Ended::ReachedTime, "{tolerance:e}");
        of_kind(&found, EventKind::Stick)[0].time
    };
    let default = rest(1e-12);
    for tolerance in [1e-13, 2e-14, 1e-16] {
        assert_close(rest(tolerance), default, 1e-11);
    }
}

/// Contacts that have come to rest after very many impacts may be struck open again. When they return there is an impact like any other: no velocity jumps
/// without one, but for what is rounding.
#[test]
fn a_flight_after_many_unresolved_ones_ends_with_an_impact() {
    let (system, values) = model("corner-strikes-again");
    let settings = Settings { until: 2.1, ..Settings::default() };
    let found = Motion::new(&system, &values, settings).unwrap().run(true, |_| true);
    assert_eq!(found.ended, Ended::ReachedTime);
    let strikes = |kind| matches!(kind, EventKind::Impact | EventKind::Chatter | EventKind::Graze);
    let path = found.trajectory.as_ref().unwrap();
    let pieces: Vec<_> = path.pieces().collect();
    let (mut before, mut after) = (found.state.clone(), found.state.clone());
    for pair in pieces.windows(2) {
        let time = pair[1].start;
        if found.events.iter().any(|event| strikes(event.kind) && (event.time == time || event.end() == time)) {
            continue;
        }
        pair[0].evaluate(pair[0].length, &mut before);
        pair[1].evaluate(0.0, &mut after);
        (3..6).for_each(|i| assert!((before[i] - after[i]).abs() < 1e-8, "{i} at {time}"));
    }
}

/// An eccentric disc that slips on both walls of a wedge turns past the place up to which, by its friction, the force of one wall alone would not keep the disc out of it. Both forces together
/// are regular there: the motion is that of a turn with the forces by Cramer's rule, in small steps.
#[test]
fn a_disc_slips_between_two_walls_past_the_loss_of_one_of_them() {
    let (system, values) = model("disc-slips-between-walls");
    let [start, end] = [1.15, 1.25].map(|until| run(&system, &values, until));
    assert_eq!((&start.ended, &end.ended), (&Ended::ReachedTime, &Ended::ReachedTime));
    assert!(end.closed.iter().all(|contact| end.closed.slip(contact).is_some()) && end.closed.iter().count() == 2);
    let number = |name: &str| values.parameters()[system.model().parameter(name).unwrap()];
    let [m, inertia, g, radius, r] = ["m", "J", "g", "R", "r"].map(number);
    let walls = [("a", "mua"), ("b", "mub")].map(|(angle, mu)| (number(angle), number(mu)));
    let dot = |x: [f64; 3], y: [f64; 3]| (x[0] * y[0] + x[1] * y[1]) / m + x[2] * y[2] / inertia;
    // The entry of the first wall alone, and the acceleration of the turn.
    let turn = |q: f64, v: f64| {
        let normal = walls.map(|(angle, _)| [-angle.sin(), angle.cos(), r * (q - angle).cos()]);
        let tangent = walls.map(|(angle, _)| [angle.cos(), angle.sin(), radius - r * (q - angle).sin()]);
        let pushed = [0, 1].map(|k| [0, 1, 2].map(|i| normal[k][i] + walls[k].1 * tangent[k][i]));
        let a = normal.map(|w| pushed.map(|push| dot(w, push)));
        let b = [0, 1].map(|k| -dot(normal[k], [0.0, -m * g, 0.0]) + r * (q - walls[k].0).sin() * v * v);
        let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        let forces = [(b[0] * a[1][1] - b[1] * a[0][1]) / determinant, (a[0][0] * b[1] - a[1][0] * b[0]) / determinant];
        assert!(forces.iter().all(|force| *force > 0.0) && v < 0.0);
        (a[0][0], (pushed[0][2] * forces[0] + pushed[1][2] * forces[1]) / inertia)
    };
    let (mut q, mut v) = (start.state[2], start.state[5]);
    let before = turn(q, v).0;
    let steps = 2000;
    let h = 0.1 / f64::from(steps);
    for _ in 0..steps {
        let rate = |x: f64, y: f64| [y, turn(x, y).1];
        let first = rate(q, v);
        let second = rate(q + 0.5 * h * first[0], v + 0.5 * h * first[1]);
        let third = rate(q + 0.5 * h * second[0], v + 0.5 * h * second[1]);
        let last = rate(q + h * third[0], v + h * third[1]);
        q += h / 6.0 * (first[0] + 2.0 * (second[0] + third[0]) + last[0]);
        v += h / 6.0 * (first[1] + 2.0 * (second[1] + third[1]) + last[1]);
    }
    assert!(before < -0.02 && turn(q, v).0 > 0.02, "{before} {}", turn(q, v).0);
    assert_close(end.state[2], q, 1e-11);
    assert_close(end.state[5], v, 1e-11);
}
