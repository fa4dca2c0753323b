//! A question about many motions: it is computed by blocks, kept in memory or in a folder, and answered from what is kept. Sweeps and basins are such questions.

use crate::error::{Error, Refusal, accepted};
use crate::progress::Progress;
use crate::settings::{MotionSettings, RecordSettings, Recorded};
use crate::system::System;
use crate::tasks::Method;
use crate::tasks::blocks::Blocks;
use crate::tasks::describe::{Work, description, names};
use crate::tasks::runner::{Finished, Folder, Job};
use saltation_motion::FlowChoice;
use saltation_sweep::store::Store;
use saltation_sweep::{self as lower, Names, Plan};

/// A question about many motions, to be computed.
#[derive(Debug, Clone)]
pub struct Question<R> {
    /// The system.
    pub system: System,
    /// The request.
    pub request: R,
    /// The number of threads; without it as many as the machine has.
    pub threads: Option<usize>,
    /// The folder that blocks are written to.
    pub folder: Option<Folder>,
    /// Whether what was found of every trajectory is part of the answer although it is written to a folder.
    pub records: bool,
}

/// A request without mistakes.
#[derive(Debug)]
pub struct Settled {
    pub(crate) plan: Plan,
    /// The positions of the swept parameters in the model.
    pub(crate) parameters: Vec<usize>,
    pub(crate) method: lower::Method,
}

/// The tasks of a question that are done.
#[derive(Debug)]
pub struct Done<R> {
    pub(crate) system: System,
    pub(crate) request: R,
    pub(crate) plan: Plan,
    pub(crate) names: Names,
    pub(crate) finished: Finished,
    /// Whether what was found of every trajectory is part of the answer.
    pub(crate) keeps: bool,
}

/// A request about many motions.
pub trait ManyMotions: serde::Serialize + Clone {
    /// The name of the question.
    #[doc(hidden)]
    const NAME: &'static str;

    /// The result.
    type Found;

    /// How every motion is computed and recorded.
    #[doc(hidden)]
    fn method(&self) -> &Method;

    /// The same, to be changed.
    #[doc(hidden)]
    fn method_mut(&mut self) -> &mut Method;

    /// All mistakes, and the tasks if they have a plan.
    #[doc(hidden)]
    fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Settled>), Error>;

    /// The result of tasks that are done.
    #[doc(hidden)]
    fn found(done: Done<Self>) -> Result<Self::Found, Error>;

    /// Writes what other questions begin from to the folder of a result that was just computed.
    #[doc(hidden)]
    fn hand_on(_: &Self::Found) -> Result<(), Error> {
        Ok(())
    }
}

impl<R: ManyMotions> MotionSettings for Question<R> {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        let method = self.request.method_mut();
        (&mut method.tol, &mut method.flow)
    }
}

impl<R: ManyMotions> RecordSettings for Question<R> {
    fn record_settings(&mut self) -> Recorded<'_> {
        Recorded { method: self.request.method_mut(), threads: &mut self.threads, folder: &mut self.folder }
    }
}

/// The tasks of a request.
fn work<R: ManyMotions>(system: &System, request: &R) -> Result<Work, Error> {
    let (refusals, settled) = request.examine(system)?;
    accepted(refusals)?;
    // Without a plan there is a refusal.
    let Settled { plan, parameters, method } = settled.ok_or_else(|| Error::Request(Vec::new()))?;
    let names = names(system, &plan, request.method(), method.exponents);
    Ok(Work { plan, method, names, parameters, description: description(R::NAME, system, request) })
}

impl<R: ManyMotions> Question<R> {
    /// The question for a request, in memory, on as many threads as the machine has.
    pub(crate) fn new(system: &System, request: R) -> Question<R> {
        Question { system: system.clone(), request, threads: None, folder: None, records: false }
    }

    /// Its blocks, to be computed one by one wherever there are processors, and kept in its folder.
    ///
    /// # Errors
    /// Mistakes in the request; no folder. The folder itself is not looked at before [`Blocks::open`].
    pub fn blocks(&self) -> Result<Blocks, Error> {
        Blocks::new(&self.system, work(&self.system, &self.request)?, self.folder.as_ref())
    }

    /// Computes the answer. Motions that end early are part of it.
    ///
    /// # Errors
    /// Mistakes in the request or of the folder.
    pub fn run(&self) -> Result<R::Found, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Question::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<R::Found, Error> {
        let Question { system, request, folder, .. } = self;
        let work = work(system, request)?;
        let finished = Job::new(system, &work, self.threads, folder.as_ref())?.run(progress)?;
        let keeps = self.records || folder.is_none();
        let Work { plan, names, .. } = work;
        let (system, request) = (system.clone(), request.clone());
        let found = R::found(Done { system, request, plan, names, finished, keeps })?;
        R::hand_on(&found)?;
        Ok(found)
    }
}

/// The result that a store holds, as far as it is done. No task is computed, nothing is written, and what was found of every trajectory stays in the store.
///
/// # Errors
/// If the request is not one of this system, or the store is not one of this request or cannot be read.
pub(crate) fn stored<R: ManyMotions>(system: &System, request: R, store: Store) -> Result<R::Found, Error> {
    let Work { plan, names, .. } = work(system, &request)?;
    let finished = Finished::stored(store, &plan);
    R::found(Done { system: system.clone(), request, plan, names, finished, keeps: false })
}
