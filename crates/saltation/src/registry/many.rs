//! Sweeps and basins from named values: the method of their motions, the folder and the threads.

use crate::field::Form;
use crate::registry::fields::{Wrong, read, read_value, take, unknown};
use crate::registry::found::Refused;
use crate::registry::plain::{Fields, Plain};
use crate::sweep::{Axis, Carry};
use crate::tasks::{Format, Method};
use crate::{BasinSearch, Folder, Refusal, System, basin, sweep};

/// The fields of a folder.
const FOLDER: [&str; 5] = ["folder", "resume", "part", "format", "records"];

/// The folder that is asked for, and whether records are kept besides.
fn folder(named: &mut Fields, system: &System) -> Result<(Option<Folder>, bool), Refused> {
    let [path, resume, part, format, records] = FOLDER.map(|name| take(named, name).map(|value| (name, value)));
    let path: Option<String> = path.map(|(name, value)| read_value(name, value, system)).transpose()?;
    let resume: Option<bool> = resume.map(|(name, value)| read_value(name, value, system)).transpose()?;
    let part: Option<String> = match part {
        Some((_, Plain::List(pair))) => match &pair[..] {
            [Plain::Whole(number), Plain::Whole(of)] => Some(format!("{number}/{of}")),
            _ => {
                return Err(Refusal::new("part", "a part is two whole numbers", "give for example (2, 4) or \"2/4\""))
                    .map_err(|refusal| Wrong::from(refusal).into());
            }
        },
        other => other.map(|(name, value)| read_value(name, value, system)).transpose()?,
    };
    let format: Option<Format> = format.map(|(name, value)| read_value(name, value, system)).transpose()?;
    let records: Option<bool> = records.map(|(name, value)| read_value(name, value, system)).transpose()?;
    let Some(path) = path else {
        let given = [("resume", resume == Some(true)), ("part", part.is_some()), ("format", format.is_some())];
        return match given.into_iter().find(|(_, given)| *given) {
            None => Ok((None, true)),
            Some((name, _)) => {
                let message = format!("{name} is that of a folder, and there is none");
                Err(Wrong { field: name.to_string(), message, help: "give a folder, or leave it out".to_string() }
                    .into())
            }
        };
    };
    let mut folder = Folder::new(path);
    folder.resumes = resume.unwrap_or(false);
    folder.format = format.unwrap_or(folder.format);
    let folder = match part {
        Some(part) => folder.part(&part)?,
        None => folder,
    };
    Ok((Some(folder), records.unwrap_or(false)))
}

fn threads(named: &mut Fields, system: &System) -> Result<Option<usize>, Wrong> {
    take(named, "threads").map(|value| read_value("threads", value, system)).transpose()
}

/// The method of the motions: what is left of the named values when all others are taken.
fn method(named: Fields, system: &System, form: &'static Form) -> Result<Method, Wrong> {
    let known = form.keywords().map(|field| field.name);
    match named.iter().find(|(name, _)| known.clone().all(|known| known != name)) {
        Some((name, _)) => Err(unknown(name, known)),
        None => read(named, system),
    }
}

/// A sweep.
pub fn sweep(mut named: Fields, system: &System) -> Result<sweep::Sweep, Refused> {
    let (folder, records) = folder(&mut named, system)?;
    let threads = threads(&mut named, system)?;
    let along = take(&mut named, "along").map(|value| read_value::<Vec<Axis>>("along", value, system)).transpose()?;
    let carry = take(&mut named, "carry").map(|value| read_value::<Carry>("carry", value, system)).transpose()?;
    let method = method(named, system, &sweep::fields::FORM)?;
    let mut one = system.sweep();
    one.request = sweep::Request { along: along.unwrap_or_default(), carry: carry.unwrap_or_default(), method };
    (one.folder, one.records, one.threads) = (folder, records, threads);
    Ok(one)
}

/// A search for basins.
pub fn basin(mut named: Fields, system: &System) -> Result<BasinSearch, Refused> {
    let (folder, records) = folder(&mut named, system)?;
    let threads = threads(&mut named, system)?;
    let starts = take(&mut named, "starts").map(|value| read_value("starts", value, system)).transpose()?;
    let along = take(&mut named, "along").map(|value| read_value::<Axis>("along", value, system)).transpose()?;
    let method = method(named, system, &basin::fields::FORM)?;
    let mut one = system.basin();
    one.request = basin::Request { starts: starts.unwrap_or_default(), along, method };
    (one.folder, one.records, one.threads) = (folder, records, threads);
    Ok(one)
}
