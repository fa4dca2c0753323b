//! Shaken boxes with friction of one kind or of two, whose orbits have two impacts a period or more; oracle: `continue` calls exactly those points
//! admissible from which a motion returns.

use saltation_motion::EventKind;

use crate::dice::Dice;
use crate::families::branches::{Finding, Verdict, alone, at_origin, command, outcome};
use crate::family::{Family, Watch};
use crate::forced::Forced;
use crate::oracles::points;

/// The family.
pub const BOXES: Family = Family {
    name: "boxes",
    about: "branches of shaken boxes with dry friction and two impacts a period: admissible is what a motion returns to",
    every: 16,
    examine: |dice, watch| {
        let member = Forced::shaken(dice);
        outcome(member, dice.next(), watch, examined)
    },
};

fn examined(member: &Forced, seed: u64, watch: &Watch) -> Verdict {
    at_origin(member, watch, |stage, first| {
        let impacts = first.branch.marks().iter().filter(|mark| mark.kind == EventKind::Impact).count();
        if impacts < 2 {
            return Verdict::Nothing("fewer impacts");
        }
        if let Some(finding) = alone(stage, &first, &mut Dice::new(seed)) {
            return Verdict::Differs(finding);
        }
        match points::excluded(stage, &first) {
            Some(what) => Verdict::Differs(Finding { oracle: "excluded", what, commands: command(stage, &first) }),
            None if !watch.allows() => Verdict::Nothing("slow"),
            None => Verdict::Agrees,
        }
    })
}
