//! A variational motion: the same motion in dual numbers, from event to event, which takes the derivatives through what the motion decides.

use saltation_expr::Jet;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use crate::contact::group::Group;
use crate::contact::law::BoundLaw;
use crate::flow::linear::{Exact, Grid, HIGHEST};
use crate::flow::taylor::Taylor;
use crate::mode::ClosedSet;
use crate::mode::bound::BoundMode;
use crate::mode::expansion::Expansion;
use crate::mode::hybrid::BoundHybrid;
use crate::system::System;
use crate::transition::sequence::Sequence;

/// So many directions are taken through the formulas together.
pub(crate) const LANES: usize = 4;
/// A step is taken in parts for the sake of the derivatives, none shorter than this fraction of it.
pub(super) const SHORTEST: f64 = 1e-5;
/// A number with its derivatives.
pub(crate) type Number4 = Dual<LANES>;

/// Where a flight ends: at a zero of an output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landing {
    /// Position of the output among those of the mode.
    pub output: usize,
    /// So many of its first coefficients vanish.
    pub vanishing: usize,
    /// Whether they do so for the neighbouring motions as well.
    pub obeyed: bool,
}

/// A mode of the motion in dual numbers.
#[derive(Debug, Clone)]
pub(crate) struct DualMode {
    pub(super) series: Expansion<Number4>,
    /// The exact flow, where the motion itself uses it, and room for its generators.
    exact: Option<Exact<Number4>>,
    generators: Vec<Number4>,
    /// The way back to the surfaces along which the motion slides.
    correction: Option<Expansion<Number4>>,
}

/// The same motion in dual numbers, for a few directions.
#[derive(Debug, Clone)]
pub(crate) struct VariationalMotion {
    pub parameters: Vec<Number4>,
    /// Room for the derivative of one series in one direction.
    pub series: Vec<f64>,
    /// The modes entered so far, by their position in the motion.
    pub modes: Vec<Option<DualMode>>,
    pub laws: Vec<BoundLaw<Number4>>,
    pub group: Group<Number4>,
    pub hybrid: BoundHybrid<Number4>,
    /// At the last event or the last step: the state, and the derivative of its time.
    pub state: Vec<Number4>,
    pub clock: [f64; LANES],
    /// Just before the last impact, likewise, and the mode of the flight that it ended.
    pub before: Vec<Number4>,
    pub clock_before: [f64; LANES],
    pub mode_before: usize,
    /// The state after the impact that is being judged, its speed, and the ratio of speeds.
    pub after: Vec<Number4>,
    pub speed: Number4,
    pub ratio: Number4,
    pub jump: Vec<Number4>,
    pub rate: Vec<Number4>,
    /// Of the impacts of every contact, then of the crossings of every switch.
    pub sequences: Vec<Sequence<Number4>>,
    pub phase_period: Number4,
    pub section_periods: Vec<Number4>,
    pub tone_periods: Vec<Number4>,
    /// The change of the start phase, which moves the section that stands there.
    pub start_phase: [f64; LANES],
}

impl VariationalMotion {
    /// The projection of its state onto the surfaces of contacts, g = v = 0.
    pub(crate) fn project_onto(&mut self, system: &System, closed: ClosedSet) {
        match system.coupled {
            true => self.group.project(system, closed, &mut self.state),
            false => {
                closed.iter().for_each(|contact| self.laws[contact].project(&system.laws[contact], &mut self.state))
            }
        }
    }

    /// The ratio of speeds of a contact at the impact that is being judged, where contacts are decided together.
    pub(crate) fn ratio_of(&mut self, system: &System, contact: usize) -> Number4 {
        let VariationalMotion { group, state, after, .. } = self;
        let [speed, opened] = [state, after].map(|state| {
            group.look(system, contact, state);
            group.touches[contact].speed()
        });
        -(opened / speed)
    }

