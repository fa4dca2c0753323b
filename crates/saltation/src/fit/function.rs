//! A trajectory as a plain function: numbers of it as functions of parameters and start values, with the exact Jacobian through every event.

use crate::error::{Error, Refusal, accepted};
use crate::fit::free::{self, Free};
use crate::fit::measured::{Measured, Outcome, Samples, Sigma, Train, Without, outcome};
use crate::fit::observed::{Observer, Unobserved};
use crate::fit::request::Request;
use crate::simulation::request::natural_end;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::cut;
use saltation_numerics::dense::Matrix;
use std::num::NonZero;

/// Numbers of a trajectory as a function of parameters and start values.
///
/// ```
/// use saltation::{System, fit::Function};
/// let ball = System::gallery("bouncing-ball")?;
/// // The height at t = 1, and the time of the second impact.
/// let function = Function::new(&ball, ["e", "g"], ["x @ 1", "impact:ground[1]"], None)?;
/// let (values, jacobian) = function.at(&[0.8, 9.8])?;
/// let fall = (2.0_f64 / 9.8).sqrt();
/// assert!((values[1] - fall * 2.6).abs() < 1e-12 && (jacobian[(1, 0)] - 2.0 * fall).abs() < 1e-12);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Function {
    system: System,
    request: Request,
    free: Vec<Free>,
    measured: Measured,
    outputs: Vec<Output>,
    until: f64,
}

/// Where an output is found.
#[derive(Debug, Clone, Copy)]
enum Output {
    /// A sampled quantity at a time.
    Sample { column: usize, row: usize },
    /// The time of an event of a train.
    Time { train: usize, index: usize },
    /// The closing speed of one.
    Speed { train: usize, index: usize },
}

impl Function {
    /// The outputs as functions of the inputs: inputs are parameters and start values (`start.x`), outputs quantities or formulas at a time (`x @ 10`), and times
    /// and closing speeds of events by their number from 0 (`impact:wall[3]`, `speed:wall[3]`). Trajectories end at `until`; without it at the last time of the
    /// outputs, or, if some are events, after 10 periods of the forcing or else 40.
    ///
    /// # Errors
    /// Mistakes in the names, and a model whose trajectories cannot be differentiated.
    pub fn new<I: Into<String>, O: Into<String>>(
        system: &System,
        inputs: impl IntoIterator<Item = I>,
        outputs: impl IntoIterator<Item = O>,
        until: Option<f64>,
    ) -> Result<Function, Error> {
        system.compiled_for_derivatives()?;
        let inputs: Vec<String> = inputs.into_iter().map(Into::into).collect();
        let outputs: Vec<String> = outputs.into_iter().map(Into::into).collect();
        let (free, mut refusals) = free::read(&inputs, "inputs", system);
        let mut measured = Measured {
            samples: Vec::new(),
            trains: Vec::new(),
            times: Vec::new(),
            graph: system.model().graph.clone(),
        };
        let mut found = Vec::new();
        for text in &outputs {
            match output(text, system, &mut measured) {
                Ok(output) => found.push(output),
                Err((message, help)) => refusals.push(Refusal::new("outputs", message, help)),
            }
        }
        let last = measured.times.iter().copied().fold(0.0, f64::max);
        let usual = if measured.trains.is_empty() { last } else { last.max(natural_end(system).0) };
        let until = until.unwrap_or(usual);
        if !(until.is_finite() && until >= last) {
            let message = format!("the end time is {until}, and outputs are wanted at {last}");
            refusals.push(Refusal::new("until", message, "give a later end, or leave it out"));
        }
        accepted(refusals)?;
        // Rows in the order of time.
        let mut order: Vec<usize> = (0..measured.times.len()).collect();
        order.sort_by(|&a, &b| measured.times[a].total_cmp(&measured.times[b]));
        let place = |row: usize| order.iter().position(|own| *own == row).unwrap_or(row);
        for output in &mut found {
            if let Output::Sample { row, .. } = output {
                *row = place(*row);
            }
        }
        measured.times.sort_by(f64::total_cmp);
        let request = Request { tol: TOLERANCE, ..Request::default() };
        Ok(Function { system: system.clone(), request, free, measured, outputs: found, until })
    }

    /// The same with another local error of one step.
    ///
    /// # Errors
    /// A tolerance that is none.
    pub fn with_tolerance(mut self, tolerance: f64) -> Result<Function, Error> {
        accepted(check_tolerance(tolerance).into_iter().collect())?;
        self.request.tol = tolerance;
        Ok(self)
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.free.len()
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The inputs of the system itself.
    pub fn usual(&self) -> Vec<f64> {
        self.free.iter().map(|free| free.value(&self.system)).collect()
    }

    /// The outputs at some inputs, and the Jacobian, one row per output. What the trajectory does not have is NaN: an event that does not happen, a time that it does
    /// not reach; and the derivatives of what happens behind a graze.
    ///
    /// # Errors
    /// As many numbers as inputs are needed; values that the model may not have, and starts from which it has no trajectory.
    pub fn at(&self, inputs: &[f64]) -> Result<(Vec<f64>, Matrix), Error> {
        self.at_by(&mut self.observer()?, inputs)
    }

    fn observer(&self) -> Result<Observer<'_>, Error> {
        Observer::new(&self.system, &self.request, &self.free, None, &self.measured)
    }

