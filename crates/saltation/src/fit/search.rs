//! The search for the least sum of squares: from several starts, each on a growing part of the data, and the noise of columns by what is left.
//!
//! A motion with impacts follows data of a long time only from parameters that are nearly right. Each search therefore begins with the first data, of which there
//! are about twice as many as unknowns, and takes in half as many more whenever it has found a minimum; what they do not determine stays near its start. Where no
//! standard deviation is given, that of a column is the root mean square of its residuals, and fit and deviations are found in turns: the greatest likelihood.

use crate::fit::beside::{Beside, beside};
use crate::fit::free::Free;
use crate::fit::matching::foreseen;
use crate::fit::measured::{Measured, Sigma, Speeds, Train};
use crate::fit::observed::{Observer, Unobserved};
use crate::fit::residuals::{Compared, Pairing, compare};
use crate::progress::Progress;
use saltation_numerics::dense::Matrix;
use saltation_numerics::least_squares::{
    Ended, Information, Limits, Linearised, Minimum, Trial, Unknowns, information, minimise,
};
use saltation_numerics::random::Random;

/// The first part of the data has this many numbers per unknown.
const FIRST_DATA: usize = 2;
/// When a search on all data ends: what is left changes estimates by less than a ten-thousandth of their standard errors.
const FINAL: Limits = Limits { steps: 200, reduction: 1e-12, least: 1e-8 };
/// The same for a part of the data, from which the next part is entered: by less than a third.
const PART: Limits = Limits { steps: 200, reduction: 1e-3, least: 0.1 };
/// The largest number of turns in which the noise of columns is estimated, and the relative change that ends them.
const MOST_TURNS: usize = 40;
const SAME_NOISE: f64 = 1e-4;
/// Before anything is known of its noise, that of a column is this part of its spread.
const FIRST_NOISE: f64 = 0.1;
/// Samples that are predicted within this many such deviations are foreseen.
const FORESEEN: f64 = 2.5;
/// By this the cost of events without a partner is multiplied where nearly all are to have one: events that are all there count from the first.
const STRICT: f64 = 20.0;
/// Two searches that end nearer to each other than this many standard errors have found one minimum,
const SAME_MINIMUM: f64 = 0.01;
/// and in directions that the data do not determine nearer than this part of the sizes of the unknowns;
const SAME_PLACE: f64 = 1e-4;
/// and so have those whose unknowns differ by less than this part of them.
const SAME_NUMBER: f64 = 1e-6;
/// A search that ended within this many standard errors of the minimum of its linear model, because the sum of squares jumps there, has found what the data say.
pub(crate) const NEAR_MINIMUM: f64 = 0.5;
/// Singular values of scaled derivatives below this part of the largest say nothing: derivatives have half of the digits of their terms, through many events.
const UNDETERMINED: f64 = 1e-8;
/// The seed of the starts between the bounds.
const SEED: u64 = 1;

/// A search from one start.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    pub start: Vec<f64>,
    pub found: Option<Reached>,
    /// Why it ended before all data were taken in.
    pub short: Option<String>,
}

/// What a search reached.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    pub at: Vec<f64>,
    pub there: Linearised,
    pub ended: Ended,
    /// By how much the linear model there promises to lower the sum of squares: the square of the distance from the minimum in standard errors.
    pub promised: f64,
    /// Up to which time data were used.
    pub until: f64,
    /// Samples that were not compared, because they lie beside an event.
    pub beside: Beside,
}

/// What all searches found.
#[derive(Debug)]
pub(crate) struct Search {
    pub ways: Vec<Way>,
    /// Which of them ended at the least minimum.
    pub at_best: Vec<bool>,
    /// The way to the least sum of squares, if any search found residuals.
    pub best: Option<usize>,
    /// Its minimum in the noise that was estimated, where some was.
    pub reached: Option<Reached>,
    /// The standard deviation of every column, where it was estimated.
    pub spreads: Vec<f64>,
    pub unknowns: Unknowns,
    pub steps: usize,
    pub interrupted: bool,
}

/// One fit while it is searched for.
struct Fit<'s, 'a> {
    observer: &'s mut Observer<'a>,
    measured: &'a Measured,
    unknowns: Unknowns,
    spreads: Vec<f64>,
    pairing: Pairing,
    beside: Beside,
    progress: &'s mut dyn Progress,
    steps: usize,
    interrupted: bool,
    refused: Option<String>,
}

