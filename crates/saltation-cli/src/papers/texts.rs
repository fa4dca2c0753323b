//! The data files of the papers that come with Saltation, and the names that are like others.

use saltation::layers::expr::parse::nearest;

macro_rules! papers {
    ($($name:literal),* $(,)?) => {
        /// The names of the papers, the oldest first.
        pub(crate) const NAMES: [&str; [$($name),*].len()] = [$($name),*];
        const TEXTS: [&str; NAMES.len()] = [$(include_str!(concat!("../../papers/", $name, ".toml"))),*];
    };
}

papers![
    "housner-1963",
    "masri-caughey-1966",
    "glass-mackey-1979",
    "keener-1981",
    "holmes-1982",
    "shaw-holmes-1983",
    "tsypkin-1984",
    "matsumoto-chua-komuro-1985",
    "shaw-1986",
    "hogan-1989",
    "mcgeer-1990",
    "mehta-luck-1990",
    "mirollo-strogatz-1990",
    "popp-stelter-1990",
    "karagiannis-pfeiffer-1991",
    "nordmark-1991",
    "deane-1992",
    "budd-dux-1994",
    "chin-ott-nusse-grebogi-1994",
    "foale-1994",
    "nusse-yorke-1995",
    "fossas-olivar-1996",
    "garcia-1998",
    "leine-1998",
    "banerjee-grebogi-1999",
    "di-bernardo-johansson-vasca-2001",
    "leine-brogliato-2001",
    "izhikevich-2003",
    "kuznetsov-rinaldi-gragnani-2003",
    "woodpecker-2003",
    "yoshitake",
    "nordmark-piiroinen-2009",
    "hos-champneys-2012",
    "coco-impact",
    "thorin-2017",
    "ghosh-simpson",
];

/// The data file of a paper.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    NAMES.iter().position(|known| *known == name).map(|i| TEXTS[i])
}

/// The names that are like this one, or that have a word of it; all of them if none has.
pub(crate) fn near<'a>(name: &str, names: &[&'a str]) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split(['-', '_', ' ', '.']).filter(|word| word.len() > 2).collect();
    let mut found: Vec<&str> = nearest(name, names.iter().copied()).into_iter().collect();
    for known in names {
        if words.iter().any(|word| known.contains(word)) && !found.contains(known) {
            found.push(known);
        }
    }
    if found.is_empty() { names.to_vec() } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_its_letters_or_by_a_word() {
        let names = ["nordmark-1991", "shaw-holmes-1983", "holmes-1982"];
        assert_eq!(near("nordmark-1919", &names), ["nordmark-1991"]);
        assert_eq!(near("holmes", &names), ["shaw-holmes-1983", "holmes-1982"]);
        assert_eq!(near("xyz", &names), names);
    }
}
