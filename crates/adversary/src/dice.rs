//! Pseudorandom numbers, one stream for each member of a family.

use saltation_numerics::random::Random;

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
pub struct Dice(Random);

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(Random(seed))
    }

    /// The stream of the member `index` of a family.
    pub fn of(family: &str, seed: u64, index: u64) -> Dice {
        let mut dice = Dice::new(seed);
        for word in family.bytes().map(u64::from).chain([index]) {
            dice = Dice::new(dice.next() ^ word);
        }
        dice
    }

    /// 64 bits.
    #[allow(clippy::should_implement_trait)] // a stream without end is no iterator of options
    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
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
