use super::*;
#[test]
fn smoke() {
    let chain = vec![Matrix::from_rows([[3.0, 7.0], [0.0, 0.5]]); 200];
    println!("{:?}", multipliers(&chain, Ranks::Full));
    let a = Matrix::from_fn(5, 5, |i, j| ((i * 7 + j * 3) % 5) as f64 - 1.7);
    println!(
        "{:?}\n{:?}",
        a.eigenvalues(),
        multipliers(std::slice::from_ref(&a), Ranks::Full).unwrap().iter().map(|m| m.value).collect::<Vec<_>>()
    );
}
