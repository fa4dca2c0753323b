//! Near misses and light touches: every local minimum of a gap is classified correctly.
//!
//! Flights of the impact oscillator x'' + 2 zeta x' + x + 1 = A cos(omega t), x <= 0, are started, by the closed form of the
//! linear flow, so that they have exactly one maximum of height delta near the wall.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use std::f64::consts::PI;

use crate::common::oscillator::Oscillator;
use crate::common::{assert_close, run_with, system};
use saltation_motion::{EventKind, Run, Settings};

const ZETA: f64 = 0.02;
const OMEGA: f64 = 0.81;

struct Graze {
    oscillator: Oscillator,
    /// The flight starts at this time, and its maximum is at `maximum`.
    start: f64,
    maximum: f64,
    height: f64,
}

impl Graze {
    /// Runs from the start until one time unit after the maximum.
    fn run(&self, settings: Settings) -> Run {
        let Oscillator { amplitude, .. } = self.oscillator;
        let (x, v) = self.oscillator.flight(self.start, self.maximum, self.height, 0.0);
        let set = [("A", amplitude), ("zeta", ZETA), ("omega", OMEGA)];
        let phase = (OMEGA * self.start).rem_euclid(2.0 * PI);
        let (system, values) = system("impact-oscillator", &set, &[("x", x), ("y", v), ("phi", phase)]);
        run_with(&system, &values, Settings { until: self.maximum + 1.0 - self.start, ..settings })
    }

    /// Whether the flight stays away from the wall but for its maximum.
    fn is_alone(&self) -> bool {
        (0..=120).all(|k| {
            let t = self.start + (self.maximum + 1.0 - self.start) * k as f64 / 120.0;
            (t - self.maximum).abs() < 0.3 || self.oscillator.flight(t, self.maximum, self.height, 0.0).0 < -1e-3
        })
    }
}

fn amplitude() -> f64 {
    1.01 * Oscillator::grazing_amplitude(ZETA, OMEGA)
}

/// Penetrations and near misses by 1e-7 are distinguished for all lengths of the steps.
#[test]
fn grazing_pairs_get_the_right_verdict_from_any_step() {
    let oscillator = Oscillator { zeta: ZETA, omega: OMEGA, amplitude: amplitude() };
    for longest_step in [f64::INFINITY, 1.0, 0.37, 0.1, 0.031, 0.01, 0.0033] {
        for maximum in [1.3, 2.9, 4.5, 6.1] {
            for height in [1e-7, -1e-7] {
                let graze = Graze { oscillator, start: maximum - 2.0, maximum, height };
                assert!(graze.is_alone());
                let run = graze.run(Settings { longest_step, ..Settings::default() });
                let near: Vec<_> = run.events.iter().filter(|e| e.kind != EventKind::Section).collect();
                if height > 0.0 {
                    assert_eq!(near.len(), 1, "step {longest_step}, maximum at {maximum}");
                    assert_eq!(near[0].kind, EventKind::Impact);
                    // The wall is met before the maximum: by the parabola, then by Newton's method on the closed form.
                    let acceleration = amplitude() * (OMEGA * maximum).cos() - 1.0;
                    let mut hit = maximum - (-2.0 * height / acceleration).sqrt();
                    for _ in 0..5 {
                        let (x, v) = oscillator.flight(hit, maximum, height, 0.0);
                        hit -= x / v;
                    }
                    let speed = -oscillator.flight(hit, maximum, height, 0.0).1;
                    assert_close(near[0].time, hit - graze.start, 1e-10);
                    assert_close(near[0].speed_before, speed, 1e-10);
                } else {
                    assert_eq!(near.len(), 0, "step {longest_step}, maximum at {maximum}: {near:?}");
                    assert_eq!(run.misses.count, 1);
                    assert_close(run.misses.smallest, 1e-7, 1e-13);
                    assert_close(run.misses.time, 2.0, 1e-6);
                }
            }
        }
    }
}

/// A sequence of numbers in [0, 1) that is the same on every machine.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        // The 64-bit generator of Steele, Lea & Flood (splitmix).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A thousand random flights with one maximum within 1e-6 of the wall, half of them uniform in height, half down to 1e-12:
/// none of those that reach the wall is missed, and none is invented.
#[test]
fn a_thousand_grazing_flights_are_decided() {
    let oscillator = Oscillator { zeta: ZETA, omega: OMEGA, amplitude: amplitude() };
    let mut random = Uniform(7);
    let mut tried = 0;
    let (mut hits, mut missed, mut invented, mut repeated) = (0, 0, 0, 0);
    while tried < 1000 {
        let sign = if random.next() < 0.5 { -1.0 } else { 1.0 };
        let height = sign * if tried < 500 { 1e-6 * random.next() } else { 10f64.powf(-12.0 + 6.0 * random.next()) };
        let maximum = 2.0 * PI / OMEGA * random.next();
        let graze = Graze { oscillator, start: maximum - 1.0 - 2.5 * random.next(), maximum, height };
        if !graze.is_alone() {
            continue;
        }
        tried += 1;
        let run = graze.run(Settings::default());
        let touches = run.events.iter().filter(|e| e.speed_before < 0.0).count();
        hits += usize::from(height > 0.0);
        missed += usize::from(height > 0.0 && touches == 0);
        invented += usize::from(height < 0.0 && touches > 0);
        repeated += usize::from(touches > 1);
    }
    assert!(hits > 400);
    assert_eq!((missed, invented, repeated), (0, 0, 0));
}

/// Within the tolerance of the touch itself the verdict is a graze, and nothing else happens.
#[test]
fn a_touch_within_the_tolerance_is_a_graze() {
    let oscillator = Oscillator { zeta: ZETA, omega: OMEGA, amplitude: amplitude() };
    for height in [1e-9, -1e-9] {
        let graze = Graze { oscillator, start: 0.9, maximum: 2.9, height };
        let run = graze.run(Settings { tolerance: 1e-6, ..Settings::default() });
        let kinds: Vec<_> = run.events.iter().filter(|e| e.kind != EventKind::Section).map(|e| e.kind).collect();
        assert_eq!(kinds, [EventKind::Graze]);
        assert_close(run.events[0].time, 2.0, 1e-3);
    }
}
