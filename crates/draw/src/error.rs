//! Errors of writing a figure.

use std::path::PathBuf;

/// Why a figure could not be turned into a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The file name ends in neither `.svg` nor `.png`.
    #[error("the figure cannot be saved as `{}`: its name must end in .svg or .png", path.display())]
    UnknownFormat {
        /// The path that was asked for.
        path: PathBuf,
    },
    /// The folder that should hold the file does not exist.
    #[error("the figure cannot be saved as `{}`: there is no folder `{}`, create it first", path.display(), folder.display())]
    MissingFolder {
        /// The path that was asked for.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// The file system refused to write the file.
    #[error("the figure cannot be saved as `{}`: {source}", path.display())]
    Write {
        /// The path that was asked for.
        path: PathBuf,
        /// What the file system answered.
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
        /// The scale that was asked for, in pixels per point.
        scale: f64,
    },
    /// The image could not be encoded.
    #[error("the image could not be encoded as PNG: {0}")]
    Encode(#[from] ::png::EncodingError),
}
