//! Steep fields against a second integrator in small steps: random tanh, pulses, arctangents, fractions, roots and logarithms of widths
//! down to 1e-4, free and forced, with and without a wall.
//!
//! A member is x' = v, v' = -k x - c v + F cos(w t) + sum of a f((p x + q v + r cos(w t) + s)/width), in which the scale of f is one.
//! The second integrator is Gragg's midpoint rule with the extrapolation of Bulirsch and Stoer (Hairer, Norsett & Wanner, Solving
//! Ordinary Differential Equations I, Sect. II.9) on the same formulas written in Rust. Its steps are so short that no argument
//! changes by more than a part of the distance to where its function changes, and shorter than any decay; impacts are bisected. The motion is compared at the
//! end with a tolerance that grows with the distance of a perturbed motion, which starts 1e-9 away.

use std::fmt::Write as _;

use saltation_model::{Model, Overrides, Values};
use saltation_motion::{Ended, EventKind, Happening, Motion, Settings, System};

/// What came of one member.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// Both motions agree: their distance, relative to what is allowed, and relative to the state.
    Agree {
        /// The distance over the tolerance, at most 1.
        share: f64,
        /// The distance over the size of the state.
        error: f64,
    },
    /// The member is inconclusive: why.
    Undecided(&'static str),
    /// The motions differ: how, with the model file.
    Differ {
        /// The difference and its place.
        what: String,
        /// The model.
        file: String,
    },
}

/// A function that changes on the scale 1 of its argument.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Tanh,
    Pulse,
    Arctangent,
    Peak,
    Fraction,
    Root,
    Logarithm,
    Power,
}

const SHAPES: [Shape; 8] = [
    Shape::Tanh,
    Shape::Pulse,
    Shape::Arctangent,
    Shape::Peak,
    Shape::Fraction,
    Shape::Root,
    Shape::Logarithm,
    Shape::Power,
];

impl Shape {
    fn formula(self, z: &str) -> String {
        match self {
            Shape::Tanh => format!("tanh({z})"),
            Shape::Pulse => format!("exp(-({z})^2)"),
            Shape::Arctangent => format!("atan({z})"),
            Shape::Peak => format!("1/(1 + ({z})^2)"),
            Shape::Fraction => format!("({z})/(1 + ({z})^4)"),
            Shape::Root => format!("({z})/sqrt(1 + ({z})^2)"),
            Shape::Logarithm => format!("log(1 + exp(-({z})^2))"),
            Shape::Power => format!("(1 + ({z})^2)^(-0.75)"),
        }
    }

    fn of(self, z: f64) -> f64 {
        match self {
            Shape::Tanh => z.tanh(),
            Shape::Pulse => (-z * z).exp(),
            Shape::Arctangent => z.atan(),
            Shape::Peak => 1.0 / (1.0 + z * z),
            Shape::Fraction => z / (1.0 + z.powi(4)),
            Shape::Root => z / (1.0 + z * z).sqrt(),
            Shape::Logarithm => (-z * z).exp().ln_1p(),
            Shape::Power => (1.0 + z * z).powf(-0.75),
        }
    }

    /// The largest change of the argument in one small step.
    fn scale(self, z: f64) -> f64 {
        let far = match self {
            Shape::Tanh => z.abs() - 20.0,
            Shape::Pulse | Shape::Logarithm => z.abs() - 7.0,
            _ => z.abs(),
        };
        0.12 * far.max(1.0)
    }

    /// Whether the function is a bump: its amplitude may grow as it narrows.
    fn is_bump(self) -> bool {
        matches!(self, Shape::Pulse | Shape::Peak | Shape::Logarithm)
    }
}

#[derive(Debug, Clone)]
struct Term {
    shape: Shape,
    amplitude: f64,
    /// p, q, r, s.
    argument: [f64; 4],
    width: f64,
}

/// One model.
#[derive(Debug, Clone)]
struct Member {
    stiffness: f64,
    damping: f64,
    forcing: f64,
    /// The frequency of the forcing, if there is one.
    frequency: Option<f64>,
    terms: Vec<Term>,
    /// The wall at x = -place, with its restitution.
    wall: Option<(f64, f64)>,
    start: [f64; 2],
    until: f64,
}

