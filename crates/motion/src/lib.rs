//! How a system moves through contact.
