//! Periodic motions of a linear structure with elastic impacts against one obstacle (nonsmooth modes).
//!
//! M u'' + K u = 0 while the gap g = w₁·u + g₀ is positive; at g = 0 its opening speed is reversed. Periodic motions
//! with k impacts per period form families of one parameter, the *nonsmooth modes* of the structure (A. Thorin, P.
//! Delezoide and M. Legrand, Non-smooth modal analysis of piecewise-linear impact oscillators, SIAM J. Appl. Dyn.
//! Syst. 16 (2017) 1710-1747). They follow from the times and speeds of the impacts, k numbers each, however many
//! degrees of freedom there are.
//!
//! | module | contents |
//! |---|---|
//! | `linear_modes` | frequencies and shapes without contact, and their shares in the gap |
//! | [`harmonics`] | multiples of linear periods that coincide within rounding errors |
//! | `waves` | all minima of a sum of sinusoids below a level |
//! | `sine` | sine and cosine of many numbers at once |
//! | `motion` | a periodic motion with k impacts: its state at any time, and its admissibility |
//! | [`single`] | all motions with one impact per period, over any range of periods |
//! | [`equations`] | the equations for the impacts of a periodic motion |
//! | `search` | Newton's method from random sequences of impacts |
//! | [`sequence`] | equivalence and time-reversal symmetry of impact sequences |
//! | [`family`] | the family of a motion, to both ends |
//! | [`continuum`] | families at constant impact times, and connections to other families |
//! | `stability` | multipliers of the return map at fixed energy |
//!
//! λ_j = -(opening speed before impact j)/√G, G = w₁' M⁻¹ w₁, is not negative for admissible motions. The gap at equilibrium
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

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod continuum;
mod end;
pub mod equations;
pub mod family;
pub mod harmonics;
mod linear_modes;
mod motion;
mod search;
pub mod sequence;
mod sine;
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
