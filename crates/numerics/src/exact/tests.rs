use proptest::prelude::*;

use super::DoubleDouble;
use crate::number::Number;

fn exact(value: f64) -> DoubleDouble {
    value.into()
}

/// |a - b| relative to b, or absolutely where b is zero.
fn relative_error(a: DoubleDouble, b: DoubleDouble) -> f64 {
    let scale = if b.hi == 0.0 { 1.0 } else { b.hi.abs() };
    ((a - b).hi / scale).abs()
}

fn apply(function: &str, x: DoubleDouble) -> DoubleDouble {
    match function {
        "exp" => x.exp(),
        "log" => x.log(),
        "sin" => x.sin_cos().0,
        "cos" => x.sin_cos().1,
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh_cosh().0,
        "cosh" => x.sinh_cosh().1,
        "tanh" => x.tanh(),
        "sqrt" => x.sqrt(),
        other => panic!("no function {other}"),
    }
}

/// Values computed with 80 digits by another program (mpmath), split into two parts.
#[test]
#[expect(clippy::approx_constant, reason = "the leading part of a value is a given number of this table")]
fn functions_agree_with_known_values_to_thirty_digits() {
    // function, argument, leading part of the value, what it leaves out
    let known: [(&str, f64, f64, f64); 49] = [
        ("exp", 0.7, 2.0137527074704766, -2.0058243549764793e-16),
        ("exp", -3.3, 0.036883167401240015, -2.8625274258701676e-18),
        ("exp", 25.5, 118716009132.16965, 3.7484041480402334e-06),
        ("exp", -700.0, 9.85967654375977e-305, 8.5e-322),
        ("exp", 709.5, 1.3549863193146328e+308, -1.950359478583155e+290),
        ("exp", 1e-09, 1.000000001, -8.224037093664211e-17),
        ("log", 0.7, -0.35667494393873245, 4.82556379937662e-18),
        ("log", 1.0000001, 9.999999505838704e-08, 1.5249709528441489e-24),
        ("log", 3.3, 1.1939224684724346, -5.282476628744736e-17),
        ("log", 1e+300, 690.7755278982137, 2.3747660028800243e-14),
        ("log", 5e-324, -744.4400719213812, -4.422444340918698e-14),
        ("log", 1e-200, -460.51701859880916, 2.2080942657241066e-14),
        ("sin", 0.7, 0.644217687237691, 2.8740567927338755e-18),
        ("sin", 1e-12, 1e-12, -1.6666666666666666e-37),
        ("sin", 3.141592653589793, 1.2246467991473532e-16, -2.99476980971834e-33),
        ("sin", 22.0, -0.008851309290403876, 2.8485303089220057e-19),
        ("sin", -1000000.0, 0.34999350217129294, 1.5952848809323968e-17),
        ("sin", 1e17, -0.4645301048353727, 1.853437728260964e-17),
        ("cos", 0.7, 0.7648421872844885, -4.013780434022238e-17),
        ("cos", 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33),
        ("cos", -10.0, -0.8390715290764524, -1.4147119988953418e-17),
        ("cos", 1000000000000000.0, -0.5131937377869703, 5.3179977268261675e-17),
        ("tan", 0.7, 0.8422883804630794, -3.9128846706146343e-17),
        ("tan", -1.5, -14.101419947171719, -6.270315165067482e-16),
        ("tan", 1000.0, 1.4703241557027185, -1.452311107008402e-17),
        ("asin", 0.7, 0.775397496610753, 3.395027444633425e-17),
        ("asin", -1e-10, -1e-10, -1.6666666666666669e-31),
        ("asin", 0.9999999, 1.5703491131957876, -4.9012190641525995e-17),
        ("acos", 0.7, 0.7953988301841436, 2.7282065511033407e-17),
        ("acos", -0.999, 3.09686756642106, -8.234911208429785e-17),
        ("acos", 0.999999999999, 1.4141979198683931e-06, 8.712186886545306e-23),
        ("atan", 0.7, 0.6107259643892086, 2.2418914462967458e-17),
        ("atan", 1e-08, 1e-08, -3.3333333333333335e-25),
        ("atan", -40.0, -1.5458015331759765, 1.2801774969469343e-18),
        ("atan", 1e+300, 1.5707963267948966, 6.123233995736766e-17),
        ("sinh", 0.7, 0.7585837018395335, -4.9693841630321686e-17),
        ("sinh", 1e-07, 1.0000000000000017e-07, -5.386900744363029e-24),
        ("sinh", -0.4, -0.4107523258028155, -2.2564035584726803e-17),
        ("sinh", 30.0, 5343237290762.231, -0.0003718172657214174),
        ("sinh", -710.0, -1.1169973830808555e+308, -5.772538034401481e+291),
        ("cosh", 0.7, 1.255169005630943, -3.986629140481058e-17),
        ("cosh", -5.0, 74.20994852478785, -3.2016056277777725e-15),
        ("tanh", 0.7, 0.6043677771171635, -2.7916180015425346e-17),
        ("tanh", 1e-09, 1e-09, -3.3333333333333338e-28),
        ("tanh", -0.3, -0.2913126124515909, 6.4602656586469586e-18),
        ("tanh", 12.0, 0.9999999999244973, 2.4308346468945755e-17),
        ("sqrt", 2.0, 1.4142135623730951, -9.667293313452913e-17),
        ("sqrt", 1e-200, 1e-100, -2.8941768603061505e-117),
        ("sqrt", 3e+300, 1.7320508075688775e+150, -1.1924780537453558e+134),
    ];
    for (function, x, hi, lo) in known {
        let error = relative_error(apply(function, exact(x)), DoubleDouble { hi, lo });
        assert!(error < 1e-30, "{function}({x}): relative error {error:e}");
    }
}

