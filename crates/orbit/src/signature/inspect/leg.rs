//! Follows the flow after one node by Taylor steps and records the minima of all gaps, contact forces and friction bounds on it.

use saltation_motion::extension::{Lost, Stretch};
use saltation_motion::{Bound, ClosedSet};
use saltation_numerics::polynomial;

use super::event::{Departure, Event};
use super::minima::Finder;
use super::section::{MonitoredSection, site};
use super::{BoundMinimum, DEPTH_ROUNDING, InitialBound, Inspection, Lowest, Site, keep_lowest, largest};
use crate::signature::{Equations, Kind};

/// A bound that is to be zero at the next node may miss zero by this fraction of its size: the flow reaches the node up to the correction of Newton's method.
const CLOSING_ROUNDING: f64 = 1e-8;

/// A minimum nearer than this to a node that is a minimum, as a fraction of the time between nodes, is that node.
const SAME_TIME: f64 = 1e-6;

/// The flow from one node to the next.
#[derive(Debug)]
pub(super) struct Leg<'e> {
    /// The event it begins with.
    pub event: &'e Event,
    pub next_kind: Kind,
    /// How long it takes, positive.
    pub length: f64,
    /// The contact that opens at the beginning.
    pub departure: Option<Departure>,
    /// The contact whose obstacle a virtual impact enters: the first minimum belongs to that impact.
    pub enters: Option<usize>,
    /// The contact whose obstacle is left at a virtual impact at the end: the last minimum belongs to that impact.
    pub leaves: Option<usize>,
}

/// The gap of a contact that is open.
#[derive(Debug, Clone, Default)]
struct OpenContact {
    minima: Vec<Lowest>,
    /// The largest modulus at the beginning of a step.
    size: f64,
    /// The slope where the last step ended.
    slope: f64,
    /// The rounding of its terms.
    rounding: f64,
}

/// The force of a contact that is closed.
#[derive(Debug, Clone, Default)]
struct ClosedContact {
    lowest: Option<Lowest>,
    /// The force with which the contact begins.
    first: Option<f64>,
    /// The largest modulus at the beginning of a step.
    load: f64,
    /// The rounding of its terms.
    rounding: f64,
}

/// What was found on the flow.
#[derive(Debug)]
pub(super) struct Record<'l> {
    leg: &'l Leg<'l>,
    states: usize,
    open: Vec<OpenContact>,
    closed: Vec<ClosedContact>,
    /// Whether contacts hold what others hold, too: their forces are one choice of many, and have no borders of their own.
    shares_forces: bool,
    /// Whether it begins where dry friction exceeds a static limit of its own.
    breaks_loose: bool,
    /// The rounding of the bounds of elements, in the order of [`Bound::ALL`].
    bound_rounding: Vec<(usize, [f64; 5])>,
    admissible: bool,
    unlawful: Option<usize>,
    indeterminate: bool,
    margins: Vec<BoundMinimum>,
    initial_bounds: Vec<InitialBound>,
    passages: Vec<Site>,
}

impl Equations<'_> {
    /// Follows the flow of a leg.
    pub(super) fn follow<'l>(
        &mut self,
        leg: &'l Leg<'l>,
        section: Option<MonitoredSection>,
        finder: &mut Finder,
    ) -> Result<Record<'l>, Lost> {
        let mut record = self.record(leg);
        self.jumped_slopes(&mut record);
        let (contacts, after) = (record.open.len(), leg.event.after);
        self.flow.follow(after, &leg.event.jumped, leg.length, &mut |step: &Stretch| {
            for contact in 0..contacts {
                match after.contains(contact) {
                    true => record.force(contact, step, finder),
                    false => record.gap(contact, step, finder),
                }
            }
            for (contact, bound, row) in step.bounds() {
                record.bound(contact, bound, row, step, finder);
            }
            if let Some(watched) = section
                && let Some(row) = step.section(watched.section)
            {
                let (node, states, passages) = (leg.event.node, record.states, &mut record.passages);
                let report = |since| passages.push(site(node, step, states, since));
                watched.passages(row, step.length, finder.workspace, report);
            }
        })?;
        Ok(record)
    }

    /// A record of nothing yet, with the rounding of all that is compared with zero.
    fn record<'l>(&mut self, leg: &'l Leg<'l>) -> Record<'l> {
        let contacts = self.system().contact_names().len();
        let (after, start) = (leg.event.after, &leg.event.jumped);
        let mut record = Record {
            leg,
            states: self.layout.states,
            open: vec![OpenContact::default(); contacts],
            closed: vec![ClosedContact::default(); contacts],
            shares_forces: self.flow.shares_forces(after, start),
            breaks_loose: leg.event.kind.contact().is_some_and(|element| self.system().holds(element)),
            bound_rounding: Vec::new(),
            admissible: true,
            unlawful: None,
            indeterminate: false,
            margins: Vec::new(),
            initial_bounds: Vec::new(),
            passages: Vec::new(),
        };
        for contact in 0..contacts {
            match after.contains(contact) {
                true => record.closed[contact].rounding = self.force_rounding(after, contact, start),
                false => record.open[contact].rounding = self.gap_rounding(contact, start),
            }
        }
        for element in after.elements() {
            let rounding = self.bound_rounding(after, element, start);
            record.bound_rounding.push((element, rounding));
        }
        record
    }

    /// Minima at the jump itself: where velocities jump, the gap of another contact may turn without a smooth minimum.
    fn jumped_slopes(&mut self, record: &mut Record) {
        let &Event { node, ref kind, before, after, ref state, ref jumped, .. } = record.leg.event;
        if *kind == Kind::Waypoint {
            return;
        }
        let other = |contact: &usize| {
            !before.contains(*contact) && !after.contains(*contact) && kind.contact() != Some(*contact)
        };
        for contact in (0..record.open.len()).filter(other) {
            let [value, falling, ..] = self.flow.gap_derivatives(before, contact, state);
            let [_, rising, ..] = self.flow.gap_derivatives(after, contact, jumped);
            record.admissible &= value >= -DEPTH_ROUNDING * largest(state);
            if falling < 0.0 && rising >= 0.0 {
                let site = Site { node, time: 0.0, state: jumped.clone() };
                record.open[contact].minima.push(Lowest { contact, value, site });
            }
        }
    }
}

