//! Positions and labels of the tick marks of an axis.

use crate::Scale;

/// The marks of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Values with a label, increasing.
    pub values: Vec<f64>,
    /// Their labels.
    pub labels: Vec<String>,
    /// Values between them that get a short mark only.
    pub minor: Vec<f64>,
    /// The power of ten which all labels are to be multiplied with, such as `×10⁻⁵`.
    pub factor: Option<String>,
}

impl Ticks {
    /// The first and the last mark only.
    pub(crate) fn ends(mut self) -> Ticks {
        let last = self.values.len().saturating_sub(1);
        let mut index = 0..=last;
        let mut keep = || index.next().is_some_and(|i| i == 0 || i == last);
        self.values.retain(|_| keep());
        let mut index = 0..=last;
        self.labels.retain(|_| index.next().is_some_and(|i| i == 0 || i == last));
        self
    }
}

/// Chooses marks between `low` and `high`, finite with `low < high`: at most `most`, but at least three where numbers allow, for which
/// up to six may be needed.
pub(crate) fn choose(scale: Scale, low: f64, high: f64, most: usize) -> Ticks {
    match scale {
        Scale::Linear => linear(low, high, most),
        Scale::Log => logarithmic(low, high, most),
    }
}

/// The least number of marks that show how an axis is spaced.
const LEAST: usize = 3;

