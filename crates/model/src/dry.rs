//! Dry friction without a contact (brakes, clutches, bearings, guides): along a track it opposes slip with the force F, and where slip is zero it holds with any force up to F_s.
//!
//! With the speed of slip s = d(track)/dt - belt the generalized force is -F sign(s) d(track)/dq: a switch at s = 0 whose sigma is the friction in units of F. It slides, which is
//! to stick, while |sigma| F <= F_s (Coulomb 1785; the convex case F_s = F is Filippov's; Leine & Nijmeijer, *Dynamics and Bifurcations of Non-Smooth Mechanical Systems*, 2004, Sect. 4.3).
//! Where F varies the unknown is sigma F itself.
//! What presses only pulls apart where it is negative: there F is zero, as of a clutch that is open.

use saltation_expr::Node;

/// Dry friction along a track.
#[derive(Debug, Clone)]
pub struct Dry {
    /// Its name in the file.
    pub name: String,
    /// The switch at zero slip.
    pub switch: usize,
    /// The position along the track, and the speed of slip.
    pub track: Node,
    /// See [`Dry::track`].
    pub slip: Node,
    /// The force while it slips, as it is written.
    pub force: Node,
    /// Its positive part, which acts.
    pub acts: Node,
    /// The greatest force while it sticks, where that is another.
    pub held: Option<Node>,
    /// The rate of every state per unit of a force along the track, then the forces of constraints that it adds; empty where the force of the friction is one number, which does not vanish.
    pub response: Vec<Node>,
}

/// Dry friction along a track, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DryReport {
    /// Its name.
    pub name: String,
    /// The position along the track.
    pub track: String,
    /// The speed of slip.
    pub slip: String,
    /// The force while it slips.
    pub force: String,
    /// The greatest force while it sticks, where that is another.
    pub held: Option<String>,
}
