//! Nonsmooth modes that versions listed in `docs/past-wrong-results.md` answered wrongly: ends of families, harmonics of several modes,
//! structures of bad condition, and finite elements.

use saltation_modes::{
    End, Family, Interval, LinearModes, Search, Single, Steps, StructureError, Verdict, harmonics, single,
};

type Entry = (usize, usize, f64);

/// A symmetric matrix by its rows.
fn entries(rows: &[&[f64]]) -> Vec<(usize, usize, f64)> {
    let row = |(i, row): (usize, &&[f64])| row.iter().enumerate().map(|(j, x)| (i, j, *x)).collect::<Vec<_>>();
    rows.iter().enumerate().flat_map(row).filter(|entry| entry.2 != 0.0).collect()
}

/// Four masses between springs, pressed against an obstacle at the last one.
fn chain_of_four() -> LinearModes {
    let mass: Vec<_> = [1.51, 0.83, 1.27, 1.41].into_iter().enumerate().map(|(i, m)| (i, i, m)).collect();
    let stiffness =
        entries(&[&[7.8, -3.0, 0.0, 0.0], &[-3.0, 5.6, -2.6, 0.0], &[0.0, -2.6, 3.2, -0.6], &[0.0, 0.0, -0.6, 0.6]]);
    LinearModes::new(4, &mass, &stiffness, &[0.0, 0.0, 0.0, -1.0], -1.0).unwrap()
}

/// A bar of ten elements of different sections with consistent masses, pressed against an obstacle at its end.
fn bar_of_ten() -> LinearModes {
    let mass = [
        (0.7550093505455399, 0.28186679891569255),
        (0.719969538347264, 0.07811797025793941),
        (0.5305853770444844, 0.1871747182643028),
        (0.5225678656075763, 0.07410921453948532),
        (0.628306983614316, 0.24004427726767266),
        (1.0518038557893794, 0.285857650627017),
        (0.8936873663636866, 0.16098603255482632),
        (0.9627943338483391, 0.3204111343693432),
        (1.202688679236232, 0.2809332052487728),
        (0.5618664104975456, 0.0),
    ];
    let stiffness = [
        (5.112891371872403, -3.090922465750311),
        (6.980780856938457, -3.889858391188146),
        (8.111826107799725, -4.22196771661158),
        (8.922440835443696, -4.700473118832116),
        (5.852949246045139, -1.1524761272130228),
        (5.007587076910742, -3.8551109496977185),
        (4.982192222102919, -1.1270812724052006),
        (5.706460674913371, -4.579379402508171),
        (6.0968943540435445, -1.5175149515353734),
        (1.5175149515353734, 0.0),
    ];
    let banded = |list: &[(f64, f64)]| {
        let both = |(i, (own, next)): (usize, &(f64, f64))| [(i, i, *own), (i, i + 1, *next), (i + 1, i, *next)];
        list.iter().enumerate().flat_map(both).filter(|entry| entry.2 != 0.0).collect::<Vec<_>>()
    };
    let normal: Vec<f64> = (0..10).map(|i| if i == 9 { -1.0 } else { 0.0 }).collect();
    LinearModes::new(10, &banded(&mass), &banded(&stiffness), &normal, -1.0).unwrap()
}

/// Families of all motions that a search finds, none twice.
fn families(modes: &LinearModes, search: &Search) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for motion in &search.run(modes, |_, _| true).motions {
        if !families.iter().any(|family| family.passes(motion)) {
            families.extend(Family::of(modes, motion, &Steps::default(), |_| true));
        }
    }
    families
}

/// A pair of numbers is this to a part of the second one.
#[track_caller]
fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} for {expected}");
}

/// Both ends of all families are admissible motions.
fn assert_ends_are_admissible(modes: &LinearModes, families: &[Family]) {
    for family in families {
        for (limit, end) in [(&family.begins, family.motions.first()), (&family.ends, family.motions.last())] {
            let verdict = end.map(|motion| motion.verdict(modes));
            // Up to the accuracy of an end that is located.
            let depth = match verdict {
                Some(Verdict::Penetrates(least)) => -least.gap,
                _ => 0.0,
            };
            assert!(verdict.is_some() && depth < 1e-12 * limit.energy.max(1.0), "{limit:?}: {verdict:?}");
        }
    }
}

