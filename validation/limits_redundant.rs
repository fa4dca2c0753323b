//! Contacts of which some carry nothing because others hold them: walls without play, and feet that share a load.

use crate::common::rough::Dice;
use crate::common::{assert_close, of_kind, parse, run};
use saltation_motion::{Ended, EventKind};

/// A body between two walls without any play stays where it is, pressed to the one or to the other by an oscillating force, whatever the phase at which it begins.
#[test]
fn a_body_between_two_walls_without_play_is_pressed_to_one_of_them() {
    let text = |phase: f64, walls: [&str; 2]| {
        format!(
            "format = 1\nname = \"pinned\"\n[phase.phi]\nrate = 2.7\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\n\
             h = [\"0.6*cos(phi + {phase:?}) - 2*x - x^3\"]\n[contacts.a]\ngap = \"{}\"\nrestitution = 0\n[contacts.b]\ngap = \"{}\"\nrestitution = 0\n\
             [start]\nx = -0.13\nv = 0\nphi = 0\n",
            walls[0], walls[1]
        )
    };
    let (low, high) = ("x + 0.13", "-0.13 - x");
    for (phase, until) in (0..25).map(|k| 0.25 * f64::from(k)).flat_map(|phase| [(phase, 0.01), (phase, 10.0)]) {
        let force = 0.6 * (2.7 * until + phase).cos() + 2.0 * 0.13 + 0.13_f64.powi(3);
        for (walls, pressed) in [([low, high], usize::from(force > 0.0)), ([high, low], usize::from(force < 0.0))] {
            let (system, values) = parse(&text(phase, walls));
            let found = run(&system, &values, until);
            assert_eq!(found.ended, Ended::ReachedTime, "{phase} {walls:?}");
            assert!(found.closed.iter().eq([pressed]), "{phase} {walls:?} until {until}: {:?}", found.closed);
            assert_close(found.state[0], -0.13, 1e-15);
        }
    }
}

/// How the feet of a bar rub.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rub {
    /// Not at all.
    Never,
    /// By a law with mu = 0, while they slip.
    Slipping,
    /// Enough to stick.
    Sticking,
}

/// A bar on feet at `feet`, in turned and sheared coordinates, under its weight and a torque sin(6 t) that rises; and the rows of these coordinates.
fn bar(dice: &mut Dice, feet: &[f64], rubs: &[Rub], weight: f64) -> (String, [[f64; 3]; 3]) {
    let (m, inertia, h) = (0.5, 1.0, 0.4);
    let turn: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j) + dice.between(-0.25, 0.25)));
    let masses = [m, m, inertia];
    let entry = |a: usize, b: usize| (0..3).map(|i| turn[i][a] * masses[i] * turn[i][b]).sum::<f64>();
    let row = |a: usize| format!("[{:?}, {:?}, {:?}]", entry(a, 0), entry(a, 1), entry(a, 2));
    let force = |a: usize| format!("\"{:?}*(-{weight:?}) + {:?}*sin(2*phi)\"", turn[1][a], turn[2][a]);
    let old = |i: usize| format!("({:?})*Q0 + ({:?})*Q1 + ({:?})*Q2", turn[i][0], turn[i][1], turn[i][2]);
    // A vector of the old coordinates in the new ones, by the adjugate.
    let minor = |a: usize, b: usize| {
        let [r, s] = [(a + 1) % 3, (a + 2) % 3];
        let [c, d] = [(b + 1) % 3, (b + 2) % 3];
        turn[r][c] * turn[s][d] - turn[r][d] * turn[s][c]
    };
    let determinant: f64 = (0..3).map(|j| turn[0][j] * minor(0, j)).sum();
    let speed = if rubs.contains(&Rub::Slipping) { 1.0 } else { 0.0 };
    let mut text = format!(
        "format = 1\nname = \"bar\"\nimpacts = {{ together = \"lcp\", law = \"newton\" }}\n[phase.phi]\nrate = 3.0\nperiod = \"2*pi\"\n\
         [definitions]\nq0 = \"{}\"\nq1 = \"{}\"\nq2 = \"{}\"\n[mechanics]\ncoordinates = [\"Q0\", \"Q1\", \"Q2\"]\nvelocities = [\"V0\", \"V1\", \"V2\"]\n\
         M = [{}, {}, {}]\nh = [{}, {}, {}]\n",
        old(0),
        old(1),
        old(2),
        row(0),
        row(1),
        row(2),
        force(0),
        force(1),
        force(2)
    );
    for (i, (x, &rub)) in feet.iter().zip(rubs).enumerate() {
        text += &format!("[contacts.c{i}]\ngap = \"q1 + ({x:?})*sin(q2) - {h:?}*cos(q2)\"\nrestitution = 0\n");
        if rub != Rub::Never {
            let mu = if rub == Rub::Sticking { 0.5 } else { 0.0 };
            text += &format!(
                "track = \"q0 + ({x:?})*cos(q2) + {h:?}*sin(q2)\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n"
            );
        }
    }
    text += "[start]\nphi = 0\n";
    for a in 0..3 {
        text +=
            &format!("Q{a} = {:?}\nV{a} = {:?}\n", h * minor(1, a) / determinant, speed * minor(0, a) / determinant);
    }
    (text, turn)
}

