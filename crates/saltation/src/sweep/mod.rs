//! Sweeps: motions at many values of one or two parameters, recorded after their transients. Bifurcation diagrams and maps: the question `sweep`.

pub mod answer;
pub(crate) mod collect;
pub(crate) mod fields;
pub mod figure;
pub(crate) mod overlay;
pub(crate) mod quantity;
pub(crate) mod report;
pub mod request;
pub(crate) mod tables;

pub use answer::{Answer, Record, Task};
pub use figure::Shown;
pub use request::Request;
pub use saltation_sweep::{Axis, Carry};

use crate::answered::{Answered, Ending, Parts};
use crate::error::{Error, Refusal};
use crate::system::System;
use crate::table::Table;
use crate::tasks::Method;
use crate::tasks::question::{Done, ManyMotions, Question, Settled};
use crate::tasks::runner::Finished;
use crate::text::number;
use saltation_draw::Figure;
use saltation_sweep::{Names, Plan};
use std::ops::{Deref, RangeInclusive};
use std::time::Duration;

/// A sweep to be computed.
///
/// ```
/// use saltation::{RecordSettings, System};
/// let system = System::gallery("impact-oscillator")?;
/// let swept = system.sweep().along("A", 0.346..=0.350, 9).settle(300).record(20).run()?;
/// assert_eq!((swept.tasks.len(), swept.records.len()), (9, 180));
/// // Past the grazing at A = 0.34542 the motion with one impact in two periods doubles at A = 0.34753.
/// assert_eq!(swept.tasks[8].period, Some(2));
/// # Ok::<(), saltation::Error>(())
/// ```
pub type Sweep = Question<Request>;

/// A sweep that was computed: the answer, the system and the request.
#[derive(Debug)]
pub struct Swept {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) plan: Plan,
    pub(crate) names: Names,
    pub(crate) finished: Finished,
    /// The first tasks that ended early: at which values and why.
    pub(crate) early: Vec<(Vec<f64>, String)>,
    pub(crate) stretches: Vec<report::Stretch>,
}

impl Deref for Swept {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// A sweep over one or two parameters, which [`Sweep::along`] names: 100 returns after a transient of 200, by default.
    pub fn sweep(&self) -> Sweep {
        Question::new(self, Request::default())
    }
}

impl Sweep {
    /// Varies this parameter over equally spaced values, both ends among them. A second one makes a map.
    ///
    /// # Panics
    /// If there are no points, or an end is not finite; [`Sweep::over`] takes an axis that was checked.
    pub fn along(self, parameter: &str, range: RangeInclusive<f64>, points: u64) -> Self {
        let axis = Axis::linear(parameter, *range.start(), *range.end(), points);
        self.over(axis.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Varies a parameter over the values of an axis.
    pub fn over(mut self, axis: Axis) -> Self {
        self.request.along.push(axis);
        self
    }

    /// Begins each motion where that at the value before ended.
    pub fn carry(mut self, carry: Carry) -> Self {
        self.request.carry = carry;
        self
    }

    /// Keeps records and tasks in the answer although they are in a folder.
    pub fn with_records(mut self) -> Self {
        self.records = true;
        self
    }
}

impl ManyMotions for Request {
    const NAME: &'static str = "sweep";

    type Found = Swept;

    fn method(&self) -> &Method {
        &self.method
    }

    fn method_mut(&mut self) -> &mut Method {
        &mut self.method
    }

    fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Settled>), Error> {
        Request::examine(self, system)
    }

    fn found(done: Done<Request>) -> Result<Swept, Error> {
        let Done { system, request, plan, names, finished, keeps } = done;
        let collected = collect::collect(&system, &request, &plan, &names, &finished, keeps)?;
        let collect::Collected { answer, early, stretches } = collected;
        let wall_time = finished.wall_time;
        Ok(Swept { system, request, answer, wall_time, plan, names, finished, early, stretches })
    }
}

impl Swept {
    /// The bifurcation diagram, or the map of two parameters.
    ///
    /// # Errors
    /// If what is to be shown is not part of this sweep, or if it cannot be read again.
    pub fn figure(&self, shown: &Shown) -> Result<Option<Figure>, Error> {
        figure::figure(self, shown)
    }
}

impl Answered for Swept {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        let Finished { done, asked, ended: (word, message), .. } = &self.finished;
        let ended = self.periods.get("ended").copied().unwrap_or(0);
        if let Some((_, message)) = self.early.first().filter(|_| ended == *done) {
            return Ending::short(vec![format!("all trajectories ended early: {message}")]);
        }
        if word == "complete" {
            return Ending::complete();
        }
        let are = if *asked == 1 { "is" } else { "are" };
        let asked = number::count(*asked, "task");
        Ending::short(vec![format!("{done} of {asked} {are} done: {message}")])
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        tables::tables(self)
    }

    fn warnings(&self) -> Vec<String> {
        report::warnings(self)
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.method.tol)
    }
}
