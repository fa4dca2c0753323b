//! Rows of words and numbers in aligned columns.

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// One text per column.
    Cells(Vec<String>),
    /// A remark across all columns.
    Remark(String),
}

/// The lines of a table, each indented by two spaces; columns that are empty everywhere are left out. None without rows.
pub fn lines(head: &[(&str, Side)], rows: &[Row]) -> Vec<String> {
    let cells = || {
        rows.iter().filter_map(|row| match row {
            Row::Cells(cells) => Some(cells),
            Row::Remark(_) => None,
        })
    };
    let width = |column: usize| {
        let widest = cells().map(|row| row[column].chars().count()).max().unwrap_or(0);
        (widest > 0).then_some(widest.max(head[column].0.chars().count()))
    };
    let widths: Vec<Option<usize>> = (0..head.len()).map(width).collect();
    let line = |texts: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for ((text, width), (_, side)) in texts.zip(&widths).zip(head) {
            let Some(width) = *width else { continue };
            line.push_str("  ");
            line.push_str(&match side {
                Side::Left => format!("{text:<width$}"),
                Side::Right => format!("{text:>width$}"),
            });
        }
        line.trim_end().to_string()
    };
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![line(&mut head.iter().map(|(name, _)| *name))];
    lines.extend(rows.iter().map(|row| match row {
        Row::Cells(cells) => line(&mut cells.iter().map(String::as_str)),
        Row::Remark(text) => format!("  {text}"),
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_rows_there_is_no_table() {
        assert!(lines(&[("time", Side::Right)], &[]).is_empty());
    }

    #[test]
    fn columns_line_up_and_empty_ones_vanish() {
        let head = [("time", Side::Right), ("kind", Side::Left), ("none", Side::Left), ("x", Side::Right)];
        let cells = |texts: [&str; 4]| Row::Cells(texts.map(str::to_string).to_vec());
        let rows = [cells(["1.5", "impact", "", "-1"]), Row::Remark("…".to_string()), cells(["10.5", "ζ", "", ""])];
        assert_eq!(lines(&head, &rows), ["  time  kind     x", "   1.5  impact  -1", "  …", "  10.5  ζ"]);
    }
}
