//! How is a sampled table printed?

use crate::naming::Naming;
use crate::number;
use std::io::{self, Write};

/// The widest number of 10 significant digits with an exponent.
const WIDTH: usize = 17;

/// Writes times up to `last` and states in columns.
pub fn write<'s>(
    output: &mut dyn Write,
    naming: Naming<'s>,
    last: f64,
    samples: impl Iterator<Item = (f64, &'s [f64])>,
) -> io::Result<()> {
    let decimals = number::decimals_for(last);
    let width = |name: &str| WIDTH.max(name.chars().count());
    write!(output, "  {:>WIDTH$}", "time")?;
    for name in naming.states() {
        write!(output, "  {:>width$}", name, width = width(name))?;
    }
    writeln!(output)?;
    for (time, state) in samples {
        write!(output, "  {:>WIDTH$}", number::time(time, decimals))?;
        for (name, value) in naming.state(state) {
            write!(output, "  {:>width$}", number::short(value, 10), width = width(name))?;
        }
        writeln!(output)?;
    }
    Ok(())
}