    fn at_by(&self, observer: &mut Observer, inputs: &[f64]) -> Result<(Vec<f64>, Matrix), Error> {
        let n = self.free.len();
        let refused = |message: String| Error::from(Refusal::new("inputs", message, ""));
        if inputs.len() != n {
            return Err(refused(format!("{} numbers are given for {n} inputs", inputs.len())));
        }
        let observed = observer.observe(inputs, self.until, 0.0, &mut ()).map_err(|why| match why {
            Unobserved::Refused(why) => refused(why),
            Unobserved::Interrupted => refused("the computation was interrupted".to_string()),
        })?;
        let mut values = vec![f64::NAN; self.outputs.len()];
        let mut jacobian = Matrix::from_fn(self.outputs.len(), n, |_, _| f64::NAN);
        for (k, output) in self.outputs.iter().enumerate() {
            let (predicted, at) = match *output {
                Output::Sample { column, row } => (&observed.samples[column], row),
                Output::Time { train, index } => (&observed.trains[train].0, index),
                Output::Speed { train, index } => (&observed.trains[train].1, index),
            };
            let Some(&value) = predicted.values.get(at).filter(|value| value.is_finite()) else { continue };
            values[k] = value;
            (0..n).for_each(|j| jacobian[(k, j)] = predicted.slopes[at * n + j]);
        }
        Ok((values, jacobian))
    }

    /// The same at many inputs, on some threads.
    ///
    /// # Errors
    /// As [`Function::at`]: the first of them.
    pub fn at_all(&self, inputs: &[Vec<f64>], threads: Option<usize>) -> Result<Vec<(Vec<f64>, Matrix)>, Error> {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = threads.unwrap_or(cores).clamp(1, cores.max(1)).min(inputs.len().max(1));
        if threads == 1 {
            let mut observer = self.observer()?;
            return inputs.iter().map(|one| self.at_by(&mut observer, one)).collect();
        }
        // Every thread takes the next part of a few.
        let size = inputs.len().div_ceil(8 * threads).max(1);
        let parts: Vec<&[Vec<f64>]> = inputs.chunks(size).collect();
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let part = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(inputs) = parts.get(part) else { return done };
                let all = self.observer().and_then(|mut observer| {
                    inputs.iter().map(|one| self.at_by(&mut observer, one)).collect::<Result<Vec<_>, Error>>()
                });
                done.push((part, all));
            }
        };
        let mut found: Vec<_> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        found.sort_by_key(|(part, _)| *part);
        let mut all = Vec::with_capacity(inputs.len());
        for (_, part) in found {
            all.extend(part?);
        }
        Ok(all)
    }
}

/// Reads an output; what it needs is added to what is observed.
fn output(text: &str, system: &System, measured: &mut Measured) -> Result<Output, (String, String)> {
    let help = || {
        "write a quantity or a formula at a time, such as `x @ 10`, or an event by its number from 0, such as impact:wall[3] or speed:wall[3]".to_string()
    };
    if let Some((what, time)) = text.rsplit_once('@') {
        let time = match system.evaluate(time.trim()) {
            Ok(time) if time.is_finite() && time >= 0.0 => time,
            _ => return Err((format!("`{}` is not a time", cut(time.trim())), help())),
        };
        let Outcome::Sample(subject) = outcome(what.trim(), system, &mut measured.graph)? else {
            return Err((format!("`{}` has no value at a time", cut(what.trim())), help()));
        };
        let row = measured.times.iter().position(|known| *known == time).unwrap_or_else(|| {
            measured.times.push(time);
            measured.times.len() - 1
        });
        let (rows, values) = (Vec::new(), Vec::new());
        let (name, what) = (text.to_string(), what.trim().to_string());
        let (sigma, without) = (Sigma::Unknown, Without::default());
        measured.samples.push(Samples { name, what, subject, rows, values, sigma, without });
        return Ok(Output::Sample { column: measured.samples.len() - 1, row });
    }
    let indexed = text.trim().strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let Some((what, index)) =
        indexed.and_then(|(what, index)| Some((what.trim(), index.trim().parse::<usize>().ok()?)))
    else {
        return Err((format!("`{}` is no output: its time or its number is missing", cut(text.trim())), help()));
    };
    let (kind, place, of_speed) = match outcome(what, system, &mut measured.graph)? {
        Outcome::Happened(kind, place) => (kind, place, false),
        Outcome::Speed(contact) => (saltation_motion::EventKind::Impact, contact, true),
        Outcome::Sample(_) => return Err((format!("`{}` is no event", cut(what)), help())),
    };
    let known = measured.trains.iter().position(|train| train.kind == kind && train.place == place);
    let train = known.unwrap_or_else(|| {
        measured.trains.push(Train {
            name: what.to_string(),
            kind,
            place,
            times: Vec::new(),
            sigma: Sigma::Unknown,
            without: Without::default(),
            speeds: None,
        });
        measured.trains.len() - 1
    });
    Ok(if of_speed { Output::Speed { train, index } } else { Output::Time { train, index } })
}
