//! A set of blocks: one bit for each.

/// The blocks of a plan that are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blocks {
    words: Vec<u64>,
}

impl Blocks {
    /// None of so many blocks.
    pub(super) fn none(all: u64) -> Blocks {
        Blocks { words: vec![0; all.div_ceil(64) as usize] }
    }

    /// Whether a block is in the set.
    pub(super) fn has(&self, block: u64) -> bool {
        self.words.get((block / 64) as usize).is_some_and(|word| word >> (block % 64) & 1 == 1)
    }

    /// Adds a block; one beyond the plan is ignored.
    pub(super) fn add(&mut self, block: u64) {
        if let Some(word) = self.words.get_mut((block / 64) as usize) {
            *word |= 1 << (block % 64);
        }
    }

    /// Removes a block.
    pub(super) fn remove(&mut self, block: u64) {
        if let Some(word) = self.words.get_mut((block / 64) as usize) {
            *word &= !(1 << (block % 64));
        }
    }

    /// The number of blocks in the set.
    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_added_and_removed() {
        let mut blocks = Blocks::none(70);
        for block in [0, 63, 64, 69, 1000] {
            blocks.add(block);
        }
        blocks.remove(63);
        blocks.remove(1000);
        assert_eq!((0..100).filter(|block| blocks.has(*block)).collect::<Vec<_>>(), [0, 64, 69]);
        assert_eq!(blocks.count(), 3);
    }
}
