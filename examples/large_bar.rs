//! The distance of one impact per period of a bar from its lowest linear mode: `large_bar [n]`, 2000 elements by default.
//!
//! Prints the frequency of the lowest mode beside its closed form, the interval of periods just below T_1 and the spectral
//! radius in its middle, with the time that each took.

use saltation_modes::{LinearModes, Single, single, stability};
use std::time::Instant;

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).filter(|n| *n > 0).unwrap_or(2000);
    let size = n as f64;
    let (mut mass, mut stiffness) = (Vec::new(), Vec::new());
    for i in 0..n {
        let elements = if i + 1 < n { 2.0 } else { 1.0 };
        mass.push((i, i, elements / (3.0 * size)));
        stiffness.push((i, i, elements * size));
        if i + 1 < n {
            mass.extend([(i, i + 1, 1.0 / (6.0 * size)), (i + 1, i, 1.0 / (6.0 * size))]);
            stiffness.extend([(i, i + 1, -size), (i + 1, i, -size)]);
        }
    }
    let normal: Vec<f64> = (0..n).map(|i| if i + 1 == n { -1.0 } else { 0.0 }).collect();
    let begin = Instant::now();
    let modes = match LinearModes::new(n, &mass, &stiffness, &normal, 1.0) {
        Ok(modes) => modes,
        Err(error) => return eprintln!("{error}"),
    };
    let cosine = (0.5 * std::f64::consts::PI / size).cos();
    let half = (0.25 * std::f64::consts::PI / size).sin();
    let exact = size * (12.0 * half * half / (2.0 + cosine)).sqrt();
    println!("{n} linear modes in {:.2?}; T_1 = {:.16}", begin.elapsed(), modes.period(0));
    println!("lowest frequency {:.16}, closed form {exact:.16}", modes.frequencies()[0]);

    let begin = Instant::now();
    let first = modes.period(0);
    let intervals = single::intervals(&modes, (1.0 - 1e-5) * first, first);
    println!("{} intervals between (1 - 1e-5) T_1 and T_1 in {:.2?}", intervals.len(), begin.elapsed());
    let Some(last) = intervals.last() else { return };
    println!("the last: {:.16} to {:.16}, width {:.6e}", last.from, last.to, last.to - last.from);
    let motion = Single::new(&modes, 0.5 * (last.from + last.to));
    println!("in its middle lambda {:.9e}, energy {:.9}", motion.lambda, motion.energy);
    if n <= 800 {
        let begin = Instant::now();
        if let Some(stable) = stability(&modes, &motion.motion(&modes)) {
            println!("spectral radius {:.9} in {:.2?}", stable.spectral_radius, begin.elapsed());
        }
    }
}
