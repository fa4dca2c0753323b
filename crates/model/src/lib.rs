//! What a nonsmooth system is.
