//! `saltation continue --equilibrium`: translation of the flags to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::refused;
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use saltation::equilibrium::Known;
use saltation::equilibrium::branch::{Branches, Request, ordinate};
use saltation::{EquilibriumSearch, Mistakes};

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let search = search(given, &mut wrong)?;
    let system = &search.system;
    let asked = Asked::new(given, "continue", "continue_equilibrium").after("equilibrium");
    let request: Request = asked.request(system, &mut wrong).unwrap_or_default();
    // The position is that in the file, and one equilibrium is found there.
    let request = Request { tol: search.request.tol, at: 0, ..request };
    input::figure_file(given, "plot", &mut wrong);
    // Mistakes in the tolerance are reported by the search already, and unreadable ranges by their flag.
    let unread = |field| field == "tol" || field == "range" && given.text(field).is_some() && request.range.is_none();
    let refusals = request.refusals(system);
    wrong.extend(refusals.iter().filter(|refusal| !unread(refusal.field)).map(refused));
    if let Some(name) = given.text("ordinate") {
        wrong.extend(ordinate(name, system).err().as_ref().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // The output folder is created only after the computation, so that rejected questions leave no files.
    let mut progress = Progress::begin(given.is("quiet"));
    let followed = search.continue_as(request).ask_with(&mut progress)?;
    progress.finish();
    let tolerance = Some(followed.request.tol);
    let question = Question { given, system, tolerance };
    question.answer(|_| Ok(followed), |followed: &Branches| followed.figure(given.text("ordinate")))
}

/// The search for the equilibrium; mistakes in flags are added to the others.
fn search(given: Given, wrong: &mut Vec<Mistakes>) -> Result<EquilibriumSearch, Trouble> {
    // What is no position is a mistake of the request.
    let at = given.text("at").and_then(|text| text.trim().parse().ok());
    let mut known = None;
    let system = input::read_from(
        given,
        |model, settings| {
            known = given.file("from").map(|file| Known::read(file, at, model, settings)).transpose()?;
            Ok(known.as_ref().map(Known::given).unwrap_or_default())
        },
        wrong,
    )?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let mut search = system.equilibria();
    search.request = Asked::new(given, "continue", "equilibrium").request(&system, wrong).unwrap_or_default();
    let search = known.iter().fold(search, |search, known| search.at_known(known));
    wrong.extend(search.request.refusals(&search.system).iter().map(refused));
    Ok(search)
}
