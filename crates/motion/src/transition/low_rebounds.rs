//! Impacts that follow flights too low to be resolved, counted at every contact until one of its flights can be resolved again, with the
//! speeds that have become rounding.

use crate::instant::knowledge::SPENT;
use crate::mode::ClosedSet;
use crate::time::Time;

/// Such flights are nothing but rounding.
pub(super) const LOST: f64 = 2e-15;
/// Speeds this many times above rounding are rounding after a few more impacts.
pub(super) const NEARLY: f64 = 1e3;
/// So many impacts in a row after flights too low to be resolved are followed in any case, and at most.
const FEW: u32 = 8;
const MANY: u32 = 300;
/// So many without loss of a sixteenth of the speed are no sequence that converges: one that loses more has few enough until its speeds are rounding.
const STAGNANT: u32 = 64;
const LOSS: f64 = 1.0 / 16.0;
/// The same of several contacts whose impacts have no law together: a sequence that converges would have underflowed to rest.
const MOST: u32 = 2500;

/// What a contact has had of them.
#[derive(Debug, Clone, Default)]
struct Member {
    impacts: u32,
    /// The largest speed with which one of them has begun since the last resolved flight.
    first: f64,
    /// The speed of the first since the contact has come to rest, or of the last that was slower by `LOSS` than the one noted before.
    noted: f64,
    /// So many have followed that one.
    since: u32,
    /// The largest closing speed whose flight was nothing but rounding of the gap.
    lost: f64,
    /// The time at which the contact opened last.
    departed: Option<Time>,
    /// The time of the last of these impacts.
    latest: f64,
}

/// Impacts in a row that followed flights too low to be resolved, of every contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct LowRebounds {
    members: Vec<Member>,
    /// How fast the system has been at any impact, sqrt(v'Mv).
    fastest: f64,
}

impl LowRebounds {
    /// None so far, of so many contacts.
    pub(crate) fn new(contacts: usize) -> LowRebounds {
        LowRebounds { members: vec![Member::default(); contacts], fastest: 0.0 }
    }

    /// Nothing is known of any flight.
    pub(crate) fn forget(&mut self) {
        self.members.fill(Member::default());
        self.fastest = 0.0;
    }

    /// The system strikes at a pace; how fast it has been at any impact.
    pub(crate) fn strikes(&mut self, pace: f64) -> f64 {
        self.fastest = self.fastest.max(pace);
        self.fastest
    }

    /// How fast the system has been at any impact.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// A contact opens.
    pub(crate) fn departs(&mut self, contact: usize, time: Time) {
        self.members[contact].departed = Some(time);
    }

    /// How long a contact that closes has been open; infinite if it never opened.
    pub(crate) fn flight(&self, contact: usize, time: Time) -> f64 {
        self.members[contact].departed.map_or(f64::INFINITY, |departed| time.since(departed))
    }

    /// Impacts before a time belong to no crowd of the present.
    pub(crate) fn expire(&mut self, before: f64) {
        for contact in 0..self.members.len() {
            if self.members[contact].latest < before {
                self.leaves(contact);
            }
        }
    }

    /// A contact has come to rest: what follows as long as no flight is resolved is compared with the same speed.
    pub(crate) fn closes(&mut self, contact: usize) {
        let member = &mut self.members[contact];
        (member.impacts, member.since) = (0, 0);
    }

    /// A flight of a contact was resolved.
    pub(crate) fn leaves(&mut self, contact: usize) {
        let member = &mut self.members[contact];
        *member = Member { departed: member.departed, ..Member::default() };
    }

    /// An impact after a flight that was not resolved, with its time and closing speed; `lost` where the flight was nothing but
    /// rounding of the gap.
    pub(crate) fn count(&mut self, contact: usize, (time, speed): (f64, f64), lost: bool) {
        let member = &mut self.members[contact];
        member.latest = time;
        if member.impacts == 0 {
            member.first = member.first.max(speed.abs());
        }
        if member.impacts == 0 || speed.abs() <= (1.0 - LOSS) * member.noted {
            (member.noted, member.since) = (speed.abs(), 0);
        }
        member.impacts += 1;
        member.since += 1;
        member.lost = if lost { member.lost.max(speed.abs()) } else { 0.0 };
    }

    /// The contacts that had them.
    pub(crate) fn contacts(&self) -> ClosedSet {
        let crowded = self.members.iter().enumerate().filter(|(_, member)| member.impacts > 0);
        crowded.fold(ClosedSet::NONE, |set, (contact, _)| set.with(contact))
    }

    /// Whether a contact had a few.
    pub(crate) fn is_dense(&self, contact: usize) -> bool {
        self.members[contact].impacts > FEW
    }

    /// Whether it had so many that nothing is gained by following them.
    pub(crate) fn is_long(&self, contact: usize) -> bool {
        self.members[contact].impacts > MANY && self.is_stagnant(contact)
    }

    /// Whether a contact had many without becoming slower: the sequence does not converge.
    pub(crate) fn is_stagnant(&self, contact: usize) -> bool {
        self.members[contact].since > STAGNANT
    }

    /// The largest closing speed of a contact whose flight was nothing but rounding.
    pub(crate) fn lost(&self, contact: usize) -> f64 {
        self.members[contact].lost
    }

    /// Whether a contact flew as fast as that already and its flight was nothing but rounding.
    pub(crate) fn is_lost(&self, contact: usize, speed: f64) -> bool {
        speed.abs() <= self.lost(contact)
    }

    /// Whether those of several contacts do not end.
    pub(crate) fn is_endless(&self) -> bool {
        self.members.iter().map(|member| member.impacts).sum::<u32>() > MOST && self.contacts().iter().count() > 1
    }

    /// Below which speed what is left of the motion of a contact is rounding.
    pub(crate) fn rounding(&self, contact: usize) -> f64 {
        SPENT * self.members[contact].first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Impacts of one contact, each this much slower than the one before.
    fn impacts(low_rebounds: &mut LowRebounds, count: i32, ratio: f64) {
        (0..count).for_each(|k| low_rebounds.count(0, (1.0, -1e-7 * ratio.powi(k)), false));
    }

    #[test]
    fn impacts_that_lose_a_sixteenth_in_time_are_no_stagnant_sequence() {
        for (ratio, stagnant) in
            [(0.5, false), (0.99, false), (0.9985, false), (0.9995, true), (1.0, true), (1.001, true)]
        {
            let mut low_rebounds = LowRebounds::new(2);
            impacts(&mut low_rebounds, 1000, ratio);
            assert_eq!((low_rebounds.is_stagnant(0), low_rebounds.is_long(0)), (stagnant, stagnant), "{ratio}");
            assert!(low_rebounds.is_dense(0) && !low_rebounds.is_stagnant(1));
        }
    }

    #[test]
    fn a_contact_that_has_come_to_rest_begins_anew() {
        let mut low_rebounds = LowRebounds::new(1);
        impacts(&mut low_rebounds, 100, 1.0);
        assert!(low_rebounds.is_stagnant(0));
        low_rebounds.closes(0);
        assert!(!low_rebounds.is_stagnant(0) && low_rebounds.contacts().is_empty());
        // What is rounding is measured by the first speed of all.
        let rounding = low_rebounds.rounding(0);
        low_rebounds.count(0, (2.0, -1e-9), false);
        assert!(low_rebounds.rounding(0) == rounding && rounding > 0.0);
        low_rebounds.leaves(0);
        assert_eq!(low_rebounds.rounding(0), 0.0);
    }
}
