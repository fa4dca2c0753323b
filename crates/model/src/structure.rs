//! Extracts the linear structure of a model: M, C, K about its equilibrium, and the gap of one contact.
//!
//! M u'' + K u = f with an obstacle g(u) = w'u + c >= 0. About the equilibrium, K u0 = f, the displacements x = u - u0 satisfy
//! M x'' + K x = 0, and the gap is w'x + g(u0). Nonsmooth modes are defined for such structures (Thorin, Delezoide & Legrand, SIAM J. Appl. Dyn.
//! Syst. 16, 2017, Sect. 2): motions without damping and forcing, with elastic impacts.

use saltation_expr::{Graph, Node, Operation};
use saltation_numerics::dense::Elimination;
use saltation_numerics::matrix_market::Coordinates;
use saltation_numerics::skyline::Skyline;

use crate::constraint_meaning;
use crate::contact::Contact;
use crate::mechanics::Mechanics;
use crate::mistake::{Mistake, Mistakes};
use crate::model::{Model, StateKind};
use crate::point::{Point, short};
use crate::values::Values;

/// The tolerance of symmetry, relative to the entries: rounding errors of formulas.
const SYMMETRY_TOLERANCE: f64 = 1e-12;

/// M u'' + K u = 0 about the equilibrium, and the gap w'u + g0 of one contact.
///
/// ```
/// use saltation_model::{Model, Structure};
///
/// let model = Model::parse(r#"
///     format = 1
///     name = "two"
///     [matrices]
///     M = { diagonal = [1, 2] }
///     K = [[2, -1], [-1, 1]]
///     [contacts.wall]
///     gap = { constant = 0.5, normal = { 2 = -1 } }
///     restitution = 1
/// "#, "two.toml")?;
/// let structure = Structure::of(&model, &model.numbers()?, None)?;
/// assert_eq!((structure.normal, structure.gap), (vec![0.0, -1.0], 0.5));
/// assert!(structure.left_out.is_empty());
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    /// M, exactly symmetric and positive definite.
    pub mass: Coordinates,
    /// K, exactly symmetric.
    pub stiffness: Coordinates,
    /// w, the weight of every displacement in the gap.
    pub normal: Vec<f64>,
    /// g0, the gap at equilibrium; negative where the structure is pressed against its obstacle.
    pub gap: f64,
    /// The coordinates at equilibrium.
    pub rest: Vec<f64>,
    /// The position of the contact in the model.
    pub contact: usize,
    /// The parts of the model that are ignored, one sentence each.
    pub left_out: Vec<String>,
}

/// M u'' + D u' + K u = f.
struct Equations {
    mass: Coordinates,
    damping: Coordinates,
    stiffness: Coordinates,
    load: Vec<f64>,
    /// Whether something depends on the phase.
    forced: bool,
}

impl Structure {
    /// The linear structure of a model at these numbers, of which only the parameters are used: those of [`Model::numbers`] suffice, and the
    /// start may penetrate the obstacle. `contact` may be omitted if there is only one.
    ///
    /// # Errors
    /// A model that is not a linear structure: a flow, forces or gaps that are not linear, velocities that are coupled by other terms than
    /// damping, K or M not symmetric, no equilibrium; and contacts that are missing, unknown or not chosen.
    pub fn of(model: &Model, values: &Values, contact: Option<&str>) -> Result<Structure, Mistakes> {
        of(model, values, contact).map_err(|mistake| model.mistakes(vec![mistake]))
    }
}