/// Searches from the values of the model and from other starts between the bounds.
pub(crate) fn search<'a>(
    observer: &mut Observer<'a>,
    measured: &'a Measured,
    free: &[Free],
    [starts, most]: [usize; 2],
    progress: &mut dyn Progress,
) -> Search {
    let own: Vec<f64> = free.iter().map(|free| free.value(observer.system)).collect();
    let bound =
        |side: usize, none: f64| free.iter().map(|free| free.bounds.map_or(none, |bounds| bounds[side])).collect();
    let sizes = free.iter().zip(&own).map(|(free, value)| free.size(*value)).collect();
    let unknowns = Unknowns { lower: bound(0, f64::NEG_INFINITY), upper: bound(1, f64::INFINITY), sizes };
    let mut random = Random(SEED);
    let mut first = own.clone();
    unknowns.project(&mut first);
    let mut other = || {
        let value = |(free, value): (&Free, &f64)| free.bounds.map_or(*value, |[low, high]| random.between(low, high));
        free.iter().zip(&own).map(value).collect::<Vec<f64>>()
    };
    let spreads = first_noise(measured);
    let mut fit = Fit {
        observer,
        measured,
        unknowns,
        spreads,
        pairing: Pairing::Noise,
        beside: Beside::new(),
        progress,
        steps: 0,
        interrupted: false,
        refused: None,
    };
    let mut ways: Vec<Way> = Vec::new();
    while !fit.interrupted && (ways.len() < starts || ways.len() < most && !twice(&ways, &fit.unknowns)) {
        let done = ways.len();
        let share = (starts > 1).then_some(done as f64 / starts.max(done + 1) as f64);
        fit.interrupted |= !fit.progress.see(share, &|| format!("start {}", done + 1));
        let way = fit.way(if done == 0 { first.clone() } else { other() });
        ways.push(way);
    }
    // Searches are compared in the noise that all of them assumed.
    let (best, at_best) = (least(&ways), at_best(&ways, &fit.unknowns));
    let mut reached = best.and_then(|best| ways[best].found.clone());
    if let Some(reached) = &mut reached {
        fit.settle_noise(reached);
    }
    let Fit { unknowns, spreads, steps, interrupted, .. } = fit;
    Search { ways, at_best, best, reached, spreads, unknowns, steps, interrupted }
}

/// Whether two searches ended at the best minimum.
fn twice(ways: &[Way], unknowns: &Unknowns) -> bool {
    at_best(ways, unknowns).into_iter().filter(|same| *same).count() > 1
}

/// Which searches ended at the best minimum: no farther from it than a part of its standard errors, and than they are from their own.
fn at_best(ways: &[Way], unknowns: &Unknowns) -> Vec<bool> {
    let best = least(ways).and_then(|best| ways[best].found.as_ref());
    let known = best.map(|best| Known::at(best, unknowns));
    let beside = |change: &[f64]| known.as_ref().is_none_or(|known| known.beside(change, unknowns) <= SAME_PLACE);
    let left = |found: &Reached| found.promised.max(0.0).sqrt().min(NEAR_MINIMUM);
    let near = |found: &Reached, best: &Reached| {
        let change: Vec<f64> = found.at.iter().zip(&best.at).map(|(a, b)| a - b).collect();
        let rounding = change.iter().zip(&best.at).all(|(change, b)| change.abs() <= SAME_NUMBER * b.abs());
        rounding || best.there.distance(&change) <= SAME_MINIMUM + left(found) + left(best) && beside(&change)
    };
    let same = |found: &Reached| best.is_some_and(|best| found.until == best.until && near(found, best));
    ways.iter().map(|way| way.found.as_ref().is_some_and(same)).collect()
}

/// What is known at a minimum, to first order in the noise.
pub(crate) struct Known {
    /// The unknowns between their bounds: one at a bound takes no degree of freedom.
    pub inner: Vec<usize>,
    /// What the data say about these; nothing where no derivative is finite.
    pub information: Option<Information>,
}

impl Known {
    /// What the data say at a minimum.
    pub(crate) fn at(reached: &Reached, unknowns: &Unknowns) -> Known {
        let bounds = unknowns.lower.iter().zip(&unknowns.upper);
        let between = reached.at.iter().zip(bounds).map(|(x, (low, high))| *x > *low && *x < *high);
        let inner: Vec<usize> = between.enumerate().filter_map(|(j, between)| between.then_some(j)).collect();
        let sizes: Vec<f64> = inner.iter().map(|&j| unknowns.sizes[j]).collect();
        let some = !inner.is_empty();
        let information = some.then(|| information(&reached.there, &inner, &sizes, UNDETERMINED).ok()).flatten();
        Known { inner, information }
    }

