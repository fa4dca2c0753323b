//! The impulse of one contact if all others keep theirs: its own problem of two unknowns, solved exactly.
//!
//! With the speeds u = A P + b of the contact, A = W' M^-1 W, and the wanted opening speed z = u_N + e u_N^-,
//!
//! ```text
//! 0 <= z  _|_  P_N >= 0,    P_T in -mu P_N Sign(u_T)
//! ```
//!
//! has four cases. Where friction is so strong that A_NN - s mu A_NT <= 0 for a direction s of slip (Painleve), more than one case may hold,
//! and then the contact continues with the case it is in. Where it is open and cannot stay so, it takes the closed one that
//! holds: the nonzero impulse of an impact without collision.

use crate::instant::knowledge::EVALUATED;

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contacting {
    /// It gives no impulse.
    Open,
    /// It is closed and does not slip; so is every closed contact without friction called.
    Stick,
    /// It slips forward, u_T > 0.
    SlipForward,
    /// It slips backward, u_T < 0.
    SlipBackward,
}

impl Contacting {
    const CLOSED_FIRST: [Contacting; 4] =
        [Contacting::Stick, Contacting::SlipForward, Contacting::SlipBackward, Contacting::Open];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Contacting::Open => "open",
            Contacting::Stick => "stick",
            Contacting::SlipForward => "slip+",
            Contacting::SlipBackward => "slip-",
        }
    }
}

/// The problem of one contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planar {
    /// A: normal, mixed (tangential speed by normal impulse), across (normal speed by tangential impulse, the same where the inertia is symmetric), tangential.
    pub normal: f64,
    pub mixed: f64,
    pub across: f64,
    pub tangential: f64,
    /// mu; 0 for a contact without friction, whose other entries but `normal` are 0 too.
    pub coefficient: f64,
}

impl Planar {
    /// The impulses and the case for wanted opening speed `z` and speed of slip `t` at zero impulse.
    #[inline]
    pub(super) fn solve(&self, [z, t]: [f64; 2], now: Contacting) -> ([f64; 2], Contacting) {
        let room = EVALUATED * (z.abs() + t.abs());
        let (impulse, failure) = self.case(now, z, t);
        if failure <= room {
            return (impulse, now);
        }
        let mut best = (impulse, now, failure);
        for case in Contacting::CLOSED_FIRST {
            let (impulse, failure) = self.case(case, z, t);
            if failure <= room {
                return (impulse, case);
            }
            // A failure that is no number is never the least.
            if failure < best.2 || best.2.is_nan() {
                best = (impulse, case, failure);
            }
        }
        (best.0, best.1)
    }

    /// The impulses of a case, and by which speed it fails.
    #[inline]
    fn case(&self, case: Contacting, z: f64, t: f64) -> ([f64; 2], f64) {
        let Planar { normal, mixed, across, tangential, coefficient } = *self;
        match case {
            Contacting::Open => ([0.0, 0.0], -z),
            // Without friction nothing resists a slip.
            Contacting::Stick if tangential == 0.0 => {
                let impulse = -z / normal;
                ([impulse.max(0.0), 0.0], -impulse * normal)
            }
            Contacting::Stick => {
                let determinant = normal * tangential - mixed * across;
                let p = [(across * t - tangential * z) / determinant, (mixed * z - normal * t) / determinant];
                let limit = coefficient * p[0].max(0.0);
                let failure = (-p[0] * normal).max((p[1].abs() - limit) * tangential);
                ([p[0].max(0.0), p[1].max(-limit).min(limit)], failure)
            }
            Contacting::SlipForward | Contacting::SlipBackward => {
                if tangential == 0.0 {
                    return ([0.0, 0.0], f64::INFINITY);
                }
                let direction = if case == Contacting::SlipForward { 1.0 } else { -1.0 };
                let friction = -direction * coefficient;
                let pivot = normal + friction * across;
                let impulse = -z / pivot;
                let slip = t + (mixed + friction * tangential) * impulse;
                let failure = (-impulse * pivot.abs()).max(-direction * slip);
                let impulse = impulse.max(0.0);
                ([impulse, friction * impulse], failure)
            }
        }
    }

    /// By which speeds impulses fail the laws, given the wanted opening speed and the speed of slip that they lead to.
    #[inline]
    pub(super) fn failure(&self, [z, t]: [f64; 2], p: [f64; 2]) -> f64 {
        // A P is the impulse as a speed: of the two that cannot be negative the smaller is zero.
        let opening = z.min(self.normal * p[0]).abs();
        if self.tangential == 0.0 {
            return opening;
        }
        let limit = self.coefficient * p[0];
        let wanted = (p[1] - t / self.tangential).max(-limit).min(limit);
        opening.max(self.tangential * (p[1] - wanted).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every case of an ordinary contact, from every case before: the laws hold, and the answer is the same.
    #[test]
    fn an_ordinary_contact_has_one_answer() {
        let problem = Planar { normal: 2.0, mixed: 0.5, across: 0.5, tangential: 1.5, coefficient: 0.4 };
        for z in [-3.0, -1.0, 0.5, 2.0] {
            for t in [-2.0, -0.1, 0.0, 0.3, 4.0] {
                let answers = Contacting::CLOSED_FIRST.map(|now| problem.solve([z, t], now).0);
                for p in answers {
                    let u = [z + 2.0 * p[0] + 0.5 * p[1], t + 0.5 * p[0] + 1.5 * p[1]];
                    assert!(problem.failure(u, p) < 1e-14, "{z} {t}: {p:?}");
                    assert!((p[0] - answers[0][0]).abs() + (p[1] - answers[0][1]).abs() < 1e-14);
                }
            }
        }
    }

    /// The rod of Painleve at 60 degrees with mu = 5/3, m = s = 1, slipping at 1: no slip is possible with gN'' < 0, and the impact without
    /// collision has the impulses 0.3247595264, -0.4375.
    #[test]
    fn an_inconsistent_slip_ends_in_an_impact_without_collision() {
        let (c, s) = (0.5, 0.75_f64.sqrt());
        let (normal, mixed, tangential) = (1.0 + 3.0 * c * c, 3.0 * s * c, 1.0 + 3.0 * s * s);
        let problem = Planar { normal, mixed, across: mixed, tangential, coefficient: 5.0 / 3.0 };
        assert!(normal - 5.0 / 3.0 * mixed < 0.0);
        let (p, case) = problem.solve([-1e-12, 1.0], Contacting::SlipForward);
        assert_eq!(case, Contacting::Stick);
        assert!((p[0] - 0.3247595264).abs() < 1e-9 && (p[1] + 0.4375).abs() < 1e-9, "{p:?}");
        // Lifted a little, both flight and contact are possible, and the contact stays what it was.
        assert_eq!(problem.solve([1e-12, 1.0], Contacting::Open).1, Contacting::Open);
        assert_eq!(problem.solve([1e-12, 1.0], Contacting::Stick).1, Contacting::Stick);
        assert_eq!(problem.solve([1e-12, 1.0], Contacting::SlipForward).1, Contacting::SlipForward);
    }

    #[test]
    fn without_friction_only_the_normal_speed_counts() {
        let problem = Planar { normal: 4.0, mixed: 0.0, across: 0.0, tangential: 0.0, coefficient: 0.0 };
        assert_eq!(problem.solve([-2.0, 0.0], Contacting::Open), ([0.5, 0.0], Contacting::Stick));
        assert_eq!(problem.solve([2.0, 0.0], Contacting::Stick), ([0.0, 0.0], Contacting::Open));
    }
}
