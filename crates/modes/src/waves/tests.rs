use super::*;

fn waves<'m>(constant: f64, frequencies: &'m [f64], cosines: &[f64], sines: &[f64], length: f64) -> Waves<'m> {
    let mut waves = Waves::with_frequencies(frequencies);
    waves.set(constant, length, |p| (cosines[p], sines[p]));
    waves
}

/// The least local minimum, if there is one.
fn least(waves: &mut Waves<'_>) -> Option<Minimum> {
    let mut least: Option<Minimum> = None;
    waves.minima_below(f64::INFINITY, |minimum| {
        if least.is_none_or(|known| minimum.value < known.value) {
            least = Some(minimum);
        }
        least.map_or(f64::INFINITY, |known| known.value)
    });
    least
}

#[test]
fn every_minimum_of_a_beat_is_found_once() {
    // cos s + cos 1.1 s: minima between neighbouring maxima, compared with the signs of f' on a fine grid.
    let frequencies = [1.0, 1.1];
    let mut waves = waves(0.3, &frequencies, &[1.0, 0.7], &[0.2, -0.5], 120.0);
    let mut found = Vec::new();
    waves.minima_below(f64::INFINITY, |minimum| {
        found.push(minimum.at);
        f64::INFINITY
    });
    found.sort_by(f64::total_cmp);
    let slopes: Vec<f64> = (0..=120_000).map(|i| waves.at(0.001 * f64::from(i)).slope).collect();
    let places: Vec<usize> = (1..slopes.len()).filter(|&i| slopes[i - 1] < 0.0 && slopes[i] >= 0.0).collect();
    assert_eq!(found.len(), places.len());
    for (at, place) in found.iter().zip(places) {
        assert!((at - 0.001 * place as f64).abs() < 1.01e-3);
        // A place is known to four units in the last place of the length, and |f''| changes by less than 2 per unit.
        assert!(waves.at(*at).slope.abs() < 8.0 * f64::EPSILON * 120.0);
    }
    let least = least(&mut waves).unwrap();
    assert!(found.iter().all(|&at| waves.at(at).value >= least.value));
}

#[test]
fn a_thin_dip_is_not_missed() {
    // A comb of 60 equal waves is deep at one place only: its width is 1/60 of the range.
    let frequencies: Vec<f64> = (1..=60).map(f64::from).collect();
    let at: f64 = 2.345;
    let cosines: Vec<f64> = frequencies.iter().map(|w| -(w * at).cos() / 60.0).collect();
    let sines: Vec<f64> = frequencies.iter().map(|w| -(w * at).sin() / 60.0).collect();
    let mut waves = waves(0.999, &frequencies, &cosines, &sines, 6.0);
    let mut below = Vec::new();
    waves.minima_below(0.0, |minimum| {
        below.push(minimum);
        0.0
    });
    assert_eq!(below.len(), 1);
    assert!((below[0].at - at).abs() < 1e-8 && (below[0].value + 0.001).abs() < 1e-14);
}

#[test]
fn a_minimum_on_the_side_of_a_cell_is_found() {
    // The deepest place is the middle of the range, and so for every second number of cells the common side of two.
    let frequencies = [1.4, 1.9, 3.3];
    for i in 0..2000 {
        let length = 3.0 + 0.01 * f64::from(i);
        let size = |p: usize| [0.2, 0.3, 0.15][p];
        let angle = |p: usize| 0.5 * frequencies[p] * length;
        let cosines: Vec<f64> = (0..3).map(|p| -size(p) * angle(p).cos()).collect();
        let sines: Vec<f64> = (0..3).map(|p| -size(p) * angle(p).sin()).collect();
        let mut waves = waves(0.5, &frequencies, &cosines, &sines, length);
        let least = least(&mut waves).unwrap();
        assert!((least.value + 0.15).abs() < 1e-14 && (least.at - 0.5 * length).abs() < 1e-7, "{length}");
        assert!(!waves.stays_above(-0.14));
    }
}

#[test]
fn the_middle_of_an_even_sum_counts() {
    let frequencies = [1.0, 3.0];
    let mut waves = Waves::with_frequencies(&frequencies);
    waves.set_even(0.0, 1.0, |p| [1.0, -0.9][p]);
    assert_eq!(least(&mut waves).unwrap().at, 0.0);
    waves.set_even(0.0, 0.3, |p| [1.0, 0.9][p]);
    assert_eq!(least(&mut waves), None);
}

/// f and its derivatives, compiled for the vectors of this processor and for those of every one of its kind, have the same bits.
#[test]
fn vectors_have_the_bits_of_plain_loops() {
    let frequencies: Vec<f64> = (1..60).map(|p| 0.3 * f64::from(p)).collect();
    let cosines: Vec<f64> = frequencies.iter().map(|w| 1.0 / (1.0 + w)).collect();
    let sines: Vec<f64> = frequencies.iter().map(|w| 0.3 / (2.0 + w * w)).collect();
    let waves = waves(0.1, &frequencies, &cosines, &sines, 30.0);
    for k in 0..300 {
        let s = 0.1 * f64::from(k);
        let plain = pulp::NullaryFnOnce::call(At { waves: &waves, s });
        let fast = waves.at(s);
        let bits = |local: Local| [local.value, local.slope, local.bend].map(f64::to_bits);
        assert_eq!(bits(plain), bits(fast), "{s}");
    }
}