    pub(crate) fn new(system: &System, parameters: Vec<Number4>) -> VariationalMotion {
        let states = system.names.len();
        let row = vec![Number4::ZERO; states];
        let slots = system.periods.bind(&parameters);
        let mut values = vec![Number4::ZERO; system.periods.outputs()];
        system.periods.evaluate(&slots, &[], &mut Jet::new(&system.periods), &mut values);
        let tones = values.len() - system.tones.len();
        VariationalMotion {
            series: Vec::new(),
            modes: Vec::new(),
            laws: system.laws.iter().map(|law| BoundLaw::new(law, &parameters)).collect(),
            group: Group::new(system, &parameters),
            hybrid: BoundHybrid::new(&system.hybrid, &parameters),
            state: row.clone(),
            clock: [0.0; LANES],
            before: row.clone(),
            clock_before: [0.0; LANES],
            mode_before: 0,
            after: row.clone(),
            speed: Number4::ZERO,
            ratio: Number4::ZERO,
            jump: row.clone(),
            rate: row,
            sequences: (0..system.contact_names.len())
                .map(|_| Sequence::new(states))
                .chain((0..2 * system.hybrid.names.len()).map(|_| Sequence::of_crossings(states)))
                .collect(),
            phase_period: values[0],
            // Periods are positive, whatever the sign of the section's slope.
            section_periods: values[1..tones].iter().map(|&p| if p.value < 0.0 { -p } else { p }).collect(),
            tone_periods: values[tones..].to_vec(),
            start_phase: [0.0; LANES],
            parameters,
        }
    }

    /// Another mode has taken the place of this one.
    pub(crate) fn forget(&mut self, index: usize) {
        if let Some(mode) = self.modes.get_mut(index) {
            *mode = None;
        }
    }

    /// Makes sure that a mode can run.
    pub(crate) fn prepare(&mut self, index: usize, mode: &BoundMode, sections: std::ops::Range<usize>) {
        if self.modes.len() <= index {
            self.modes.resize_with(index + 1, || None);
        }
        if let Some(known) = &mut self.modes[index] {
            known.series.hold_like(&mode.series);
            return;
        }
        let mut series = Expansion::new(&mode.series.tape, &self.parameters);
        series.hold_like(&mode.series);
        let fixed = self.parameters.iter().all(|p| p.tangent == [0.0; LANES]);
        let exact = mode.linear.as_ref().zip(mode.linear_form.as_ref()).and_then(|(linear, form)| {
            if fixed {
                return Some(linear.exact.lift());
            }
            let origin = linear.exact.circle.map(|_| Number4::constant(linear.exact.origin));
            let grid = origin.map(|origin| Grid { period: self.phase_period, origin });
            Exact::bind(form, (mode.tape(), &series.slots, &self.parameters), grid, sections).ok()
        });
        // Both grids have the same cells, or none is used.
        let exact = exact.filter(|exact| mode.linear.as_ref().is_some_and(|l| l.exact.cells() == exact.cells()));
        let generators = vec![Number4::ZERO; exact.as_ref().map_or(0, |exact| exact.size())];
        let correction = mode.correction.as_ref().map(|known| Expansion::new(&known.tape, &self.parameters));
        self.modes[index] = Some(DualMode { series, exact, generators, correction });
    }

    /// The jet of the motion through the state, up to an order; the mode has been prepared.
    pub(crate) fn expand(&mut self, index: usize, order: usize) {
        let Some(mode) = &mut self.modes[index] else { return };
        match &mode.exact {
            Some(exact) if order <= HIGHEST => {
                let phase = self.state.get(exact.moving).copied().unwrap_or(Number4::ZERO);
                exact.generators(&self.state, phase, &mut mode.generators);
                exact.expand(&mode.generators, phase, order, &mode.series.tape, &mut mode.series.jet);
            }
            _ => mode.series.expand(&self.state, order),
        }
    }

    /// The same up to the highest order whose coefficients are numbers: close to a root high ones leave the range, and the rest serves shorter steps.
    fn expand_finite(&mut self, index: usize, order: usize) {
        self.expand(index, order);
        let Some(series) = self.series(index) else { return };
        let is_finite = |c: &Number4| c.value.is_finite() && c.tangent.iter().all(|t| t.is_finite());
        let orders =
            |i: usize| series.state(i).iter().position(|c| !is_finite(c)).map_or(order, |k| k.saturating_sub(1));
        let finite = (0..self.state.len()).map(orders).min().unwrap_or(order);
        if finite < order {
            self.expand(index, finite.max(1));
        }
    }

    /// Moves the neighbours along the field by a time that depends on the direction; the mode has been expanded to first order at least.
    pub(crate) fn shift(&mut self, index: usize, late: [f64; LANES]) {
        let Some(DualMode { series, .. }) = &self.modes[index] else { return };
        for (i, x) in self.state.iter_mut().enumerate() {
            let rate = series.state(i)[1].value;
            x.tangent.iter_mut().zip(late).for_each(|(tangent, late)| *tangent += rate * late);
        }
        self.delay(late);
    }

