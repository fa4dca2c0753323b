//! Whether the phases of a model return together: their turns per unit of time are in ratios of whole numbers, which are found by continued fractions
//! (Khinchin, Continued Fractions, 1964) and told by the rounding of the rates alone.

use saltation_expr::{Jet, Tape};
use saltation_model::{Model, Phase, StateKind, Values};
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

/// Phases return together within so many turns of the first one, or are said not to.
pub const MOST_TURNS: u64 = 10_000;
/// A ratio of two rates is known to this part: each is a formula of a few roundings.
const KNOWN: f64 = 16.0 * f64::EPSILON;

/// A phase with its turns per unit of time, negative where it runs backwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// Which state it is.
    pub state: usize,
    /// Its turns per unit of time.
    pub frequency: f64,
}

/// Two phases that never return together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apart {
    /// The phase that counts returns.
    pub first: Turning,
    /// The other one.
    pub other: Turning,
}

impl Apart {
    /// A sentence for people: which phases, how fast they turn, and what can be asked instead.
    pub fn describe(&self, model: &Model) -> String {
        let Apart { first, other } = self;
        let [a, b] = [first, other].map(|phase| &model.states[phase.state].name);
        format!(
            "the phases {a} and {b} never return together, so that no trajectory repeats itself: they make {} and {} turns per unit of time, and within \
             {MOST_TURNS} turns of {a} the ratio {} is that of no whole numbers; look at such trajectories through a section, by `saltation sweep` and \
             `saltation lyapunov`, or choose rates in a ratio of whole numbers",
            first.frequency,
            other.frequency,
            other.frequency / first.frequency
        )
    }
}

/// The first phase of a model with the others, if it has several.
#[derive(Debug, Clone, PartialEq)]
pub struct Phases {
    /// The phase that counts returns.
    pub first: Turning,
    /// The others.
    pub others: Vec<Turning>,
}

impl Phases {
    /// The phases of a model with several, at these numbers.
    pub fn several(model: &Model, values: &Values) -> Option<Phases> {
        let first = model.phase.as_ref().filter(|_| !model.tones.is_empty())?;
        let rates: Vec<_> = model.phases().map(|phase| phase.rate).collect();
        let rates = Tape::new(&model.graph, &[], &model.parameter_symbols(), &[], &rates).values(values.parameters());
        let turning = |(phase, rate): (&Phase, f64)| {
            let period = values.angle_periods()[phase.state].unwrap_or(f64::NAN);
            Turning { state: phase.state, frequency: rate / period }
        };
        let others = model.tones.iter().zip(rates[1..].iter().copied()).map(turning).collect();
        Some(Phases { first: turning((first, rates[0])), others })
    }

    /// How many turns all phases make until they are back where they were together: each phase, the first one first, with its turns.
    ///
    /// # Errors
    /// The first of the others that never is, or not within [`MOST_TURNS`].
    pub fn common_turns(&self) -> Result<Vec<(usize, u64)>, Apart> {
        let (mut common, mut ratios) = (1, Vec::with_capacity(self.others.len()));
        for &other in &self.others {
            let apart = Apart { first: self.first, other };
            let (turns, first) = ratio(other.frequency / self.first.frequency).ok_or(apart)?;
            common = least_common_multiple(common, first);
            if common > MOST_TURNS {
                return Err(apart);
            }
            ratios.push((other.state, turns, first));
        }
        let others = ratios.into_iter().map(|(state, turns, first)| (state, common / first * turns));
        Ok([(self.first.state, common)].into_iter().chain(others).collect())
    }
}

/// A free parameter that changes the ratio in which two phases turn, so that they return together at single values of it only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{parameter} changes the ratio of the rates of the phases {first} and {other}, which return together at single values of it only: follow another \
     parameter, or write both rates as multiples of one parameter, e.g. \"2*omega\" and \"3*omega\""
)]
pub struct Detuned {
    /// The parameter.
    pub parameter: String,
    /// The phase that counts returns.
    pub first: String,
    /// The other one.
    pub other: String,
}

