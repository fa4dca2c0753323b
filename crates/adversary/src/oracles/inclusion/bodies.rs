//! Mechanical models of bodies on a line: linear functions, contacts, signs, corners and events, as data.

/// A function q.x + v.v + constant + sine sin(phi) + cosine cos(phi).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    /// Factors of the coordinates.
    pub q: Vec<f64>,
    /// Factors of the velocities.
    pub v: Vec<f64>,
    /// The constant.
    pub constant: f64,
    /// The factors of sin(phi) and of cos(phi).
    pub wave: [f64; 2],
}

impl Linear {
    /// Zero, of so many coordinates.
    pub fn zero(n: usize) -> Linear {
        Linear { q: vec![0.0; n], v: vec![0.0; n], constant: 0.0, wave: [0.0; 2] }
    }

    /// Its part that depends on time only.
    pub(super) fn at(&self, phase: f64) -> f64 {
        self.constant + self.wave[0] * phase.sin() + self.wave[1] * phase.cos()
    }

    /// Its value.
    pub fn value(&self, x: &[f64], v: &[f64], phase: f64) -> f64 {
        dot(&self.q, x) + dot(&self.v, v) + self.at(phase)
    }
}

/// How a force depends on its function s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// sign(s).
    Sign,
    /// A corner, with its slopes below and above zero: abs(s), max(s, 0), min(s, 0).
    Corner(f64, f64),
}

/// A force push * shape(s).
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// s.
    pub of: Linear,
    /// What of s acts.
    pub shape: Shape,
    /// On which coordinate with which factor.
    pub push: Vec<f64>,
}

/// Friction of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubbing {
    /// Factors of the coordinates in the track.
    pub track: Vec<f64>,
    /// The speed of the surface.
    pub belt: f64,
    /// The coefficient.
    pub mu: f64,
    /// The coefficient of stick.
    pub mu_static: f64,
}

/// A contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Pad {
    /// The gap, a function of the coordinates.
    pub gap: Linear,
    /// Newton's coefficient of restitution.
    pub restitution: f64,
    /// Its friction.
    pub friction: Option<Rubbing>,
}

/// A jump of the state where a function crosses zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Reset {
    /// Zero where the state jumps.
    pub when: Linear,
    /// Rising, falling (-1) or both (0).
    pub direction: i8,
    /// Positive where it jumps, if it is asked.
    pub condition: Option<Linear>,
    /// States (coordinates first) with their new values.
    pub jump: Vec<(usize, Linear)>,
}

/// A mechanical model M dv/dt = h with its start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// The diagonal of M.
    pub mass: Vec<f64>,
    /// The smooth part of h.
    pub force: Vec<Linear>,
    /// Signs and corners in h.
    pub laws: Vec<Law>,
    /// Contacts.
    pub contacts: Vec<Pad>,
    /// Events.
    pub events: Vec<Reset>,
    /// The rate of the phase, which starts at zero.
    pub rate: f64,
    /// Coordinates and velocities at the start.
    pub start: Vec<f64>,
    /// The end of the motion.
    pub until: f64,
}

/// The state of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The function is negative.
    Minus,
    /// The function is held at zero: a closed contact, a stick, a sign in between.
    Hold,
    /// The function is positive: an open contact.
    Plus,
}

/// Why there is no motion to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// No states of the elements obey all laws in a step.
    NoStep,
    /// Too many steps.
    Long,
    /// The motions with different shortest steps differ.
    Diverges,
    /// Several motions begin where a sign pushes away from its surface.
    Several,
}

/// The sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
