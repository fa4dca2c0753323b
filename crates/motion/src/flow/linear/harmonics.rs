//! The harmonics of functions of the phase from formulas: their [waves](super::waves) compiled, and told apart where the parameters have values.

use std::f64::consts::TAU;

use saltation_expr::Node;
use saltation_numerics::number::Number;

use super::forcing::{Forcing, HIGHEST_HARMONIC, NOTHING};
use super::waves::{Frequency, Splitter, Waves};

#[cfg(test)]
mod tests;

/// What frequencies lose by rounding, relative to the sizes of their terms: some products and quotients.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Where the waves of some functions stand among compiled values: of every function o, d and the p and q of its waves, then what frequencies are made of.
#[derive(Debug, Clone)]
pub(super) struct Harmonics {
    /// The frequencies of the waves of every function.
    functions: Vec<Vec<usize>>,
    /// Every frequency as a sum of numbers times values.
    frequencies: Vec<Vec<(usize, f64)>>,
    /// The number of coefficients before those values.
    coefficients: usize,
}

/// A frequency as a multiple of that of the period.
#[derive(Debug, Clone, Copy)]
struct Multiple<T> {
    /// Not below zero.
    value: T,
    /// -1 where the frequency is negative.
    sign: f64,
    /// What rounding may have done to the value, and to its derivatives.
    error: [f64; 2],
}

impl Harmonics {
    /// The waves of functions, and the formulas of all their values; `None` where one of the functions is no sum of waves.
    pub(super) fn new(splitter: &mut Splitter, functions: &[Node]) -> Option<(Harmonics, Vec<Node>)> {
        let split: Vec<Waves> = functions.iter().map(|&f| splitter.split(f)).collect::<Option<_>>()?;
        let mut values = Vec::new();
        let mut found: Vec<Frequency> = Vec::new();
        let functions = split.into_iter().map(|Waves { constant, slope, waves }| {
            values.extend([constant, slope]);
            values.extend(waves.iter().flat_map(|wave| [wave.cosine, wave.sine]));
            let place = |frequency: Frequency| match found.iter().position(|known| *known == frequency) {
                Some(known) => known,
                None => {
                    found.push(frequency);
                    found.len() - 1
                }
            };
            waves.into_iter().map(|wave| wave.frequency).map(place).collect()
        });
        let functions = functions.collect();
        let coefficients = values.len();
        let mut frequencies = Vec::with_capacity(found.len());
        for frequency in found {
            frequencies.push(
                frequency
                    .into_iter()
                    .map(|(node, number)| {
                        let known = values[coefficients..].iter().position(|&value| value == node);
                        let place = known.unwrap_or_else(|| {
                            values.push(node);
                            values.len() - 1 - coefficients
                        });
                        (place, number)
                    })
                    .collect(),
            );
        }
        Some((Harmonics { functions, frequencies, coefficients }, values))
    }