/// A bar on feet some of which are very near each other, under a torque that rises: one pair of feet carries it after the other, until all load is on the outermost foot,
/// at sin(6 t) = m g |x|. There all others are released at once, in any coordinates.
#[test]
fn the_outermost_of_near_feet_carries_the_bar_at_last() {
    for (seed, rub) in (40..60).flat_map(|seed| [Rub::Never, Rub::Slipping, Rub::Sticking].map(|rub| (seed, rub))) {
        let mut dice = Dice(seed);
        let outermost = -dice.between(0.3, 0.8);
        let count = 3 + dice.below(if rub == Rub::Never { 4 } else { 3 });
        let mut feet = vec![outermost, dice.between(0.0, 0.6)];
        while feet.len() < count {
            let beside = feet[dice.below(feet.len())];
            feet.push(beside + 10.0_f64.powf(dice.between(-7.0, -1.0)));
        }
        let last = dice.below(count);
        feet.swap(0, last);
        let (text, _) = bar(&mut dice, &feet, &vec![rub; count], 0.5);
        let release = (0.5 * -outermost).asin() / 6.0;
        let (system, values) = parse(&text);
        let found = run(&system, &values, release + 0.005);
        assert_eq!(found.ended, Ended::ReachedTime, "{seed} {rub:?} {feet:?}");
        let released = of_kind(&found, EventKind::Release);
        let mut contacts: Vec<usize> = released.iter().filter_map(|event| event.contact).collect();
        contacts.sort_unstable();
        assert!(contacts.into_iter().eq((0..count).filter(|&i| i != last)), "{seed} {rub:?} {feet:?}: {released:?}");
        for event in released {
            assert!((event.time - release).abs() < 1e-9, "{seed} {rub:?} {feet:?}: {} {release}", event.time);
        }
        assert!(found.closed.iter().eq([last]), "{seed} {rub:?} {feet:?}");
    }
}

/// Two contacts that are one carry nothing: the torque turns the bar and lifts both, at the sixth order of the time, whatever the coordinates.
#[test]
fn a_contact_without_load_opens_in_any_coordinates() {
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let (text, turn) = bar(&mut dice, &[0.0, 0.0], &[Rub::Never, Rub::Slipping], 0.0);
        let (system, values) = parse(&text);
        let until = 0.15_f64;
        let found = run(&system, &values, until);
        assert_eq!(found.ended, Ended::ReachedTime, "{seed}");
        assert!(found.closed.is_empty(), "{seed}: {:?}", found.closed);
        let angle: f64 = (0..3).map(|j| turn[2][j] * found.state[j]).sum();
        assert_close(angle, until / 6.0 - (6.0 * until).sin() / 36.0, 1e-13);
    }
}

