//! Published figures of branches and curves, computed and drawn again.
//!
//! `cargo run --release -p saltation --example branch_figures -- NAME FOLDER` writes the picture NAME (or `all` of them) as SVG
//! and PNG to the folder (the present one unless given).
//!
//! | names | paper |
//! |---|---|
//! | `vivid-3a`, `vivid-3b`, `vivid-4` | Ghosh & Simpson, The VIVID function, Figs. 3 and 4 |
//! | `chattering-8`, `chattering-9`, `chattering-10` | Nordmark & Piiroinen, complete chattering, Figs. 8, 9 and 10 |
//! | `shooting-4` | Yoshitake et al., shooting method for impact systems, Fig. 4 |

mod chattering;
mod shooting;
mod strands;
mod vivid;

use std::path::PathBuf;

use saltation_draw::Figure;
use saltation_model::{Overrides, Values, gallery};
use saltation_motion::System;
use saltation_orbit::{Orbit, Settings, find};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A model of the gallery with some parameters free.
fn free(name: &str, set: &[(&str, &str)], along: &[&str]) -> Outcome<(System, Values)> {
    let model = gallery::model(name).ok_or("the gallery has this model")??;
    let set = set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let following = model.values(&Overrides { set, start: Vec::new() })?.along(along)?;
    Ok((System::new(&model), following))
}

/// The attracting orbit of a given number of returns.
fn settled(system: &System, values: &Values, returns: u64, settle: u64) -> Outcome<Orbit> {
    let section = system.default_section().ok_or("the model has a section")?;
    let settings = Settings { returns, settle, ..Settings::through(section) };
    let search = find(system, values, &settings, &mut |_| true);
    Ok(search.orbit.ok_or_else(|| search.ended.describe(system))?)
}

type Draw = fn() -> Outcome<Figure>;

const FIGURES: [(&str, Draw); 7] = [
    ("vivid-3a", vivid::doubling),
    ("vivid-3b", vivid::folding),
    ("vivid-4", vivid::plane),
    ("chattering-8", chattering::sticking_lost),
    ("chattering-9", chattering::doubling),
    ("chattering-10", chattering::homoclinic),
    ("shooting-4", shooting::two_walls),
];

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let names = FIGURES.map(|(name, _)| name).join(", ");
    let wanted = arguments.next().ok_or_else(|| format!("which picture? all, {names}"))?;
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_string()));
    let chosen: Vec<_> = FIGURES.iter().filter(|(name, _)| wanted == "all" || wanted == *name).collect();
    if chosen.is_empty() {
        return Err(format!("there is no picture {wanted}; there are all, {names}").into());
    }
    for (name, draw) in chosen {
        let figure = draw()?;
        for kind in ["svg", "png"] {
            let path = folder.join(format!("{name}.{kind}"));
            figure.save(&path)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}