/// That the phases of a model turn in one ratio while the free parameters vary.
///
/// # Errors
/// A parameter that changes it here.
pub fn keep_ratio(model: &Model, following: &Values) -> Result<(), Detuned> {
    let Some(first) = model.phase.as_ref().filter(|_| !model.tones.is_empty()) else { return Ok(()) };
    let free: Vec<Dual<2>> =
        following.free_values().iter().enumerate().map(|(k, &value)| Dual::variable(value, k)).collect();
    let mut numbers = Vec::new();
    following.parameters_at(&free, &mut numbers);
    let rates: Vec<_> = model.phases().map(|phase| phase.rate).collect();
    let tape = Tape::new(&model.graph, &[], &model.parameter_symbols(), &[], &rates);
    let mut rates = vec![Dual::<2>::ZERO; rates.len()];
    tape.evaluate(&tape.bind(&numbers), &[], &mut Jet::new(&tape), &mut rates);
    let periods = following.angle_periods_at(&numbers);
    let own = rates[0] / periods[first.state];
    for (phase, &rate) in model.tones.iter().zip(&rates[1..]) {
        let frequency = rate / periods[phase.state];
        for (k, &parameter) in following.free().iter().enumerate().take(2) {
            let (a, b) = (frequency.tangent[k] * own.value, frequency.value * own.tangent[k]);
            if (a - b).abs() > KNOWN * (a.abs() + b.abs()) {
                let name = |state: usize| model.states[state].name.clone();
                let parameter = model.parameters[parameter].name.clone();
                return Err(Detuned { parameter, first: name(first.state), other: name(phase.state) });
            }
        }
    }
    Ok(())
}

/// Whether a state is a phase other than that which counts returns.
pub(crate) fn is_other(model: &Model, state: usize) -> bool {
    model.states[state].kind == StateKind::Phase && model.phase.as_ref().is_none_or(|phase| phase.state != state)
}

/// The smallest whole numbers in a ratio, numerator and denominator, if there are any with a denominator up to [`MOST_TURNS`].
fn ratio(x: f64) -> Option<(u64, u64)> {
    let size = x.abs();
    let (mut before, mut now) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = size;
    while rest.is_finite() {
        let whole = rest.floor();
        (before, now) = (now, (whole * now.0 + before.0, whole * now.1 + before.1));
        if now.1 > MOST_TURNS as f64 || now.0 > 1.0 / KNOWN {
            return None;
        }
        if now.0 > 0.0 && (now.0 / now.1 - size).abs() <= KNOWN * size {
            return Some((now.0 as u64, now.1 as u64));
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

/// The least common multiple of two numbers that are not zero.
pub(crate) fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut larger, mut smaller) = (a, b);
    while smaller != 0 {
        (larger, smaller) = (smaller, larger % smaller);
    }
    (a / larger.max(1)).saturating_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_found_where_they_are_those_of_whole_numbers() {
        for (p, q) in [(1, 1), (2, 3), (3, 2), (355, 113), (9_999, 10_000), (12_345, 6_791), (1, 10_000)] {
            let x = f64::from(p) / f64::from(q);
            for moved in [x, x * (1.0 + 2.0 * f64::EPSILON), x * (1.0 - 2.0 * f64::EPSILON)] {
                assert_eq!(ratio(moved), Some((p as u64, q as u64)), "{p}/{q}");
                assert_eq!(ratio(-moved), Some((p as u64, q as u64)));
            }
        }
        let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
        for x in [golden, std::f64::consts::PI, 2.0_f64.sqrt(), 1.5 * (1.0 + 1e-13), 1e-5, 0.0, f64::NAN, f64::INFINITY]
        {
            assert_eq!(ratio(x), None, "{x}");
        }
        assert_eq!(least_common_multiple(4, 6), 12);
    }
}
