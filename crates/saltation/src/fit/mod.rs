//! Parameters and start values from measurements, by least squares with the exact derivatives of trajectories: the question `fit`.

pub mod answer;
mod beside;
mod csv_file;
pub(crate) mod fields;
pub(crate) mod figure;
mod free;
mod function;
mod matching;
mod measured;
mod observed;
pub(crate) mod report;
pub mod request;
mod residuals;
mod search;

pub use answer::Answer;
pub use csv_file::{parse, read};
pub use function::Function;
pub use request::Request;

use crate::answered::{Answered, Ending, Parts};
use crate::error::Error;
use crate::named::Named;
use crate::progress::Progress;
use crate::settings::MotionSettings;
use crate::simulation::answer::Columns;
use crate::system::System;
use crate::table::Table;
use crate::text::number::short;
use answer::{Column, Estimate, Residuals, Start};
use free::{Free, with};
use observed::Observer;
use request::Meaning;
use residuals::{Compared, Pairing, compare};
use saltation_draw::Figure;
use saltation_motion::{FlowChoice, Policy};
use saltation_numerics::least_squares::{Ended, Information};
use search::{Known, NEAR_MINIMUM, Reached, Search, search, unknown};
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A fit to be computed.
///
/// ```
/// use saltation::System;
/// // Impacts of a ball that was dropped from 1 m: restitution and gravity.
/// let times = [0.4518, 1.1747, 1.7530, 2.2157, 2.5858, 2.8819];
/// let ball = System::gallery("bouncing-ball")?;
/// let fitted = ball.fit([("impact:ground", &times[..])], ["e=0.5:0.9", "g=9:11"]).run()?;
/// assert!((fitted.estimates[0].value - 0.8).abs() < 1e-3 && (fitted.estimates[1].value - 9.8).abs() < 0.02);
/// assert!(fitted.estimates[0].standard_error < 1e-3);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fit {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// A fit that was computed: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The system, with the numbers at which the search began.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The system with the estimates.
    pub fitted: System,
    /// The wall time of the computation.
    pub wall_time: Duration,
}

impl Deref for Fitted {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// Fits parameters and start values to columns of data; each is `NAME` or `NAME=LO:HI`, and `start.x` is the start value of the state x.
    pub fn fit<'a, N: Into<String>, F: Into<String>>(
        &self,
        data: impl IntoIterator<Item = (N, &'a [f64])>,
        free: impl IntoIterator<Item = F>,
    ) -> Fit {
        let data = data.into_iter().map(|(name, column)| (name.into(), column.to_vec())).collect();
        let free = free.into_iter().map(Into::into).collect();
        Fit { system: self.clone(), request: Request { data: Columns(data), free, ..Request::default() } }
    }
}

impl MotionSettings for Fit {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        (&mut self.request.tol, &mut self.request.flow)
    }
}

impl Fit {
    /// The standard deviation of the noise of a column.
    pub fn sigma(mut self, column: &str, sigma: f64) -> Self {
        self.request.sigma.push(format!("{column}={sigma:?}"));
        self
    }

    /// What a column measures, where its name does not say it.
    pub fn column(mut self, name: &str, what: &str) -> Self {
        self.request.column.push(format!("{name}={what}"));
        self
    }

    /// A parameter by which the clock of the data is ahead of that of the model.
    pub fn clock(mut self, parameter: &str) -> Self {
        self.request.clock = Some(parameter.to_string());
        self
    }

    /// The number of points at which the search begins.
    pub fn starts(mut self, count: u64) -> Self {
        self.request.starts = Some(count);
        self
    }

