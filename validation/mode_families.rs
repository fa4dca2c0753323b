//! Nonsmooth modes with several impacts per period: they are motions of the structure, and their families have the expected
//! ends.
//!
//! T is A. Thorin, P. Delezoide and M. Legrand, Non-smooth modal analysis of piecewise-linear impact oscillators, SIAM
//! J. Appl. Dyn. Syst. 16 (2017) 1710-1747.

use crate::common::structures::{Structure, bar, chain, exponential};
use saltation_modes::{
    End, Family, LinearModes, Motion, Search, Single, SpecialKind, Steps, Verdict, continuum, sequence, single,
    stability,
};
use saltation_numerics::dense::Matrix;

/// What a motion has to be, by matrices alone.
#[track_caller]
fn assert_moves(structure: &Structure, modes: &LinearModes, motion: &Motion) {
    let seen = structure.propagate(modes, motion, 200);
    let energy = (seen.energy / motion.energy() - 1.0).abs();
    assert!(
        seen.missed < 1e-10 && seen.open < 1e-10 && seen.lambda < 1e-10 && energy < 1e-10 && seen.least > -1e-12,
        "{seen:?} {motion:?}"
    );
}

fn found(modes: &LinearModes, impacts: usize, starts: usize, seed: u64) -> Vec<Motion> {
    Search { impacts, periods: (1.0, 7.0), starts, seed, ..Search::default() }.run(modes, |_, _| true).motions
}

#[test]
fn every_motion_that_a_search_reports_is_one() {
    for gap in [1.0, -0.7] {
        let structure = chain(5, gap);
        let modes = structure.modes();
        for impacts in 1..=7 {
            let motions = found(&modes, impacts, 400, 11);
            for motion in &motions {
                assert!(motion.impacts() == impacts && motion.lambda.iter().all(|l| *l > 0.0));
                assert_eq!(motion.verdict(&modes), Verdict::Admissible);
                assert_moves(&structure, &modes, motion);
            }
            println!("gap {gap}, k = {impacts}: {} motions", motions.len());
            assert!(gap < 0.0 || !motions.is_empty(), "k = {impacts}");
        }
    }
}

#[test]
fn no_motion_is_reported_twice_or_repeats_itself() {
    let modes = chain(5, 1.0).modes();
    let mut copies = 0;
    for impacts in [2, 4, 6] {
        let search = Search { impacts, periods: (1.0, 7.0), starts: 400, ..Search::default() };
        let found = search.run(&modes, |_, _| true);
        let total = found.motions.len() + found.pulling + found.penetrating + found.copies + found.duplicates;
        assert_eq!(total, found.solutions);
        copies += found.copies;
        for (i, a) in found.motions.iter().enumerate() {
            assert_eq!(sequence::repeats_after(a, 1e-6), impacts);
            assert!(found.motions[..i].iter().all(|b| !sequence::same(a, b, 1e-7)));
            // Its rotations and its reversal are the same motion.
            for first in 0..impacts {
                assert!(sequence::same(a, &a.rotated(&modes, first), 1e-9));
            }
            assert!(sequence::same(a, &reversed(&modes, a), 1e-9));
            assert!(reversed(&modes, a).closing_error(&modes) < 1e-10);
        }
    }
    assert!(copies > 0, "no start led to a repeated motion");
}

/// The motion with time reversed.
fn reversed(modes: &LinearModes, motion: &Motion) -> Motion {
    let k = motion.impacts();
    let mut time = 0.0;
    let impact_times = motion.flight_times().into_iter().rev().map(|sigma| {
        time += sigma;
        time
    });
    // Backward from the impact at T = 0: impact j is followed by j - 1, and the last one is again impact k.
    let lambda = (0..k).map(|i| motion.lambda[(2 * k - 2 - i) % k]).collect();
    Motion::from_impacts(modes, impact_times.collect(), lambda)
}

