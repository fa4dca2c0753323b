//! The values of a quantity that a sweep visits: equally spaced, equally spaced in the logarithm, or a list; computed when needed, with exact ends.

use saltation_numerics::elementary;
use serde::{Deserialize, Serialize};

/// How the values of an axis are spaced.
#[derive(Debug, Clone, PartialEq)]
enum Spacing {
    Linear { from: f64, to: f64, points: u64 },
    Logarithmic { from: f64, to: f64, points: u64 },
    List(Vec<f64>),
}

/// The values of one parameter or of one state.
///
/// ```
/// use saltation_sweep::Axis;
/// let axis = Axis::linear("A", 0.1, 0.3, 3).unwrap();
/// assert_eq!((axis.value(0), axis.value(2)), (0.1, 0.3));
/// let decades = Axis::logarithmic("c", 1e-3, 1.0, 4).unwrap();
/// assert!((decades.value(1) - 1e-2).abs() < 1e-16);
/// assert_eq!(axis.reversed().value(0), 0.3);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Axis {
    name: String,
    spacing: Spacing,
}

/// An axis as data: its name with its ends and number of points, or with a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    logarithmic: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<f64>>,
}

impl From<Axis> for Written {
    fn from(Axis { name, spacing }: Axis) -> Written {
        let of = |range, points, logarithmic, values| Written { name, range, points, logarithmic, values };
        match spacing {
            Spacing::Linear { from, to, points } => of(Some([from, to]), Some(points), false, None),
            Spacing::Logarithmic { from, to, points } => of(Some([from, to]), Some(points), true, None),
            Spacing::List(values) => of(None, None, false, Some(values)),
        }
    }
}

impl TryFrom<Written> for Axis {
    type Error = String;

    fn try_from(written: Written) -> Result<Axis, String> {
        let Written { name, range, points, logarithmic, values } = written;
        let axis = match (range, points, values) {
            (None, None, Some(values)) if !logarithmic => Axis::list(&name, values),
            (Some([from, to]), Some(points), None) if logarithmic => Axis::logarithmic(&name, from, to, points),
            (Some([from, to]), Some(points), None) => Axis::linear(&name, from, to, points),
            _ => return Err(format!("the axis of {name} has either a range and a number of points, or values")),
        };
        axis.map_err(|error| error.to_string())
    }
}

/// Why there is no such axis.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AxisError {
    /// No values.
    #[error("the axis of {name} has no points")]
    Empty {
        /// The name of the axis.
        name: String,
    },
    /// An end or an entry that is not a finite number.
    #[error("a value of {name} is {value}, which is not a finite number")]
    NotFinite {
        /// The name of the axis.
        name: String,
        /// The value.
        value: f64,
    },
    /// A logarithmic axis through zero.
    #[error(
        "the logarithmic axis of {name} goes from {from} to {to}, and has a logarithm only where values are positive"
    )]
    NotPositive {
        /// The name of the axis.
        name: String,
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
    },
}

impl Axis {
    /// Equally spaced values with both ends; one point is the first end.
    ///
    /// # Errors
    /// No points, or ends that are not finite.
    pub fn linear(name: &str, from: f64, to: f64, points: u64) -> Result<Axis, AxisError> {
        Axis { name: name.to_string(), spacing: Spacing::Linear { from, to, points } }.checked()
    }

    /// Values with equal ratios and both ends.
    ///
    /// # Errors
    /// As [`Axis::linear`], and ends that are not positive.
    pub fn logarithmic(name: &str, from: f64, to: f64, points: u64) -> Result<Axis, AxisError> {
        Axis { name: name.to_string(), spacing: Spacing::Logarithmic { from, to, points } }.checked()
    }

    /// These values, in this order.
    ///
    /// # Errors
    /// An empty list, or values that are not finite.
    pub fn list(name: &str, values: Vec<f64>) -> Result<Axis, AxisError> {
        Axis { name: name.to_string(), spacing: Spacing::List(values) }.checked()
    }

    fn checked(self) -> Result<Axis, AxisError> {
        let name = || self.name.clone();
        if self.is_empty() {
            return Err(AxisError::Empty { name: name() });
        }
        let (ends, list): ([f64; 2], &[f64]) = match &self.spacing {
            Spacing::Linear { from, to, .. } | Spacing::Logarithmic { from, to, .. } => ([*from, *to], &[]),
            Spacing::List(values) => ([0.0, 0.0], values),
        };
        if let Some(&value) = ends.iter().chain(list).find(|value| !value.is_finite()) {
            return Err(AxisError::NotFinite { name: name(), value });
        }
        match self.spacing {
            Spacing::Logarithmic { from, to, .. } if from <= 0.0 || to <= 0.0 => {
                Err(AxisError::NotPositive { name: name(), from, to })
            }
            _ => Ok(self),
        }
    }

