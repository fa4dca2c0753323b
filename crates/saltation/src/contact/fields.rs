//! The fields of a contact problem.

use crate::field::shared::accuracy;
use crate::field::{Field, Form, Kind, Of};

/// `contact`.
pub(crate) const FORM: Form = Form {
    command: "contact",
    questions: &["contact"],
    method: accuracy("Tolerance of the trajectories that decide at boundaries between modes"),
    groups: &[&[
        Field::new(
            "map",
            Kind::Axis { of: Of::Either },
            "NAME=LO:HI:N",
            "Vary a state or parameter over N values and map the regions",
        )
        .typed("; given twice: horizontal and vertical axis. Contacts that are closed at the start stay closed")
        .repeated(),
        Field::new(
            "critical",
            Kind::Ends { of: Of::Either },
            "NAME=LO:HI",
            "Find the smallest critical friction as a state or parameter varies",
        ),
        Field::plot("Draw the map to this file (.svg, .pdf or .png)"),
    ]],
};
