//! A sketch at a row of states: coordinates, radii and angles, frame by frame, and the box about all of them.

use super::shape::Shape;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// Where the parts of a sketch are, at one state after another. In JSON a number that is not finite is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frames {
    /// The number of frames.
    pub count: usize,
    /// x and y of all points of the first frame, then of the second, and so on.
    pub points: Vec<f64>,
    /// The radii of all discs, frame by frame.
    pub radii: Vec<f64>,
    /// The angle of each disc, frame by frame; zero for those without a spoke.
    pub turns: Vec<f64>,
    /// The smallest box that holds all parts of all frames, also walls and arrows; `None` if nothing has a place. Numbers that are not finite do
    /// not count.
    pub bounds: Option<Bounds>,
    #[serde(skip)]
    shape: Arc<Shape>,
    /// The points that parts other than discs need.
    #[serde(skip)]
    used: Vec<usize>,
}

/// An upright box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// The least x.
    pub left: f64,
    /// The least y.
    pub bottom: f64,
    /// The greatest x.
    pub right: f64,
    /// The greatest y.
    pub top: f64,
}

impl Bounds {
    /// The box of a point with a radius about it, if no side is beyond a limit.
    fn about((x, y): (f64, f64), radius: f64, farthest: f64) -> Option<Bounds> {
        let found = Bounds { left: x - radius, bottom: y - radius, right: x + radius, top: y + radius };
        let Bounds { left, bottom, right, top } = found;
        // What is not a number is not within the limit.
        [left, bottom, right, top].iter().all(|side| side.abs() <= farthest).then_some(found)
    }

    pub(super) fn with(self, other: Bounds) -> Bounds {
        Bounds {
            left: self.left.min(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
        }
    }
}

impl Frames {
    /// No frames.
    pub(super) fn empty(shape: Arc<Shape>) -> Frames {
        let (points, radii, turns) = Default::default();
        let used = shape.used();
        Frames { count: 0, points, radii, turns, bounds: None, shape, used }
    }

    /// Adds a frame: all coordinates, then all radii, then the angles of the discs that turn.
    pub(super) fn push(&mut self, values: &[f64]) {
        let shape = Arc::clone(&self.shape);
        let (points, others) = values.split_at(2 * shape.points.len());
        let (radii, turns) = others.split_at(shape.discs.len());
        let mut turns = turns.iter();
        self.points.extend_from_slice(points);
        self.radii.extend_from_slice(radii);
        let turn = shape.discs.iter().map(|disc| disc.turns.then(|| turns.next().copied()).flatten().unwrap_or(0.0));
        self.turns.extend(turn);
        self.count += 1;
        let here = self.bounds_of(self.count - 1, f64::MAX);
        self.bounds = here.into_iter().chain(self.bounds).reduce(Bounds::with);
    }

    /// The box of all parts of a frame that are not farther away than a limit.
    pub(super) fn bounds_of(&self, frame: usize, farthest: f64) -> Option<Bounds> {
        let corners = self.used.iter().filter_map(|&point| Bounds::about(self.point(frame, point), 0.0, farthest));
        let discs = self.shape.discs.iter().zip(&self.radii[self.discs(frame)]).filter(|(_, radius)| **radius >= 0.0);
        let discs = discs.filter_map(|(disc, &radius)| Bounds::about(self.point(frame, disc.at), radius, farthest));
        corners.chain(discs).reduce(Bounds::with)
    }

    /// The structure.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// x and y of a point in a frame.
    ///
    /// # Panics
    /// If there is no such frame or point.
    pub fn point(&self, frame: usize, point: usize) -> (f64, f64) {
        let at = 2 * (frame * self.shape.points.len() + point);
        (self.points[at], self.points[at + 1])
    }

    /// The positions of the discs of a frame in `radii` and `turns`.
    pub(super) fn discs(&self, frame: usize) -> Range<usize> {
        let count = self.shape.discs.len();
        frame * count..(frame + 1) * count
    }
}
