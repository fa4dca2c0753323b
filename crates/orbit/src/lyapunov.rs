//! Computes the whole spectrum of Lyapunov exponents of a motion through all impacts, by an orthonormal frame that is carried along.
//!
//! The derivative from one return to the next takes an orthonormal frame Q to a frame that is made orthonormal again, D Q =
//! Q' R. The exponents are the means of ln R_ii per unit time (Shimada & Nagashima, Prog. Theor. Phys. 61 (1979);
//! Benettin et al., Meccanica 15 (1980)). Their sum is that of ln |det D|: between impacts the divergence of the field, and
//! 2 ln e at an impact of a single body with restitution e.
//!
//! Persistent contact takes two dimensions from the perturbations for good. The exponents of the dimensions that are lost are
//! minus infinity, and the frame continues with the others.

use saltation_model::{StateKind, Values};
use saltation_motion::{Ended, EventKind, FlowChoice, Happening, Motion, Perturbation, Policy, Settings, System};
use saltation_numerics::dense::Matrix;
use saltation_numerics::elementary;

use crate::return_map::{Failure, Patience, follow};
use crate::stability::{self, Basis};

/// So many of the last returns of the transient carry a frame along, so that its directions converge before growth is measured.
const FRAME_TRANSIENT: u64 = 100;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct LyapunovSettings {
    /// The section from return to return of which the frame is carried, by its position in [`System::section_names`].
    pub section: usize,
    /// How many returns of the transient are followed before the exponents are taken.
    pub settle: u64,
    /// How many returns the exponents are taken from.
    pub returns: u64,
    /// Into how many blocks they are divided for the standard errors; at least 2.
    pub blocks: u64,
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// The route of smooth motions.
    pub flow: FlowChoice,
    /// What to do where contacts with friction have several consistent modes.
    pub policy: Policy,
}

impl LyapunovSettings {
    /// The default for the returns to a section: 200 of the transient, 10 000 to measure, 20 blocks.
    pub fn through(section: usize) -> LyapunovSettings {
        LyapunovSettings {
            section,
            settle: 200,
            returns: 10_000,
            blocks: 20,
            tolerance: 1e-12,
            flow: FlowChoice::Automatic,
            policy: Policy::Persist,
        }
    }
}

/// The exponents of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponents {
    /// The exponents per unit time, the largest first; minus infinity for the dimensions that persistent contact takes. One per state other than the phase, less those
    /// that constraints take for ever.
    pub exponents: Vec<f64>,
    /// The standard error of each: that of the mean over blocks. Not a number if there are fewer than two blocks.
    pub standard_errors: Vec<f64>,
    /// The mean of each block, one row per block.
    pub block_means: Vec<Vec<f64>>,
    /// How long the motion was measured.
    pub time: f64,
    /// How many returns were measured.
    pub returns: u64,
    /// How many impacts there were meanwhile.
    pub impacts: u64,
    /// The state at the end.
    pub state: Vec<f64>,
    /// Whether all returns asked for were made.
    pub ended: LyapunovEnded,
}

/// How the measurement ended.
#[derive(Debug, Clone, PartialEq)]
pub enum LyapunovEnded {
    /// All returns were made.
    Complete,
    /// It ended before; what was measured up to there stands.
    Short(Failure),
}

/// The frame of perturbations of a motion.
struct Frame {
    flowing: Vec<usize>,
    /// Orthonormal columns in the states other than the phase.
    columns: Matrix,
    /// What has been counted of the growth since the frame was last made orthonormal: ln R_ii.
    counted: Vec<f64>,
    /// The contact of the last impact.
    struck: Option<usize>,
}

impl Frame {
    fn perturbations(&self, motion: &Motion) -> Vec<Perturbation> {
        Basis(self.columns.clone()).perturbations(motion, &self.flowing)
    }

    /// The frame that the derivative up to now takes this one to, and the growth meanwhile: ln R_ii.
    fn grown(&self, motion: &mut Motion) -> Result<(Matrix, Vec<f64>), Failure> {
        let derivatives = motion.derivatives();
        let rows = self.flowing.len();
        // While contacts are closed, only the dimensions in their surfaces are left.
        let left = Basis::at(motion, &self.flowing).dimension().min(self.columns.columns());
        let grown = Matrix::from_fn(rows, self.columns.columns(), |i, j| derivatives.state(j)[self.flowing[i]]);
        let grazed = Failure::Grazed { contact: self.struck, time: motion.time() };
        let (q, r) = grown.qr().map_err(|_| grazed)?;
        let growth = (0..left).map(|i| elementary::ln(r[(i, i)].abs())).collect();
        Ok((Matrix::from_fn(rows, left, |i, j| q[(i, j)]), growth))
    }
}

