//! The tables of Yoshitake et al., Development of shooting method for impact systems, as printed.
#![allow(dead_code)] // benches and examples use a part

/// A row of Table 1: K, the two multipliers, each as printed.
pub(crate) struct BallRow {
    pub k: &'static str,
    pub printed: [&'static str; 2],
    /// What is wrong with the printed row, if anything.
    pub misprint: Option<&'static str>,
}

const fn ball(k: &'static str, first: &'static str, second: &'static str) -> BallRow {
    BallRow { k, printed: [first, second], misprint: None }
}

const fn misprinted(k: &'static str, first: &'static str, second: &'static str, why: &'static str) -> BallRow {
    BallRow { k, printed: [first, second], misprint: Some(why) }
}

/// Table 1: the ball on a vibrating table with one impact per cycle, e = 0.9.
pub(crate) const TABLE_1: [BallRow; 15] = [
    ball("1.016", "-0.8150084435", "-0.9938547342"),
    ball("1.0163", "-0.8101672703", "-0.9997935361"),
    ball("1.016310", "-0.8100111112", "-0.9999862827"),
    misprinted("1.01631071", "-0.8100000359", "-0.999999556", "a 9 is lost: -0.9999999556"),
    ball("1.0163107123", "-0.8100000000", "-0.9999999999"),
    ball("1.0163107124", "-0.8099999985", "-1.0000000018"),
    ball("1.01631072", "-0.8099998800", "-1.0000001482"),
    ball("1.016311", "-0.8099955127", "-1.0000055399"),
    ball("1.0164", "-0.8086197094", "-1.0017069713"),
    ball("1.017", "-0.7999175716", "-1.0126043342"),
    ball("0.1653469818", "0.9999380597", "0.8100501747"),
    ball("0.16534699", "0.9990044310", "0.8108072145"),
    ball("0.165347", "0.9985152716", "0.8112044182"),
    misprinted("0.1654", "0.8974414625", "0.8974414625", "the real part of a complex pair of modulus 0.9"),
    misprinted("0.166", "0.8784489703", "0.8784489703", "the real part of a complex pair of modulus 0.9"),
];

/// A row of Table 3: nu, |lambda_1,2| and |lambda_3,4| as printed; the latter is lambda_3, the larger of two real ones.
pub(crate) struct DamperRow {
    pub nu: &'static str,
    pub pair: &'static str,
    pub third: &'static str,
}

const fn damper(nu: &'static str, pair: &'static str, third: &'static str) -> DamperRow {
    DamperRow { nu, pair, third }
}

/// Table 3: the impact damper with two impacts per cycle, Delta = 4, gamma = 0.05, e = 0.8, mu = 0.1.
pub(crate) const TABLE_3: [DamperRow; 6] = [
    damper("1.0852502", "0.7595633989", "0.9999978701"),
    damper("1.08525018", "0.7595633939", "0.9999994107"),
    damper("1.085250173", "0.7595633922", "0.9999999494"),
    damper("1.085250172", "0.7595633919", "1.000000025"),
    damper("1.08525017", "0.7595633914", "1.000000181"),
    damper("1.0852501", "0.7595633739", "1.000005573"),
];

/// The state at the top of the flight of the ball that meets the table once per cycle: K cos phi = pi (1 - e)/(1 + e), and half a
/// cycle later it is pi^2/2 above the impact, with phase phi + pi and no speed.
pub(crate) fn ball_at_its_top(k: f64, e: f64) -> [f64; 3] {
    use std::f64::consts::PI;
    let phase = (PI * (1.0 - e) / ((1.0 + e) * k)).acos();
    [k * phase.sin() + PI * PI / 2.0, 0.0, phase + PI]
}