    /// Moves the neighbours for a short time with the gradient of the field in the middle of it, if that at its end is the same to within a tolerance of the
    /// neighbours: whether it is.
    pub(crate) fn drift(&mut self, index: usize, (middle, end): (&[f64], &[f64]), time: f64, tolerance: f64) -> bool {
        let start: Vec<[f64; LANES]> = self.state.iter().map(|x| x.tangent).collect();
        let mut rates = |place: &[f64]| -> Vec<[f64; LANES]> {
            self.set_values(place);
            self.expand(index, 1);
            let Some(DualMode { series, .. }) = &self.modes[index] else { return Vec::new() };
            (0..start.len()).map(|i| series.state(i)[1].tangent).collect()
        };
        let (half, whole) = (rates(middle), rates(end));
        let mut constant = true;
        for m in 0..LANES {
            let size = start.iter().map(|tangent| tangent[m].abs()).fold(0.0, f64::max);
            let differs = |(half, whole): (&[f64; LANES], &[f64; LANES])| (half[m] - whole[m]).abs() * time;
            let change = half.iter().zip(&whole).map(differs).fold(0.0, |a: f64, b| if b <= a { a } else { b });
            constant &= change <= tolerance * size;
        }
        if constant {
            for (x, rate) in self.state.iter_mut().zip(&half) {
                x.tangent.iter_mut().zip(rate).for_each(|(tangent, rate)| *tangent += rate * time);
            }
        }
        constant
    }

    /// Moves the state back to the constraints of the body and to the surfaces along which the motion slides.
    pub(crate) fn correct(&mut self, index: usize) {
        let Some(DualMode { correction: Some(correction), .. }) = &mut self.modes[index] else { return };
        correction.expand(&self.state, 0);
        for (i, x) in self.state.iter_mut().enumerate() {
            *x += correction.output(i)[0];
        }
    }

    /// What was expanded last.
    pub(crate) fn series(&self, index: usize) -> Option<&Expansion<Number4>> {
        self.modes.get(index)?.as_ref().map(|mode| &mode.series)
    }

    pub(crate) fn set_values(&mut self, values: &[f64]) {
        for (x, &value) in self.state.iter_mut().zip(values) {
            x.value = value;
        }
    }

    /// Flows for a length, which depends on the direction if the flight ends where an output vanishes; the mode has been
    /// prepared.
    ///
    /// A step that serves the motion need not serve its derivatives: beside a slow motion there may be fast ones that it does not
    /// take part in. They are carried in as many parts as their own series ask for, none but the last below `shortest`. Exact flows know all that a field
    /// can do.
    pub(crate) fn flow(
        &mut self,
        index: usize,
        taylor: &Taylor,
        (order, length, shortest): (usize, f64, f64),
        landing: Option<Landing>,
    ) {
        let (mut order, mut landing) = (order, landing);
        let mut left = length;
        let exact = matches!(&self.modes[index], Some(DualMode { exact: Some(_), .. }));
        loop {
            self.expand_finite(index, order);
            if exact {
                break;
            }
            let step = self.longest_step(index, taylor, landing).max(shortest);
            if step >= left || step.is_nan() {
                break;
            }
            if order < taylor.order {
                order = taylor.order;
                continue;
            }
            self.advance(index, Number4::constant(step));
            left -= step;
            if let Some(landing) = &mut landing {
                // The surface that was left is far by now.
                landing.vanishing = 0;
            }
        }
        let mut time = Number4::constant(left);
        if let (Some(landing), Some(series)) = (landing, self.series(index)) {
            time.tangent = landing.change(series.output(landing.output), left);
        }
        self.advance(index, time);
        self.delay(time.tangent);
    }

    /// The clock of the neighbours is moved on by so much more.
    pub(crate) fn delay(&mut self, change: [f64; LANES]) {
        for (clock, change) in self.clock.iter_mut().zip(change) {
            *clock += change;
        }
    }

