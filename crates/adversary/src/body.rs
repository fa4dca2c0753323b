//! A member of a family: a mechanical body with contacts, as formulas of named numbers, and its model file.

use std::fmt::Write;

/// A mechanical body M dv/dt = h with contacts. Formulas may use the coordinates `q0`, `q1`, ..., the velocities `v0`, `v1`,
/// ..., the phase `phi`, the definitions and the numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The parameters of the model and their values.
    pub numbers: Vec<(String, f64)>,
    /// The rate of the phase, whose period is 2 pi; `None` where nothing depends on time.
    pub rate: Option<String>,
    /// Further names and their formulas.
    pub definitions: Vec<(String, String)>,
    /// The letters of coordinates and velocities.
    pub letters: [char; 2],
    /// M, by rows.
    pub mass: Vec<Vec<String>>,
    /// h.
    pub force: Vec<String>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Functions of coordinates that stay zero, with what stands below them in the file.
    pub constraints: Vec<String>,
    /// Further tables of the file.
    pub tables: Vec<String>,
    /// The phases of these.
    pub phases: Vec<String>,
    /// Whether restitution is Poisson's; else it is Newton's.
    pub poisson: bool,
    /// The coordinates at the start, then the velocities, as formulas of the numbers.
    pub start: Vec<String>,
    /// The end time.
    pub until: f64,
}

/// A contact of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The gap, a formula.
    pub gap: String,
    /// The coefficient of restitution, a formula.
    pub restitution: String,
    /// Friction, if there is any.
    pub friction: Option<Friction>,
}

/// Friction of a contact, as formulas.
#[derive(Debug, Clone, PartialEq)]
pub struct Friction {
    /// The position along the surface.
    pub track: String,
    /// The speed of the surface.
    pub belt: String,
    /// The coefficient.
    pub mu: String,
}

impl Body {
    /// A body with M = diag(masses) and forces h, from rest at the origin until time 1.
    pub fn new(masses: &[&str], force: &[&str]) -> Body {
        let n = masses.len();
        let entry = |i: usize, j: usize| if i == j { masses[i].to_string() } else { "0".to_string() };
        Body {
            numbers: Vec::new(),
            rate: None,
            definitions: Vec::new(),
            letters: ['q', 'v'],
            mass: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
            force: force.iter().map(ToString::to_string).collect(),
            contacts: Vec::new(),
            constraints: Vec::new(),
            tables: Vec::new(),
            phases: Vec::new(),
            poisson: false,
            start: vec!["0".to_string(); 2 * n],
            until: 1.0,
        }
    }

    /// Adds a number; the name, for formulas.
    pub fn number(&mut self, name: impl Into<String>, value: f64) -> String {
        let name = name.into();
        self.numbers.push((name.clone(), value));
        name
    }

    /// The value of a number; 0 if there is none of this name.
    pub fn value(&self, name: &str) -> f64 {
        self.numbers.iter().find(|(known, _)| known == name).map_or(0.0, |(_, value)| *value)
    }

    /// How many coordinates it has.
    pub fn degrees(&self) -> usize {
        self.force.len()
    }

    /// The model file.
    pub fn text(&self) -> String {
        let mut text = String::from("format = 1\nname = \"member\"\n");
        let mut line = |arguments: std::fmt::Arguments| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{arguments}");
        };
        line(format_args!("# until {:?}", self.until));
        let law = if self.poisson { "poisson" } else { "newton" };
        line(format_args!("impacts = {{ together = \"lcp\", law = \"{law}\" }}"));
        if !self.numbers.is_empty() {
            line(format_args!("[parameters]"));
            self.numbers.iter().for_each(|(name, value)| line(format_args!("{name} = {value:?}")));
        }
        if let Some(rate) = &self.rate {
            line(format_args!("[phase.phi]\nrate = \"{rate}\"\nperiod = \"2*pi\""));
        }
        if !self.definitions.is_empty() {
            line(format_args!("[definitions]"));
            self.definitions.iter().for_each(|(name, formula)| line(format_args!("{name} = \"{formula}\"")));
        }
        let list = |formulas: &[String]| {
            let quoted: Vec<String> = formulas.iter().map(|formula| format!("\"{formula}\"")).collect();
            format!("[{}]", quoted.join(", "))
        };
        let names: Vec<Vec<String>> =
            self.letters.iter().map(|letter| (0..self.degrees()).map(|i| format!("{letter}{i}")).collect()).collect();
        let mass: Vec<String> = self.mass.iter().map(|row| list(row)).collect();
        line(format_args!("[mechanics]\ncoordinates = {}\nvelocities = {}", list(&names[0]), list(&names[1])));
        line(format_args!("M = [{}]\nh = {}", mass.join(", "), list(&self.force)));
        for (k, contact) in self.contacts.iter().enumerate() {
            line(format_args!("[contacts.c{k}]\ngap = \"{}\"", contact.gap));
            line(format_args!("restitution = \"{}\"", contact.restitution));
            if let Some(Friction { track, belt, mu }) = &contact.friction {
                line(format_args!("track = \"{track}\"\nbelt = \"{belt}\""));
                line(format_args!("friction = {{ law = \"coulomb\", mu = \"{mu}\" }}"));
            }
        }
        let constraints = self.constraints.iter().enumerate();
        constraints.for_each(|(k, keep)| line(format_args!("[constraints.k{k}]\nkeep = {keep}")));
        self.tables.iter().for_each(|table| line(format_args!("{table}")));
        line(format_args!("[start]"));
        names.iter().flatten().zip(&self.start).for_each(|(name, start)| line(format_args!("{name} = \"{start}\"")));
        if self.rate.is_some() {
            line(format_args!("phi = 0"));
        }
        self.phases.iter().for_each(|phase| line(format_args!("{phase} = 0")));
        text
    }
}
