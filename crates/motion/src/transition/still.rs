//! Motions that come to where roots vanish at rest, and stay there.

use saltation_expr::Root;

use crate::ended::Ended;
use crate::flow::arrival::{rest_of, roots_at_end};
use crate::locate::cause::Cause;
use crate::locate::first_event::Found;
use crate::locate::polynomials::size_on;
use crate::mode::bound::BoundMode;
use crate::mode::{Bound, ClosedSet, Sides};
use crate::settings::Policy;
use crate::trajectory::horner;
use crate::transition::automaton::Automaton;

/// Whether roots stay at zero from a state on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stillness {
    /// None does.
    Moves,
    /// Some do, and the present mode is one without them.
    Stays,
    /// They stay or leave: there are several motions.
    Open,
}

impl Automaton<'_> {
    /// Enters the mode without the roots that stay at zero from the present state on, if it is the only motion.
    pub(crate) fn enter_still(&mut self) -> Stillness {
        let data = self.widest_data();
        let mode = self.modes.now_mut();
        let Some(still) = mode.vanishing_roots(&self.parameters, &data) else { return Stillness::Moves };
        let roots = [&mode.without[..], &still.roots].concat();
        let (closed, redundant) = (mode.closed, mode.redundant.clone());
        let known = self
            .modes
            .enter_known(|mode| mode.closed == closed && mode.redundant == redundant && mode.without == roots);
        if !known {
            let mode = self.modes.now().without_roots(roots, &self.parameters);
            self.keep_mode(mode);
        }
        let chosen = self.settings.policy == Policy::Slide;
        if still.leaves && !chosen { Stillness::Open } else { Stillness::Stays }
    }

    /// Leaves a mode without roots where what stands under them does not stay at zero, as after a jump.
    pub(crate) fn keep_still(&mut self) {
        if self.modes.now().without.is_empty() {
            return;
        }
        let data = self.widest_data();
        let mode = self.modes.now_mut();
        if mode.keeps_still(&self.parameters, &data) {
            return;
        }
        let (closed, redundant, vanishing) = (mode.closed, mode.redundant.clone(), self.departures.vanishing.clone());
        self.enter_mode_without(closed, redundant);
        self.departures.vanishing = vanishing;
    }

    /// How a motion ends that may stay where it is or leave: on which sides of switches.
    pub(crate) fn several_motions(&mut self) -> Option<Ended> {
        let switches = self.zero_surfaces();
        let sides: Sides = self.now.sides;
        (!switches.is_empty()).then(|| Ended::NotUnique { switches, modes: vec![sides] })
    }

    /// What was found on a step at whose end roots come to zero at rest: the surface of a switch that is only touched there is not crossed before.
    pub(crate) fn touching(&self, found: Found, length: f64) -> Found {
        let Cause::Limit(limit) = found.cause else { return found };
        let row = self.modes.now().output(limit.output);
        let touches = ClosedSet::switch(limit.contact).is_some()
            && matches!(limit.kind, Bound::Speed | Bound::Surface)
            && horner(row, length).abs() <= rest_of(row, length).max(self.settings.tolerance * size_on(row, length));
        if touches { Found { end: length, cause: Cause::None, ..found } } else { found }
    }

    /// The steps that roots allow have become too short to advance time: whether the trajectory has come to where they are zero at rest.
    pub(crate) fn has_come_to_rest(&mut self) -> bool {
        let mode = self.modes.now_mut();
        if !mode.has_roots {
            return false;
        }
        let roots = mode.roots_at_zero(&self.parameters, &self.now.state, &self.known.extent.widest);
        let data = self.widest_data();
        let mode = self.modes.now_mut();
        let stays = mode
            .vanishing_roots(&self.parameters, &data)
            .is_some_and(|still| !roots.is_empty() && still.roots == roots);
        if stays {
            self.empty(&roots);
            self.lose_derivatives();
        }
        stays
    }

    /// Puts the state where what stands under some roots is zero, by one step of Newton's method along each gradient, by changes that are alike beside what
    /// states have been.
    fn empty(&mut self, roots: &[Root]) {
        let widest: Vec<f64> = self.widest_data().iter().map(|x| x.size).collect();
        let BoundMode { series, probe, .. } = self.modes.now_mut();
        for &root in roots {
            let gradient = series.tape.gradient_under_root(&series.slots, &self.now.state, root, probe);
            let value = series.tape.under_root(probe, root)[0];
            let square: f64 = gradient.iter().zip(&widest).map(|(g, size)| (g * size).powi(2)).sum();
            if square > 0.0 && square.is_finite() && value.is_finite() {
                for ((x, g), size) in
                    self.now.state.iter_mut().zip(&gradient).zip(&widest).filter(|((_, g), _)| **g != 0.0)
                {
                    *x -= (g * size).powi(2) / square * (value / g);
                }
            }
        }
    }

    /// The motion has come to where roots are zero at rest, at the end of a step of this length: it is put there, and switches that are zero with them are
    /// decided.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(crate) fn rest_roots(&mut self, length: f64) -> Result<(), Ended> {
        let mode = self.modes.now();
        let zeros = roots_at_end(mode.tape(), &mode.series.jet, length);
        // With other powers than 1/2, 2/3, 3/4 ... the trajectory has no derivatives there that its series would show.
        let smooth = zeros.iter().all(|zero| {
            let order = 1.0 / (1.0 - zero.exponent);
            (order - order.round()).abs() <= f64::EPSILON * order * order
        });
        let roots: Vec<Root> = zeros.iter().map(|zero| zero.root).collect();
        self.empty(&roots);
        if !smooth {
            self.lose_derivatives();
        }
        self.stay()
    }

    /// The motion is where roots are zero at rest, and switches with them.
    ///
    /// # Errors
    /// No mode obeys the field, or several do.
    pub(crate) fn stay(&mut self) -> Result<(), Ended> {
        self.touch()?;
        match self.modes.now().without.is_empty().then(|| self.enter_still()) {
            Some(Stillness::Open) => self.several_motions().map_or(Ok(()), Err),
            _ => Ok(()),
        }
    }
}
