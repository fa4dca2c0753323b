//! Pseudorandom numbers: the generator SplitMix64 of Vigna, one stream for each member of a family.

/// A stream of numbers.
///
/// ```
/// use adversary::Dice;
/// let (mut one, mut same, mut other) = (Dice::of("discs", 7, 3), Dice::of("discs", 7, 3), Dice::of("discs", 7, 4));
/// let first = one.unit();
/// assert_eq!(first, same.unit());
/// assert_ne!(first, other.unit());
/// ```
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// The stream of the member `index` of a family.
    pub fn of(family: &str, seed: u64, index: u64) -> Dice {
        let mut dice = Dice(seed);
        for word in family.bytes().map(u64::from).chain([index]) {
            dice.0 = dice.next() ^ word;
        }
        dice
    }

    /// 64 bits.
    #[allow(clippy::should_implement_trait)] // a stream without end is no iterator of options
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two positive numbers, uniform in the logarithm.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// One of 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// One of a list.
    pub fn of_list<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}