    /// The choice where several contact modes with friction are consistent.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.request.policy = policy;
        self
    }

    /// Fits. That data determine nothing, or that the model has no trajectory, is part of the answer.
    ///
    /// # Errors
    /// Mistakes in the request.
    pub fn run(&self) -> Result<Fitted, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Fit::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Fitted, Error> {
        let began = Instant::now();
        let Fit { system, request } = self;
        let Meaning { measured, free, clock, starts } = request.meaning(system)?;
        let mut observer = Observer::new(system, request, &free, clock, &measured)?;
        let found = search(&mut observer, &measured, &free, starts, progress);
        let reached = found.reached.clone();
        let at = reached
            .as_ref()
            .map_or_else(|| free.iter().map(|free| free.value(system)).collect(), |reached| reached.at.clone());
        let fitted = with(system, &free, &at)?;
        let beyond = search::beyond(&measured, measured.last());
        let compared = reached.as_ref().and_then(|reached| {
            let observed = observer.observe(&at, reached.until, beyond, &mut ()).ok()?;
            let lost = observed.lost.clone();
            let compared = compare(
                &measured,
                &observed,
                reached.until,
                (&found.spreads, Pairing::Noise, &reached.beside),
                at.len(),
            )?
            .0;
            Some((compared, observed, lost))
        });
        let trajectories = observer.motions;
        let names = measured.names();
        let mut answer = Answer {
            estimates: Vec::new(),
            correlations: Vec::new(),
            undetermined: Vec::new(),
            columns: Vec::new(),
            residuals: Residuals::default(),
            chi_squared: f64::NAN,
            degrees_of_freedom: 0,
            starts: starts_of(&found, &free),
            best: found.best,
            until: reached.as_ref().map_or(f64::NAN, |reached| reached.until),
            steps: found.steps,
            trajectories,
            ended: String::new(),
            message: String::new(),
            model: system.model().name.clone(),
            parameters: fitted.parameters(),
            start: fitted.start(),
            fitted: rewritten(&fitted),
        };
        estimate(&mut answer, system, &free, &found, reached.as_ref());
        let lost = compared.as_ref().and_then(|(_, _, lost)| lost.clone());
        if let Some((compared, observed, _)) = &compared {
            columns(&mut answer, compared, &names, &measured, observed, &found.spreads);
        }
        // As many numbers as unknowns leave nothing from which noise could be estimated.
        if answer.degrees_of_freedom <= 0 && unknown(&measured).contains(&true) {
            answer.estimates.iter_mut().for_each(|one| one.standard_error = f64::NAN);
            answer.columns.iter_mut().filter(|column| column.estimated).for_each(|column| column.sigma = f64::NAN);
            answer.chi_squared = f64::NAN;
        }
        let all = measured.last();
        let short = found.best.and_then(|best| found.ways[best].short.clone());
        (answer.ended, answer.message) = ending(&answer, &found, reached.as_ref(), short, (all, lost));
        Ok(Fitted { system: system.clone(), request: request.clone(), answer, fitted, wall_time: began.elapsed() })
    }
}

/// The searches with their names.
fn starts_of(found: &Search, free: &[Free]) -> Vec<Start> {
    let names: Arc<[String]> = free.iter().map(|free| free.name.clone()).collect();
    let named = |values: &[f64]| Named::new(Arc::clone(&names), values.to_vec());
    let start = |(way, &at_best): (&search::Way, &bool)| Start {
        from: named(&way.start),
        to: way.found.as_ref().map(|reached| named(&reached.at)),
        sum: way.found.as_ref().map(|reached| reached.there.sum()),
        at_best,
        ended: match (&way.short, &way.found) {
            (Some(short), _) => short.clone(),
            (None, Some(reached)) => word(reached.ended).to_string(),
            (None, None) => word(Ended::Interrupted).to_string(),
        },
    };
    found.ways.iter().zip(&found.at_best).map(start).collect()
}

fn word(ended: Ended) -> &'static str {
    match ended {
        Ended::Converged => "converged",
        Ended::Steps => "steps",
        Ended::Stuck => "stuck",
        Ended::Interrupted => "interrupted",
    }
}

