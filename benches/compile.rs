//! Costs from the text of a model to a system ready to run. Motions, branches and modes of a comparable size are timed by `saltation bench`.

use divan::{Bencher, black_box};
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::System;

fn main() {
    divan::main();
}

fn load(text: &str) -> (System, Values) {
    let model = Model::parse(text, "gallery").expect("the gallery is right");
    let values = model.values(&Overrides::default()).expect("values are right");
    (System::new(&model), values)
}

#[divan::bench(args = ["bouncing-ball", "double-pendulum", "impact-damper"])]
fn compile(bencher: Bencher, name: &str) {
    let text = gallery::find(name).expect("the gallery has it");
    bencher.bench_local(|| load(black_box(text)));
}
