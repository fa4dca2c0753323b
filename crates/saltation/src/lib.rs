//! Systems that flow and jump: machines whose parts hit, chatter, stick and slide.
//!
//! This crate is the front door to the library and holds nothing of its own: every module below is a crate that can be
//! used alone, and the [`prelude`] has the names of a first program.
//!
//! | module | the question it answers |
//! |---|---|
//! | [`model`] | what is a nonsmooth system? |
//! | [`motion`] | how does it move through contact? |
//! | [`orbit`] | which motions repeat, and are they stable? |
//! | [`modes`] | which nonsmooth modes has a structure? |
//! | [`draw`] | what does that look like? |
//! | [`expr`] | what is a formula? |
//! | [`numerics`] | which mathematics is behind it? |
//!
//! A ball that comes to rest after infinitely many bounces:
//!
//! ```
//! use saltation::prelude::*;
//!
//! let model = Model::parse(r#"
//!     format = 1
//!     name = "ball"
//!     [parameters]
//!     e = 0.5
//!     [mechanics]
//!     coordinates = ["x"]
//!     velocities = ["v"]
//!     M = [[1]]
//!     h = [-2]
//!     [contacts.floor]
//!     gap = "x"
//!     restitution = "e"
//!     [start]
//!     x = 1
//!     v = 0
//! "#, "ball.toml")?;
//! let system = System::new(&model);
//! let values = model.values(&Overrides::default())?;
//! let settings = Settings { until: 5.0, ..Settings::default() };
//! let run = Motion::new(&system, &values, settings)?.run(false, |_| true);
//!
//! // It falls for 1 and flies for 2 (e + e^2 + ...) = 2 before it lies still.
//! let rest = run.first(EventKind::Stick).unwrap();
//! assert!((rest.time - 3.0).abs() < 1e-11);
//! assert_eq!(system.mode_name(run.closed), "stick:floor");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use saltation_draw as draw;
pub use saltation_expr as expr;
pub use saltation_model as model;
pub use saltation_modes as modes;
pub use saltation_motion as motion;
pub use saltation_numerics as numerics;
pub use saltation_orbit as orbit;

/// The names of a first program.
pub mod prelude {
    pub use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
    pub use saltation_model::{Mistakes, Model, Overrides, Values};
    pub use saltation_motion::{
        Ended, Event, EventKind, Happening, Motion, Run, Settings, StartError, System, Trajectory,
    };
}
