//! Closed contacts after a jump of the field or of the state: whether they stay closed, stick or slip, by their laws as they are now.
//!
//! Where a force, a coefficient of friction or the speed of a surface jumps, and where an event changes velocities, a contact that was pressed may be pulled, and one that
//! stuck may slip. A mode that still obeys its laws is kept. Otherwise contacts with friction are decided as after an impact (Leine & Brogliato, Sect. 1); a contact without friction
//! opens if its gap does so without the force.

use super::automaton::Automaton;
use super::border::Border;
use super::switch::ROUNDING;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::mode::{ClosedSet, Constraint};

impl Automaton<'_> {
    /// The field or the state has jumped, and the sides of switches are decided; `zero` are those at whose surfaces the state is.
    ///
    /// # Errors
    /// No mode obeys all laws.
    pub(super) fn decide_closed_anew(&mut self, zero: &[usize]) -> Result<(), Ended> {
        let before = self.closed();
        if before.is_empty() {
            return Ok(());
        }
        let of_switches = std::mem::take(&mut self.departures.vanishing);
        self.open_left_contacts();
        if self.closed() == before {
            match self.kept(before) {
                Kept::As(vanishing) => {
                    self.departures.vanishing = of_switches;
                    self.departures.vanishing.extend(vanishing);
                    return Ok(());
                }
                Kept::Not(pressed) if self.system.coupled => self.decide(pressed, before, &[])?,
                Kept::Not(_) => self.release_opening(),
            }
        } else if self.system.coupled && !self.closed().is_empty() {
            let closed = self.closed();
            let state = self.state.clone();
            let pressed = self.with_slip(closed, &state);
            self.decide(pressed, closed, &[])?;
        }
        let of_contacts = std::mem::take(&mut self.departures.vanishing);
        if !zero.is_empty() {
            self.decide_sides(zero, None)?;
        }
        self.departures.vanishing.extend(of_contacts);
        Ok(())
    }

    /// Contacts whose surface the state has left by a jump are open.
    fn open_left_contacts(&mut self) {
        let closed = self.closed();
        let size = self.state.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let stays = |automaton: &mut Self, contact: usize| {
            let (gap, speed) = automaton.surface(contact);
            gap.abs().max(speed.abs()) <= ROUNDING * size
        };
        let kept =
            closed.iter().fold(closed, |set, contact| if stays(self, contact) { set } else { set.without(contact) });
        if kept != closed {
            let left = closed.iter().filter(|&contact| !kept.contains(contact));
            left.for_each(|contact| _ = self.report(EventKind::Release, Some(contact)));
            self.enter_mode(kept);
        }
    }

    /// Whether the mode of the closed contacts obeys its laws.
    fn kept(&mut self, before: ClosedSet) -> Kept {
        if !self.system.coupled {
            let opens = before.iter().any(|contact| self.opens_without(contact).is_some());
            return if opens { Kept::Not(before) } else { Kept::As(Vec::new()) };
        }
        let idle = self.modes.now().idle.clone();
        let state = self.state.clone();
        let pressed = self.with_slip(before, &state);
        if pressed != before {
            return Kept::Not(pressed);
        }
        let normal = before.iter().map(Constraint::Normal);
        let stuck = before.iter().filter(|&contact| before.slip(contact).is_none()).map(Constraint::Tangential);
        let loaded: Vec<Constraint> = normal.chain(stuck).filter(|constraint| !idle.contains(constraint)).collect();
        let pace = self.pace();
        let next = self.consistent_mode(pressed, (before, &loaded), &pace, &Border::default(), false);
        self.enter_mode_without(before, idle);
        next.map_or(Kept::Not(pressed), |next| Kept::As(next.vanishing))
    }

    /// The order with which the gap of a closed contact without friction opens if it has no force.
    fn opens_without(&mut self, contact: usize) -> Option<usize> {
        let closed = self.closed();
        self.enter_mode(closed.without(contact));
        let motion = self.first_motion(contact, 2);
        self.enter_mode(closed);
        motion.and_then(|(order, opens)| opens.then_some(order))
    }

    /// Contacts without friction that open without their force have none.
    fn release_opening(&mut self) {
        self.forget_sequences();
        for contact in self.closed().iter() {
            let Some(order) = self.opens_without(contact) else { continue };
            self.report(EventKind::Release, Some(contact));
            self.enter_mode(self.closed().without(contact));
            self.departures.leaving[contact] = order;
        }
    }
}

/// What the laws say of contacts that were closed.
enum Kept {
    /// They stay in their mode; these outputs are zero, and rise with these orders.
    As(Vec<(usize, usize)>),
    /// Their mode ends; this is how they touch.
    Not(ClosedSet),
}
