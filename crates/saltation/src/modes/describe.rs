//! Converts computed motions, intervals and families to plain data with the names of the model.

use crate::modes::answer::{
    Answer, Blurred, Continuum, ContinuumEnergies, Effort, End, Family, Interval, Limit, LinearMode, Mirror, Mode,
    Motion, Special,
};
use crate::modes::request::{Asked, modes_of, together};
use crate::modes::search::{Computed, Judged, period, stiffness};
use crate::named::Named;
use crate::system::System;
use saltation_modes::{self as lower, LinearModes, Single, SpecialKind, Verdict, harmonics, sequence};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The largest number of degrees of freedom for which the states of the motions of families are part of the answer.
const MOST_DEGREES_WITH_STATES: usize = 50;
/// The tolerance of time-reversal symmetry, relative to the period.
const TIME_REVERSAL_TOLERANCE: f64 = 1e-7;

impl Answer {
    /// The answer: plain data with the names of the model.
    pub(crate) fn new(system: &System, asked: &Asked, computed: &Computed) -> Answer {
        let names = Names::new(system, asked);
        let modes = &asked.modes;
        let model = system.model();
        let effort = |found: &lower::Found| Effort {
            starts: found.starts,
            seed: asked.search.seed,
            solutions: found.solutions,
            pulling: found.pulling,
            penetrating: found.penetrating,
            copies: found.copies,
            duplicates: found.duplicates,
            admissible: found.motions.len(),
        };
        Answer {
            frequencies: modes.all_frequencies().to_vec(),
            modes: computed.motions.iter().map(|judged| names.mode(judged)).collect(),
            intervals: computed.intervals.iter().map(|interval| Interval::new(modes, interval)).collect(),
            ended: computed.ended().to_string(),
            ipp: asked.impacts,
            periods: [asked.periods.0, asked.periods.1],
            samples: computed
                .samples
                .iter()
                .map(|list| list.iter().map(|judged| names.mode(judged)).collect())
                .collect(),
            families: computed.families.iter().map(|family| names.family(family)).collect(),
            continua: computed.continua.iter().map(|continuum| Continuum::new(modes, continuum)).collect(),
            search: computed.found.as_ref().map(effort),
            contact: model.contacts[asked.structure.contact].name.clone(),
            gap: modes.gap(),
            mobility: modes.root_mobility().powi(2),
            modes_in_contact: (0..modes.len()).map(|p| LinearMode::new(modes, p)).collect(),
            residual: modes.residual(),
            uncertainties: modes.all_uncertainties().to_vec(),
            blurred: harmonics::blurred(modes, asked.periods.1)
                .map(|(distance, uncertainty)| Blurred { distance, uncertainty }),
            left_out: asked.structure.left_out.clone(),
            model: model.name.clone(),
            fingerprint: model.fingerprint(),
            parameters: system.parameters(),
        }
    }
}

/// Gives motions of the structure the names of the model.
struct Names<'a> {
    asked: &'a Asked,
    /// Coordinates, then velocities.
    states: Arc<[String]>,
}

