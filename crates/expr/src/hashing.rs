//! Tables by node: a hash of one multiplication for keys that are small numbers, as the compilers of Firefox and Rust use it.
//!
//! The tables are never walked through in their own order, and formulas are no keys that somebody chooses to collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with a hash of one multiplication.
pub(crate) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Multiplied>>;

/// The hash: every number is added to the others turned by some bits, and the sum is multiplied.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Multiplied(u64);

impl Multiplied {
    /// 2^64 divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(Multiplied::FACTOR);
    }
}

impl Hasher for Multiplied {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(u64::from(byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        // Tables take the lowest bits, products have their best ones on top.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash, RandomState};

    /// How many of 64 Ki places are taken by the hashes of 64 Ki keys.
    fn taken<K: Hash>(builder: &impl BuildHasher, keys: impl Iterator<Item = K>) -> usize {
        keys.map(|key| builder.hash_one(key) & 0xffff).collect::<HashSet<u64>>().len()
    }

    #[test]
    fn neighbouring_keys_go_to_different_places() {
        let (ours, theirs) = (BuildHasherDefault::<Multiplied>::default(), RandomState::new());
        // Random places are 1 - 1/e of all.
        let pairs = || (0..256u32).flat_map(|a| (0..256u32).map(move |b| (2_u8, a, 1000 + b)));
        let numbers = || (0..65_536).map(|k| (f64::from(k) * 0.125).to_bits());
        for (ours, theirs) in
            [(taken(&ours, pairs()), taken(&theirs, pairs())), (taken(&ours, numbers()), taken(&theirs, numbers()))]
        {
            assert!(ours as f64 > 0.8 * theirs as f64, "{ours} of {theirs}");
        }
    }
}