fn of(model: &Model, values: &Values, contact: Option<&str>) -> Result<Structure, Mistake> {
    let Some(mechanics) = model.body.mechanics() else {
        let help = "write the system as [matrices], [mechanics] or [lagrangian], whose masses are known";
        return Err(Mistake::general("a [flow] has no masses, so it is no structure that has modes").help(help));
    };
    if let Some(constraint) = model.constraints.first() {
        let message = format!("the constraint `{}` is no part of a structure that has modes", constraint.name);
        let help = "write the structure with fewer coordinates, which need no constraints";
        return Err(model.mistake_at(&constraint_meaning::place(constraint), message).help(help));
    }
    let contact = chosen(model, contact)?;
    let at_zero = at_zero(model, values);
    let equations = match model.body.matrices() {
        Some(_) => of_matrices(model, &at_zero)?,
        None => of_formulas(model, mechanics, &at_zero)?,
    };
    symmetric(model, &equations.mass, "M", "matrices.M")?;
    symmetric(model, &equations.stiffness, "K", "matrices.K")?;
    if equations.damping.is_symmetric(SYMMETRY_TOLERANCE).is_some() {
        let message = "the forces depend on the velocities by a matrix that is not symmetric, as gyroscopic forces do";
        let help = "such structures have no modes of this kind: leave these terms out of the model";
        let mistake = match model.places.contains_key("matrices.C") {
            true => model.mistake_at("matrices.C", message),
            false => place_of_forces(model, message),
        };
        return Err(mistake.help(help));
    }
    if model.body.matrices().is_none()
        && let Err(wrong) = Skyline::factor(&equations.mass)
    {
        let message =
            format!("M is not positive definite: pivot {} of its elimination is {}", wrong.row + 1, short(wrong.pivot));
        let place = format!("mechanics.M.{0}.{0}", wrong.row);
        let mistake = match model.places.contains_key(&place) {
            true => model.mistake_at(&place, message),
            false => place_of_forces(model, &message),
        };
        return Err(mistake.help("the kinetic energy v' M v/2 must be positive for every velocity"));
    }
    let (normal, constant) = gap(model, mechanics, contact, &at_zero)?;
    let rest = rest(model, &equations)?;
    let gap = normal.iter().zip(&rest).fold(constant, |sum, (w, u)| sum + w * u);
    let left_out = left_out(model, &equations, contact, &at_zero);
    let (mass, stiffness) = (equations.mass.symmetrised(), equations.stiffness.symmetrised());
    Ok(Structure { mass, stiffness, normal, gap, rest, contact, left_out })
}

/// The selected contact.
fn chosen(model: &Model, contact: Option<&str>) -> Result<usize, Mistake> {
    let names: Vec<&str> = model.contacts.iter().map(|contact| contact.name.as_str()).collect();
    let listed = || format!("its contacts are {}", names.join(", "));
    match (contact, names.len()) {
        (_, 0) => {
            let mistake = Mistake::general("the model has no contacts, so its modes are those of its matrices alone");
            Err(mistake.help("add a table such as [contacts.wall] with `gap` and `restitution`"))
        }
        (None, 1) => Ok(0),
        (None, _) => {
            let message = format!("the model has {} contacts, and modes are those of one", names.len());
            Err(Mistake::general(message).help(format!("choose one: {}", listed())))
        }
        (Some(name), _) => model.contact(name).ok_or_else(|| {
            let near = saltation_expr::parse::nearest(name, names.iter().copied());
            let help = near.map_or_else(listed, |near| format!("did you mean `{near}`?"));
            Mistake::general(format!("the model has no contact `{name}`")).help(help)
        }),
    }
}

/// All states zero, and the parameters.
fn at_zero(model: &Model, values: &Values) -> Point {
    Point::start(values.with_start(&vec![0.0; model.states.len()]).numbers())
}

fn place_of_forces(model: &Model, message: &str) -> Mistake {
    let places = ["lagrangian.L", "mechanics.h.0", "matrices.K"];
    let place = places.into_iter().find(|place| model.places.contains_key(*place)).unwrap_or_default();
    model.mistake_at(place, message)
}

fn symmetric(model: &Model, matrix: &Coordinates, name: &str, place: &str) -> Result<(), Mistake> {
    let Some((i, j)) = matrix.is_symmetric(SYMMETRY_TOLERANCE) else {
        return Ok(());
    };
    let message = format!(
        "{name} is not symmetric: row {}, column {} is {}, but row {}, column {} is {}",
        i + 1,
        j + 1,
        short(matrix.entry(i, j)),
        j + 1,
        i + 1,
        short(matrix.entry(j, i))
    );
    let mistake = match model.places.contains_key(place) {
        true => model.mistake_at(place, message),
        false => place_of_forces(model, &message),
    };
    Err(mistake.help("modes are those of a structure whose forces have a potential: the same entry in both places"))
}