/// A body that slides on three feet in line, of which the first is smooth and the others are close to each other. Its loads are one choice of many, with different friction: the
/// motion is that with the most, whatever the order of contacts, and the forces that are shown are those which move the body. By the balance of moments about the point below the
/// centre the smooth foot carries as little as it can, and nothing once the load lies between the other two.
#[test]
fn of_the_loads_of_a_sliding_body_those_with_the_most_friction_move_it_and_are_shown() {
    let (m, lift, pull, torque, h, mu, w) = (0.7, 3.0, 1.0, 0.21, 0.26, 0.3107748024427741, 0.5);
    let feet = [0.4970913338060011, -0.22572434848093773, -0.21288359505339405];
    let runs = [[0, 1, 2], [0, 2, 1], [2, 0, 1]].map(|order| {
        let mut text = format!(
            "format = 1\nname = \"slides\"\nimpacts = {{ together = \"lcp\", law = \"poisson\" }}\n[phase.phi]\nrate = {w:?}\nperiod = \"2*pi\"\n\
             [mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\nvelocities = [\"v0\", \"v1\", \"v2\"]\nM = {{ diagonal = [{m:?}, {m:?}, 0.3] }}\n\
             h = [\"{pull:?}*cos(phi)\", \"-{m:?} + {lift:?}*sin(phi)\", \"{torque:?}*sin(2*phi)\"]\n"
        );
        for k in order {
            let side = feet[k];
            text += &format!("[contacts.f{k}]\ngap = \"q1 + ({side:?})*sin(q2) - {h:?}*cos(q2)\"\nrestitution = 0\n");
            if k > 0 {
                let track = format!("q0 + ({side:?})*cos(q2) + {h:?}*sin(q2)");
                text += &format!("track = \"{track}\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n");
            }
        }
        text += &format!("[start]\nq0 = 0\nq1 = {h:?}\nq2 = 0\nv0 = 0\nv1 = 0\nv2 = 0\nphi = 0\n");
        let shown = ["v0", "force:f0", "force:f1", "force:f2"];
        let system = saltation::System::parse(&text, "slides").unwrap();
        let run = system.simulation().until(0.3225).every(5e-4).show(shown).run().unwrap();
        let samples = run.samples.as_ref().unwrap();
        ["time", "v0", "force:f0", "force:f1", "force:f2"].map(|name| samples.get(name).unwrap().to_vec())
    });
    for [times, speeds, f0, f1, f2] in &runs {
        let mut least = f64::INFINITY;
        for (k, &t) in times.iter().enumerate() {
            let weight = m - lift * (w * t).sin();
            let moment = |foot: f64| (mu * h - foot) * weight - torque * (2.0 * w * t).sin();
            let alone = |foot: f64| moment(foot) / (feet[0] - foot + mu * h);
            let wanted = alone(feet[1]).min(alone(feet[2])).max(0.0);
            least = least.min(wanted);
            assert_close(f0[k], wanted, 1e-9);
            assert_close(f0[k] + f1[k] + f2[k], weight, 1e-9);
            assert!(f1[k] > -1e-12 && f2[k] > -1e-12, "{t}: {} {}", f1[k], f2[k]);
            let balance: f64 = feet.iter().zip([f0[k], f1[k], f2[k]]).map(|(foot, force)| foot * force).sum();
            assert_close(balance - mu * h * (f1[k] + f2[k]) + torque * (2.0 * w * t).sin(), 0.0, 1e-9);
        }
        assert!(least == 0.0 && times.len() > 600);
        // The forces move the body: by Simpson's rule, but for the instant at which the load moves from one foot to another.
        let rate = |k: usize| (pull * (w * times[k]).cos() - mu * (f1[k] + f2[k])) / m;
        for k in (1..times.len() - 1).filter(|&k| (times[k] - 0.31866).abs() > 1e-3) {
            let moved = (times[k + 1] - times[k - 1]) / 6.0 * (rate(k - 1) + 4.0 * rate(k) + rate(k + 1));
            assert_close(speeds[k + 1] - speeds[k - 1], moved, 1e-12);
        }
    }
}

/// The load of a sliding bar moves from a smooth foot and a rough one onto that and another rough one beside it: these carry the bar alone until it tips, in any order of the
/// feet, although the smooth one and the far one could share the load with 0.3 % less friction. With the force C sin(2 w t)/|x| on the near foot and then the weight on both,
/// m v = (B/w) sin(w t) - mu (integral of that force).
#[test]
fn the_load_of_a_sliding_body_moves_to_the_foot_beside_in_any_order() {
    let feet = [("smooth", 0.0), ("near", -0.588), ("far", -0.59)];
    let (m, w) = (0.5, 3.0);
    let moves: f64 = (m * 0.588_f64).asin() / (2.0 * w);
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut text = format!(
            "format = 1\nname = \"slides\"\n[phase.phi]\nrate = {w:?}\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"x\", \"y\", \"a\"]\nvelocities = [\"u\", \"v\", \"s\"]\n\
             M = [[{m}, 0, 0], [0, {m}, 0], [0, 0, 0.2]]\nh = [\"cos(phi)\", \"-{m}\", \"sin(2*phi)\"]\n"
        );
        for (name, side) in order.map(|k: usize| feet[k]) {
            text += &format!("[contacts.{name}]\ngap = \"y + ({side:?})*sin(a)\"\nrestitution = 0\n");
            if name != "smooth" {
                let track = format!("x + ({side:?})*cos(a)");
                text += &format!("track = \"{track}\"\nfriction = {{ law = \"coulomb\", mu = 1 }}\n");
            }
        }
        text += "[start]\nx = 0\ny = 0\na = 0\nu = 0\nv = 0\ns = 0\nphi = 0\n";
        let (system, values) = parse(&text);
        let until = 0.0499;
        let found = run(&system, &values, until);
        let impulse = (1.0 - (2.0 * w * moves).cos()) / (2.0 * w * 0.588) + m * (until - moves);
        assert_eq!((&found.ended, found.closed.iter().count()), (&Ended::ReachedTime, 3), "{order:?}");
        assert_close(found.state[3], ((w * until).sin() / w - impulse) / m, 1e-12);
    }
}