/// Estimates with their standard errors and correlations, and what the data do not determine.
fn estimate(answer: &mut Answer, system: &System, free: &[Free], found: &Search, reached: Option<&Reached>) {
    let n = free.len();
    let at = |j: usize| reached.map_or(f64::NAN, |reached| reached.at[j]);
    let at_bound = |j: usize| at(j) <= found.unknowns.lower[j] || at(j) >= found.unknowns.upper[j];
    let known = reached.map(|reached| Known::at(reached, &found.unknowns));
    let inner: &[usize] = known.as_ref().map_or(&[], |known| &known.inner);
    let information = known.as_ref().and_then(|known| known.information.as_ref());
    let place = |j: usize| inner.iter().position(|own| *own == j);
    let covariance = |i: usize, j: usize| match (information, place(i), place(j)) {
        (Some(known), Some(i), Some(j)) => known.covariance[(i, j)],
        _ => f64::NAN,
    };
    let error = |j: usize| covariance(j, j).sqrt();
    answer.estimates = (0..n)
        .map(|j| Estimate {
            name: free[j].name.clone(),
            value: at(j),
            standard_error: error(j),
            start: free[j].value(system),
            bounds: free[j].bounds,
            at_bound: reached.is_some() && at_bound(j),
            identifiable: error(j).is_finite() || reached.is_some() && at_bound(j),
        })
        .collect();
    let correlation = |i: usize, j: usize| Some(covariance(i, j) / (error(i) * error(j))).filter(|c| c.is_finite());
    answer.correlations = (0..n).map(|i| (0..n).map(|j| correlation(i, j)).collect()).collect();
    if let Some(Information { undetermined, .. }) = information {
        let names: Arc<[String]> = inner.iter().map(|&j| free[j].name.clone()).collect();
        let direction = |k: usize| Named::new(Arc::clone(&names), undetermined.column(k).to_vec());
        answer.undetermined = (0..undetermined.columns()).map(direction).collect();
    }
    let taken = known.as_ref().map_or(0, Known::combinations);
    let residuals = reached.map_or(0, |reached| reached.there.residuals.len());
    answer.degrees_of_freedom = residuals as i64 - taken as i64;
    answer.chi_squared = reached.map_or(f64::NAN, |reached| reached.there.residuals.iter().map(|r| r * r).sum());
}

/// The columns with their residuals, and the events that one side lacks.
fn columns(
    answer: &mut Answer,
    compared: &Compared,
    names: &[String],
    measured: &measured::Measured,
    observed: &observed::Observed,
    spreads: &[f64],
) {
    let (estimated, measures, without) = (unknown(measured), measured.meanings(), measured.without());
    let mut list: Vec<Column> = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let own = || compared.residuals.iter().filter(move |one| one.column == k);
        let count = own().count();
        let mean = |sum: f64| if count > 0 { sum / count as f64 } else { f64::NAN };
        list.push(Column {
            name: name.clone(),
            measures: measures[k].clone(),
            count,
            not_measured: without[k].empty,
            infinite: without[k].infinite,
            sigma: if estimated[k] && count > 0 { spreads[k] } else { mean(own().map(|one| one.sigma).sum()) },
            estimated: estimated[k],
            rms: mean(own().map(|one| (one.model - one.measured).powi(2)).sum()).sqrt(),
            missing: Vec::new(),
            extra: Vec::new(),
        });
    }
    let mut column = measured.samples.len();
    for ((train, matching), (times, _)) in measured.trains.iter().zip(&compared.matchings).zip(&observed.trains) {
        list[column].missing = matching.missing.iter().map(|&i| train.times[i]).collect();
        list[column].extra = matching.extra.iter().map(|&j| times.values[j]).collect();
        column += 1 + usize::from(train.speeds.is_some());
    }
    answer.columns = list;
    for one in &compared.residuals {
        answer.residuals.column.push(names[one.column].clone());
        answer.residuals.time.push(one.time);
        answer.residuals.measured.push(one.measured);
        answer.residuals.model.push(one.model);
        answer.residuals.sigma.push(one.sigma);
    }
}

