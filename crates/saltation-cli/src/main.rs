//! The command `saltation`.
fn main() {}
