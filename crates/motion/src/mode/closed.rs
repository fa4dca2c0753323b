//! Sets of closed contacts, each sticking or slipping in a direction, with the sides of switches: the discrete state of a motion.
//!
//! Both are set-valued laws of one kind. A switch is an *element* like a contact that never opens: its function s is the speed of slip, sliding along
//! s = 0 is its stick, and the bounds |sigma| <= 1 are the edges of its cone. So elements are contacts, and after them switches.
//!
//! Where several elements hold one motion, their forces are one choice of many. The corners of what they may choose have elements at the static limit of their friction, without slip: these are *limiting*.

use saltation_model::MOST_SWITCHES;

use super::sides::{Side, Sides};
use super::slip::Slip;

/// How many words of 64 bits a set of contacts has; one more is that of switches.
const WORDS: usize = 4;

const _: () = assert!(MOST_SWITCHES <= 64, "one bit for every switch");

/// A set of contacts and switches, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Bits([u64; WORDS + 1]);

impl Bits {
    const NONE: Bits = Bits([0; WORDS + 1]);

    fn contains(&self, contact: usize) -> bool {
        self.0[contact / 64] >> (contact % 64) & 1 == 1
    }

    fn insert(&mut self, contact: usize) {
        self.0[contact / 64] |= 1 << (contact % 64);
    }

    fn remove(&mut self, contact: usize) {
        self.0[contact / 64] &= !(1 << (contact % 64));
    }

    /// Whether it has no contact.
    fn has_no_contact(&self) -> bool {
        self.0[..WORDS] == [0; WORDS]
    }
}

/// A set of closed contacts, and which of them slip, one bit each; and the sides of switches. An element that is limiting has a direction and no bit of `closed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClosedSet {
    closed: Bits,
    forward: Bits,
    backward: Bits,
}

impl ClosedSet {
    /// Free flight: no contact is closed.
    pub const NONE: ClosedSet = ClosedSet { closed: Bits::NONE, forward: Bits::NONE, backward: Bits::NONE };
    /// The most contacts a system may have: one bit each.
    pub const LARGEST: usize = 64 * WORDS;

    /// A word of all its elements.
    #[inline]
    fn present(self, word: usize) -> u64 {
        self.closed.0[word] | self.forward.0[word] | self.backward.0[word]
    }

    /// The element that is a switch.
    pub fn element(switch: usize) -> usize {
        ClosedSet::LARGEST + switch
    }

    /// The switch that is an element, if it is one.
    pub fn switch(element: usize) -> Option<usize> {
        element.checked_sub(ClosedSet::LARGEST)
    }

    /// The sides of switches.
    pub fn sides(self) -> Sides {
        let [closed, forward, backward] = [self.closed, self.forward, self.backward].map(|bits| bits.0[WORDS]);
        Sides { positive: forward, negative: backward, sliding: closed ^ (forward | backward) }
    }

    /// The same contacts on other sides of switches.
    pub fn with_sides(self, sides: Sides) -> ClosedSet {
        let Sides { positive, negative, sliding } = sides;
        let mut set = self;
        set.closed.0[WORDS] = sliding ^ (positive | negative);
        (set.forward.0[WORDS], set.backward.0[WORDS]) = (positive, negative);
        set
    }

    /// The same contacts with a switch on another side.
    pub fn with_side(self, switch: usize, side: Side) -> ClosedSet {
        self.with_sides(self.sides().with(switch, side))
    }

    /// The sides of switches alone: flight.
    pub fn opened(self) -> ClosedSet {
        ClosedSet::NONE.with_sides(self.sides())
    }

    /// The contacts alone.
    pub fn contacts(self) -> ClosedSet {
        self.with_sides(Sides::NONE)
    }

    /// The closed contacts and all switches, in order.
    pub fn elements(self) -> impl Iterator<Item = usize> {
        let switches = self.present(WORDS);
        let switches = (0..MOST_SWITCHES).filter(move |k| switches >> k & 1 == 1).map(ClosedSet::element);
        self.iter().chain(switches)
    }

    /// Whether the contact is closed.
    pub fn contains(self, contact: usize) -> bool {
        self.present(contact / 64) >> (contact % 64) & 1 == 1
    }

