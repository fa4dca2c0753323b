//! The starts of the motions of a sweep: that of the model, a grid of states, random states with a seed, or a list.

use crate::axis::Axis;
use serde::{Deserialize, Serialize};

/// The starts of a sweep.
///
/// ```
/// use saltation_sweep::Starts;
/// let ranges = vec![("x".to_string(), -1.0, 0.0), ("y".to_string(), -2.0, 2.0)];
/// let starts = Starts::Random { ranges, count: 100, seed: 7 };
/// assert_eq!(starts.start(42), starts.start(42)); // numbers belong to the start, not to who asks first
/// assert_ne!(starts.start(42), starts.start(43));
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Starts {
    /// That of the model.
    #[default]
    Model,
    /// All combinations of the values of some states, the first changing fastest.
    Grid(Vec<Axis>),
    /// Independent and uniform in ranges of states.
    Random {
        /// The states with the ends of their ranges.
        ranges: Vec<(String, f64, f64)>,
        /// The number of starts.
        count: u64,
        /// The seed.
        seed: u64,
    },
    /// Values of some states, the same states in every row.
    List {
        /// The states.
        states: Vec<String>,
        /// The rows.
        rows: Vec<Vec<f64>>,
    },
}

impl Starts {
    /// The number of starts.
    pub fn len(&self) -> u64 {
        match self {
            Starts::Model => 1,
            Starts::Grid(axes) => {
                let size = axes.iter().fold(1_u128, |product, axis| product.saturating_mul(u128::from(axis.len())));
                u64::try_from(size).unwrap_or(u64::MAX)
            }
            Starts::Random { count, .. } => *count,
            Starts::List { rows, .. } => rows.len() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The states that a start gives, in order.
    pub fn states(&self) -> Vec<&str> {
        match self {
            Starts::Model => Vec::new(),
            Starts::Grid(axes) => axes.iter().map(Axis::name).collect(),
            Starts::Random { ranges, .. } => ranges.iter().map(|(name, _, _)| name.as_str()).collect(),
            Starts::List { states, .. } => states.iter().map(String::as_str).collect(),
        }
    }

    /// The values of a start, by the names of the states.
    pub fn start(&self, position: u64) -> Vec<(String, f64)> {
        match self {
            Starts::Model => Vec::new(),
            Starts::Grid(axes) => {
                let mut rest = position;
                let value = |axis: &Axis| {
                    let value = axis.value(rest % axis.len());
                    rest /= axis.len();
                    (axis.name().to_string(), value)
                };
                axes.iter().map(value).collect()
            }
            Starts::Random { ranges, seed, .. } => {
                let among = |(i, (name, from, to)): (usize, &(String, f64, f64))| {
                    (name.clone(), from + (to - from) * uniform(*seed, position, i as u64))
                };
                ranges.iter().enumerate().map(among).collect()
            }
            Starts::List { states, rows } => {
                states.iter().cloned().zip(rows[position as usize].iter().copied()).collect()
            }
        }
    }
}

/// A number in [0, 1) that depends on the seed, the start and the state alone (SplitMix64; Steele, Lea & Flood, OOPSLA 2014).
fn uniform(seed: u64, start: u64, state: u64) -> f64 {
    let mixed = mix(mix(mix(seed).wrapping_add(start)).wrapping_add(state));
    // The upper 53 bits are the digits of a double.
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_fill_their_range_evenly() {
        let (mut sum, mut square, mut product) = (0.0, 0.0, 0.0);
        let count = 100_000;
        for start in 0..count {
            let (a, b) = (uniform(1, start, 0), uniform(1, start, 1));
            assert!((0.0..1.0).contains(&a));
            (sum, square, product) = (sum + a, square + a * a, product + (a - 0.5) * (b - 0.5));
        }
        let n = count as f64;
        // Four standard deviations.
        assert!((sum / n - 0.5).abs() < 4.0 / (12.0 * n).sqrt());
        assert!((square / n - 1.0 / 3.0).abs() < 4.0 * (4.0_f64 / 45.0 / n).sqrt());
        assert!((product / n).abs() < 4.0 / 12.0 / n.sqrt());
    }

    #[test]
    fn a_grid_has_all_combinations() {
        let axis = |name: &str, n| Axis::linear(name, 0.0, 1.0, n).unwrap();
        let grid = Starts::Grid(vec![axis("x", 3), axis("y", 2)]);
        let all: Vec<Vec<(String, f64)>> = (0..grid.len()).map(|k| grid.start(k)).collect();
        assert_eq!(all.len(), 6);
        assert_eq!(all[1], [("x".to_string(), 0.5), ("y".to_string(), 0.0)]);
        assert_eq!(all[5], [("x".to_string(), 1.0), ("y".to_string(), 1.0)]);
    }
}
