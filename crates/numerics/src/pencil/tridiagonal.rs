//! Full symmetric pencils by Cholesky's factors, Householder's reflections to a tridiagonal matrix, and the implicit QL iteration on that (Golub and Van Loan,
//! Matrix Computations, sections 4.2, 8.3 and 8.7; Parlett, The Symmetric Eigenvalue Problem, section 8.11).
//!
//! Every operation is a sum in a fixed order, each product rounded: the same bits on every processor.

use super::PencilError;
use crate::dense::{Matrix, Reflection};
use crate::elementary::hypot;
use crate::number::Number;

/// Steps for one eigenvalue; two are usual.
const MOST_STEPS: usize = 60;

/// Eigenvalues, growing, and eigenvectors with X' M X = 1.
pub(super) fn dense(mass: &Matrix, stiffness: &Matrix) -> Result<(Vec<f64>, Matrix), PencilError> {
    let lower = cholesky(mass)?;
    let half = forward(&lower, stiffness);
    let (eigenvalues, vectors) = symmetric(&forward(&lower, &half.transpose()))?;
    Ok((eigenvalues, backward(&lower, vectors)))
}

/// L with M = L L'.
fn cholesky(mass: &Matrix) -> Result<Matrix, PencilError> {
    let n = mass.rows();
    let mut lower = Matrix::from_fn(n, n, |i, j| if i < j { 0.0 } else { mass[(i, j)] });
    for j in 0..n {
        let (before, from) = lower.entries_mut().split_at_mut(j * n);
        let column = &mut from[..n];
        for k in 0..j {
            let factor = before[j + k * n];
            let other = &before[k * n..(k + 1) * n];
            column[j..].iter_mut().zip(&other[j..]).for_each(|(x, y)| *x -= factor * y);
        }
        let pivot = column[j].sqrt();
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(PencilError::NotDefinite { row: j });
        }
        column[j..].iter_mut().for_each(|x| *x /= pivot);
    }
    Ok(lower)
}

/// L⁻¹ A.
fn forward(lower: &Matrix, a: &Matrix) -> Matrix {
    let mut a = a.clone();
    for j in 0..a.columns() {
        let x = a.column_mut(j);
        for k in 0..x.len() {
            let column = &lower.column(k)[k..];
            x[k] /= column[0];
            let solved = x[k];
            x[k + 1..].iter_mut().zip(&column[1..]).for_each(|(x, l)| *x -= solved * l);
        }
    }
    a
}

/// L'⁻¹ A.
fn backward(lower: &Matrix, mut a: Matrix) -> Matrix {
    for j in 0..a.columns() {
        let x = a.column_mut(j);
        for k in (0..x.len()).rev() {
            let column = &lower.column(k)[k..];
            x[k] = (x[k] - f64::dot(&column[1..], &x[k + 1..])) / column[0];
        }
    }
    a
}

/// Eigenvalues, growing, and orthonormal eigenvectors of a symmetric matrix.
fn symmetric(a: &Matrix) -> Result<(Vec<f64>, Matrix), PencilError> {
    let (mut diagonal, mut beside, mut vectors) = tridiagonal(a);
    iterate(&mut diagonal, &mut beside, &mut vectors)?;
    let n = diagonal.len();
    let mut growing: Vec<usize> = (0..n).collect();
    growing.sort_by(|&i, &j| diagonal[i].total_cmp(&diagonal[j]));
    let eigenvalues = growing.iter().map(|&j| diagonal[j]).collect();
    let mut sorted = Matrix::zeros(n, n);
    for (k, &j) in growing.iter().enumerate() {
        sorted.column_mut(k).copy_from_slice(vectors.column(j));
    }
    Ok((eigenvalues, sorted))
}

/// Diagonal and first off-diagonal of Q' A Q, and Q. Only the lower half of A is read.
fn tridiagonal(a: &Matrix) -> (Vec<f64>, Vec<f64>, Matrix) {
    let n = a.rows();
    let mut a = a.clone();
    let mut reflections = Vec::with_capacity(n.saturating_sub(2));
    let mut beside = vec![0.0; n.saturating_sub(1)];
    for (k, beside) in beside.iter_mut().enumerate() {
        let mut reflection = Reflection::default();
        *beside = reflection.annihilate(&a.column(k)[k + 1..]);
        reflection.apply_on_both_sides(&mut a, k + 1);
        reflections.push(reflection);
    }
    let mut q = Matrix::identity(n);
    for (k, reflection) in reflections.iter().enumerate().rev() {
        reflection.apply_to_rows(&mut q, k + 1, k + 1..n);
    }
    ((0..n).map(|k| a[(k, k)]).collect(), beside, q)
}

/// QL steps until nothing is left beside the diagonal; the columns of `vectors` are turned along.
fn iterate(diagonal: &mut [f64], beside: &mut [f64], vectors: &mut Matrix) -> Result<(), PencilError> {
    let n = diagonal.len();
    for first in 0..n {
        let mut steps = 0;
        loop {
            let apart = |k: &usize| beside[*k].abs() <= f64::EPSILON * (diagonal[*k].abs() + diagonal[k + 1].abs());
            let last = (first..n - 1).find(apart).unwrap_or(n - 1);
            if last == first {
                break;
            }
            if steps == MOST_STEPS {
                return Err(PencilError::NoConvergence);
            }
            steps += 1;
            step(diagonal, beside, vectors, first, last);
        }
    }
    Ok(())
}

/// One step on the rows `first` to `last`, which are coupled, with Wilkinson's shift.
fn step(diagonal: &mut [f64], beside: &mut [f64], vectors: &mut Matrix, first: usize, last: usize) {
    let half = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
    let shift = diagonal[first] - beside[first] / (half + hypot(half, 1.0).copysign(half));
    let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
    let mut ahead = diagonal[last] - shift;
    for k in (first..last).rev() {
        let (far, near) = (sine * beside[k], cosine * beside[k]);
        let length = hypot(far, ahead);
        if k + 1 < last {
            beside[k + 1] = length;
        }
        if length == 0.0 {
            // The matrix has fallen apart here.
            diagonal[k + 1] -= moved;
            return;
        }
        (sine, cosine) = (far / length, ahead / length);
        let base = diagonal[k + 1] - moved;
        let change = (diagonal[k] - base) * sine + 2.0 * cosine * near;
        moved = sine * change;
        diagonal[k + 1] = base + moved;
        ahead = cosine * change - near;
        let rows = vectors.rows();
        let (left, right) = vectors.entries_mut().split_at_mut((k + 1) * rows);
        for (x, y) in left[k * rows..].iter_mut().zip(&mut right[..rows]) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    }
    diagonal[first] -= moved;
    beside[first] = ahead;
    if let Some(negligible) = beside.get_mut(last) {
        *negligible = 0.0;
    }
}

#[cfg(test)]
mod tests;
