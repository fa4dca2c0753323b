//! Derivatives of a motion by parameters and start values: of samples, events and the end, as the variational motions carry them through every event.

use super::answer::{EndDerivatives, EventDerivatives, Gradients};
use crate::drawing::quantity::Quantity;
use crate::drawing::slopes::{Slopes, Subject};
use crate::error::Refusal;
use crate::named::Named;
use crate::system::System;
use saltation_expr::parse::nearest;
use saltation_motion::{Derivatives, Ended, Event, EventKind, Motion, Perturbation};
use std::collections::VecDeque;
use std::sync::Arc;

/// A start value may be written with this before the name of its state.
const START: &str = "start.";

/// The directions in which a motion is differentiated: parameters, with all that follows from them, and start values.
#[derive(Debug, Clone)]
pub(crate) struct Directions {
    /// Their names.
    pub names: Arc<[String]>,
    perturbations: Vec<Perturbation>,
}

impl Directions {
    /// Directions that are known.
    pub(crate) fn named(names: Vec<String>, perturbations: Vec<Perturbation>) -> Directions {
        Directions { names: names.into(), perturbations }
    }

    /// The directions of these names, and the mistakes in them.
    pub(crate) fn of(names: &[String], system: &System) -> (Directions, Vec<Refusal>) {
        let model = system.model();
        let (mut found, mut perturbations, mut refusals) = (Vec::<String>::new(), Vec::new(), Vec::new());
        let mut begin = 0;
        let compiled = system.compiled().ok();
        for name in names {
            let part = begin..begin + name.len().max(1);
            begin += name.len() + 1;
            let name = name.trim();
            let of_start = name.strip_prefix(START);
            let parameter = model.parameters.iter().position(|parameter| parameter.name == name);
            let state = model.states.iter().position(|state| state.name == of_start.unwrap_or(name));
            let refused = |message: String, help: String| Refusal::new("derivatives", message, help).in_part(part);
            if found.iter().any(|known| known == name) {
                refusals.push(refused(format!("`{name}` is named twice"), "name it once".to_string()));
                continue;
            }
            let direction = match (parameter.filter(|_| of_start.is_none()), state, compiled) {
                (_, _, None) => continue,
                (Some(parameter), _, _) => Perturbation::following(system.numbers(), parameter),
                (None, Some(state), Some(compiled)) => Perturbation::of_state(compiled, state),
                (None, None, _) => {
                    let known =
                        model.parameters.iter().map(|p| &p.name[..]).chain(model.states.iter().map(|s| &s.name[..]));
                    let help = match nearest(of_start.unwrap_or(name), known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "name parameters, or states for their start values, such as start.x".to_string(),
                    };
                    refusals.push(refused(format!("the model has no parameter or state `{name}`"), help));
                    continue;
                }
            };
            found.push(name.to_string());
            perturbations.push(direction);
        }
        (Directions { names: found.into(), perturbations }, refusals)
    }

    /// The columns of the samples: the derivatives of all states by the first, then by the second; then those of the further quantities that are shown.
    pub(crate) fn columns(&self, system: &System, shown: &[Quantity]) -> Vec<String> {
        let states = system.state_names().to_vec();
        let quantities: Vec<String> = shown.iter().map(|quantity| quantity.column(system.model())).collect();
        let of = |list: &[String]| {
            let pairs = self.names.iter().flat_map(|name| list.iter().map(move |one| format!("d {one} / d {name}")));
            pairs.collect::<Vec<String>>()
        };
        [of(&states), of(&quantities)].concat()
    }
}

/// What is kept of the derivatives of a motion.
#[derive(Debug)]
pub(crate) struct Tracer<'a> {
    directions: Directions,
    states: Arc<[String]>,
    marks: VecDeque<Derivatives>,
    /// The events so far, as far as they are kept, and the chattering among them whose end is the next step.
    events: Vec<EventDerivatives>,
    most: usize,
    open: Option<usize>,
    lost: bool,
    /// Whether the states before and after events are kept, and not their times and speeds alone.
    whole: bool,
    /// The quantities that are shown beside the states, and how many.
    shown: Option<(Slopes<'a>, usize)>,
}

