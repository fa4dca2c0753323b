//! Whether arithmetic is the fastest on this processor, or the one that gives the same bits on every processor: chosen once, by whoever comes first.
//!
//! What differs between processors, and what a portable process does instead:
//!
//! | | fastest | portable |
//! |---|---|---|
//! | sines, exponentials, ... ([`elementary`](crate::elementary)) | the platform's, which may choose a variant by the processor | those of FreeBSD and musl, compiled from the Rust crate libm |
//! | sums of products ([`vectors`](crate::vectors)) | a product is added unrounded where there is an instruction for it | every product is rounded |
//!
//! Sums, products, quotients, square roots and a b + c of [`f64::mul_add`] are rounded correctly by every processor, and whole powers ([`f64::powi`]) are products.
//!
//! The first computation takes the switch as it is; afterwards it cannot be changed. So no number of one kind ever meets one of the other, and asking
//! costs a look at memory that is never written again.

use std::sync::OnceLock;

static CHOSEN: OnceLock<bool> = OnceLock::new();

/// The choice came too late: something was computed by the other arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} was computed in this process before", if *.portable { "something that is not portable" } else { "something portable" })]
pub struct TooLate {
    /// What was asked for.
    pub portable: bool,
}

/// Chooses for this process, before it computes anything. The same choice may be repeated.
///
/// # Errors
/// If the other arithmetic was chosen, or used, before.
///
/// ```
/// use saltation_numerics::portable;
///
/// assert_eq!(portable::choose(true), Ok(()));
/// assert!(portable::is_chosen());
/// assert!(portable::choose(false).is_err());
/// ```
pub fn choose(portable: bool) -> Result<(), TooLate> {
    if *CHOSEN.get_or_init(|| portable) == portable { Ok(()) } else { Err(TooLate { portable }) }
}

/// Whether this process computes the same bits on every processor. Asking settles it: who has not chosen does not.
#[inline]
pub fn is_chosen() -> bool {
    *CHOSEN.get_or_init(|| false)
}
