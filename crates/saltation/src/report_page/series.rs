//! Numbers of stored tables for figures: columns over time, and events, collected while a table is read.

use csv::StringRecord;

/// The most numbers of a table that are kept: 64 megabytes.
const MOST: usize = 8_000_000;

/// A table of numbers, row by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Series {
    /// The names of the columns; empty if there is no such table.
    pub head: Vec<String>,
    numbers: Vec<f64>,
    /// Whether later rows were left out.
    pub cut: bool,
}

impl Series {
    /// A table with these columns and no rows.
    pub(crate) fn new(head: &[String]) -> Series {
        Series { head: head.to_vec(), ..Series::default() }
    }

    /// Adds a row of texts; what is no number is NaN.
    pub(crate) fn push(&mut self, record: &StringRecord) {
        if self.numbers.len() + record.len() > MOST {
            self.cut = true;
        } else {
            self.numbers.extend(record.iter().map(|text| text.parse().unwrap_or(f64::NAN)));
        }
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The column of a name.
    pub(crate) fn column(&self, name: &str) -> Option<Vec<f64>> {
        let place = self.head.iter().position(|known| known == name)?;
        Some(self.numbers.chunks_exact(self.head.len()).map(|row| row[place]).collect())
    }

    /// The columns that are finite and vary, without these names.
    pub(crate) fn varying(&self, without: &[&str]) -> Vec<String> {
        let names = self.head.iter().filter(|name| !without.contains(&name.as_str()));
        let varies = |name: &&String| {
            let values = self.column(name).unwrap_or_default();
            let extent = values.iter().filter(|x| x.is_finite()).fold(None, |extent: Option<(f64, f64)>, &x| {
                Some(extent.map_or((x, x), |(low, high)| (low.min(x), high.max(x))))
            });
            extent.is_some_and(|(low, high)| high - low > 1e-12 * low.abs().max(high.abs()))
        };
        names.filter(varies).cloned().collect()
    }
}

/// An event of a stored table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mark {
    pub time: f64,
    pub kind: String,
    pub contact: String,
    pub speed: f64,
}

/// The events of a stored table, and how many there are of each kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    places: Option<[usize; 4]>,
    /// The events, in the order of time.
    pub list: Vec<Mark>,
    /// The number of each kind, in the order in which they occur.
    pub counts: Vec<(String, u64)>,
    /// Whether later events were left out of the list.
    pub cut: bool,
}

/// The most events that are kept.
const MOST_MARKS: usize = 1_000_000;

impl Marks {
    /// The events of a table with these columns; none if it has not those of events.
    pub(crate) fn new(head: &[String]) -> Marks {
        let place = |name: &str| head.iter().position(|known| known == name);
        let places = || Some([place("time")?, place("kind")?, place("contact")?, place("speed_before")?]);
        Marks { places: places(), ..Marks::default() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, record: &StringRecord) {
        let Some(places) = self.places else { return };
        let [time, kind, contact, speed] = places.map(|place| record.get(place).unwrap_or_default());
        match self.counts.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((kind.to_string(), 1)),
        }
        if self.list.len() >= MOST_MARKS {
            self.cut = true;
            return;
        }
        let number = |text: &str| text.parse().unwrap_or(f64::NAN);
        let (kind, contact) = (kind.to_string(), contact.to_string());
        self.list.push(Mark { time: number(time), kind, contact, speed: number(speed) });
    }
}
