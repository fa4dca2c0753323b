//! The texts of the models that come with Saltation, one file per system.

macro_rules! gallery {
    ($($name:literal),* $(,)?) => {
        /// The names of the models, the introductory ones first.
        pub const NAMES: [&str; [$($name),*].len()] = [$($name),*];
        const TEXTS: [&str; NAMES.len()] = [$(include_str!(concat!("../models/", $name, ".toml"))),*];
    };
}

gallery![
    "bouncing-ball",
    "impact-oscillator",
    "forced-oscillator",
    "double-pendulum",
    "double-pendulum-mechanics",
    "ball-on-table",
    "two-wall-oscillator",
    "impact-damper",
    "coco-impact",
    "relief-valve",
    "chain",
    "bar",
    "sliding-block",
    "belt-oscillator",
    "bouncing-disc",
    "rocking-block",
    "painleve-rod",
    "painleve-box",
    "woodpecker",
    "frictional-bounce",
    "simplified-bounce",
    "dry-friction-oscillator",
    "bilinear-oscillator",
    "relay-feedback",
    "buck-converter",
    "chua-circuit",
    "hertz-ball",
    "simplest-walker",
    "thermostat",
    "slider-crank",
    "coupled-clutches",
    "quarter-car",
    "diode-bridge",
    "piston-pump",
    "rimless-wheel",
    "two-tones",
];

/// The text of the model with this name.
///
/// ```
/// let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// assert!(text.starts_with("format = 1"));
/// ```
pub fn find(name: &str) -> Option<&'static str> {
    NAMES.iter().position(|known| *known == name).map(|i| TEXTS[i])
}
