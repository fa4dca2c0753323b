//! Impact laws: random laws given by formulas, against closed-form flights with the law applied by hand.

use crate::common::{assert_close, parse, run};
use saltation_motion::{Coefficient, Ended, EventKind, Run};

const UNTIL: f64 = 3.0;

/// Pseudo-random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    /// A number between `low` and `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn below(&mut self, count: usize) -> usize {
        self.between(0.0, count as f64) as usize
    }
}

/// Where a body of mass 1 moves: under gravity above a floor, or on a spring beside a wall.
#[derive(Clone, Copy, Debug)]
enum Place {
    Gravity {
        g: f64,
    },
    /// p'' = -p, with a wall at p = c.
    Spring {
        c: f64,
    },
}

impl Place {
    fn gap(self) -> String {
        match self {
            Place::Gravity { .. } => "p".to_string(),
            Place::Spring { c } => format!("p - ({c:?})"),
        }
    }

    fn force(self) -> String {
        match self {
            Place::Gravity { g } => format!("{:?}", -g),
            Place::Spring { .. } => "-p".to_string(),
        }
    }

    /// The surface, and the acceleration there.
    fn surface(self) -> (f64, f64) {
        match self {
            Place::Gravity { g } => (0.0, -g),
            Place::Spring { c } => (c, -c),
        }
    }

    /// How long a flight lasts that leaves the surface at speed v; it comes back as fast.
    fn flight(self, v: f64) -> f64 {
        match self {
            Place::Gravity { g } => 2.0 * v / g,
            // p = R cos(t - t0): from the angle -atan2(v, c) to +atan2(v, c).
            Place::Spring { c } => 2.0 * v.atan2(c),
        }
    }

    /// State after a time in flight.
    fn fly(self, (p, q): (f64, f64), t: f64) -> (f64, f64) {
        match self {
            Place::Gravity { g } => (p + q * t - 0.5 * g * t * t, q - g * t),
            Place::Spring { .. } => (p * t.cos() + q * t.sin(), q * t.cos() - p * t.sin()),
        }
    }

    /// When a body that is dropped first hits, and how fast.
    fn drop(self, height: f64) -> (f64, f64) {
        match self {
            Place::Gravity { g } => ((2.0 * height / g).sqrt(), (2.0 * g * height).sqrt()),
            Place::Spring { c } => {
                let v = (height * (height + 2.0 * c)).sqrt();
                (v.atan2(c), v)
            }
        }
    }
}

/// A law: its formulas, and the speed after an impact at the speed u > 0.
struct Law {
    jump: String,
    restitution: Option<String>,
    after: Box<dyn Fn(f64) -> f64>,
}

fn law(dice: &mut Dice) -> Law {
    let (a, b) = (dice.between(0.2, 1.4), dice.between(0.3, 8.0));
    let r = dice.between(0.1, 0.9);
    let flow = |jump: String, after: Box<dyn Fn(f64) -> f64>| Law { jump, restitution: None, after };
    let body = |restitution: String, after: Box<dyn Fn(f64) -> f64>| Law {
        jump: format!("-({restitution})*q"),
        restitution: Some(restitution),
        after,
    };
    match dice.below(9) {
        // Saturating.
        0 => flow(format!("-{r:?}*tanh({b:?}*q)"), Box::new(move |u| r * (b * u).tanh())),
        // Not monotonic.
        1 => flow(format!("-{a:?}*q/(1 + ({b:?}*q)^2)"), Box::new(move |u| a * u / (1.0 + (b * u) * (b * u)))),
        2 => flow(format!("-{a:?}*q*exp(-{b:?}*q^2)"), Box::new(move |u| a * u * (-b * u * u).exp())),
        // Powers: slow impacts are thrown back faster, or as good as not.
        3 => {
            let (r, power) = if dice.below(2) == 0 {
                (dice.between(0.5, 0.9), dice.between(0.3, 0.8))
            } else {
                (r, dice.between(1.0, 2.0))
            };
            flow(format!("{r:?}*(-q)^{power:?}"), Box::new(move |u: f64| r * u.powf(power)))
        }
        4 => body(format!("{r:?}/(1 - {b:?}*q)"), Box::new(move |u| r * u / (1.0 + b * u))),
        // Nothing comes back from fast impacts, or less than nothing.
        5 => flow(format!("-{a:?}*q + {b:?}*q^3"), Box::new(move |u| a * u - b * u * u * u)),
        6 => body(format!("{r:?} + {b:?}*q"), Box::new(move |u| (r - b * u) * u)),
        7 => flow(
            format!("-{r:?}*q*(1 + tanh(20*(q + 0.5)))/2"),
            Box::new(move |u: f64| 0.5 * r * u * (1.0 + (20.0 * (0.5 - u)).tanh())),
        ),
        // Viscoelastic spheres.
        _ => {
            let c = dice.between(0.05, 0.3);
            body(format!("1 - {c:?}*(-q)^0.2"), Box::new(move |u: f64| u * (1.0 - c * u.powf(0.2))))
        }
    }
}