#[test]
fn an_end_where_a_mode_with_a_small_share_is_resonant_is_another_contact() {
    // The share of mode 4 is 0.0149, and the family ends a little above 7 T_4. Energy, times and lambda are those of
    // Newton's method for Σ λ = -g₀, Π λ = 0, g = dg/dt = 0 in 40 digits, whose motion was followed by exponentials of
    // the matrices.
    let modes = chain_of_four();
    let search =
        Search { impacts: 3, periods: (14.3566, 14.3566), keep_period: true, starts: 2000, ..Search::default() };
    let families = families(&modes, &search);
    assert_ends_are_admissible(&modes, &families);
    let at = |limit: &&saltation_modes::Limit| (limit.period() - 14.35644595).abs() < 1e-7;
    let limit = families.iter().flat_map(|family| [&family.begins, &family.ends]).find(at).unwrap();
    assert!(matches!(limit.end, End::ExtraContact { .. }), "{limit:?}");
    assert_close(limit.period(), 14.356445954451551, 1e-14);
    assert_close(limit.energy, 12365.8928886531, 1e-10);
}

#[test]
fn a_huge_resonant_amplitude_does_not_hide_the_impacts() {
    // The share of mode 10 is 0.0047, and the family stays within 1e-9 of 3 T_10: its impacts are not the remainder of
    // the amplitude of that mode.
    let modes = bar_of_ten();
    let search =
        Search { impacts: 2, periods: (2.6454276111936883, 6.61356902798422), starts: 400, ..Search::default() };
    let families = families(&modes, &search);
    assert_ends_are_admissible(&modes, &families);
    let near = |family: &&Family| (family.ends.energy - 9099.97).abs() < 1.0;
    let family = families.iter().find(near).unwrap();
    let lambda = |motion: Option<&saltation_modes::Motion>| {
        motion.map_or(f64::NAN, |motion| motion.lambda.iter().copied().fold(f64::INFINITY, f64::min))
    };
    for (limit, end) in [(&family.begins, family.motions.first()), (&family.ends, family.motions.last())] {
        assert!(matches!(limit.end, End::ExtraContact { .. }), "{limit:?}");
        assert_close(limit.energy, 9099.97, 1e-6);
        assert_close(lambda(end), 0.182957, 1e-5);
    }
}

#[test]
fn modes_that_share_a_harmonic_graze_together() {
    // Two unit masses on springs 1 and 4, gap 1 + u_1 + u_2: T_1 = 2 T_2 = 2 π. As T grows to it, λ -> 0 and the energy
    // tends to g₀²/(2 G Σ q²/ω²) = 1/(2 · 2 · (1/2 + 1/8)) = 0.4.
    let unit = [(0, 0, 1.0), (1, 1, 1.0)];
    let modes = LinearModes::new(2, &unit, &[(0, 0, 1.0), (1, 1, 4.0)], &[1.0, 1.0], 1.0).unwrap();
    let intervals = single::intervals(&modes, 6.0, 6.4);
    let [Interval { to, ends: End::Harmonic { mode: 0, multiple: 1 }, .. }] = intervals[..] else {
        panic!("{intervals:?}")
    };
    let resonant = harmonics::resonant(&modes, to);
    assert_eq!(resonant, [(0, 1), (1, 2)]);
    assert_close(modes.grazing_energy_together(&[0, 1]), 0.4, 1e-15);
    // By motions on the way there.
    for part in [1e-3, 1e-5, 1e-7] {
        assert_close(Single::new(&modes, to * (1.0 - part)).energy, 0.4, 10.0 * part);
    }
}

