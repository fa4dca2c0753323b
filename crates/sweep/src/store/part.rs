//! The part of a plan that one machine computes: every `of`-th block, so that all parts have equal work.

use std::fmt;
use std::str::FromStr;

/// A part of a plan: `2/4` is the second of four. The whole is `1/1`.
///
/// ```
/// use saltation_sweep::store::Part;
/// let part: Part = "2/4".parse()?;
/// assert_eq!(part.blocks(10).collect::<Vec<_>>(), [1, 5, 9]);
/// assert!("5/4".parse::<Part>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    number: u64,
    of: u64,
}

impl Part {
    /// All blocks.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The part of this number, from 1, of so many; nothing if there is no such part.
    pub fn new(number: u64, of: u64) -> Option<Part> {
        (1..=of).contains(&number).then_some(Part { number, of })
    }

    /// Its number, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// The number of parts.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether a block belongs to it.
    pub fn holds(self, block: u64) -> bool {
        block % self.of == self.number - 1
    }

    /// Whether some block, of a plan of so many, belongs to both.
    pub(super) fn meets(self, other: Part, all: u64) -> bool {
        self.blocks(all).any(|block| other.holds(block))
    }

    /// Its blocks, of a plan of so many.
    pub fn blocks(self, all: u64) -> impl Iterator<Item = u64> {
        let Part { number, of } = self;
        std::iter::successors(Some(number - 1), move |block| block.checked_add(of))
            .take_while(move |block| *block < all)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').map(|(number, of)| (number.trim().parse(), of.trim().parse()));
        match numbers {
            Some((Ok(number), Ok(of))) => Part::new(number, of).ok_or(format!("there is no part {number} of {of}")),
            _ => Err(format!("`{text}` is not a part, such as 2/4 for the second of four")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_all_blocks() {
        for of in 1..6 {
            let mut blocks: Vec<u64> =
                (1..=of).filter_map(|n| Part::new(n, of)).flat_map(|part| part.blocks(13)).collect();
            blocks.sort_unstable();
            assert_eq!(blocks, (0..13).collect::<Vec<_>>());
        }
        let far = Part::new(u64::MAX, u64::MAX).unwrap();
        assert_eq!(far.blocks(u64::MAX).count(), 1);
    }

    #[test]
    fn parts_meet_where_they_have_a_block_in_common() {
        let part = |text: &str| text.parse::<Part>().unwrap();
        assert!(part("1/2").meets(part("3/4"), 10) && part("1/2").meets(part("2/3"), 10));
        assert!(!part("1/2").meets(part("2/4"), 10) && !part("1/2").meets(part("2/3"), 4));
    }

    #[test]
    fn texts_are_read() {
        assert_eq!("1/1".parse(), Ok(Part::WHOLE));
        assert_eq!(" 3 / 7 ".parse::<Part>().unwrap().to_string(), "3/7");
        for wrong in ["", "1", "0/4", "5/4", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
