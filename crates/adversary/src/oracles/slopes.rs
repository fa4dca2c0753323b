//! Derivatives of motions by their numbers, through all events, against differences of fourth order of whole motions.
//!
//! All numbers of a body change together, each by its own share, and with them the start. Differences are taken at three distances and believed where those of
//! second and of fourth order agree, both one-sided ones as well, and all motions pass the same events.

use saltation_model::Values;
use saltation_motion::{Ended, Event, EventKind, Happening, Motion, Perturbation, Settings, System};

use crate::dice::Dice;
use crate::digits::Against;
use crate::family::{LONGEST, Watch};
use crate::subject::{Subject, Trial};

/// The distances of the differences, relative to the numbers.
const DISTANCES: [f64; 3] = [1e-4, 1e-5, 1e-6];
/// Motions are compared at so many times at most.
const TIMES: usize = 8;
/// Motions of more states are not differentiated.
const MOST_STATES: usize = 40;
/// What the differences do not know: this many times what those of second and fourth order differ by.
const UNSURE: f64 = 3.0;
/// Differences that know less than this part of the largest derivative are not believed.
const KNOWN: f64 = 1e-4;
/// Derivatives agree to this, relative to the largest of the state.
const AGREED: f64 = 1e-5;
/// One-sided differences that differ by more than this part are those of a border.
const BORDER: f64 = 1e-2;
/// The error of a motion, relative to its size, where nothing makes it grow.
const ERROR: f64 = 1e-11;

/// What the derivatives of the motion of a body differ by.
pub fn check(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    let all = subject.times();
    let times: Vec<f64> = (0..TIMES.min(all.len())).map(|_| all[dice.below(all.len())]).collect();
    let settings = Settings { until: subject.body.until, ..Settings::default() };
    apart(&subject.base.system, &subject.base.values, (settings, times), dice, subject.watch).map(Against::law)
}

