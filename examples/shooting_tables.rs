//! Tables 1 and 3 of Yoshitake et al., Development of shooting method for impact systems, with our digits beside theirs.
//!
//! `cargo run --release -p saltation --example shooting_tables`

use saltation_model::{Overrides, gallery};
use saltation_motion::System;
use saltation_numerics::dense::Complex;
use saltation_orbit::{Orbit, Settings, find};

#[path = "../validation/common/shooting.rs"]
mod shooting;
use shooting::{TABLE_1, TABLE_3, ball_at_its_top};

fn orbit(name: &str, set: (&str, &str), start: &[(&str, f64)]) -> Result<Orbit, Box<dyn std::error::Error>> {
    let model = gallery::model(name).ok_or("the gallery has this model")??;
    let start = start.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
    let values = model.values(&Overrides { set: vec![(set.0.into(), set.1.into())], start })?;
    let system = System::new(&model);
    let section = system.default_section().ok_or("the model is forced")?;
    let search = find(&system, &values, &Settings::through(section), &mut |_| true);
    search.orbit.ok_or_else(|| search.ended.describe(&system).into())
}

/// A multiplier with ten decimals; a complex one as its real part and modulus.
fn words(multiplier: Complex) -> String {
    match multiplier.im {
        0.0 => format!("{:.10}", multiplier.re),
        _ => format!("{:.10} (modulus {:.10})", multiplier.re, multiplier.norm()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("Table 1: ball on a vibrating table, e = 0.9, one impact per cycle\n");
    println!("{:>14}  {:>15} {:<36}  {:>15} {:<36}", "K", "printed", "ours", "printed", "ours");
    for row in &TABLE_1 {
        let [x, v, phi] = ball_at_its_top(row.k.parse()?, 0.9);
        let found = orbit("ball-on-table", ("K", row.k), &[("x", x), ("v", v), ("phi", phi)])?.multipliers;
        let printed: f64 = row.printed[0].parse()?;
        let swap = found[0].im == 0.0 && (found[0].re - printed).abs() > (found[1].re - printed).abs();
        let [first, second] = if swap { [found[1], found[0]] } else { [found[0], found[1]] };
        let [a, b] = row.printed;
        println!("{:>14}  {a:>15} {:<36}  {b:>15} {:<36}", row.k, words(first), words(second));
        if let Some(why) = row.misprint {
            println!("{:>14}  {why}", "");
        }
    }
    println!("\nTable 3: impact damper, Delta = 4, gamma = 0.05, e = 0.8, mu = 0.1, two impacts per cycle\n");
    println!(
        "{:>14}  {:>13} {:<14}  {:>13} {:<14}  {:<14}",
        "nu", "|l1,2| print", "ours", "|l3,4| print", "l3, ours", "l4, ours"
    );
    for row in &TABLE_3 {
        let found = orbit("impact-damper", ("nu", row.nu), &[])?.multipliers;
        let pair = found.iter().find(|m| m.im != 0.0).map_or(f64::NAN, |m| m.norm());
        let real: Vec<f64> = found.iter().filter(|m| m.im == 0.0).map(|m| m.re).collect();
        let (third, fourth) = (real.first().unwrap_or(&f64::NAN), real.get(1).unwrap_or(&f64::NAN));
        println!("{:>14}  {:>13} {pair:<14.10}  {:>13} {third:<14.10}  {fourth:<14.10}", row.nu, row.pair, row.third);
    }
    println!("\nThe printed orbits close to 1e-10 (Table 1) and 1e-9 (Table 3), ours to rounding.");
    Ok(())
}
