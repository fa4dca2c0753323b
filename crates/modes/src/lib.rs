//! Which periodic motions has a linear structure that bounces elastically against one obstacle?
//!
//! M u'' + K u = 0 while the gap g = w₁·u + g₀ is positive; at g = 0 its opening speed is reversed. Periodic motions
//! with k impacts per period form families of one parameter, the *nonsmooth modes* of the structure (A. Thorin, P.
//! Delezoide and M. Legrand, Non-smooth modal analysis of piecewise-linear impact oscillators, SIAM J. Appl. Dyn.
//! Syst. 16 (2017) 1710-1747). They follow from the times and speeds of the impacts, k numbers each, however many
//! degrees of freedom there are.
//!
//! | module | the question it answers |
//! |---|---|
//! | `linear_modes` | how does the structure vibrate, and what of that does the contact feel? |
//! | [`harmonics`] | which multiples of linear periods are one? |
//! | `waves` | where does a sum of sinusoids have its minima, and how deep are they? |
//! | `motion` | what is a motion with k impacts, where is the structure at any time, and is it admissible? |
//! | [`single`] | which motions have one impact per period? All of them, over any range |
//! | [`equations`] | which impacts belong to a periodic motion? |
//! | `search` | which motions with k impacts are there? |
//! | [`sequence`] | when are two sequences of impacts one, and which are their own mirror image? |
//! | [`family`] | where does the family of a motion lead, and why does it end? |
//! | [`continuum`] | which families keep their impact times, and which of them are bridges? |
//! | `stability` | does a motion nearby stay nearby? |
//!
//! λ_j = -(opening speed before impact j)/√G, G = w₁' M⁻¹ w₁, is not negative for admissible motions. The gap at rest
//! g₀ may be positive, or negative for a structure that is pressed against its obstacle.
//!
//! ```
//! use saltation_modes::{LinearModes, Search, single, stability};
//! // Five masses 1/5 in a row between springs of stiffness 5, the first one fixed to the ground, a wall at distance 1.
//! let (mut mass, mut stiffness) = (vec![], vec![]);
//! for i in 0..5 {
//!     mass.push((i, i, 0.2));
//!     stiffness.push((i, i, if i < 4 { 10.0 } else { 5.0 }));
//!     if i < 4 {
//!         stiffness.extend([(i, i + 1, -5.0), (i + 1, i, -5.0)]);
//!     }
//! }
//! let modes = LinearModes::new(5, &mass, &stiffness, &[0.0, 0.0, 0.0, 0.0, -1.0], 1.0)?;
//! let intervals = single::intervals(&modes, 0.0, 40.0);
//! assert_eq!(intervals.len(), 43);
//!
//! let search = Search { impacts: 3, periods: (2.0, 4.0), starts: 200, ..Search::default() };
//! let found = search.run(&modes, |_, _| true);
//! let motion = &found.motions[0];
//! assert!(motion.verdict(&modes).is_admissible() && motion.closing_error(&modes) < 1e-12);
//! assert!(stability(&modes, motion).unwrap().spectral_radius > 0.99);
//! # Ok::<(), saltation_modes::StructureError>(())
//! ```

pub mod continuum;
mod end;
pub mod equations;
pub mod family;
pub mod harmonics;
mod linear_modes;
mod motion;
mod search;
pub mod sequence;
pub mod single;
mod stability;
mod waves;

pub use continuum::Continuum;
pub use end::End;
pub use family::{Family, Limit, Special, SpecialKind, Steps};
pub use linear_modes::{LinearModes, StructureError};
pub use motion::{Amplitude, LeastGap, Motion, Verdict};
pub use search::{Found, Search};
pub use sequence::Mirror;
pub use single::{Interval, Single};
pub use stability::{Stability, stability};
