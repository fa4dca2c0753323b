//! A member of the family `branches`: a forced system with contacts as a model file, its attracting orbit, and the continuation parameter.
//!
//! The phase of the force is `phi + s`: another `s` is the same system with another origin of the phase.

use std::fmt::Write;

use crate::dice::Dice;

/// A forced system and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Forced {
    /// The parameters and their values; `s` comes on top of them.
    pub numbers: Vec<(&'static str, f64)>,
    /// Coordinates, velocities and the forces, of unit masses.
    pub states: &'static [[&'static str; 2]],
    /// The force on every mass.
    pub force: Vec<&'static str>,
    /// The tables of the contacts.
    pub contacts: Vec<&'static str>,
    /// The start of every coordinate, then of every velocity.
    pub start: Vec<f64>,
    /// How many returns are followed before the orbit is sought.
    pub settle: u64,
    /// The parameter that varies, by its position in `numbers`.
    pub along: usize,
    /// Between which values.
    pub range: (f64, f64),
}

const ONE: &[[&str; 2]] = &[["x", "v"]];
const TWO: &[[&str; 2]] = &[["x", "u"], ["y", "w"]];
const WALL: &str = "wall]\ngap = \"d - x\"\nrestitution = \"r\"";

/// A number with so many digits.
fn short(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value)
}

impl Forced {
    /// A random one: an oscillator with one wall or two, a ball on a vibrating table, a body with a spring on a table, a block with dry friction.
    pub fn drawn(dice: &mut Dice) -> Forced {
        let member = match dice.below(5) {
            0 => oscillator(dice),
            1 => ball(dice),
            2 => table(dice),
            3 => block(dice),
            _ => damper(dice),
        };
        member.varied(dice)
    }

    /// A random box between two walls that dry friction holds: as a sign, as a contact with the floor, or both.
    pub fn shaken(dice: &mut Dice) -> Forced {
        shaken(dice).varied(dice)
    }

    /// With short numbers, and one of them that varies.
    fn varied(mut self, dice: &mut Dice) -> Forced {
        let member = &mut self;
        member.numbers.iter_mut().for_each(|(_, value)| *value = short(*value, 4));
        member.start.iter_mut().for_each(|value| *value = short(*value, 4));
        member.settle = 300 + dice.below(101) as u64;
        // Where a rebound begins or ends the signature is another.
        let named = |name: &str| ["d", "e", "b"].contains(&name);
        let varies: Vec<usize> =
            (0..member.numbers.len()).filter(|&k| member.numbers[k].1 != 0.0 || named(member.numbers[k].0)).collect();
        member.along = dice.of_list(&varies);
        let (name, value) = member.numbers[member.along];
        let size = if named(name) || name == "r" { 0.6 } else { value.abs() };
        let (below, above) = (size * dice.between(0.1, 0.5), size * dice.between(0.1, 0.5));
        let (least, most) = if name == "r" { (0.01, 0.97) } else { (f64::NEG_INFINITY, f64::INFINITY) };
        member.range = (short((value - below).max(least), 6), short((value + above).min(most), 6));
        self
    }

    /// The model file.
    pub fn text(&self) -> String {
        let mut text = String::from("format = 1\nname = \"member\"\n[parameters]\n");
        // Writing to a string does not fail.
        let mut line = |arguments: std::fmt::Arguments| {
            let _ = writeln!(text, "{arguments}");
        };
        self.numbers.iter().for_each(|(name, value)| line(format_args!("{name} = {value:?}")));
        line(format_args!("s = 0\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n[mechanics]"));
        let list = |names: &mut dyn Iterator<Item = &&str>| {
            names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
        };
        let column = |k: usize| list(&mut self.states.iter().map(|pair| &pair[k]));
        line(format_args!("coordinates = [{}]\nvelocities = [{}]", column(0), column(1)));
        let unit = if self.states.len() == 1 { "[[1]]" } else { "[[1, 0], [0, 1]]" };
        line(format_args!("M = {unit}\nh = [{}]", list(&mut self.force.iter())));
        self.contacts.iter().for_each(|table| line(format_args!("[contacts.{table}")));
        line(format_args!("[start]"));
        let names = [0, 1].into_iter().flat_map(|k| self.states.iter().map(move |pair| pair[k]));
        names.zip(&self.start).for_each(|(name, value)| line(format_args!("{name} = {value:?}")));
        line(format_args!("phi = 0"));
        text
    }