/// The same of any motion, at some times.
pub fn apart(
    system: &System,
    values: &Values,
    (settings, mut times): (Settings, Vec<f64>),
    dice: &mut Dice,
    watch: &Watch,
) -> Option<String> {
    if system.model().states.len() > MOST_STATES {
        return None;
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let shares = Shares::new(system, values, dice);
    let course = Course { system, settings, times: &times, watch };
    let base = course.of(values)?;
    let found = course.slopes(values, &shares)?;
    // Where a motion ends early nothing is known of its distance.
    let shifted: Vec<(f64, [Shifted; 4])> = DISTANCES
        .into_iter()
        .filter_map(|distance| {
            let at = |factor: f64| course.of(&shares.changed(values, factor * distance)?);
            Some((distance, [at(-2.0)?, at(-1.0)?, at(1.0)?, at(2.0)?]))
        })
        .collect();
    for (k, (time, (state, slopes))) in times.iter().zip(&found).enumerate() {
        let slopes = slopes.as_ref()?;
        let before = |events: &[Event]| passed(events, *time);
        let own = before(&base.events);
        let scale = slopes.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let size = state.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
        for i in 0..slopes.len() {
            // The distance at which the differences know most.
            let believed = shifted.iter().filter_map(|(h, four)| {
                let values = four.each_ref().map(|one| one.at[k].as_ref().map_or(f64::NAN, |state| state[i]));
                let [a, b, c, d] = values;
                let same = four.iter().all(|one| before(&one.events) == own);
                let (right, left) = ((c - state[i]) / h, (state[i] - b) / h);
                let fourth = (8.0 * (c - b) - (d - a)) / (12.0 * h);
                let unsure = (fourth - (d - a) / (4.0 * h)).abs() + ERROR * size / h;
                let border = (right - left).abs() > BORDER * (right.abs() + left.abs()) + 10.0 * ERROR * size / h;
                let known = unsure <= KNOWN * scale.max(fourth.abs());
                (same && !border && known).then_some((fourth, unsure))
            });
            let Some((expected, unsure)) = believed.min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            let off = (slopes[i] - expected).abs();
            if off > AGREED * scale.max(expected.abs()) + UNSURE * unsure {
                let name = &system.state_names()[i];
                return Some(format!(
                    "the derivative of {name} at t = {time:?} is {:?}, and differences give {expected:?} (unsure {unsure:.1e}), after {} events",
                    slopes[i],
                    own.len()
                ));
            }
        }
    }
    None
}

/// The share by which every number changes: none where a number is a bound that it may not pass; of states only where nothing binds the start.
struct Shares {
    parameters: Vec<(usize, f64)>,
    start: Option<Vec<f64>>,
}

impl Shares {
    fn new(system: &System, values: &Values, dice: &mut Dice) -> Shares {
        let changes = |(index, &value): (usize, &f64)| {
            let share = dice.between(-1.0, 1.0);
            (value != 0.0 && value != 1.0).then_some((index, share * value))
        };
        let parameters = values.parameters().iter().enumerate().filter_map(changes).collect();
        let model = system.model();
        let free = model.contacts.is_empty() && model.constraints.is_empty() && model.phase.is_none();
        let start = free.then(|| values.start().iter().map(|x| dice.between(-1.0, 1.0) * x.abs().max(0.1)).collect());
        Shares { parameters, start }
    }

    fn changed(&self, values: &Values, distance: f64) -> Option<Values> {
        let at = |&(index, share): &(usize, f64)| (index, values.parameters()[index] + distance * share);
        let mut changed = values.clone();
        changed.set_all(&self.parameters.iter().map(at).collect::<Vec<_>>()).ok()?;
        Some(match &self.start {
            Some(shares) => {
                let start: Vec<f64> =
                    values.start().iter().zip(shares).map(|(x, share)| x + distance * share).collect();
                changed.with_start(&start)
            }
            None => changed,
        })
    }

    fn direction(&self, values: &Values) -> Perturbation {
        let zeros = |length: usize| vec![0.0; length];
        let mut direction =
            Perturbation { state: zeros(values.start().len()), parameters: zeros(values.parameters().len()) };
        for &(index, share) in &self.parameters {
            let own = Perturbation::following(values, index);
            direction.state.iter_mut().zip(&own.state).for_each(|(sum, x)| *sum += share * x);
            direction.parameters.iter_mut().zip(&own.parameters).for_each(|(sum, x)| *sum += share * x);
        }
        if let Some(start) = &self.start {
            direction.state.clone_from(start);
        }
        direction
    }
}

/// The events before a time: what happened where.
fn passed(events: &[Event], time: f64) -> Vec<(EventKind, Option<usize>, Option<usize>)> {
    // Sections, grazes and the impacts of a sequence one by one are no change of what happens.
    let counts = |event: &&Event| event.end() < time && event.kind != EventKind::Section;
    events.iter().filter(counts).map(|event| (event.kind, event.contact, event.switch)).collect()
}

/// Motions of one system, looked at at some times.
struct Course<'a> {
    system: &'a System,
    settings: Settings,
    times: &'a [f64],
    watch: &'a Watch,
}

/// A motion: its states at the times, and its events.
struct Shifted {
    at: Vec<Option<Vec<f64>>>,
    events: Vec<Event>,
}

/// A state and its derivatives, where there are any.
type Sloped = (Vec<f64>, Option<Vec<f64>>);

impl Course<'_> {
    /// The motion of some numbers; nothing if it ends early.
    fn of(&self, values: &Values) -> Option<Shifted> {
        let motion = Motion::new(self.system, values, self.settings).ok()?;
        let watch = self.watch.within(LONGEST);
        let run = motion.run(true, |_| watch.allows());
        if !run.ended.is_complete() {
            return None;
        }
        let events = run.events.clone();
        let trial = Trial { system: self.system.clone(), values: values.clone(), run };
        Some(Shifted { at: self.times.iter().map(|&time| trial.at(time)).collect(), events })
    }

    /// The states and their derivatives.
    fn slopes(&self, values: &Values, shares: &Shares) -> Option<Vec<Sloped>> {
        let settings = Settings { until: *self.times.first()?, ..self.settings };
        let mut motion = Motion::with_derivatives(self.system, values, settings, &[shares.direction(values)]).ok()?;
        let watch = self.watch.within(LONGEST);
        let mut found = Vec::new();
        let mut steps = 0_u64;
        while found.len() < self.times.len() {
            steps += 1;
            if steps.is_multiple_of(1000) && !watch.allows() {
                return None;
            }
            let Happening::Ended(ended) = motion.advance() else { continue };
            if *ended != Ended::ReachedTime {
                return None;
            }
            let here = motion.derivatives();
            found.push((motion.state().to_vec(), here.is_finite().then(|| here.state(0).to_vec())));
            motion.extend(self.times.get(found.len()).copied().unwrap_or(0.0), None);
        }
        Some(found)
    }
}
