//! The colours of the page are those of the library.

use saltation::layers::draw::Color;

const PALETTE: &str = include_str!("../../../page/src/draw/palette.ts");
const SWEEP: &str = include_str!("../../../page/src/panels/sweep/panel.tsx");

#[test]
fn categories_and_periods_have_the_colours_of_the_figures() {
    let hex: Vec<&str> = PALETTE.split('"').filter(|word| word.starts_with('#')).collect();
    assert_eq!(hex, Color::CATEGORIES.map(Color::hex));
    // The page takes the colour of a period by the same rule.
    assert!(PALETTE.contains("CATEGORIES[Math.min(Math.max(1, period) - 1, CATEGORIES.length - 2)]"));
    for period in [1, 2, 14, 15, 16, 1000] {
        let index = (period.max(1) - 1).min(hex.len() - 2);
        assert_eq!(hex[index], Color::of_period(period as u64).hex());
    }
    assert!(SWEEP.contains("colourOfPeriod(MOST_COLOURS + 1)"));
}