/// A formula that has no value.
fn finite(model: &Model, place: &str, what: &str, value: f64) -> Result<f64, Mistake> {
    match value.is_finite() {
        true => Ok(value),
        false => {
            let help = "the divisor is zero, or something is too large: change a parameter or the formula";
            Err(model.mistake_at(place, format!("{what} has no finite value at these parameters")).help(help))
        }
    }
}

fn of_matrices(model: &Model, at_zero: &Point) -> Result<Equations, Mistake> {
    // Checked by the caller.
    let Some(matrices) = model.body.matrices() else {
        return Err(Mistake::general("the model is not given by matrices").help("write it as [matrices]"));
    };
    let mut graph = model.graph.clone();
    let phases = phase_symbols(model);
    let n = matrices.degrees();
    let mut load = vec![0.0; n];
    let mut forced = false;
    for &(i, node) in &matrices.load {
        let steady = without(&mut graph, node, &phases);
        forced |= steady != node;
        load[i] = finite(model, &format!("matrices.load.{i}"), "the load", at_zero.value(&graph, steady))?;
    }
    let (mass, stiffness) = matrices.proportional;
    let mass = finite(model, "matrices.damping.mass", "the damping", at_zero.value(&graph, mass))?;
    let stiffness = finite(model, "matrices.damping.stiffness", "the damping", at_zero.value(&graph, stiffness))?;
    let of = |matrix: &Coordinates, factor: f64| -> Vec<_> {
        matrix.entries.iter().map(|&(i, j, a)| (i, j, factor * a)).filter(|entry| entry.2 != 0.0).collect()
    };
    let mut damping = matrices.damping.as_ref().map_or(Vec::new(), |damping| damping.entries.clone());
    damping.extend(of(&matrices.mass, mass));
    damping.extend(of(&matrices.stiffness, stiffness));
    Ok(Equations {
        mass: matrices.mass.clone(),
        damping: Coordinates::new(n, n, damping),
        stiffness: matrices.stiffness.clone(),
        load,
        forced,
    })
}

fn phase_symbols(model: &Model) -> Vec<Node> {
    model.phases().map(|phase| model.states[phase.state].symbol).collect()
}

/// A formula without the terms that contain a phase; factors and divisors that do not contain one are carried over.
fn without(graph: &mut Graph, node: Node, phases: &[Node]) -> Node {
    let phase_in = |graph: &Graph, node: Node| phases.iter().any(|&phase| graph.depends_on(node, phase));
    if !phase_in(graph, node) {
        return node;
    }
    match graph.operation(node) {
        Operation::Add(a, b) => {
            let (a, b) = (without(graph, a, phases), without(graph, b, phases));
            graph.add(a, b)
        }
        Operation::Subtract(a, b) => {
            let (a, b) = (without(graph, a, phases), without(graph, b, phases));
            graph.subtract(a, b)
        }
        Operation::Negate(a) => {
            let a = without(graph, a, phases);
            graph.negate(a)
        }
        Operation::Multiply(a, b) if !phase_in(graph, b) => {
            let a = without(graph, a, phases);
            graph.multiply(a, b)
        }
        Operation::Multiply(a, b) if !phase_in(graph, a) => {
            let b = without(graph, b, phases);
            graph.multiply(a, b)
        }
        Operation::Divide(a, b) if !phase_in(graph, b) => {
            let a = without(graph, a, phases);
            graph.divide(a, b)
        }
        _ => graph.constant(0.0),
    }
}

