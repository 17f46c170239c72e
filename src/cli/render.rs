//! `render`: one figure as a file.
//!
//! In: a kind with keys, or a block of a Markdown file. Out: SVG, PNG, HTML, TikZ, text or JSON.
//! Invariant: nothing here starts a thread, reads a configuration or looks at the clock, so a
//! figure costs little more than the process.

use super::spec::from_words;
use super::{Outcome, say, say_at};
use crate::book::limits::bounded;
use crate::book::order::{Fault, Order, read_block};
use crate::book::place::{BlockPlaces, Page};
use crate::book::report::report;
use crate::book::scan::{Block, scan_chapter};
use crate::draw::html::{Anchor, CaptionPart, Setting, html};
#[cfg(feature = "png")]
use crate::draw::palette;
use crate::draw::target::{self, Labels};
use crate::draw::{json, svg, text, tikz};
use crate::expr::Scope;
use crate::expr::report::caret;
use crate::figure::{Built, Part, Problem, Spec, build};
use crate::hardware::functions::functions;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Draw one figure to a file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  mdbook-cute render layout '(4,8):(8,1)' -o layout.svg
  mdbook-cute render divide op=zipped 'A=(12,32):(32,1)' 'tiler=<3:1, 8:1>' -o tiles.png --scale 2
  mdbook-cute render --block book/src/layouts.md#row-major-4x8 -o - --format json")]
pub(super) struct Args {
    /// The kind of figure, e.g. `layout`
    #[arg(required_unless_present = "block")]
    kind: Option<String>,
    /// Keys as in a block: `key=value`, a flag, or the main input alone
    #[arg(value_name = "KEY=VALUE")]
    words: Vec<String>,
    /// Draw a block of a Markdown file
    #[arg(long, value_name = "FILE.md#ID", conflicts_with_all = ["kind", "words"])]
    block: Option<String>,
    /// The file to write, `-` for standard output
    #[arg(long, short)]
    output: PathBuf,
    /// Output format [default: from the file extension]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Colors of an SVG or PNG
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Pixels per unit of a PNG
    #[arg(long, default_value_t = 2.0)]
    scale: f32,
}

/// What `render` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// SVG image
    Svg,
    /// Bitmap image
    Png,
    /// HTML `<figure>` fragment
    Html,
    /// TikZ for LaTeX
    Tex,
    /// Plain text
    Txt,
    /// What the figure computed
    Json,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Theme {
    /// For white paper
    Light,
    /// For a dark page
    Dark,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let format = format_of(args)?;
    let functions = functions();
    let scope = Scope::new(&functions);
    let drawn = match (&args.block, &args.kind) {
        (Some(block), _) => draw_block(block, &scope)?,
        (None, Some(kind)) => draw_words(kind, &args.words, &scope),
        (None, None) => bail!("neither a kind nor a block is given"),
    };
    let Some((spec, built)) = drawn else { return Ok(Outcome::Wrong) };
    let bytes = encode(args, format, &spec, &built)?;
    if args.output == Path::new("-") {
        io::stdout().lock().write_all(&bytes)?;
    } else {
        fs::write(&args.output, bytes)
            .with_context(|| format!("cannot write `{}`", args.output.display()))?;
    }
    Ok(Outcome::Done)
}

fn format_of(args: &Args) -> Result<Format> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    if args.output == Path::new("-") {
        return Ok(Format::Svg);
    }
    let extension = args.output.extension().and_then(|extension| extension.to_str());
    match extension.and_then(|extension| Format::from_str(extension, true).ok()) {
        Some(format) => Ok(format),
        None => bail!(
            "`{}` does not say the format: end it in .svg, .png, .html, .tex, .txt or .json, or give --format",
            args.output.display()
        ),
    }
}

/// Builds a figure from words; tells what is wrong.
fn draw_words(kind: &str, words: &[String], scope: &Scope<'_>) -> Option<(Spec, Built)> {
    let spec = match from_words(kind, words) {
        Ok(spec) => spec,
        Err(diagnostic) => {
            say_at("", &diagnostic);
            return None;
        }
    };
    match build(&spec, scope) {
        Ok(built) => {
            built.warnings.iter().for_each(|warning| tell(&spec, warning));
            Some((spec, built))
        }
        Err(problems) => {
            problems.iter().for_each(|problem| tell(&spec, problem));
            None
        }
    }
}

fn tell(spec: &Spec, problem: &Problem) {
    match (problem.part, problem.part.entry().and_then(|at| spec.entries.get(at))) {
        (Part::Value(_), Some(entry)) => {
            say(&caret(&problem.diagnostic, &entry.key, &entry.value));
        }
        _ => say_at("", &problem.diagnostic),
    }
}

