//! The figure of a mechanism at several times: small pictures of one scale, in as many rows as make them largest, each with its time below it.

use super::frames::{Bounds, Frames};
use super::parts::{self, BREAK, Point};
use super::shape::Link;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};

/// The width of the page and its greatest height in points, and what of it the margins of a panel and the header take.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 700.0;
const BESIDE: f64 = 70.0;
const ABOVE: f64 = 100.0;
/// The room about a picture for hatching and lines, and that for the time below it.
const PAD: f64 = 12.0;
const CAPTION: f64 = 18.0;
/// How many times larger pictures in several rows must be than those in one.
const MUCH: f64 = 1.5;
/// How many times larger than itself the way of a mechanism is that goes far.
const FAR: f64 = 3.0;
/// Coordinates beyond this are not drawn: squares of lengths between them overflow.
const FARTHEST: f64 = 1e150;

const BODY: Color = Color::rgb(199, 221, 238);
const EDGE: Color = Color::rgb(28, 84, 130);
const SOFT: Color = Color::rgb(95, 95, 95);
const WALL: Color = Color::rgb(60, 60, 60);

/// The pictures side by side in rows.
struct Grid {
    columns: usize,
    /// Points of the page for a unit of length.
    scale: f64,
    /// The sides of a picture, with the room about it, in units of length.
    width: f64,
    height: f64,
}

impl Grid {
    /// One row, unless another number of columns makes the pictures of a box much larger.
    fn new(count: usize, width: f64, height: f64) -> Grid {
        let fitting = |columns: usize| {
            let rows = count.div_ceil(columns) as f64;
            let across = (WIDTH - BESIDE) / columns as f64 - 2.0 * PAD;
            let down = (HEIGHT - ABOVE) / rows - 2.0 * PAD - CAPTION;
            let scale = (across / width).min(down / height);
            // Too many pictures for a page have some size all the same.
            Grid { columns, scale: scale.max(1.0 / width.max(height)), width: 0.0, height: 0.0 }
        };
        let row = fitting(count);
        let larger = |best: Grid, next: Grid| if next.scale > best.scale { next } else { best };
        let best = (1..count).rev().map(fitting).reduce(larger);
        let grid = best.filter(|best| best.scale > MUCH * row.scale).unwrap_or(row);
        let width = width + 2.0 * PAD / grid.scale;
        let height = height + (2.0 * PAD + CAPTION) / grid.scale;
        Grid { width, height, ..grid }
    }
}

/// The figure of all frames, each with what stands below it.
pub(crate) fn figure(frames: &Frames, captions: &[String], title: String, mut about: Vec<String>) -> Figure {
    let boxes: Vec<Option<Bounds>> = (0..frames.count).map(|frame| frames.bounds_of(frame, FARTHEST)).collect();
    let all = boxes.iter().flatten().copied().reduce(Bounds::with);
    let all = all.unwrap_or(Bounds { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 });
    let sides = |of: &Bounds| (of.right - of.left, of.top - of.bottom);
    let own = boxes.iter().flatten().map(sides).fold((0.0_f64, 0.0_f64), |m, (w, h)| (m.0.max(w), m.1.max(h)));
    // A mechanism that goes far is drawn where it is at each time, all pictures in one scale.
    let goes_far = own.0.max(own.1) > 0.0 && sides(&all).0.max(sides(&all).1) > FAR * own.0.max(own.1);
    if goes_far {
        about.push("each about its own place".to_string());
    }
    let (width, height) = if goes_far { own } else { sides(&all) };
    let count = frames.count.max(1);
    let larger = width.max(height);
    // A mechanism on a line has some width, and a single point some size.
    let larger = if larger > 0.0 { larger } else { 1.0 };
    let (width, height) = (width.max(0.05 * larger), height.max(0.05 * larger));
    let grid = Grid::new(count, width, height);
    let middle_of = |of: &Bounds| (of.left / 2.0 + of.right / 2.0, of.top / 2.0 + of.bottom / 2.0);
    let rows = count.div_ceil(grid.columns);
    let x = Axis::new("").between(0.0, grid.columns.min(count) as f64 * grid.width);
    let y = Axis::new("").between(-(rows as f64) * grid.height, 0.0);
    let mut panel = Panel::new(x, y).equal_units().without_frame().without_legend();
    let mut left_out = 0;
    for (frame, place) in boxes.iter().enumerate() {
        let (column, row) = (frame % grid.columns, frame / grid.columns);
        let centre = (column as f64 + 0.5) * grid.width;
        let base = -((row + 1) as f64) * grid.height + (PAD + CAPTION) / grid.scale;
        let (middle, level) = middle_of(place.as_ref().filter(|_| goes_far).unwrap_or(&all));
        let place = |(x, y): Point| (x - middle + centre, y - (level - height / 2.0) + base);
        let picture = picture(frames, frame, &place, 1.0 / grid.scale);
        left_out += picture.left_out;
        panel = picture.layers.into_iter().fold(panel, Panel::layer);
        let note = captions.get(frame).cloned().unwrap_or_default();
        panel = panel.layer(Layer::notes([((centre, base - (PAD + CAPTION - 2.0) / grid.scale), note)]));
    }
    if left_out > 0 {
        let (parts, have) = if left_out == 1 { ("part", "has") } else { ("parts", "have") };
        about.push(format!("{left_out} {parts} left out that {have} no finite place or a negative radius"));
    }
    let high = (rows as f64 * grid.height * grid.scale + ABOVE).ceil().clamp(160.0, 8000.0);
    Figure::new(title).subtitle(about.join(", ")).size(WIDTH, high).panel(panel)
}

