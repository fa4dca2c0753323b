//! What a branch is followed with: where it begins, and the system, parameters and settings that all its parts share.

use saltation_model::Values;
use saltation_motion::System;

use super::sample::Room;
use super::{Origin, Settings};
use crate::signature::Signature;

/// Where a branch begins.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub signature: Signature,
    pub unknowns: Vec<f64>,
    /// The size of every unknown.
    pub sizes: Vec<f64>,
    /// The direction, if it is known; the branch is then followed that way only.
    pub tangent: Option<Vec<f64>>,
}

/// Follows branches of one system.
pub(crate) struct Tracer<'s, 'a> {
    pub system: &'s System,
    pub following: &'a Values,
    pub settings: &'a Settings,
    pub origin: Origin,
    pub room: Room,
}

impl<'s, 'a> Tracer<'s, 'a> {
    pub fn new(system: &'s System, following: &'a Values, settings: &'a Settings, origin: Origin) -> Tracer<'s, 'a> {
        Tracer { system, following, settings, origin, room: Room::default() }
    }
}

/// The same without a node, whose time is added to that of the node before it.
pub(super) fn without(start: &Start, node: usize, states: usize) -> Start {
    let width = states + 1;
    let count = start.signature.nodes.len();
    let mut result = start.clone();
    let before = (node + count - 1) % count;
    result.unknowns[before * width + states] += start.unknowns[node * width + states];
    result.unknowns.drain(node * width..(node + 1) * width);
    result.sizes.drain(node * width..(node + 1) * width);
    result.signature.nodes.remove(node);
    result
}
