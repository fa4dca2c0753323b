//! The bifurcation at which a curve begins: from a branch that was just followed, or from a file.

use crate::branch::answer::Answer;
use crate::branch::stored::{SpecialPoint, StoredBranch};
use crate::error::{Error, Refusal};
use crate::store::stored;
use crate::text::number::short;
use saltation_model::{Mistake, Mistakes, Model, Overrides};
use saltation_motion::System;
use saltation_orbit::branch::SpecialKind;
use saltation_orbit::curve::Origin;
use std::path::Path;

/// A bifurcation of a branch, and what is known about that branch.
#[derive(Debug, Clone)]
pub struct Start {
    branch: StoredBranch,
    at: String,
    point: SpecialPoint,
}

impl Start {
    /// Reads the file of a branch: what `continue --json` prints, or `branch.json` or `run.json` of a folder. `at` is the position of the special
    /// point, `INDEX`, or `BRANCH:INDEX` for one of a branch that begins on the first one.
    ///
    /// # Errors
    /// If the file cannot be read or holds no branch of this model, if it has no such bifurcation, or one that cannot be followed.
    pub fn read(path: &Path, at: Option<&str>, model: &Model) -> Result<Start, Error> {
        let branch = StoredBranch::read(path, model)?;
        let Some(at) = at else {
            let help = format!("give its position; {}", branch.all(0));
            let message = "at is missing: choose the bifurcation at which the curve begins";
            return Err(Refusal::new("at", message, help).into());
        };
        Start::at(branch, at, model)
    }

    /// The same from an answer in memory.
    ///
    /// # Errors
    /// As [`Start::read`].
    pub fn of(answer: &Answer, at: &str, model: &Model) -> Result<Start, Error> {
        Start::at(StoredBranch::of(answer, "a branch", model)?, at, model)
    }

    fn at(branch: StoredBranch, at: &str, model: &Model) -> Result<Start, Error> {
        let point = branch.at(at, model)?;
        if let SpecialKind::BranchPoint | SpecialKind::Homoclinic | SpecialKind::End = point.kind {
            let kind = point.kind.name().replace('_', " ");
            let message = format!("a {kind} cannot be followed in two parameters");
            return Err(Refusal::new("at", message, format!("choose another bifurcation; {}", branch.all(0))).into());
        }
        Ok(Start { branch, at: at.trim().to_string(), point })
    }

    /// The parameters at the bifurcation, besides those that are set already, which must agree.
    ///
    /// # Errors
    /// If they do not.
    pub fn given(&self, model: &Model, settings: &Overrides) -> Result<Overrides, Error> {
        let set = stored::settings_for(model, &Overrides::default(), &self.point.parameters)?;
        let there = model.numbers_with(&Overrides { set: set.clone(), start: Vec::new() })?;
        let both = Overrides { set: [&set[..], &settings.set].concat(), start: Vec::new() };
        if let Ok(asked) = model.numbers_with(&both) {
            for (name, formula) in &settings.set {
                if let Some(index) = model.parameter(name).filter(|&i| asked.parameters()[i] != there.parameters()[i]) {
                    let text = format!("{name} = {formula}");
                    let message = format!("at the bifurcation {name} is {}", short(there.parameters()[index], 15));
                    let help = "a curve begins with the parameters of its branch: follow the branch anew with others";
                    let list = vec![Mistake::at(0..text.len(), message).help(help)];
                    return Err(Mistakes { file: "settings".to_string(), text, list }.into());
                }
            }
        }
        let new = set.into_iter().filter(|(name, _)| !settings.set.iter().any(|(known, _)| known == name));
        Ok(Overrides { set: new.collect(), start: Vec::new() })
    }

    /// The name of the branch in reports: the name of its file.
    pub fn source(&self) -> &str {
        &self.branch.source
    }

    /// The position of the bifurcation, as it was given.
    pub fn position(&self) -> &str {
        &self.at
    }

    /// What is special.
    pub fn kind(&self) -> SpecialKind {
        self.point.kind
    }

    /// The parameter of the branch.
    pub fn along(&self) -> Option<&str> {
        self.branch.along.as_deref()
    }

    /// The value of a parameter there.
    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        self.point.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The start of the curve's equations.
    pub(crate) fn origin(&self, system: &System) -> Origin {
        let section = self.branch.section.as_deref();
        let section = section.and_then(|name| system.section_names().position(|known| known == name));
        let SpecialPoint { kind, state, signature, unknowns, sizes, place, .. } = self.point.clone();
        let phase = self.branch.phase;
        Origin { kind, signature, unknowns, sizes, place, section: section.unwrap_or(0), phase, state }
    }
}