/// Whether a point can be drawn.
fn is_near((x, y): Point) -> bool {
    // NaN is not near.
    x.abs() <= FARTHEST && y.abs() <= FARTHEST
}

/// One frame.
struct Picture {
    layers: Vec<Layer>,
    /// The number of parts that have no place.
    left_out: usize,
}

/// The layers of a frame, what is behind first.
fn picture(frames: &Frames, frame: usize, place: &dyn Fn(Point) -> Point, unit: f64) -> Picture {
    let shape = frames.shape();
    let mut left_out = 0;
    let at = |point: usize| Some(frames.point(frame, point)).filter(|&point| is_near(point)).map(place);
    let mut lines = |links: &[Link], drawn: &dyn Fn(Point, Point) -> Vec<Point>| -> Vec<Point> {
        let mut points = Vec::new();
        for link in links {
            match at(link.from).zip(at(link.to)) {
                Some((from, to)) => points.extend(drawn(from, to)),
                None => left_out += 1,
            }
        }
        points
    };
    let straight = |from: Point, to: Point| vec![from, to, BREAK];
    let walls = lines(&shape.walls, &straight);
    let hatching: Vec<Point> = {
        let ends = shape.walls.iter().filter_map(|wall| at(wall.from).zip(at(wall.to)));
        ends.flat_map(|(from, to)| parts::hatching(from, to, unit)).collect()
    };
    let springs = lines(&shape.springs, &|from, to| parts::spring(from, to, unit));
    let dampers = lines(&shape.dampers, &|from, to| parts::damper(from, to, unit));
    let segments = lines(&shape.segments, &straight);
    let arrows = lines(&shape.arrows, &|from, to| parts::arrow(from, to, unit));
    let line = |points: Vec<Point>, color: Color, width: f64| Layer::line(points).color(color).width(width);
    let mut layers =
        vec![line(hatching, SOFT, 0.7), line(walls, WALL, 1.6), line(springs, SOFT, 1.1), line(dampers, SOFT, 1.1)];
    let body = |layers: &mut Vec<Layer>, corners: Vec<Point>, spoke: Option<[Point; 2]>| {
        layers.push(Layer::polygon(corners.iter().copied()).color(BODY));
        let closed: Vec<Point> = corners.iter().chain(corners.first()).copied().collect();
        layers.push(line(closed.into_iter().chain([BREAK]).chain(spoke.into_iter().flatten()).collect(), EDGE, 1.2));
    };
    for polygon in &shape.polygons {
        match polygon.iter().map(|&corner| at(corner)).collect::<Option<Vec<Point>>>() {
            Some(corners) => body(&mut layers, corners, None),
            None => left_out += 1,
        }
    }
    let joints = joints(&shape.segments, &shape.walls).filter_map(at);
    layers.push(line(segments, EDGE, 2.0));
    layers.push(Layer::markers(Marker::Circle, joints).color(EDGE).width(4.0));
    for (disc, i) in shape.discs.iter().zip(frames.discs(frame)) {
        let (radius, turn) = (frames.radii[i], frames.turns[i]);
        match at(disc.at).filter(|_| (0.0..=FARTHEST).contains(&radius)) {
            Some(centre) => {
                let spoke = (disc.turns && turn.is_finite()).then(|| [centre, parts::rim(centre, radius, turn)]);
                body(&mut layers, parts::circle(centre, radius), spoke);
            }
            None => left_out += 1,
        }
    }
    layers.push(line(arrows, Color::VERMILLION, 1.4));
    Picture { layers, left_out }
}

/// The points where two segments meet.
fn joints<'a>(segments: &'a [Link], walls: &'a [Link]) -> impl Iterator<Item = usize> + 'a {
    let ends = |links: &'a [Link]| links.iter().flat_map(|link| [link.from, link.to]);
    let mut met: Vec<usize> = ends(segments).collect();
    met.sort_unstable();
    let walls: Vec<usize> = ends(walls).collect();
    let groups: Vec<usize> = met.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect();
    groups.into_iter().filter(move |joint| !walls.contains(joint))
}
