//! Contact: what closed contacts do to each other, at one state: forces, impulses, stick and slip, impacts of several contacts at once.
//!
//! | module | what it does |
//! |---|---|
//! | `law` | the impact law and the geometry of one contact |
//! | `touch` | how a contact of a mechanical body pushes and rubs |
//! | [`problem`] | the forces or impulses that obey the laws of all contacts |
//! | `solutions` | all solutions of the contact problem of contacts that act on each other |
//! | `redundant` | how contacts share the load where forces are one choice of many |
//! | `solved` | problems that come again |
//! | `bordering` | the modes that belong to a solution |
//! | `impulse` | how impulses change the velocities |
//! | `group` | all contacts of a system together |
//! | `successive` | impacts one after another |
//! | `collision` | what was decided about an impact |
//! | `mirror` | modes, limits and collisions under the symmetry of a model |

pub(crate) mod bordering;
pub(crate) mod collision;
pub(crate) mod group;
pub(crate) mod impulse;
pub(crate) mod law;
mod mirror;
pub mod problem;
mod redundant;
mod solutions;
pub(crate) mod solved;
pub(crate) mod successive;
pub(crate) mod touch;

pub use collision::Collision;
pub use mirror::mirrored_element;
