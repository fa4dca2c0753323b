//! Figures of nonsmooth modes, drawn again: A. Thorin, P. Delezoide and M. Legrand, Non-smooth modal analysis of piecewise-linear
//! impact oscillators, SIAM J. Appl. Dyn. Syst. 16 (2017), Figures 6 to 16.
//!
//! `cargo run --release -p saltation --example modes_figures -- NAME FOLDER` writes the picture NAME (or `all` of them, which is the
//! same as no name) as SVG and PNG to the folder (the present one unless given), as `modes-9.svg`.
//!
//! | names | what is drawn |
//! |---|---|
//! | `6`, `7`, `8` | one impact per period: where it is possible, the motions near 4 T_3, their manifold |
//! | `9`, `10`, `11` | two impacts per period: where it is possible, the motions near 3 T_3, their manifold |
//! | `12`, `13`, `14` | two impacts at constant times; a bridge to one impact per period, its manifold |
//! | `15` | seven impacts per period: a family through a symmetric motion |
//! | `16` | neutrally stable motions, perturbed, after 1000 periods |
//! | `energy` | frequency against energy; not in the paper |

mod chain;
mod constant;
mod contour;
mod double;
mod energy;
mod families;
mod flight;
mod neutral;
mod seven;
mod single;
mod view;

use std::path::PathBuf;

use saltation_draw::Figure;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

type Draw = fn() -> Outcome<Figure>;

const FIGURES: &[(&str, Draw)] = &[
    ("6", single::graph_of_phi),
    ("7", single::positions),
    ("8", single::manifold),
    ("9", double::roots),
    ("10", double::positions),
    ("11", double::manifold),
    ("12", constant::constant_times),
    ("13", constant::bridge_positions),
    ("14", constant::bridge_manifold),
    ("15", seven::reversal),
    ("16", neutral::after_many_periods),
    ("energy", energy::plane),
];

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next().unwrap_or_else(|| "all".to_string());
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_string()));
    let chosen: Vec<_> = FIGURES.iter().filter(|(name, _)| wanted == "all" || wanted == *name).collect();
    if chosen.is_empty() {
        let names = FIGURES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        return Err(format!("there is no picture {wanted}; there are all, {names}").into());
    }
    for (name, draw) in chosen {
        let figure = draw()?;
        for kind in ["svg", "png"] {
            let path = folder.join(format!("modes-{name}.{kind}"));
            figure.save(&path)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}
