//! On which side of every switch a motion is, or whether it slides along it.

use saltation_model::MOST_SWITCHES;

use super::slip::Slip;

/// Where a motion is with respect to one switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// s < 0.
    Negative,
    /// s = 0 for a while: sliding.
    Sliding,
    /// s > 0.
    Positive,
}

impl Side {
    /// Every possibility.
    pub const ALL: [Side; 3] = [Side::Negative, Side::Sliding, Side::Positive];

    /// The side of a value that is not zero.
    pub fn of(value: f64) -> Side {
        if value < 0.0 { Side::Negative } else { Side::Positive }
    }

    /// sgn s; none while sliding.
    pub fn sign(self) -> Option<f64> {
        match self {
            Side::Negative => Some(-1.0),
            Side::Sliding => None,
            Side::Positive => Some(1.0),
        }
    }

    /// The direction of slip that it is, s being the speed of slip; none while sliding.
    pub fn slip(self) -> Option<Slip> {
        match self {
            Side::Negative => Some(Slip::Backward),
            Side::Sliding => None,
            Side::Positive => Some(Slip::Forward),
        }
    }

    /// The side of a direction of slip.
    pub fn towards(slip: Slip) -> Side {
        match slip {
            Slip::Forward => Side::Positive,
            Slip::Backward => Side::Negative,
        }
    }

    /// What dry friction does on a side of its surface, which is zero slip.
    pub fn word(self) -> &'static str {
        match self {
            Side::Positive => "slip+",
            Side::Negative => "slip-",
            Side::Sliding => "stick",
        }
    }

    /// What a complementarity does on a side: its multiplier acts, or its value is not kept.
    pub fn complement(self) -> &'static str {
        match self {
            Side::Positive => "on",
            Side::Negative | Side::Sliding => "off",
        }
    }

    /// The side on which dry friction does this.
    pub fn of_word(word: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.word() == word)
    }

    /// The switch and its side in a word of a mode such as `belt:+` or `D1:on`, or `stick:brake` of dry friction; `find` knows the names of switches, `is_dry` those of dry friction,
    /// as contacts stick, too.
    pub fn in_word(
        word: &str,
        find: impl Fn(&str) -> Option<usize>,
        is_dry: impl Fn(&str) -> bool,
    ) -> Option<(usize, Side)> {
        let dry = |(what, name): (&str, &str)| {
            Some((find(name.trim()).filter(|_| is_dry(name.trim()))?, Side::of_word(what.trim())?))
        };
        let sided = |(name, side): (&str, &str)| {
            let named = |known: &Side| known.name() == side.trim();
            let complement = |known: &Side| *known != Side::Sliding && known.complement() == side.trim();
            let side = Side::ALL.into_iter().find(|known| named(known) || complement(known))?;
            Some((find(name.trim())?, side))
        };
        word.split_once(':').and_then(dry).or_else(|| word.rsplit_once(':').and_then(sided))
    }

    /// The word of modes.
    pub fn name(self) -> &'static str {
        match self {
            Side::Negative => "-",
            Side::Sliding => "slide",
            Side::Positive => "+",
        }
    }
}

/// The sides of all switches, one bit each. Dry friction at its static limit slides, and has the bit of the side to which it would leave as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sides {
    pub(super) positive: u64,
    pub(super) negative: u64,
    pub(super) sliding: u64,
}

impl Sides {
    /// Those of a system without switches.
    pub const NONE: Sides = Sides { positive: 0, negative: 0, sliding: 0 };

    /// Whether the side of a switch is known.
    pub fn knows(self, switch: usize) -> bool {
        (self.positive | self.negative | self.sliding) >> switch & 1 == 1
    }

    /// The side of a switch; negative if it is not known.
    pub fn of(self, switch: usize) -> Side {
        match (self.positive >> switch & 1 == 1, self.sliding >> switch & 1 == 1) {
            (_, true) => Side::Sliding,
            (true, _) => Side::Positive,
            _ => Side::Negative,
        }
    }

    /// The same with a switch on another side.
    pub fn with(self, switch: usize, side: Side) -> Sides {
        let bit = 1 << switch;
        let put = |bits: u64, own: Side| if side == own { bits | bit } else { bits & !bit };
        Sides {
            positive: put(self.positive, Side::Positive),
            negative: put(self.negative, Side::Negative),
            sliding: put(self.sliding, Side::Sliding),
        }
    }

    /// The same with dry friction that sticks at its static limit, because others hold it, against slip in a direction.
    pub(crate) fn with_limiting(self, switch: usize, slip: Slip) -> Sides {
        let mut sides = self.with(switch, Side::towards(slip));
        sides.sliding |= 1 << switch;
        sides
    }

    /// Against which slip the dry friction is that sticks at its static limit.
    pub(crate) fn limiting(self, switch: usize) -> Option<Slip> {
        let known = |bits: u64| bits >> switch & 1 == 1;
        match (known(self.sliding), known(self.positive), known(self.negative)) {
            (true, true, _) => Some(Slip::Forward),
            (true, _, true) => Some(Slip::Backward),
            _ => None,
        }
    }

    /// Whether the motion slides along any switch.
    pub fn slides(self) -> bool {
        self.sliding != 0
    }

    /// The switches along which it slides.
    pub fn sliding(self) -> impl Iterator<Item = usize> {
        (0..MOST_SWITCHES).filter(move |&switch| self.of(switch) == Side::Sliding)
    }

    /// Those of them whose multipliers keep it there.
    pub fn holding(self) -> impl Iterator<Item = usize> {
        self.sliding().filter(move |&switch| self.limiting(switch).is_none())
    }
}
