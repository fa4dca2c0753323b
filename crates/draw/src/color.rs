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

    /// The colour with these components.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Color {
        Color { red, green, blue }
    }

    /// The colour in the notation `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
