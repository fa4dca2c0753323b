//! Nonsmooth modes that versions listed in `docs/limits.md` answered wrongly: ends of families, harmonics of several modes,
//! structures of bad condition, and finite elements.

use saltation_modes::{End, Family, LinearModes, Search, Steps, Verdict};

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
    assert_close(limit.period(), 14.3564459544515515, 1e-14);
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