/// A decimal number `digits * 10^exponent` to the nearest double.
fn decimal(digits: i64, exponent: i32) -> f64 {
    // Parsing rounds correctly at every exponent, where multiplying by a power of ten would not. A number
    // written by this format always parses.
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Multiples of 1, 2 or 5 times a power of ten: the smallest such step that gives at most `most` marks, or if these are less than
/// three the next smaller one that gives three, also of 2.5.
fn linear(low: f64, high: f64, most: usize) -> Ticks {
    let most = most.max(2);
    let coarsest = (high / most as f64 - low / most as f64).max(f64::MIN_POSITIVE);
    let start = coarsest.log10().floor() as i32 - 1;
    let mut finer: Option<(Vec<i64>, i32)> = None;
    let steps =
        (start..start + 4).flat_map(|exponent| [(1, exponent), (2, exponent), (25, exponent - 1), (5, exponent)]);
    for (digit, exponent) in steps {
        let step = decimal(digit, exponent);
        if !(step > 0.0 && step.is_finite()) {
            continue;
        }
        // A mark that misses the end by rounding only still belongs to the axis.
        let first = (low / step - 1e-6).ceil();
        let last = (high / step + 1e-6).floor();
        if first.abs() >= 1e15 || last.abs() >= 1e15 {
            continue;
        }
        let count = last - first + 1.0;
        let multiples = || (first as i64..=last as i64).map(|i| i * digit).collect();
        if count < LEAST as f64 {
            // Without a finer step the numbers are at the end of their precision.
            let (multiples, exponent) = finer.unwrap_or_else(|| (multiples(), exponent));
            return label_multiples(multiples, exponent);
        }
        if count <= most as f64 && digit != 25 {
            return label_multiples(multiples(), exponent);
        }
        finer = (count < 100.0).then(|| (multiples(), exponent));
    }
    Ticks::default()
}

/// Marks at `multiples * 10^exponent`, labelled exactly.
fn label_multiples(multiples: Vec<i64>, exponent: i32) -> Ticks {
    let largest = multiples.iter().map(|m| m.unsigned_abs()).max().unwrap_or(0);
    let magnitude = exponent + largest.checked_ilog10().unwrap_or(0) as i32;
    let power = if (-3..5).contains(&magnitude) || largest == 0 { 0 } else { magnitude };
    let decimals = (power - exponent).max(0) as usize;
    Ticks {
        values: multiples.iter().map(|&m| decimal(m, exponent)).collect(),
        labels: multiples.iter().map(|&m| minus(&format!("{:.decimals$}", decimal(m, exponent - power)))).collect(),
        minor: Vec::new(),
        factor: (power != 0).then(|| format!("×{}", power_of_ten(power))),
    }
}

/// Powers of ten, every n-th if there are many; if the axis shows less than three of them, also their doubles and
/// fives, or at last plain numbers.
fn logarithmic(low: f64, high: f64, most: usize) -> Ticks {
    let most = most.max(LEAST);
    let first = (low.log10() - 1e-9).ceil() as i32;
    let last = (high.log10() + 1e-9).floor() as i32;
    if last - first + 1 < LEAST as i32 {
        return few_decades(low, high, most, first);
    }
    let shown = |stride: i32| (first..=last).filter(move |exponent| exponent.rem_euclid(stride) == 0);
    let strides = [1, 2, 3, 4, 5, 10, 20, 25, 50, 100, 200];
    let enough = |stride: &i32| shown(*stride).count() >= LEAST;
    let fitting = strides.into_iter().filter(enough).find(|&stride| shown(stride).count() <= most);
    let stride = fitting.or_else(|| strides.into_iter().rev().find(enough)).unwrap_or(1);
    let exponents: Vec<i32> = shown(stride).collect();
    let minor = if stride == 1 { between_decades(low, high, first, last) } else { Vec::new() };
    Ticks {
        values: exponents.iter().map(|&exponent| decimal(1, exponent)).collect(),
        labels: exponents.iter().map(|&exponent| power_of_ten(exponent)).collect(),
        minor,
        factor: None,
    }
}

/// The marks where at most two powers of ten, from the one of exponent `first`, are shown.
fn few_decades(low: f64, high: f64, most: usize, first: i32) -> Ticks {
    let all = |digits: &[i64]| -> Vec<i64> {
        let powers = [1, 10, 100, 1000].into_iter().flat_map(|power| digits.iter().map(move |digit| digit * power));
        powers.filter(|&multiple| (low..=high).contains(&decimal(multiple, first - 1))).collect()
    };
    let sets: [&[i64]; 4] = [&[1, 2, 5], &[1, 3], &[1, 5], &[1, 2]];
    let enough = || sets.iter().map(|digits| all(digits)).filter(|marks| marks.len() >= LEAST);
    let chosen = enough().find(|marks| marks.len() <= most).or_else(|| enough().min_by_key(Vec::len));
    match chosen {
        None => linear(low, high, most.min(5)),
        Some(marks) => {
            Ticks { minor: between_decades(low, high, first, first + 1), ..label_multiples(marks, first - 1) }
        }
    }
}

/// The multiples of powers of ten from the one before `first` to `last`.
fn between_decades(low: f64, high: f64, first: i32, last: i32) -> Vec<f64> {
    (first - 1..=last)
        .flat_map(|exponent| (2..10).map(move |digit| decimal(digit, exponent)))
        .filter(|&value| value > low && value < high)
        .collect()
}

/// `10` with the exponent as superscript.
fn power_of_ten(exponent: i32) -> String {
    let superscript = exponent.to_string().chars().map(superscript).collect::<String>();
    format!("10{superscript}")
}

fn superscript(character: char) -> char {
    match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other digits are in order from U+2070.
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    }
}