impl<'a> Names<'a> {
    fn new(system: &System, asked: &'a Asked) -> Names<'a> {
        let model = system.model();
        let body = model.body.mechanics();
        let states = body.map(|body| body.coordinates.iter().chain(&body.velocities));
        let states: Vec<String> = states.into_iter().flatten().map(|&i| model.states[i].name.clone()).collect();
        Names { asked, states: states.into() }
    }

    /// The state just after the impact at time 0.
    fn state(&self, motion: &lower::Motion) -> Named {
        let (u, v) = motion.state(&self.asked.modes, 0.0);
        let positions = u.iter().zip(&self.asked.structure.rest).map(|(u, rest)| u + rest);
        Named::new(Arc::clone(&self.states), positions.chain(v.iter().copied()).collect())
    }

    fn motion(&self, motion: &lower::Motion, with_state: bool) -> Motion {
        Motion {
            ipp: motion.impacts(),
            period: motion.period(),
            impact_times: motion.impact_times.clone(),
            lambda: motion.lambda.clone(),
            energy: motion.energy(),
            state: with_state.then(|| self.state(motion)),
            frequency: TAU / motion.period(),
            flight_times: motion.flight_times(),
            closing_error: motion.closing_error(&self.asked.modes),
            mirror: sequence::mirror(motion, TIME_REVERSAL_TOLERANCE)
                .map(|mirror| Mirror { sum: mirror.sum, axes: mirror.axes }),
        }
    }

    fn mode(&self, judged: &Judged) -> Mode {
        let least = match judged.verdict {
            Verdict::Penetrates(least) => Some(least),
            _ => judged.motion.least_gap(&self.asked.modes),
        };
        let stability = judged.stability.as_ref();
        Mode {
            motion: self.motion(&judged.motion, true),
            admissible: judged.verdict.is_admissible(),
            verdict: verdict(judged.verdict).to_string(),
            least_gap: least.map(|least| [least.time, least.gap]),
            spectral_radius: stability.map(|stability| stability.spectral_radius),
            neutral: stability.map(|stability| stability.is_neutral()),
            pairing: stability.map(|stability| stability.pairing),
            family: judged.family,
        }
    }

    fn family(&self, family: &lower::Family) -> Family {
        let modes = &self.asked.modes;
        let with_state = modes.degrees_of_freedom() <= MOST_DEGREES_WITH_STATES;
        let special = |special: &lower::Special| {
            let resonance = match special.kind {
                SpecialKind::Resonance { mode, multiple } => Some((modes.number(mode), multiple)),
                _ => None,
            };
            Special {
                motion: self.motion(&special.motion, with_state),
                kind: special.kind.name().to_string(),
                index: special.index,
                mode: resonance.map(|(mode, _)| mode),
                multiple: resonance.map(|(_, multiple)| multiple),
            }
        };
        Family {
            ended_by: [family.begins.end, family.ends.end].map(|end| end.name().to_string()),
            begins: Limit::new(modes, &family.begins),
            ends: Limit::new(modes, &family.ends),
            points: family.motions.iter().map(|motion| self.motion(motion, with_state)).collect(),
            special: family.special.iter().map(special).collect(),
        }
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Admissible => "admissible",
        Verdict::Grazing => "grazing",
        Verdict::Pulls { .. } => "pulls",
        Verdict::Penetrates(_) => "penetrates",
    }
}

impl End {
    fn new(modes: &LinearModes, end: lower::End) -> End {
        match end {
            lower::End::Harmonic { mode, multiple } => {
                let resonant = together(modes, mode, multiple);
                let several = if resonant.len() > 1 { resonant } else { Vec::new() };
                let (numbers, multiples) = several.iter().map(|&(mode, m)| (modes.number(mode), m)).unzip();
                End::Harmonic { mode: modes.number(mode), multiple, modes: numbers, multiples }
            }
            lower::End::ExtraContact { time } => End::ExtraContact { time },
            lower::End::Graze { impact } => End::Graze { impact: impact + 1 },
            lower::End::Infinite => End::Infinite,
            lower::End::Zero => End::Zero,
            lower::End::ShortFlight { flight } => End::ShortFlight { flight: flight + 1 },
            lower::End::Copy { impacts } => End::Copy { impacts },
            lower::End::Range => End::Range,
            lower::End::Closed => End::Closed,
            lower::End::Interrupted => End::Interrupted,
            lower::End::Lost => End::Lost,
        }
    }
}

impl Interval {
    fn new(modes: &LinearModes, interval: &lower::Interval) -> Interval {
        let lower::Interval { from, to, begins, ends } = *interval;
        Interval {
            from,
            to,
            ended_by: [begins, ends].map(|end| end.name().to_string()),
            begins: End::new(modes, begins),
            ends: End::new(modes, ends),
            energies: [energy_at(modes, from, begins), energy_at(modes, to, ends)],
        }
    }
}

/// The energy at the end of an interval, if it has a bound.
fn energy_at(modes: &LinearModes, at: f64, end: lower::End) -> Option<f64> {
    let energy = match end {
        lower::End::Harmonic { mode, multiple } => {
            modes.grazing_energy_together(&modes_of(&together(modes, mode, multiple)))
        }
        lower::End::Infinite => f64::INFINITY,
        lower::End::Zero => 0.5 * modes.gap().powi(2) * stiffness(modes),
        _ => Single::new(modes, at).energy,
    };
    Some(energy).filter(|energy| energy.is_finite())
}

impl Limit {
    fn new(modes: &LinearModes, limit: &lower::Limit) -> Limit {
        Limit {
            end: End::new(modes, limit.end),
            period: limit.period(),
            impact_times: limit.impact_times.clone(),
            energy: Some(limit.energy).filter(|energy| energy.is_finite()),
        }
    }
}

impl Continuum {
    fn new(modes: &LinearModes, continuum: &lower::Continuum) -> Continuum {
        let energy = |part: f64| continuum.motion(modes, part).energy();
        let &lower::Continuum { flight_times, total, least, ends, bridge } = continuum;
        Continuum {
            flight_times,
            period: period(continuum),
            total,
            lambda_1: [least, total - least],
            bridge,
            ended_by: ends.name().to_string(),
            ends: End::new(modes, ends),
            energies: ContinuumEnergies { middle: energy(0.5), ends: energy(least / total) },
        }
    }
}

impl LinearMode {
    fn new(modes: &LinearModes, p: usize) -> LinearMode {
        LinearMode {
            mode: modes.number(p),
            frequency: modes.frequencies()[p],
            period: modes.period(p),
            share: modes.shares()[p],
            grazing_energy: modes.grazing_energy(p),
            uncertainty: modes.uncertainties()[p],
        }
    }
}
