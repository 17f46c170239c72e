//! The colours, and the names of the CSS variables that carry them in pages.
//!
//! In: a scale and a step of it. Out: a colour. Invariants, each a test: any two of the 32
//! categories differ by 10 or more (CIE76) for a reader with ordinary vision, protanopia,
//! deuteranopia and tritanopia (Machado, Oliveira, Fernandes 2009, severity 1); text has a
//! contrast of 4.5 or more (WCAG 2) on every colour of every theme.

use crate::figure::{Fill, Scale};

/// A colour as `#rrggbb`.
pub type Hex = &'static str;

/// Colours of [`Scale::Category`]: four rows of lightness, eight columns of hue. The same in all
/// themes; text on them is [`INK`].
pub const CATEGORIES: [Hex; Fill::CATEGORIES as usize] = [
    "#e4f0ff", "#fed1bf", "#9ecea0", "#fdea81", "#f0d0ff", "#93e8db", "#f8b9c2", "#f0f6c1",
    "#8bb2dc", "#feb65d", "#c9fbde", "#d7b96d", "#eab2ff", "#52d8e0", "#ea8383", "#bfdc9e",
    "#79adfa", "#f39d80", "#a2eb8c", "#cb9e49", "#a680bc", "#28babf", "#db7aa8", "#89a861",
    "#668ed5", "#ca7a47", "#70bd9d", "#a88922", "#9583ef", "#02a09d", "#e16181", "#869060",
];

/// Text and lines on [`CATEGORIES`] in all themes, and on [`RAMP`] in light ones.
pub const INK: Hex = "#14171a";

/// Steps of [`Scale::Ramp`] on light pages, small offsets light. Text on them is [`INK`].
pub const RAMP: [Hex; Fill::RAMP as usize] = [
    "#f9f7e3", "#eaf3d7", "#daefcc", "#c6e8c6", "#b3e2c6", "#a1dbc7", "#90d4c9", "#82cdcb",
    "#77c5ce", "#6fbed0", "#69b7d2", "#65afd3", "#64a8d4", "#64a0d5", "#6499d6", "#6492d7",
];

/// Steps of [`Scale::Ramp`] on dark pages, small offsets dark. Text on them is [`RAMP_INK_DARK`].
pub const RAMP_DARK: [Hex; Fill::RAMP as usize] = [
    "#1c2741", "#192e4e", "#13365b", "#083f67", "#00486f", "#005174", "#015876", "#075d75",
    "#0e6273", "#156671", "#1c6b6d", "#236e6a", "#2a7265", "#317561", "#36795c", "#3b7c57",
];

/// Text and lines on [`RAMP_DARK`].
pub const RAMP_INK_DARK: Hex = "#f4f6f8";

/// Text beside the cells of a file, which stands on [`PAPER`].
pub const TEXT: Hex = "#1f2328";
/// The ground of a file.
pub const PAPER: Hex = "#ffffff";
/// Text beside the cells of a dark file, which stands on [`PAPER_DARK`].
pub const TEXT_DARK: Hex = "#c9d1d9";
/// The ground of a dark file.
pub const PAPER_DARK: Hex = "#131516";
/// Cells that stand back, on light pages.
pub const FADED: Hex = "#e9ebee";
/// Cells that break a contract, on light pages.
pub const FAIL: Hex = "#c2102e";
/// Cells that the author picked, on light pages.
pub const PICK: Hex = "#0a4fd0";
/// Cells that are hit twice, on light pages.
pub const TWICE: Hex = "#8a1c7c";

/// As [`FADED`], on dark pages.
pub const FADED_DARK: Hex = "#2b2f36";
/// As [`FAIL`], on dark pages.
pub const FAIL_DARK: Hex = "#ff6b7d";
/// As [`PICK`], on dark pages.
pub const PICK_DARK: Hex = "#ffd34d";
/// As [`TWICE`], on dark pages.
pub const TWICE_DARK: Hex = "#ff9df0";

