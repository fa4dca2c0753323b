//! Attractors and their basins: where motions from many starts lead, and how large the part of the starts is that leads to each. The question `basin`.

pub mod answer;
pub(crate) mod collect;
pub(crate) mod fields;
pub(crate) mod figure;
pub(crate) mod orbits;
pub(crate) mod report;
pub mod request;

pub use answer::Answer;
pub use request::Request;
pub use saltation_sweep::Starts;

use crate::answered::{Answered, Ending, Parts};
use crate::error::{Error, Refusal};
use crate::named::Named;
use crate::sweep::Axis;
use crate::system::System;
use crate::table::{Cell, Table};
use crate::tasks::Method;
use crate::tasks::finished::FinishedBlocks;
use crate::tasks::question::{Done, ManyMotions, Question, Settled};
use crate::tasks::runner::Finished;
use crate::text::number;
use collect::{Collected, Counts};
use orbits::Confirmed;
use saltation_draw::Figure;
use saltation_sweep::store::Part;
use saltation_sweep::{Plan, fraction};
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

/// Basins to be computed.
///
/// ```
/// use saltation::{RecordSettings, System};
/// let system = System::gallery("two-wall-oscillator")?.with("nu", 0.9)?;
/// let found = system.basin().random("y", -0.9..=0.9).random("w", -1.5..=1.5).count(20).settle(300).record(20).run()?;
/// assert_eq!(found.done, 20);
/// assert!(found.fractions.iter().sum::<f64>() <= 1.0 + 1e-15);
/// # Ok::<(), saltation::Error>(())
/// ```
pub type BasinSearch = Question<Request>;

/// Attractors and basins that were found: the answer, the system and the request.
#[derive(Debug)]
pub struct Basins {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) plan: Plan,
    pub(crate) finished: Finished,
    pub(crate) collected: Collected,
    confirmed: Vec<Option<Confirmed>>,
}

impl Deref for Basins {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// Attractors and their basins, from starts that [`BasinSearch::grid`] or [`BasinSearch::random`] give.
    pub fn basin(&self) -> BasinSearch {
        Question::new(self, Request::default())
    }
}

/// The number of random starts, unless a request says otherwise.
pub const USUAL_COUNT: u64 = 1000;

impl BasinSearch {
    /// Starts on a grid: equally spaced values of this state. Called twice for two states.
    ///
    /// # Panics
    /// If there are no points, or an end is not finite.
    pub fn grid(mut self, state: &str, range: RangeInclusive<f64>, points: u64) -> Self {
        let axis = Axis::linear(state, *range.start(), *range.end(), points).unwrap_or_else(|error| panic!("{error}"));
        match &mut self.request.starts {
            Starts::Grid(axes) => axes.push(axis),
            starts => *starts = Starts::Grid(vec![axis]),
        }
        self
    }

    /// Random starts: this state is uniform in a range. Called once for every state that varies.
    pub fn random(mut self, state: &str, range: RangeInclusive<f64>) -> Self {
        let range = (state.to_string(), *range.start(), *range.end());
        match &mut self.request.starts {
            Starts::Random { ranges, .. } => ranges.push(range),
            starts => *starts = Starts::Random { ranges: vec![range], count: USUAL_COUNT, seed: 1 },
        }
        self
    }

    /// The number of random starts.
    pub fn count(mut self, starts: u64) -> Self {
        if let Starts::Random { count, .. } = &mut self.request.starts {
            *count = starts;
        }
        self
    }

    /// The seed of random starts.
    pub fn seed(mut self, number: u64) -> Self {
        if let Starts::Random { seed, .. } = &mut self.request.starts {
            *seed = number;
        }
        self
    }

    /// Follows attractors and fractions along a parameter.
    pub fn over(mut self, axis: Axis) -> Self {
        self.request.along = Some(axis);
        self
    }
}

impl ManyMotions for Request {
    const NAME: &'static str = "basin";

    type Found = Basins;

    fn method(&self) -> &Method {
        &self.method
    }

    fn method_mut(&mut self) -> &mut Method {
        &mut self.method
    }

    fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Settled>), Error> {
        Request::examine(self, system)
    }

    /// Attractors are confirmed by searches for the orbits and equilibria that they are.
    fn found(done: Done<Request>) -> Result<Basins, Error> {
        let Done { system, request, plan, names, finished, keeps } = done;
        let mut collected = collect::collect(&plan, &names, &finished, request.method.tol)?;
        let confirmed = orbits::confirm(&system, &request.method, &names.parameters, &mut collected);
        let answer = answer(&system, &request, &plan, &finished, &collected, &confirmed, keeps)?;
        let wall_time = finished.wall_time;
        Ok(Basins { system, request, answer, wall_time, plan, finished, collected, confirmed })
    }

    /// Writes the orbits of periodic attractors, and the equilibria of those at rest, to the folder, once all its blocks are there.
    fn hand_on(basins: &Basins) -> Result<(), Error> {
        let FinishedBlocks::Stored(store) = &basins.finished.kept else { return Ok(()) };
        // Part of the starts may miss attractors.
        if basins.finished.ended.0 != "complete" || store.layout().part != Part::WHOLE {
            return Ok(());
        }
        for (k, confirmed) in basins.confirmed.iter().enumerate() {
            let Some(confirmed) = confirmed else { continue };
            let text = format!("{}\n", confirmed.json());
            store.finish(&orbits::file(k), &text).map_err(crate::tasks::finished::unreadable)?;
        }
        Ok(())
    }
}

/// The answer: plain data with the names of the model.
fn answer(
    system: &System,
    request: &Request,
    plan: &Plan,
    finished: &Finished,
    collected: &Collected,
    confirmed: &[Option<Confirmed>],
    keeps: bool,
) -> Result<Answer, Error> {
    let naming = system.naming()?;
    let parameters: Arc<[String]> = plan.axes().iter().map(|axis| axis.name().to_string()).collect();
    let contacts = naming.system.contact_names();
    let stored = matches!(finished.kept, FinishedBlocks::Stored(_));
    let attractor = |(k, found): (usize, &collect::Found)| {
        let (kind, period) = crate::sweep::answer::kind(found.attractor.kind);
        let (share, error) = fraction(found.count, collected.counts.of());
        let second = confirmed[k].as_ref();
        let rest = second.and_then(Confirmed::rest);
        let (stable, multipliers) = match second {
            Some(Confirmed::Orbit { stable, multipliers, .. }) => (Some(*stable), multipliers.clone()),
            // Of a family of equilibria none is stable by itself.
            Some(Confirmed::Rest { .. }) => (rest.filter(|rest| rest.isolated).map(|rest| rest.stable), Vec::new()),
            None => (period.map(|_| false), Vec::new()),
        };
        answer::Attractor {
            kind: kind.to_string(),
            period,
            impacts: contacts.iter().cloned().zip(found.attractor.impacts.iter().copied()).collect(),
            count: found.count,
            fraction: share,
            standard_error: error,
            from: Named::new(Arc::clone(&parameters), found.from.clone()),
            to: Named::new(Arc::clone(&parameters), found.parameters.clone()),
            returns: found.attractor.returns.iter().map(|state| naming.named(state)).collect(),
            confirmed: stable,
            multipliers,
            mode: rest.map(|rest| rest.mode.clone()),
            eigenvalues: rest.map(|rest| rest.eigenvalues.clone()).unwrap_or_default(),
            file: second.filter(|_| stored).map(|_| orbits::file(k)),
        }
    };
    let attractors: Vec<answer::Attractor> = collected.found.iter().enumerate().map(attractor).collect();
    let grid = match plan.starts() {
        Starts::Grid(axes) if plan.axes().is_empty() => Some(answer::Grid {
            states: axes.iter().map(|axis| axis.name().to_string()).collect(),
            values: axes.iter().map(|axis| axis.values().collect()).collect(),
            attractors: if keeps { collected.of_tasks.clone() } else { Vec::new() },
        }),
        _ => None,
    };
    let states: Arc<[String]> = plan.starts().states().into_iter().map(str::to_string).collect();
    let start = |(task, attractor): (usize, &Option<usize>)| {
        let point = plan.point(task as u64);
        let values = point.start.into_iter().map(|(_, value)| value).collect();
        let start = Named::new(Arc::clone(&states), values);
        answer::Start { start, value: point.parameters.first().copied(), attractor: *attractor }
    };
    let listed = keeps && grid.is_none();
    let starts = if listed { collected.of_tasks.iter().enumerate().map(start).collect() } else { Vec::new() };
    let slice = |(value, counts, starts): &(f64, Vec<u64>, Counts)| {
        let counts: Vec<u64> = (0..attractors.len()).map(|k| counts.get(k).copied().unwrap_or(0)).collect();
        let (fractions, standard_errors) = counts.iter().map(|count| fraction(*count, starts.of())).unzip();
        let Counts { unknown, no_motion, .. } = *starts;
        answer::Slice { value: *value, fractions, standard_errors, counts, unknown, no_motion, of: starts.of() }
    };
    let fixed = |(name, _): &(&str, f64)| !parameters.iter().any(|swept| swept == name);
    let all = system.parameters();
    let (fixed_names, fixed_values): (Vec<String>, Vec<f64>) =
        all.iter().filter(fixed).map(|(name, value)| (name.to_string(), value)).unzip();
    let section = request.method.section.clone().or_else(|| {
        let index = naming.system.default_section()?;
        naming.system.section_names().nth(index).map(str::to_string)
    });
    Ok(Answer {
        fractions: attractors.iter().map(|attractor| attractor.fraction).collect(),
        standard_errors: attractors.iter().map(|attractor| attractor.standard_error).collect(),
        grid,
        starts,
        parameter: parameters.first().cloned(),
        slices: collected.slices.iter().map(slice).collect(),
        unknown: collected.counts.unknown,
        no_motion: collected.counts.no_motion,
        of: collected.counts.of(),
        done: collected.counts.done,
        seed: match plan.starts() {
            Starts::Random { seed, .. } => Some(*seed),
            _ => None,
        },
        section: section.unwrap_or_default(),
        settled: request.method.settle,
        recorded: request.method.record,
        ended: finished.ended.0.clone(),
        message: finished.ended.1.clone(),
        model: system.model().name.clone(),
        parameters: Named::new(fixed_names.into(), fixed_values),
        attractors,
    })
}