    /// The name of the parameter that varies.
    pub fn parameter(&self) -> &'static str {
        self.numbers[self.along].0
    }

    /// The value of a number; 0 if there is none of this name.
    pub fn value(&self, name: &str) -> f64 {
        self.numbers.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value)
    }

    /// Whether friction of the floor acts beside another dry friction, or beside a stop without rebound: which of them holds the body is a choice.
    pub fn has_choices(&self) -> bool {
        self.value("N") != 0.0 && self.contacts.contains(&FLOOR) && (self.value("F") != 0.0 || self.value("r") == 0.0)
    }

    /// Whether an orbit between walls may be moved: no force depends on the place.
    pub fn is_free(&self) -> bool {
        self.numbers.iter().any(|(name, _)| *name == "k") && self.value("k") == 0.0 && self.value("c") == 0.0
    }

    /// The width of the range.
    pub fn width(&self) -> f64 {
        self.range.1 - self.range.0
    }

    /// Members that are a little simpler, the boldest first.
    pub fn simpler(&self) -> Vec<Forced> {
        let mut list: Vec<Forced> = Vec::new();
        let mut with = |change: &dyn Fn(&mut Forced)| {
            let mut other = self.clone();
            change(&mut other);
            let value = other.numbers[other.along].1;
            if other != *self && other.range.0 <= value && value <= other.range.1 && other.width() > 0.0 {
                list.push(other);
            }
        };
        let value = self.numbers[self.along].1;
        with(&|member| member.range.0 = value);
        with(&|member| member.range.1 = value);
        let length = |x: f64| if x == 0.0 { 0 } else { format!("{x:?}").len() };
        for (k, &(name, value)) in self.numbers.iter().enumerate() {
            let zero = ["c", "r", "b"].contains(&name).then_some(0.0);
            let candidates = zero.into_iter().chain([short(value, 1), short(value, 2), short(value, 3)]);
            for candidate in candidates.filter(|other| length(*other) < length(value)) {
                with(&|member| member.numbers[k].1 = candidate);
            }
        }
        for digits in [2, 3] {
            with(&|member| member.range.0 = short(member.range.0, digits));
            with(&|member| member.range.1 = short(member.range.1, digits));
        }
        list
    }
}

