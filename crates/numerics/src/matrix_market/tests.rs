use proptest::prelude::*;

use super::*;

const SYMMETRIC: &str = "%%MatrixMarket matrix coordinate real symmetric\n";
const GENERAL: &str = "%%MatrixMarket matrix coordinate real general\n";

#[test]
fn all_four_kinds_are_read() {
    let expected = Matrix::from_rows([[1.0, 2.0], [2.0, -3.5]]);
    for text in [
        "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 2 -3.5\n1 2 2\n2 1 2\n",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1e0\n2 1 +2.\n2 2 -3.5\n",
        "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n-3.5\n",
        // Double precision as Fortran writes it.
        "%%MatrixMarket matrix array real general\n2 2\n0.1D1\n2.0d0\n20D-1\n-3.5D+00\n",
        "%%MatrixMarket matrix array real symmetric\n2 2\n1 2\n-3.5\n",
        // Comments, blank lines, line ends of another system, letters of any case, an entry in two parts.
        "%%matrixmarket MATRIX Coordinate REAL Symmetric\r\n% a note\r\n\r\n2 2 4\r\n1 1 0.25\r\n%x\r\n2 1 2\r\n\r\n1 1 .75\r\n2 2 -3.5\r\n\r\n%end",
    ] {
        assert_eq!(read(text).unwrap().dense(), expected, "{text}");
    }
    let integer = read("%%MatrixMarket matrix array integer general\n1 3\n1\n-2\n0\n").unwrap();
    assert_eq!(integer.entries, [(0, 0, 1.0), (0, 1, -2.0)]);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let answer = |text: &str| {
        let error = read(text).expect_err(text);
        assert!(!error.help.is_empty() && !error.message.ends_with('.'));
        format!("{error}")
    };
    let begins = |text: &str, start: &str| {
        let said = answer(text);
        assert!(said.starts_with(start), "{said}");
    };
    begins("", "line 1: the file does not begin with the banner");
    begins("\n\n", "line 1: the file does not begin with the banner");
    begins("2 2 1\n1 1 1\n", "line 1: the file does not begin with the banner");
    begins("%%MatrixMarket matrix\n", "line 1: the banner ends before it names the format");
    begins("%%MatrixMarket tensor coordinate real general\n", "line 1: a matrix whose object is `tensor`");
    for (word, what) in [
        ("complex general", "field"),
        ("pattern general", "field"),
        ("real hermitian", "symmetry"),
        ("real skew-symmetric", "symmetry"),
    ] {
        let said = answer(&format!("%%MatrixMarket matrix coordinate {word}\n1 1 0\n"));
        assert!(said.contains(&format!("whose {what} is")) && said.starts_with("line 1"), "{said}");
    }
    begins("%%MatrixMarket matrix coordinate real general much\n", "line 1: the banner has a word too many");
    begins(GENERAL, "line 1: the file ends before the line of sizes");
    begins(&format!("{GENERAL}%\n\n"), "line 3: the file ends before the line of sizes");
    begins(&format!("{GENERAL}2 2\n"), "line 2: `2 2` is no line of sizes");
    begins(&format!("{GENERAL}2 -2 1\n"), "line 2: `-2` is not a whole number");
    begins(&format!("{GENERAL}0 0 0\n"), "line 2: a matrix of 0 rows");
    begins(&format!("{GENERAL}20001 1 0\n"), "line 2: the matrix is too large: 20001 rows");
    begins(&format!("{GENERAL}99999999999999999999999 1 0\n"), "line 2: the matrix is too large: 99999");
    begins(&format!("{GENERAL}5 5 20000001\n"), "line 2: the matrix is too large: 20000001 entries");
    begins(
        "%%MatrixMarket matrix array real general\n20000 20000\n",
        "line 2: the matrix is too large: 400000000 entries",
    );
    begins(&format!("{SYMMETRIC}2 3 1\n"), "line 2: a symmetric matrix is square");
    begins(&format!("{GENERAL}2 2 2\n1 1 1\n\n"), "line 4: the file says that it has 2 entries and ends after 1");
    begins(
        &format!("{GENERAL}2 2 1\n1 1 1\n1 2 1\n"),
        "line 4: the file says that it has 1 entry, and here is one more",
    );
    begins("%%MatrixMarket matrix array real general\n1 2\n1 2 3\n", "line 3: the array has 2 entries");
    begins(&format!("{GENERAL}2 2 1\n0 1 1\n"), "line 3: there is no row 0");
    begins(&format!("{GENERAL}2 2 1\n1 3 1\n"), "line 3: there is no column 3");
    begins(&format!("{GENERAL}2 2 1\nx 1 1\n"), "line 3: `x` is no number of a row");
    begins(&format!("{GENERAL}2 2 1\n1 1\n"), "line 3: the entry has no value");
    begins(&format!("{GENERAL}2 2 1\n1 1 1 1\n"), "line 3: the entry has a word too many");
    begins(&format!("{GENERAL}2 2 1\n1 1 nan\n"), "line 3: `nan` is not a finite number");
    begins(&format!("{GENERAL}2 2 1\n1 1 -inf\n"), "line 3: `-inf` is not a finite number");
    begins(&format!("{GENERAL}2 2 1\n1 1 1e999\n"), "line 3: `1e999` is not a finite number");
    begins(&format!("{GENERAL}2 2 1\n1 1 1,5\n"), "line 3: `1,5` is not a number");
    begins(
        &format!("{GENERAL}2 2 2\n1 1 1e308\n1 1 1e308\n"),
        "line 4: the entries of row 1, column 1 add up to no finite",
    );
    begins("%%MatrixMarket matrix array integer general\n1 1\n1.5\n", "line 3: `1.5` is not a whole number");
    begins(&format!("{SYMMETRIC}2 2 1\n1 2 1\n"), "line 3: row 1, column 2 lies above the diagonal");
}