    /// This set and the contact, closed without slip.
    pub fn with(self, contact: usize) -> ClosedSet {
        let mut set = self.without(contact);
        set.closed.insert(contact);
        set
    }

    /// This set and the contact, which slips.
    pub fn with_slip(self, contact: usize, slip: Slip) -> ClosedSet {
        let mut set = self.with(contact);
        match slip {
            Slip::Forward => set.forward.insert(contact),
            Slip::Backward => set.backward.insert(contact),
        }
        set
    }

    /// This set and the contact, which sticks at the static limit of its friction against slip in a direction, because others hold it.
    pub(crate) fn with_limiting(self, contact: usize, slip: Slip) -> ClosedSet {
        let mut set = self.with_slip(contact, slip);
        set.closed.remove(contact);
        set
    }

    /// Against which slip the friction of the contact is that sticks at its static limit.
    pub(crate) fn limiting(self, contact: usize) -> Option<Slip> {
        self.direction(contact).filter(|_| !self.closed.contains(contact))
    }

    /// This set and the contact, in the words of a mode: `stick`, `slip+` or `slip-`.
    pub fn with_word(self, contact: usize, word: &str) -> Option<ClosedSet> {
        match word {
            "stick" => Some(self.with(contact)),
            "slip+" => Some(self.with_slip(contact, Slip::Forward)),
            "slip-" => Some(self.with_slip(contact, Slip::Backward)),
            _ => None,
        }
    }

    /// How the contact slips, if it does.
    pub fn slip(self, contact: usize) -> Option<Slip> {
        self.direction(contact).filter(|_| self.closed.contains(contact))
    }

    /// The direction of slip against which its friction is the largest that it may be; none where the friction is what keeps the contact from slipping.
    pub(crate) fn direction(self, contact: usize) -> Option<Slip> {
        match (self.forward.contains(contact), self.backward.contains(contact)) {
            (true, _) => Some(Slip::Forward),
            (_, true) => Some(Slip::Backward),
            _ => None,
        }
    }

    /// Whether any contact slips.
    pub fn slips(self) -> bool {
        self.iter().any(|contact| self.slip(contact).is_some())
    }

    /// This set without the contact.
    pub fn without(self, contact: usize) -> ClosedSet {
        let mut set = self;
        [&mut set.closed, &mut set.forward, &mut set.backward].into_iter().for_each(|bits| bits.remove(contact));
        set
    }

    /// Whether no contact is closed.
    pub fn is_empty(self) -> bool {
        [self.closed, self.forward, self.backward].iter().all(|bits| bits.has_no_contact())
    }

    /// The closed contacts in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest: [u64; WORDS] = std::array::from_fn(|word| self.present(word));
        let mut word = 0;
        std::iter::from_fn(move || {
            while *rest.get(word)? == 0 {
                word += 1;
            }
            let first = rest[word].trailing_zeros() as usize;
            // Takes the lowest bit away.
            rest[word] &= rest[word] - 1;
            Some(64 * word + first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sticks_at_its_static_limit_is_closed_without_slip() {
        for slip in Slip::BOTH {
            let set = ClosedSet::NONE.with(3).with_limiting(200, slip).with_slip(7, slip);
            assert_eq!(set.iter().collect::<Vec<_>>(), [3, 7, 200]);
            assert_eq!((set.slip(200), set.limiting(200), set.direction(200)), (None, Some(slip), Some(slip)));
            assert_eq!((set.slip(7), set.limiting(7), set.limiting(3)), (Some(slip), None, None));
            assert!(set.contains(200) && !set.is_empty() && set != set.with(200));
            assert_eq!(set.with(200).slip(200), None);
            assert_eq!(set.without(200), ClosedSet::NONE.with(3).with_slip(7, slip));
            let sides = Sides::NONE.with(0, Side::Positive).with_limiting(1, slip).with(2, Side::Sliding);
            let set = set.with_sides(sides.with(3, Side::Negative));
            assert_eq!(set.sides(), sides.with(3, Side::Negative));
            assert_eq!(
                (set.sides().of(1), set.sides().limiting(1), set.sides().limiting(2)),
                (Side::Sliding, Some(slip), None)
            );
            assert_eq!(set.sides().holding().collect::<Vec<_>>(), [2]);
            assert_eq!(set.elements().count(), 7);
        }
    }
}
