//! The figure of a fit from its stored answer and table.

use super::Drawing;
use crate::fit::Answer;
use crate::report_page::series::Series;
use crate::simulation::answer::Columns;
use crate::system::System;

/// Data with the fitted trajectory, and the residuals of every column.
pub(crate) fn figure(system: &System, answer: &Answer, trajectory: &Series) -> Option<Drawing> {
    let column = |name: &String| Some((name.clone(), trajectory.column(name)?));
    let columns = Columns(trajectory.head.iter().filter_map(column).collect());
    let figure = crate::fit::figure::figure(system, answer, Some(&columns))?;
    let from = match trajectory.is_empty() {
        true => "drawn from the stored answer",
        false => "drawn from the stored answer and the stored table trajectory.csv",
    };
    Some(Drawing::new(figure, "Residuals of the data, and what was sampled with the fitted trajectory", from))
}
