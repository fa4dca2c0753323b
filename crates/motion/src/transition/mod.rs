//! Transitions: an event and the state in, the next mode and state out, with and without friction.
//!
//! | module | what it does |
//! |---|---|
//! | `automaton` | holds what a motion is between two steps |
//! | `arrival` | ends a step: time, phase, gaps of closed contacts |
//! | `passages` | counts and reports passages of sections at one instant |
//! | `modes` | enters modes |
//! | `impact` | applies the impact law of a contact |
//! | `collide` | decides impacts with friction or of several contacts |
//! | `implied` | finds gaps that others fix by their geometry |
//! | `rebound` | decides what follows them |
//! | `rest` | ends rebounds too low to be resolved |
//! | `low_rebounds` | counts impacts after such rebounds |
//! | `chatter` | counts impacts in their sequence and takes its rest at once |
//! | `sequence` | extrapolates the end of a sequence |
//! | `completion` | takes the rest of a sequence as one step |
//! | `cycle` | takes the rest of a cycle of crossings at once |
//! | `switch` | decides on which side of a switch a motion continues, or whether it slides |
//! | `accumulation` | finds the time at which events accumulate |
//! | `after_jump` | decides closed contacts after a jump of the field or of the state |
//! | `reset` | carries out the jumps of events |
//! | `projection` | keeps the state on what its mode keeps at zero |
//! | `smooth` | finds the mode of contacts without friction |
//! | `decide` | finds the next mode of contacts that are decided together |
//! | `likely` | finds the modes that the accelerations suggest |
//! | `border` | names the modes that coincide at an event |
//! | `consistent` | finds whether a mode obeys its own laws |
//! | `coefficients` | finds whether coefficients are in their ranges |
//! | `free_impact` | finds impacts without collision |
//! | `singular` | follows slip to where it has no finite force |
//! | `knots` | holds the pieces of tables on which a motion is |
//! | `pieces` | finds the pieces of tables on which a motion is |
//! | `progress` | finds whether steps advance the time |
//! | `diagnose` | names the formula that lost its value |

mod accumulation;
mod after_jump;
mod arrival;
pub(crate) mod automaton;
pub(crate) mod border;
mod chatter;
mod coefficients;
pub(crate) mod collide;
mod complementary;
mod completion;
pub(crate) mod consistent;
mod cycle;
mod decide;
pub(crate) mod diagnose;
mod free_impact;
mod impact;
mod implied;
mod knots;
mod likely;
mod low_rebounds;
mod modes;
mod passages;
pub(crate) mod pieces;
mod progress;
mod projection;
mod rebound;
mod reset;
mod rest;
pub(crate) mod sequence;
mod singular;
mod smooth;
pub(crate) mod still;
mod switch;
#[cfg(test)]
mod tests;
pub(crate) mod zero;