#[test]
fn asymmetry_is_found_in_any_units() {
    let matrix = |a: f64| Coordinates::new(3, 3, vec![(0, 0, 1e6), (1, 1, 1e-6), (2, 2, 1.0), (2, 1, a), (1, 2, 3e-4)]);
    assert_eq!(matrix(3e-4).is_symmetric(1e-12), None);
    assert_eq!(matrix(3e-4 * (1.0 + 1e-14)).is_symmetric(1e-12), None);
    assert_eq!(matrix(3e-4 * (1.0 + 1e-10)).is_symmetric(1e-12), Some((2, 1)));
    assert_eq!(matrix(0.0).is_symmetric(1e-12), Some((2, 1)));
    // An entry that is zero but for rounding.
    let noisy = Coordinates::new(2, 2, vec![(0, 0, 1.0), (1, 1, 1.0), (0, 1, 1e-17)]);
    assert_eq!(noisy.is_symmetric(1e-12), None);
    assert_eq!(noisy.symmetrised().entry(1, 0), 5e-18);
    assert_eq!(Coordinates::new(1, 2, vec![]).is_symmetric(1e-12), Some((0, 0)));
}

#[test]
fn products_are_those_of_the_dense_matrix() {
    let matrix = Coordinates::new(2, 3, vec![(1, 2, 4.0), (0, 0, 2.0), (0, 2, -1.0), (1, 2, 0.5)]);
    assert_eq!(matrix.times(&[1.0, 2.0, 3.0]), matrix.dense().times(&[1.0, 2.0, 3.0]).unwrap());
    assert_eq!(matrix.by_rows(), [vec![(0, 2.0), (2, -1.0)], vec![(2, 4.5)]]);
    assert_eq!((matrix.entry(1, 2), matrix.entry(1, 1)), (4.5, 0.0));
}

proptest! {
    #[test]
    fn what_is_written_reads_back_to_the_same_bits(
        entries in prop::collection::vec((0_usize..6, 0_usize..6, prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL), 0..30),
    ) {
        let matrix = Coordinates::new(6, 6, entries);
        prop_assume!(matrix.entries.iter().all(|entry| entry.2.is_finite()));
        prop_assert_eq!(&read(&write(&matrix, false)).unwrap(), &matrix);
        let symmetric = matrix.symmetrised();
        prop_assert_eq!(symmetric.is_symmetric(0.0), None);
        prop_assert_eq!(read(&write(&symmetric, true)).unwrap(), symmetric);
    }

    #[test]
    fn no_text_panics(text in "(%%MatrixMarket matrix (coordinate|array) (real|integer) (general|symmetric)\n)?([0-9 .e%\n-]{0,40})") {
        let _ = read(&text);
    }
}
