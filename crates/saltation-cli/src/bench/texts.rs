//! The models of heaps as texts: N discs in a box with friction between all of them, and a column of N balls.

use std::fmt::Write;

/// The radius of a disc or a ball, in metres.
const RADIUS: f64 = 0.1;

/// A list of formulas in quotes.
fn quoted(formulas: impl Iterator<Item = String>) -> String {
    formulas.map(|formula| format!("\"{formula}\"")).collect::<Vec<_>>().join(", ")
}

/// Every pair i < j.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

/// The model of N discs in a box about as wide as the heap is high: coordinates x, y and the angle p of each, counterclockwise.
pub(crate) fn discs(count: usize) -> String {
    let columns = (count as f64).sqrt().ceil().max(1.0);
    let width = 2.4 * RADIUS * (columns + 0.5);
    let each = |write: &dyn Fn(usize) -> String| (0..count).map(write).collect::<String>();
    let all = |symbols: [&str; 3]| quoted((0..count).flat_map(|i| symbols.map(|symbol| format!("{symbol}{i}"))));
    let mass = quoted((0..count).flat_map(|_| ["m", "m", "m*R^2/2"].map(String::from)));
    let force = quoted((0..count).flat_map(|_| ["0", "-m*g", "0"].map(String::from)));
    let contact = |name: String, gap: String, track: String| {
        format!(
            "[contacts.{name}]\ngap = \"{gap}\"\nrestitution = \"e\"\n\
             friction = {{ law = \"coulomb\", mu = \"mu\" }}\ntrack = \"{track}\"\n"
        )
    };
    let walls = each(&|i| {
        contact(format!("floor_{i}"), format!("y{i} - R"), format!("x{i} + R*p{i}"))
            + &contact(format!("left_{i}"), format!("x{i} - R"), format!("y{i} - R*p{i}"))
            + &contact(format!("right_{i}"), format!("w - R - x{i}"), format!("y{i} + R*p{i}"))
    });
    let mut between = String::new();
    for (i, j) in pairs(count) {
        // Around the point of contact the centres turn by an angle, on 2 R; the discs roll on each other by R each.
        between += &contact(
            format!("disc_{i}_{j}"),
            format!("sqrt((x{j} - x{i})^2 + (y{j} - y{i})^2) - 2*R"),
            format!("2*R*atan2(y{j} - y{i}, x{j} - x{i}) - R*(p{i} + p{j})"),
        );
    }
    let start = each(&|i| {
        let (row, column) = ((i as f64 / columns).floor(), i as f64 % columns);
        // Every second row is shifted, and no two discs are equally high, so that nothing balances.
        let shift = if row % 2.0 == 0.0 { 0.0 } else { RADIUS };
        let x = 1.2 * RADIUS + 2.4 * RADIUS * column + shift;
        let y = 1.5 * RADIUS + 2.4 * RADIUS * row + 0.02 * RADIUS * column;
        format!("x{i} = {x:.6}\ny{i} = {y:.6}\np{i} = 0\nvx{i} = 0\nvy{i} = 0\nvp{i} = 0\n")
    });
    format!(
        "format = 1\nname = \"discs-{count}\"\ntitle = \"{count} discs that fall in a box, with friction\"\n\
         [parameters]\nm = {{ value = 1, unit = \"kg\" }}\nR = {{ value = {RADIUS}, unit = \"m\" }}\n\
         g = {{ value = 9.81, unit = \"m/s^2\" }}\nw = {{ value = {width:.6}, unit = \"m\", about = \"width of the box\" }}\n\
         e = 0.2\nmu = 0.3\n\
         [mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{mass}] }}\nh = [{force}]\n\
         {walls}{between}[impacts]\ntogether = \"lcp\"\n[start]\n{start}",
        all(["x", "y", "p"]),
        all(["vx", "vy", "vp"]),
    )
}

/// The model of N balls above each other that fall on a floor and on each other.
pub(crate) fn column(count: usize) -> String {
    let mut contacts = "[contacts.floor]\ngap = \"y0 - R\"\nrestitution = \"e\"\n".to_string();
    for i in 1..count {
        let below = i - 1;
        // Writing to a text cannot fail.
        let _ = write!(contacts, "[contacts.ball_{i}]\ngap = \"y{i} - y{below} - 2*R\"\nrestitution = \"e\"\n");
    }
    let start: String =
        (0..count).map(|i| format!("y{i} = {:.6}\nv{i} = 0\n", RADIUS * (2.0 + 2.1 * i as f64))).collect();
    let list = |write: &dyn Fn(usize) -> String| quoted((0..count).map(write));
    format!(
        "format = 1\nname = \"column-{count}\"\ntitle = \"A column of {count} balls that falls on a floor\"\n\
         [parameters]\nm = {{ value = 1, unit = \"kg\" }}\nR = {{ value = {RADIUS}, unit = \"m\" }}\n\
         g = {{ value = 9.81, unit = \"m/s^2\" }}\ne = 0.9\n\
         [mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n\
         {contacts}[impacts]\ntogether = \"lcp\"\n[start]\n{start}",
        list(&|i| format!("y{i}")),
        list(&|i| format!("v{i}")),
        list(&|_| "m".to_string()),
        list(&|_| "-m*g".to_string()),
    )
}
