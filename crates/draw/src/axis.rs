//! An axis: a quantity, how its values are spaced, and the interval that is shown.

/// A quantity and the interval of it that is shown.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the quantity.
    pub name: String,
    /// Its unit, shown in parentheses.
    pub unit: Option<String>,
    /// How values are spaced.
    pub scale: Scale,
    /// The range of values that is shown.
    pub range: Range,
}

impl Axis {
    /// A linear axis which shows all data with a small margin.
    pub fn new(name: impl Into<String>) -> Axis {
        Axis { name: name.into(), unit: None, scale: Scale::Linear, range: Range::Padded }
    }

    /// Sets the unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Axis {
        self.unit = Some(unit.into());
        self
    }

    /// Spaces values by their logarithm.
    pub fn log(mut self) -> Axis {
        self.scale = Scale::Log;
        self
    }

    /// Shows exactly the interval of the data, without margin (right for time).
    pub fn tight(mut self) -> Axis {
        self.range = Range::Tight;
        self
    }

    /// `name (unit)`.
    pub(crate) fn title(&self) -> String {
        match self.unit.as_deref().filter(|unit| !unit.is_empty()) {
            Some(unit) => format!("{} ({unit})", self.name),
            None => self.name.clone(),
        }
    }

    /// Shows this interval. With `from > to` the axis runs backwards.
    pub fn between(mut self, from: f64, to: f64) -> Axis {
        self.range = Range::Between(from, to);
        self
    }
}

/// How values are spaced along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal space.
    Linear,
    /// Equal ratios take equal space; values that are not positive are not drawn.
    Log,
}

/// The range of values of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// All data, with a small margin.
    Padded,
    /// All data, without margin.
    Tight,
    /// From the first to the second number; backwards if the first is larger. An end that is not finite
    /// (or not positive on a logarithmic axis) is taken from the data.
    Between(f64, f64),
}
