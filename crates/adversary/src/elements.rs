//! Elements that change nothing: forces that are zero, written with a table, a complementarity and a second phase, a block that rubs on its own, and a bead on a rough ring. A body with
//! them moves as without.

use crate::body::Body;
use crate::dice::Dice;

/// An element.
#[derive(Debug, Clone)]
pub enum Element {
    /// A table of straight pieces that is the identity, less the coordinate itself.
    Table { place: usize, factor: f64, knots: Vec<f64> },
    /// The multiplier that keeps i - (q - a) from being negative, less max(q - a, 0).
    Diode { place: usize, factor: f64, at: f64 },
    /// sin^2 + cos^2 - 1 of a phase of its own.
    Tone { place: usize, factor: f64, rate: f64 },
    /// A body on a moving belt, with dry friction, which nothing else knows.
    Dry { force: f64, stiffness: f64, belt: f64 },
    /// A bead on a ring in the field of gravity, with friction in proportion to the force of the ring.
    Ring { mu: f64, speed: f64, gravity: f64 },
}

impl Element {
    /// Some elements for a body, each with a force of about `force`; `from` and `to` are coordinates at its start and its end, and `farthest` is the largest on the way.
    pub fn some(body: &Body, (from, to, farthest): (&[f64], &[f64], f64), dice: &mut Dice) -> Vec<Element> {
        let n = body.degrees();
        let mut elements = Vec::new();
        let place = |dice: &mut Dice| (dice.below(n), dice.between(0.5, 2.0));
        let span = |k: usize| (to[k] - from[k]).abs().max(1e-3 * from[k].abs().max(1.0));
        if dice.below(2) == 0 {
            let (k, factor) = place(dice);
            let mut knots: Vec<f64> = (0..6).map(|_| from[k] + dice.between(-2.0, 2.0) * span(k)).collect();
            // Farther knots would leave their own rounding.
            knots.extend([-16.0 * farthest.max(1.0), 16.0 * farthest.max(1.0)]);
            knots.sort_by(f64::total_cmp);
            elements.push(Element::Table { place: k, factor, knots });
        }
        // A model has complementarities or constraints.
        match dice.below(3) {
            0 => {
                let (k, factor) = place(dice);
                elements.push(Element::Diode { place: k, factor, at: from[k] + dice.between(-1.5, 1.5) * span(k) });
            }
            1 => {
                let [mu, speed, gravity] =
                    [(0.05, 0.5), (1.0, 6.0), (0.5, 10.0)].map(|(low, high)| dice.between(low, high));
                elements.push(Element::Ring { mu, speed, gravity });
            }
            _ => {}
        }
        if dice.below(2) == 0 {
            let (k, factor) = place(dice);
            elements.push(Element::Tone { place: k, factor, rate: dice.between(0.3, 7.0) });
        }
        if dice.below(2) == 0 || elements.is_empty() {
            let [force, stiffness, belt] =
                [(0.1, 2.0), (0.5, 20.0), (-1.0, 1.0)].map(|(low, high)| dice.between(low, high));
            elements.push(Element::Dry { force, stiffness, belt });
        }
        elements
    }

    /// How many coordinates it has of its own.
    pub fn coordinates(&self) -> usize {
        match self {
            Element::Dry { .. } => 1,
            Element::Ring { .. } => 2,
            _ => 0,
        }
    }

    /// The body with the element.
    pub fn add(&self, mut body: Body) -> Body {
        let [q, v] = body.letters;
        let zero = |formula: String, place: usize, factor: f64, body: &mut Body| {
            body.force[place] = format!("{} + ({factor:?})*({formula})", body.force[place]);
        };
        match self {
            Element::Ring { mu, speed, gravity } => {
                let x = coordinate(&mut body, ["0", &format!("{speed:?}")], "0");
                let y = coordinate(&mut body, ["-0.5", "0"], &format!("-({gravity:?})"));
                body.tables.push(format!(
                    "[constraints.ring]\nkeep = \"sqrt({q}{x}^2 + {q}{y}^2) - 0.5\"\ntrack = \"0.5*atan2({q}{x}, -{q}{y})\"\n\
                     friction = {{ law = \"coulomb\", mu = {mu:?} }}"
                ));
            }
            Element::Table { place, factor, knots } => {
                let points: Vec<String> = knots.iter().map(|x| format!("[{x:?}, {x:?}]")).collect();
                body.tables.push(format!(
                    "[tables.same]\nknots = [{}]\ninterpolation = \"linear\"\nbeyond = \"hold\"",
                    points.join(", ")
                ));
                zero(format!("same({q}{place}) - {q}{place}"), *place, *factor, &mut body);
            }
            Element::Diode { place, factor, at } => {
                body.tables.push(format!(
                    "[complementarity.diode]\nmultiplier = \"i\"\nvalue = \"i - ({q}{place} - ({at:?}))\""
                ));
                zero(format!("i - max({q}{place} - ({at:?}), 0)"), *place, *factor, &mut body);
            }
            Element::Tone { place, factor, rate } => {
                body.tables.push(format!("[phase.tone]\nrate = {rate:?}\nperiod = \"2*pi\""));
                body.phases.push("tone".to_string());
                zero("sin(tone)^2 + cos(tone)^2 - 1".to_string(), *place, *factor, &mut body);
            }
            Element::Dry { force, stiffness, belt } => {
                let at = coordinate(&mut body, ["0.1", "0"], "0");
                body.force[at] = format!("-({stiffness:?})*{q}{at}");
                body.tables.push(format!(
                    "[friction.dry]\ntrack = \"{q}{at}\"\nforce = \"({force:?})*(1 + 0.1*{v}{at}^2)\"\nbelt = {belt:?}"
                ));
            }
        }
        body
    }
}

/// Adds a coordinate of mass 1 with its start, that of its velocity and a force; its number.
fn coordinate(body: &mut Body, start: [&str; 2], force: &str) -> usize {
    let at = body.degrees();
    body.mass.iter_mut().for_each(|row| row.push("0".to_string()));
    body.mass.push((0..=at).map(|k| if k == at { "1" } else { "0" }.to_string()).collect());
    body.force.push(force.to_string());
    body.start.insert(at, start[0].to_string());
    body.start.push(start[1].to_string());
    at
}
