//! Closed contacts after a jump of the field or of the state: whether they stay closed, stick or slip, by their laws as they are now.
//!
//! Where a force, a coefficient of friction or the speed of a surface jumps, and where an event changes velocities, a contact that was pressed may be pulled, and one that
//! stuck may slip. All are decided together, with the switches that are zero, as after an impact (Leine & Brogliato, Sect. 1).

use saltation_numerics::rounded::Rounded;

use super::automaton::{Automaton, Surface};
use crate::ended::Ended;
use crate::event::EventKind;
use crate::instant::candidates::Met;
use crate::instant::knowledge::ROUNDING;
use crate::mode::Sides;

impl Automaton<'_> {
    /// The field or the state has jumped; `zero` are the switches at whose surfaces the state is, and `surfaces` those of closed contacts before a jump of the state. They
    /// are decided together; the sides of switches are those of `towards` where motions are the same on both.
    ///
    /// # Errors
    /// No mode obeys all laws.
    pub(super) fn decide_closed_after_jump(
        &mut self,
        zero: &[usize],
        surfaces: &[(usize, Surface)],
        towards: Sides,
    ) -> Result<(), Ended> {
        self.open_left_contacts(surfaces);
        let closed = self.closed();
        if closed.is_empty() {
            let nothing = zero.is_empty() && !self.has_complements();
            return if nothing { Ok(()) } else { self.decide_sides_towards(zero, None, towards) };
        }
        let state = self.now.state.clone();
        let pressed = self.with_slip(closed, &state);
        self.decide_with(pressed, closed, &Met { zero: zero.to_vec(), reached: None, towards })
    }

    /// The gaps and opening speeds of closed contacts.
    pub(crate) fn closed_surfaces(&mut self) -> Vec<(usize, Surface)> {
        self.closed().iter().map(|contact| (contact, self.sized_surface(contact))).collect()
    }

    /// The gap and the opening speed of a contact with the sizes of their terms.
    fn sized_surface(&mut self, contact: usize) -> Surface {
        let (gap, speed) = self.surface(contact);
        self.room.data.clear();
        self.room.data.extend(self.now.state.iter().map(|&x| Rounded::new(x)));
        let series = self.modes.now_mut().expand_sized(&self.parameters, &self.room.data, 1);
        let row = series.output(self.system.gap_output(contact));
        [Rounded { value: gap, size: row[0].size }, Rounded { value: speed, size: row[1].size }]
    }

    /// Contacts whose gap or opening speed a jump has changed are open.
    fn open_left_contacts(&mut self, before: &[(usize, Surface)]) {
        let closed = self.closed();
        let mut kept = closed;
        for &(contact, before) in before {
            let after = self.sized_surface(contact);
            if before.into_iter().zip(after).any(|(before, after)| (after - before).exceeds(ROUNDING)) {
                kept = kept.without(contact);
                self.report(EventKind::Release, Some(contact));
            }
        }
        if kept != closed {
            self.enter_mode(kept);
        }
    }
}