    /// How far a change leads along directions that the data do not determine, in the sizes of the unknowns.
    fn beside(&self, change: &[f64], unknowns: &Unknowns) -> f64 {
        let part = |j: usize| change[j] / unknowns.sizes[j];
        let Some(information) = &self.information else {
            return (0..change.len()).map(|j| part(j).abs()).fold(0.0, f64::max);
        };
        let undetermined = &information.undetermined;
        let along = |k: usize| self.inner.iter().zip(undetermined.column(k)).map(|(&j, u)| u * part(j)).sum::<f64>();
        (0..undetermined.columns()).map(|k| along(k).abs()).fold(0.0, f64::max)
    }

    /// The number of combinations of the unknowns that the data determine: each takes a degree of freedom.
    pub(crate) fn combinations(&self) -> usize {
        self.information.as_ref().map_or(0, |known| self.inner.len() - known.undetermined.columns())
    }
}

/// The way that used most of the data, and of those the least sum of squares.
fn least(ways: &[Way]) -> Option<usize> {
    let reached = ways.iter().enumerate().filter_map(|(k, way)| Some((k, way.found.as_ref()?)));
    let order = |a: &Reached, b: &Reached| b.until.total_cmp(&a.until).then(a.there.sum().total_cmp(&b.there.sum()));
    reached.min_by(|(_, a), (_, b)| order(a, b)).map(|(k, _)| k)
}

impl Reached {
    /// A better minimum for the same data.
    fn take(&mut self, Minimum { at, there, promised, ended, .. }: Minimum) {
        (self.at, self.there, self.promised, self.ended) = (at, there, promised, ended);
    }
}

impl Fit<'_, '_> {
    /// The search from one start: with events left out where that is cheaper, and if some are, again with nearly none left out on the first data.
    fn way(&mut self, start: Vec<f64>) -> Way {
        let lenient = self.way_by(start.clone(), 1.0);
        if self.interrupted
            || lenient.found.as_ref().is_some_and(|found| found.there.more == 0.0)
            || self.measured.trains.is_empty()
        {
            return lenient;
        }
        let mut both = [lenient, self.way_by(start, STRICT)];
        let best = least(&both).unwrap_or(0);
        both.swap(0, best);
        let [best, _] = both;
        best
    }

    /// The search from one start, on ever more data.
    fn way_by(&mut self, start: Vec<f64>, strictness: f64) -> Way {
        let mut way = Way { start: start.clone(), found: None, short: None };
        self.beside.clear();
        let parts = parts(self.measured, FIRST_DATA * start.len());
        let mut at = start.clone();
        let mut k = 0;
        while let Some(&until) = parts.get(k) {
            let last = k + 1 == parts.len();
            self.pairing = Pairing::Neighbours(if last { 1.0 } else { strictness });
            let (limits, anchor) = match last {
                true => (FINAL, None),
                false => (PART, Some(start.as_slice())),
            };
            match self.minimum(&at, until, limits, anchor) {
                Some(Minimum { at: there, there: value, promised, ended, .. }) => {
                    at.clone_from(&there);
                    way.found =
                        Some(Reached { at: there, there: value, ended, promised, until, beside: Beside::new() });
                }
                None => {
                    way.short = Some(
                        self.refused
                            .take()
                            .unwrap_or_else(|| "the model gives no number for some of the data".to_string()),
                    );
                    break;
                }
            }
            if self.interrupted {
                break;
            }
            // What the estimates foresee already is taken in at once.
            let foreseen = if last { f64::INFINITY } else { self.foreseen(&at) };
            k = parts.partition_point(|part| *part < foreseen).max(k + 1).min(if last {
                k + 1
            } else {
                parts.len() - 1
            });
        }
        self.pairing = Pairing::Noise;
        if let Some(found) = &mut way.found
            && way.short.is_none()
            && self.beside_events(found)
            && let Some(next) = self.minimum(&found.at.clone(), found.until, FINAL, None)
        {
            found.take(next);
            found.beside = self.beside.clone();
        }
        // Residuals of a part have what holds its unknowns; those of the data alone are told.
        if let Some(found) = &mut way.found
            && found.until < *parts.last().unwrap_or(&0.0)
            && let Some((_, value)) = self.residuals(&found.at, found.until)
        {
            found.there = value;
        }
        way
    }

