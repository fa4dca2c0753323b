//! Any bytes as settings of the command line: the function [`adversary::inputs::settings`] under cargo-fuzz.
#![no_main]

use adversary::{LONGEST, Watch, inputs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(what) = inputs::settings(bytes, &Watch::over(LONGEST)) {
        panic!("{what}");
    }
});
