//! How a system that flows and jumps moves: flights, impacts, chattering, sticking and release, every event to the
//! accuracy of the flow.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`system`] | what has to be evaluated while a model moves? |
//! | `mode` | which equations hold right now? |
//! | `modes` | which modes were compiled already? |
//! | [`automaton`] | what does the system do next? |
//! | [`flow`] | how does a smooth motion flow? |
//! | `watch` | which event comes first on a step? |
//! | `section` | when is a section passed? |
//! | `impact` | what does an impact do? |
//! | `law` | what holds at the surface of a contact? |
//! | `mirror` | what are a mode, a limit of friction and a collision in the mirror? |
//! | `chatter` | where and when does an infinite sequence of impacts end? |
//! | [`friction`] | what do closed contacts do to each other? |
//! | `bridge` | where is the system while the rest of a sequence passes? |
//! | `stick` | when does contact last, and when does it end? |
//! | [`variation`] | how does a motion change with its start and its parameters? |
//! | `shadow` | how do the neighbours of a motion move along with it? |
//! | [`stepping`] | how does it move if only steps of time are known, whatever opens and closes in them? |
//! | [`saltation`] | by which matrix does an impact change the distance of neighbouring motions? |
//! | [`extension`] | where does a smooth flow lead if nothing stops it? |
//! | [`start`] | where does a motion begin? |
//! | `goal` | how does a motion go on after it has stopped? |
//! | [`event`] | what can happen to a motion? |
//! | [`trajectory`] | where was the system at any time? |
//! | [`run`] | what came of a whole motion? |
//! | [`ended`] | why did a motion end? |
//! | [`field`] | which way does a system move at a state, and how does that depend on the state and on parameters? |
//! | `diagnose` | which formula lost its value? |
//! | `stiffness` | is a motion too stiff for explicit steps? |
//! | `wrap` | does the field go on smoothly where the phase begins its circle anew? |

pub mod automaton;
mod bridge;
mod chatter;
mod crowd;
mod diagnose;
pub mod ended;
pub mod event;
pub mod extension;
pub mod field;
pub mod flow;
pub mod friction;
mod goal;
mod impact;
mod law;
mod mirror;
mod mode;
mod modes;
pub mod run;
pub mod saltation;
mod section;
mod shadow;
pub mod start;
pub mod stepping;
mod stick;
mod stiffness;
pub mod system;
mod time;
pub mod trajectory;
pub mod variation;
mod watch;
mod wrap;

pub use automaton::{Happening, Misses, Motion, Settings};
pub use ended::{Coefficient, Ended};
pub use event::{Alternative, Choice, Event, EventKind};
pub use field::{Field, LocalField};
pub use flow::FlowChoice;
pub use friction::{Bound, Collision, Policy};
pub use run::Run;
pub use start::StartError;
pub use system::{ClosedSet, Slip, System};
pub use trajectory::{Piece, Trajectory};
pub use variation::{Derivatives, Perturbation};
