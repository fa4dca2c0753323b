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
    examine: |dice, watch| drawn(dice, watch),
};

/// A member may take so long.
const LONGEST: Duration = Duration::from_secs(5);
/// How long a member that disagrees is made smaller.
const PATIENCE: Duration = Duration::from_secs(4);

/// Values that were found at a member: the oracle, what differs, and the command.
struct Finding {
    oracle: &'static str,
    what: String,
    commands: String,
}

/// What came of a member.
enum Verdict {
    Agrees,
    Nothing(&'static str),
    Differs(Finding),
}

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let member = Forced::drawn(dice);
    let seed = dice.next();
    let finding = match examined(&member, seed, &watch.within(LONGEST)) {
        Verdict::Agrees => return Outcome::default(),
        Verdict::Nothing(why) => return Outcome { early: vec![why], ..Outcome::default() },
        Verdict::Differs(finding) => finding,
    };
    let (least, finding) = smallest(member, finding, seed, &Watch::over(PATIENCE));
    let file = format!("# {}\n{}", finding.commands.replace('\n', "\n# "), least.text());
    let disagreement = Disagreement { oracle: finding.oracle.to_string(), what: finding.what, file };
    Outcome { disagreements: vec![disagreement], ..Outcome::default() }
}

/// Ever simpler members about which the same oracle complains.
fn smallest(member: Forced, finding: Finding, seed: u64, watch: &Watch) -> (Forced, Finding) {
    let mut best = (member, finding);
    'simpler: while watch.allows() {
        for other in best.0.simpler() {
            if let Verdict::Differs(found) = examined(&other, seed, watch)
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

fn examined(member: &Forced, seed: u64, watch: &Watch) -> Verdict {
    let differs =
        |oracle: &'static str, what: String, commands: String| Verdict::Differs(Finding { oracle, what, commands });
    let model = match Model::parse(&member.text(), "member.toml") {
        Ok(model) => model,
        Err(mistakes) => return differs("refused", mistakes.to_string(), String::new()),
    };
    let system = System::new(&model);
    let stage = Stage { member, model: &model, system: &system, watch };
    let missing = |why: Missing| match why {
        Missing::Nothing(why) => Verdict::Nothing(why),
        Missing::Refused(..) if !watch.allows() => Verdict::Nothing("slow"),
        Missing::Refused(oracle, what, command) => differs(oracle, what, command),
    };
    let (returns, mut settled) = match stage.returns() {
        Ok(found) => found,
        Err(why) => return missing(why),
    };
    settled[stage.phase()] = 0.0;
    // A chaotic transient is a longer one in a computation that differs by rounding.
    let begun = match stage.follow(0.0, (None, member.settle), returns) {
        Err(Missing::Refused(..)) => stage.follow(0.0, (Some(settled), 0), returns),
        begun => begun,
    };
    let first = match begun {
        Ok(first) => first,
        Err(why) => return missing(why),
    };
    let mut dice = Dice::new(seed);
    if let Some(finding) = alone(&stage, &first, &mut dice) {
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
            Err(why) => return missing(why),
        };
        if !phases::is_same(&first, &other) {
            others += 1;
            continue;
        }
        if let Some(finding) = alone(&stage, &other, &mut dice) {
            return Verdict::Differs(finding);
        }
        if let Some((oracle, what)) = phases::check(&stage, &first, &other) {
            return differs(oracle, what, format!("{}\n{}", command(&stage, &first), command(&stage, &other)));
        }
    }
    match others {
        0 => Verdict::Agrees,
        _ => Verdict::Nothing("other orbit"),
    }
}

fn command(stage: &Stage, followed: &Followed) -> String {
    stage.command(followed.shift, &followed.begin, followed.returns)
}

/// Mistakes in a branch whatever others are.
fn alone(stage: &Stage, followed: &Followed, dice: &mut Dice) -> Option<Finding> {
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