    /// Finds the samples beside events from a minimum, and whether there is anything to be found anew.
    fn beside_events(&mut self, found: &Reached) -> bool {
        let inner: Vec<usize> = (0..found.at.len()).collect();
        if let Ok(known) = information(&found.there, &inner, &self.unknowns.sizes, f64::EPSILON)
            && let Ok(observed) = self.observer.observe(&found.at, found.until, 0.0, self.progress)
        {
            self.beside = beside(self.observer.system.model(), self.measured, &observed, &known.covariance);
        }
        !self.measured.trains.is_empty() || self.beside.iter().flatten().any(|beside| *beside)
    }

    /// Up to when the model does about what was measured: its events one by one, and its samples within a part of their spread.
    fn foreseen(&mut self, at: &[f64]) -> f64 {
        let last = self.measured.last();
        let Ok(observed) = self.observer.observe(at, last, beyond(self.measured, last), self.progress) else {
            return 0.0;
        };
        let spreads = first_noise(self.measured);
        let trains = self.measured.trains.iter().zip(&observed.trains);
        let events = trains.map(|(train, (times, _))| foreseen(&train.times, &times.values));
        let columns = self.measured.samples.iter().zip(&observed.samples).zip(&spreads);
        let samples = columns.map(|((samples, predicted), spread)| {
            let differs = |(&row, value): (&usize, &f64)| {
                let known = predicted.values.get(row).is_some_and(|model| (model - value).abs() <= FORESEEN * spread);
                (row >= observed.skipped && !known).then(|| self.measured.times[row])
            };
            samples.rows.iter().zip(&samples.values).find_map(differs).unwrap_or(f64::INFINITY)
        });
        events.chain(samples).fold(f64::INFINITY, f64::min)
    }

    /// A minimum near a point for the data up to a time; what they do not determine is held near the anchor.
    fn minimum(&mut self, at: &[f64], until: f64, limits: Limits, anchor: Option<&[f64]>) -> Option<Minimum> {
        let unknowns = self.unknowns.clone();
        self.refused = None;
        let found = minimise(at, &unknowns, limits, &mut |values| {
            if self.interrupted {
                return Trial::Interrupted;
            }
            match self.residuals(values, until) {
                Some((_, value)) => Trial::Known(match anchor {
                    Some(anchor) => held(value, values, anchor, &unknowns.sizes),
                    None => value,
                }),
                None if self.interrupted => Trial::Interrupted,
                None => Trial::Nothing,
            }
        })?;
        self.steps += found.steps;
        Some(found)
    }

    /// The residuals at some values.
    fn residuals(&mut self, values: &[f64], until: f64) -> Option<(Compared, Linearised)> {
        let beyond = beyond(self.measured, until);
        match self.observer.observe(values, until, beyond, self.progress) {
            Ok(observed) => {
                if let Some(short) = observed.short.as_ref().filter(|_| observed.time < until) {
                    self.refused = Some(format!(
                        "the trajectory ended at t = {}: {short}",
                        crate::text::number::short(observed.time, 8)
                    ));
                    return None;
                }
                compare(self.measured, &observed, until, (&self.spreads, self.pairing, &self.beside), values.len())
            }
            Err(Unobserved::Refused(why)) => {
                self.refused = Some(why);
                None
            }
            Err(Unobserved::Interrupted) => {
                self.interrupted = true;
                None
            }
        }
    }

    /// Estimates the noise of columns that have none, in turns with the fit.
    fn settle_noise(&mut self, found: &mut Reached) {
        let unknown = unknown(self.measured);
        (self.pairing, self.beside) = (Pairing::Noise, found.beside.clone());
        if !unknown.contains(&true) {
            return;
        }
        for _ in 0..MOST_TURNS {
            let Some((compared, value)) = self.residuals(&found.at, found.until) else { return };
            found.there = value;
            let before = self.spreads.clone();
            let taken = Known::at(found, &self.unknowns).combinations();
            for (column, spread) in self.spreads.iter_mut().enumerate().filter(|(column, _)| unknown[*column]) {
                *spread = noise(&compared, column, taken).unwrap_or(*spread);
            }
            let change = |(a, b): (&f64, &f64)| (a - b).abs() > SAME_NOISE * a;
            let same = !self.spreads.iter().zip(&before).any(change);
            let Some(next) = self.minimum(&found.at.clone(), found.until, FINAL, None) else { return };
            found.take(next);
            if same || self.interrupted {
                return;
            }
        }
    }
}

