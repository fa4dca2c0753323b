//! Reads the request of a question from named values: a serde deserializer that evaluates formulas and says which field is wrong.

use crate::error::Refusal;
use crate::registry::plain::{Fields, Plain};
use crate::system::System;
use saltation_expr::parse::nearest;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::fmt::{self, Display};

/// A value that does not fit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wrong {
    /// The field, outermost first, joined by points.
    pub field: String,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Wrong {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Wrong {
        Wrong { field: String::new(), message: message.into(), help: help.into() }
    }

    fn in_field(mut self, field: &str) -> Wrong {
        self.field = if self.field.is_empty() { field.to_string() } else { format!("{field}.{}", self.field) };
        self
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong { field: refusal.field.to_string(), message: refusal.message, help: refusal.help }
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: Display>(message: T) -> Wrong {
        Wrong::new(message.to_string(), "")
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Wrong {
        Wrong::new(format!("{found} is given where {expected} is needed"), "")
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Wrong {
        Wrong::new(format!("{length} values are given where {expected} is needed"), "")
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Wrong {
        unknown(field, known.iter().copied())
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Wrong {
        Wrong::new(format!("`{}` is not one of {}", crate::text::cut(word), known.join(", ")), near(word, known))
    }

    fn missing_field(field: &'static str) -> Wrong {
        Wrong { field: field.to_string(), ..Wrong::new("it is missing", "give a value for it") }
    }
}

fn near(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write one of {}", known.join(", ")),
    }
}

/// A name that the question does not have.
pub(crate) fn unknown<'a>(field: &str, known: impl Iterator<Item = &'a str> + Clone) -> Wrong {
    let help = match nearest(field, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the names are {}", known.collect::<Vec<_>>().join(", ")),
    };
    let message = format!("there is no `{}` here", crate::text::cut(field));
    Wrong { field: field.to_string(), message, help }
}

/// Reads a request; missing fields take their defaults.
pub(crate) fn read<T: DeserializeOwned>(named: Fields, system: &System) -> Result<T, Wrong> {
    T::deserialize(Reader { value: Plain::Map(named), system })
}

/// Reads one value.
pub fn read_value<T: DeserializeOwned>(field: &str, value: Plain, system: &System) -> Result<T, Wrong> {
    T::deserialize(Reader { value, system }).map_err(|wrong| wrong.in_field(field))
}

/// Takes a value out of the named ones; `None` counts as not given.
pub(crate) fn take(named: &mut Fields, name: &str) -> Option<Plain> {
    let position = named.iter().position(|(known, _)| known == name)?;
    Some(named.remove(position).1).filter(|value| *value != Plain::Nothing)
}

struct Reader<'a> {
    value: Plain,
    system: &'a System,
}

impl Reader<'_> {
    /// The value as a number: formulas of parameters are evaluated.
    fn number(&self) -> Result<f64, Wrong> {
        match &self.value {
            Plain::Number(number) => Ok(*number),
            Plain::Whole(number) => Ok(*number as f64),
            Plain::Text(text) => self.system.evaluate(text).map_err(|errors| match errors.into_iter().next() {
                Some(error) => Wrong::new(
                    format!("`{}` is no formula: {}", crate::text::cut(text), error.message),
                    error.help.unwrap_or_else(|| "give a number or a formula of parameters".to_string()),
                ),
                None => Wrong::new("this is no formula", "give a number"),
            }),
            other => Err(Wrong::new(
                format!("a number is needed, not {}", other.describe()),
                "give a number or a formula of parameters such as \"20*pi\"",
            )),
        }
    }

    fn whole(&self) -> Result<i128, Wrong> {
        match self.value {
            Plain::Whole(number) => Ok(number),
            ref other => {
                Err(Wrong::new(format!("a whole number is needed, not {}", other.describe()), "give a whole number"))
            }
        }
    }

    fn text(self) -> Result<String, Wrong> {
        match self.value {
            Plain::Text(text) => Ok(text),
            other => Err(Wrong::new(format!("a text is needed, not {}", other.describe()), "")),
        }
    }

    fn list(self) -> Result<Vec<Plain>, Wrong> {
        match self.value {
            Plain::List(list) => Ok(list),
            other => Err(Wrong::new(format!("a list is needed, not {}", other.describe()), "")),
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            let number = self.whole()?;
            match <$type>::try_from(number) {
                Ok(number) => visitor.$visit(number),
                Err(_) if number < 0 => Err(Wrong::new(format!("{number} is negative"), "give 0 or more")),
                Err(_) => Err(Wrong::new(format!("{number} is too large"), "give a smaller number")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let system = self.system;
        match self.value {
            Plain::Nothing => visitor.visit_unit(),
            Plain::Flag(flag) => visitor.visit_bool(flag),
            Plain::Whole(number) => match (i64::try_from(number), u64::try_from(number)) {
                (Ok(number), _) => visitor.visit_i64(number),
                (_, Ok(number)) => visitor.visit_u64(number),
                _ => visitor.visit_f64(number as f64),
            },
            Plain::Number(number) => visitor.visit_f64(number),
            Plain::Text(text) => visitor.visit_string(text),
            Plain::List(list) => sequence(list, system, visitor),
            Plain::Map(map) => mapping(map, system, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.value {
            Plain::Flag(flag) => visitor.visit_bool(flag),
            other => Err(Wrong::new(format!("true or false is needed, not {}", other.describe()), "")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_f64(self.number()?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_f64(visitor)
    }

    whole_numbers!(
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64,
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64
    );

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.value {
            Plain::Nothing => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let system = self.system;
        sequence(self.list()?, system, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Wrong> {
        let system = self.system;
        let list = self.list()?;
        if list.len() != length {
            return Err(Wrong::new(format!("{length} values are needed, not {}", list.len()), ""));
        }
        sequence(list, system, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let system = self.system;
        match self.value {
            Plain::Map(map) => mapping(map, system, visitor),
            other => Err(Wrong::new(format!("a mapping is needed, not {}", other.describe()), "")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        if let Plain::Map(map) = &self.value
            && let Some((name, _)) = map.iter().find(|(name, _)| !fields.contains(&name.as_str()))
        {
            return Err(unknown(name, fields.iter().copied()));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let system = self.system;
        match self.value {
            Plain::Text(word) => visitor.visit_enum(IntoDeserializer::<Wrong>::into_deserializer(word)),
            Plain::Map(mut map) if map.len() == 1 => {
                let (name, value) = map.remove(0);
                visitor.visit_enum(Variant { name, value: Reader { value, system } })
            }
            other => Err(Wrong::new(format!("a word is needed, not {}", other.describe()), "")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct newtype_struct tuple_struct identifier
    }
}

fn sequence<'de, V: Visitor<'de>>(list: Vec<Plain>, system: &System, visitor: V) -> Result<V::Value, Wrong> {
    visitor.visit_seq(Entries { list: list.into_iter(), system })
}

fn mapping<'de, V: Visitor<'de>>(map: Fields, system: &System, visitor: V) -> Result<V::Value, Wrong> {
    visitor.visit_map(Members { map: map.into_iter(), value: None, system })
}

struct Entries<'a> {
    list: std::vec::IntoIter<Plain>,
    system: &'a System,
}

impl<'de> SeqAccess<'de> for Entries<'_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        self.list.next().map(|value| seed.deserialize(Reader { value, system: self.system })).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len())
    }
}

struct Members<'a> {
    map: std::vec::IntoIter<(String, Plain)>,
    value: Option<(String, Plain)>,
    system: &'a System,
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((name, value)) = self.map.next() else { return Ok(None) };
        let key = seed.deserialize(IntoDeserializer::<Wrong>::into_deserializer(name.as_str()))?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Wrong> {
        let (name, value) = self.value.take().unwrap_or((String::new(), Plain::Nothing));
        seed.deserialize(Reader { value, system: self.system }).map_err(|wrong| wrong.in_field(&name))
    }
}

struct Variant<'a> {
    name: String,
    value: Reader<'a>,
}

impl<'a, 'de> EnumAccess<'de> for Variant<'a> {
    type Error = Wrong;
    type Variant = Reader<'a>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Reader<'a>), Wrong> {
        let Variant { name, value } = self;
        Ok((seed.deserialize(IntoDeserializer::<Wrong>::into_deserializer(name))?, value))
    }
}

impl<'de> VariantAccess<'de> for Reader<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_struct("", fields, visitor)
    }
}
