//! The model file of a member.

use std::fmt::Write as _;

use crate::oracles::inclusion::{Bodies, Linear, Shape};

/// A formula of the states.
fn formula(of: &Linear) -> String {
    let mut text = String::new();
    let names = |letter: char, factors: &[f64]| -> Vec<(f64, String)> {
        factors.iter().enumerate().map(|(i, &a)| (a, format!("{letter}{i}"))).collect()
    };
    let mut terms = names('x', &of.q);
    terms.extend(names('v', &of.v));
    terms.extend([(of.wave[0], "sin(phi)".to_string()), (of.wave[1], "cos(phi)".to_string())]);
    terms.push((of.constant, String::new()));
    for (a, name) in terms.into_iter().filter(|(a, _)| *a != 0.0) {
        let sign = if a < 0.0 { " - " } else { " + " };
        let factor = match (a.abs(), name.is_empty()) {
            (1.0, false) => String::new(),
            (a, true) => format!("{a:?}"),
            (a, false) => format!("{a:?}*"),
        };
        let _ = write!(text, "{sign}{factor}{name}");
    }
    let text = text.trim_start_matches(" + ").trim_start().to_string();
    if text.is_empty() { "0".to_string() } else { text }
}

/// The model.
pub(super) fn text(member: &Bodies) -> String {
    let n = member.mass.len();
    let names = |letter: char| (0..n).map(|i| format!("\"{letter}{i}\"")).collect::<Vec<_>>().join(", ");
    let mut text = "format = 1\nname = \"member\"\n".to_string();
    let waves = member.force.iter().chain(member.laws.iter().map(|law| &law.of)).any(|of| of.wave != [0.0; 2]);
    if waves {
        let _ = writeln!(text, "[phase.phi]\nrate = {:?}\nperiod = \"2*pi\"", member.rate);
    }
    let masses = member.mass.iter().map(|m| format!("{m:?}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]", names('x'), names('v'));
    let _ = writeln!(text, "M = {{ diagonal = [{masses}] }}");
    let force = |i: usize| {
        let mut force = formula(&member.force[i]);
        for law in member.laws.iter().filter(|law| law.push[i] != 0.0) {
            let of = formula(&law.of);
            let value = match law.shape {
                Shape::Sign => format!("sign({of})"),
                Shape::Corner(below, 0.0) => format!("{below:?}*min({of}, 0)"),
                Shape::Corner(0.0, above) => format!("{above:?}*max({of}, 0)"),
                Shape::Corner(..) => format!("abs({of})"),
            };
            let sign = if law.push[i] < 0.0 { '-' } else { '+' };
            let _ = write!(force, " {sign} {:?}*{value}", law.push[i].abs());
        }
        format!("\"{}\"", force.trim_start_matches("0 + "))
    };
    let _ = writeln!(text, "h = [{}]", (0..n).map(force).collect::<Vec<_>>().join(", "));
    for (k, contact) in member.contacts.iter().enumerate() {
        let _ = writeln!(text, "[contacts.c{k}]\ngap = \"{}\"", formula(&contact.gap));
        if let Some(friction) = &contact.friction {
            let track = Linear { q: friction.track.clone(), ..Linear::zero(n) };
            let _ = writeln!(text, "track = \"{}\"", formula(&track));
            if friction.belt != 0.0 {
                let _ = writeln!(text, "belt = {:?}", friction.belt);
            }
            let rest = if friction.mu_static == friction.mu {
                String::new()
            } else {
                format!(", mu_static = {:?}", friction.mu_static)
            };
            let _ = writeln!(text, "friction = {{ law = \"coulomb\", mu = {:?}{rest} }}", friction.mu);
        }
        let _ = writeln!(text, "restitution = {:?}", contact.restitution);
    }
    if member.contacts.len() > 1 {
        text.push_str("[impacts]\ntogether = \"lcp\"\n");
    }
    let state = |k: usize| if k < n { format!("x{k}") } else { format!("v{}", k - n) };
    for (k, event) in member.events.iter().enumerate() {
        let _ = writeln!(text, "[events.e{k}]\nwhen = \"{}\"", formula(&event.when));
        match event.direction {
            0 => {}
            rising => {
                let _ = writeln!(text, "direction = \"{}\"", if rising > 0 { "rising" } else { "falling" });
            }
        }
        if let Some(condition) = &event.condition {
            let _ = writeln!(text, "if = \"{}\"", formula(condition));
        }
        let jumps: Vec<String> =
            event.jump.iter().map(|(k, new)| format!("{} = \"{}\"", state(*k), formula(new))).collect();
        let _ = writeln!(text, "jump = {{ {} }}", jumps.join(", "));
    }
    text.push_str("[start]\n");
    for (k, x) in member.start.iter().enumerate() {
        let _ = writeln!(text, "{} = {x:?}", state(k));
    }
    if waves {
        text.push_str("phi = 0\n");
    }
    let _ = write!(text, "# to the time {:?}", member.until);
    text
}
