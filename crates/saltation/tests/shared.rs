//! Sharing of a system: its modes are compiled once, its numbers are its own, and threads do not change results.

use saltation::{Answered, Error, System};

/// Motions at many values of a parameter, each in its own system of the same model.
fn runs(system: &System, values: &[f64]) -> Result<Vec<String>, Error> {
    values.iter().map(|&value| Ok(system.with("mu", value)?.simulation().until(3.0).run()?.json())).collect()
}

#[test]
fn every_mode_is_compiled_once_for_all_motions_on_all_threads() -> Result<(), Error> {
    let values: Vec<f64> = (0..200).map(|k| 0.2 + 0.003 * f64::from(k)).collect();
    // One system per value compiles anew what it meets; how many different modes these are is not known beforehand.
    let alone: Vec<(String, u64)> = values
        .iter()
        .map(|&value| {
            let system = System::gallery("frictional-bounce")?.with("mu", value)?;
            let json = system.simulation().until(3.0).run()?.json();
            Ok((json, system.compiled()?.modes_compiled()))
        })
        .collect::<Result<_, Error>>()?;
    let system = System::gallery("frictional-bounce")?;
    let shared = runs(&system, &values)?;
    let compiled = system.compiled()?.modes_compiled();
    let most = alone.iter().map(|(_, compiled)| *compiled).max().unwrap();
    let sum: u64 = alone.iter().map(|(_, compiled)| compiled).sum();
    assert!(
        compiled >= most && compiled < 20 && sum > 10 * compiled,
        "{compiled} modes, alone {most} at most, {sum} in all"
    );
    // A second pass compiles nothing.
    assert_eq!(runs(&system, &values)?, shared);
    assert_eq!(system.compiled()?.modes_compiled(), compiled);
    // Modes that others compiled give the same bits.
    assert!(alone.iter().map(|(json, _)| json).eq(&shared));

    let fresh = System::gallery("frictional-bounce")?;
    let halves: Vec<Vec<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = values.chunks(50).map(|part| scope.spawn(|| runs(&fresh, part))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Result<_, Error>>()
    })?;
    assert_eq!(halves.concat(), shared);
    assert_eq!(fresh.compiled()?.modes_compiled(), compiled);
    Ok(())
}

/// A number that is given is the same to the last bit as its text, and so are refusals.
#[test]
fn numbers_are_their_texts() {
    for name in saltation::gallery::NAMES {
        let system = System::gallery(name).unwrap();
        let set = |system: &System, k: usize, name: &str, value: f64| -> Result<System, Error> {
            if k.is_multiple_of(2) {
                system.with(name, value)
            } else {
                system.with_formula(name, &format!("{value:?}"))
            }
        };
        let (mut one, mut other) = (system.clone(), system.clone());
        for (k, parameter) in system.model().parameters.iter().enumerate() {
            let value = 0.9 * system.parameter(&parameter.name).unwrap();
            let asked = [set(&one, k, &parameter.name, value), set(&other, k + 1, &parameter.name, value)];
            match asked {
                [Ok(a), Ok(b)] => (one, other) = (a, b),
                [a, b] => assert_eq!(a.unwrap_err().to_string(), b.unwrap_err().to_string()),
            }
        }
        for state in &system.model().states {
            one = one.from_state(&state.name, -0.0).unwrap();
            other = other.from_formula(&state.name, "-0.0").unwrap();
        }
        let bits = |system: &System| -> Vec<u64> {
            let numbers = system.numbers();
            numbers.parameters().iter().chain(numbers.start()).map(|x| x.to_bits()).collect()
        };
        assert_eq!(bits(&one), bits(&other), "{name}");
        assert_eq!(one.numbers(), other.numbers(), "{name}");
        assert_eq!(one.settings().set.len(), other.settings().set.len());
    }
    let system = System::gallery("rocking-block").unwrap();
    for (name, value) in [("b", -0.5), ("m", f64::NAN), ("h", f64::INFINITY), ("q", 0.5)] {
        let text = format!("{value:?}");
        let refused = [system.with(name, value), system.with_formula(name, &text)];
        let [a, b] = refused.map(|refused| refused.unwrap_err().to_string());
        assert_eq!(a, b);
    }
}