/// A number with a true minus sign, and none before zero.
fn minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
        Some(positive) => format!("−{positive}"),
        None => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(low: f64, high: f64, most: usize) -> Vec<String> {
        choose(Scale::Linear, low, high, most).labels
    }

    #[test]
    fn familiar_intervals() {
        assert_eq!(labels(0.0, 1.0, 6), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-2.3, 2.3, 5), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(labels(0.0, 40_000.0, 5), ["0", "10000", "20000", "30000", "40000"]);
    }

    #[test]
    fn small_and_large_numbers_share_a_factor() {
        let small = choose(Scale::Linear, -2.5e-7, 3e-7, 6);
        assert_eq!(small.factor.as_deref(), Some("×10⁻⁷"));
        assert_eq!(small.labels, ["−2", "−1", "0", "1", "2", "3"]);
        let large = choose(Scale::Linear, 0.0, 2.4e12, 6);
        assert_eq!(large.factor.as_deref(), Some("×10¹²"));
        assert_eq!(large.labels, ["0.0", "0.5", "1.0", "1.5", "2.0"]);
    }

    #[test]
    fn logarithmic_axes_count_decades() {
        let ticks = choose(Scale::Log, 0.5e-2, 200.0, 8);
        assert_eq!(ticks.labels, ["10⁻²", "10⁻¹", "10⁰", "10¹", "10²"]);
        assert!(ticks.minor.contains(&0.03) && ticks.minor.iter().all(|&m| m > 0.5e-2 && m < 200.0));
        assert_eq!(choose(Scale::Log, 1e-300, 1e300, 8).labels[0], "10⁻³⁰⁰");
        assert_eq!(choose(Scale::Log, 0.02, 0.9, 8).labels, ["0.02", "0.05", "0.10", "0.20", "0.50"]);
        assert_eq!(choose(Scale::Log, 3.0, 4.0, 3).labels, ["3.0", "3.5", "4.0"]);
    }

    /// The number which a label and its factor stand for.
    fn read(label: &str, factor: Option<&str>) -> f64 {
        let power: String =
            factor.map(|factor| factor.chars().skip(3).map(plain).collect()).unwrap_or_else(|| "0".to_owned());
        format!("{}e{power}", label.replace('−', "-")).parse().expect("a number")
    }

    fn plain(superscript: char) -> char {
        let digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
        match digits.chars().position(|digit| digit == superscript) {
            Some(value) => char::from(b'0' + value as u8),
            None => '-',
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn marks_are_few_regular_inside_and_labelled_with_their_value(
            centre in -10.0..10.0f64, half in 1e-9..10.0f64, power in -290..290i32, most in 2..9usize,
        ) {
            let size = 10f64.powi(power);
            let (low, high) = ((centre - half) * size, (centre + half) * size);
            let ticks = choose(Scale::Linear, low, high, most);
            let count = ticks.values.len();
            prop_assert!(count <= most.max(6) && count == ticks.labels.len());
            prop_assert!(count >= 3, "{ticks:?}");
            let slack = 1e-5 * (high - low);
            for (i, (&value, label)) in ticks.values.iter().zip(&ticks.labels).enumerate() {
                prop_assert!(value >= low - slack && value <= high + slack);
                prop_assert_eq!(read(label, ticks.factor.as_deref()), value, "{} {:?}", label, ticks);
                prop_assert!(!label.contains('-'));
                if i >= 2 {
                    let (a, b) = (value - ticks.values[i - 1], ticks.values[i - 1] - ticks.values[i - 2]);
                    prop_assert!((a - b).abs() <= 1e-6 * b.abs().max(1e-9 * value.abs()));
                }
            }
            if count >= 2 {
                let step = ticks.values[1] - ticks.values[0];
                let digit = step / 10f64.powf(step.log10().floor());
                prop_assert!([1.0, 2.0, 2.5, 5.0, 10.0].iter().any(|nice| (digit - nice).abs() < 1e-4), "{step}");
            }
        }

        #[test]
        fn logarithmic_marks_are_inside_and_few(
            start in -300.0..300.0f64, decades in 1e-6..600.0f64, most in 2..9usize,
        ) {
            let (low, high) = (10f64.powf(start), 10f64.powf((start + decades).min(307.0)));
            prop_assume!(high > low);
            let ticks = choose(Scale::Log, low, high, most);
            prop_assert!((3..=9).contains(&ticks.values.len()) && ticks.values.len() == ticks.labels.len());
            prop_assert!(ticks.values.windows(2).all(|pair| pair[0] < pair[1]));
            for &value in ticks.values.iter().chain(&ticks.minor) {
                prop_assert!(value >= low * (1.0 - 1e-5) && value <= high * (1.0 + 1e-5));
            }
        }
    }
}
