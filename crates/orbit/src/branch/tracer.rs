//! The data with which a branch is followed: where it begins, and the system, parameters and settings that all its parts share.

use saltation_model::Values;
use saltation_motion::{ClosedSet, System};

use super::sample::Scratch;
use super::{Branch, BranchPoint, Origin, Settings};
use crate::signature::{Equations, Kind, Layout, Node, Signature, Site};

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

impl Start {
    /// A point of a branch.
    pub(crate) fn at(branch: &Branch, point: &BranchPoint) -> Start {
        Start {
            signature: branch.signature.clone(),
            unknowns: point.unknowns.clone(),
            sizes: branch.sizes.clone(),
            tangent: None,
        }
    }
}

/// The sizes of the unknowns of equations, without the share that each has in the metric.
pub(super) fn plain_sizes(equations: &Equations) -> Vec<f64> {
    let parameters = equations.layout().parameters;
    let share = (parameters as f64).sqrt();
    let plain = |(i, size): (usize, &f64)| if i < parameters { size / share } else { *size };
    equations.sizes().iter().enumerate().map(plain).collect()
}

/// Follows branches of one system.
pub(crate) struct Tracer<'s, 'a> {
    pub system: &'s System,
    pub following: &'a Values,
    pub settings: &'a Settings,
    pub origin: Origin,
    pub scratch: Scratch,
}

impl<'s, 'a> Tracer<'s, 'a> {
    pub(crate) fn new(
        system: &'s System,
        following: &'a Values,
        settings: &'a Settings,
        origin: Origin,
    ) -> Tracer<'s, 'a> {
        Tracer { system, following, settings, origin, scratch: Scratch::default() }
    }

    /// The equations of a start, with its sizes.
    pub(crate) fn equations(&self, start: &Start) -> Equations<'s> {
        self.equations_with(start, start.sizes.clone())
    }

    /// The equations of a start, with other sizes.
    pub(crate) fn equations_with(&self, start: &Start, sizes: Vec<f64>) -> Equations<'s> {
        let accuracy = (self.settings.tolerance, self.settings.flow);
        Equations::new(self.system, self.following.clone(), start.signature.clone(), sizes, accuracy)
    }
}

/// A start with a node that was inserted.
pub(crate) struct Inserted {
    /// Its position.
    pub node: usize,
    pub start: Start,
}

/// The same with a node at which nothing happens, between others; the direction is not known any more.
pub(crate) fn with_node(start: &Start, states: usize, kind: Kind, site: &Site) -> Inserted {
    let Layout { nodes, .. } = start.signature.layout(states);
    let closed: ClosedSet = start.signature.nodes[site.node].after;
    let mut signature = start.signature.clone();
    signature.nodes.insert(site.node + 1, Node { kind, before: closed, after: closed, collisions: Vec::new() });
    let at = nodes[site.node];
    let time = at + states;
    let whole = start.unknowns[time];
    let (before, after) = ([site.time], [whole - site.time]);
    let unknowns = [&start.unknowns[..time], &before, &site.state, &after, &start.unknowns[time + 1..]].concat();
    let own = &start.sizes[at..time + 1];
    let sizes = [&start.sizes[..time + 1], own, &start.sizes[time + 1..]].concat();
    Inserted { node: site.node + 1, start: Start { signature, unknowns, sizes, tangent: None } }
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
