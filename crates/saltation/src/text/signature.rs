//! A signature on one line: repeated blocks are grouped, or else all words are counted.

/// Longer signatures are grouped.
const SHORT: usize = 8;

/// The words of a signature in one line: repeated blocks grouped, or else all words counted.
pub(crate) fn compact(words: &[String]) -> String {
    if words.is_empty() {
        return "no events".to_string();
    }
    if words.len() <= SHORT {
        return words.join(" ");
    }
    // The shortest block whose repetition is the whole.
    let blocks = (1..=SHORT).filter(|length| words.len().is_multiple_of(*length));
    let repeats = |length: &usize| (*length..words.len()).all(|k| words[k] == words[k - length]);
    if let Some(length) = blocks.clone().find(repeats) {
        let block = words[..length].join(" ");
        let times = words.len() / length;
        return if length == 1 { format!("{times} x {block}") } else { format!("{times} x ({block})") };
    }
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match runs.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            _ => runs.push((word, 1)),
        }
    }
    if runs.len() <= SHORT {
        let run =
            |&(word, count): &(&str, usize)| if count == 1 { word.to_string() } else { format!("{count} x {word}") };
        return runs.iter().map(run).collect::<Vec<_>>().join(", ");
    }
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let list: Vec<String> = counts.iter().map(|(word, count)| format!("{count} x {word}")).collect();
    format!("{} in some order", list.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn repetition_is_gathered() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_string).collect() };
        let cases = [
            ("a b", "a b"),
            ("a a a a a a a a a", "9 x a"),
            ("a b a b a b a b a b", "5 x (a b)"),
            ("a a a a a a a a b c c", "8 x a, b, 2 x c"),
            ("a b a b a b a b a b b", "5 x a and 6 x b in some order"),
        ];
        for (signature, text) in cases {
            assert_eq!(compact(&words(signature)), text);
        }
        assert_eq!(compact(&[]), "no events");
    }
}
