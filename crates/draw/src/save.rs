//! Writes a figure to a file, in the format named by its extension; the file is complete or absent.

use crate::{DrawError, Figure, layout, pdf, png, svg};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Pixels per point of saved PNG files.
const SAVED_SCALE: f64 = 2.0;

impl Figure {
    /// The figure as an SVG document. The same figure always gives the same text.
    pub fn to_svg(&self) -> String {
        svg::write(&layout::scene(self))
    }

    /// The figure as a PNG file with `scale` pixels per point (2 suits screens, 4 print). The same figure always
    /// gives the same bytes.
    ///
    /// # Errors
    /// [`DrawError::Scale`] if `scale` is not positive or gives an image with a side of more than 16384 pixels.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, DrawError> {
        png::encode(&layout::scene(self), scale)
    }

    /// The figure as a PDF document of one page with searchable text. The same figure always gives the same bytes.
    pub fn to_pdf(&self) -> Vec<u8> {
        pdf::write(&layout::scene(self))
    }

    /// Writes the figure to a file whose name ends in `.svg`, `.pdf` or `.png` (2 pixels per point). The file appears
    /// whole or not at all; an existing one is replaced.
    ///
    /// # Errors
    /// [`DrawError::UnknownFormat`] for any other ending, [`DrawError::MissingFolder`] if the folder does not
    /// exist, and [`DrawError::Write`] if the file system refuses.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), DrawError> {
        let path = path.as_ref();
        let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        let format = extension.as_deref().filter(|end| ["svg", "pdf", "png"].contains(end));
        let Some(format) = format else {
            return Err(DrawError::UnknownFormat { path: path.to_owned() });
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(DrawError::MissingFolder { path: path.to_owned(), folder: folder.to_owned() });
        }
        let bytes = match format {
            "svg" => self.to_svg().into_bytes(),
            "pdf" => self.to_pdf(),
            _ => self.to_png(SAVED_SCALE)?,
        };
        replace(path, &beside(path), &bytes).map_err(|source| DrawError::Write { path: path.to_owned(), source })
    }
}

/// A hidden name in the same folder, different for every process.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

/// Writes to a temporary file and renames it, so that no reader ever sees half a file.
fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let written = std::fs::File::create(temporary)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(temporary, path));
    if written.is_err() {
        // The first failure is the one to report; a remainder that cannot be removed changes nothing.
        let _ = std::fs::remove_file(temporary);
    }
    written
}
