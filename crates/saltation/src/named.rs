//! Numbers with names: states and parameters as answers hold them.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// Numbers in an order, each with a name; the names are shared between all states of a run.
///
/// In JSON an object; numbers that are not finite are `null`, and read back as NaN.
///
/// ```
/// use saltation::System;
/// let run = System::gallery("bouncing-ball")?.simulate(1.0)?;
/// assert_eq!(run.end.state["v"], run.end.state.values()[1]);
/// assert_eq!(run.end.state.get("w"), None);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Named {
    names: Arc<[String]>,
    values: Vec<f64>,
}

impl Named {
    /// Numbers with their names.
    ///
    /// # Panics
    /// If there are not as many names as numbers.
    pub fn new(names: Arc<[String]>, values: Vec<f64>) -> Named {
        assert_eq!(names.len(), values.len(), "as many names as numbers");
        Named { names, values }
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers, in the order of the names.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.names.iter().position(|known| known == name).map(|i| self.values[i])
    }

    /// Names and numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> + Clone {
        self.names.iter().map(String::as_str).zip(self.values.iter().copied())
    }
}

impl Index<&str> for Named {
    type Output = f64;

    /// # Panics
    /// If there is no number of this name; [`Named::get`] asks.
    fn index(&self, name: &str) -> &f64 {
        let position = self.names.iter().position(|known| known == name);
        let known = || self.names.join(", ");
        &self.values[position.unwrap_or_else(|| panic!("there is no `{name}`, only {}", known()))]
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The same names with the same numbers, NaN being NaN.
impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        self.names == other.names && self.values.iter().zip(&other.values).all(same)
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of numbers")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Named, M::Error> {
                let (mut names, mut values) = (Vec::new(), Vec::new());
                while let Some((name, value)) = map.next_entry::<String, Option<f64>>()? {
                    names.push(name);
                    values.push(value.unwrap_or(f64::NAN));
                }
                Ok(Named { names: names.into(), values })
            }
        }
        deserializer.deserialize_map(Numbers)
    }
}

/// Serialization of numbers that may have no value, of complex numbers, and of named variants.
pub(crate) mod serial {
    use saltation_numerics::dense::Complex;
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    /// A number that is `null` where it has no value.
    pub(crate) mod number {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
            x.serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
            Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
        }
    }

    /// Numbers that are `null` where they have no value.
    pub(crate) mod numbers {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(list: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
            list.serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
            let list: Vec<Option<f64>> = Vec::deserialize(deserializer)?;
            Ok(list.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect())
        }
    }

    /// Complex numbers as pairs of real and imaginary part.
    pub(crate) mod complex {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(list: &[Complex], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(list.iter().map(|z| [z.re, z.im]))
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Complex>, D::Error> {
            let list: Vec<[Option<f64>; 2]> = Vec::deserialize(deserializer)?;
            let number = |x: Option<f64>| x.unwrap_or(f64::NAN);
            Ok(list.into_iter().map(|[re, im]| Complex::new(number(re), number(im))).collect())
        }
    }

    /// Implements `serialize` and `deserialize` of a type by its name: `name()` and `ALL`.
    macro_rules! by_word {
        ($module:ident, $type:ty, $what:literal) => {
            #[doc = concat!("The name of a ", $what, ".")]
            pub(crate) mod $module {
                use serde::de::{Deserialize, Deserializer, Error};
                use serde::ser::Serializer;

                pub(crate) fn serialize<S: Serializer>(x: &$type, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(x.name())
                }

                pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                    let word = String::deserialize(deserializer)?;
                    let known = <$type>::ALL.into_iter().find(|known| known.name() == word);
                    known.ok_or_else(|| D::Error::custom(format!("`{word}` is no {}", $what)))
                }
            }
        };
    }

    by_word!(event_kind, saltation_motion::EventKind, "kind of event");
    by_word!(policy, saltation_motion::Policy, "policy");
    by_word!(flow, saltation_motion::FlowChoice, "method for the flow");
    by_word!(special_kind, saltation_orbit::branch::SpecialKind, "kind of bifurcation");
}
