//! Any bytes as formulas: the function [`adversary::inputs::formula`] under cargo-fuzz.
#![no_main]

use adversary::{LONGEST, Watch, inputs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(what) = inputs::formula(bytes, &Watch::over(LONGEST)) {
        panic!("{what}");
    }
});
