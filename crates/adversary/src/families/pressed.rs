//! Bodies pressed on a surface by an oscillating force, which leave where it vanishes; oracles: the time at which they leave, in closed form, and all others.

use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;
use crate::digits::Against;
use crate::examine::examine;
use crate::family::{Family, Outcome, Watch};
use crate::subject::Subject;
use saltation_motion::EventKind;

/// The family.
pub const PRESSED: Family = Family {
    name: "pressed",
    about: "bodies pressed on a surface by an oscillating force: the time of release in closed form, laws, other words",
    every: 1,
    examine: drawn,
};

/// A block with (q0, q1) = (along, above) a floor, pressed by c + A cos(w t), drawn along by a force or carried by a belt.
fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let kind = dice.below(3);
    let masses: &[&str] = if kind == 0 { &["m"] } else { &["k", "m"] };
    let press = "-c - A*cos(phi)";
    let pull = dice.of_list(&["0", "B*sin(2*phi)", "B", "B*(s - q0)"]);
    let mut body = if kind == 0 { Body::new(masses, &[press]) } else { Body::new(masses, &[pull, press]) };
    let y = body.degrees() - 1;
    body.rate = Some(body.number("w", dice.scale(0.3, 5.0)));
    body.number("m", dice.scale(0.3, 3.0));
    body.number("k", dice.scale(0.3, 3.0));
    let share = dice.between(-0.9, 0.95);
    let most = dice.scale(0.2, 5.0);
    body.number("A", most);
    body.number("c", share * most);
    body.number("B", dice.between(-1.0, 1.0));
    body.number("s", 0.1);
    let mu = body.number("mu", dice.between(0.05, 1.0));
    let restitution = body.number("e", dice.of_list(&[0.0, 0.2, 0.6, 0.9]));
    let factor = body.number("f", dice.scale(0.3, 3.0));
    let belt = body.number("belt", dice.between(-1.0, 1.0));
    let moves = dice.chance(0.3);
    let belt = |factor: &str| if moves { format!("{factor}*{belt}") } else { "0".to_string() };
    let friction = |factor: &str| {
        let track = format!("{factor}*q0");
        (kind > 0).then(|| Friction { track, belt: belt(factor), mu: mu.clone() })
    };
    body.contacts.push(Contact { gap: format!("{factor}*q{y}"), restitution, friction: friction(&factor) });
    if kind == 2 && dice.chance(0.5) {
        // A second foot under the same body: redundant from the start.
        body.contacts.push(Contact { gap: format!("q{y}"), restitution: "e".to_string(), friction: friction("1") });
    }
    if kind > 0 && dice.chance(0.5) {
        let speed = dice.between(-2.0, 2.0);
        body.start[y + 1] = body.number("u", speed);
    }
    body.until = 15.0 / body.value("w");
    examine(&body, &[("release", |subject, dice| release(subject, dice).map(Against::law))], dice, watch)
}

/// The body presses as long as c + A cos(w t) > 0, so that it leaves at acos(-c/A)/w.
fn release(subject: &Subject, _: &mut Dice) -> Option<String> {
    let body = &subject.body;
    let [c, most, w] = ["c", "A", "w"].map(|name| body.value(name));
    let vanishes = c + most > 0.0 && c.abs() < most && w > 0.0;
    if body.contacts.is_empty() || !vanishes {
        return None;
    }
    let leaves = (-c / most).acos() / w;
    let reported = subject.base.run.first(EventKind::Release).map(|event| event.time);
    match reported {
        Some(time) if (time - leaves).abs() <= 1e-9 * leaves => None,
        None if body.until < leaves || subject.base.run.time < leaves => None,
        reported => Some(format!("leaves at {reported:?}, and should at {leaves:?}")),
    }
}
