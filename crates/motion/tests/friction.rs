use saltation_model::*;
use saltation_motion::*;
#[test]
fn dbg() {
    let text = std::fs::read_to_string("/tmp/fr/twofoot.toml").unwrap();
    let model = Model::parse(&text, "x").unwrap();
    let system = System::new(&model);
    let values = model.values(&Default::default()).unwrap();
    let run =
        Motion::new(&system, &values, Settings { until: 1.0, ..Settings::default() }).unwrap().run(false, |_| true);
    for e in run.events {
        println!("{} {:?} {:?} {}", e.time, e.kind, e.contact, system.mode_name(e.mode));
    }
}
