//! The scope of names: what each name stands for, and in which formulas it is allowed.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use saltation_expr::parse::{UnknownName, is_name, is_reserved, nearest, side_name};
use saltation_expr::{Graph, Node};

use crate::mistake::Mistake;
use crate::shape::Written;

/// The kind of a declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    State,
    Coordinate,
    Velocity,
    Phase,
    Discrete,
    Time,
    Parameter,
    Definition,
    Multiplier,
}

impl Kind {
    /// With its article.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Kind::State => "a state",
            Kind::Coordinate => "a coordinate",
            Kind::Velocity => "a velocity",
            Kind::Phase => "the phase",
            Kind::Discrete => "a discrete state",
            Kind::Time => "the time",
            Kind::Parameter => "a parameter",
            Kind::Definition => "a definition",
            Kind::Multiplier => "a multiplier",
        }
    }
}

/// Which kinds of quantity a formula may depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// What the formula is, with its article.
    pub what: &'static str,
    pub may: &'static [Kind],
    pub definitions: bool,
    /// The rule as help.
    pub rule: &'static str,
    /// Whether `abs` is the root of a square, of the speed of slip.
    pub modulus: bool,
    /// Whether formulas with corners and jumps may stand there.
    pub switches: bool,
    /// Whether conditions hold or do not, and never half.
    pub exact: bool,
    /// So many derivatives of tables in it must be continuous, if any.
    pub smooth: Option<u32>,
}

const ALL: &[Kind] =
    &[Kind::State, Kind::Coordinate, Kind::Velocity, Kind::Phase, Kind::Time, Kind::Discrete, Kind::Parameter];
/// The same with multipliers.
const ALL_THAT_ACTS: &[Kind] = &[
    Kind::State,
    Kind::Coordinate,
    Kind::Velocity,
    Kind::Phase,
    Kind::Time,
    Kind::Discrete,
    Kind::Parameter,
    Kind::Multiplier,
];

/// Where multipliers may stand.
const OF_MULTIPLIERS: &str = "a multiplier may stand in rates, forces, definitions and the values of [complementarity]; where it comes to zero its element changes its mode, which needs no event";

impl Place {
    const fn of_parameters(what: &'static str, rule: &'static str) -> Place {
        Place {
            what,
            may: &[Kind::Parameter],
            definitions: true,
            rule,
            modulus: false,
            switches: false,
            exact: false,
            smooth: None,
        }
    }

    const fn of_everything(what: &'static str) -> Place {
        Place {
            what,
            may: ALL,
            definitions: true,
            rule: "",
            modulus: false,
            switches: false,
            exact: false,
            smooth: None,
        }
    }

    const fn switching(what: &'static str) -> Place {
        Place { switches: true, ..Place::of_everything(what) }
    }

    const fn acting(what: &'static str) -> Place {
        Place { may: ALL_THAT_ACTS, ..Place::switching(what) }
    }