impl Member {
    /// Draws a member from numbers between 0 and 1.
    fn drawn(unit: &mut dyn FnMut() -> f64) -> Member {
        let mut between = |low: f64, high: f64| low + (high - low) * unit();
        let forced = between(0.0, 1.0) < 0.5;
        let count = 1 + between(0.0, 2.999) as usize;
        let terms = (0..count)
            .map(|_| {
                let shape = SHAPES[between(0.0, SHAPES.len() as f64 - 1e-9) as usize];
                let width = between(1e-4_f64.ln(), 0.0).exp();
                let kind = between(0.0, 4.0) as usize;
                let argument = match kind {
                    0 => [1.0, 0.0, 0.0, between(-1.0, 1.0)],
                    1 => [0.0, 1.0, 0.0, between(-1.0, 1.0)],
                    2 if forced => [0.0, 0.0, 1.0, between(-0.9, 0.9)],
                    _ => [
                        between(-1.0, 1.0),
                        between(-1.0, 1.0),
                        if forced { between(-1.0, 1.0) } else { 0.0 },
                        between(-1.0, 1.0),
                    ],
                };
                let sign = if between(0.0, 1.0) < 0.7 { -1.0 } else { 1.0 };
                let bump = if shape.is_bump() { width.powf(-between(0.0, 1.0)) } else { 1.0 };
                Term { shape, amplitude: sign * between(0.1, 2.0) * bump, argument, width }
            })
            .collect();
        let wall = (between(0.0, 1.0) < 0.4).then(|| (between(0.2, 1.0), between(0.5, 1.0)));
        Member {
            stiffness: between(0.0, 4.0),
            damping: between(0.0, 0.3),
            forcing: if forced { between(0.0, 2.0) } else { 0.0 },
            frequency: forced.then(|| between(0.5, 3.0)),
            terms,
            wall,
            start: [between(0.0, 1.0), between(-1.5, 1.5)],
            until: between(0.5, 4.0),
        }
    }

    /// The model file.
    fn text(&self) -> String {
        let cosine = if self.frequency.is_some() { "cos(phi)" } else { "0" };
        let mut force = format!("-({:?})*x - ({:?})*v + ({:?})*{cosine}", self.stiffness, self.damping, self.forcing);
        for Term { shape, amplitude, argument: [p, q, r, s], width } in &self.terms {
            let z = format!("(({p:?})*x + ({q:?})*v + ({r:?})*{cosine} + ({s:?}))/({width:?})");
            let _ = write!(force, " + ({amplitude:?})*{}", shape.formula(&z));
        }
        let mut text = format!("format = 1\nname = \"steep\"\n[flow]\nx = \"v\"\nv = \"{force}\"\n");
        if let Some(frequency) = self.frequency {
            let _ = write!(text, "[phase.phi]\nrate = {frequency:?}\nperiod = \"2*pi\"\n");
        }
        if let Some((place, restitution)) = self.wall {
            let _ = write!(text, "[contacts.wall]\ngap = \"x + {place:?}\"\njump = {{ v = \"-{restitution:?}*v\" }}\n");
        }
        let _ = write!(text, "[start]\nx = {:?}\nv = {:?}\n", self.start[0], self.start[1]);
        if self.frequency.is_some() {
            text += "phi = 0\n";
        }
        text
    }

    fn cosine(&self, time: f64) -> f64 {
        self.frequency.map_or(0.0, |frequency| (frequency * time).cos())
    }

    fn acceleration(&self, time: f64, [x, v]: [f64; 2]) -> f64 {
        let cosine = self.cosine(time);
        let terms = self.terms.iter().map(|Term { shape, amplitude, argument: [p, q, r, s], width }| {
            amplitude * shape.of((p * x + q * v + r * cosine + s) / width)
        });
        -self.stiffness * x - self.damping * v + self.forcing * cosine + terms.sum::<f64>()
    }

