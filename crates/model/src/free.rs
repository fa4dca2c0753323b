//! Numbers of a run with some parameters free: everything that follows from these is a function of them, on any kind of number.

use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use crate::mistake::{Mistake, Mistakes};
use crate::typed::{Target, position};
use crate::values::Values;

impl Values {
    /// The same numbers with some parameters free.
    ///
    /// ```
    /// use saltation_model::Model;
    /// use saltation_numerics::dual::Dual;
    /// let model = Model::parse(r#"
    ///     format = 1
    ///     name = "ball"
    ///     [parameters]
    ///     g = 9.8
    ///     weight = "2*g"
    ///     [flow]
    ///     x = "v"
    ///     v = "-g"
    ///     [contacts.floor]
    ///     gap = "x"
    ///     jump = { v = "-v" }
    ///     [start]
    ///     x = 1
    ///     v = 0
    /// "#, "ball.toml")?;
    /// let numbers = model.numbers()?.along(&["g"])?;
    /// let mut parameters = Vec::new();
    /// numbers.parameters_at(&[Dual { value: 1.6, tangent: [1.0] }], &mut parameters);
    /// let weight = parameters[1];
    /// assert_eq!((weight.value, weight.tangent), (3.2, [2.0]));
    /// assert_eq!(numbers.at_free(&[1.6]).parameters(), [1.6, 3.2]);
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    ///
    /// # Errors
    /// A name that is no parameter or is given twice.
    pub fn along(&self, free: &[&str]) -> Result<Values, Mistakes> {
        let model = self.model();
        let mut positions = Vec::new();
        for name in free {
            let mistake = match position(model, Target::Parameter, name) {
                Ok(position) if !positions.contains(&position) => {
                    positions.push(position);
                    continue;
                }
                Ok(_) => Mistake::general(format!("`{name}` is named twice")).help("name two different parameters"),
                Err(mistake) => mistake,
            };
            let text = format!("along {name}");
            return Err(Mistakes::new("settings", &text, vec![Mistake { span: Some(6..text.len()), ..mistake }]));
        }
        let mut values = self.clone();
        values.free = positions;
        values.moved = values.moving();
        Ok(values)
    }

    /// The positions among the followers of those that vary with the free parameters.
    pub(crate) fn moving(&self) -> Vec<usize> {
        let mut moving = self.free.clone();
        let mut moved = Vec::new();
        for (k, follower) in self.dependence().followers().iter().enumerate() {
            let i = follower.parameter;
            if !self.is_set(i) && !self.free.contains(&i) && moving.iter().any(|j| follower.uses.contains(j)) {
                moving.push(i);
                moved.push(k);
            }
        }
        moved
    }

    /// The free parameters, by their position in the model.
    pub fn free(&self) -> &[usize] {
        &self.free
    }

    /// The values of the free parameters.
    pub fn free_values(&self) -> Vec<f64> {
        self.free.iter().map(|&i| self.parameters()[i]).collect()
    }

    /// The same numbers at other values of the free parameters, which are taken as they are, also out of their bounds.
    ///
    /// # Panics
    /// If there are not as many as are free.
    pub fn at_free(&self, free: &[f64]) -> Values {
        assert_eq!(free.len(), self.free.len(), "one value per free parameter");
        let mut values = self.clone();
        for (&i, &value) in self.free.iter().zip(free) {
            values.put(Target::Parameter, i, Some(value));
        }
        values.follow();
        values
    }

    /// The values of all parameters, given those of the free ones.
    ///
    /// # Panics
    /// If there are not as many as are free.
    pub fn parameters_at<T: Number>(&self, free: &[T], parameters: &mut Vec<T>) {
        assert_eq!(free.len(), self.free.len(), "one value per free parameter");
        parameters.clear();
        parameters.extend(self.parameters().iter().map(|&value| T::from_f64(value)));
        for (&i, &value) in self.free.iter().zip(free) {
            parameters[i] = value;
        }
        for &k in &self.moved {
            let follower = &self.dependence().followers()[k];
            parameters[follower.parameter] = follower.value(parameters);
        }
    }

    /// The derivatives of all parameters and of the start by one parameter, through every formula that follows from it and was not replaced by a number. A start that was moved
    /// onto constraints is differentiated as it was before.
    ///
    /// ```
    /// # use saltation_model::Model;
    /// let text = "format = 1\nname = \"m\"\n[parameters]\na = 3\nb = \"a^2\"\n[flow]\nx = \"-b*x\"\n[start]\nx = \"2*b\"\n";
    /// let values = Model::parse(text, "m.toml")?.values(&Default::default())?;
    /// assert_eq!(values.derivatives_by(0), (vec![1.0, 6.0], vec![12.0]));
    /// assert_eq!(values.derivatives_by(1), (vec![0.0, 1.0], vec![2.0]));
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such parameter.
    pub fn derivatives_by(&self, parameter: usize) -> (Vec<f64>, Vec<f64>) {
        let mut parameters: Vec<Dual<1>> = self.parameters().iter().map(|&value| Dual::constant(value)).collect();
        parameters[parameter].tangent = [1.0];
        for follower in self.dependence().followers() {
            if follower.parameter != parameter && !self.is_set(follower.parameter) {
                parameters[follower.parameter].tangent = follower.value(&parameters).tangent;
            }
        }
        let starts = self.dependence().starts(&parameters);
        let moved = |(i, start): (usize, &Dual<1>)| if self.is_start_set(i) { 0.0 } else { start.tangent[0] };
        let starts = starts.iter().enumerate().map(moved).collect();
        (parameters.iter().map(|parameter| parameter.tangent[0]).collect(), starts)
    }

    /// The period of every state that is an angle or the phase, at values of all parameters; 0 for other states.
    pub fn angle_periods_at<T: Number>(&self, parameters: &[T]) -> Vec<T> {
        self.dependence().angle_periods(parameters)
    }
}
