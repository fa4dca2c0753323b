//! Mechanisms of one degree of freedom with rough constraints, by the equations of one independent coordinate: the forces of the constraints are solved for, for every choice of their signs.

use saltation_motion::{EventKind, Run};
use saltation_numerics::dense::Matrix;

/// A constraint with friction: its slope and that of its track, and the coefficient.
pub(crate) struct Rough {
    pub held: Vec<f64>,
    pub track: Vec<f64>,
    pub mu: f64,
}

/// A mechanism of one degree of freedom, in the coordinates of the file: slopes of these and of their slopes along the own coordinate, masses, forces, the constraints with
/// friction, and the slopes of the others.
pub(crate) struct Shape {
    pub first: Vec<f64>,
    pub second: Vec<f64>,
    pub mass: Vec<Vec<f64>>,
    pub force: Vec<f64>,
    pub rough: Vec<Rough>,
    pub others: Vec<Vec<f64>>,
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(crate) fn solve(columns: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    Matrix::from_fn(right.len(), right.len(), |i, j| columns[j][i]).solve(right).unwrap().x
}

impl Shape {
    fn moved(&self, along: &[f64]) -> Vec<f64> {
        self.mass.iter().map(|row| dot(row, along)).collect()
    }

    /// The acceleration of the own coordinate and the forces of the rough constraints, where these have signs and slips others.
    fn accelerate(&self, speed: f64, signs: &[f64], slips: &[f64]) -> Vec<f64> {
        let inertia = self.moved(&self.second);
        let right: Vec<f64> = self.force.iter().zip(inertia).map(|(h, m)| h - m * speed * speed).collect();
        let mut columns = vec![self.moved(&self.first)];
        for ((rough, sign), slip) in self.rough.iter().zip(signs).zip(slips) {
            let acts = rough.held.iter().zip(&rough.track).map(|(g, t)| -(g - rough.mu * sign * slip * t));
            columns.push(acts.collect());
        }
        columns.extend(self.others.iter().map(|other| other.iter().map(|g| -g).collect()));
        solve(&columns, &right)[..=self.rough.len()].to_vec()
    }

    /// The speeds along the tracks at unit speed.
    fn slides(&self) -> Vec<f64> {
        self.rough.iter().map(|rough| dot(&rough.track, &self.first)).collect()
    }

    /// The signs of the forces that have these signs, if there is one choice.
    fn signs(&self, speed: f64, slips: &[f64]) -> Option<Vec<f64>> {
        let k = self.rough.len();
        let choices =
            (0..1_u32 << k).map(|choice| (0..k).map(|i| if choice >> i & 1 == 0 { 1.0 } else { -1.0 }).collect());
        let fits = |signs: &Vec<f64>| {
            self.accelerate(speed, signs, slips)[1..].iter().zip(signs).all(|(force, sign)| force * sign >= 0.0)
        };
        let mut found = choices.filter(fits);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// What the equations of the own coordinate say: the times at which slips change, whether the mechanism rests from the last of them on, how often a force changes its sign, and the end.
#[derive(Default)]
pub(crate) struct Found {
    pub turns: Vec<f64>,
    pub rests: bool,
    pub exchanges: usize,
    pub state: [f64; 2],
}

/// Runge and Kutta's steps of fourth order between changes of the signs of forces and slips, which are bisected. `None` where no choice of signs or several agree with the forces.
pub(crate) fn follow(shape: &dyn Fn(f64, f64) -> Shape, start: [f64; 2], until: f64) -> Option<Found> {
    let step = |[q, w]: [f64; 2], h: f64, (signs, slips): (&[f64], &[f64])| {
        let rate = |q: f64, w: f64| [w, shape(q, w).accelerate(w, signs, slips)[0]];
        let a = rate(q, w);
        let b = rate(q + 0.5 * h * a[0], w + 0.5 * h * a[1]);
        let c = rate(q + 0.5 * h * b[0], w + 0.5 * h * b[1]);
        let d = rate(q + h * c[0], w + h * c[1]);
        [0, 1].map(|i| [q, w][i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
    };
    let (mut state, mut time, mut found) = (start, 0.0, Found::default());
    let first = shape(state[0], state[1]);
    let mut slips: Vec<f64> = first.slides().iter().map(|slide| (slide * state[1]).signum()).collect();
    let mut signs = first.signs(state[1], &slips)?;
    let longest = 2e-4_f64;
    while time < until {
        let whole = longest.min(until - time);
        // Which forces, and which slips, have other signs.
        let leaves = |[q, w]: [f64; 2]| {
            let shape = shape(q, w);
            let forces = shape.accelerate(w, &signs, &slips);
            let of_force = forces[1..].iter().zip(&signs).any(|(force, sign)| force * sign < 0.0);
            let slides = shape.slides();
            let turned = slides.iter().zip(&slips).map(|(slide, slip)| slide * w * slip < 0.0).collect::<Vec<_>>();
            (of_force, turned)
        };
        let stays = |state: [f64; 2]| {
            let (of_force, turned) = leaves(state);
            !of_force && !turned.contains(&true)
        };
        let next = step(state, whole, (&signs, &slips));
        if stays(next) {
            (state, time) = (next, time + whole);
            continue;
        }
        let (mut low, mut high) = (0.0, whole);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if stays(step(state, middle, (&signs, &slips))) { low = middle } else { high = middle }
        }
        let next = step(state, high, (&signs, &slips));
        let (of_force, turned) = leaves(next);
        (state, time) = (next, time + high);
        found.exchanges += usize::from(of_force);
        let here = shape(state[0], state[1]);
        if turned.contains(&true) {
            found.turns.push(time);
            let slides = here.slides();
            // It has stopped, unless a dead centre alone turns a slip.
            let stopped = turned.iter().zip(&slides).any(|(turned, slide)| *turned && slide.abs() > 1e-6);
            if stopped {
                let still = shape(state[0], 0.0);
                let onward = |way: f64| {
                    let slips: Vec<f64> = slides.iter().map(|slide| (slide * way).signum()).collect();
                    let signs = still.signs(0.0, &slips)?;
                    Some(still.accelerate(0.0, &signs, &slips)[0] * way > 0.0)
                };
                let (forward, backward) = (onward(1.0)?, onward(-1.0)?);
                if !forward && !backward {
                    found.rests = true;
                    break;
                }
            }
            slips.iter_mut().zip(&turned).for_each(|(slip, turned)| *slip = if *turned { -*slip } else { *slip });
        }
        signs = here.signs(state[1], &slips)?;
    }
    found.state = state;
    Some(found)
}

/// The times at which slip changes, where contacts of several constraints change together once.
pub(crate) fn turns(motion: &Run) -> Vec<f64> {
    let of = |event: &&saltation_motion::Event| matches!(event.kind, EventKind::Slip | EventKind::Stick);
    let mut times: Vec<f64> = motion.events.iter().filter(of).filter(|e| e.time > 0.0).map(|e| e.time).collect();
    times.dedup();
    times
}