    /// The name of the parameter or state.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        match &self.spacing {
            Spacing::Linear { points, .. } | Spacing::Logarithmic { points, .. } => *points,
            Spacing::List(values) => values.len() as u64,
        }
    }

    /// Whether there are no values; an axis always has one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether values have equal ratios.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self.spacing, Spacing::Logarithmic { .. })
    }

    /// A value by its position.
    ///
    /// # Panics
    /// If there is none at this position.
    pub fn value(&self, position: u64) -> f64 {
        assert!(position < self.len(), "an axis has a value at each of its positions");
        // Both ends are exact, and so are equal values from either side.
        let between = |points: u64| position as f64 / (points.max(2) - 1) as f64;
        match &self.spacing {
            Spacing::List(values) => values[position as usize],
            Spacing::Linear { from, .. } | Spacing::Logarithmic { from, .. } if position == 0 => *from,
            Spacing::Linear { to, points, .. } | Spacing::Logarithmic { to, points, .. } if position + 1 == *points => {
                *to
            }
            Spacing::Linear { from, to, points } => from + (to - from) * between(*points),
            Spacing::Logarithmic { from, to, points } => {
                elementary::exp(elementary::ln(*from) + elementary::ln(to / from) * between(*points))
            }
        }
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|position| self.value(position))
    }

    /// The same values in the opposite order.
    pub fn reversed(&self) -> Axis {
        let spacing = match &self.spacing {
            Spacing::Linear { from, to, points } => Spacing::Linear { from: *to, to: *from, points: *points },
            Spacing::Logarithmic { from, to, points } => Spacing::Logarithmic { from: *to, to: *from, points: *points },
            Spacing::List(values) => Spacing::List(values.iter().rev().copied().collect()),
        };
        Axis { name: self.name.clone(), spacing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_values_ordered() {
        for (from, to, points) in [(0.1, 0.7, 7), (-3.3, 11.1, 1001), (1e300, -1e300, 3)] {
            let axis = Axis::linear("p", from, to, points).unwrap();
            assert_eq!((axis.value(0), axis.value(points - 1)), (from, to));
            let values: Vec<f64> = axis.values().collect();
            assert!(values.iter().all(|x| x.is_finite()) || to - from == f64::NEG_INFINITY);
        }
        let axis = Axis::logarithmic("p", 1e-9, 3.0, 50).unwrap();
        assert_eq!((axis.value(0), axis.value(49)), (1e-9, 3.0));
        assert!(axis.values().zip(axis.values().skip(1)).all(|(a, b)| a < b));
    }

    #[test]
    fn axes_are_written_and_read_alike() {
        let axes =
            [Axis::linear("p", 0.1, 0.7, 7), Axis::logarithmic("p", 0.1, 0.7, 7), Axis::list("p", vec![3.0, 1.0])];
        for axis in axes.map(Result::unwrap) {
            let text = serde_json::to_string(&axis).unwrap();
            assert_eq!(serde_json::from_str::<Axis>(&text).unwrap(), axis);
        }
        for wrong in
            [r#"{"name": "p"}"#, r#"{"name": "p", "range": [0, 1], "points": 0}"#, r#"{"name": "p", "values": []}"#]
        {
            assert!(serde_json::from_str::<Axis>(wrong).is_err());
        }
    }

    #[test]
    fn what_is_no_axis_is_refused() {
        assert!(matches!(Axis::linear("p", 0.0, 1.0, 0), Err(AxisError::Empty { .. })));
        assert!(matches!(Axis::list("p", vec![]), Err(AxisError::Empty { .. })));
        assert!(matches!(Axis::list("p", vec![1.0, f64::NAN]), Err(AxisError::NotFinite { .. })));
        assert!(matches!(Axis::linear("p", 0.0, f64::INFINITY, 3), Err(AxisError::NotFinite { .. })));
        assert!(matches!(Axis::logarithmic("p", 0.0, 1.0, 3), Err(AxisError::NotPositive { .. })));
        assert_eq!(Axis::linear("p", 2.0, 5.0, 1).unwrap().values().collect::<Vec<_>>(), [2.0]);
    }
}
