//! Numbers as text: few significant digits for people, all digits for files.

use saltation_numerics::elementary;
/// A number with at most this number of significant digits, without trailing zeros.
pub fn short(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    if !x.is_finite() {
        return format!("{x}");
    }
    let scientific = format!("{x:.*e}", digits.max(1) - 1);
    // The exponent of the rounded number: 9.9999 may have become 10.
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits.max(7) as i32 {
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{x:.decimals$}")).to_string()
}

fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

/// A number with all its digits: reading it gives the same number again.
pub(crate) fn exact(x: f64) -> String {
    format!("{x:?}").trim_end_matches(".0").to_string()
}

/// How the times of a table are written: eleven digits of the largest, aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    /// With this number of decimals.
    Decimals(usize),
    /// With a power of ten each: times so short that zeros would stand before all digits, or so long that their last digit is above one.
    Powers,
}

impl Times {
    /// Times up to `largest`.
    pub(crate) fn up_to(largest: f64) -> Times {
        let exponent = if largest > 0.0 && largest.is_finite() { elementary::log10(largest).floor() } else { 0.0 };
        match exponent < -4.0 || largest.is_finite() && largest * f64::EPSILON >= 1.0 {
            true => Times::Powers,
            false => Times::Decimals((10.0 - exponent).max(0.0) as usize),
        }
    }

    /// One of them.
    pub(crate) fn text(self, t: f64) -> String {
        match self {
            Times::Decimals(decimals) => format!("{t:.decimals$}"),
            Times::Powers => short(t, 11),
        }
    }
}

/// `1 impact`, `2 impacts`, `2 trajectories`.
pub(crate) fn count(n: u64, what: &str) -> String {
    match (n, what.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o']))) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ if what.ends_with("ch") => format!("{n} {what}es"),
        _ => format!("{n} {what}s"),
    }
}

/// `1 period`, `43 periods`, `-1 turn`; numbers within rounding errors of an integer count as integers.
pub(crate) fn count_of(x: f64, what: &str) -> String {
    let whole = x.round();
    let x = if (x - whole).abs() <= 1e-9 * whole.abs().max(1.0) { whole } else { x };
    let plural = if x.abs() == 1.0 { "" } else { "s" };
    format!("{} {what}{plural}", short(x, 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_keep_their_significant_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-31.15, "-31.15"),
            (0.1 + 0.2, "0.3"),
            (9.999_999_99, "10"),
            (1234567.0, "1234567"),
            (12345678.0, "1.23457e7"),
            (123456.0, "123456"),
            (1.5e-5, "1.5e-5"),
            (0.00012, "0.00012"),
            (-2.0 * std::f64::consts::PI, "-6.28319"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(short(x, 6), text);
        }
    }

    #[test]
    fn counts_have_the_plural_of_their_word() {
        let found = [(1, "trajectory"), (2, "trajectory"), (0, "day"), (2, "stretch"), (3, "impact")]
            .map(|(n, what)| count(n, what));
        assert_eq!(found, ["1 trajectory", "2 trajectories", "0 days", "2 stretches", "3 impacts"]);
    }

    #[test]
    fn exact_numbers_come_back() {
        for x in [0.1 + 0.2, 1e-300, -2.5, 1e22, 62.83185307179586, f64::MIN_POSITIVE] {
            assert_eq!(exact(x).parse::<f64>(), Ok(x));
        }
        assert_eq!(exact(3.0), "3");
    }
}
