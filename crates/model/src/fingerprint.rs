//! The fingerprint of a model: SHA-256 of its text and of the files beside it, by which stored results are known to belong to it.
//!
//! The whole text counts, with title, units and sketch, which no number of an answer depends on. A file that is the same byte by byte is the same
//! model for certain, by any version of any program; which parts of a text do not matter is a question whose answer may change.

use sha2::{Digest, Sha256};

/// The hash of a text.
pub(crate) type Hash = [u8; 32];

/// The hash of a text.
pub(crate) fn hash(text: &str) -> Hash {
    Sha256::digest(text.as_bytes()).into()
}

/// The hash of a text and of texts that belong to it, as 64 hexadecimal digits. Each part has a hash of its own, so that the result does not depend on where
/// one ends and the next begins.
pub(crate) fn of(text: &str, files: impl Iterator<Item = Hash>) -> String {
    let mut whole = Sha256::new();
    whole.update(hash(text));
    files.for_each(|file| whole.update(file));
    whole.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_sha_256() {
        let digits: String = hash("abc").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digits, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(of("a", [hash("b")].into_iter()).len(), 64);
        assert_ne!(of("a", [hash("b")].into_iter()), of("b", [hash("a")].into_iter()));
    }
}
