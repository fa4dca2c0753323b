//! Assembles the model from its resolved formulas: M, h, v, a and W are derived as nodes.

use std::collections::HashMap;

use saltation_expr::{Graph, Node};

use crate::complementarity_meaning as complementary;
use crate::constraint_meaning;
use crate::contact::{self, Contact, Field, Friction, Rubbing};
use crate::dry_meaning;
use crate::entries::{BodyEntry, ContactEntry, File, LawEntry};
use crate::matrices::{GapEntry, Matrices};
use crate::matrix_files::Numbers;
use crate::meaning::Meaning;
use crate::mechanics::{self, Mechanics};
use crate::mistake::Mistake;
use crate::model::Compiled;
use crate::model::{Body, Model, Parameter, Phase, State, StateKind};
use crate::names::TIME;
use crate::parts::{Gap, Law, Motion, When};
use crate::section::{Direction, Section, SectionKind, period};
use crate::shape::Written;
use crate::switch::{self, Found, MOST_SWITCHES, Reset, Surface};
use crate::table_files::{Tables, Tabulated};
use crate::{lagrangian, linear};

/// The greatest number of states; that of a structure is bounded by itself.
const MOST_STATES: usize = 600;
/// The greatest number of contacts of a model. Event-driven simulation is limited to fewer.
pub const MOST_CONTACTS: usize = 2000;
/// The greatest number of names in all.
const MOST_NAMES: usize = 4000;
/// Beyond this number of nodes a graph does not keep its derivatives from one contact to the next, which have few in common.
const LARGE: usize = 1 << 16;

/// The model of a file with the numbers of its matrices, or the mistakes of the first layer that has any.
pub(crate) fn model(
    file: &File,
    resolved: (Option<Numbers>, Tables),
    text: &str,
    file_name: &str,
) -> Result<Model, Vec<Mistake>> {
    with_time(file, resolved, text, file_name, None)
}