/// The Lyapunov exponents of the motion from the start in `values`.
///
/// `monitor` is called now and then, with the number of returns made, whether to continue.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::{LyapunovSettings, lyapunov};
/// # let text = saltation_model::gallery::find("two-wall-oscillator").unwrap();
/// # let model = saltation_model::Model::parse(text, "two-wall-oscillator").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let section = system.default_section().unwrap();
/// let settings = LyapunovSettings { returns: 200, ..LyapunovSettings::through(section) };
/// let found = lyapunov::exponents(&system, &values, &settings, &mut |_| true);
/// // The sum is -2 gamma + 2 ln e times the impacts per unit time.
/// let expected = -0.02 + 2.0 * 0.7_f64.ln() * found.impacts as f64 / found.time;
/// assert!((found.exponents.iter().sum::<f64>() - expected).abs() < 1e-9);
/// ```
pub fn exponents(
    system: &System,
    values: &Values,
    settings: &LyapunovSettings,
    monitor: &mut dyn FnMut(u64) -> bool,
) -> Exponents {
    let states = &system.model().states;
    let flowing: Vec<usize> = (0..states.len()).filter(|&i| states[i].kind != StateKind::Phase).collect();
    let dimension = flowing.len() - system.constrained_dimensions();
    let mut measured = Measured::default();
    let outcome = measure(system, values, settings, flowing, &mut measured, monitor);
    let time: f64 = measured.returns.iter().map(|growth| growth.duration).sum();
    let exponent = |i: usize| measured.returns.iter().map(|growth| growth.of(i)).sum::<f64>() / time;
    // The frame finds the largest first where directions can turn into each other.
    let mut ranked: Vec<(usize, f64)> = (0..dimension).map(|i| (i, exponent(i))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut blocks = measured.blocks(dimension, settings.blocks.max(2));
    for block in &mut blocks {
        *block = ranked.iter().map(|&(i, _)| block[i]).collect();
    }
    let mean = |of: &dyn Fn(&Vec<f64>) -> f64| blocks.iter().map(of).sum::<f64>() / blocks.len() as f64;
    let standard_errors = (0..dimension)
        .map(|i| {
            let middle = mean(&|block| block[i]);
            let spread = mean(&|block| (block[i] - middle).powi(2));
            (spread / (blocks.len() as f64 - 1.0)).sqrt()
        })
        .collect();
    Exponents {
        exponents: ranked.into_iter().map(|(_, exponent)| exponent).collect(),
        standard_errors,
        block_means: blocks,
        time,
        returns: measured.returns.len() as u64,
        impacts: measured.impacts,
        state: measured.state,
        ended: match outcome {
            Ok(()) => LyapunovEnded::Complete,
            Err(failure) => LyapunovEnded::Short(failure),
        },
    }
}

/// What one return contributes.
struct Growth {
    /// How long it took.
    duration: f64,
    /// ln R_ii of every direction that is left.
    logarithms: Vec<f64>,
}

impl Growth {
    /// The growth of a direction; minus infinity for those that persistent contact has taken.
    fn of(&self, i: usize) -> f64 {
        self.logarithms.get(i).copied().unwrap_or(f64::NEG_INFINITY)
    }
}

#[derive(Default)]
struct Measured {
    returns: Vec<Growth>,
    impacts: u64,
    state: Vec<f64>,
}

impl Measured {
    /// The mean growth per unit time in each of so many equal blocks of returns.
    fn blocks(&self, dimension: usize, count: u64) -> Vec<Vec<f64>> {
        let (length, count) = (self.returns.len(), count as usize);
        if length < count {
            return Vec::new();
        }
        let block = |returns: &[Growth]| {
            let time: f64 = returns.iter().map(|growth| growth.duration).sum();
            let total = |i: usize| returns.iter().map(|growth| growth.of(i)).sum::<f64>();
            (0..dimension).map(|i| total(i) / time).collect()
        };
        (0..count).map(|k| block(&self.returns[k * length / count..(k + 1) * length / count])).collect()
    }
}

fn measure(
    system: &System,
    values: &Values,
    settings: &LyapunovSettings,
    flowing: Vec<usize>,
    measured: &mut Measured,
    monitor: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Failure> {
    let section = settings.section;
    let to_next_return = Settings {
        tolerance: settings.tolerance,
        flow: settings.flow,
        policy: settings.policy,
        returns: Some((section, 1)),
        ..Settings::default()
    };
    let mut motion = Motion::new(system, values, to_next_return).map_err(Failure::Start)?.without_path();
    // The frame has a transient too: growth counts only after its columns have turned into their directions.
    let turning = settings.settle.min(FRAME_TRANSIENT);
    for done in 0..settings.settle - turning {
        if !monitor(done) {
            return Err(Failure::Interrupted);
        }
        follow(&mut motion, 1, &mut || monitor(done), |_| {})?;
        motion.extend(f64::INFINITY, Some((section, 1)));
    }
    let columns = Basis::at(&motion, &flowing).0;
    let counted = vec![0.0; columns.columns()];
    let mut frame = Frame { flowing, columns, counted, struck: None };
    motion.differentiate(&frame.perturbations(&motion));
    for done in 0..turning + settings.returns {
        let began = motion.time();
        let mut growth = vec![0.0; frame.columns.columns()];
        let count = settings.settle - turning + done;
        let impacts = frame.follow(&mut motion, &mut growth, &mut || monitor(count))?;
        if done >= turning {
            measured.impacts += impacts;
            measured.returns.push(Growth { duration: motion.time() - began, logarithms: growth });
        }
        measured.state = motion.state().to_vec();
        motion.extend(f64::INFINITY, Some((section, 1)));
        if !monitor(count + 1) {
            return Err(Failure::Interrupted);
        }
    }
    Ok(())
}

impl Frame {
    /// Goes with the motion to its next return, and adds to the growth of every direction; the number of impacts.
    fn follow(
        &mut self,
        motion: &mut Motion,
        growth: &mut Vec<f64>,
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Failure> {
        let mut patience = Patience::over(1);
        let mut impacts = 0;
        loop {
            match motion.advance() {
                Happening::Step(_) | Happening::Quiet { .. } => {
                    // Between returns too the frame must not fall together.
                    if !motion.in_sequence() && stability::is_spread(&motion.derivatives(), &self.flowing) {
                        // Certified quiet steps are long, and the smallest directions would be lost in rounding again.
                        motion.keep_path(true);
                        self.renew(motion, growth)?;
                    }
                }
                Happening::Event(event) => match event.kind {
                    EventKind::Impact => {
                        impacts += 1;
                        self.struck = event.contact;
                    }
                    // The frame loses dimensions here, exactly.
                    EventKind::Stick => self.renew(motion, growth)?,
                    _ => {}
                },
                Happening::Ended(ended) if ended.is_complete() => break,
                Happening::Ended(ended) => {
                    let ended = ended.clone();
                    return Err(Failure::Ended { ended, time: motion.time() });
                }
            }
            patience.spend(motion.time(), monitor)?;
        }
        if motion.in_sequence() {
            self.count(motion, growth)?;
        } else {
            self.renew(motion, growth)?;
        }
        Ok(impacts)
    }

    /// Makes the frame orthonormal again.
    fn renew(&mut self, motion: &mut Motion, growth: &mut Vec<f64>) -> Result<(), Failure> {
        let (columns, grown) = self.grown(motion)?;
        growth.truncate(grown.len());
        self.add(&grown, growth);
        (self.columns, self.counted) = (columns, vec![0.0; grown.len()]);
        let perturbations = self.perturbations(motion);
        motion.differentiate(&perturbations);
        Ok(())
    }

    /// Counts the growth up to now and leaves the frame as it is: a new one would begin a chattering sequence again. Where the completion of one is passed in a
    /// step the dimensions that it takes are gone already, and the growth is left to the next return.
    fn count(&mut self, motion: &mut Motion, growth: &mut [f64]) -> Result<(), Failure> {
        let (_, grown) = self.grown(motion)?;
        if grown.len() == growth.len() && grown.iter().all(|g| g.is_finite()) {
            self.add(&grown, growth);
            self.counted = grown;
        }
        Ok(())
    }

    /// Adds what has grown since it was last counted.
    fn add(&self, grown: &[f64], growth: &mut [f64]) {
        growth.iter_mut().zip(grown).zip(&self.counted).for_each(|((sum, now), before)| *sum += now - before);
    }
}

impl LyapunovEnded {
    /// Whether all returns were made.
    pub fn is_complete(&self) -> bool {
        *self == LyapunovEnded::Complete
    }

    /// One word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            LyapunovEnded::Complete => "complete",
            LyapunovEnded::Short(Failure::Interrupted) => "interrupted",
            LyapunovEnded::Short(Failure::NoReturn { .. } | Failure::Ended { ended: Ended::NeverReturns, .. }) => {
                "no_return"
            }
            LyapunovEnded::Short(Failure::Grazed { .. }) => "grazed",
            LyapunovEnded::Short(Failure::NoDerivative { .. }) => "no_derivative",
            LyapunovEnded::Short(Failure::Start(_)) => "left_domain",
            LyapunovEnded::Short(Failure::Ended { .. } | Failure::Jumped { .. }) => "motion_ended",
        }
    }
}
