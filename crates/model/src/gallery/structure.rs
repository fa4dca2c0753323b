//! Gallery structures of any size: the chain and the bar, as a model file and its two matrices.

use std::fmt::Write;

use saltation_numerics::matrix_market::{Coordinates, write};

use crate::matrices::{MOST_DEGREES, MOST_MOVED};
use crate::mistake::Mistake;

/// The models of the gallery that come in any size.
pub const NAMES: [&str; 2] = ["chain", "bar"];

/// A model and the files it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The name of the model; its file is this with `.toml`, the first of the files.
    pub name: String,
    /// Names and texts.
    pub files: Vec<(String, String)>,
}

/// The model with this name and number of elements; `None` if its size is fixed.
///
/// # Errors
/// As [`chain`].
pub fn generate(name: &str, elements: usize) -> Option<Result<Generated, Mistake>> {
    match name {
        "chain" => Some(chain(elements)),
        "bar" => Some(bar(elements)),
        _ => None,
    }
}

/// n masses 1/n one after the other, with springs n between them and to the ground; the wall stands at a distance d from the last one.
///
/// ```
/// let chain = saltation_model::gallery::structure::chain(400).unwrap();
/// let names: Vec<&str> = chain.files.iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["chain-400.toml", "chain-400-M.mtx", "chain-400-K.mtx"]);
/// ```
///
/// # Errors
/// No elements, or more than [`MOST_DEGREES`].
pub fn chain(elements: usize) -> Result<Generated, Mistake> {
    let n = elements as f64;
    let mass = Coordinates::diagonal(&vec![1.0 / n; bounded(elements)?]);
    Ok(structure(
        "chain",
        elements,
        &mass,
        &springs(elements),
        Words {
            title: "masses and springs before a wall",
            about: "Equal masses and springs, fixed at one end; the last mass meets a rigid wall and loses nothing.",
            source: "Thorin, Delezoide & Legrand, Non-smooth modal analysis of piecewise-linear impact oscillators, \
                 SIAM J. Appl. Dyn. Syst. 16 (2017), Sect. 7",
        },
    ))
}

/// A bar of unit length, density and modulus, clamped at one end, in n linear finite elements with consistent masses; the wall stands at
/// a distance d from its free end.
///
/// # Errors
/// As [`chain`].
pub fn bar(elements: usize) -> Result<Generated, Mistake> {
    let n = elements as f64;
    let mut mass = Vec::new();
    for i in 0..bounded(elements)? {
        mass.push((i, i, if i + 1 == elements { 2.0 } else { 4.0 } / (6.0 * n)));
        if i > 0 {
            mass.extend([(i, i - 1, 1.0 / (6.0 * n)), (i - 1, i, 1.0 / (6.0 * n))]);
        }
    }
    let mass = Coordinates::new(elements, elements, mass);
    Ok(structure(
        "bar",
        elements,
        &mass,
        &springs(elements),
        Words {
            title: "finite elements of a bar before a wall",
            about: "A bar of unit length, density and modulus, clamped at one end, in linear elements with consistent masses; \
                its free end meets a rigid wall and loses nothing.",
            source: "linear finite elements of the wave equation, as in any textbook on finite elements",
        },
    ))
}

fn bounded(elements: usize) -> Result<usize, Mistake> {
    if (1..=MOST_DEGREES).contains(&elements) {
        return Ok(elements);
    }
    let message = format!("a structure of {elements} elements cannot be made");
    Err(Mistake::general(message).help(format!("choose a number of elements from 1 to {MOST_DEGREES}")))
}

/// n tridiag(-1, 2, -1), with a free last end.
fn springs(elements: usize) -> Coordinates {
    let n = elements as f64;
    let mut entries = Vec::new();
    for i in 0..elements {
        entries.push((i, i, if i + 1 == elements { n } else { 2.0 * n }));
        if i > 0 {
            entries.extend([(i, i - 1, -n), (i - 1, i, -n)]);
        }
    }
    Coordinates::new(elements, elements, entries)
}

struct Words {
    title: &'static str,
    about: &'static str,
    source: &'static str,
}

fn structure(kind: &str, n: usize, mass: &Coordinates, stiffness: &Coordinates, words: Words) -> Generated {
    let name = format!("{kind}-{n}");
    let mut text = format!(
        "format = 1\nname   = \"{name}\"\ntitle  = \"{n} {}\"\nabout  = \"{}\"\nsource = \"{}\"\n\n\
         [parameters]\nd = {{ value = 1, about = \"distance of the wall at rest; negative if the structure is pressed against it\" }}\n\n",
        words.title, words.about, words.source
    );
    // A larger structure has no start, because it is not simulated.
    let moved = n <= MOST_MOVED;
    if moved {
        let _ = writeln!(text, "[definitions]\npull = \"(d - 2.5)/{n}\"\n");
    }
    let _ = write!(
        text,
        "[matrices]\nM = \"{name}-M.mtx\"\nK = \"{name}-K.mtx\"\n\n\
         [contacts.wall]\ngap = {{ constant = \"d\", normal = {{ {n} = -1 }} }}\nrestitution = 1\n"
    );
    if moved {
        text.push_str("\n# Stretched evenly away from the wall, and let go.\n[start]\n");
        for i in 1..=n {
            let _ = writeln!(text, "u{i} = \"{i}*pull\"");
        }
    }
    let files = vec![
        (format!("{name}.toml"), text),
        (format!("{name}-M.mtx"), write(mass, true)),
        (format!("{name}-K.mtx"), write(stiffness, true)),
    ];
    Generated { name, files }
}
