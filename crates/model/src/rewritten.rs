//! The text of a model file with other numbers for some parameters and start values; all else stands as it was written.

use crate::model::Model;

impl Model {
    /// The text of the file with these numbers in the place of what stands at keys such as `parameters.e` and `start.x`. Nothing if the file has no such place.
    ///
    /// ```
    /// use saltation_model::gallery;
    /// let model = gallery::model("bouncing-ball").unwrap()?;
    /// let text = model.rewritten(&[("parameters.e".to_string(), 0.5)]).unwrap();
    /// let other = saltation_model::Model::parse(&text, "other.toml")?;
    /// assert_eq!(other.numbers()?.parameters()[other.parameter("e").unwrap()], 0.5);
    /// assert!(model.rewritten(&[("parameters.mass".to_string(), 1.0)]).is_none());
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    pub fn rewritten(&self, numbers: &[(String, f64)]) -> Option<String> {
        let place = |(key, value): &(String, f64)| self.places.get(key).map(|place| (place.clone(), *value));
        let mut places = numbers.iter().map(place).collect::<Option<Vec<_>>>()?;
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        let mut text = self.text.clone();
        for (place, value) in places {
            // Digits enough for the same number again.
            text.replace_range(place, &format!("{value:?}"));
        }
        Some(text)
    }
}
