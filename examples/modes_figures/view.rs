//! Projects a surface in state space on the page: the plane of x_n and its velocity is seen frontally, and x_{n-1}
//! obliquely.

use saltation_draw::{Axis, Color, Layer, Panel, Points};
use saltation_modes::{LinearModes, Motion};

use super::chain::MASSES;

/// By how much one unit of x_{n-1} goes to the right, in units of x_n, and up, in units of velocity.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub right: f64,
    pub up: f64,
}

impl View {
    /// A panel whose axes say what they show, with the three axes of the space from the origin.
    pub(crate) fn panel(self, lengths: [f64; 3]) -> Panel {
        let sign = |value: f64| if value < 0.0 { '−' } else { '+' };
        let (right, up) = (self.right, self.up);
        let across = format!("x₅ {} {} x₄", sign(right), right.abs());
        let along = format!("dx₅/dt {} {} x₄", sign(up), up.abs());
        let [beside, last, speed] = lengths;
        let axes = [
            (Color::BLACK, "x₄ axis", (-beside, 0.0, 0.0), (beside, 0.0, 0.0)),
            (Color::GREY, "x₅ axis", (0.0, -last, 0.0), (0.0, last, 0.0)),
            (Color::rgb(180, 180, 180), "dx₅/dt axis", (0.0, 0.0, -speed), (0.0, 0.0, speed)),
        ];
        axes.into_iter().fold(Panel::new(Axis::new(across), Axis::new(along)), |panel, (color, name, from, to)| {
            panel.layer(Layer::line([from, to].map(|at| self.place(at))).color(color).width(1.0).label(name))
        })
    }

    /// Where (x_{n-1}, x_n, dx_n/dt) is on paper.
    pub(crate) fn place(self, (beside, last, speed): (f64, f64, f64)) -> (f64, f64) {
        (last + self.right * beside, speed + self.up * beside)
    }

    /// A motion as a closed curve; impacts, which only turn the velocity round, leave it open.
    pub(crate) fn orbit(self, modes: &LinearModes, motion: &Motion) -> Points {
        self.part(modes, motion, 0.0, f64::INFINITY)
    }

    /// The part of a motion between two times of its period.
    pub(crate) fn part(self, modes: &LinearModes, motion: &Motion, from: f64, to: f64) -> Points {
        let count = 480;
        let mut points = Points::new();
        for flight in motion.path(modes, count).chunks(count + 1) {
            let inside = flight.iter().filter(|(t, _, _)| *t >= from && *t <= to);
            points.extend(inside.map(|(_, u, v)| self.place((u[MASSES - 2], u[MASSES - 1], v[MASSES - 1]))));
            points.push((f64::NAN, f64::NAN));
        }
        points
    }

    /// The states just after, or just before, the impact number `impact` (from 0) of each motion.
    pub(crate) fn touches(self, modes: &LinearModes, motions: &[Motion], impact: usize, after: bool) -> Points {
        let state = |motion: &Motion| {
            let (u, v) = motion.state(modes, motion.impact_times[impact] % motion.period());
            let speed = if after { v[MASSES - 1] } else { -v[MASSES - 1] };
            self.place((u[MASSES - 2], u[MASSES - 1], speed))
        };
        motions.iter().map(state).collect()
    }
}
