//! The structure of a sketch: names of points, and the parts between them, by positions among the points.

use saltation_model::sketch;
use serde::{Deserialize, Serialize};

/// What a sketch consists of, whatever the state: the same for all frames.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The names of the points.
    pub points: Vec<String>,
    /// Bars.
    pub segments: Vec<Link>,
    /// Discs.
    pub discs: Vec<Disc>,
    /// Springs.
    pub springs: Vec<Link>,
    /// Dampers.
    pub dampers: Vec<Link>,
    /// Walls, with their material on the right-hand side of the way from one end to the other.
    pub walls: Vec<Link>,
    /// Rigid blocks, by their corners in order.
    pub polygons: Vec<Vec<usize>>,
    /// Arrows.
    pub arrows: Vec<Link>,
}

/// Two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disc {
    /// Its centre.
    pub at: usize,
    /// Whether it has a spoke that shows how it turns.
    pub turns: bool,
}

impl Shape {
    pub(super) fn of(sketch: &sketch::Sketch) -> Shape {
        let links = |list: &[sketch::Link]| list.iter().map(|&sketch::Link { from, to }| Link { from, to }).collect();
        Shape {
            points: sketch.points.iter().map(|point| point.name.clone()).collect(),
            segments: links(&sketch.segments),
            discs: sketch.discs.iter().map(|disc| Disc { at: disc.at, turns: disc.turn.is_some() }).collect(),
            springs: links(&sketch.springs),
            dampers: links(&sketch.dampers),
            walls: links(&sketch.walls),
            polygons: sketch.polygons.clone(),
            arrows: links(&sketch.arrows),
        }
    }

    /// Every pair of points that a part joins.
    pub(super) fn links(&self) -> impl Iterator<Item = Link> {
        let lists = [&self.segments, &self.springs, &self.dampers, &self.walls, &self.arrows];
        lists.into_iter().flatten().copied()
    }

    /// The points that some part needs.
    pub(super) fn used(&self) -> Vec<usize> {
        let mut used = vec![false; self.points.len()];
        self.links().for_each(|link| {
            used[link.from] = true;
            used[link.to] = true;
        });
        self.polygons.iter().flatten().for_each(|&corner| used[corner] = true);
        (0..used.len()).filter(|&point| used[point]).collect()
    }
}