/// Why a model with these forces is not linear.
fn not_linear(model: &Model, mechanics: &Mechanics) -> Mistake {
    let mut graph = model.graph.clone();
    let symbols = model.state_symbols();
    let moving = symbols.len() - usize::from(model.phase.is_some());
    let (x, phase) = symbols.split_at(moving);
    if let [_, second, ..] = &model.phases().collect::<Vec<_>>()[..] {
        let name = &model.states[second.state].name;
        let message = format!("modes are those of a structure with one phase at most, but `{name}` is the second");
        return model
            .mistake_at(&format!("phase.{name}.rate"), message)
            .help("remove the forcing by all but one of them");
    }
    let help = "only a linear structure has such modes: write its linear form about the equilibrium";
    let derived = mechanics.lagrangian.map(|_| "lagrangian.L".to_string());
    let named = |row: usize| &model.states[mechanics.velocities[row]].name;
    for (i, row) in mechanics.mass.iter().enumerate() {
        for (j, &m) in row.iter().enumerate() {
            if symbols.iter().any(|&symbol| graph.depends_on(m, symbol)) {
                let message = format!(
                    "the model is not linear: M[{}, {}] = {} is not constant",
                    named(i),
                    named(j),
                    cut(&graph, m)
                );
                let place = derived.clone().unwrap_or(format!("mechanics.M.{i}.{j}"));
                return model.mistake_at(&place, message).help(help);
            }
        }
    }
    for (i, &h) in mechanics.force.iter().enumerate() {
        if !graph.is_affine(h, x, phase) {
            let message = format!("the model is not linear: h[{}] = {}", named(i), cut(&graph, h));
            let place = derived.clone().unwrap_or(format!("mechanics.h.{i}"));
            return model.mistake_at(&place, message).help(help);
        }
    }
    Mistake::general("the model is not linear").help(help)
}

/// A formula as messages show it.
fn cut(graph: &Graph, node: Node) -> String {
    let text = graph.print(node);
    if text.chars().count() > 80 { text.chars().take(80).collect::<String>() + "…" } else { text }
}

fn of_formulas(model: &Model, mechanics: &Mechanics, at_zero: &Point) -> Result<Equations, Mistake> {
    if !model.linear {
        return Err(not_linear(model, mechanics));
    }
    let mut graph = model.graph.clone();
    let n = mechanics.coordinates.len();
    let symbols = |states: &[usize]| -> Vec<Node> { states.iter().map(|&i| model.states[i].symbol).collect() };
    let (q, v) = (symbols(&mechanics.coordinates), symbols(&mechanics.velocities));
    let place = |row: usize| match mechanics.lagrangian {
        Some(_) => "lagrangian.L".to_string(),
        None => format!("mechanics.h.{row}"),
    };
    let phases = phase_symbols(model);
    let mut forced = false;
    let mut load = Vec::with_capacity(n);
    let mut slopes = [Vec::new(), Vec::new()];
    for (i, &h) in mechanics.force.iter().enumerate() {
        let steady = without(&mut graph, h, &phases);
        forced |= steady != h;
        load.push(finite(model, &place(i), "the force", at_zero.value(&graph, steady))?);
        for (entries, x) in slopes.iter_mut().zip([&q, &v]) {
            // The sign of -h: K and D stand on the left.
            let row = graph.gradient(h, x);
            for (j, slope) in at_zero.values(&graph, &row).into_iter().enumerate() {
                entries.push((i, j, -finite(model, &place(i), "a coefficient of the force", slope)?));
            }
        }
    }
    let mut mass = Vec::with_capacity(n * n);
    for (i, row) in mechanics.mass.iter().enumerate() {
        for (j, m) in at_zero.values(&graph, row).into_iter().enumerate() {
            mass.push((i, j, finite(model, &format!("mechanics.M.{i}.{j}"), "a mass", m)?));
        }
    }
    let [stiffness, damping] = slopes.map(|entries| Coordinates::new(n, n, entries));
    Ok(Equations { mass: Coordinates::new(n, n, mass), damping, stiffness, load, forced })
}

/// K u = f.
fn rest(model: &Model, equations: &Equations) -> Result<Vec<f64>, Mistake> {
    let mut u = equations.load.clone();
    if u.iter().all(|f| *f == 0.0) {
        return Ok(u);
    }
    if let Ok(factors) = Skyline::factor(&equations.stiffness) {
        factors.solve(&mut u);
        if u.iter().all(|u| u.is_finite()) {
            return Ok(u);
        }
    }
    // An equilibrium may exist without a minimum of the energy.
    let mut elimination = Elimination::default();
    let mut u = equations.load.clone();
    let solved = elimination.factor(&equations.stiffness.dense()).and_then(|()| elimination.solve_in_place(&mut u));
    solved.map(|()| u).map_err(|_| {
        let message = "the structure has no equilibrium: its stiffness does not balance the constant load";
        place_of_forces(model, message).help("hold the structure by a spring, or take the constant load away")
    })
}