impl<'a> Tracer<'a> {
    /// For a motion that has not begun to move; `most` events are kept.
    pub(crate) fn begin(directions: Directions, system: &System, motion: &mut Motion, most: usize) -> Tracer<'a> {
        motion.keep_marks();
        let states = system.state_names().to_vec().into();
        Tracer {
            directions,
            states,
            marks: VecDeque::new(),
            events: Vec::new(),
            most,
            open: None,
            lost: false,
            whole: true,
            shown: None,
        }
    }

    /// The same that keeps the times and speeds of events, and no states.
    pub(crate) fn of_times(self) -> Tracer<'a> {
        Tracer { whole: false, ..self }
    }

    /// The same that differentiates these quantities, too.
    pub(crate) fn with_shown(
        mut self,
        compiled: &'a saltation_motion::System,
        system: &System,
        shown: &[Quantity],
    ) -> Tracer<'a> {
        let subjects: Vec<Subject> = shown.iter().map(|&quantity| Subject::Quantity(quantity)).collect();
        if !subjects.is_empty() {
            let mut slopes = Slopes::new(compiled, system.model(), system.model().graph.clone(), &subjects);
            let parts: Vec<Vec<f64>> = self.directions.perturbations.iter().map(|one| one.parameters.clone()).collect();
            slopes.bind(system.numbers().parameters(), &parts);
            self.shown = Some((slopes, subjects.len()));
        }
        self
    }

    /// A step was made: events within it are reported next, and a sequence of impacts may be complete.
    pub(crate) fn step(&mut self, motion: &mut Motion) {
        self.marks.extend(motion.take_marks());
        if let Some(open) = self.open.take()
            && self.whole
        {
            let end = motion.event_derivatives();
            let (time, after) = (self.times(&end), self.gradients(&end));
            if let Some(event) = self.events.get_mut(open) {
                (event.end_time, event.after) = (Some(time), after);
            }
        }
    }

    /// An event was reported.
    pub(crate) fn event(&mut self, event: &Event, motion: &mut Motion) {
        self.marks.extend(motion.take_marks());
        let marked = self.marks.pop_front();
        if self.events.len() >= self.most {
            return;
        }
        // Chattering is reported at the impact that begins it, and its end is a step of its own.
        let chatters = event.kind == EventKind::Chatter;
        let whole = |here: Derivatives| {
            let finite = here.is_finite();
            (here, finite)
        };
        let (here, finite) = match (&marked, event.section) {
            _ if chatters => whole(motion.derivatives_before_jump(false)),
            (Some(here), _) => whole(here.clone()),
            (None, Some(section)) if !motion.returned_by_jump() => whole(motion.return_derivatives(section)),
            (None, _) if self.whole => whole(motion.event_derivatives()),
            (None, _) => motion.event_time_derivatives(),
        };
        let strikes = matches!(event.kind, EventKind::Impact | EventKind::ImpactWithoutCollision | EventKind::Chatter);
        let jumps = event.kind == EventKind::Reset;
        let [before, after] = match self.whole {
            true if marked.is_none() && (strikes || jumps) => {
                [&motion.derivatives_before_jump(jumps), &here].map(|one| self.gradients(one))
            }
            true => [&here, &here].map(|one| self.gradients(one)),
            false => Default::default(),
        };
        let speeds = event.contact.filter(|_| strikes).map(|contact| motion.speed_derivatives(contact));
        let [speed_before, speed_after] = match speeds {
            Some(speeds) => speeds.map(|speeds| Some(Named::new(Arc::clone(&self.directions.names), speeds))),
            None => [None, None],
        };
        let lost = !self.lost && !finite;
        self.lost |= lost;
        let reason = || match event.kind {
            EventKind::Graze => "the trajectory touches a surface without speed: on one side its neighbours miss it",
            _ if event.choice.is_some_and(|choice| choice.impulses) => "the impulses are one choice of many",
            EventKind::Impact | EventKind::Chatter => "the impact has no speed, or its neighbours make other impacts",
            _ => "the neighbours pass other events than the trajectory",
        };
        self.open = chatters.then_some(self.events.len());
        self.events.push(EventDerivatives {
            time: self.times(&here),
            before,
            after,
            speed_before,
            speed_after: speed_after.filter(|_| !chatters),
            end_time: None,
            lost: lost.then(|| reason().to_string()),
        });
    }

    /// The derivatives at the present time, as further columns of a sample.
    pub(crate) fn sample(&mut self, motion: &mut Motion, row: &mut Vec<f64>) {
        let here = motion.derivatives();
        let (begin, count) = (row.len(), here.directions());
        (0..count).for_each(|k| row.extend_from_slice(here.state(k)));
        let Some((slopes, shown)) = &mut self.shown else { return };
        let tangents = row[begin..].to_vec();
        let (mut values, mut found) = (vec![0.0; *shown], vec![0.0; *shown * count]);
        slopes.at(motion.state(), motion.support(), &tangents, &mut values, &mut found);
        // By the first direction all quantities, then by the second.
        row.extend((0..count).flat_map(|k| (0..*shown).map(move |q| q * count + k)).map(|at| found[at]));
    }

    /// The derivatives of the end, and of all events.
    pub(crate) fn finish(
        self,
        (ended, section): (&Ended, Option<usize>),
        motion: &mut Motion,
    ) -> (EndDerivatives, Vec<EventDerivatives>) {
        let fixed = matches!(ended, Ended::ReachedTime | Ended::Interrupted);
        let end = match (ended, section) {
            _ if fixed => motion.derivatives(),
            (Ended::ReachedReturns, Some(section)) if !motion.returned_by_jump() => motion.return_derivatives(section),
            _ => motion.event_derivatives(),
        };
        let zero = || Named::new(Arc::clone(&self.directions.names), vec![0.0; self.directions.names.len()]);
        let time = if fixed { zero() } else { self.times(&end) };
        (EndDerivatives { time, state: self.gradients(&end) }, self.events)
    }

    fn times(&self, derivatives: &Derivatives) -> Named {
        let times = (0..derivatives.directions()).map(|k| derivatives.time(k)).collect();
        Named::new(Arc::clone(&self.directions.names), times)
    }

    fn gradients(&self, derivatives: &Derivatives) -> Gradients {
        let of = |(k, name): (usize, &String)| {
            (name.clone(), Named::new(Arc::clone(&self.states), derivatives.state(k).to_vec()))
        };
        Gradients(self.directions.names.iter().enumerate().map(of).collect())
    }
}

impl Directions {
    /// The changes of the start and of the parameters.
    pub(crate) fn perturbations(&self) -> &[Perturbation] {
        &self.perturbations
    }
}