    /// Flows over cells of the grid, from a point of it, for a length; the phase at the end is `landed`.
    ///
    /// A perturbation may need another grid than the motion, as that of an amplitude which is zero: it then takes Taylor steps.
    pub(crate) fn flow_over_cells(
        &mut self,
        index: usize,
        taylor: &Taylor,
        (first, cells): (usize, usize),
        (length, landed): (f64, f64),
    ) {
        let Some(phase) = self.modes[index].as_ref().and_then(|mode| mode.exact.as_ref()).map(|exact| exact.moving)
        else {
            self.flow(index, taylor, (taylor.order, length, SHORTEST * length), None);
            return;
        };
        let neighbours = self.state.get(phase).map_or([0.0; LANES], |phase| phase.tangent);
        let exact = self.modes[index].as_ref().and_then(|mode| mode.exact.as_ref());
        if let Some((circle, origin)) = exact.and_then(|exact| Some((exact.circle?, exact.origin))) {
            // The neighbours begin at the same phase, a little earlier or later.
            let turns = (self.state[phase].value - origin.value) / circle.period.value;
            let grid = circle.period.tangent.map(|moved| turns * moved);
            let late = std::array::from_fn(|m| (grid[m] - neighbours[m]) / circle.rate.value);
            if late != [0.0; LANES] {
                self.expand(index, 1);
                let Some(DualMode { series, .. }) = &self.modes[index] else { return };
                for (i, x) in self.state.iter_mut().enumerate() {
                    let rate = series.state(i)[1].value;
                    x.tangent.iter_mut().zip(late).for_each(|(tangent, late)| *tangent += rate * late);
                }
                self.delay(late);
            }
        }
        let Some(DualMode { exact: Some(exact), .. }) = &self.modes[index] else { return };
        for cell in first..first + cells {
            exact.propagate(cell % exact.cells(), &self.state, &mut self.after);
            self.state[..phase].copy_from_slice(&self.after[..phase]);
        }
        let longer = exact.cell.tangent.map(|moved| cells as f64 * moved);
        if let Some(circle) = &exact.circle {
            let turns = (landed - exact.origin.value) / circle.period.value;
            self.state[phase] = Dual { value: landed, tangent: circle.period.tangent.map(|moved| turns * moved) };
        }
        self.delay(longer);
    }

    /// How far the series of all derivatives serve that were expanded last. Derivatives that do not exist any more ask for nothing.
    pub(crate) fn longest_step(&mut self, index: usize, taylor: &Taylor, landing: Option<Landing>) -> f64 {
        let Some(DualMode { series, .. }) = &self.modes[index] else { return f64::INFINITY };
        longest_step_of_derivatives((series, &self.state), taylor, landing, &mut self.series)
    }

    /// Moves along the jet that was expanded last.
    pub(crate) fn advance(&mut self, index: usize, time: Number4) {
        let Some(DualMode { series, .. }) = &self.modes[index] else { return };
        for (i, x) in self.state.iter_mut().enumerate() {
            *x = series.state(i).iter().rev().fold(Number4::ZERO, |value, &c| value * time + c);
        }
    }
}

/// How far the series of all derivatives at a state serve. Derivatives that do not exist any more ask for nothing.
pub(super) fn longest_step_of_derivatives(
    (series, state): (&Expansion<Number4>, &[Number4]),
    taylor: &Taylor,
    landing: Option<Landing>,
    room: &mut Vec<f64>,
) -> f64 {
    let states = (0..state.len()).map(|i| (series.state(i), 0));
    let output = landing.map(|landing| (series.output(landing.output), landing.vanishing));
    let exists = |m: &usize| state.iter().all(|x| x.tangent[*m].is_finite());
    let mut step = f64::INFINITY;
    for (row, vanishing) in states.chain(output) {
        for m in (0..LANES).filter(exists) {
            room.clear();
            room.extend(row.iter().map(|c| c.tangent[m]));
            let low = vanishing.min(room.len());
            room[..low].fill(0.0);
            step = step.min(taylor.longest_step(room));
        }
    }
    step
}

impl Landing {
    /// dL = -dq(L)/q'(L) for the quotient q of the output by the power of the step variable that it contains.
    pub(super) fn change(&self, row: &[Number4], length: f64) -> [f64; LANES] {
        let low = self.vanishing.min(row.len() - 1);
        let (mut slope, mut value) = (0.0, 0.0);
        let mut change = [0.0; LANES];
        for c in row[low..].iter().rev() {
            slope = slope * length + value;
            value = value * length + c.value;
            for (sum, tangent) in change.iter_mut().zip(c.tangent) {
                *sum = *sum * length + tangent;
            }
        }
        if !self.obeyed {
            for (i, c) in row[..low].iter().enumerate() {
                let power = length.powi(i as i32 - low as i32);
                for (sum, tangent) in change.iter_mut().zip(c.tangent) {
                    *sum += tangent * power;
                }
            }
        }
        change.map(|x| if x == 0.0 { 0.0 } else { -x / slope })
    }
}
