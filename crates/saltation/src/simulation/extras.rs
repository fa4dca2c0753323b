//! What is computed beside the states while a motion is followed: further columns of the samples, and passages of a section.

use crate::drawing::gauge::Gauge;
use crate::drawing::passages::Passages;
use crate::drawing::quantity::Quantity;
use crate::naming::Naming;
use crate::simulation::Request;
use crate::simulation::derivatives::Directions;
use crate::simulation::request::{quantities, shown};
use crate::system::System;
use saltation_motion::{Event, Support};

/// Further columns and passages of one motion.
#[derive(Debug)]
pub(crate) struct Extras<'a> {
    gauge: Gauge<'a>,
    columns: Vec<Quantity>,
    passages: Option<Passages>,
    row: Vec<f64>,
}

impl<'a> Extras<'a> {
    /// What a request asks for; its mistakes were found before.
    pub(crate) fn new(request: &Request, system: &System, naming: Naming<'a>) -> Extras<'a> {
        let model = system.model();
        let gauge = Gauge::new(naming.system, model, system.numbers());
        let section = request.end(system).ok().and_then(|end| end.returns).map(|(section, _)| section);
        let plane =
            request.passages.as_ref().and_then(|names| quantities(system, names.each_ref().map(String::as_str)).ok());
        let passages = plane.zip(section).map(|(plane, section)| Passages::new(plane, section, request.settle));
        Extras { gauge, columns: added(request, system), passages, row: Vec::new() }
    }

    /// A row of the samples: the state, and the further columns.
    pub(crate) fn row(&mut self, state: &[f64], support: Support) -> &[f64] {
        self.row.clear();
        self.row.extend_from_slice(state);
        self.row.resize(state.len() + self.columns.len(), 0.0);
        if !self.columns.is_empty() {
            self.gauge.at(state, support, &self.columns, &mut self.row[state.len()..]);
        }
        &self.row
    }

    /// Looks at an event.
    pub(crate) fn see(&mut self, event: &Event, naming: Naming) {
        if let Some(passages) = &mut self.passages {
            passages.see(event, naming, &mut self.gauge);
        }
    }

    /// The passages.
    pub(crate) fn into_passages(self) -> Option<Passages> {
        self.passages
    }
}

/// The quantities that are columns beside the states.
pub(crate) fn added(request: &Request, system: &System) -> Vec<Quantity> {
    let all = shown(system, &request.show).0;
    all.into_iter().filter(|quantity| !matches!(quantity, Quantity::State(_))).collect()
}

/// The names of the columns beside the states: those of quantities, then those of derivatives.
pub(crate) fn added_names(request: &Request, system: &System) -> Vec<String> {
    let shown = added(request, system);
    let quantities = shown.iter().map(|quantity| quantity.column(system.model()));
    quantities.chain(Directions::of(&request.derivatives, system).0.columns(system, &shown)).collect()
}
