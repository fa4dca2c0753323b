//! How a mechanism looks at given states: the sketch of a model, compiled to a tape and evaluated at the numbers of a system.

pub(crate) mod figure;
pub mod frames;
mod parts;
pub mod shape;

pub use frames::{Bounds, Frames};
pub use shape::{Disc, Link, Shape};

use crate::error::{Error, Refusal};
use crate::system::System;
use saltation_expr::{Point, Tape};
use saltation_model::Mistake;
use std::sync::Arc;

/// The sketch of a system.
///
/// ```
/// use saltation::System;
/// let system = System::gallery("ball-on-table")?;
/// let sketch = system.sketch().unwrap();
/// assert_eq!(sketch.shape().points, ["ball", "left", "right"]);
/// let frames = sketch.frames([&[2.0, 0.0, 0.0][..]]); // x, v and the phase
/// assert_eq!(frames.points[..4], [0.0, 2.5, -1.5, 0.0]); // the ball, whose radius is 0.5, and the left end of the table
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sketch {
    shape: Arc<Shape>,
    /// The formulas of coordinates, then of radii, then of turns; all systems of a model share them.
    tape: Arc<Tape>,
    /// The numbers of the tape at the parameters of the system.
    slots: Vec<f64>,
}

impl System {
    /// How the mechanism looks, at the parameters of this system; `None` if the model does not say.
    pub fn sketch(&self) -> Option<Sketch> {
        let (sketch, tape) = self.model().sketch.as_ref().zip(self.sketch_tape())?;
        let slots = tape.bind(self.numbers().parameters());
        Some(Sketch { shape: Arc::new(Shape::of(sketch)), tape: Arc::clone(tape), slots })
    }

    /// The same, or the mistake that the model has none.
    ///
    /// # Errors
    /// If the model has no sketch; the help shows the smallest one.
    pub fn required_sketch(&self) -> Result<Sketch, Error> {
        self.sketch().ok_or_else(|| {
            let model = self.model();
            let state = model.states.first().map_or("x", |state| state.name.as_str());
            let message = "the model does not say how the mechanism looks: it has no [sketch]";
            let help = format!(
                "add the table [sketch], e.g. with points = {{ A = [\"{state}\", 0] }} and discs = [{{ at = \"A\", radius = 0.1 }}]"
            );
            model.mistakes(vec![Mistake::general(message).help(help)]).into()
        })
    }
}

impl Sketch {
    /// The parts and the names of their points, which do not depend on the state.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where everything is at these states.
    ///
    /// # Panics
    /// If a state has not one entry per state of the model.
    pub fn frames<'s>(&self, states: impl IntoIterator<Item = &'s [f64]>) -> Frames {
        let Sketch { shape, tape, .. } = self;
        let mut room = Point::new(tape);
        let mut values = vec![0.0; tape.outputs()];
        let mut frames = Frames::empty(Arc::clone(shape));
        for state in states {
            assert_eq!(state.len(), tape.states(), "one number per state");
            tape.evaluate_at(&self.slots, state, &mut room, &mut values);
            frames.push(&values);
        }
        frames
    }
}

/// The number of times at which a mechanism is drawn, where none are given.
const USUAL_TIMES: u32 = 5;
/// The largest number of times in one figure.
pub(crate) const MOST_TIMES: usize = 60;

/// The largest number of times that are evaluated at once.
pub(crate) const MOST_FRAMES: usize = 20_000;

/// The times at which a motion from 0 to `end` is drawn, where none are given: equally spaced, the last of them its end.
pub(crate) fn usual_times(end: f64) -> Vec<f64> {
    let last = USUAL_TIMES - 1;
    (0..=last).map(|k| if k == last { end } else { end * (f64::from(k) / f64::from(last)) }).collect()
}

/// Mistakes in times at which a motion is drawn that ends at `end`, if that is known.
pub fn time_refusals(times: &[f64], end: Option<f64>) -> Vec<Refusal> {
    refusals(times, end, MOST_TIMES)
}

/// The same with another largest number of times.
pub(crate) fn refusals(times: &[f64], end: Option<f64>, most: usize) -> Vec<Refusal> {
    use crate::text::number::short;
    let mut list = Vec::new();
    let mut refuse = |message: String, help: &str| list.push(Refusal::new("sketch_times", message, help));
    if times.len() > most {
        let message = format!("at most {most} times are shown, not {}", times.len());
        refuse(message, "choose fewer times, or draw several figures");
    }
    if let Some(time) = times.iter().find(|time| !time.is_finite() || **time < 0.0) {
        refuse(
            format!("the trajectory has no state at t = {time}"),
            "trajectories start at time 0 and proceed forward",
        );
    }
    // Formulas of times, such as 3*0.1 in a motion until 0.3, are the end up to rounding.
    let late = |time: f64| end.is_some_and(|end| time > end + 4.0 * f64::EPSILON * end);
    if let Some(&time) = times.iter().find(|time| time.is_finite() && late(**time)) {
        let end = short(end.unwrap_or_default(), 10);
        refuse(format!("t = {} is after the end of the trajectory, {end}", short(time, 10)), "give times until then");
    }
    list
}
