//! Why a search found no equilibrium, in words.

use saltation_motion::{ClosedSet, System};

/// Why no equilibrium was found from a start.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// No state near the start has gap and opening speed zero at all contacts that are to be closed.
    NeverCloses {
        /// The contact whose surface is farthest away where the search begins.
        contact: usize,
        /// Its gap there.
        gap: f64,
        /// Its opening speed there.
        speed: f64,
    },
    /// A formula has no finite value where the search begins.
    Undefined {
        /// What it defines, e.g. `the rate of x`.
        quantity: String,
        /// The innermost subformula without a value; empty if only a derivative has none.
        formula: String,
    },
    /// No step makes the rates smaller any more.
    Moving {
        /// The state that moves most.
        state: usize,
        /// Its rate at the place where the search stopped.
        rate: f64,
    },
    /// The rates get smaller and smaller, but the steps do not: the state runs away, or the search takes too long.
    RunsAway {
        /// The state that the last steps moved most.
        state: usize,
        /// Its value where the search stopped.
        value: f64,
    },
}

impl Reason {
    /// One word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::NeverCloses { .. } => "never_closes",
            Reason::Undefined { .. } => "undefined",
            Reason::Moving { .. } => "moving",
            Reason::RunsAway { .. } => "runs_away",
        }
    }

    /// A sentence for people.
    pub fn describe(&self, system: &System, closed: ClosedSet) -> String {
        match self {
            Reason::NeverCloses { contact, gap, speed } => {
                let name = system.element_name(*contact);
                if ClosedSet::switch(*contact).is_some() {
                    return format!(
                        "the switch {name} is zero at no state near the start, so that nothing slides along it: it stays at {}",
                        number(*gap)
                    );
                }
                let what = match closed.iter().count() {
                    1 => format!("the contact {name} does not close"),
                    _ => "the contacts do not close together".to_string(),
                };
                format!(
                    "{what}: no state near the start has gap and opening speed zero; there the gap of {name} is {} and its \
                     opening speed {}",
                    number(*gap),
                    number(*speed)
                )
            }
            Reason::Undefined { quantity, formula } if formula.is_empty() => {
                format!("{quantity} has no finite derivative where the search begins")
            }
            Reason::Undefined { quantity, formula } => {
                format!("{quantity} has no finite value where the search begins: {formula} has none")
            }
            Reason::Moving { state, rate } => {
                let name = &system.state_names()[*state];
                let place = if closed.is_empty() { "" } else { " in contact" };
                format!("the rate of {name} cannot be made zero{place} near the start: it stays at {}", number(*rate))
            }
            Reason::RunsAway { state, value } => {
                let name = &system.state_names()[*state];
                format!("Newton's method does not converge: it has taken {name} to {}", number(*value))
            }
        }
    }
}

/// A number for people, with about six digits.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-4..1e6).contains(&x.abs()) {
        let text = format!("{x:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    format!("{x:.4e}")
}
