//! `render`: one figure of every kind in every format, as a file and on standard output.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mdbook-cute")).arg("render").args(args).output().unwrap()
}

fn rendered(args: &[&str]) -> Vec<u8> {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    output.stdout
}

fn text(args: &[&str]) -> String {
    String::from_utf8(rendered(args)).unwrap()
}

/// One small figure of each kind: pixels cost time where nothing is optimised.
const FIGURES: &[&[&str]] = &[
    &["layout", "(4,8):(8,1)"],
    &["tv", "thr=(2,4):(4,1)", "val=(2,1):(1,2)"],
    &["compose", "A=(6,2):(8,2)", "B=(4,3):(3,1)"],
    &["complement", "A=4:2", "cotarget=24"],
    &["divide", "op=zipped", "A=(6,8):(8,1)", "tiler=<3:1,4:1>"],
    &["product", "op=blocked", "A=(2,2):(2,1)", "tiler=(2,3):(1,2)"],
    &["local-tile", "A=(6,8):(8,1)", "tiler=(3,4)", "coord=(1,_)"],
    &["swizzle", "swizzle=S<2,2,2>", "layout=(4,16):(16,1)"],
    &["copy", "atom=SM75_U32x1_LDSM_N", "dtype=f16"],
    &["tma", "gmem=(32,32):(32,1)", "smem=(8,8):(8,1)", "tiler=(8,8)", "dtype=f16"],
    &["cutlass", "type=RowMajorInterleaved<4>", "extent=(5,3)", "ldm=12", "path=yes"],
];

#[test]
fn pictures_stand_alone() {
    for figure in FIGURES {
        for theme in ["light", "dark"] {
            let svg = text(&[*figure, &["-o", "-", "--theme", theme]].concat());
            let document = roxmltree::Document::parse(&svg).unwrap();
            let root = document.root_element();
            assert_eq!(root.tag_name().name(), "svg");
            let (w, h) = (root.attribute("width").unwrap(), root.attribute("height").unwrap());
            assert!(w.parse::<u32>().unwrap() > 0 && h.parse::<u32>().unwrap() > 0);
            for outside in ["var(", "currentColor", "<style", "href", "class="] {
                assert!(!svg.contains(outside), "{figure:?}: {outside}");
            }
            assert!(svg.contains("<text"), "{figure:?}: files have text");
        }
    }
}

/// The README shows what the program draws today. `CUTE_OVERWRITE=1` draws its pictures anew.
#[test]
fn pictures_of_the_readme_are_current() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    for (name, figure) in [
        ("divide", &["divide", "op=zipped", "A=(4,8):(8,1)", "tiler=<2,4>"][..]),
        ("swizzle", &["swizzle", "layout=(8,8):(8,1)", "swizzle=S<3,0,3>", "dtype=f32"]),
        ("tv", &["tv", "thr=(8,4):(4,1)", "val=(1,4):(4,1)", "smem=(8,16):(16,1)", "dtype=f32"]),
    ] {
        for (theme, suffix) in [("light", ""), ("dark", "-dark")] {
            let path = format!("{docs}/{name}{suffix}.svg");
            let drawn = text(&[figure, &["-o", "-", "--theme", theme]].concat());
            if std::env::var_os("CUTE_OVERWRITE").is_some() {
                fs::write(&path, &drawn).unwrap();
            }
            assert!(drawn == fs::read_to_string(&path).unwrap(), "{path} is old");
        }
    }
}

#[test]
fn a_dark_picture_has_dark_colours() {
    let figure = ["layout", "(4,8):(8,1)", "-o", "-"];
    let light = text(&figure);
    let dark = text(&[&figure[..], &["--theme", "dark"]].concat());
    assert!(light.contains("#ffffff") && !dark.contains("#ffffff"));
    assert_eq!(light.len(), dark.len());
}

#[cfg(feature = "png")]
#[test]
fn pixels_need_no_fonts_and_follow_the_scale() {
    let size = |args: &[&str]| {
        let png = rendered(args);
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (word(16), word(20), png.len())
    };
    let figure = ["layout", "(2,4):(4,1)", "-o", "-", "--format", "png", "--scale"];
    let (w, h, _) = size(&[&figure[..], &["1"]].concat());
    let (w3, h3, bytes) = size(&[&figure[..], &["3"]].concat());
    assert!(w3.abs_diff(3 * w) <= 3 && h3.abs_diff(3 * h) <= 3, "{w}x{h} {w3}x{h3}");
    // A picture without its labels would be a few plain areas.
    assert!(bytes > 2500, "{bytes}");
    assert_ne!(run(&[&figure[..], &["0"]].concat()).status.code(), Some(0));
}

#[cfg(feature = "png")]
#[test]
fn every_kind_makes_pixels() {
    for figure in FIGURES {
        let png = rendered(&[*figure, &["-o", "-", "--format", "png", "--scale", "0.5"]].concat());
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let colours: std::collections::BTreeSet<_> = pixels.chunks(4).collect();
        assert!(colours.len() > 20, "{figure:?}: {} colours", colours.len());
        let opaque = pixels.chunks(4).all(|pixel| pixel[3] == 255);
        assert!(opaque, "{figure:?}: the ground shines through");
    }
}

#[test]
fn other_formats_hold_the_numbers() {
    for figure in FIGURES {
        let of = |format: &str| text(&[*figure, &["-o", "-", "--format", format]].concat());
        let json: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
        assert_eq!(json["kind"], figure[0]);
        assert!(json["facts"].as_object().is_some_and(|facts| !facts.is_empty()));
        assert!(of("html").starts_with("<figure class=\"cute"), "{figure:?}");
        let tex = of("tex");
        assert!(tex.starts_with("\\documentclass") && tex.ends_with("\\end{document}\n"));
        let txt = of("txt");
        assert!(txt.contains("python") || txt.contains("CuTe DSL"), "{figure:?}: {txt}");
    }
}

#[test]
fn the_name_of_the_file_says_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["a.svg", "a.txt", "a.tex", "a.json", "a.html"] {
        rendered(&["layout", "(2,2):(2,1)", "-o", &path(name)]);
        assert!(fs::metadata(path(name)).unwrap().len() > 100, "{name}");
    }
    let output = run(&["layout", "(2,2):(2,1)", "-o", &path("a.bmp")]);
    assert_ne!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not say the format"));
    assert!(!folder.path().join("a.bmp").exists());
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    for format in ["svg", "html", "tex", "txt", "json"] {
        let args =
            ["cutlass", "type=TensorNHWC", "extent=(2,2,2,4)", "-o", "-", "--format", format];
        assert_eq!(rendered(&args), rendered(&args), "{format}");
    }
}

/// A picture of 290 GB was asked of the allocator, which ends the process.
#[test]
fn a_picture_too_large_is_refused() {
    for scale in ["1000", "inf"] {
        let output =
            run(&["layout", "(4,8):(8,1)", "--scale", scale, "-o", "-", "--format", "png"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("pixels is too large; 100000000 is the most"), "{errors}");
    }
}

/// The search for what was meant compared every letter with every other; nothing is meant by a name
/// that long.
#[test]
fn a_name_of_any_length_is_refused_without_a_near_one() {
    let long = "a".repeat(100_000);
    for figure in [long.clone(), format!("{long}=1")] {
        let output = run(&["layout", &figure, "-o", "-"]);
        let errors = String::from_utf8_lossy(&output.stderr).replace(&long, "NAME");
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("`NAME`") && !errors.contains("did you mean"), "{errors}");
    }
}