impl Basins {
    /// The orbit that an attractor is, as an answer of [`orbit`](crate::orbit) from which others begin; none where there is no period, or none was found.
    pub fn orbit(&self, attractor: usize) -> Option<&crate::orbit::Answer> {
        match self.confirmed.get(attractor)?.as_ref()? {
            Confirmed::Orbit { answer, .. } => Some(answer),
            Confirmed::Rest { .. } => None,
        }
    }

    /// The equilibrium that an attractor at rest is, as an answer of [`equilibrium`](crate::equilibrium) from which others begin; none where motions do not rest,
    /// or none was found.
    pub fn equilibrium(&self, attractor: usize) -> Option<&crate::equilibrium::Answer> {
        match self.confirmed.get(attractor)?.as_ref()? {
            Confirmed::Orbit { .. } => None,
            Confirmed::Rest { answer, .. } => Some(answer),
        }
    }

    /// The basins over two states, or the fractions along the parameter.
    ///
    /// # Errors
    /// If the model has too many contacts for event-driven simulation.
    pub fn figure(&self) -> Result<Option<Figure>, Error> {
        figure::figure(self)
    }
}

impl Answered for Basins {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        let Finished { done, asked, ended: (word, message), .. } = &self.finished;
        if self.unknown == *done {
            if let Some((_, message)) = self.collected.early.first() {
                return Ending::short(vec![format!("all trajectories ended early: {message}")]);
            }
            if let Some((_, message)) = self.collected.no_motion.first() {
                return Ending::short(vec![format!("no start has a trajectory: {message}")]);
            }
        }
        if word == "complete" {
            return Ending::complete();
        }
        let are = if *asked == 1 { "is" } else { "are" };
        Ending::short(vec![format!("{done} of {} {are} done: {message}", number::count(*asked, "trajectory"))])
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// The attractor of every start.
    fn tables(&self) -> Vec<Table> {
        let states = self.plan.starts().states();
        let head = states.iter().chain(&["attractor"]).map(|name| name.to_string()).collect();
        let row = |(task, attractor): (usize, &Option<usize>)| {
            let values = self.plan.point(task as u64).start.into_iter().map(|(_, value)| Cell::Number(value));
            values.chain([(*attractor).into()]).collect()
        };
        vec![Table { name: "starts", head, rows: self.collected.of_tasks.iter().enumerate().map(row).collect() }]
    }

    fn warnings(&self) -> Vec<String> {
        report::warnings(self)
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.method.tol)
    }
}
