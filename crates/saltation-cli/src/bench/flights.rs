//! W4: a thousand flights of the impact oscillator with one maximum whose height over the wall is between -1e-6 and 1e-6, at 1.01 times the
//! grazing amplitude and a tolerance of 1e-9. 502 of them touch the wall once, the others never.
//!
//! The heights of the first half are uniform in that range, the logarithms of those of the second half in 1e-12 .. 1e-6, with either sign. The
//! random numbers are those of NumPy's `default_rng(7)`, so that other programs find the same flights.

use crate::bench::oscillator::{self, OMEGA, PERIOD};
use crate::bench::run::{Check, Run, failed, repeated};
use saltation::layers::model::Values;
use saltation::layers::motion::{ClosedSet, Happening, Motion, Settings};
use saltation::layers::numerics::elementary;
use saltation::{Error, System};
use std::f64::consts::PI;

const FLIGHTS: usize = 1000;
const TOLERANCE: f64 = 1e-9;

/// A flight: where it starts, how long it takes, and whether it touches the wall.
struct Flight {
    start: [f64; 3],
    length: f64,
    touches: bool,
}

/// The generator PCG64 (O'Neill 2014; XSL RR 128/64).
struct Pcg64 {
    state: u128,
    /// The upper half of the last number that was drawn for a choice.
    half: Option<u32>,
}

impl Pcg64 {
    const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
    /// The stream of the seed 7.
    const INCREMENT: u128 = 261_136_684_632_268_670_825_940_853_076_396_136_793;

    /// The state of the seed 7.
    fn seven() -> Pcg64 {
        Pcg64 { state: 208_745_520_555_909_116_978_795_849_195_383_758_904, half: None }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(Pcg64::MULTIPLIER).wrapping_add(Pcg64::INCREMENT);
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Uniform between two numbers.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 * 2.0_f64.powi(-53)
    }

    /// -1 or 1: the highest bit of 32, of which one draw makes two.
    fn sign(&mut self) -> f64 {
        let bits = self.half.take().unwrap_or_else(|| {
            let both = self.next();
            self.half = Some((both >> 32) as u32);
            both as u32
        });
        if bits >> 31 == 0 { -1.0 } else { 1.0 }
    }
}

fn flights(amplitude: f64) -> Vec<Flight> {
    let mut random = Pcg64::seven();
    let mut flights = Vec::with_capacity(FLIGHTS);
    while flights.len() < FLIGHTS {
        let height = if flights.len() < FLIGHTS / 2 {
            random.between(-1e-6, 1e-6)
        } else {
            random.sign() * elementary::powf(10.0_f64, random.between(-12.0, -6.0))
        };
        let (top, before) = (random.between(0.0, PERIOD), random.between(1.0, 3.5));
        let at = |t: f64| oscillator::flight(amplitude, t, (top, height, 0.0));
        // The only maximum near the wall.
        let times = (0..120).map(|k| top - before + (before + 1.0) * f64::from(k) / 119.0);
        if times.filter(|t| (t - top).abs() > 0.3).any(|t| at(t).0 > -1e-3) {
            continue;
        }
        let (x, v) = at(top - before);
        let phase = (OMEGA * (top - before)).rem_euclid(2.0 * PI);
        flights.push(Flight { start: [x, v, phase], length: before + 1.0, touches: height > 0.0 });
    }
    flights
}

fn system() -> Result<(System, Vec<Flight>), Error> {
    let amplitude = 1.01 * oscillator::grazing_amplitude();
    Ok((oscillator::system(amplitude)?, flights(amplitude)))
}

/// The number of impacts until the end.
fn impacts(motion: &mut Motion<'_>) -> u64 {
    let mut impacts = 0;
    loop {
        match motion.advance() {
            Happening::Event(event) => impacts += event.impacts as u64,
            Happening::Ended(_) => return impacts,
            _ => {}
        }
    }
}

fn settings(flight: &Flight) -> Settings {
    Settings { until: flight.length, tolerance: TOLERANCE, ..Settings::default() }
}

fn is_wrong(flight: &Flight, impacts: u64) -> u64 {
    u64::from(impacts != u64::from(flight.touches))
}

/// A new motion for every flight. Time per flight in microseconds; the number of flights with a wrong number of impacts.
pub(crate) fn new() -> Result<Run, Error> {
    let (system, flights) = system()?;
    let values: Vec<Values> = flights.iter().map(|flight| system.numbers().with_start(&flight.start)).collect();
    repeated(1e6 / FLIGHTS as f64, move || {
        let mut wrong = 0;
        for (flight, values) in flights.iter().zip(&values) {
            let mut motion = Motion::new(system.compiled()?, values, settings(flight)).map_err(failed)?;
            motion.keep_path(false);
            wrong += is_wrong(flight, impacts(&mut motion));
            motion.close();
        }
        Ok(Check::Count(wrong))
    })
}

/// One motion that begins anew for every flight; otherwise as [`new`].
pub(crate) fn restarted() -> Result<Run, Error> {
    let (system, flights) = system()?;
    let values = system.numbers().with_start(&flights[0].start);
    repeated(1e6 / FLIGHTS as f64, move || {
        let motion = Motion::new(system.compiled()?, &values, settings(&flights[0]));
        let mut motion = motion.map_err(failed)?.without_path();
        let mut wrong = 0;
        for flight in &flights {
            motion.restart(&flight.start, ClosedSet::NONE, (flight.length, None), &[]).map_err(failed)?;
            wrong += is_wrong(flight, impacts(&mut motion));
        }
        Ok(Check::Count(wrong))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_those_of_numpy() {
        let mut random = Pcg64::seven();
        let uniform: Vec<f64> = (0..3).map(|_| random.between(0.0, 1.0)).collect();
        assert_eq!(uniform, [0.625095466604667, 0.8972138009695755, 0.7756856902451935]);
        let signs: Vec<f64> = (0..5).map(|_| random.sign()).collect();
        assert_eq!(signs, [1.0, -1.0, -1.0, -1.0, -1.0]);
        assert_eq!(random.between(0.0, 1.0), 0.005265304565574724);
    }

    #[test]
    fn the_flights_are_those_that_other_programs_read() {
        let flights = flights(1.01 * oscillator::grazing_amplitude());
        assert_eq!(flights.iter().filter(|flight| flight.touches).count(), 502);
        // Those of `problems.py`, computed in extended precision.
        let first = [-2.1567734181005225, 0.642_059_278_176_478_1];
        assert!(flights[0].start.iter().zip(first).all(|(a, b)| (a - b).abs() < 1e-14), "{:?}", flights[0].start);
    }
}
