//! Figures from results.
