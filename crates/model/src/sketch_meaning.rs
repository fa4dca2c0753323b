//! The meaning of a `[sketch]` table: names of points as their positions, coordinates as formulas.

use std::collections::HashMap;

use saltation_expr::parse::{Formula, nearest};
use saltation_expr::{Graph, Node};

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
        let names: Points = entry.points.iter().enumerate().map(|(i, (name, _))| (name.text.as_str(), i)).collect();
        let mut points = Vec::with_capacity(entry.points.len());
        for (name, [x, y]) in &entry.points {
            self.name_of_point(name);
            let mut place =
                |written, axis| self.drawable(written, &names, &format!("sketch.points.{}.{axis}", name.text));
            points.push(SketchPoint { name: name.text.clone(), x: place(x, "x"), y: place(y, "y") });
        }
        let mut discs = Vec::with_capacity(entry.discs.len());
        for (i, disc) in entry.discs.iter().enumerate() {
            let radius = self.drawable(&disc.radius, &names, &format!("sketch.discs.{i}.radius"));
            if self.constant(radius).is_some_and(|radius| radius < 0.0) {
                let mistake = Mistake::at(disc.radius.inside(), "the radius of a disc is negative");
                self.mistakes.push(mistake.help("write a radius of zero or more, e.g. radius = 0.1"));
            }
            let turn = disc.turn.as_ref();
            let turn = turn.map(|turn| self.drawable(turn, &names, &format!("sketch.discs.{i}.turn")));
            discs.push(Disc { at: self.point(&names, &disc.at), radius, turn });
        }
        let mut sketch = Sketch {
            graph: Graph::new(),
            states: states.to_vec(),
            parameters: parameters.to_vec(),
            points,
            segments: self.linked(&names, &entry.segments),
            discs,
            springs: self.linked(&names, &entry.springs),
            dampers: self.linked(&names, &entry.dampers),
            walls: self.linked(&names, &entry.walls),
            polygons: entry.polygons.iter().map(|corners| self.corners(&names, corners)).collect(),
            arrows: self.linked(&names, &entry.arrows),
        };
        let nodes: Vec<Node> = nodes(&mut sketch).map(|node| *node).collect();
        let part = self.graph.part(&nodes);
        self::nodes(&mut sketch).zip(part.roots).for_each(|(node, root)| *node = root);
        sketch.graph = part.graph;
        sketch
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
    fn drawable(&mut self, written: &Written, points: &Points, key: &str) -> Node {
        let formula = Formula::read(&written.text).ok();
        let named = |name: &str| points.contains_key(name) && self.names.kind(name).is_none();
        if let Some((name, place)) = formula.iter().flat_map(Formula::names).find(|(name, _)| named(name)) {
            let message = format!("`{name}` is a point, and points do not stand in formulas");
            let help = "write its coordinate here, or give that a name in [definitions]";
            self.mistakes.push(Mistake::at(written.part(place), message).help(help));
            return self.graph.constant(1.0);
        }
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

/// All nodes of a sketch.
fn nodes(sketch: &mut Sketch) -> impl Iterator<Item = &mut Node> {
    let Sketch { states, parameters, points, discs, .. } = sketch;
    let places = points.iter_mut().flat_map(|point| [&mut point.x, &mut point.y]);
    let discs = discs.iter_mut().flat_map(|disc| std::iter::once(&mut disc.radius).chain(disc.turn.as_mut()));
    states.iter_mut().chain(parameters).chain(places).chain(discs)
}
