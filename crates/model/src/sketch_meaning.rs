//! The meaning of a `[sketch]` table: names of points as their positions, coordinates as formulas.

use std::collections::HashMap;

use saltation_expr::Node;
use saltation_expr::parse::nearest;

use crate::entries::{LinkEntry, SketchEntry};
use crate::meaning::Meaning;
use crate::mistake::Mistake;
use crate::names::Place;
use crate::shape::Written;
use crate::sketch::{Disc, Link, Sketch, SketchPoint};

/// The points by their names.
type Points<'e> = HashMap<&'e str, usize>;

impl Meaning<'_> {
    /// The sketch, whose formulas are taken out of the graph of the model: that is afterwards as it was.
    pub(crate) fn sketch(&mut self, states: &[Node], parameters: &[Node]) -> Option<Sketch> {
        let entry = self.file.sketch.as_ref()?;
        let kept = self.graph.clone();
        let sketch = self.drawn(entry, states, parameters);
        self.graph = kept;
        Some(sketch)
    }

    fn drawn(&mut self, entry: &SketchEntry, states: &[Node], parameters: &[Node]) -> Sketch {
        let mut nodes: Vec<Node> = [states, parameters].concat();
        for (name, coordinates) in &entry.points {
            self.name_of_point(name);
            for (i, written) in coordinates.iter().enumerate() {
                let key = format!("sketch.points.{}.{}", name.text, ["x", "y"][i]);
                nodes.push(self.drawable(written, &key));
            }
        }
        for (i, disc) in entry.discs.iter().enumerate() {
            let radius = self.drawable(&disc.radius, &format!("sketch.discs.{i}.radius"));
            if self.constant(radius).is_some_and(|radius| radius < 0.0) {
                let mistake = Mistake::at(disc.radius.inside(), "the radius of a disc is negative");
                self.mistakes.push(mistake.help("write a radius of zero or more, e.g. radius = 0.1"));
            }
            nodes.push(radius);
            nodes.extend(disc.turn.as_ref().map(|turn| self.drawable(turn, &format!("sketch.discs.{i}.turn"))));
        }

        let points: Points = entry.points.iter().enumerate().map(|(i, (name, _))| (name.text.as_str(), i)).collect();
        let part = self.graph.part(&nodes);
        let mut roots = part.roots.into_iter();
        // There are as many roots as nodes were pushed above, in the same order.
        let mut take = |count: usize| roots.by_ref().take(count).collect::<Vec<Node>>();
        let (states, parameters) = (take(states.len()), take(parameters.len()));
        let coordinates = take(2 * entry.points.len());
        let points_named = entry.points.iter().zip(coordinates.chunks_exact(2));
        let points_named =
            points_named.map(|((name, _), at)| SketchPoint { name: name.text.clone(), x: at[0], y: at[1] }).collect();
        let mut discs = Vec::with_capacity(entry.discs.len());
        for disc in &entry.discs {
            let (radius, turn) = (take(1)[0], disc.turn.as_ref().map(|_| take(1)[0]));
            discs.push(Disc { at: self.point(&points, &disc.at), radius, turn });
        }
        Sketch {
            states,
            parameters,
            points: points_named,
            segments: self.linked(&points, &entry.segments),
            discs,
            springs: self.linked(&points, &entry.springs),
            dampers: self.linked(&points, &entry.dampers),
            walls: self.linked(&points, &entry.walls),
            polygons: entry.polygons.iter().map(|corners| self.corners(&points, corners)).collect(),
            arrows: self.linked(&points, &entry.arrows),
            graph: part.graph,
        }
    }

    fn name_of_point(&mut self, name: &Written) {
        let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.text.is_empty() || !name.text.chars().all(fits) {
            let message = format!("`{}` cannot be a name", name.text);
            let help = "the name of a point consists of letters, digits, _ and -";
            self.mistakes.push(Mistake::at(name.inside(), message).help(help));
        }
    }

    /// A formula of a sketch; if it is a number, that is finite.
    fn drawable(&mut self, written: &Written, key: &str) -> Node {
        let node = self.formula(written, &Place::SKETCH, key);
        if self.constant(node).is_some_and(|value| !value.is_finite()) {
            let mistake = Mistake::at(written.inside(), "this has no finite value");
            self.mistakes.push(mistake.help("write a number such as 0.5, or a formula of states and parameters"));
        }
        node
    }

    /// The value of a formula without names.
    fn constant(&self, node: Node) -> Option<f64> {
        self.graph.symbols_of(node).is_empty().then(|| self.graph.evaluate(node, &|_| f64::NAN))
    }

    fn point(&mut self, points: &Points, name: &Written) -> usize {
        if let Some(&point) = points.get(name.text.as_str()) {
            return point;
        }
        let mut known: Vec<(usize, &str)> = points.iter().map(|(name, i)| (*i, *name)).collect();
        known.sort_unstable();
        let known = || known.iter().map(|(_, name)| *name);
        let help = match nearest(&name.text, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if points.is_empty() => format!("add points = {{ {} = [0, 0] }}", name.text),
            None if points.len() > MOST_NAMED => "its points are the keys of `points`".to_string(),
            None => format!("its points are {}", known().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("the sketch has no point `{}`", name.text);
        self.mistakes.push(Mistake::at(name.inside(), message).help(help));
        0
    }

    fn linked(&mut self, points: &Points, entries: &[LinkEntry]) -> Vec<Link> {
        let mut links = Vec::with_capacity(entries.len());
        for entry in entries {
            let known = self.mistakes.len();
            let link = Link { from: self.point(points, &entry.from), to: self.point(points, &entry.to) };
            if link.from == link.to && self.mistakes.len() == known {
                let message = format!("this joins the point `{}` to itself", entry.to.text);
                self.mistakes.push(Mistake::at(entry.to.inside(), message).help("name two different points"));
            }
            links.push(link);
        }
        links
    }

    fn corners(&mut self, points: &Points, corners: &[Written]) -> Vec<usize> {
        corners.iter().map(|corner| self.point(points, corner)).collect()
    }
}

/// How many points are named in a message.
const MOST_NAMED: usize = 40;