/// A structure of five full matrices M = A'A, K = A'Ω²A with the frequencies 1, 3/2, 3, 4 and 5, rounded.
fn full_of_five() -> LinearModes {
    let mass = entries(&[
        &[177.96464663297778, -14.591873189068135, 164.14539899701714, -155.44576564852252, -142.2833542511133],
        &[-14.591873189068135, 105.3950707561976, 213.4788085427098, -238.30742726733408, -89.83082163779581],
        &[164.14539899701714, 213.4788085427098, 653.4913118734319, -697.2925284434876, -355.9005740739449],
        &[-155.44576564852252, -238.30742726733408, -697.2925284434876, 749.1911037323297, 372.53278811943545],
        &[-142.2833542511133, -89.83082163779581, -355.9005740739449, 372.53278811943545, 215.66754019814883],
    ]);
    let stiffness = entries(&[
        &[177.96464663297778, -14.591873189068135, 164.14539899701714, -155.44576564852252, -142.2833542511133],
        &[-14.591873189068135, 235.64336804204677, 497.15080700399045, -552.1235617431045, -216.70216542299977],
        &[164.14539899701714, 497.15080700399045, 1334.0082024786218, -1437.891668272935, -661.1136279775668],
        &[-155.44576564852252, -552.1235617431045, -1437.891668272935, 1587.7800565924067, 710.8174179087925],
        &[-142.2833542511133, -216.70216542299977, -661.1136279775668, 710.8174179087925, 384.94133864600485],
    ]);
    let normal = [-14.558697590845634, -12.639951036452914, -42.92768479776487, 43.89327852535708, 25.830654712633798];
    LinearModes::new(5, &mass, &stiffness, &normal, 1.0).unwrap()
}

#[test]
fn harmonics_that_rounding_does_not_tell_apart_bound_no_interval() {
    let modes = full_of_five();
    for (part, (w, exact)) in
        modes.uncertainties().iter().zip(modes.frequencies().iter().zip([1.0, 1.5, 3.0, 4.0, 5.0]))
    {
        // Entries of M and K are rounded; what that allows is not exceeded, and is no more than their condition.
        assert!((w / exact - 1.0).abs() <= *part && *part < 1e-12, "{w} {part:e}");
    }
    let intervals = single::intervals(&modes, 0.0, 15.7);
    assert_eq!(intervals.len(), 11);
    assert!(intervals.iter().all(|interval| interval.to - interval.from > 1e-3 * interval.to), "{intervals:?}");
    let full = std::f64::consts::TAU;
    let shared: Vec<usize> = (1..=2).map(|m| harmonics::resonant(&modes, f64::from(m) * full).len()).collect();
    assert_eq!(shared, [4, 5]);
}

#[test]
fn modes_that_only_rounding_gives_a_share_do_not_move_the_contact() {
    // A structure of two parts that know nothing of each other, mixed by a rotation: the contact is on the first part.
    let (frequencies, angle) = ([1.0_f64, 1.7, 2.3, 3.1], 0.7_f64);
    let turned = |parts: [f64; 4]| -> Vec<Entry> {
        // Coordinates 0 and 2, and 1 and 3, are turned into each other, in units that differ by 1e3.
        let (sine, cosine) = angle.sin_cos();
        let rows =
            [[cosine, 0.0, sine, 0.0], [0.0, cosine, 0.0, sine], [-sine, 0.0, cosine, 0.0], [0.0, -sine, 0.0, cosine]];
        let units = [1.0, 1e3, 1.0, 1e-3];
        let entry = |i: usize, j: usize| {
            (0..4).map(|p| parts[p] * rows[p][i.min(j)] * rows[p][i.max(j)]).sum::<f64>() * units[i] * units[j]
        };
        (0..16).map(|n| (n / 4, n % 4, entry(n / 4, n % 4))).filter(|entry| entry.2 != 0.0).collect()
    };
    let (sine, cosine) = angle.sin_cos();
    let normal = [cosine, 1e3 * cosine, sine, 1e-3 * sine];
    let modes = LinearModes::new(4, &turned([1.0; 4]), &turned(frequencies.map(|w| w * w)), &normal, 1.0).unwrap();
    assert_eq!(modes.len(), 2, "{:?} {:?}", modes.frequencies(), modes.shares());
    assert!(modes.shares().iter().all(|q| (q * q - 0.5).abs() < 1e-9), "{:?}", modes.shares());
}

