//! The kinds of folders: which question a folder answers, by the keys of its description.

use serde_json::Value;

/// The question that a folder answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An event-driven motion.
    Simulation,
    /// A motion by time stepping.
    Stepping,
    /// A periodic orbit.
    Orbit,
    /// A branch of orbits.
    Branch,
    /// A branch of equilibria.
    EquilibriumBranch,
    /// A curve of bifurcations.
    Curve,
    /// Equilibria.
    Equilibria,
    /// Lyapunov exponents.
    Lyapunov,
    /// A fit to measurements.
    Fit,
    /// Nonsmooth modes.
    Modes,
    /// A contact problem.
    Contact,
    /// A check of a model.
    Check,
    /// A sweep.
    Sweep,
    /// Basins of attraction.
    Basin,
    /// A run that ended before it could be told what it is.
    Unknown,
}

impl Kind {
    /// The kind of a description `run.json`, with the answer that belongs to it.
    pub(crate) fn of(run: &Value, answer: &Value) -> Kind {
        let has = |value: &Value, key: &str| value.get(key).is_some();
        match run.get("question").and_then(Value::as_str) {
            Some("sweep") => return Kind::Sweep,
            Some("basin") => return Kind::Basin,
            _ => {}
        }
        // Keys that answers of one question have and others have not.
        let marks: [(&str, Kind); 10] = [
            ("solver", Kind::Stepping),
            ("newton", Kind::Orbit),
            ("equilibria_found", Kind::EquilibriumBranch),
            ("at", Kind::Curve),
            ("equilibria", Kind::Equilibria),
            ("exponents", Kind::Lyapunov),
            ("estimates", Kind::Fit),
            ("modes_in_contact", Kind::Modes),
            ("solutions", Kind::Contact),
            ("laws", Kind::Check),
        ];
        let marked = marks.iter().find(|(key, _)| has(answer, key)).map(|(_, kind)| *kind);
        let branch = (has(answer, "points") && has(answer, "along")).then_some(Kind::Branch);
        let motion = (has(run, "until") && has(run, "returns")).then_some(Kind::Simulation);
        marked.or(branch).or(motion).unwrap_or_else(|| Kind::of_command(run))
    }

    /// The kind by the command, for runs that have no answer.
    fn of_command(run: &Value) -> Kind {
        let words = run.get("command").and_then(Value::as_array).into_iter().flatten();
        let words: Vec<&str> = words.filter_map(Value::as_str).collect();
        match words.first().copied().unwrap_or_default() {
            "simulate" if words.contains(&"moreau") || words.contains(&"--method=moreau") => Kind::Stepping,
            "simulate" => Kind::Simulation,
            "orbit" => Kind::Orbit,
            "continue" if words.contains(&"--equilibrium") => Kind::EquilibriumBranch,
            "continue" => Kind::Branch,
            "curve" => Kind::Curve,
            "equilibrium" => Kind::Equilibria,
            "lyapunov" => Kind::Lyapunov,
            "fit" => Kind::Fit,
            "modes" => Kind::Modes,
            "contact" => Kind::Contact,
            "check" => Kind::Check,
            _ => Kind::Unknown,
        }
    }

    /// What it is, as a heading.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Simulation => "Simulation",
            Kind::Stepping => "Simulation by time stepping",
            Kind::Orbit => "Periodic orbit",
            Kind::Branch => "Branch of periodic orbits",
            Kind::EquilibriumBranch => "Branch of equilibria",
            Kind::Curve => "Curve of bifurcations",
            Kind::Equilibria => "Equilibria",
            Kind::Lyapunov => "Lyapunov exponents",
            Kind::Fit => "Fit to measurements",
            Kind::Modes => "Nonsmooth modes",
            Kind::Contact => "Contact problem",
            Kind::Check => "Check of a model",
            Kind::Sweep => "Sweep",
            Kind::Basin => "Basins of attraction",
            Kind::Unknown => "Run",
        }
    }

    /// The word of JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Simulation => "simulation",
            Kind::Stepping => "stepping",
            Kind::Orbit => "orbit",
            Kind::Branch => "branch",
            Kind::EquilibriumBranch => "equilibrium_branch",
            Kind::Curve => "curve",
            Kind::Equilibria => "equilibria",
            Kind::Lyapunov => "lyapunov",
            Kind::Fit => "fit",
            Kind::Modes => "modes",
            Kind::Contact => "contact",
            Kind::Check => "check",
            Kind::Sweep => "sweep",
            Kind::Basin => "basin",
            Kind::Unknown => "unknown",
        }
    }

    /// Whether an answer is that of a complete computation, by the word with which it says how it ended.
    pub(crate) fn is_complete(self, ended: &str, answer: &Value) -> bool {
        match self {
            Kind::Simulation | Kind::Stepping => ["reached_time", "reached_returns"].contains(&ended),
            Kind::Orbit | Kind::Fit => ended == "converged",
            // A branch may end at its range, in itself, or at a bifurcation of any kind.
            Kind::Branch | Kind::EquilibriumBranch | Kind::Curve => {
                let any = answer.get("points").and_then(Value::as_array).is_some_and(|points| !points.is_empty());
                any && !["points", "stopped", "interrupted"].contains(&ended)
            }
            Kind::Equilibria => ended == "found",
            Kind::Lyapunov | Kind::Sweep | Kind::Basin => ended == "complete",
            Kind::Modes => ended == "done",
            Kind::Contact | Kind::Check | Kind::Unknown => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_without_an_answer_is_known_by_its_command() {
        let none = Value::Null;
        let of = |words: &[&str]| Kind::of(&json!({"command": words, "answer": null}), &none);
        assert_eq!(of(&["continue", "m", "--equilibrium"]), Kind::EquilibriumBranch);
        assert_eq!(of(&["continue", "m"]), Kind::Branch);
        assert_eq!(of(&["simulate", "m", "--method", "moreau"]), Kind::Stepping);
        assert_eq!(of(&[]), Kind::Unknown);
    }
}