    pub(crate) const CONSTANT: Place = Place {
        what: "a bound",
        may: &[],
        definitions: false,
        rule: "a bound is a number or a formula of numbers",
        modulus: false,
        switches: false,
        exact: false,
        smooth: None,
    };
    pub(crate) const PARAMETER: Place = Place {
        what: "a parameter",
        may: &[Kind::Parameter],
        definitions: false,
        rule: "a parameter is a number or a formula of other parameters",
        modulus: false,
        switches: false,
        exact: false,
        smooth: None,
    };
    pub(crate) const DEFINITION: Place = Place::acting("a definition");
    pub(crate) const RATE: Place = Place::acting("a rate of change");
    pub(crate) const FORCE: Place = Place::acting("a force");
    pub(crate) const LAGRANGIAN: Place = Place { smooth: Some(0), ..Place::switching("a Lagrangian") };
    pub(crate) const DISSIPATION: Place = Place::switching("a dissipation function");
    pub(crate) const JUMP: Place = Place::of_everything("a jump");
    pub(crate) const RESET: Place = Place { exact: true, ..Place::switching("the jump of an event") };
    pub(crate) const SWITCH: Place = Place { smooth: Some(0), ..Place::switching("a switch") };
    pub(crate) const EVENT: Place = Place { smooth: Some(0), ..Place::of_everything("the surface of an event") };
    pub(crate) const RESTITUTION: Place = Place { smooth: Some(0), ..Place::of_everything("a restitution") };
    pub(crate) const FRICTION: Place =
        Place { modulus: true, smooth: Some(0), ..Place::of_everything("a coefficient of friction") };
    pub(crate) const DRY: Place = Place::switching("the force of friction");
    pub(crate) const HELD: Place = Place::switching("the static limit of friction");
    pub(crate) const COMPLEMENT: Place = Place::acting("the value of a complementarity");
    pub(crate) const STICK: Place = Place { smooth: Some(0), ..Place::of_everything("a coefficient of friction") };
    pub(crate) const TRACK: Place = Place {
        what: "a track",
        may: &[Kind::Coordinate, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "a track is a position along the surface: it may contain coordinates, the phase and parameters",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(1),
    };
    pub(crate) const KEEP: Place = Place {
        what: "a constraint on positions",
        may: &[Kind::Coordinate, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "`keep` may contain coordinates, the phase, the time and parameters; a constraint on velocities is written with `rate`",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(1),
    };
    pub(crate) const KEPT_RATE: Place = Place {
        what: "a constraint on velocities",
        may: &[Kind::Coordinate, Kind::Velocity, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "`rate` may contain coordinates, velocities, the phase, the time and parameters",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(0),
    };
    pub(crate) const BELT: Place = Place {
        what: "the speed of a belt",
        may: &[Kind::Coordinate, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "the surface moves by itself: its speed may contain coordinates, the phase and parameters",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(0),
    };
    pub(crate) const SECTION: Place = Place { smooth: Some(0), ..Place::of_everything("a section") };
    pub(crate) const SKETCH: Place = Place::switching("a sketch");
    pub(crate) const PHASE: Place =
        Place::of_parameters("the rate or period of a phase", "the phase advances by itself: use parameters only");
    pub(crate) const ANGLE: Place = Place::of_parameters("the period of an angle", "use parameters only, e.g. 2*pi");
    pub(crate) const SHIFT: Place =
        Place::of_parameters("the shift of the phase", "use numbers and parameters only, e.g. \"pi\"");
    pub(crate) const START: Place = Place::of_parameters("a start value", "use numbers and parameters only");
    pub(crate) const DAMPING: Place =
        Place::of_parameters("a factor of the damping", "use numbers and parameters only");
    pub(crate) const WEIGHT: Place = Place::of_parameters("a weight of a gap", "use numbers and parameters only");
    pub(crate) const LOAD: Place = Place {
        what: "a load",
        may: &[Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "a load may contain the phase and parameters; what depends on displacements and velocities is in K, C and `damping`",
        modulus: false,
        switches: false,
        exact: false,
        smooth: None,
    };
    pub(crate) const GAP_CONSTANT: Place = Place {
        what: "the constant part of a gap",
        may: &[Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "use the phase and parameters; displacements have their weights in `normal`",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(1),
    };
    pub(crate) const MASS: Place = Place {
        what: "a mass",
        may: &[Kind::Coordinate, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "M may contain coordinates, the phase and parameters; move the rest to h",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(0),
    };
    pub(crate) const GAP: Place = Place {
        what: "a gap",
        may: &[Kind::State, Kind::Coordinate, Kind::Phase, Kind::Time, Kind::Parameter],
        definitions: true,
        rule: "a gap is a distance: it may contain coordinates, the phase and parameters",
        modulus: false,
        switches: false,
        exact: false,
        smooth: Some(1),
    };
}

/// The name of the time itself, where nothing else has it.
pub(crate) const TIME: &str = "t";

struct Declared {
    kind: Kind,
    node: Node,
    span: Range<usize>,
    /// Whether the name is a numbered one, such as u1.
    counted: bool,
}

/// All names of parameters, states, the phase and definitions.
#[derive(Default)]
pub(crate) struct Names {
    declared: HashMap<String, Declared>,
    /// In the order of their declaration, so that messages do not depend on a hash.
    order: Vec<String>,
    /// The kind of each symbol of the graph, by its node.
    kind_of: HashMap<Node, Kind>,
    /// The sides of the switches that have names.
    sides: HashMap<String, Node>,
    /// The names that some formula uses.
    used: RefCell<HashSet<String>>,
    /// Whether some formula has the time, which is not declared.
    asks_time: Cell<bool>,
}

impl Names {
    /// Declares a name that stands for `node`.
    pub(crate) fn declare(&mut self, name: &Written, kind: Kind, node: Node) -> Result<(), Mistake> {
        let text = &name.text;
        if is_reserved(text) {
            let message = format!("`{text}` is a word of the formula language and cannot be {}", kind.noun());
            return Err(Mistake::at(name.inside(), message).help("choose another name"));
        }
        if !is_name(text) {
            let message = format!("`{text}` cannot be a name");
            let help = match text.contains('(') {
                true => "a definition has no arguments: write its formula once for each, under names of its own",
                false => "a name consists of letters, digits and _, and begins with a letter",
            };
            return Err(Mistake::at(name.inside(), message).help(help));
        }
        if let Some(first) = self.declared.get(text) {
            let message = format!("`{text}` is declared twice: as {} and as {}", first.kind.noun(), kind.noun());
            let later = if first.span.start > name.span.start { first.span.clone() } else { name.inside() };
            return Err(match first.counted {
                true => Mistake::at(name.inside(), message).help(
                    "[matrices] calls its coordinates u1, u2, … and its velocities v1, v2, …: choose another name here",
                ),
                false => Mistake::at(later, message).help("choose another name for one of them"),
            });
        }
        self.declared.insert(text.clone(), Declared { kind, node, span: name.inside(), counted: name.is_implied() });
        self.order.push(text.clone());
        if kind != Kind::Definition {
            self.kind_of.insert(node, kind);
        }
        Ok(())
    }

    /// What the side of a switch stands for, once it is known.
    pub(crate) fn define_side(&mut self, switch: &str, node: Node) {
        self.sides.insert(side_name(switch), node);
    }

    /// What a definition stands for, once it is known.
    pub(crate) fn define(&mut self, name: &str, node: Node) {
        if let Some(declared) = self.declared.get_mut(name) {
            declared.node = node;
        }
    }

    pub(crate) fn kind(&self, name: &str) -> Option<Kind> {
        self.declared.get(name).map(|declared| declared.kind)
    }

    /// Whether a symbol of the graph is a parameter.
    pub(crate) fn is_parameter(&self, symbol: Node) -> bool {
        self.kind_of.get(&symbol) == Some(&Kind::Parameter)
    }

    /// Whether a symbol stays as it is along a motion, but for events.
    pub(crate) fn is_still(&self, symbol: Node) -> bool {
        matches!(self.kind_of.get(&symbol), Some(Kind::Parameter | Kind::Discrete))
    }

    /// The name of one of these kinds with the most similar spelling.
    pub(crate) fn nearest(&self, name: &str, kinds: &[Kind]) -> Option<&str> {
        nearest(name, self.of(kinds))
    }

    /// All names of these kinds.
    pub(crate) fn of(&self, kinds: &[Kind]) -> Vec<&str> {
        let names = self.order.iter().map(String::as_str);
        names.filter(|name| kinds.contains(&self.declared[*name].kind)).collect()
    }

    /// The meaning of a name in a formula that stands at `place`.
    pub(crate) fn resolve(&self, graph: &Graph, name: &str, place: &Place) -> Result<Node, UnknownName> {
        let fits = |kind: Kind| place.may.contains(&kind) || kind == Kind::Definition && place.definitions;
        if let Some(inner) = name.strip_prefix("side(") {
            return self.sides.get(name).copied().ok_or_else(|| UnknownName {
                message: format!("there is no switch `{}`", inner.trim_end_matches(')')),
                help: Some("name it by a table [switches.NAME] with `when`".to_string()),
            });
        }
        let Some(declared) = self.declared.get(name) else {
            if name == TIME && !fits(Kind::Time) {
                let message = format!("{} cannot depend on `{name}`, which is the time", place.what);
                return Err(UnknownName { message, help: Some(place.rule.to_string()) });
            }
            self.asks_time.set(self.asks_time.get() || name == TIME);
            let candidates = self.order.iter().filter(|known| fits(self.declared[*known].kind));
            let unknown = UnknownName::among(name, candidates.map(String::as_str).chain(["pi"]));
            let declare = || "declare it, e.g. in [parameters]".to_string();
            return Err(UnknownName { help: unknown.help.or_else(|| Some(declare())), ..unknown });
        };
        let refuse = |kind: Kind, message: String| {
            let help = if kind == Kind::Multiplier { OF_MULTIPLIERS } else { place.rule };
            Err(UnknownName { message, help: Some(help.to_string()) })
        };
        if !fits(declared.kind) {
            return refuse(
                declared.kind,
                format!("{} cannot depend on `{name}`, which is {}", place.what, declared.kind.noun()),
            );
        }
        if declared.kind == Kind::Definition {
            for symbol in graph.symbols_of(declared.node) {
                if let Some(kind) = self.kind_of.get(&symbol).filter(|kind| !place.may.contains(kind)) {
                    let inner = graph.print(symbol);
                    let what = place.what;
                    return refuse(
                        *kind,
                        format!(
                            "{what} cannot depend on `{name}`, because that contains `{inner}`, which is {}",
                            kind.noun()
                        ),
                    );
                }
            }
        }
        self.used.borrow_mut().insert(name.to_string());
        Ok(declared.node)
    }

    /// Whether some formula has the time, which is not declared.
    pub(crate) fn asks_time(&self) -> bool {
        self.asks_time.get()
    }

    /// The parameters and definitions that no formula has used so far.
    pub(crate) fn unused(&self) -> Vec<String> {
        let used = self.used.borrow();
        let may_be_idle = |name: &&String| matches!(self.declared[*name].kind, Kind::Parameter | Kind::Definition);
        self.order.iter().filter(may_be_idle).filter(|name| !used.contains(*name)).cloned().collect()
    }
}

/// An order in which everything stands after what it refers to; otherwise some indices that form a cycle.
pub(crate) fn order(references: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let n = references.len();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut waiting: Vec<usize> = vec![0; n];
    for (user, used) in references.iter().enumerate() {
        waiting[user] = used.len();
        used.iter().for_each(|&u| users[u].push(user));
    }
    let mut sorted: Vec<usize> = (0..n).filter(|&i| waiting[i] == 0).collect();
    let mut next = 0;
    while next < sorted.len() {
        for &user in &users[sorted[next]] {
            waiting[user] -= 1;
            if waiting[user] == 0 {
                sorted.push(user);
            }
        }
        next += 1;
    }
    let Some(stuck) = (0..n).find(|&i| waiting[i] > 0) else {
        return Ok(sorted);
    };
    // Every remaining index refers to a remaining one, so that following these closes a cycle.
    let mut path = vec![stuck];
    loop {
        let last = path[path.len() - 1];
        let Some(&following) = references[last].iter().find(|&&i| waiting[i] > 0) else {
            return Err(path);
        };
        if let Some(first) = path.iter().position(|&i| i == following) {
            return Err(path.split_off(first));
        }
        path.push(following);
    }
}
