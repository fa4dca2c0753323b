//! A mode with the parameters bound and room for its jets, and the modes that a motion keeps.

use std::ops::Range;
use std::sync::Arc;

use saltation_expr::{Jet, Remainder, Root, Tape};

use saltation_numerics::rounded::Rounded;

use super::closed::ClosedSet;
use super::compiled::Mode;
use super::constraint::{Constraint, Limit};
use super::expansion::Expansion;
use crate::flow::arrival::{roots_at_end, zero_ahead};
use crate::flow::linear::{KeptForm, Linear};
use crate::flow::taylor::Taylor;
use crate::trajectory::horner;

/// A mode ready to run: its tape with the parameters bound, and room for its jets.
#[derive(Debug, Clone)]
pub(crate) struct BoundMode {
    pub closed: ClosedSet,
    /// The polynomials of a step.
    pub series: Expansion,
    /// The outputs whose roots matter: all but the gaps of closed contacts, which are zero.
    pub watched: Vec<usize>,
    /// What friction and switches keep above zero.
    pub limits: Vec<Limit>,
    /// Constraints without a force, because they hold by the others.
    pub redundant: Vec<Constraint>,
    /// Constraints that hold because others do, with the outputs that then stay zero: gaps and slip speeds.
    pub still: Vec<(Constraint, usize)>,
    /// The output that vanishes where the forces of slip grow without bound.
    pub singular: Option<usize>,
    /// Coefficients of friction of closed contacts that depend on the state, by their outputs.
    pub coefficients: Vec<(usize, usize)>,
    /// The lookups of tables with arguments that move, and these among the outputs.
    pub lookups: Vec<(u32, usize)>,
    /// The change of the states that leads back to the constraints of the body and to the surfaces along which the motion slides.
    pub correction: Option<Expansion>,
    /// Room for the same with the sizes of all terms.
    pub(super) sized_correction: Option<Box<Expansion<Rounded>>>,
    /// Whether a state stands in what complementarities keep at zero; empty where they keep nothing.
    pub kept: Vec<bool>,
    /// Whether there are roots in its formulas.
    pub has_roots: bool,
    /// The roots that stay at zero, and that its formulas do not have.
    pub without: Vec<Root>,
    /// Room for the few orders by which single points are judged.
    pub probe: Jet<f64>,
    /// Room for the same with the sizes of all terms.
    pub(crate) sized: Option<Box<Expansion<Rounded>>>,
    /// Room for what the series of a step leave out.
    pub remainder: Remainder,
    /// The coefficients of the mode if it is linear, and its exact flow if that is used.
    pub linear_form: Option<Arc<KeptForm>>,
    pub linear: Option<Box<Linear>>,
    /// How many modes had been entered when this one was last.
    pub entered: u64,
}

/// The modes that a motion keeps have so many rows of coefficients together: many bodies have more modes than memory holds.
const MOST_ROWS: usize = 1 << 17;

/// Below this A, relative to its value without friction, slip is about to lose its finite forces.
pub(crate) const NEAR_SINGULAR: f64 = 1e-6;
/// Below this one steps in time may fail because of that.
const FAR_SINGULAR: f64 = 1e-2;

/// A step to a surface ends this much beyond it, so that it is crossed.
const BEYOND: f64 = 1.0 + 1e-9;

/// The outputs whose roots matter: all but the gaps of closed contacts, which are zero, and the forces of constraints, which may have any sign.
pub(crate) fn watched(tape: &Tape, closed: ClosedSet, contacts: usize, constraint_forces: &Range<usize>) -> Vec<usize> {
    let gap = |o: usize| o < contacts && closed.contains(o);
    (0..tape.outputs()).filter(|o| !gap(*o) && !constraint_forces.contains(o)).collect()
}

impl BoundMode {
    /// A compiled mode at values of the parameters; the exact flow of a linear one is for the caller to bind.
    pub(crate) fn new(mode: Mode, redundant: Vec<Constraint>, parameters: &[f64], contacts: usize) -> BoundMode {
        let Mode { closed, tape, limits, still, singular, coefficients, correction, lookups, .. } = mode;
        let (linear_form, constraint_forces, kept) = (mode.linear, mode.constraint_forces, mode.kept);
        let (series, probe, remainder) = (Expansion::new(&tape, parameters), Jet::new(&tape), Remainder::default());
        let watched = watched(&tape, closed, contacts, &constraint_forces);
        BoundMode {
            closed,
            watched,
            redundant,
            limits,
            still,
            singular,
            coefficients,
            lookups,
            correction: correction.map(|tape| Expansion::new(&tape, parameters)),
            sized_correction: None,
            kept,
            has_roots: series.tape.has_roots(),
            without: Vec::new(),
            series,
            probe,
            sized: None,
            remainder,
            linear_form,
            linear: None,
            entered: 0,
        }
    }

