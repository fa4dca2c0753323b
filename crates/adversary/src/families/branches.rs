//! Forced systems whose orbits are followed along a parameter; oracles: other origins of the phase, simulations from every point, and differences.

use std::time::Duration;

use saltation_model::Model;
use saltation_motion::System;
use saltation_orbit::branch::Ended;

use crate::dice::Dice;
use crate::family::{Disagreement, Family, Outcome, Watch};
use crate::followed::{Followed, Missing, Stage};
use crate::forced::Forced;
use crate::oracles::{phases, points};

/// The family.
pub const BRANCHES: Family = Family {
    name: "branches",
    about: "branches of forced orbits: six origins of the phase, a simulation from every point, differences of motions",
    every: 16,
    examine: |dice, watch| {
        let member = Forced::drawn(dice);
        outcome(member, dice.next(), watch, examined)
    },
};

/// A member may take so long.
const LONGEST: Duration = Duration::from_secs(5);
/// How long a member that disagrees is made smaller.
const PATIENCE: Duration = Duration::from_secs(4);

/// Values that were found at a member: the oracle, what differs, and the command.
pub(super) struct Finding {
    pub(super) oracle: &'static str,
    pub(super) what: String,
    pub(super) commands: String,
}

/// What came of a member.
pub(super) enum Verdict {
    Agrees,
    Nothing(&'static str),
    Differs(Finding),
}

/// What is said of a member, whose differences are drawn with this seed.
type Examine = fn(&Forced, u64, &Watch) -> Verdict;

/// What came of a member, and the smallest one that shows what differs.
pub(super) fn outcome(member: Forced, seed: u64, watch: &Watch, examine: Examine) -> Outcome {
    let finding = match examine(&member, seed, &watch.within(LONGEST)) {
        Verdict::Agrees => return Outcome::default(),
        Verdict::Nothing(why) => return Outcome { early: vec![why], ..Outcome::default() },
        Verdict::Differs(finding) => finding,
    };
    let (least, finding) = smallest(member, finding, seed, &Watch::over(PATIENCE), examine);
    let file = format!("# {}\n{}", finding.commands.replace('\n', "\n# "), least.text());
    let disagreement = Disagreement { oracle: finding.oracle.to_string(), what: finding.what, file };
    Outcome { disagreements: vec![disagreement], ..Outcome::default() }
}

/// Ever simpler members about which the same oracle complains.
fn smallest(member: Forced, finding: Finding, seed: u64, watch: &Watch, examine: Examine) -> (Forced, Finding) {
    let mut best = (member, finding);
    'simpler: while watch.allows() {
        for other in best.0.simpler() {
            if let Verdict::Differs(found) = examine(&other, seed, watch)
                && found.oracle == best.1.oracle
                && watch.allows()
            {
                best = (other, found);
                continue 'simpler;
            }
        }
        break;
    }
    best
}

/// Looks at the branch of a member from the origin 0 of its phase.
pub(super) fn at_origin(member: &Forced, watch: &Watch, look: impl FnOnce(&Stage, Followed) -> Verdict) -> Verdict {
    let model = match Model::parse(&member.text(), "member.toml") {
        Ok(model) => model,
        Err(mistakes) => {
            return Verdict::Differs(Finding {
                oracle: "refused",
                what: mistakes.to_string(),
                commands: String::new(),
            });
        }
    };
    let system = System::new(&model);
    let stage = Stage { member, model: &model, system: &system, watch };
    let first = stage.returns().and_then(|(returns, mut settled)| {
        settled[stage.phase()] = 0.0;
        // A chaotic transient is a longer one in a computation that differs by rounding.
        match stage.follow(0.0, (None, member.settle), returns) {
            Err(Missing::Refused(..)) => stage.follow(0.0, (Some(settled), 0), returns),
            begun => begun,
        }
    });
    match first {
        Ok(first) => look(&stage, first),
        Err(why) => missing(why, watch),
    }
}

/// What it means that there is no branch.
fn missing(why: Missing, watch: &Watch) -> Verdict {
    match why {
        Missing::Nothing(why) => Verdict::Nothing(why),
        Missing::Refused(..) if !watch.allows() => Verdict::Nothing("slow"),
        Missing::Refused(oracle, what, commands) => Verdict::Differs(Finding { oracle, what, commands }),
    }
}

fn examined(member: &Forced, seed: u64, watch: &Watch) -> Verdict {
    at_origin(member, watch, |stage, first| from_all_origins(stage, &first, seed))
}

/// Whether the branch from the origin 0 of the phase is right, and the same from five others.
fn from_all_origins(stage: &Stage, first: &Followed, seed: u64) -> Verdict {
    let watch = stage.watch;
    let differs =
        |oracle: &'static str, what: String, commands: String| Verdict::Differs(Finding { oracle, what, commands });
    let returns = first.returns;
    let mut dice = Dice::new(seed);
    if let Some(finding) = alone(stage, first, &mut dice) {
        return Verdict::Differs(finding);
    }
    let mut others = 0;
    for shift in 1..=5 {
        let shift = f64::from(shift);
        let start = match stage.moved(&first.orbit, shift) {
            Ok(start) => start,
            Err(_) if !watch.allows() => return Verdict::Nothing("slow"),
            Err(why) => {
                let start = format!("{:?} from {:?}", stage.command(0.0, &first.begin, returns), first.orbit.state);
                return differs("orbit refused", why, start);
            }
        };
        let other = match stage.follow(shift, (Some(start), 0), first.orbit.returns) {
            Ok(other) => other,
            Err(why) => return missing(why, watch),
        };
        if !phases::is_same(first, &other) {
            others += 1;
            continue;
        }
        if let Some(finding) = alone(stage, &other, &mut dice) {
            return Verdict::Differs(finding);
        }
        if let Some((oracle, what)) = phases::check(stage, first, &other) {
            return differs(oracle, what, format!("{}\n{}", command(stage, first), command(stage, &other)));
        }
    }
    match others {
        0 => Verdict::Agrees,
        _ => Verdict::Nothing("other orbit"),
    }
}

pub(super) fn command(stage: &Stage, followed: &Followed) -> String {
    stage.command(followed.shift, &followed.begin, followed.returns)
}

/// Mistakes in a branch whatever others are.
pub(super) fn alone(stage: &Stage, followed: &Followed, dice: &mut Dice) -> Option<Finding> {
    let commands = || command(stage, followed);
    for (ended, end) in
        followed.branch.ended.iter().zip([followed.branch.points.first(), followed.branch.points.last()])
    {
        // Where there are no orbits any more, nobody misses what comes behind.
        if let Ended::Stopped { reason } = ended
            && end.is_some_and(|point| point.admissible)
        {
            let place = end.map(|point| followed.branch.value(point));
            let what = format!("{reason} at {} = {place:?}, s = {}", stage.member.parameter(), followed.shift);
            return Some(Finding { oracle: "stopped", what, commands: commands() });
        }
    }
    let (oracle, what) = points::check(stage, followed, dice)?;
    Some(Finding { oracle, what: format!("{what}, s = {}", followed.shift), commands: commands() })
}