/// Builds the figure of `FILE.md#ID`; tells what is wrong.
fn draw_block(reference: &str, scope: &Scope<'_>) -> Result<Option<(Spec, Built)>> {
    let Some((file, id)) = reference.rsplit_once('#') else {
        bail!("`{reference}` names no block: write FILE.md#ID");
    };
    let content = fs::read_to_string(file).with_context(|| format!("cannot read `{file}`"))?;
    let scan = scan_chapter(&content, &Default::default());
    let page = Page::new(file, file, content.as_str(), file).with_blocks(&scan.blocks);
    let mut ids = Vec::new();
    for (index, block) in scan.blocks.iter().enumerate() {
        let Some(order) = read_block(block, &[]) else { continue };
        let Some(own) = order.spec.get("id").map(str::trim) else { continue };
        if own == id {
            return Ok(build_block(page.block(block, index + 1), block, order, scope));
        }
        ids.push(format!("`{own}`"));
    }
    bail!("`{file}` has no block with the id `{id}`; its ids are {}", ids.join(", "))
}

fn build_block(
    places: BlockPlaces<'_>,
    block: &Block,
    order: Order,
    scope: &Scope<'_>,
) -> Option<(Spec, Built)> {
    let tell =
        |fault: &Fault| say(&report(&places.find(fault.pos), fault.length, &fault.diagnostic));
    let order = bounded(order, block.info.len() + block.body.len());
    if !order.faults.is_empty() {
        order.faults.iter().for_each(tell);
        return None;
    }
    match build(&order.spec, scope) {
        Ok(built) => {
            built.warnings.iter().for_each(|warning| tell(&order.fault(warning.clone())));
            Some((order.spec, built))
        }
        Err(problems) => {
            problems.into_iter().for_each(|problem| tell(&order.fault(problem)));
            None
        }
    }
}

fn encode(args: &Args, format: Format, spec: &Spec, built: &Built) -> Result<Vec<u8>> {
    let figure = &built.figure;
    let id = spec.get("id").map(str::trim);
    Ok(match format {
        Format::Svg => svg::file(figure, args.theme.into(), Labels::of_spec(spec)).into_bytes(),
        Format::Png => {
            let image = svg::image(figure, args.theme.into(), Labels::of_spec(spec));
            png(&image, args.scale, args.theme)?
        }
        Format::Html => {
            let caption: Vec<_> = spec.get("caption").map(CaptionPart::Text).into_iter().collect();
            let anchor = Anchor::Here { id: id.unwrap_or("figure"), former: &[] };
            let setting = Setting { anchor, caption: &caption, ..Setting::of_spec(spec) };
            html(figure, &setting).into_bytes()
        }
        Format::Json => {
            let mut text = serde_json::to_vec_pretty(&json::json(figure, id))?;
            text.push(b'\n');
            text
        }
        Format::Tex => tikz::tikz(figure).into_bytes(),
        Format::Txt => text::text(figure).into_bytes(),
    })
}

impl From<Theme> for target::Theme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self::Light,
            Theme::Dark => Self::Dark,
        }
    }
}

/// Pixels of the largest picture: 400 MB while it is drawn.
#[cfg(feature = "png")]
const PIXELS: u64 = 100_000_000;

#[cfg(feature = "png")]
fn png(svg: &str, scale: f32, theme: Theme) -> Result<Vec<u8>> {
    use resvg::tiny_skia::{Color, Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    let tree = Tree::from_str(svg, &Options::default()).context("cannot read our own picture")?;
    let size = tree.size().to_int_size();
    let size = match size.scale_by(scale) {
        Some(size) if scale > 0.0 => size,
        _ => bail!("a picture of {}x{} cannot be scaled by {scale}", size.width(), size.height()),
    };
    let pixels = u64::from(size.width()) * u64::from(size.height());
    let pixmap = (pixels <= PIXELS).then(|| Pixmap::new(size.width(), size.height())).flatten();
    let Some(mut pixmap) = pixmap else {
        bail!(
            "a picture of {}x{} pixels is too large; {PIXELS} is the most: give a smaller --scale",
            size.width(),
            size.height()
        );
    };
    // A size in whole pixels may leave a part of a pixel at the edge that the picture misses.
    let paper = match theme {
        Theme::Light => palette::PAPER,
        Theme::Dark => palette::PAPER_DARK,
    };
    let [_, red, green, blue] =
        u32::from_str_radix(paper.trim_start_matches('#'), 16)?.to_be_bytes();
    pixmap.fill(Color::from_rgba8(red, green, blue, u8::MAX));
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    compressed(pixmap).context("cannot write the picture as PNG")
}

/// Writes pixels as a PNG file. The least effort: more of it took longer than drawing the picture
/// and made a file of plain areas only by a third smaller.
#[cfg(feature = "png")]
fn compressed(pixmap: resvg::tiny_skia::Pixmap) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, pixmap.width(), pixmap.height());
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_deflate_compression(::png::DeflateCompression::Level(1));
    encoder.set_filter(::png::Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixmap.take_demultiplied())?;
    writer.finish()?;
    Ok(out)
}

#[cfg(not(feature = "png"))]
fn png(_: &str, _: f32, _: Theme) -> Result<Vec<u8>> {
    bail!("this program was built without the feature `png`; write .svg")
}
