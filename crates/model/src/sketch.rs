//! How a mechanism looks: points that move with the states, and the parts between them.

use saltation_expr::{Graph, Node, Tape};

/// The greatest number of points of a sketch.
pub const MOST_POINTS: usize = 5000;
/// The greatest number of its parts; a polygon counts as many as it has corners.
pub const MOST_PARTS: usize = 5000;

/// A sketch of a mechanism: plain data, read from `[sketch]`. It says nothing about the motion.
///
/// Its formulas have a graph of their own, so that a model with a sketch has the same formulas, node by node, as one without: motions,
/// their compilation and their last digits do not depend on it.
///
/// ```
/// use saltation_model::gallery;
/// let model = gallery::model("bouncing-ball").unwrap()?;
/// let sketch = model.sketch.as_ref().unwrap();
/// let ball = &sketch.points[sketch.discs[0].at];
/// assert_eq!((ball.name.as_str(), sketch.graph.print(ball.x)), ("ball", "0".to_string()));
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sketch {
    /// All formulas of the sketch.
    pub graph: Graph,
    /// The symbols of all states in this graph, in the order of the model.
    pub states: Vec<Node>,
    /// The symbols of all parameters.
    pub parameters: Vec<Node>,
    /// The points in the order of the file. Their names belong to the sketch alone: a state may have the same.
    pub points: Vec<SketchPoint>,
    /// Bars.
    pub segments: Vec<Link>,
    /// Discs.
    pub discs: Vec<Disc>,
    /// Springs.
    pub springs: Vec<Link>,
    /// Dampers.
    pub dampers: Vec<Link>,
    /// Walls: the material is on the right-hand side of the way from one end to the other. They may move.
    pub walls: Vec<Link>,
    /// Rigid blocks: corners in their order, three or more.
    pub polygons: Vec<Vec<usize>>,
    /// Arrows: forces, directions of belts.
    pub arrows: Vec<Link>,
}

impl Sketch {
    /// Its formulas as a tape of the states and parameters of the model: x and y of every point, then all radii, then the angles of the discs that
    /// turn.
    pub fn tape(&self) -> Tape {
        let places = self.points.iter().flat_map(|point| [point.x, point.y]);
        let radii = self.discs.iter().map(|disc| disc.radius);
        let turns = self.discs.iter().filter_map(|disc| disc.turn);
        let outputs: Vec<Node> = places.chain(radii).chain(turns).collect();
        Tape::new(&self.graph, &self.states, &self.parameters, &[], &outputs)
    }
}

/// A point of a sketch.
#[derive(Debug, Clone)]
pub struct SketchPoint {
    /// Its name.
    pub name: String,
    /// How far it is to the right.
    pub x: Node,
    /// How far it is up.
    pub y: Node,
}

/// Two points, by their positions among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A disc.
#[derive(Debug, Clone)]
pub struct Disc {
    /// Its centre.
    pub at: usize,
    /// Its radius.
    pub radius: Node,
    /// The angle of its spoke, from the right and against the hands of a clock.
    pub turn: Option<Node>,
}