/// A clamped beam of n cubic elements of length 1/n, with the rotations as they are; the entries are rounded.
fn beam(n: usize) -> (Vec<Entry>, Vec<Entry>) {
    let h = 1.0 / n as f64;
    let stiffness = [
        [12.0, 6.0 * h, -12.0, 6.0 * h],
        [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
        [-12.0, -6.0 * h, 12.0, -6.0 * h],
        [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
    ];
    let mass = [
        [156.0, 22.0 * h, 54.0, -13.0 * h],
        [22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h],
        [54.0, 13.0 * h, 156.0, -22.0 * h],
        [-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h],
    ];
    let assembled = |element: &[[f64; 4]; 4], factor: f64| -> Vec<Entry> {
        let mut entries = std::collections::BTreeMap::new();
        for (e, i, j) in (0..n).flat_map(|e| (0..16).map(move |n| (e, n / 4, n % 4))) {
            // The first node is held.
            if let (Some(row), Some(column)) = ((2 * e + i).checked_sub(2), (2 * e + j).checked_sub(2)) {
                *entries.entry((row, column)).or_insert(0.0) += factor * element[i][j];
            }
        }
        entries.into_iter().filter(|entry| entry.1 != 0.0).map(|((i, j), a)| (i, j, a)).collect()
    };
    (assembled(&mass, h / 420.0), assembled(&stiffness, 1.0 / (h * h * h)))
}

/// The modes of such a beam behind an obstacle at its tip.
fn beam_modes(n: usize) -> Result<LinearModes, StructureError> {
    let (mass, stiffness) = beam(n);
    let normal: Vec<f64> = (0..2 * n).map(|i| if i + 2 == 2 * n { -1.0 } else { 0.0 }).collect();
    LinearModes::new(2 * n, &mass, &stiffness, &normal, 1e-3)
}

/// Roots of 1 + cos β cosh β = 0: the frequencies of the beam are β².
const BETA: [f64; 4] = [1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467];

#[track_caller]
fn assert_beam(n: usize) {
    let modes = beam_modes(n).unwrap();
    assert_eq!(modes.len(), 2 * n);
    for (p, beta) in BETA.iter().enumerate() {
        let part = modes.uncertainties()[p];
        // Elements add (β h)⁴/1440 to a frequency.
        let elements = (beta / n as f64).powi(4) / 1440.0;
        let error = (modes.frequencies()[p] / (beta * beta) - 1.0 - elements).abs();
        assert!(error <= part + 1e-12 + (beta / n as f64).powi(6), "n = {n}, mode {p}: {error:e}, {part:e}");
        // Every mode of a uniform beam moves its tip alike: φ(1)² = 4 for all.
        assert!((modes.squares()[p] / modes.squares()[0] - 1.0).abs() < 1e-3 + elements * 1440.0, "n = {n}");
    }
}

#[test]
fn frequencies_of_beams_hold_to_what_rounding_of_the_entries_allows() {
    for n in [10, 100, 300] {
        assert_beam(n);
    }
}

#[test]
fn the_lowest_period_of_a_beam_has_all_digits_of_its_matrices() {
    // By inverse iteration in fifty digits for the rounded matrices of a beam of 100 elements.
    let modes = beam_modes(100).unwrap();
    assert!(modes.refined() && modes.uncertainties()[0] > 1e-10);
    assert_close(modes.period(0), 1.7870187774548777, 4e-16);
}

/// `cargo test --release -p validation limits_modes:: -- --ignored`
#[test]
#[ignore = "minutes: full matrices of four thousand rows"]
fn a_beam_of_two_thousand_elements_is_accepted() {
    assert_beam(2000);
}

#[test]
fn a_structure_that_is_free_is_refused_and_one_with_repeated_frequencies_is_not() {
    let unit: Vec<Entry> = (0..3).map(|i| (i, i, 1.0)).collect();
    let free = entries(&[&[0.1, -0.1, 0.0], &[-0.1, 0.3, -0.2], &[0.0, -0.2, 0.2]]);
    let normal = [0.0, 0.0, -1.0];
    assert!(matches!(LinearModes::new(3, &unit, &free, &normal, 1.0), Err(StructureError::NotStiff { .. })));
    // Repeated: what the contact sees of a pair is one vibration.
    let repeated = [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 3.0)];
    let modes = LinearModes::new(3, &unit, &repeated, &[-1.0, 0.5, 1.0], 1.0).unwrap();
    assert_eq!(modes.len(), 2);
    assert_close(modes.squares()[0], 1.25 / 2.25, 1e-14);
}