    /// The harmonics of the first functions with values for the parameters; without a period nothing changes.
    ///
    /// # Errors
    /// The first function with a wave that is no harmonic of the period, or one of so high a frequency that the mode is better served by Taylor steps, or
    /// with a value that is not finite.
    pub(super) fn bind<T: Number>(
        &self,
        values: &[T],
        functions: usize,
        period: Option<T>,
    ) -> Result<Forcing<T>, usize> {
        let (coefficients, parts) = values.split_at(self.coefficients);
        let Some(period) = period else {
            let constants: Vec<T> = coefficients.chunks_exact(2).take(functions).map(|own| own[0]).collect();
            return Ok(Forcing::constant(&constants));
        };
        // Frequencies that are the same by their values.
        let mut multiples: Vec<Multiple<T>> = Vec::with_capacity(self.frequencies.len());
        let mut places = Vec::with_capacity(self.frequencies.len());
        for frequency in &self.frequencies {
            let multiple = Multiple::of(frequency, parts, period);
            let known = multiples.iter().position(|known| known.is_same(&multiple));
            places.push((known.unwrap_or(multiples.len()), multiple.sign));
            if known.is_none() {
                multiples.push(multiple);
            }
        }
        let width = 1 + 2 * multiples.len();
        let (mut table, mut slopes) = (vec![T::ZERO; functions * width], Vec::with_capacity(functions));
        let mut occurs = vec![false; multiples.len()];
        let mut rest = coefficients;
        for (f, waves) in self.functions[..functions].iter().enumerate() {
            let (own, others) = rest.split_at(2 + 2 * waves.len());
            rest = others;
            let row = &mut table[f * width..(f + 1) * width];
            let slope = own[1];
            let size =
                own[2..].iter().fold(own[0].magnitude() + (slope * period).magnitude(), |sum, c| sum + c.magnitude());
            if !size.is_finite() {
                return Err(f);
            }
            row[0] = own[0];
            for (pair, &wave) in own[2..].chunks_exact(2).zip(waves) {
                let (place, sign) = places[wave];
                row[1 + 2 * place] += pair[0];
                row[2 + 2 * place] += pair[1].scale(sign);
            }
            for (place, multiple) in multiples.iter().enumerate() {
                let pair = &mut row[1 + 2 * place..3 + 2 * place];
                pair.iter_mut().filter(|part| part.magnitude() <= NOTHING * size).for_each(|part| *part = T::ZERO);
                if pair.iter().all(|part| part.magnitude() == 0.0) {
                    continue;
                }
                match multiple.whole() {
                    Some(0) => row[0] += row[1 + 2 * place],
                    Some(1..=HIGHEST_HARMONIC) => occurs[place] = true,
                    _ => return Err(f),
                }
            }
            slopes.push(if (slope * period).magnitude() <= NOTHING * size { T::ZERO } else { slope });
        }
        let whole = |place: &usize| multiples[*place].whole().unwrap_or(0);
        let mut chosen: Vec<usize> = (0..multiples.len()).filter(|&place| occurs[place]).collect();
        chosen.sort_unstable_by_key(whole);
        let mut kept = Vec::with_capacity(functions * (1 + 2 * chosen.len()));
        for row in table.chunks_exact(width) {
            kept.push(row[0]);
            kept.extend(chosen.iter().flat_map(|place| [row[1 + 2 * place], row[2 + 2 * place]]));
        }
        Ok(Forcing { harmonics: chosen.iter().map(whole).collect(), coefficients: kept, slopes })
    }
}

impl<T: Number> Multiple<T> {
    /// A frequency times the period, in turns.
    fn of(frequency: &[(usize, f64)], parts: &[T], period: T) -> Multiple<T> {
        let mut value = T::ZERO;
        let mut error = [0.0; 2];
        for &(place, number) in frequency {
            let (part, number) = (parts[place], number / TAU);
            value += (part * period).scale(number);
            let [own, times] = [part, period].map(|x| x.value().abs());
            error[0] += ROUNDING * number.abs() * own * times;
            error[1] += ROUNDING * number.abs() * (own * period.magnitude() + part.magnitude() * times);
        }
        let sign = if value.value() < 0.0 { -1.0 } else { 1.0 };
        Multiple { value: value.scale(sign), sign, error }
    }

    /// Whether two differ by rounding only, with all derivatives. What is not a number is like nothing.
    fn is_same(&self, other: &Multiple<T>) -> bool {
        self.is(other.value, other.error)
    }

    fn is(&self, other: T, error: [f64; 2]) -> bool {
        let difference = self.value - other;
        let derivatives = difference - T::from_f64(difference.value());
        difference.value().abs() <= self.error[0] + error[0] && derivatives.magnitude() <= self.error[1] + error[1]
    }

    /// The whole number that this is up to rounding, with derivatives of zero.
    fn whole(&self) -> Option<u32> {
        let nearest = self.value.value().round();
        (nearest <= f64::from(u32::MAX) && self.is(T::from_f64(nearest), [0.0; 2])).then_some(nearest as u32)
    }
}
