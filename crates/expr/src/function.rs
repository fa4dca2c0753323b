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
    /// (exp x - 1)/x, and 1 at zero.
    Exprel,
    /// 1/(1 + exp(-x))
    Logistic,
    /// The side of zero: 1, -1, and 0 at zero. Where it stands in a field its argument is a switch.
    Sign,
}

impl Function {
    /// Every function of one argument, in the order in which the manual lists them.
    pub const ALL: [Function; 15] = [
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
        Function::Exprel,
        Function::Logistic,
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
            Function::Exprel => exprel(x),
            Function::Logistic if x.value() < 0.0 => {
                let small = x.exp();
                small / (T::ONE + small)
            }
            Function::Logistic => (T::ONE + (-x).exp()).reciprocal(),
            Function::Sign => {
                let constant = |side: f64| T::from_f64(side);
                let other = T::choose(x, |x| sign(x) == 0.0, constant(0.0), constant(f64::NAN));
                T::choose(x, |x| x > 0.0, constant(1.0), T::choose(x, |x| x < 0.0, constant(-1.0), other))
            }
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
            Function::Exprel => "exprel",
            Function::Logistic => "logistic",
            Function::Sign => "sign",
        }
    }

    /// Whether a quantity may have the name of this function, which then is a word of the language only where it is called.
    pub(crate) fn leaves_its_name(self) -> bool {
        matches!(self, Function::Sign | Function::Exprel | Function::Logistic)
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
            Function::Exprel | Function::Logistic => self.at(x),
            Function::Sign => sign(x),
        }
    }
}

/// Where the series of (exp x - 1)/x is summed.
const SMALL: f64 = 2.0;
/// So many of its terms: what is left out is 2^25/26! of the first.
const TERMS: u32 = 25;

/// (exp x - 1)/x, and 1 at zero.
fn exprel<T: Number>(x: T) -> T {
    if x.value().abs() >= SMALL {
        return (x.exp() - T::ONE) / x;
    }
    // sum x^k/(k + 1)! = 1 + (x/2) (1 + (x/3) (1 + ...)); for negative x it is exp x times that of -x, whose terms have one sign.
    let rising = if x.value() < 0.0 { -x } else { x };
    let sum = (2..=TERMS).rev().fold(T::ONE, |sum, k| T::ONE + rising * sum * T::from_f64(f64::from(k)).reciprocal());
    if x.value() < 0.0 { x.exp() * sum } else { sum }
}

/// The side of zero on which a number lies; 0 at zero, and no number for none.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
