//! Every model of the gallery reads, and its numbers are right at its start.

use saltation_model::{Overrides, gallery};

#[test]
fn every_model_of_the_gallery_is_right() {
    for name in gallery::NAMES {
        let model = gallery::model(name).expect("listed").unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(model.name, name);
        assert!(model.title.is_some() && model.about.is_some() && model.source.is_some(), "{name}");
        let values = model.values(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(values.start().len(), model.states.len());
    }
    assert!(gallery::find("no-such-model").is_none());
}