#[test]
fn ends_of_the_domains() {
    assert_eq!(exact(-800.0).exp(), DoubleDouble::ZERO);
    assert!(!exact(800.0).exp().is_finite());
    assert!(!exact(0.0).log().is_finite());
    assert!(!exact(-1.0).log().is_finite());
    assert!(!exact(-1.0).sqrt().is_finite());
    assert!(!exact(1.5).asin().is_finite());
    assert!(!exact(f64::INFINITY).sin_cos().0.is_finite());
    assert!(!(DoubleDouble::ONE / DoubleDouble::ZERO).is_finite());
    assert_eq!(exact(0.0).sqrt(), DoubleDouble::ZERO);
    assert_eq!(exact(1000.0).tanh(), DoubleDouble::ONE);
}

#[test]
fn angles_of_the_axes() {
    let pi = DoubleDouble::PI;
    let cases = [(0.0, 1.0, exact(0.0)), (1.0, 0.0, pi.scale(0.5)), (0.0, -1.0, pi), (-1.0, 0.0, -pi.scale(0.5))];
    for (y, x, angle) in cases {
        let error = relative_error(exact(y).atan2(exact(x)), angle);
        assert!(error < 1e-31, "atan2({y}, {x}): error {error:e}");
    }
    assert_eq!(exact(0.0).atan2(exact(0.0)), exact(0.0));
}

#[test]
fn one_plus_a_tiny_number_keeps_the_tiny_number() {
    let tiny = 1e-30;
    let sum = exact(1.0) + exact(tiny);
    assert_eq!((sum.hi, sum.lo), (1.0, tiny));
    assert!(relative_error(sum.log(), exact(tiny)) < 1e-15);
    assert_eq!((sum - exact(1.0)).hi, tiny);
    assert!(sum > exact(1.0));
}

fn moderate() -> impl Strategy<Value = DoubleDouble> {
    (-30.0..30.0, -1.0..1.0).prop_map(|(hi, lo): (f64, f64)| exact(hi) + exact(lo * 1e-17))
}

proptest! {
    #[test]
    fn division_and_roots_undo_products(a in moderate(), b in moderate()) {
        prop_assume!(b.hi.abs() > 1e-3);
        prop_assert!(relative_error(a / b * b, a) < 1e-30);
        prop_assert!(relative_error(b.square().sqrt(), b.abs()) < 1e-30);
        prop_assert!(relative_error((a + b) - b - a, exact(0.0)) < 1e-29);
        prop_assert!(relative_error(b.reciprocal() * b, exact(1.0)) < 1e-30);
    }

    #[test]
    fn identities_of_the_functions(a in moderate(), b in moderate()) {
        let zero = exact(0.0);
        let ((sine, cosine), (other_sine, other_cosine)) = (a.sin_cos(), b.sin_cos());
        let sum_sine = (a + b).sin_cos().0;
        prop_assert!(relative_error(sine.square() + cosine.square() - DoubleDouble::ONE, zero) < 1e-30);
        prop_assert!(relative_error(sine * other_cosine + cosine * other_sine - sum_sine, zero) < 1e-28);
        prop_assert!(relative_error(a.exp() * b.exp(), (a + b).exp()) < 1e-28);
        prop_assert!(relative_error(a.exp().log() - a, zero) < 1e-29);
        let (sinh, cosh) = a.sinh_cosh();
        prop_assert!(relative_error(sinh + cosh, a.exp()) < 1e-29 * cosh.hi.square() / a.exp().hi.min(1.0));
        prop_assert!(relative_error(sinh / cosh, a.tanh()) < 1e-29);
        prop_assert!(relative_error(a.atan().tan(), a) < 1e-28);
    }

    #[test]
    fn inverse_functions_undo(x in -1.0..1.0f64, angle in -3.1..3.1f64, radius in 1e-200..1e200f64) {
        let x = exact(x);
        prop_assert!(relative_error(x.asin().sin_cos().0 - x, exact(0.0)) < 1e-30);
        prop_assert!(relative_error(x.acos().sin_cos().1 - x, exact(0.0)) < 1e-30);
        let (sine, cosine) = exact(angle).sin_cos();
        let back = sine.scale(radius).atan2(cosine.scale(radius));
        prop_assert!(relative_error(back - exact(angle), exact(0.0)) < 1e-30);
    }

    #[test]
    fn powers_agree_by_both_routes(x in 0.1..10.0f64, n in -40..40i32) {
        let (x, exponent) = (exact(x), f64::from(n));
        prop_assert!(relative_error(x.powf(exponent), x.log().scale(exponent).exp()) < 1e-28);
        prop_assert!(relative_error(x.powf(exponent + 0.5), x.powf(exponent) * x.sqrt()) < 1e-28);
    }
}
