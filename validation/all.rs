//! Published and closed-form results, and what `docs/past-wrong-results.md` lists, as one program: the library is linked once.

mod branch_borders;
mod branch_traps;
mod branches;
mod chattering;
mod common;
mod complementarity;
mod complementarity_together;
mod constrained;
mod contact;
mod contacts;
mod curves;
mod derivative_answers;
mod derivatives;
mod drifting;
mod drifting_random;
mod dry_friction;
mod equilibria;
mod equilibria_listed;
mod equilibria_random;
mod equilibrium_branches;
mod fits;
mod flow;
mod flows_random;
mod friction;
mod friction_borders;
mod friction_random;
mod grazing;
mod instants;
mod instants_held;
mod interruption;
mod joint_friction;
mod joint_friction_random;
mod limits_at_rest;
mod limits_borders;
mod limits_branches;
mod limits_contacts;
mod limits_crossings;
mod limits_events;
mod limits_friction_laws;
mod limits_jumps;
mod limits_laws;
mod limits_modes;
mod limits_quotients;
mod limits_redundant;
mod limits_roots;
mod limits_rounding;
mod limits_steps;
mod limits_together;
mod limits_zeros;
mod linear;
mod lyapunov;
mod mode_families;
mod mode_motions;
mod modes;
mod not_there;
mod orbits;
mod orbits_at_rest;
mod orbits_ordinary;
mod ordinary_models;
mod painleve;
mod phases;
mod piecewise;
mod piecewise_branches;
mod signature;
mod static_limits;
mod stepping;
mod stepping_implicit;
mod structures;
mod successive;
mod sweeps;
mod tables;
mod time;
mod vivid;

// Examples whose results have tests of their own.
#[allow(dead_code, reason = "tests draw no figures")]
#[path = "../examples/forced_backbone/main.rs"]
mod forced_backbone;
#[allow(dead_code, reason = "tests draw no figures")]
#[path = "../examples/modes_figures/main.rs"]
mod modes_figures;
