//! The contact problem at a state with all its solutions, as plain data.
//!
//! A closed contact has g_N = g_N' = 0. With d_NN = w_N' M^-1 w_N, d_NT = w_N' M^-1 w_T, d_TT = w_T' M^-1 w_T, and while it slips,
//!
//! g_N'' = A lambda_N + b,   A = d_NN - sgn(g_T') mu d_NT,
//!
//! where b is its opening acceleration without contact forces. For A > 0 there is one answer: slip for b < 0 and flight for b > 0. For A < 0
//! there is none if b < 0, and there are two if b > 0 (Leine & Brogliato, Sect. 1). A vanishes at the critical friction
//! mu_c = d_NN/(sgn(g_T') d_NT).

use crate::mode::{ClosedSet, Slip};

/// How many answers a contact problem has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// One.
    Unique,
    /// None: only an impact without collision can follow.
    Inconsistent,
    /// Several.
    Indeterminate,
}

impl Status {
    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Inconsistent => "inconsistent",
            Status::Indeterminate => "indeterminate",
        }
    }

    pub(super) fn of(answers: usize) -> Status {
        match answers {
            0 => Status::Inconsistent,
            1 => Status::Unique,
            _ => Status::Indeterminate,
        }
    }
}

/// Why a model has no contact problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoProblem {
    /// Its body is given by rates of change.
    #[error("the model is a flow: it says how states change, not which forces act")]
    Flow,
    /// It has no contacts.
    #[error("the model has no contacts")]
    NoContacts,
    /// Each of its contacts is decided alone and has no friction.
    #[error("no contact of the model has friction, and impacts of several contacts are not decided together")]
    Smooth,
}

/// A contact at a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedContact {
    /// The contact, by its position in [`System::contact_names`](crate::System::contact_names).
    pub contact: usize,
    /// How it slips; `None` if it does not, to within rounding, or has no friction.
    pub slip: Option<Slip>,
    /// g_T'.
    pub slip_speed: f64,
    /// mu; zero without friction.
    pub friction: f64,
    /// d_NN, the change of g_N' by a unit of normal impulse.
    pub d_nn: f64,
    /// d_NT.
    pub d_nt: f64,
    /// d_TT.
    pub d_tt: f64,
    /// A, of this contact alone. Without slip that of the direction of slip with the smaller A.
    pub a: f64,
    /// b: g_N'' without any contact force.
    pub b: f64,
    /// g_T'' without any contact force.
    pub slip_acceleration: f64,
    /// mu_c, at which A = 0; `None` if no friction makes A vanish for this direction of slip. Without slip that of the direction with the
    /// smaller one.
    pub critical_friction: Option<f64>,
}

/// Forces that obey all laws, and the motion they lead to. Forces and accelerations of contacts are in the order of [`Analysis::contacts`].
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Which contacts stay closed, with their slip.
    pub mode: ClosedSet,
    /// lambda_N of every contact.
    pub normal: Vec<f64>,
    /// lambda_T of every contact.
    pub tangential: Vec<f64>,
    /// g_N'' of every contact; exactly zero where it stays closed.
    pub opening: Vec<f64>,
    /// g_T'' of every contact; exactly zero where it sticks.
    pub slipping: Vec<f64>,
    /// The rate of change of every state.
    pub rates: Vec<f64>,
    /// Whether these forces are one choice of many that lead to the same motion.
    pub underdetermined: bool,
    /// Whether a contact is at a border between two modes, which only what follows distinguishes.
    pub borderline: bool,
}

/// Impulses that obey all laws of an impact. Impulses are in the order of [`Analysis::contacts`], or of [`Collisions::contacts`].
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// Lambda_N of every contact.
    pub normal: Vec<f64>,
    /// Lambda_T of every contact.
    pub tangential: Vec<f64>,
    /// g_N' of every contact after the impact.
    pub opening: Vec<f64>,
    /// g_T' of every contact after the impact.
    pub slipping: Vec<f64>,
    /// The state after it.
    pub after: Vec<f64>,
    /// What it adds to the kinetic energy, in the frame of the surfaces.
    pub energy: f64,
    /// Whether these impulses are one choice of many that lead to the same motion.
    pub underdetermined: bool,
}

/// The impact problem of contacts that close at a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Collisions {
    /// The contacts that take part.
    pub contacts: Vec<usize>,
    /// All solutions; by Poisson's law those of its first phase.
    pub solutions: Vec<Impact>,
}

/// Everything about the contact problem at a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The closed contacts, in order.
    pub contacts: Vec<ClosedContact>,
    /// The same with their slip as a set.
    pub closed: ClosedSet,
    /// Contacts that touch with g_N' < 0: an impact comes first.
    pub striking: Vec<usize>,
    /// Contacts inside whose obstacles the state lies.
    pub inside: Vec<usize>,
    /// All solutions.
    pub solutions: Vec<Solution>,
    /// Whether all solutions were looked for; with very many contacts only one is.
    pub complete: bool,
    /// How many there are.
    pub status: Status,
    /// The impacts without collision: all solutions with impulses although no contact closes.
    pub impacts: Vec<Impact>,
    /// The impact problem of the contacts in `striking`, if there are any.
    pub collisions: Option<Collisions>,
}

/// Which contacts touch at a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Touching {
    /// g_N = g_N' = 0, with their slip.
    pub closed: ClosedSet,
    /// g_N = 0 and g_N' < 0.
    pub striking: ClosedSet,
    /// g_N = 0 and g_N' > 0.
    pub opening: ClosedSet,
    /// g_N < 0.
    pub inside: ClosedSet,
}