/// How the fit ended, in a word and in a sentence.
fn ending(
    answer: &Answer,
    found: &Search,
    reached: Option<&Reached>,
    early: Option<String>,
    (all, lost): (f64, Option<(f64, String)>),
) -> (String, String) {
    let said = |word: &str, message: String| (word.to_string(), message);
    let Some(reached) = reached else {
        let why = found
            .ways
            .iter()
            .find_map(|way| way.short.clone())
            .unwrap_or_else(|| "the search was interrupted".to_string());
        return match found.interrupted {
            true => said("interrupted", "the search was interrupted".to_string()),
            false => said(
                "impossible",
                format!("the model gives nothing to compare at the values where the search begins: {why}"),
            ),
        };
    };
    if found.interrupted {
        return said("interrupted", "the search was interrupted; the estimates are its best so far".to_string());
    }
    if reached.until < all {
        let why = early.unwrap_or_else(|| "the model gives no number for some of the data".to_string());
        let until = short_number(reached.until);
        return said("partial", format!("only data up to t = {until} were used: beyond, {why}"));
    }
    if !answer.undetermined.is_empty() {
        let names: Vec<&str> =
            answer.estimates.iter().filter(|one| !one.identifiable).map(|one| one.name.as_str()).collect();
        let few = answer.residuals.time.len() < answer.estimates.len();
        let why = match (few, lost) {
            (true, _) => {
                let numbers = match answer.residuals.time.len() {
                    1 => "there is 1 number".to_string(),
                    count => format!("there are {count} numbers"),
                };
                format!("{numbers} for {} unknowns", answer.estimates.len())
            }
            (false, Some((time, why))) => format!("derivatives do not exist beyond t = {}: {why}", short_number(time)),
            (false, None) => {
                "a change of them along the direction that the report names changes no residual".to_string()
            }
        };
        return said("not_identifiable", format!("the data do not determine {}: {why}", names.join(", ")));
    }
    if let Some(column) = answer.columns.iter().find(|column| column.missing.len() > column.count) {
        let all = column.count + column.missing.len();
        let message = format!(
            "only {} of {all} numbers of {} have a partner in the model: the data are of another system, or the search has not found them (other bounds, more starts)",
            column.count, column.name
        );
        return said("unmatched", message);
    }
    match reached.ended {
        Ended::Converged => said("converged", "no change of the estimates makes the sum of squares smaller".to_string()),
        Ended::Steps => said("steps", "the search did not come to an end within its largest number of steps".to_string()),
        Ended::Stuck if reached.promised <= NEAR_MINIMUM * NEAR_MINIMUM => said(
            "converged",
            format!(
                "the sum of squares has no minimum where it is smooth: it jumps where a sample passes an event, {} standard errors from the estimates",
                short(reached.promised.max(0.0).sqrt(), 2)
            ),
        ),
        Ended::Stuck => said("stuck", "the sum of squares does not fall where its derivatives say that it does: there is a corner, as where the number of events changes".to_string()),
        Ended::Interrupted => said("interrupted", "the search was interrupted".to_string()),
    }
}

fn short_number(x: f64) -> String {
    short(x, 8)
}

/// The model file with the numbers of a system that were set or fitted.
fn rewritten(fitted: &System) -> Option<String> {
    let settings = fitted.all_settings();
    let mut numbers: Vec<(String, f64)> = Vec::new();
    for (name, _) in &settings.set {
        numbers.push((format!("parameters.{name}"), fitted.parameter(name)?));
    }
    for (name, _) in &settings.start {
        let state = fitted.model().state(name)?;
        numbers.push((format!("start.{name}"), fitted.numbers().start()[state]));
    }
    let text = fitted.model().rewritten(&numbers)?;
    // The text says what it is meant to say, or there is none.
    let again = System::parse(&text, &fitted.model().file).ok()?;
    let same = again.numbers().parameters() == fitted.numbers().parameters()
        && again.numbers().start() == fitted.numbers().start();
    same.then_some(text)
}

impl Answered for Fitted {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        match self.ended.as_str() {
            "converged" => Ending::complete(),
            _ => Ending::short(vec![self.message.clone()]),
        }
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        report::tables(self)
    }

    fn warnings(&self) -> Vec<String> {
        report::warnings(self)
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Fitted {
    /// The fitted trajectory through the data, as columns: `time`, then every sampled column by its name. `None` where no column is sampled.
    pub fn trajectory(&self) -> Option<Columns> {
        figure::trajectory(self)
    }

    /// The figure: every sampled column with the model through it and its residuals, and the residuals of the times of events. `None` where nothing was compared.
    ///
    /// # Errors
    /// None.
    pub fn figure(&self) -> Result<Option<Figure>, Error> {
        Ok(figure::figure(&self.system, self, self.trajectory().as_ref()))
    }
}
