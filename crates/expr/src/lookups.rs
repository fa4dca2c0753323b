//! Functions that are given by points: tables with names, and the lookups in them, whose numbers are constant on each piece of the table.
//!
//! A table with argument a is the polynomial of the piece on which a lies, in a graph as in a tape: c0 + c1 u + c2 u^2 + c3 u^3 with u = a - k. Its origin k and its
//! coefficients are nodes of their own, [`Operation::Piece`], that move with no symbol, so that derivatives and jets of a table are those of the polynomial.
//! Which piece that is the value of a says, or else who follows a motion and [holds](Tape::hold) the piece up to its end.

use std::sync::Arc;

use saltation_numerics::piecewise::{Interpolation, Piecewise};

use crate::graph::{Graph, Node, Operation, Tables};
use crate::tabulated::{Lookup, Part};

impl Tables {
    /// The same for another graph.
    pub(crate) fn without_nodes(&self) -> Tables {
        Tables { named: self.named.clone(), lookups: self.lookups.clone(), ..Tables::default() }
    }
}

impl Graph {
    /// Gives a table a name.
    pub fn declare_table(&mut self, name: &str, table: Arc<Piecewise>) {
        self.tables.named.push(Lookup { name: name.to_string(), table });
    }

    /// The names of all tables, in the order of their declaration.
    pub fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.named.iter().map(|table| table.name.as_str())
    }

    /// A table of this name with an argument, if there is one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use saltation_expr::Graph;
    /// use saltation_numerics::piecewise::{Beyond, Interpolation, Piecewise};
    /// let points = [[0.0, 0.0], [1.0, 3.0], [2.0, 4.0]];
    /// let table = Piecewise::through(&points, Interpolation::Linear, Beyond::Hold).unwrap();
    /// let mut graph = Graph::new();
    /// graph.declare_table("road", Arc::new(table));
    /// let x = graph.symbol("x");
    /// let road = graph.look_up("road", x).unwrap();
    /// let slope = graph.derivative(road, x);
    /// assert_eq!(graph.print(road), "road(x)");
    /// assert_eq!([0.5, 1.5, 7.0].map(|x| graph.evaluate(road, &|_| x)), [1.5, 3.5, 4.0]);
    /// assert_eq!([0.5, 1.5, 7.0].map(|x| graph.evaluate(slope, &|_| x)), [3.0, 1.0, 0.0]);
    /// ```
    pub fn look_up(&mut self, name: &str, argument: Node) -> Option<Node> {
        let table = self.tables.named.iter().position(|table| table.name == name)?;
        let Tables { named, lookups, known, .. } = &mut self.tables;
        let number = *known.entry((table, argument)).or_insert_with(|| {
            lookups.push(named[table].clone());
            (lookups.len() - 1) as u32
        });
        let degree = match lookups[number as usize].table.interpolation() {
            Interpolation::Step => 0,
            Interpolation::Linear => 1,
            Interpolation::Cubic | Interpolation::Monotone => 3,
        };
        let mut value = self.piece(number, Part::Coefficient(degree), argument);
        if degree > 0 {
            let origin = self.piece(number, Part::Origin, argument);
            let distance = self.subtract(argument, origin);
            for power in (0..degree).rev() {
                let coefficient = self.piece(number, Part::Coefficient(power), argument);
                let product = self.multiply(value, distance);
                value = self.add(product, coefficient);
            }
        }
        if self.as_constant(value).is_none() {
            self.tables.values.insert(value, (number, argument));
        }
        Some(value)
    }

    /// All lookups, by their numbers.
    pub fn lookups(&self) -> &[Lookup] {
        &self.tables.lookups
    }

    /// The argument of a lookup, in the graph in which it was made.
    pub fn argument_of(&self, lookup: u32) -> Option<Node> {
        self.tables.known.iter().find(|(_, number)| **number == lookup).map(|((_, argument), _)| *argument)
    }

    /// The lookups that formulas need, with their arguments; those first on which others depend.
    pub fn lookups_in(&self, nodes: &[Node]) -> Vec<(u32, Node)> {
        let mut found: Vec<(u32, Node)> = Vec::new();
        for node in self.reachable(nodes) {
            if let Operation::Piece(lookup, _, argument) = self.operation(node)
                && !found.iter().any(|(known, _)| *known == lookup)
            {
                found.push((lookup, argument));
            }
        }
        found
    }

    /// A number of the piece of a lookup.
    pub fn piece(&mut self, lookup: u32, part: Part, argument: Node) -> Node {
        if let Some(x) = self.as_constant(argument) {
            let value = self.piece_at(lookup, part, x);
            if value.is_finite() {
                return self.constant(value);
            }
        }
        self.make(Operation::Piece(lookup, part, argument))
    }

    /// The same at a value of the argument.
    pub fn piece_at(&self, lookup: u32, part: Part, x: f64) -> f64 {
        self.tables.lookups[lookup as usize].at(part, x)
    }

    /// The name of a table and its argument, if a node is that.
    pub(crate) fn looked_up(&self, node: Node) -> Option<(&str, Node)> {
        let (number, argument) = *self.tables.values.get(&node)?;
        Some((&self.tables.lookups[number as usize].name, argument))
    }

    /// What a number of a piece is called in messages.
    pub(crate) fn piece_name(&self, lookup: u32, part: Part) -> String {
        let name = &self.tables.lookups[lookup as usize].name;
        match part {
            Part::Origin => format!("{name}.origin"),
            Part::Coefficient(power) => format!("{name}.c{power}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Jet, Tape};
    use saltation_numerics::piecewise::Beyond;

    #[test]
    fn a_piece_that_is_held_goes_on_beyond_its_end() {
        let points = [[0.0, 0.0], [1.0, 1.0], [2.0, 8.0], [3.0, 27.0], [4.0, 20.0]];
        let table = Piecewise::through(&points, Interpolation::Cubic, Beyond::Refuse).unwrap();
        let mut graph = Graph::new();
        graph.declare_table("z", Arc::new(table.clone()));
        let x = graph.symbol("x");
        let double = graph.add(x, x);
        let looked = graph.look_up("z", double).unwrap();
        let slope = graph.derivative(looked, x);
        let tape = Tape::new(&graph, &[x], &[], &[looked], &[looked, slope]);
        let mut slots = tape.bind::<f64>(&[]);
        let mut values = [0.0; 2];
        let mut jet = Jet::new(&tape);
        tape.evaluate(&slots, &[1.3], &mut jet, &mut values);
        assert!((values[0] - table.value(2.6).unwrap()).abs() < 1e-14);
        let far = |piece: i64, x: f64| {
            let (u, [a, b, c, d]) = (x - table.origin(piece), table.polynomial(piece));
            [a + u * (b + u * (c + u * d)), 2.0 * (b + u * (2.0 * c + u * 3.0 * d))]
        };
        tape.hold(&mut slots, &[Some(0)]);
        tape.evaluate(&slots, &[1.3], &mut jet, &mut values);
        values.iter().zip(far(0, 2.6)).for_each(|(value, expected)| assert!((value - expected).abs() < 1e-13));
        // x' = z(2x): its second coefficient is z z' / 2.
        tape.expand(&slots, &[0.4], 3, &mut jet);
        let [value, slope] = far(0, 0.8);
        assert!((jet.state(0)[2] - 0.5 * value * slope).abs() < 1e-13);
        tape.hold(&mut slots, &[None]);
        tape.evaluate(&slots, &[2.5], &mut jet, &mut values);
        assert!(values[0].is_nan());
        assert!(graph.has_side_of(looked, &[x]) && !graph.is_affine(looked, &[x], &[]));
    }
}