fn member(
    numbers: Vec<(&'static str, f64)>,
    states: &'static [[&'static str; 2]],
    force: &[&'static str],
    contacts: &[&'static str],
    start: &[f64],
) -> Forced {
    let (force, contacts, start) = (force.to_vec(), contacts.to_vec(), start.to_vec());
    Forced { numbers, states, force, contacts, start, settle: 0, along: 0, range: (0.0, 0.0) }
}

fn restitution(dice: &mut Dice) -> f64 {
    if dice.chance(0.2) { 0.0 } else { dice.between(0.02, 0.95) }
}

fn damping(dice: &mut Dice) -> f64 {
    dice.of_list(&[0.01, 0.03, 0.05, 0.08, 0.1, 0.2])
}

fn cubic(dice: &mut Dice) -> f64 {
    if dice.chance(0.5) { 0.0 } else { dice.between(0.05, 1.0) }
}

fn oscillator(dice: &mut Dice) -> Forced {
    let d = dice.between(-0.7, 0.5);
    let numbers = vec![
        ("z", damping(dice)),
        ("k", dice.between(0.5, 2.0)),
        ("om", dice.between(0.3, 3.0)),
        ("r", restitution(dice)),
        ("A", dice.between(0.2, 1.8)),
        ("d", d),
        ("c", cubic(dice)),
    ];
    member(numbers, ONE, &["A*cos(phi + s) - 2*z*v - k*x - c*x^3"], &[WALL], &[d - 0.3, 0.1])
}

fn ball(dice: &mut Dice) -> Forced {
    let (g, om) = (dice.between(0.4, 2.0), dice.between(0.6, 3.0));
    // Below 1 the ball rests on the table for ever.
    let amplitude = g / (om * om) * dice.between(1.02, 4.5);
    let numbers =
        vec![("g", g), ("r", restitution(dice)), ("A", amplitude), ("om", om), ("z", dice.of_list(&[0.0, 0.05, 0.1]))];
    let gap = "table]\ngap = \"x - A*cos(phi + s)\"\nrestitution = \"r\"";
    member(numbers, ONE, &["-g - z*v"], &[gap], &[amplitude + 0.7, 0.0])
}

fn table(dice: &mut Dice) -> Forced {
    let numbers = vec![
        ("g", dice.between(0.2, 1.2)),
        ("r", restitution(dice)),
        ("A", dice.between(0.5, 1.8)),
        ("om", dice.between(0.4, 3.0)),
        ("z", dice.of_list(&[0.02, 0.05, 0.1])),
    ];
    let floor = "table]\ngap = \"x\"\nrestitution = \"r\"";
    let both = [floor, "top]\ngap = \"2 - x\"\nrestitution = 0.5"];
    let contacts = if dice.chance(0.4) { &both[..] } else { &both[..1] };
    member(numbers, ONE, &["A*cos(phi + s) - g - z*v - 0.3*x"], contacts, &[0.5, 0.0])
}

fn block(dice: &mut Dice) -> Forced {
    let belt = if dice.chance(0.4) { 0.0 } else { dice.between(0.05, 1.0) };
    let numbers = vec![
        ("k", dice.between(0.5, 2.0)),
        ("z", dice.between(0.0, 0.2)),
        ("N", dice.between(0.5, 1.5)),
        ("mu", dice.between(0.05, 0.8)),
        ("A", dice.between(0.3, 1.8)),
        ("om", dice.between(0.3, 2.0)),
        ("b", belt),
    ];
    let contact =
        "t]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"b\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = \"mu\" }";
    member(numbers, TWO, &["A*cos(phi + s) - k*x - z*u", "-N"], &[contact], &[0.3, 0.0, 0.2, 0.0])
}

fn damper(dice: &mut Dice) -> Forced {
    let numbers = vec![
        ("z", damping(dice)),
        ("k", if dice.chance(0.4) { 0.0 } else { dice.between(0.3, 2.0) }),
        ("om", dice.between(0.3, 3.0)),
        ("r", restitution(dice)),
        ("A", dice.between(0.2, 1.8)),
        ("d", dice.between(0.1, 1.2)),
        ("e", dice.between(0.1, 1.2)),
        ("c", cubic(dice)),
    ];
    member(numbers, ONE, &["A*cos(phi + s) - 2*z*v - k*x - c*x^3"], &[LOW, HIGH], &[0.0, 0.1])
}

const LOW: &str = "low]\ngap = \"x + e\"\nrestitution = \"r\"";
const HIGH: &str = "high]\ngap = \"d - x\"\nrestitution = \"r\"";
const FLOOR: &str =
    "floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = \"mu\" }";

fn shaken(dice: &mut Dice) -> Forced {
    let (sign, floor) = dice.of_list(&[(true, false), (false, true), (true, true), (true, true)]);
    let mut numbers = vec![
        ("z", dice.between(0.0, 0.1)),
        ("k", if dice.chance(0.5) { 0.0 } else { dice.between(0.1, 1.0) }),
        ("om", dice.between(0.5, 3.0)),
        ("r", restitution(dice)),
        ("A", dice.between(0.5, 3.0)),
        ("d", dice.between(0.1, 1.0)),
        ("e", dice.between(0.1, 1.0)),
    ];
    if sign {
        numbers.push(("F", dice.between(0.02, 0.4)));
    }
    if !floor {
        return member(numbers, ONE, &["A*cos(phi + s) - 2*z*v - k*x - F*sign(v)"], &[LOW, HIGH], &[0.0, 0.1]);
    }
    numbers.extend([("N", dice.between(0.5, 1.5)), ("mu", dice.between(0.02, 0.3))]);
    let push = if sign { "A*cos(phi + s) - 2*z*u - k*x - F*sign(u)" } else { "A*cos(phi + s) - 2*z*u - k*x" };
    member(numbers, TWO, &[push, "-N"], &[LOW, HIGH, FLOOR], &[0.0, 0.0, 0.1, 0.0])
}