    /// A step on which no feature is missed.
    fn small_step(&self, time: f64, [x, v]: [f64; 2]) -> f64 {
        let frequency = self.frequency.unwrap_or(0.0);
        let (cosine, sine) = (self.cosine(time), (frequency * time).sin());
        let acceleration = self.acceleration(time, [x, v]).abs();
        let mut step = 0.02_f64;
        for Term { shape, amplitude, argument: [p, q, r, s], width } in &self.terms {
            let z = (p * x + q * v + r * cosine + s) / width;
            let may = shape.scale(z);
            // The argument moves by its speed, and by the growth of that.
            let speed = (p * v).abs() + (q.abs() + (p * 0.1).abs()) * acceleration + (r * frequency * sine).abs();
            step = step.min(may * width / (speed + 1e-3));
            step = step.min(
                (may * width / ((p.abs() * (1.0 + acceleration) + (r * frequency * frequency).abs()) + 1e-3)).sqrt(),
            );
            // Shorter than the decay that the term may give, where it is near.
            if z.abs() < 25.0 || !matches!(shape, Shape::Tanh | Shape::Pulse | Shape::Logarithm) {
                let slope = amplitude.abs() / width / (1.0 + 0.01 * z * z);
                step = step.min(0.3 / (q.abs() * slope + (p.abs() * slope).sqrt() + 1e-9));
            }
        }
        step
    }

    /// A step by midpoint rules with 2, 4, ..., 12 parts, extrapolated to none. All are about what the state moves by: its own rounding, which a narrow bump
    /// with a large force would make large, enters once a step.
    fn step(&self, time: f64, state: [f64; 2], length: f64) -> [f64; 2] {
        let mut table = [[0.0; 2]; 6];
        for k in 1..=6 {
            let parts = 2 * k;
            let h = length / parts as f64;
            let moved = |s: [f64; 2], r: [f64; 2], h: f64| [s[0] + h * r[0], s[1] + h * r[1]];
            let rate = |j: usize, by: [f64; 2]| {
                let there = moved(state, by, 1.0);
                [there[1], self.acceleration(time + j as f64 * h, there)]
            };
            let (mut before, mut here) = ([0.0; 2], moved([0.0; 2], rate(0, [0.0; 2]), h));
            for j in 1..parts {
                let next = moved(before, rate(j, here), 2.0 * h);
                before = std::mem::replace(&mut here, next);
            }
            // Neville's scheme in h^2, in place.
            let mut row = here;
            for j in 1..k {
                let ratio = (parts as f64 / (2 * (k - j)) as f64).powi(2);
                let older = std::mem::replace(&mut table[j - 1], row);
                row = [0, 1].map(|i| row[i] + (row[i] - older[i]) / (ratio - 1.0));
            }
            table[k - 1] = row;
        }
        [state[0] + table[5][0], state[1] + table[5][1]]
    }

    /// The state at the end, from a start, in steps that are a share of small ones; None if impacts are too slow or steps too many to say.
    fn followed(&self, start: [f64; 2], share: f64) -> Option<[f64; 2]> {
        let (mut time, mut state, mut steps) = (0.0, start, 0);
        while time < self.until {
            steps += 1;
            if share * steps as f64 > MOST_STEPS {
                return None;
            }
            let mut length = (share * self.small_step(time, state)).min(self.until - time);
            let mut ahead = self.step(time, state, length);
            if let Some((place, restitution)) = self.wall {
                // A short dip within a step counts as a graze.
                let near = ahead[0] + place;
                if near.abs() < 1e-7 {
                    return None;
                }
                if near < 0.0 {
                    let (mut low, mut high) = (0.0, length);
                    for _ in 0..60 {
                        let middle = 0.5 * (low + high);
                        if self.step(time, state, middle)[0] + place < 0.0 { high = middle } else { low = middle }
                    }
                    length = low;
                    ahead = self.step(time, state, length);
                    if ahead[1] > -1e-2 {
                        return None;
                    }
                    ahead = [-place, -restitution * ahead[1]];
                    // Away from the surface, so that rounding errors are no impact.
                    let away = (1e-3 * self.small_step(time + length, ahead)).max(1e-6 / ahead[1]);
                    ahead = self.step(time + length, ahead, away);
                    length += away;
                } else if ahead[1] > 0.0 && state[1] < 0.0 && near.min(state[0] + place) < 1e-3 {
                    return None;
                }
            }
            (time, state) = (time + length, ahead);
            if !state.iter().all(|x| x.abs() < 1e3) {
                return None;
            }
        }
        (time - self.until < 1e-9).then_some(state)
    }
}