#[test]
fn members_of_families_are_motions_and_ends_are_ends() {
    let structure = chain(5, 1.0);
    let modes = structure.modes();
    let mut seen = [0; 4];
    for impacts in 1..=5 {
        for motion in found(&modes, impacts, 300, 2).iter().take(5) {
            let family = Family::of(&modes, motion, &Steps::default(), |_| true).unwrap();
            let last = family.motions.len() - 1;
            for member in
                family.motions.iter().skip(1).step_by(1 + last / 12).take_while(|m| *m != &family.motions[last])
            {
                // Where λ nearly vanishes, relative errors of λ mean nothing.
                if member.lambda.iter().all(|l| *l > 1e-3) && member.lambda.iter().all(|l| *l < 1e4) {
                    assert_moves(&structure, &modes, member);
                }
            }
            for (limit, end) in [(&family.begins, &family.motions[0]), (&family.ends, &family.motions[last])] {
                assert_ne!(limit.end, End::Lost, "k = {impacts}, T = {}", motion.period());
                match limit.end {
                    End::Harmonic { mode, multiple } => {
                        let harmonic = multiple as f64 * modes.period(mode);
                        assert!((limit.period() - harmonic).abs() < 1e-7 * harmonic, "{limit:?}");
                        assert!((limit.energy / modes.grazing_energy(mode) - 1.0).abs() < 1e-4, "{limit:?}");
                        seen[0] += 1;
                    }
                    End::ExtraContact { time } => {
                        let least = end.least_gap(&modes).unwrap();
                        assert!(least.gap.abs() < 1e-9 && (least.time - time).abs() < 1e-5, "{least:?} {limit:?}");
                        seen[1] += 1;
                    }
                    End::Graze { impact } => {
                        let strongest = end.lambda.iter().fold(0.0_f64, |s, l| s.max(*l));
                        assert!(end.lambda[impact].abs() < 1e-8 * strongest, "{end:?}");
                        seen[2] += 1;
                    }
                    End::Infinite => {
                        assert!(limit.energy == f64::INFINITY);
                        seen[3] += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    println!("harmonic, extra contact, graze, infinite: {seen:?}");
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// The sum of a mirror that maps flights 1..7 of some rotation as c, b, a, b, c, d, d.
fn is_the_symmetry_of_the_paper(motion: &Motion) -> Option<usize> {
    let sigma = motion.flight_times();
    (0..7).find(|&r| {
        let at = |i: usize| sigma[(i + r) % 7];
        [(0, 4), (1, 3), (5, 6)].iter().all(|&(i, j)| (at(i) - at(j)).abs() < 1e-9 * motion.period())
    })
}

/// Motions with seven impacts per period; the same ones for all tests.
fn sevens(modes: &LinearModes) -> Vec<Motion> {
    Search { impacts: 7, periods: (3.0, 12.0), starts: 3000, seed: 4, ..Search::default() }
        .run(modes, |_, _| true)
        .motions
}

#[test]
fn seven_impacts_per_period() {
    let structure = chain(5, 1.0);
    let modes = structure.modes();
    let motions = sevens(&modes);
    let symmetric: Vec<&Motion> = motions.iter().filter(|m| is_the_symmetry_of_the_paper(m).is_some()).collect();
    println!("{} motions, {} of them symmetric", motions.len(), symmetric.len());
    let motion = symmetric.first().expect("there is a symmetric one");
    let shift = is_the_symmetry_of_the_paper(motion).unwrap();
    // Begin with flight c: it follows the impact number shift - 1.
    let motion = motion.rotated(&modes, (shift + 6) % 7);
    assert_moves(&structure, &modes, &motion);
    let t = &motion.impact_times;
    let mirror = sequence::mirror(&motion, 1e-7).unwrap();
    assert_eq!(mirror.sum, 6);
    for axis in [0.5 * (t[1] + t[2]), t[5]] {
        assert!(mirror.axes.iter().any(|a| (a - axis).abs() < 1e-7 * motion.period()), "{mirror:?} {axis}");
    }
    // The structure moves symmetrically about both: u(a + t) = u(a - t).
    for axis in mirror.axes {
        for i in 1..40 {
            let t = 0.01 * f64::from(i) * motion.period();
            let (ahead, behind) = (motion.state(&modes, axis + t).0, motion.state(&modes, axis - t).0);
            assert!(ahead.iter().zip(&behind).all(|(a, b)| (a - b).abs() < 1e-7), "{axis} {t}");
        }
    }
    let family = Family::of(&modes, &motion, &Steps::default(), |_| true).unwrap();
    println!("family {:?} .. {:?}", family.begins, family.ends);
    for limit in [&family.begins, &family.ends] {
        assert!(!matches!(limit.end, End::Lost | End::Interrupted | End::Range), "{limit:?}");
    }
    let last = family.motions.len() - 1;
    for member in &family.motions[1..last] {
        if member.lambda.iter().all(|l| *l > 1e-3) {
            assert_moves(&structure, &modes, member);
        }
    }
}

#[test]
fn a_family_through_a_symmetric_motion() {
    // As in Fig. 15 of T: symmetric motions lose their symmetry at branch points, and the family that crosses there
    // has ends that are the same motion, one forward and one backward in time.
    let structure = chain(5, 1.0);
    let modes = structure.modes();
    let search = Search { impacts: 7, periods: (3.0, 6.0), starts: 12_000, seed: 101, ..Search::default() };
    let motions = search.run(&modes, |_, _| true).motions;
    let mut through = 0;
    for motion in motions.iter().filter(|m| sequence::asymmetry(m) < 1e-7) {
        let Some(symmetric) = Family::of(&modes, motion, &Steps::default(), |_| true) else { continue };
        for special in &symmetric.special {
            let SpecialKind::BranchPoint(crossing) = &special.kind else { continue };
            assert!(sequence::asymmetry(&special.motion) < 1e-6);
            let family = Family::across(&modes, crossing, &Steps::default(), |_| true).expect("another family crosses");
            println!(
                "T = {:.9}: {:?} T = {:.9} E = {:.6} .. {:?}",
                special.motion.period(),
                family.begins.end,
                family.begins.period(),
                family.begins.energy,
                family.ends.end
            );
            // The sequence of the one, turned round, is that of the other, which is another one forward.
            let flights = |times: &[f64]| -> Vec<f64> {
                (0..7).map(|i| if i == 0 { times[0] } else { times[i] - times[i - 1] }).collect()
            };
            let (first, last) = (flights(&family.begins.impact_times), flights(&family.ends.impact_times));
            let distance = |other: &dyn Fn(usize) -> f64| -> f64 {
                let rotated = |r: usize| (0..7).map(|i| (first[i] - other(i + r)).abs()).fold(0.0, f64::max);
                (0..7).map(rotated).fold(f64::INFINITY, f64::min)
            };
            let (turned, forward) = (distance(&|i| last[(20 - i) % 7]), distance(&|i| last[i % 7]));
            assert!(turned < 1e-7 && forward > 1e-3, "{turned:e} {forward:e}");
            let (a, b) = (family.begins.energy, family.ends.energy);
            assert!(a == b || (a / b - 1.0).abs() < 1e-6, "{a} {b}");
            for member in family.motions.iter().skip(1).step_by(8).filter(|m| m.lambda.iter().all(|l| *l > 1e-3)) {
                assert_moves(&structure, &modes, member);
            }
            through += 1;
        }
    }
    println!("{through} families");
    assert!(through >= 3);
}

#[test]
fn thin_penetrations_are_seen() {
    // Near T = 3.748 two dips 8e-6 deep and narrower than 1/100 of the flight.
    let modes = chain(5, 1.0).modes();
    let period = 3.748044460919019 - 1e-7;
    let motion = Single::new(&modes, period);
    assert!(motion.lambda > 0.0 && !motion.is_admissible(&modes));
    let full = motion.motion(&modes);
    let Verdict::Penetrates(least) = full.verdict(&modes) else { panic!("{:?}", full.verdict(&modes)) };
    assert!(least.gap < 0.0 && least.gap > -1e-5, "{least:?}");
    assert!(((least.time - 0.5 * period).abs() - 1.58136).abs() < 1e-4);
    let gap = |t: f64| 1.0 - full.state(&modes, t).0[4];
    assert!((1..100).all(|i| gap(period * f64::from(i) / 100.0) > 0.0), "100 samples see it");
    assert!((gap(least.time) - least.gap).abs() < 1e-13);
    assert!(Single::new(&modes, period + 2e-7).is_admissible(&modes));
}

#[test]
fn energy_is_no_parameter_of_a_family() {
    let modes = chain(5, 1.0).modes();
    let rises_and_falls = single::intervals(&modes, 0.0, 40.0).iter().any(|interval| {
        let at =
            |i: u32| Single::new(&modes, interval.from + (interval.to - interval.from) * f64::from(i) / 50.0).energy;
        let energies: Vec<f64> = (1..50).map(at).collect();
        energies.windows(2).any(|e| e[1] > e[0] * 1.001) && energies.windows(2).any(|e| e[1] * 1.001 < e[0])
    });
    assert!(rises_and_falls);
}

#[test]
fn gaps_alone_do_not_make_a_motion() {
    // For even k some λ closes the gap at any impact times; without Π λ = 0 the trajectory does not keep to it.
    let modes = chain(5, 1.0).modes();
    for sigma in [vec![0.9, 1.5], vec![0.5, 0.9, 1.3, 0.7]] {
        let k = sigma.len();
        let times: Vec<f64> = (1..=k).map(|i| sigma[..i].iter().sum()).collect();
        let period = times[k - 1];
        let entry = |i: usize, j: usize| -> f64 {
            let term = |(w, q): (&f64, &f64)| {
                q * (w * ((times[i] - times[j]).abs() - 0.5 * period)).cos() / (w * (0.5 * w * period).sin())
            };
            modes.root_mobility() * modes.frequencies().iter().zip(modes.squares()).map(term).sum::<f64>()
        };
        let lambda = Matrix::from_fn(k, k, entry).solve(&vec![-1.0; k]).unwrap().x;
        let motion = Motion::from_impacts(&modes, times.clone(), lambda);
        let worst = times.iter().map(|t| (1.0 - motion.state(&modes, *t).0[4]).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12, "the gap is closed at every impact: {worst}");
        assert!(motion.closing_error(&modes) > 0.01, "{}", motion.closing_error(&modes));
    }
}

#[test]
fn infinite_speeds_are_where_the_sign_of_the_gap_changes() {
    let (open, pressed) = (chain(5, 1.0).modes(), chain(5, -1.0).modes());
    let ours = single::intervals(&open, 0.0, 40.0);
    let others = single::intervals(&pressed, 0.0, 40.0);
    let mut joined = 0;
    for interval in &others {
        assert_eq!(interval.ends, End::Infinite);
        let next = ours.iter().find(|i| i.begins == End::Infinite && (i.from - interval.to).abs() < 1e-12);
        assert!(next.is_some(), "{interval:?} goes on beyond");
        joined += 1;
    }
    assert_eq!(joined, ours.iter().filter(|i| i.begins == End::Infinite).count());
    assert!(joined > 0);
}

#[test]
fn the_full_monodromy_has_a_double_one_more() {
    for (structure, motions) in [(chain(5, 1.0), [3.8, 4.1, 4.2])] {
        let (modes, n) = (structure.modes(), structure.normal.len());
        for period in motions {
            let motion = Single::new(&modes, period).motion(&modes);
            let stable = stability(&modes, &motion).unwrap();
            // δ⁺ = N δ⁻ + (f⁺ - N f⁻) c'δ⁻/(-c'f⁻), flights by exponentials.
            let (u, v) = motion.state(&modes, 0.0);
            let mut x: Vec<f64> = u.into_iter().chain(v).collect();
            let field = structure.field();
            let flow = exponential(&field, period);
            x = flow.times(&x).unwrap();
            let before = field.times(&x).unwrap();
            structure.impact(&mut x);
            let after = field.times(&x).unwrap();
            let mut image = before.clone();
            structure.impact(&mut image);
            let speed: f64 = structure.normal.iter().zip(&before[..n]).map(|(w, f)| w * f).sum();
            let mut monodromy = Matrix::zeros(2 * n, 2 * n);
            for j in 0..2 * n {
                let mut column = flow.column(j).to_vec();
                let late: f64 = structure.normal.iter().zip(&column[..n]).map(|(w, d)| w * d).sum::<f64>() / speed;
                structure.impact(&mut column);
                for i in 0..2 * n {
                    column[i] -= (image[i] - after[i]) * late;
                }
                monodromy.column_mut(j).copy_from_slice(&column);
            }
            let mut all = monodromy.eigenvalues().unwrap();
            let one = |z: &saltation_numerics::dense::Complex| (z.re - 1.0).hypot(z.im);
            all.sort_by(|a, b| one(a).total_cmp(&one(b)));
            // Defective: to half of the digits.
            assert!(one(&all[0]) < 1e-4 && one(&all[1]) < 1e-4 && one(&all[2]) > 1e-2, "{all:?}");
            assert!(stable.multipliers.iter().all(|m| one(m) > 1e-2));
            for multiplier in &stable.multipliers {
                let distance =
                    |z: &saltation_numerics::dense::Complex| (z.re - multiplier.re).hypot(z.im - multiplier.im);
                let nearest = all[2..].iter().map(distance).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-9 * stable.spectral_radius, "{multiplier:?} {all:?}");
            }
        }
    }
}

/// Uniform in [0, 1).
fn uniform(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn gaps_grow_with_the_period_between_harmonics() {
    let felt = crate::common::structures::felt_by_the_chain(1.0);
    let harmonics = felt.harmonics(20.0);
    let mut seed = 3;
    for _ in 0..20_000 {
        let i = (uniform(&mut seed) * (harmonics.len() - 1) as f64) as usize;
        let (left, right) = (harmonics[i], harmonics[i + 1]);
        let at = |x: f64| left + (right - left) * x;
        let (a, b) = (uniform(&mut seed), uniform(&mut seed));
        let (shorter, longer) = (at(a.min(b)), at(a.max(b)));
        let t = uniform(&mut seed) * shorter;
        let (before, after) = (felt.gap_after(t, shorter), felt.gap_after(t, longer));
        assert!(after.y >= before.y - 1e-14 * (before.scale + after.scale), "{shorter} {longer} {t}");
        let mirrored = felt.gap_after(longer - t, longer);
        assert!((mirrored.y - after.y).abs() <= 1e-13 * after.scale);
    }
}

#[test]
fn intervals_hold_the_admissible_periods_and_no_others() {
    for (structure, high) in [(chain(5, 1.0), 40.0), (chain(5, -1.0), 40.0), (bar(7, 1.0), 12.0), (bar(7, -0.3), 12.0)]
    {
        let modes = structure.modes();
        let intervals = single::intervals(&modes, 0.0, high);
        let (mut seed, mut inside) = (17, 0);
        for _ in 0..1000 {
            let period = uniform(&mut seed) * high;
            if intervals.iter().any(|i| (i.from - period).abs() < 1e-9 || (i.to - period).abs() < 1e-9) {
                continue;
            }
            let member = intervals.iter().any(|i| i.from < period && period < i.to);
            assert_eq!(Single::new(&modes, period).is_admissible(&modes), member, "T = {period}");
            inside += usize::from(member);
        }
        assert!(inside > 0);
    }
}

#[test]
fn continua_and_bridges_are_motions() {
    let structure = chain(5, 1.0);
    let modes = structure.modes();
    let mut list = continuum::bridges(&modes, 0.0, 6.0);
    assert!(!list.is_empty());
    let search = Search { periods: (1.0, 7.0), starts: 400, ..Search::default() };
    list.extend(continuum::continua(&modes, &search, |_, _| true));
    for continuum in list {
        let motions = continuum.motions(&modes, 7);
        for motion in &motions[1..6] {
            assert_moves(&structure, &modes, motion);
        }
        // The gap is linear in λ_1, and what is beyond the ends is not admissible.
        let beyond = continuum.least / continuum.total - 1e-6;
        assert!(!continuum.motion(&modes, beyond).verdict(&modes).is_admissible());
    }
}

/// The middle of a symmetric flight lies on the common side of two cells: what is decided of the whole flight has to
/// be what is decided of half of it, and what samples see.
#[test]
fn symmetric_flights_are_looked_at_in_their_middle() {
    let diagonal = |values: [f64; 2]| [(0, 0, values[0]), (1, 1, values[1])];
    let stiffness = diagonal([2.0404994679301, 3.5248922520757]);
    let normal = [0.4327091656774618, 0.38796012170242217];
    let modes = LinearModes::new(2, &diagonal([1.0, 1.0]), &stiffness, &normal, 1.0).unwrap();
    let mut penetrate = 0;
    for i in 0..4000 {
        let period = 0.5 + 0.005 * f64::from(i) + 1e-4;
        let single = Single::new(&modes, period);
        let motion = single.motion(&modes);
        assert_eq!(motion.verdict(&modes).is_admissible(), single.is_admissible(&modes), "{period}");
        penetrate += usize::from(matches!(motion.verdict(&modes), Verdict::Penetrates(_)));
    }
    assert!(penetrate > 500, "{penetrate}");
}

/// Without a gap at equilibrium there are motions at isolated periods, and those with several impacts are found, too.
#[test]
fn without_a_gap_motions_are_isolated_and_found() {
    let modes = chain(5, 0.0).modes();
    for impacts in [2, 3] {
        let search = Search { impacts, periods: (0.0, 9.0), starts: 1000, ..Search::default() };
        let found = search.run(&modes, |_, _| true);
        assert!(found.copies > 10, "{found:?}");
        for motion in &found.motions {
            assert!(motion.closing_error(&modes) < 1e-11 && motion.verdict(&modes).is_admissible());
            // Any multiple of it is one too.
            let lambda = motion.lambda.iter().map(|lambda| 3.0 * lambda).collect();
            let larger = Motion::from_impacts(&modes, motion.impact_times.clone(), lambda);
            assert!(larger.closing_error(&modes) < 1e-11);
        }
    }
}
