//! Any bytes as model files: the function [`adversary::inputs::model`] under cargo-fuzz.
#![no_main]

use adversary::{LONGEST, Watch, inputs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(what) = inputs::model(bytes, &Watch::over(LONGEST)) {
        panic!("{what}");
    }
});