fn text(place: Place, law: &Law, height: f64) -> String {
    let (gap, force, start) = (place.gap(), place.force(), place.surface().0 + height);
    match &law.restitution {
        Some(r) => format!(
            "format = 1\nname = \"law\"\n[mechanics]\ncoordinates = [\"p\"]\nvelocities = [\"q\"]\nM = [[1]]\nh = [\"{force}\"]\n\
             [contacts.wall]\ngap = \"{gap}\"\nrestitution = \"{r}\"\n[start]\np = {start:?}\nq = 0\n"
        ),
        None => format!(
            "format = 1\nname = \"law\"\n[flow]\np = \"q\"\nq = \"{force}\"\n[contacts.wall]\ngap = \"{gap}\"\n\
             jump = {{ q = \"{}\" }}\n[start]\np = {start:?}\nq = 0\n",
            law.jump
        ),
    }
}

/// One impact of the motion by hand.
#[derive(Clone, Copy, Debug)]
struct Struck {
    time: f64,
    before: f64,
    after: f64,
    /// By how much an error at the beginning may have grown.
    growth: f64,
}

/// Where the impacts by hand lead.
#[derive(Debug)]
enum End {
    Time,
    /// The impacts end at this time.
    Rest(f64),
    /// Impacts follow each other by the thousand while time does not move.
    Standing,
    /// The law throws the body through the wall.
    Through,
}

/// The impacts up to [`UNTIL`].
fn by_hand(place: Place, law: &Law, height: f64) -> (Vec<Struck>, End) {
    let (mut time, mut u) = place.drop(height);
    let mut struck = Vec::new();
    let mut growth = 1.0_f64;
    // What the addition of times has lost.
    let mut lost = 0.0;
    let mut standing = 0;
    let pressed = place.surface().1 < 0.0;
    loop {
        if time > UNTIL {
            return (struck, End::Time);
        }
        let after = (law.after)(u);
        let slope = ((law.after)(u * 1.0001) - (law.after)(u * 0.9999)) / (2e-4 * u);
        growth *= slope.abs().max(1.0);
        struck.push(Struck { time, before: u, after, growth });
        if after < 0.0 {
            return (struck, End::Through);
        }
        // What is slow and becomes slower comes to rest; from too slow a start a law that accelerates takes too long to be followed.
        let vanishes = pressed && place.flight(after) <= 1e-17 * time;
        standing = if vanishes { standing + 1 } else { 0 };
        if vanishes && (after == 0.0 || (law.after)(after) < after) {
            return (struck, End::Rest(time));
        }
        if standing > 1000 {
            return (struck, End::Standing);
        }
        let step = place.flight(after) - lost;
        let next = time + step;
        lost = (next - time) - step;
        (time, u) = (next, after);
    }
}

fn differs(run: &Run, place: Place, struck: &[Struck], end: &End) -> Option<String> {
    let mut events =
        run.events.iter().filter(|e| matches!(e.kind, EventKind::Impact | EventKind::Chatter | EventKind::Graze));
    let mut known = struck.iter();
    let mut growth = 1.0;
    while let (Some(event), Some(hit)) = (events.next(), known.next()) {
        growth = hit.growth;
        if growth > 1e3 {
            // Two neighbours part too fast to be compared.
            return None;
        }
        let error = (event.time - hit.time).abs().max((event.speed_before + hit.before).abs());
        if error.is_nan() || error > 1e-11 * growth {
            return Some(format!("{event:?} instead of {hit:?}"));
        }
        if event.kind == EventKind::Chatter {
            let End::Rest(time) = end else { return Some(format!("{event:?}, but the impacts go on")) };
            let error = (event.time + event.duration - time).abs();
            if error > 1e-11 * growth {
                return Some(format!("rest at {} instead of {time}", event.time + event.duration));
            }
            break;
        }
    }
    let expected = match end {
        End::Through => {
            let through = matches!(
                run.ended,
                Ended::StillCloses { .. } | Ended::OutOfRange { coefficient: Coefficient::Restitution, .. }
            );
            return (!through).then(|| format!("{:?} instead of an end", run.ended));
        }
        End::Standing => {
            return (run.ended != Ended::NoProgress).then(|| format!("{:?} instead of no progress", run.ended));
        }
        End::Rest(_) => (place.surface().0, 0.0),
        End::Time => {
            let last = struck.last().copied().unwrap_or(Struck { time: 0.0, before: 0.0, after: 0.0, growth: 1.0 });
            place.fly((place.surface().0, last.after), UNTIL - last.time)
        }
    };
    if run.ended != Ended::ReachedTime {
        return Some(format!("{:?}", run.ended));
    }
    let error = (run.state[0] - expected.0).abs().max((run.state[1] - expected.1).abs());
    (error.is_nan() || error > 1e-10 * growth).then(|| format!("{:?} at the end instead of {expected:?}", run.state))
}

