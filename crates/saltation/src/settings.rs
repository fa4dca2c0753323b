//! Methods that several questions share: the accuracy of motions, the steps along a curve of solutions, and the record of many motions.

use crate::tasks::{Exponents, Folder, Method};
use saltation_motion::{FlowChoice, Policy};

/// How accurately a question computes motions, and by which flow.
///
/// ```
/// use saltation::{MotionSettings, System};
/// let run = System::gallery("bouncing-ball")?.simulation().tolerance(1e-10).until(1.0).run()?;
/// assert_eq!(run.request.tol, 1e-10);
/// # Ok::<(), saltation::Error>(())
/// ```
pub trait MotionSettings: Sized {
    /// The tolerance and the flow of the request.
    #[doc(hidden)]
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice);

    /// The error of one step of a motion relative to the size of the state. Along a branch of equilibria also the last Newton correction of a
    /// point.
    fn tolerance(mut self, tolerance: f64) -> Self {
        *self.motion_settings().0 = tolerance;
        self
    }

    /// The method by which smooth motions are computed.
    fn flow(mut self, flow: FlowChoice) -> Self {
        *self.motion_settings().1 = flow;
        self
    }
}

/// The settings of a question that follows a curve.
#[derive(Debug)]
pub struct Steps<'a> {
    pub(crate) step: &'a mut f64,
    pub(crate) points: &'a mut u64,
    pub(crate) at_least: &'a mut Option<u64>,
    pub(crate) tol: &'a mut f64,
    pub(crate) flow: &'a mut FlowChoice,
}

/// How long the steps along a branch or a curve are, and how many of them are taken.
pub trait CurveSettings: Sized {
    /// The settings of the request.
    #[doc(hidden)]
    fn curve_settings(&mut self) -> Steps<'_>;

    /// The longest step, as a fraction of the range or of the size of the solution.
    fn step(mut self, fraction: f64) -> Self {
        *self.curve_settings().step = fraction;
        self
    }

    /// The largest number of points in each direction.
    fn points(mut self, most: u64) -> Self {
        *self.curve_settings().points = most;
        self
    }

    /// The smallest number of points in the range.
    fn at_least(mut self, points: u64) -> Self {
        *self.curve_settings().at_least = Some(points);
        self
    }
}

impl<Q: CurveSettings> MotionSettings for Q {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        let Steps { tol, flow, .. } = self.curve_settings();
        (tol, flow)
    }
}

/// The settings of a question that records many motions.
#[derive(Debug)]
pub struct Recorded<'a> {
    pub(crate) method: &'a mut Method,
    pub(crate) threads: &'a mut Option<usize>,
    pub(crate) folder: &'a mut Option<Folder>,
}

/// How each of many motions is recorded, by how many threads, and where it is stored.
pub trait RecordSettings: Sized {
    /// The settings of the request.
    #[doc(hidden)]
    fn record_settings(&mut self) -> Recorded<'_>;

    /// Simulates a transient of this many returns.
    fn settle(mut self, returns: u64) -> Self {
        self.record_settings().method.settle = returns;
        self
    }

    /// Records this many returns.
    fn record(mut self, returns: u64) -> Self {
        self.record_settings().method.record = returns;
        self
    }

    /// Counts returns at this section.
    fn section(mut self, name: &str) -> Self {
        self.record_settings().method.section = Some(name.to_string());
        self
    }

    /// Records Lyapunov exponents.
    fn exponents(mut self, which: Exponents) -> Self {
        self.record_settings().method.exponents = which;
        self
    }

    /// Records the least and the greatest value of a state, or of the gap of a contact.
    fn extremes(mut self, name: &str) -> Self {
        self.record_settings().method.extremes.push(name.to_string());
        self
    }

    /// The choice where several contact modes with friction are consistent.
    fn policy(mut self, policy: Policy) -> Self {
        self.record_settings().method.policy = policy;
        self
    }

    /// Uses this many threads. Results do not depend on it.
    fn threads(mut self, count: usize) -> Self {
        *self.record_settings().threads = Some(count);
        self
    }

    /// Writes what is found to a folder as it is found. Motions are then not kept in memory.
    fn folder(mut self, folder: Folder) -> Self {
        *self.record_settings().folder = Some(folder);
        self
    }
}