/// The same with the time among the states, under this name, or without it.
fn with_time(
    file: &File,
    (mut numbers, tables): (Option<Numbers>, Tables),
    text: &str,
    file_name: &str,
    time: Option<&Written>,
) -> Result<Model, Vec<Mistake>> {
    let states = states(file, time);
    bounded(file, states.len())?;
    let mut meaning = Meaning::new(file);
    let symbols = meaning.declare(&states);
    meaning.tables(&tables.list);
    let parameters = meaning.parameters();
    let definitions = meaning.definitions();
    // Rates and periods of the phases: the first, then the others.
    let phase = file.phases.first().map(|entry| meaning.phase(entry, "phase"));
    let tones: Vec<(Node, Node)> =
        file.phases.iter().skip(1).map(|entry| meaning.phase(entry, &format!("phase.{}", entry.name.text))).collect();
    let mut motion = meaning.motion();
    let dragging = meaning.dragging();
    let keeps = meaning.keeps();
    let complements = meaning.complements();
    let resets = meaning.resets(&states, &symbols);
    let moving = states.len() - usize::from(phase.is_some());
    let toneless = moving - tones.len();
    let timeless = toneless - usize::from(time.is_some());
    let discrete = meaning.discrete(timeless - file.discrete.len());
    let laws: Vec<(Gap, Law)> = file.contacts.iter().map(|entry| meaning.law(entry, &states, &symbols)).collect();
    let rubbing: Vec<Option<Rubbing>> = file.contacts.iter().map(|entry| meaning.friction(entry)).collect();
    let whens = meaning.whens();
    let angles = meaning.angles(&states);
    let symmetry = meaning.symmetry(&states);
    let starts = meaning.starts(&states);
    let (state_units, contact_units, time_unit) = meaning.units(&states);
    let (parameters, parameter_order) = parameters;
    let parameter_symbols: Vec<Node> = parameters.iter().map(|parameter| parameter.symbol).collect();
    let sketch = meaning.sketch(&symbols, &parameter_symbols);
    if time.is_none() && meaning.names.asks_time() {
        let time = Written::at(0..0).instead(TIME);
        return with_time(file, (numbers, tables), text, file_name, Some(&time));
    }
    if !meaning.mistakes.is_empty() {
        return Err(meaning.mistakes);
    }

    // From here on all names are valid, and formulas are derived.
    let graph = &mut meaning.graph;
    let bodily = timeless - file.discrete.len();
    if let (Some(entry), true) = (file.discrete.first(), matches!(file.body, BodyEntry::Matrices(_))) {
        let message =
            format!("a structure of [matrices] has no discrete states, but the file has `{}`", entry.name.text);
        return Err(vec![Mistake::at(entry.name.inside(), message).help("write the body as [mechanics] or [flow]")]);
    }
    // What advances by itself, with its rate.
    let mut carried: Vec<(Node, Node)> = time.iter().map(|_| (symbols[timeless], graph.constant(1.0))).collect();
    carried.extend(symbols[toneless..moving].iter().zip(&tones).map(|(&symbol, &(rate, _))| (symbol, rate)));
    carried.extend(phase.map(|(rate, _)| (symbols[moving], rate)));
    let mut files = numbers.as_mut().map_or(Vec::new(), |numbers| std::mem::take(&mut numbers.files));
    let measured = tables.list.iter().map(Tabulated::measured).collect();
    files.extend(tables.files);
    let (laws, weights) = formulas(graph, laws, &symbols[..bodily / 2]);
    let dry =
        dry_meaning::add(graph, (&file.frictions, dragging), &mut motion, &symbols[..bodily], (&symbols, &carried))?;
    let (mut body, mut rates) =
        body(graph, motion, numbers.map(|numbers| (numbers, weights)), &symbols[..bodily], &carried);
    let mut constraints = Vec::new();
    if let Body::Mechanics(body) = &mut body {
        let written = file_numbers(graph, &starts, &parameters, &parameter_order);
        let (keeps, x) = ((&file.constraints[..], keeps), (&symbols[..bodily], &carried[..]));
        let mut accelerations = rates.split_off(bodily / 2);
        let first_side = file.contacts.iter().take_while(|entry| !matches!(entry.law, LawEntry::Side { .. })).count();
        constraints =
            constraint_meaning::constrain(graph, keeps, (body, &mut accelerations), x, (&written, first_side))?;
        rates.extend(accelerations);
    }
    let still = graph.constant(0.0);
    rates.extend(discrete.iter().map(|_| still));
    rates.extend(carried.iter().map(|(_, rate)| *rate));
    let rate_names: Vec<String> = states.iter().map(|(name, _)| name.text.clone()).collect();
    let entries = &file.complementarities;
    let mut complementarities =
        complementary::take_out(graph, entries, &complements, (&mut rates, &mut body, &rate_names))?;
    // The forces of constraints have the switches of their own.
    rates.extend(body.constrained().map_or(Vec::new(), |constrained| constrained.forces.clone()));
    let mut continuous = symbols.clone();
    continuous.drain(bodily..timeless);
    let mut surfaces = std::mem::take(&mut meaning.switches);
    let (mut frictions, slips) = dry;
    let first = surfaces.len();
    surfaces.extend(slips);
    // What multipliers do may have sides in it, which are felt as those in rates.
    let count = rates.len();
    complementarities.iter().for_each(|element| rates.extend(element.formulas()));
    let (found, resets) = switches(graph, surfaces, resets, &mut body, (&mut rates, &continuous));
    let mut parts = rates.split_off(count).into_iter();
    complementarities.iter_mut().for_each(|element| element.put(&mut parts));
    let forces = rates.split_off(states.len());
    if let Body::Mechanics(Mechanics { constrained: Some(constrained), .. }) = &mut body {
        constrained.forces = forces;
    }
    let mut switches = found.switches;
    complementary::add_switches(graph, &mut complementarities, &mut switches);
    for (dry, place) in frictions.iter_mut().zip(&found.surfaces[first..]) {
        let Some((switch, _)) = *place else { continue };
        dry.switch = switch;
        let mut in_place = |node| graph.substitute(node, &found.replaced);
        dry.acts = in_place(dry.acts);
        switches[switch].held = dry.held.map(|held| (in_place(held), dry.acts));
        let varies = graph.symbols_of(dry.force).iter().any(|symbol| symbols.contains(symbol));
        if let (Body::Mechanics(body), true) = (&body, varies) {
            let response = dry_meaning::response(graph, body, &symbols, dry.track);
            dry.response = response.into_iter().map(|part| graph.substitute(part, &found.replaced)).collect();
        }
    }
    let graph = &mut meaning.graph;
    if switches.len() > MOST_SWITCHES {
        let message = format!("the model has {} switches and may have {MOST_SWITCHES} at most", switches.len());
        let help = "every sign, abs, max, min, step and comparison of another function is one; split the model";
        return Err(vec![Mistake::general(message).help(help)]);
    }
    let field = Field { states: &symbols, rates: &rates, without_phase: timeless };
    let mut mistakes = complementary::of_high_degree(graph, (entries, &complementarities), (&symbols, &rates));
    let mut contacts = Vec::new();
    for (((entry, (gap, law)), rubbing), unit) in file.contacts.iter().zip(laws).zip(rubbing).zip(contact_units) {
        if graph.len() > LARGE {
            graph.forget_derivatives();
        }
        let friction = rubbing.map(|rubbing| friction(graph, &field, &body, entry, rubbing)).transpose();
        match (contact(graph, &field, &body, entry, gap, law), friction) {
            (Ok(contact), Ok(friction)) => {
                contacts.push(Contact { unit, friction: friction.flatten(), ..contact });
            }
            (Err(mistake), _) | (_, Err(mistake)) => mistakes.push(mistake),
        }
    }
    let mut circles: Vec<(Node, Node)> = symbols.iter().zip(&angles).filter_map(|(&s, a)| Some((s, (*a)?))).collect();
    circles.extend(symbols[toneless..].iter().zip(tones.iter().chain(&phase)).map(|(&s, &(_, period))| (s, period)));
    let mut sections = Vec::new();
    for (entry, when) in file.sections.iter().zip(whens) {
        let kind = match when {
            When::Contact(index) => SectionKind::Contact(index),
            When::Formula(value) => match period(graph, value, &symbols, &circles) {
                Ok(period) => SectionKind::Formula { value, period },
                Err((a, b)) => {
                    let message = format!(
                        "the section `{}` goes round with two different periods, {} and {}",
                        entry.name.text,
                        graph.print(a),
                        graph.print(b)
                    );
                    mistakes.push(Mistake::at(entry.when.inside(), message).help("use angles of one period"));
                    continue;
                }
            },
        };
        let direction = entry.direction.as_ref().map_or(Direction::Any, |(direction, _)| *direction);
        sections.push(Section { name: entry.name.text.clone(), kind, direction, of_phase: None });
    }
    for (k, &(_, period)) in tones.iter().enumerate() {
        let (state, name) = (toneless + k, &states[toneless + k].0.text);
        if sections.iter().all(|section| section.name != *name) {
            let value = graph.subtract(symbols[state], starts[state]);
            let kind = SectionKind::Formula { value, period: Some(period) };
            sections.push(Section { name: name.clone(), kind, direction: Direction::Any, of_phase: Some(state) });
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    // A structure is linear by its form, but for loads that go with several phases.
    let single = |load: &Node| !symbols[toneless..moving].iter().any(|&tone| graph.depends_on(*load, tone));
    let linear = match body.matrices() {
        Some(matrices) => matrices.load.iter().all(|(_, load)| single(load)),
        None => linear::on_every_side(graph, (&body, &rates), &switches, &symbols, moving),
    };
    let linear = linear && complementary::are_linear(graph, &complementarities, &symbols, moving);
    let states = states
        .iter()
        .enumerate()
        .map(|(i, (name, kind))| State {
            name: name.text.clone(),
            symbol: symbols[i],
            kind: *kind,
            rate: rates[i],
            angle_period: angles[i].or_else(|| {
                let circle = i.checked_sub(toneless).and_then(|k| tones.iter().chain(&phase).nth(k));
                circle.map(|(_, period)| *period)
            }),
            unit: state_units[i].clone(),
            start: starts[i],
        })
        .collect();
    Ok(Model {
        name: file.name.clone(),
        title: file.title.clone(),
        about: file.about.clone(),
        source: file.source.clone(),
        body,
        states,
        phase: phase.map(|(rate, period)| Phase { state: moving, rate, period }),
        tones: (toneless..).zip(&tones).map(|(state, &(rate, period))| Phase { state, rate, period }).collect(),
        parameters,
        parameter_order,
        definitions,
        tables: measured,
        contacts,
        impacts: file.impacts,
        sections,
        switches,
        frictions,
        constraints,
        complementarities,
        resets,
        discrete,
        symmetry,
        linear,
        time_unit,
        sketch,
        file: file_name.to_string(),
        text: text.to_string(),
        places: meaning.places,
        unused: meaning.names.unused(),
        files,
        graph: meaning.graph,
        compiled: Compiled::default(),
    })
}

/// The states in their order, the first phase last.
fn states<'f>(file: &'f File, time: Option<&'f Written>) -> Vec<(&'f Written, StateKind)> {
    let mut states: Vec<(&Written, StateKind)> = Vec::new();
    let pairs = match &file.body {
        BodyEntry::Flow { rates } => {
            states.extend(rates.iter().map(|(name, _)| (name, StateKind::State)));
            None
        }
        BodyEntry::Mechanics { coordinates, velocities, .. } => Some((coordinates, velocities)),
        BodyEntry::Lagrangian(entry) => Some((&entry.coordinates, &entry.velocities)),
        BodyEntry::Matrices(entry) => Some((&entry.coordinates, &entry.velocities)),
    };
    if let Some((coordinates, velocities)) = pairs {
        states.extend(coordinates.iter().map(|name| (name, StateKind::Coordinate)));
        states.extend(velocities.iter().map(|name| (name, StateKind::Velocity)));
    }
    states.extend(file.discrete.iter().map(|entry| (&entry.name, StateKind::Discrete)));
    states.extend(time.map(|name| (name, StateKind::Time)));
    states.extend(file.phases.iter().skip(1).chain(file.phases.first()).map(|phase| (&phase.name, StateKind::Phase)));
    states
}

/// The values of all symbols as the file has them: start values, then parameters.
fn file_numbers(graph: &Graph, starts: &[Node], parameters: &[Parameter], order: &[usize]) -> Vec<f64> {
    let mut numbers = vec![f64::NAN; starts.len() + parameters.len()];
    for &i in order {
        numbers[starts.len() + i] = graph.evaluate(parameters[i].value, &|symbol| numbers[symbol]);
    }
    for (i, &start) in starts.iter().enumerate() {
        numbers[i] = graph.evaluate(start, &|symbol| numbers[symbol]);
    }
    numbers
}

/// The switches of a body and of events. Sides of equal functions become one in its rates and forces, and directions of events are those of their switches.
fn switches(
    graph: &mut Graph,
    mut surfaces: Vec<Surface>,
    resets: Vec<(Surface, Reset)>,
    body: &mut Body,
    (rates, moving): (&mut [Node], &[Node]),
) -> (Found, Vec<Reset>) {
    let named = surfaces.len();
    let (own, mut resets): (Vec<Surface>, Vec<Reset>) = resets.into_iter().unzip();
    surfaces.extend(own);
    let mut formulas: Vec<Node> = rates.to_vec();
    if let Body::Mechanics(body) = &*body {
        formulas.extend(&body.force);
    }
    formulas.extend(surfaces.iter().map(|surface| surface.when));
    let cuts = switch::with_cuts(graph, &formulas, moving);
    replace(graph, &cuts, rates, body);
    for surface in &mut surfaces {
        surface.when = graph.substitute(surface.when, &cuts);
    }
    let found = switch::find(graph, &surfaces, rates, moving);
    replace(graph, &found.replaced, rates, body);
    for (reset, place) in resets.iter_mut().zip(&found.surfaces[named..]) {
        let Some((switch, negative)) = *place else { continue };
        reset.switch = switch;
        reset.direction = match (reset.direction, negative) {
            (Direction::Rising, true) => Direction::Falling,
            (Direction::Falling, true) => Direction::Rising,
            (direction, _) => direction,
        };
    }
    (found, resets)
}

/// Replaces nodes in rates and forces.
fn replace(graph: &mut Graph, replaced: &HashMap<Node, Node>, rates: &mut [Node], body: &mut Body) {
    if replaced.is_empty() {
        return;
    }
    rates.copy_from_slice(&graph.substitute_all(rates, replaced));
    if let Body::Mechanics(body) = body {
        body.force = graph.substitute_all(&body.force, replaced);
    }
}

fn bounded(file: &File, states: usize) -> Result<(), Vec<Mistake>> {
    // The degrees of freedom of a structure are numbered, not named, and have their own bound.
    let states = if matches!(file.body, BodyEntry::Matrices(_)) { 0 } else { states };
    let names = states + file.parameters.len() + file.definitions.len() + file.contacts.len() + file.sections.len();
    let refuse = |count: usize, what: &str, most: usize, help: &str| {
        let message = format!("the model has {count} {what} and may have {most} at most");
        Err(vec![Mistake::general(message).help(help)])
    };
    if states > MOST_STATES {
        return refuse(states, "states", MOST_STATES, "split the model, or describe it with fewer coordinates");
    }
    if file.contacts.len() > MOST_CONTACTS {
        return refuse(file.contacts.len(), "contacts", MOST_CONTACTS, "split the model into parts that do not touch");
    }
    if names > MOST_NAMES {
        return refuse(
            names,
            "names",
            MOST_NAMES,
            "write numbers into the formulas instead of naming each, or split the model",
        );
    }
    Ok(())
}

/// Gaps as formulas, and the weights of those that were written by weights.
#[allow(clippy::type_complexity)]
fn formulas(graph: &mut Graph, laws: Vec<(Gap, Law)>, u: &[Node]) -> (Vec<(Node, Law)>, Vec<Option<GapEntry>>) {
    let formula = |(gap, law): (Gap, Law)| match gap {
        Gap::Formula(gap) => ((gap, law), None),
        Gap::Weights(weights) => ((weights.formula(graph, u), law), Some(weights)),
    };
    laws.into_iter().map(formula).unzip()
}

/// The body and the rates of change of its states without the phase.
fn body(
    graph: &mut Graph,
    motion: Motion,
    numbers: Option<(Numbers, Vec<Option<GapEntry>>)>,
    x: &[Node],
    carried: &[(Node, Node)],
) -> (Body, Vec<Node>) {
    let n = x.len() / 2;
    let (mass, force, lagrangian) = match motion {
        Motion::Flow(rates) => return (Body::Flow, rates),
        Motion::Matrices { proportional, load } => return structure(graph, proportional, load, numbers, x),
        Motion::Mechanics { mass, force } => (mass, force, None),
        Motion::Lagrangian { lagrangian, dissipation, forces } => {
            let qv = (&x[..n], &x[n..]);
            let (mass, force) = lagrangian::mass_and_force(graph, lagrangian, dissipation, &forces, qv, carried);
            (mass, force, Some(lagrangian))
        }
    };
    let (accelerations, pivots) = mechanics::accelerations(graph, &mass, &force);
    let rates = x[n..].iter().copied().chain(accelerations).collect();
    let (coordinates, velocities) = ((0..n).collect(), (n..2 * n).collect());
    let (matrices, constrained) = (None, None);
    let body =
        Mechanics { coordinates, velocities, mass, force, pivots, lagrangian, matrices, constrained, onto: None };
    (Body::Mechanics(body), rates)
}

/// A structure: with formulas if it can be simulated, and otherwise with rates that have no value.
fn structure(
    graph: &mut Graph,
    proportional: (Node, Node),
    mut load: Vec<(usize, Node)>,
    numbers: Option<(Numbers, Vec<Option<GapEntry>>)>,
    x: &[Node],
) -> (Body, Vec<Node>) {
    // A body of matrices comes with its numbers.
    let Some((numbers, contacts)) = numbers else {
        return (Body::Flow, x.to_vec());
    };
    let n = x.len() / 2;
    let (u, v) = x.split_at(n);
    load.extend(numbers.load.iter().enumerate().filter(|(_, f)| **f != 0.0).map(|(i, &f)| (i, graph.constant(f))));
    let Numbers { mass, stiffness, damping, factors, .. } = numbers;
    let matrices = Matrices { mass, stiffness, damping, proportional, load, contacts, factors };
    let (coordinates, velocities) = ((0..n).collect(), (n..2 * n).collect());
    let mut body = Mechanics {
        coordinates,
        velocities,
        mass: Vec::new(),
        force: Vec::new(),
        pivots: Vec::new(),
        lagrangian: None,
        matrices: None,
        constrained: None,
        onto: None,
    };
    let accelerations = if matrices.is_moved() {
        body.mass = matrices.mass_nodes(graph);
        body.force = matrices.force(graph, u, v);
        body.pivots = matrices.factors.pivots().iter().map(|&pivot| graph.constant(pivot)).collect();
        matrices.response(graph, &body.force)
    } else {
        vec![graph.constant(f64::NAN); n]
    };
    body.matrices = Some(Box::new(matrices));
    (Body::Mechanics(body), v.iter().copied().chain(accelerations).collect())
}

/// The friction of a contact; `None` for a structure that is too large to be simulated.
fn friction(
    graph: &mut Graph,
    field: &Field<'_>,
    body: &Body,
    entry: &ContactEntry,
    rubbing: Rubbing,
) -> Result<Option<Friction>, Mistake> {
    let Some(body) = body.mechanics() else { return Ok(None) };
    let coordinates = &field.states[..body.coordinates.len()];
    let Rubbing { track, modulus, .. } = rubbing;
    if !graph.symbols_of(track).iter().any(|symbol| coordinates.contains(symbol)) {
        let name = &entry.name.text;
        let message =
            format!("the track of contact `{name}` does not depend on any coordinate, so nothing slips along it");
        let example = coordinates.first().map(|&symbol| graph.print(symbol)).unwrap_or_default();
        let help = format!("a track is the position along the surface, e.g. track = \"{example}\"");
        let place = entry.friction.as_ref().map_or(entry.gap.place(), |friction| friction.track.inside());
        return Err(Mistake::at(place, message).help(help));
    }
    if body.matrices.as_ref().is_some_and(|matrices| !matrices.is_moved()) {
        return Ok(None);
    }
    let (friction, corner) = contact::friction(graph, field, body, &rubbing);
    if corner && modulus {
        let name = &entry.name.text;
        let message = format!(
            "`abs` in the friction of contact `{name}` is not of its speed of slip, {}",
            graph.print(friction.slip)
        );
        let help = "that has a corner where the contact slips, and corners are not supported; abs of the speed of slip is allowed";
        let place = entry.friction.as_ref().map_or(entry.gap.place(), |friction| friction.coefficient.inside());
        return Err(Mistake::at(place, message).help(help));
    }
    Ok(Some(friction))
}

fn contact(
    graph: &mut Graph,
    field: &Field<'_>,
    body: &Body,
    entry: &ContactEntry,
    gap: Node,
    law: Law,
) -> Result<Contact, Mistake> {
    let name = &entry.name.text;
    let place = match body {
        Body::Flow => &field.states[..field.without_phase],
        Body::Mechanics(mechanics) => &field.states[..mechanics.coordinates.len()],
    };
    if !graph.symbols_of(gap).iter().any(|symbol| place.contains(symbol)) {
        let what = if matches!(body, Body::Flow) { "state" } else { "coordinate" };
        let message = format!("the gap of contact `{name}` does not depend on any {what}, so nothing can close it");
        let example = place.first().map(|&symbol| graph.print(symbol)).unwrap_or_default();
        let help = format!("a gap is the distance to the obstacle: write it with a {what}, e.g. 1 - {example}");
        return Err(Mistake::at(entry.gap.place(), message).help(help));
    }
    match (body, law) {
        (Body::Mechanics(body), Law::Restitution(e)) if body.matrices.as_ref().is_some_and(|m| !m.is_moved()) => {
            Ok(contact::at_rest(graph, field, name, gap, e))
        }
        (Body::Mechanics(body), Law::Restitution(e)) => Ok(contact::mechanical(graph, field, body, name, gap, e)),
        (_, Law::Jump(after)) => contact::flow(graph, field, name, gap, after).ok_or_else(|| {
            let message = format!("the opening speed of contact `{name}` is the same everywhere on its surface");
            let help = "an impact changes the opening speed, so the rate of change of the gap must contain a state";
            Mistake::at(entry.gap.place(), message).help(help)
        }),
        // The tables were checked before: a flow has jumps, and a mechanical body has restitutions.
        (Body::Flow, Law::Restitution(_)) => {
            Err(Mistake::at(entry.name.span.clone(), "a flow needs a jump").help("add e.g. jump = { y = \"-r*y\" }"))
        }
    }
}
