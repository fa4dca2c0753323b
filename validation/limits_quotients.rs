//! Fields with removable singularities and exponentials beyond the range of numbers: ion channels, saturating gains. Against Runge & Kutta in small steps and closed forms.

use crate::common::{assert_all_close, assert_close};
use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, Motion, Settings, System};

fn end(body: &str, until: f64) -> Vec<f64> {
    let text = format!("format = 1\nname = \"test\"\n{body}");
    let model = Model::parse(&text, "test.toml").unwrap_or_else(|m| panic!("{m}"));
    let values = model.values(&Overrides::default()).unwrap_or_else(|m| panic!("{m}"));
    let system = System::new(&model);
    let settings = Settings { until, ..Settings::default() };
    let run = Motion::new(&system, &values, settings).unwrap_or_else(|e| panic!("{e}")).run(false, |_| true);
    assert!(matches!(run.ended, Ended::ReachedTime), "{body}: {:?}", run.ended);
    run.state
}

/// The equations of Hodgkin & Huxley (J. Physiol. 117 (1952)) as they are printed, with a current of 10.
fn hodgkin_huxley(alpha_n: &str, alpha_m: &str, v: f64) -> String {
    format!(
        "[definitions]\nan = \"{alpha_n}\"\nam = \"{alpha_m}\"\nbn = \"0.125*exp(-V/80)\"\nbm = \"4*exp(-V/18)\"\nah = \"0.07*exp(-V/20)\"\nbh = \"1/(exp((30 - V)/10) + 1)\"\n\
         [flow]\nV = \"10 - 120*m^3*h*(V - 115) - 36*n^4*(V + 12) - 0.3*(V - 10.6)\"\nn = \"an*(1 - n) - bn*n\"\nm = \"am*(1 - m) - bm*m\"\nh = \"ah*(1 - h) - bh*h\"\n\
         [start]\nV = {v}\nn = 0.32\nm = 0.05\nh = 0.6\n"
    )
}

fn rates([v, n, m, h]: [f64; 4]) -> [f64; 4] {
    let over = |x: f64| if x.abs() < 1e-6 { 1.0 - x / 2.0 } else { x / x.exp_m1() };
    let (an, am) = (0.1 * over((10.0 - v) / 10.0), over((25.0 - v) / 10.0));
    let (bn, bm) = (0.125 * (-v / 80.0).exp(), 4.0 * (-v / 18.0).exp());
    let (ah, bh) = (0.07 * (-v / 20.0).exp(), 1.0 / (((30.0 - v) / 10.0).exp() + 1.0));
    let current = 120.0 * m.powi(3) * h * (v - 115.0) + 36.0 * n.powi(4) * (v + 12.0) + 0.3 * (v - 10.6);
    [10.0 - current, an * (1.0 - n) - bn * n, am * (1.0 - m) - bm * m, ah * (1.0 - h) - bh * h]
}

fn in_small_steps(mut x: [f64; 4], until: f64, steps: usize) -> [f64; 4] {
    let dt = until / steps as f64;
    let plus = |x: [f64; 4], f: [f64; 4], dt: f64| std::array::from_fn(|i| x[i] + dt * f[i]);
    for _ in 0..steps {
        let a = rates(x);
        let b = rates(plus(x, a, dt / 2.0));
        let c = rates(plus(x, b, dt / 2.0));
        let d = rates(plus(x, c, dt));
        x = std::array::from_fn(|i| x[i] + dt / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    x
}

#[test]
fn spikes_pass_the_voltages_at_which_rates_are_zero_over_zero() {
    let written = [
        ("0.01*(10 - V)/(exp((10 - V)/10) - 1)", "0.1*(25 - V)/(exp((25 - V)/10) - 1)"),
        ("(0.1 - 0.01*V)/(exp(1 - 0.1*V) - 1)", "(2.5 - 0.1*V)/(exp(2.5 - 0.1*V) - 1)"),
        ("0.01*(V - 10)/(1 - exp(-(V - 10)/10))", "(V/10 - 2.5)/(1 - exp(-(V - 25)/10))"),
    ];
    for v in [0.0, 10.0, 10.0 + 1e-12, 25.0] {
        let known = in_small_steps([v, 0.32, 0.05, 0.6], 20.0, 40_000);
        for (n, m) in written {
            let found = end(&hodgkin_huxley(n, m, v), 20.0);
            found.iter().zip(known).for_each(|(x, known)| assert_close(*x, known, 1e-7 * (1.0 + known.abs())));
        }
    }
}

#[test]
fn other_quotients_that_vanish_over_zero_are_passed() {
    // x = t - 1: the integrals of x/tanh x, tanh x/x and sinh x/x from -1 to 1, by their series.
    let integral = |terms: &[f64]| 2.0 * terms.iter().enumerate().map(|(k, c)| c / (2 * k + 1) as f64).sum::<f64>();
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let sinh: Vec<f64> = (0..10).map(|k| 1.0 / factorial(2 * k + 1)).collect();
    assert_all_close(
        &end("[flow]\nx = \"1\"\ny = \"sinh(x)/x\"\n[start]\nx = -1\ny = 0\n", 2.0),
        &[1.0, integral(&sinh)],
        1e-13,
    );
    for (formula, inverse) in
        [("x/tanh(x)", "tanh(x)/x"), ("x/(exp(x) - 1)", "(exp(x) - 1)/x"), ("x/sinh(x)", "sinh(x)/x")]
    {
        // The product of both is 1.
        let body = format!("[flow]\nx = \"1\"\ny = \"({formula})*({inverse})\"\n[start]\nx = -1\ny = 0\n");
        assert_all_close(&end(&body, 2.0), &[1.0, 2.0], 1e-13);
    }
}

#[test]
fn gains_saturate_beyond_the_range_of_numbers() {
    // y' = L(k s) - y with s = -1 + t: from t = 1 on, as if it were a step, to within 1/k.
    for k in [10.0_f64, 1e3, 1e4, 1e6] {
        let body = format!("[flow]\ns = \"1\"\ny = \"1/(1 + exp(-{k}*s))\"\n[start]\ns = -1\ny = 0\n");
        // The integral of L(k s) from -1 to 1 is 1.
        assert_all_close(&end(&body, 2.0), &[1.0, 1.0], 1e-11);
        let body = format!("[flow]\ns = \"1\"\ny = \"3*exp({k}*s)/(1 + exp({k}*s))\"\n[start]\ns = -1\ny = 0\n");
        assert_all_close(&end(&body, 2.0), &[1.0, 3.0], 1e-11);
    }
}