    /// Holds pieces of tables in all its formulas.
    pub(crate) fn hold(&mut self, pieces: &[Option<i64>]) {
        if !self.tape().has_lookups() {
            return;
        }
        self.series.hold(pieces);
        self.sized.iter_mut().for_each(|sized| sized.hold(pieces));
    }

    /// What friction keeps above zero.
    pub(crate) fn friction_limits(&self) -> impl Iterator<Item = &Limit> {
        self.limits.iter().filter(|limit| ClosedSet::switch(limit.contact).is_none())
    }

    /// The rates and outputs of the mode.
    pub(crate) fn tape(&self) -> &Tape {
        &self.series.tape
    }

    /// The polynomial of a state on the step.
    pub(crate) fn state(&self, state: usize) -> &[f64] {
        self.series.state(state)
    }

    /// The polynomial of an output on the step.
    pub(crate) fn output(&self, output: usize) -> &[f64] {
        self.series.output(output)
    }

    /// The order of the polynomials.
    pub(crate) fn order(&self) -> usize {
        self.series.jet.order()
    }

    /// The coefficients of a state where the mode was probed last.
    pub(crate) fn probed_state(&self, state: usize) -> &[f64] {
        self.probe.state(state)
    }

    /// The coefficients of an output where the mode was probed last.
    pub(crate) fn probed(&self, output: usize) -> &[f64] {
        self.probe.output(&self.series.tape, output)
    }

    /// A measure of the memory of the mode: rows of its jets.
    fn rows(&self) -> usize {
        self.tape().len() + self.tape().outputs() + self.tape().states()
    }

    /// Whether slip is about to lose its finite forces at the start of the jet: the rest of the way is taken in another time.
    pub(crate) fn is_near_singular(&self) -> bool {
        self.is_nearer_than(NEAR_SINGULAR)
    }

    /// The same for a step in time that cannot be made, because coefficients leave the range of numbers.
    pub(crate) fn fails_near_singular(&self) -> bool {
        self.is_nearer_than(FAR_SINGULAR)
    }

    fn is_nearer_than(&self, bound: f64) -> bool {
        let Some(output) = self.singular else { return false };
        let row = self.output(output);
        row[0].abs() <= bound && row[0] * row[1] < 0.0
    }

    /// The motion through a state, expanded with the sizes of all terms.
    pub(crate) fn expand_sized(&mut self, parameters: &[f64], state: &[Rounded], order: usize) -> &Expansion<Rounded> {
        let sized = self.sized(parameters);
        sized.expand(state, order);
        sized
    }

    /// The change of a state that leads back to what the mode keeps, and what follows it, with the sizes of all terms.
    pub(crate) fn correct_sized(&mut self, parameters: &[f64], state: &[Rounded]) -> Option<&Expansion<Rounded>> {
        let tape = &self.correction.as_ref()?.tape;
        let sized = self.sized_correction.get_or_insert_with(|| {
            let parameters: Vec<Rounded> = parameters.iter().map(|&p| Rounded::new(p)).collect();
            Box::new(Expansion::new(tape, &parameters))
        });
        sized.expand(state, 0);
        Some(sized)
    }

    /// The value of an output of what was expanded last with the sizes of all terms; zero before.
    pub(crate) fn expanded_sized(&self, output: usize) -> Rounded {
        self.sized.as_ref().map_or(Rounded::new(0.0), |sized| sized.output(output)[0])
    }

    /// What was expanded last with the sizes of all terms.
    pub(super) fn sized(&mut self, parameters: &[f64]) -> &mut Expansion<Rounded> {
        let tape = &self.series.tape;
        self.sized.get_or_insert_with(|| {
            let parameters: Vec<Rounded> = parameters.iter().map(|&p| Rounded::new(p)).collect();
            let mut sized = Expansion::new(tape, &parameters);
            sized.hold_like(&self.series);
            Box::new(sized)
        })
    }

    /// What stands under square roots and is zero at a state, to within the rounding of what the states have been.
    pub(crate) fn roots_at_zero(&mut self, parameters: &[f64], state: &[f64], widest: &[f64]) -> Vec<Root> {
        let sizes = state.iter().zip(widest);
        let data: Vec<Rounded> = sizes.map(|(&value, &size)| Rounded { value, size: size.max(value.abs()) }).collect();
        // Rows of rates are known from the first order on.
        let Expansion { tape, jet, .. } = self.expand_sized(parameters, &data, 1);
        tape.roots_at_zero(jet, Rounded::is_rounding)
    }

    /// Whether steps are as short as a length because a square root was zero just before.
    pub(crate) fn has_left_root(&self, length: f64) -> bool {
        self.has_roots && self.series.tape.has_left_root(&self.series.jet, length)
    }

