//! Resonances predicted by a nonsmooth mode: the chain of five masses before a wall, lightly damped and driven at its last mass.
//!
//! `cargo run --release -p saltation --example forced_backbone -- FOLDER` prints a table and writes `forced_backbone.svg` and
//! `forced_backbone.png` to the folder (the present one unless given).
//!
//! Without damping and load the chain has modes with one impact per period, whose frequency rises with the impact speed: from ω_1 = 1.423,
//! where the first linear mode grazes the wall, to 1.596. This is the backbone, the black line. A load F cos φ at the frequency ω and
//! the damping a M make of it a resonance that bends over: each coloured line is one load and one damping. Its orbits begin
//! with an impact without speed, at a graze, rise along the backbone as ω grows, turn back at a fold, and end in another graze.
//! The fold is the resonance: behind it the structure falls back to motions that do not reach the wall.
//!
//! The load keeps up a mode if its work per period is what the damping takes, which is a condition on F/a alone: every F/a from 0.8 on belongs to a
//! point of the backbone (`backbone.rs`), a black cross. As damping and load become lighter at the same F/a, the folds tend to these
//! points. They do so as a²: turning time round turns a into -a, and half a period turns F into -F, so that the fold depends on a² alone.
//!
//! Restitution is 1, so that nothing but the damping takes energy, and the damping is in proportion to the masses, so that multipliers come in
//! pairs with the product exp(-a T): where a mode is neutrally stable, the damping takes its multipliers to the modulus exp(-a T/2). Where
//! it is unstable, or the fold is passed, the orbits of the driven chain are unstable too (thin). They are followed all the same.
//!
//! The same from the command line, with the model beside this file, first one orbit and then its branches:
//!
//! ```text
//! saltation orbit examples/forced_backbone/forced-chain.toml --set omega=1.43 --set a=0.05 --set F=0.05 --settle 600
//! saltation continue examples/forced_backbone/forced-chain.toml --along omega --range 1.33:1.62 --switch --plot forced-chain.svg
//! ```

mod backbone;
mod picture;
mod response;

use std::path::PathBuf;

use backbone::Backbone;
use response::Response;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A fold beside the point of the backbone that its F/a belongs to.
struct Distance {
    damping: f64,
    /// (ω, impact speed) of the fold.
    fold: (f64, f64),
    /// The same of the mode.
    mode: (f64, f64),
}

impl Distance {
    fn of(backbone: &Backbone, response: &Response, damping: f64, ratio: f64) -> Outcome<Distance> {
        let omega = backbone.frequency(ratio).ok_or("the load is one of the backbone")?;
        Ok(Distance { damping, fold: response.resonance()?, mode: (omega, backbone.speed(omega)) })
    }

    /// How much the frequency and the impact speed of the fold are off.
    fn off(&self) -> (f64, f64) {
        ((self.fold.0 - self.mode.0).abs(), (self.fold.1 - self.mode.1).abs())
    }
}

fn main() -> Outcome<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_string()));
    let figure = picture::draw()?;
    for kind in ["svg", "png"] {
        let path = folder.join(format!("forced_backbone.{kind}"));
        figure.save(&path)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use saltation_orbit::branch::BranchPoint;

    use super::*;

    const RATIO: f64 = 1.0;

    #[test]
    fn folds_tend_to_the_backbone_as_the_square_of_the_damping() {
        let backbone = Backbone::new().unwrap();
        let off = |damping: f64| {
            let response = Response::new(damping, RATIO * damping).unwrap();
            Distance::of(&backbone, &response, damping, RATIO).unwrap().off()
        };
        let dampings = [0.12, 0.06, 0.03];
        let found = dampings.map(off);
        println!("{found:?}");
        for (heavy, light) in found.iter().zip(&found[1..]) {
            // c a² + d a⁴: a quarter, and a little off.
            for (heavy, light) in [(heavy.0, light.0), (heavy.1, light.1)] {
                assert!((0.23..0.27).contains(&(light / heavy)), "{found:?}");
            }
        }
        assert!(found[2].0 < 2e-4 && found[2].1 < 5e-3, "{found:?}");
    }

    #[test]
    fn multipliers_come_in_pairs_that_lose_what_the_damping_takes() {
        let damping = 0.05;
        let response = Response::new(damping, damping).unwrap();
        let mut pairs = 0;
        // At a graze one multiplier is infinite.
        let strikes = |point: &&BranchPoint| point.admissible && response.place(point).1 > 0.05;
        for point in response.branch().points.iter().filter(strikes) {
            assert_eq!(point.multipliers.len(), 10);
            let product = (-damping * point.period).exp();
            let log: f64 = point.multipliers.iter().map(|multiplier| multiplier.norm().ln()).sum();
            assert!((log - 5.0 * product.ln()).abs() < 1e-6, "{log} {}", product.ln());
            let largest = point.multipliers[0].norm() * point.multipliers[9].norm();
            assert!((largest / product - 1.0).abs() < 1e-6, "{largest} {product}");
            pairs += 1;
        }
        assert!(pairs > 50, "{pairs}");
    }

    /// The work of load and damping along the path of a mode, by Simpson's rule.
    #[test]
    fn the_work_of_the_load_is_that_along_the_path() {
        let backbone = Backbone::new().unwrap();
        let modes = backbone::chain().unwrap();
        for omega in [1.44, 1.5, 1.57] {
            let period = std::f64::consts::TAU / omega;
            let mode = saltation_modes::Single::new(&modes, period).motion(&modes);
            let path = mode.path(&modes, 2000);
            let (mut lost, mut given) = (0.0, 0.0);
            for (i, (t, _, v)) in path.iter().enumerate() {
                let weight = if i == 0 || i == 2000 { 1.0 } else { [2.0, 4.0][i % 2] };
                lost += weight * 0.2 * v.iter().map(|v| v * v).sum::<f64>();
                given += weight * v[4] * (omega * t).sin();
            }
            let ratio: f64 = lost / given;
            assert!((backbone.load(omega) / ratio.abs() - 1.0).abs() < 1e-9, "{omega} {ratio}");
        }
    }
}