fn member(seed: u64) -> Result<(), String> {
    let mut dice = Dice(seed);
    let place = match dice.below(2) {
        0 => Place::Gravity { g: dice.between(1.0, 10.0) },
        _ => Place::Spring { c: dice.between(-0.8, 1.0) },
    };
    let height = match place {
        Place::Spring { c } if c < 0.0 => -2.0 * c + dice.between(0.05, 1.0),
        _ => dice.between(0.05, 1.0),
    };
    let law = law(&mut dice);
    let (struck, end) = by_hand(place, &law, height);
    if struck.is_empty() {
        return Ok(());
    }
    let text = text(place, &law, height);
    let (system, values) = parse(&text);
    match differs(&run(&system, &values, UNTIL), place, &struck, &end) {
        Some(what) => Err(format!("seed {seed}: {what}\n{text}")),
        None => Ok(()),
    }
}

#[test]
fn random_laws_do_what_they_say() {
    let count = std::env::var("MEMBERS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let wrong: Vec<String> = (0..count).filter_map(|seed| member(seed).err()).collect();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}

/// The case with which this began: the slope of the law vanishes at the speed of the impact.
#[test]
fn a_rebound_that_saturates() {
    let law = Law { jump: "-0.05*tanh(20*q)".into(), restitution: None, after: Box::new(|u| 0.05 * (20.0 * u).tanh()) };
    let (system, values) = parse(&text(Place::Gravity { g: 2.0 }, &law, 0.25));
    let run = run(&system, &values, 2.0);
    let first = &run.events[0];
    assert_close(first.time, 0.5, 1e-14);
    assert_close(first.after[1], 0.05 * 20.0_f64.tanh(), 1e-15);
    // Its slope at zero speed is 1: it never comes to rest.
    assert!(run.closed.is_empty());
}

/// A law with a root of the speed has no slope at zero speed. The contact stays closed all the same, until the field lifts it: p'' = c - 1 with c' = 1.
#[test]
fn a_law_with_a_root_of_the_speed_comes_to_rest_and_is_lifted() {
    let text = |jump: &str, height: f64, force: &str, c: f64| {
        let flow = format!("[flow]\np = \"q\"\nq = \"{force}\"\nc = \"1\"\n");
        let contact = format!("[contacts.floor]\ngap = \"p\"\njump = {{ q = \"{jump}\" }}\n");
        format!("format = 1\nname = \"root\"\n{flow}{contact}[start]\np = {height}\nq = 0\nc = {c}\n")
    };
    type Rebound = fn(f64) -> f64;
    let laws: [(&str, Rebound); 4] = [
        ("0.5*sqrt(q^2)", |u| 0.5 * u),
        ("-0.5*q*(1 - 0.1*(q^2)^0.1)", |u| 0.5 * u * (1.0 - 0.1 * u.powf(0.2))),
        ("-0.5*q*(1 - 0.1*sqrt(-q))", |u| 0.5 * u * (1.0 - 0.1 * u.sqrt())),
        ("-q/(2 + log(1 - q))", |u| u / (2.0 + (1.0 + u).ln())),
    ];
    for (jump, after) in laws {
        let (g, height) = (9.81_f64, 1.0_f64);
        let (mut rest, mut speed) = ((2.0 * height / g).sqrt(), (2.0 * g * height).sqrt());
        while speed > 1e-18 {
            speed = after(speed);
            rest += 2.0 * speed / g;
        }
        let (system, values) = parse(&text(jump, height, "-9.81", 0.0));
        let fallen = run(&system, &values, 3.0);
        assert!(matches!(fallen.ended, Ended::ReachedTime), "{jump}: {:?}", fallen.ended);
        let stick = fallen.events.iter().find(|event| event.kind == EventKind::Stick).expect("it comes to rest");
        assert_close(stick.time, rest, 1e-9);
        assert_eq!(fallen.state[..2], [0.0, 0.0], "{jump}");
        let (system, values) = parse(&text(jump, 0.0, "c - 1", 0.0));
        let lifted = run(&system, &values, 3.0);
        assert!(matches!(lifted.ended, Ended::ReachedTime), "{jump}: {:?}", lifted.ended);
        let release = lifted.events.iter().find(|event| event.kind == EventKind::Release).expect("it is lifted");
        assert_close(release.time, 1.0, 1e-12);
        assert_close(lifted.state[0], 4.0 / 3.0, 1e-12);
        assert_close(lifted.state[1], 2.0, 1e-12);
    }
}
