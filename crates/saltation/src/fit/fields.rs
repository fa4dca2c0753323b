//! The fields of a fit.

use crate::field::shared::{FLOW, MOTION};
use crate::field::{Field, Form, Kind, Of};
use crate::fit::request::MOST_STARTS;

/// `fit`.
pub(crate) const FORM: Form = Form {
    command: "fit",
    questions: &["fit"],
    method: MOTION,
    groups: &[&[
        Field::new("data", Kind::Data, "FILE", "The data: a CSV file with names in its first line, empty where nothing was measured (repeatable)").repeated(),
        Field::new("free", Kind::Texts, "NAME[=LO:HI]", "Fit this parameter, or the start value of this state (`start.x`), between bounds (repeatable)").repeated(),
        Field::new(
            "column",
            Kind::Texts,
            "NAME=WHAT",
            "What a column measures, where its name does not say it: `time`, a state, `gap:CONTACT`, `force:CONTACT`, `rate:STATE`, a formula of states and \
             parameters, times of events such as `impact:CONTACT`, their `speed:CONTACT`, `sigma:COLUMN`, or `none` (repeatable)",
        )
        .repeated(),
        Field::new("sigma", Kind::Texts, "COLUMN=NUMBER", "Standard deviation of the noise of a column (repeatable)")
            .otherwise("estimated from the residuals")
            .repeated(),
        Field::new("clock", Kind::Name { of: Of::Parameter }, "NAME", "A parameter by which the clock of the data is ahead of that of the model"),
        Field::whole("starts", 1, Some(MOST_STARTS), "N", "Number of points at which the search begins: the values of the model, and others between the bounds")
            .otherwise("8 where bounds are given, and more until two of them end at the best minimum; else 1"),
        FLOW,
        Field::plot("Draw data, model and residuals to this file (.svg, .pdf or .png)"),
        Field::new("fitted", Kind::File, "FILE", "Write the model file with the estimates in their places").output(),
    ]],
};