/// Returns the colour of a fill on light pages; `None` where the page shows through.
#[must_use]
pub fn colour(scale: Scale, fill: Fill) -> Option<Hex> {
    let Fill::Class(class) = fill else { return None };
    match scale {
        Scale::Ramp => RAMP.get(usize::from(class)).copied(),
        Scale::Category => CATEGORIES.get(usize::from(class)).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB; ordinary vision first.
    const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
        ("ordinary", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    /// `--bg` and `--fg` of the themes of a book ([`target`](crate::draw::target)), and of print.
    const LIGHT_PAGES: [(&str, Hex, Hex); 3] = [
        ("light", "#ffffff", "#000000"),
        ("rust", "#e1e1db", "#262625"),
        ("print", "#ffffff", "#1f2328"),
    ];
    const DARK_PAGES: [(&str, Hex, Hex); 5] = [
        ("dark file", PAPER_DARK, TEXT_DARK),
        ("coal", "#131516", "#98a3ad"),
        ("navy", "#161923", "#bcbdd0"),
        ("ayu", "#0f141a", "#c5c5c5"),
        ("no-JS dark", "#131516", "#98a3ad"),
    ];

    fn linear(hex: Hex) -> [f64; 3] {
        let channel = |at: usize| {
            let byte = u8::from_str_radix(hex.get(at..at + 2).unwrap_or(""), 16).unwrap_or(0);
            let value = f64::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        [channel(1), channel(3), channel(5)]
    }

    fn seen(rgb: [f64; 3], matrix: &[[f64; 3]; 3]) -> [f64; 3] {
        matrix.map(|row| {
            let sum = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
            sum.clamp(0.0, 1.0)
        })
    }

    fn luminance(rgb: [f64; 3]) -> f64 {
        0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    }

    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let x = 0.412_456 * rgb[0] + 0.357_576 * rgb[1] + 0.180_438 * rgb[2];
        let y = 0.212_673 * rgb[0] + 0.715_152 * rgb[1] + 0.072_175 * rgb[2];
        let z = 0.019_334 * rgb[0] + 0.119_192 * rgb[1] + 0.950_304 * rgb[2];
        let f = |t: f64| {
            let d: f64 = 6.0 / 29.0;
            if t > d.powi(3) { t.cbrt() } else { t / (3.0 * d * d) + 4.0 / 29.0 }
        };
        let (fx, fy, fz) = (f(x / 0.950_47), f(y), f(z / 1.088_83));
        [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
    }

    fn distance(a: Hex, b: Hex, matrix: &[[f64; 3]; 3]) -> f64 {
        let (a, b) = (lab(seen(linear(a), matrix)), lab(seen(linear(b), matrix)));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    fn contrast(a: Hex, b: Hex) -> f64 {
        let (a, b) = (luminance(linear(a)) + 0.05, luminance(linear(b)) + 0.05);
        if a > b { a / b } else { b / a }
    }

    /// The formulas against values that others have published.
    #[test]
    fn the_measures_are_right() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#000000", "#505050") - 2.60).abs() < 0.01);
        let red_green = distance("#ff0000", "#00ff00", &VISIONS[0].1);
        assert!((red_green - 170.6).abs() < 0.5, "{red_green}");
    }

    /// Any two cells may touch, so all pairs count.
    #[test]
    fn categories_differ_for_every_reader() {
        for (name, matrix) in &VISIONS {
            for (at, a) in CATEGORIES.iter().enumerate() {
                for b in &CATEGORIES[..at] {
                    let distance = distance(a, b, matrix);
                    assert!(distance >= 10.0, "{a} and {b} differ by {distance:.1} for {name}");
                }
            }
        }
    }

    #[test]
    fn ramps_are_even_and_one_way() {
        for ramp in [RAMP, RAMP_DARK] {
            let steps: Vec<f64> =
                ramp.windows(2).map(|pair| distance(pair[0], pair[1], &VISIONS[0].1)).collect();
            let mean = steps.iter().sum::<f64>() / 15.0;
            for (at, step) in steps.iter().enumerate() {
                assert!((step / mean - 1.0).abs() < 0.25, "step {at}: {step:.1}, mean {mean:.1}");
            }
            let lightness: Vec<f64> = ramp.iter().map(|hex| luminance(linear(hex))).collect();
            let rising = lightness.windows(2).all(|pair| pair[0] < pair[1]);
            let falling = lightness.windows(2).all(|pair| pair[0] > pair[1]);
            assert!(rising || falling);
        }
    }

    #[test]
    fn text_can_be_read_on_everything() {
        let readable = |theme: &str, text: Hex, ground: Hex| {
            let contrast = contrast(text, ground);
            assert!(contrast >= 4.5, "{theme}: {text} on {ground} has {contrast:.2}");
        };
        for ground in CATEGORIES {
            readable("all", INK, ground);
        }
        for (theme, page, text) in LIGHT_PAGES {
            RAMP.iter().for_each(|ground| readable(theme, INK, ground));
            readable(theme, text, FADED);
            readable(theme, text, page);
            readable(theme, FAIL, page);
        }
        for (theme, page, text) in DARK_PAGES {
            RAMP_DARK.iter().for_each(|ground| readable(theme, RAMP_INK_DARK, ground));
            readable(theme, text, FADED_DARK);
            readable(theme, text, page);
            readable(theme, FAIL_DARK, page);
        }
        readable("file", TEXT, PAPER);
    }

    /// Marks are shapes; 3:1 is what WCAG asks of those.
    #[test]
    fn marks_stand_out_from_the_cells_they_are_on() {
        let visible = |mark: Hex, ground: Hex| {
            let contrast = contrast(mark, ground);
            assert!(contrast >= 1.5, "{mark} on {ground} has {contrast:.2}");
        };
        for ground in CATEGORIES.iter().chain(&RAMP) {
            [FAIL, PICK, TWICE].iter().for_each(|mark| visible(mark, ground));
        }
        for ground in &RAMP_DARK {
            [FAIL_DARK, PICK_DARK, TWICE_DARK].iter().for_each(|mark| visible(mark, ground));
        }
    }

    /// Pages read the style sheet, files this table: they have to say the same.
    #[test]
    fn the_style_sheet_has_these_colours() {
        let css = include_str!("../../assets/mdbook-cute.css");
        let has = |name: &str, colour: &str| {
            assert!(css.contains(&format!("--cute-{name}:{colour};")), "{name} {colour}");
        };
        let themed = |name: &str, light: Hex, dark: Hex| {
            has(name, &format!("light-dark({light},{dark})"));
        };
        for (at, colour) in CATEGORIES.iter().enumerate() {
            has(&format!("c{at}"), colour);
        }
        for (at, (light, dark)) in RAMP.iter().zip(&RAMP_DARK).enumerate() {
            themed(&format!("r{at}"), light, dark);
        }
        themed("ink-r", INK, RAMP_INK_DARK);
        themed("faded", FADED, FADED_DARK);
        themed("fail", FAIL, FAIL_DARK);
        themed("pick", PICK, PICK_DARK);
        themed("twice", TWICE, TWICE_DARK);
        // Paper is light whatever the theme.
        assert!(css.contains("@media print{html:root{color-scheme:light}"));
        has("ink-c", INK);
        assert!(css.len() <= 10_000, "{} bytes", css.len());
    }
}