impl Record<'_> {
    /// The minima of the force of a closed contact on a step. A contact that begins must be pressed together.
    fn force(&mut self, contact: usize, step: &Stretch, finder: &mut Finder) {
        let Some(row) = step.force(contact) else { return };
        let (leg, states) = (self.leg, self.states);
        let node = leg.event.node;
        let own = &mut self.closed[contact];
        own.load = own.load.max(row[0].abs());
        if self.shares_forces {
            let tolerance = (DEPTH_ROUNDING * own.load).max(own.rounding);
            self.one_choice(contact, row, (step, tolerance), finder);
            return;
        }
        if step.start == 0.0 && leg.event.kind != Kind::Waypoint {
            own.first = Some(row[0]);
            // Where nothing happens nothing begins.
            if !leg.event.is_anchor() {
                let bound = Some(Bound::Force);
                self.initial_bounds.push(InitialBound { node, contact, bound, value: row[0] });
            }
        }
        let mut report = |since: f64| {
            let value = polynomial::evaluate(row, since);
            if own.lowest.as_ref().is_none_or(|known| value < known.value) {
                own.lowest = Some(Lowest { contact, value, site: site(node, step, states, since) });
            }
        };
        // At an anchor a minimum may be just there.
        if leg.event.is_anchor() && step.start == 0.0 {
            report(0.0);
        }
        finder.minima(row, step.length, 0, &mut report);
    }

    /// A force, or a bound of it, that is one choice of many: it has no border, and where it falls below zero on a step the trajectory decides.
    fn one_choice(&mut self, contact: usize, row: &[f64], (step, tolerance): (&Stretch, f64), finder: &mut Finder) {
        let mut lowest = row[0].min(polynomial::evaluate(row, step.length));
        finder.minima(row, step.length, 0, |since| lowest = lowest.min(polynomial::evaluate(row, since)));
        self.indeterminate = true;
        self.unlawful = self.unlawful.or((lowest < -tolerance).then_some(contact));
    }

    /// The minima of the gap of an open contact on a step.
    fn gap(&mut self, contact: usize, step: &Stretch, finder: &mut Finder) {
        let row = step.gap(contact);
        let (leg, states) = (self.leg, self.states);
        let own = &mut self.open[contact];
        own.size = own.size.max(row[0].abs());
        let vanishing = match leg.departure {
            Some(departure) if departure.contact == contact && step.start == 0.0 => departure.order,
            _ => 0,
        };
        let minima = &mut own.minima;
        let mut report = |since: f64| {
            let value = polynomial::evaluate(row, since);
            minima.push(Lowest { contact, value, site: site(leg.event.node, step, states, since) });
        };
        // A minimum where two steps meet.
        let initial_slope = row.get(1).copied().unwrap_or(0.0);
        if step.start > 0.0 && own.slope < 0.0 && initial_slope >= 0.0 {
            report(0.0);
        }
        finder.minima(row, step.length, vanishing, &mut report);
        own.slope = polynomial::evaluate_with_derivative(row, step.length).1;
    }

    /// The minima of a friction bound on a step, and whether it falls below zero.
    fn bound(&mut self, contact: usize, bound: Bound, row: &[f64], step: &Stretch, finder: &mut Finder) {
        let (event, states) = (self.leg.event, self.states);
        let node = event.node;
        let of_contact = self.bound_rounding.iter().find(|known| known.0 == contact).map_or([0.0; 5], |known| known.1);
        let rounding = Bound::ALL.iter().zip(of_contact).find(|known| *known.0 == bound).map_or(0.0, |known| known.1);
        let powers = std::iter::successors(Some(1.0), |power| Some(power * step.length));
        let terms = || row.iter().zip(powers.clone()).map(|(c, power)| c * power);
        let size = terms().fold(0.0_f64, |size, term| size.max(term.abs()));
        // What others keep from slipping has no speed all along, and no border.
        if bound == Bound::Speed && size <= rounding {
            self.indeterminate = true;
            return;
        }
        if self.shares_forces && ClosedSet::switch(contact).is_none() && matches!(bound, Bound::Cone(_)) {
            self.one_choice(contact, row, (step, (DEPTH_ROUNDING * size).max(rounding)), finder);
            return;
        }
        // A jump of the state leads across a surface; one that leads onto it leaves it from there, whatever the side before.
        let starts = match event.kind {
            Kind::Impact { .. } | Kind::Chatter { .. } | Kind::Accumulation { .. } | Kind::Reset { .. } => {
                row[0].abs() <= rounding
            }
            Kind::Wrap => false,
            // One that others have kept from slipping begins without a speed, too.
            Kind::Turn { .. } | Kind::Release { .. } if row[0].abs() <= rounding => true,
            _ => event.before.contains(contact) && event.before.slip(contact) != event.after.slip(contact),
        };
        let first_step = step.start == 0.0 && event.kind != Kind::Waypoint && !event.is_anchor();
        let begins = starts && matches!(bound, Bound::Speed | Bound::Surface);
        // Across a switch along which motions slide: where its function begins without a rate, sliding begins. A static limit ends that before.
        let slides = ClosedSet::switch(contact).is_some() && !self.breaks_loose;
        let crosses = begins && bound == Bound::Speed && slides && {
            let sides = (event.before.slip(contact), event.after.slip(contact));
            matches!(sides, (Some(a), Some(b)) if a != b)
        };
        if first_step && crosses {
            let value = row.get(1).copied().unwrap_or(0.0);
            self.initial_bounds.push(InitialBound { node, contact, bound: None, value });
        }
        if first_step && !begins {
            self.initial_bounds.push(InitialBound { node, contact, bound: Some(bound), value: row[0] });
        }
        // Slip begins with a speed of zero, and out of a stick with an acceleration of zero too, unless that had a limit of its own.
        let vanishing = match event.kind {
            _ if !(begins && step.start == 0.0) => 0,
            Kind::Turn { contact: own, bound: Bound::Cone(_) } if own == contact && !self.breaks_loose => 2,
            _ => 1,
        };
        // At its beginning the first coefficient that is no rounding counts.
        let small = (DEPTH_ROUNDING * size).max(rounding);
        let first = terms().skip(vanishing).find(|term| term.abs() > small);
        let mut falls = first.is_some_and(|term| term < 0.0);
        let margins = &mut self.margins;
        finder.minima(row, step.length, vanishing, |since| {
            let value = polynomial::evaluate(row, since);
            falls |= value < -small;
            let known = margins.iter_mut().find(|known| known.bound == bound && known.lowest.contact == contact);
            let lowest = Lowest { contact, value, site: site(node, step, states, since) };
            match known {
                Some(known) if value < known.lowest.value => known.lowest = lowest,
                Some(_) => {}
                None => margins.push(BoundMinimum { bound, lowest }),
            }
        });
        falls |= polynomial::evaluate(row, step.length) < -(CLOSING_ROUNDING * size).max(rounding);
        if falls {
            self.unlawful = Some(contact);
        }
    }

    /// Adds what was found to an inspection.
    pub(super) fn add_to(self, found: &mut Inspection) {
        let Record { leg, open, closed, .. } = self;
        found.admissible &= self.admissible;
        found.unlawful = self.unlawful.or(found.unlawful);
        found.indeterminate |= self.indeterminate;
        found.margins.extend(self.margins);
        found.initial_bounds.extend(self.initial_bounds);
        found.passages.extend(self.passages);
        for (contact, own) in open.into_iter().enumerate() {
            let tolerance = (DEPTH_ROUNDING * own.size).max(own.rounding);
            for low in leg.between_nodes(contact, own.minima) {
                if low.value < -tolerance {
                    found.admissible = false;
                    found.penetrated = Some(contact);
                }
                keep_lowest(&mut found.gaps[contact], low);
            }
        }
        for (contact, own) in closed.into_iter().enumerate() {
            // Contacts that last no time have no load but rounding.
            let tolerance = (DEPTH_ROUNDING * own.load).max(own.rounding);
            if let Some(force) = own.first {
                found.admissible &= force >= -tolerance;
            }
            if let Some(low) = own.lowest {
                found.admissible &= low.value >= -tolerance;
                keep_lowest(&mut found.forces[contact], low);
            }
        }
    }
}

impl Leg<'_> {
    /// The minima of a gap that do not belong to the nodes at either end.
    fn between_nodes(&self, contact: usize, mut minima: Vec<Lowest>) -> Vec<Lowest> {
        let is_minimum = |kind: &Kind| *kind == Kind::Minimum { contact };
        minima.retain(|low| {
            let share = low.site.time / self.length;
            !(share < SAME_TIME && is_minimum(&self.event.kind)
                || share > 1.0 - SAME_TIME && is_minimum(&self.next_kind))
        });
        if self.enters == Some(contact) && !minima.is_empty() {
            minima.remove(0);
        }
        if self.leaves == Some(contact) {
            minima.pop();
        }
        minima
    }
}