/// The weights of the displacements in the gap, and the gap where they are zero.
fn gap(model: &Model, mechanics: &Mechanics, contact: usize, at_zero: &Point) -> Result<(Vec<f64>, f64), Mistake> {
    let Contact { name, gap, .. } = &model.contacts[contact];
    let place = format!("contacts.{name}.gap");
    let mut graph = model.graph.clone();
    if phase_symbols(model).into_iter().any(|phase| graph.depends_on(*gap, phase)) {
        let message = format!("the gap of contact `{name}` depends on the phase: its obstacle moves");
        return Err(model.mistake_at(&place, message).help("modes are those of a fixed obstacle"));
    }
    let n = mechanics.coordinates.len();
    let mut normal = vec![0.0; n];
    let constant;
    if let Some(entry) = model.body.matrices().and_then(|matrices| matrices.contacts[contact].as_ref()) {
        for &(i, weight) in &entry.normal {
            normal[i] = finite(model, &place, "a weight of the gap", at_zero.value(&graph, weight))?;
        }
        constant = at_zero.value(&graph, entry.constant);
    } else {
        let inside = graph.symbols_of(*gap);
        let states = mechanics.coordinates.iter().enumerate();
        let inside: Vec<(usize, Node)> = states
            .map(|(i, &state)| (i, model.states[state].symbol))
            .filter(|(_, symbol)| inside.contains(symbol))
            .collect();
        let symbols: Vec<Node> = inside.iter().map(|(_, symbol)| *symbol).collect();
        if !graph.is_affine(*gap, &symbols, &[]) {
            let message = format!("the gap of contact `{name}` is not linear: {}", cut(&graph, *gap));
            let help = "write the gap as a constant and a weighted sum of coordinates, e.g. 1 - x";
            return Err(model.mistake_at(&place, message).help(help));
        }
        let slopes = graph.gradient(*gap, &symbols);
        for ((i, _), slope) in inside.iter().zip(at_zero.values(&graph, &slopes)) {
            normal[*i] = finite(model, &place, "a coefficient of the gap", slope)?;
        }
        constant = at_zero.value(&graph, *gap);
    }
    let constant = finite(model, &place, "the gap", constant)?;
    if normal.iter().all(|w| *w == 0.0) {
        let message = format!("nothing can close the gap of contact `{name}`: all its weights are zero");
        return Err(model.mistake_at(&place, message).help("give the weight of a displacement that closes it"));
    }
    Ok((normal, constant))
}

/// The parts of the model that modes ignore.
fn left_out(model: &Model, equations: &Equations, contact: usize, at_zero: &Point) -> Vec<String> {
    let mut left_out = Vec::new();
    if !equations.damping.entries.is_empty() {
        left_out.push("damping is left out: modes are motions without it".to_string());
    }
    if equations.forced {
        left_out.push("forces that depend on the phase are left out: modes are motions without forcing".to_string());
    }
    let Contact { name, restitution, .. } = &model.contacts[contact];
    let states: Vec<Node> = model
        .states
        .iter()
        .filter(|s| !matches!(s.kind, StateKind::Phase | StateKind::Time))
        .map(|s| s.symbol)
        .collect();
    let phases = phase_symbols(model);
    let varies = model.graph.symbols_of(*restitution).iter().any(|s| states.contains(s) || phases.contains(s));
    let r = at_zero.value(&model.graph, *restitution);
    if varies {
        left_out.push(format!(
            "the restitution of contact `{name}`, which varies, is left out: impacts of modes are elastic"
        ));
    } else if r != 1.0 {
        left_out.push(format!(
            "the restitution {} of contact `{name}` is left out: impacts of modes are elastic",
            short(r)
        ));
    }
    if model.has_friction(name) {
        left_out.push(format!("the friction of contact `{name}` is left out: impacts of modes are elastic"));
    }
    let others: Vec<String> = model.contacts.iter().map(|c| format!("`{}`", c.name)).collect();
    let others: Vec<&str> = others.iter().enumerate().filter(|(i, _)| *i != contact).map(|(_, n)| n.as_str()).collect();
    match others.as_slice() {
        [] => {}
        [one] => left_out.push(format!("contact {one} is left out: modes are those of one contact")),
        _ => left_out.push(format!("contacts {} are left out: modes are those of one contact", others.join(", "))),
    }
    left_out
}
