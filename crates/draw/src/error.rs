//! Errors of writing a figure.

use std::path::PathBuf;

/// The error of writing a figure to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The file name ends in none of `.svg`, `.pdf` and `.png`.
    #[error("the figure cannot be saved as `{}`: its name must end in .svg, .pdf or .png", path.display())]
    UnknownFormat {
        /// The requested path.
        path: PathBuf,
    },
    /// The folder that should hold the file does not exist.
    #[error("the figure cannot be saved as `{}`: there is no folder `{}`, create it first", path.display(), folder.display())]
    MissingFolder {
        /// The requested path.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// The file could not be written.
    #[error("the figure cannot be saved as `{}`: {source}", path.display())]
    Write {
        /// The requested path.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The scale of a PNG image is not a positive number, or the image would have a side of more than
    /// 16384 pixels.
    #[error(
        "no image of {width} by {height} points can be drawn at scale {scale}: choose a positive scale that gives sides of 1 to 16384 pixels"
    )]
    Scale {
        /// Width of the figure in points.
        width: f64,
        /// Height of the figure in points.
        height: f64,
        /// The requested scale, in pixels per point.
        scale: f64,
    },
    /// Two accumulators count points in different cells.
    #[error("points counted in different windows cannot be added: {first} and {second}")]
    Windows {
        /// The first window and its cells.
        first: String,
        /// The second window and its cells.
        second: String,
    },
    /// The image could not be encoded.
    #[error("the image could not be encoded as PNG: {0}")]
    Encode(#[from] ::png::EncodingError),
}
