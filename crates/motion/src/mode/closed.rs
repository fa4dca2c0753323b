//! Sets of closed contacts, each sticking or slipping in a direction: the discrete state of a motion, one bit per contact.

/// The direction in which a closed contact slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slip {
    /// g_T' > 0.
    Forward,
    /// g_T' < 0.
    Backward,
}

impl Slip {
    /// Both directions.
    pub const BOTH: [Slip; 2] = [Slip::Forward, Slip::Backward];

    /// sgn g_T'.
    pub fn sign(self) -> f64 {
        match self {
            Slip::Forward => 1.0,
            Slip::Backward => -1.0,
        }
    }

    /// The direction of a speed that is not zero.
    pub fn of(speed: f64) -> Slip {
        if speed < 0.0 { Slip::Backward } else { Slip::Forward }
    }
}

/// How many words of 64 bits a set of contacts has.
const WORDS: usize = 4;

/// A set of contacts, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Bits([u64; WORDS]);

impl Bits {
    const NONE: Bits = Bits([0; WORDS]);

    fn contains(&self, contact: usize) -> bool {
        self.0[contact / 64] >> (contact % 64) & 1 == 1
    }

    fn insert(&mut self, contact: usize) {
        self.0[contact / 64] |= 1 << (contact % 64);
    }

    fn remove(&mut self, contact: usize) {
        self.0[contact / 64] &= !(1 << (contact % 64));
    }

    fn is_empty(&self) -> bool {
        *self == Bits::NONE
    }
}

/// A set of closed contacts, and which of them slip; one bit each.
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

    /// Whether the contact is closed.
    pub fn contains(self, contact: usize) -> bool {
        self.closed.contains(contact)
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
        match (self.forward.contains(contact), self.backward.contains(contact)) {
            (true, _) => Some(Slip::Forward),
            (_, true) => Some(Slip::Backward),
            _ => None,
        }
    }

    /// Whether any contact slips.
    pub fn slips(self) -> bool {
        !self.forward.is_empty() || !self.backward.is_empty()
    }

    /// This set without the contact.
    pub fn without(self, contact: usize) -> ClosedSet {
        let mut set = self;
        [&mut set.closed, &mut set.forward, &mut set.backward].into_iter().for_each(|bits| bits.remove(contact));
        set
    }

    /// Whether no contact is closed.
    pub fn is_empty(self) -> bool {
        self.closed.is_empty()
    }

    /// The closed contacts in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let (mut rest, mut word) = (self.closed.0, 0);
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
