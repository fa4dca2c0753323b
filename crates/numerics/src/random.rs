//! Numbers that look random and are the same at every run: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).

/// The step of the sequence, 2^64 over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scatters the bits of a number.
pub fn scattered(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in [0, 1) that belongs to a pair of indices, to be tried where any number will do; `salt` distinguishes uses.
///
/// ```
/// use saltation_numerics::random::of_pair;
/// assert_eq!(of_pair(3, 7, 1), of_pair(3, 7, 1));
/// assert_ne!(of_pair(3, 7, 1), of_pair(7, 3, 1));
/// ```
pub fn of_pair(first: u64, second: u64, salt: u64) -> f64 {
    unit(scattered((first << 32 | second).wrapping_mul(STEP).wrapping_add(salt)))
}

fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A sequence of numbers, from a seed.
///
/// ```
/// use saltation_numerics::random::Random;
/// let mut random = Random(1);
/// let (x, y) = (random.unit(), random.symmetric());
/// assert!((0.0..1.0).contains(&x) && (-1.0..1.0).contains(&y));
/// assert_eq!(Random(1).unit(), x);
/// ```
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// 64 bits.
    #[allow(clippy::should_implement_trait)] // a sequence without end is no iterator of options
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        scattered(self.0)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.next())
    }

    /// Uniform in [-1, 1).
    pub fn symmetric(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// One of 0..n; n must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// The k-th number of van der Corput's sequence in a base: its digits behind the point, the last one first.
pub fn van_der_corput(k: usize, base: usize) -> f64 {
    let (mut remainder, mut place, mut value) = (k, 1.0, 0.0);
    while remainder > 0 {
        place /= base as f64;
        value += place * (remainder % base) as f64;
        remainder /= base;
    }
    value
}
