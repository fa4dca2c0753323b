//! The functions of one argument: their names and their values.

use saltation_numerics::elementary;
use saltation_numerics::number::Number;

/// Functions of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Sqrt,
    /// The side of zero: 1, -1, and 0 at zero. Where it stands in a field its argument is a switch.
    Sign,
}

impl Function {
    /// Every function of one argument, in the order in which the manual lists them.
    pub const ALL: [Function; 13] = [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Log,
        Function::Sqrt,
        Function::Sign,
    ];

    /// The value of the function at `x`, on any kind of number.
    pub fn at<T: Number>(self, x: T) -> T {
        match self {
            Function::Sin => x.sin_cos().0,
            Function::Cos => x.sin_cos().1,
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh_cosh().0,
            Function::Cosh => x.sinh_cosh().1,
            Function::Tanh => x.tanh(),
            Function::Exp => x.exp(),
            Function::Log => x.log(),
            Function::Sqrt => x.sqrt(),
            Function::Sign => T::from_f64(sign(x.value())),
        }
    }

    /// The name a formula uses.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Sqrt => "sqrt",
            Function::Sign => "sign",
        }
    }

    /// The function with this name, if there is one.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The value at `x`, a NaN outside the domain.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Function::Sin => elementary::sin(x),
            Function::Cos => elementary::cos(x),
            Function::Tan => elementary::tan(x),
            Function::Asin => elementary::asin(x),
            Function::Acos => elementary::acos(x),
            Function::Atan => elementary::atan(x),
            Function::Sinh => elementary::sinh(x),
            Function::Cosh => elementary::cosh(x),
            Function::Tanh => elementary::tanh(x),
            Function::Exp => elementary::exp(x),
            Function::Log => elementary::ln(x),
            Function::Sqrt => x.sqrt(),
            Function::Sign => sign(x),
        }
    }
}

/// The side of zero on which a number lies; 0 at zero, and no number for none.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