    /// The length of a step that ends on the surface of a switch on which roots vanish; `served` is how far the series serves otherwise,
    /// `start` the time where it begins, and `widest` how large states have been.
    pub(crate) fn arrival(&mut self, taylor: &Taylor, (served, start): (f64, f64), widest: &[f64]) -> Option<f64> {
        let surfaces = self.limits.iter().filter(|limit| ClosedSet::switch(limit.contact).is_some());
        let zeros = surfaces.filter_map(|limit| Some((zero_ahead(self.output(limit.output))?, limit.output)));
        let (zero, output) = zeros.min_by(|a, b| a.0.total_cmp(&b.0))?;
        if !(served <= zero && taylor.knows_zero(self.output(output), zero, start)) {
            return None;
        }
        let Expansion { tape, slots, jet } = &self.series;
        let formulas = (&**tape, &slots[..], &self.watched[..]);
        taylor.arrives(formulas, (jet, &mut self.remainder), (zero, widest)).then_some(BEYOND * zero)
    }

    /// The length of a step, at most `longest`, at whose end roots come to zero at rest.
    pub(crate) fn rest_ahead(
        &mut self,
        taylor: &Taylor,
        parameters: &[f64],
        (served, longest, widest): (f64, f64, &[f64]),
    ) -> Option<f64> {
        let Expansion { tape, slots, jet } = &self.series;
        let formulas = (&**tape, &slots[..], &self.watched[..]);
        let length = taylor.comes_to_rest(formulas, (jet, &mut self.remainder), (served, longest, widest))?;
        // What stands under them is zero there indeed, and not only by their series, which know nothing of a singularity beside the way.
        let roots = roots_at_end(tape, jet, length);
        let end = |(i, &size): (usize, &f64)| {
            let value = horner(self.series.state(i), length);
            Rounded { value, size: size.max(value.abs()) }
        };
        let data: Vec<Rounded> = widest.iter().enumerate().map(end).collect();
        let Expansion { tape, jet, .. } = self.expand_sized(parameters, &data, 1);
        let vanishes = |c: Rounded| c.value.abs() <= taylor.step_tolerance() * c.size;
        roots.iter().all(|zero| vanishes(tape.under_root(jet, zero.root)[0])).then_some(length)
    }

    /// Expands the motion through a state to a low order, apart from the polynomials of the step.
    pub(crate) fn probe(&mut self, state: &[f64], order: usize) {
        self.series.tape.expand(&self.series.slots, state, order, &mut self.probe);
    }

    /// Begins the polynomials of a step from a state with a low order.
    pub(crate) fn begin(&mut self, state: &[f64], order: usize) {
        let Expansion { tape, slots, jet } = &mut self.series;
        tape.begin(state, jet);
        tape.raise(slots, jet, order);
    }
}

/// The modes that a motion keeps, bound to its parameters, and the one that it is in.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoundModes {
    pub list: Vec<BoundMode>,
    /// The position of the present mode.
    pub current: usize,
    /// How many modes have been entered so far.
    entries: u64,
}

impl BoundModes {
    /// How many modes have been entered so far.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The present mode.
    pub(crate) fn now(&self) -> &BoundMode {
        &self.list[self.current]
    }

    /// The present mode.
    pub(crate) fn now_mut(&mut self) -> &mut BoundMode {
        &mut self.list[self.current]
    }

    /// Makes the first known mode with a property the present one; whether there is one.
    pub(crate) fn enter_known(&mut self, wanted: impl Fn(&BoundMode) -> bool) -> bool {
        let known = self.list.iter().position(wanted);
        known.into_iter().for_each(|place| self.enter(place));
        known.is_some()
    }

    /// Makes a mode the present one.
    fn enter(&mut self, place: usize) {
        self.entries += 1;
        self.list[place].entered = self.entries;
        self.current = place;
    }

    /// Keeps a new mode and makes it the present one. If there are too many it takes the place of that which was entered longest ago; flight, the
    /// present mode and those that `stays` names keep theirs. The place that another mode has lost.
    pub(crate) fn insert(&mut self, mode: BoundMode, stays: impl Fn(usize) -> bool) -> Option<usize> {
        let all = mode.rows() + self.list.iter().map(BoundMode::rows).sum::<usize>();
        let stays = |place: usize| [0, self.current].contains(&place) || stays(place);
        let others = (0..self.list.len()).filter(|&place| all > MOST_ROWS && !stays(place));
        let lost = others.min_by_key(|&place| self.list[place].entered);
        let place = lost.unwrap_or(self.list.len());
        match lost {
            Some(place) => self.list[place] = mode,
            None => self.list.push(mode),
        }
        self.enter(place);
        lost
    }
}
