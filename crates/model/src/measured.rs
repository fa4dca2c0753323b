//! A function of the file that is given by points, as the model knows it beside its formulas: for reports and pictures.

use std::sync::Arc;

use saltation_numerics::piecewise::Piecewise;

/// A table of the file.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its name, by which formulas call it.
    pub name: String,
    /// The function.
    pub function: Arc<Piecewise>,
    /// The file of its points, where they are not in the model.
    pub file: Option<String>,
    /// The units of the argument and of the value, if the file gives them.
    pub units: Option<[String; 2]>,
}

impl Measured {
    /// The least and the largest value at the points and between them.
    ///
    /// ```
    /// use saltation_model::Model;
    /// let text = "format = 1\nname = \"m\"\n[tables.bump]\nknots = [[0, 0], [1, 2], [2, 0]]\ninterpolation = \"linear\"\nbeyond = \"hold\"\n\
    ///             [flow]\nx = \"bump(x) - x\"\n[start]\nx = 1\n";
    /// let model = Model::parse(text, "m.toml").unwrap();
    /// assert_eq!(model.tables[0].extent(), [0.0, 2.0]);
    /// ```
    pub fn extent(&self) -> [f64; 2] {
        let mut extent = [f64::INFINITY, f64::NEG_INFINITY];
        for piece in 0..self.function.pieces() {
            let [from, to] = self.function.ends(piece);
            let [a, b, c, d] = self.function.polynomial(piece);
            let value = |x: f64| ((d * x + c) * x + b) * x + a;
            // Where b + 2 c x + 3 d x^2 = 0, without cancellation.
            let root = c * c - 3.0 * d * b;
            let far = if root >= 0.0 { -(c + c.signum() * root.sqrt()) } else { f64::NAN };
            let inner = [far / (3.0 * d), b / far].into_iter().filter(|x| (0.0..=to - from).contains(x));
            for y in inner.chain([0.0, to - from]).map(value) {
                extent = [extent[0].min(y), extent[1].max(y)];
            }
        }
        // A step jumps at the last point.
        let last = self.function.value(self.function.span()[1]);
        last.map_or(extent, |y| [extent[0].min(y), extent[1].max(y)])
    }
}
