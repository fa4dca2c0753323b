//! The palette: colours that remain distinguishable in common forms of colour blindness and in grey.

/// An opaque sRGB colour.
///
/// ```
/// use saltation_draw::Color;
/// assert_eq!(Color::rgb(0, 114, 178), Color::BLUE);
/// assert_eq!(Color::BLUE.hex(), "#0072b2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

impl Color {
    /// Blue, the first colour of the palette.
    pub const BLUE: Color = Color::rgb(0, 114, 178);
    /// Vermillion, the second colour of the palette.
    pub const VERMILLION: Color = Color::rgb(213, 94, 0);
    /// Bluish green, the third colour of the palette.
    pub const GREEN: Color = Color::rgb(0, 158, 115);
    /// Reddish purple, the fourth colour of the palette.
    pub const PURPLE: Color = Color::rgb(204, 121, 167);
    /// Orange, the fifth colour of the palette.
    pub const ORANGE: Color = Color::rgb(230, 159, 0);
    /// Sky blue, the sixth colour of the palette.
    pub const SKY: Color = Color::rgb(86, 180, 233);
    /// Black.
    pub const BLACK: Color = Color::rgb(0, 0, 0);
    /// White.
    pub const WHITE: Color = Color::rgb(255, 255, 255);
    /// Middle grey, for reference lines and shaded bands.
    pub const GREY: Color = Color::rgb(110, 110, 110);

    /// The colours given in turn to the layers of a panel which name none: six hues that readers with
    /// any kind of colour vision distinguish (Okabe & Ito, Color Universal Design, 2008; its yellow is left
    /// out because thin yellow lines vanish on white paper).
    pub const PALETTE: [Color; 6] =
        [Color::BLUE, Color::VERMILLION, Color::GREEN, Color::PURPLE, Color::ORANGE, Color::SKY];

    /// Light grey, for what is missing.
    pub const MISSING: Color = Color::rgb(222, 222, 222);

    /// The colours given in turn to categories: the palette, then hues between them and their dark and light relatives
    /// (after P. Tol, Colour Schemes, 2021), neighbours in the list as different as possible.
    pub const CATEGORIES: [Color; 16] = [
        Color::BLUE,
        Color::ORANGE,
        Color::GREEN,
        Color::VERMILLION,
        Color::SKY,
        Color::PURPLE,
        Color::rgb(240, 228, 66),
        Color::rgb(51, 34, 136),
        Color::rgb(153, 153, 51),
        Color::rgb(136, 34, 85),
        Color::rgb(153, 221, 204),
        Color::rgb(102, 51, 0),
        Color::rgb(255, 187, 187),
        Color::rgb(17, 85, 51),
        Color::rgb(190, 160, 110),
        Color::rgb(60, 60, 60),
    ];

    /// The colour of a period in all pictures: those of [`Color::CATEGORIES`] in turn; that of the last for all longer ones.
    ///
    /// ```
    /// use saltation_draw::Color;
    /// assert_eq!((Color::of_period(1), Color::of_period(2)), (Color::BLUE, Color::ORANGE));
    /// assert_eq!(Color::of_period(40), Color::of_period(1000));
    /// ```
    pub fn of_period(period: u64) -> Color {
        let index = usize::try_from(period.saturating_sub(1)).unwrap_or(usize::MAX);
        Color::CATEGORIES[index.min(Color::CATEGORIES.len() - 2)]
    }

    /// The colour with these components.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Color {
        Color { red, green, blue }
    }

    /// The colour between this one (share 0) and another (share 1).
    ///
    /// ```
    /// use saltation_draw::Color;
    /// assert_eq!(Color::BLACK.mixed(Color::WHITE, 0.2), Color::rgb(51, 51, 51));
    /// ```
    pub fn mixed(self, other: Color, share: f64) -> Color {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - share) + f64::from(b) * share).round() as u8;
        Color::rgb(mix(self.red, other.red), mix(self.green, other.green), mix(self.blue, other.blue))
    }

    /// The colour in the notation `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