/// The largest number of small steps.
const MOST_STEPS: f64 = 60_000.0;
/// The distance of the perturbed start.
const PERTURBATION: f64 = 1e-8;
/// Motions with a larger growth of perturbations are inconclusive.
const LARGEST_GROWTH: f64 = 1e5;
/// The error of each motion at its start, which is amplified like a perturbation.
const START_ERROR: f64 = 3e-11;

/// Draws a member from numbers between 0 and 1 and compares its motion at the end. `also` may have something else against its motions.
pub(crate) fn examine(
    unit: &mut dyn FnMut() -> f64,
    also: &dyn Fn(&System, &Values, Settings) -> Option<String>,
) -> Verdict {
    let member = Member::drawn(unit);
    let Some(mut state) = member.followed(member.start, 1.0) else {
        return Verdict::Undecided("small steps do not decide");
    };
    let [x, v] = member.start;
    let mut spread = 0.0_f64;
    for start in [[x + PERTURBATION, v], [x, v + PERTURBATION], [x - PERTURBATION, v - PERTURBATION]] {
        let Some(near) = member.followed(start, 1.0) else { return Verdict::Undecided("neighbours are lost") };
        spread = spread.max((near[0] - state[0]).abs()).max((near[1] - state[1]).abs());
    }
    let growth = 1.0 + spread / PERTURBATION;
    if growth > LARGEST_GROWTH {
        return Verdict::Undecided("neighbours part");
    }
    let file = member.text();
    let differ = |what: String| Verdict::Differ { what, file: file.clone() };
    let model = match Model::parse(&file, "member.toml") {
        Ok(model) => model,
        Err(mistakes) => return differ(mistakes.to_string()),
    };
    let values = match model.values(&Overrides::default()) {
        Ok(values) => values,
        Err(mistakes) => return differ(mistakes.to_string()),
    };
    let system = System::new(&model);
    let settings = Settings { until: member.until, ..Settings::default() };
    if let Some(what) = also(&system, &values, settings) {
        return differ(what);
    }
    let mut motion = match Motion::new(&system, &values, settings) {
        Ok(motion) => motion,
        Err(error) => return differ(error.to_string()),
    };
    let mut sticks = false;
    let ended = loop {
        match motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => {}
            Happening::Event(event) => sticks |= event.kind == EventKind::Stick,
            Happening::Ended(ended) => break ended.clone(),
        }
    };
    if ended != Ended::ReachedTime {
        return differ(format!("ended at {}: {}", motion.time(), ended.describe(&system)));
    }
    if sticks {
        return differ("sticks, and small steps saw no slow impact".to_string());
    }
    let size = 1e-3_f64.max(state[0].abs()).max(state[1].abs());
    let distance = |state: [f64; 2]| (0..2).map(|i| (motion.state()[i] - state[i]).abs()).fold(0.0, f64::max);
    let allowed = START_ERROR * growth * size.max(1.0);
    let mut off = distance(state);
    if off > allowed {
        // The error of the small steps is estimated by halving them; smaller differences are ignored.
        let Some(finer) = member.followed(member.start, 0.5) else {
            return Verdict::Undecided("small steps do not decide");
        };
        let own = (0..2).map(|i| (finer[i] - state[i]).abs()).fold(0.0, f64::max);
        (state, off) = (finer, distance(finer));
        if off > allowed && off <= 2.0 * own {
            return Verdict::Undecided("small steps differ among themselves");
        }
    }
    if off <= allowed {
        Verdict::Agree { share: off / allowed, error: off / size }
    } else {
        differ(format!(
            "at {} small steps lead to {state:?}, and the motion to {:?}: {off:.1e} apart, {allowed:.1e} allowed",
            member.until,
            &motion.state()[..2]
        ))
    }
}