/// The same with what holds every unknown near an anchor, by its size.
fn held(value: Linearised, values: &[f64], anchor: &[f64], sizes: &[f64]) -> Linearised {
    let Linearised { mut residuals, jacobian, more } = value;
    let (rows, n) = (residuals.len(), values.len());
    residuals.extend((0..n).map(|j| (values[j] - anchor[j]) / sizes[j]));
    let entry = |i: usize, j: usize| match i.checked_sub(rows) {
        None => jacobian[(i, j)],
        Some(own) if own == j => 1.0 / sizes[j],
        Some(_) => 0.0,
    };
    Linearised { residuals, jacobian: Matrix::from_fn(rows + n, n, entry), more }
}

/// The noise of a column by its residuals, which gives its share of the degrees of freedom that the data `taken` for the fit have; at least what rounding leaves.
fn noise(compared: &Compared, column: usize, taken: usize) -> Option<f64> {
    let own = || compared.residuals.iter().filter(move |one| one.column == column);
    let (count, all) = (own().count() as f64, compared.residuals.len() as f64);
    let free = count * (1.0 - taken as f64 / all);
    let squares: f64 = own().map(|one| (one.model - one.measured).powi(2)).sum();
    let size = own().map(|one| one.measured.abs()).fold(0.0, f64::max);
    (free > 0.0).then(|| (squares / free).sqrt().max(f64::EPSILON * size).max(f64::MIN_POSITIVE))
}

/// Which columns have no standard deviation.
pub(crate) fn unknown(measured: &Measured) -> Vec<bool> {
    let samples = measured.samples.iter().map(|samples| samples.sigma == Sigma::Unknown);
    let trains = measured.trains.iter().flat_map(|train| {
        let speeds = train.speeds.iter().map(|speeds| speeds.sigma == Sigma::Unknown);
        std::iter::once(train.sigma == Sigma::Unknown).chain(speeds)
    });
    samples.chain(trains).collect()
}

/// A part of the spread of every column: of times that of the distances.
fn first_noise(measured: &Measured) -> Vec<f64> {
    let spread = |values: &[f64]| {
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let size = if high > low { high - low } else { high.abs() };
        if size.is_finite() && size > 0.0 { size } else { 1.0 }
    };
    let samples = measured.samples.iter().map(|samples| spread(&samples.values));
    let trains = measured.trains.iter().flat_map(|train| {
        let mean = spread(&train.times) / train.times.len().max(1) as f64;
        std::iter::once(mean).chain(train.speeds.iter().map(|speeds| spread(&speeds.values)))
    });
    samples.chain(trains).map(|size| FIRST_NOISE * size).collect()
}

/// The times up to which data are taken in: the first `count` of them, then half as many more, and so on.
fn parts(measured: &Measured, count: usize) -> Vec<f64> {
    let samples = measured.samples.iter().flat_map(|samples| samples.rows.iter().map(|&row| measured.times[row]));
    let events = measured.trains.iter().flat_map(|train| train.times.iter().copied());
    let known = |(train, speeds): (&'_ Train, &'_ Speeds)| {
        let finite = |(time, speed): (&f64, &f64)| speed.is_finite().then_some(*time);
        train.times.iter().zip(&speeds.values).filter_map(finite).collect::<Vec<f64>>()
    };
    let speeds = measured.trains.iter().filter_map(|train| Some(known((train, train.speeds.as_ref()?)))).flatten();
    let mut times: Vec<f64> = samples.chain(events).chain(speeds).collect();
    times.sort_by(f64::total_cmp);
    let counts = std::iter::successors(Some(count.max(1)), |count| Some(count + count.div_ceil(2)));
    let inner = counts.take_while(|count| count + count / 2 <= times.len());
    let mut parts: Vec<f64> = inner.map(|count| times[count - 1]).collect();
    parts.push(measured.last());
    parts.dedup();
    parts
}

/// How long after a time the model is followed, so that an event that it has late is seen: the longest time between events before it.
pub(crate) fn beyond(measured: &Measured, until: f64) -> f64 {
    let longest = |times: &[f64]| {
        let known = &times[..times.partition_point(|time| *time <= until)];
        let between = known.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        if known.len() < 2 { until } else { between }
    };
    measured.trains.iter().map(|train| longest(&train.times)).fold(0.0, f64::max)
}
