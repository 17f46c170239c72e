//! Builds the books of `tests/books` with mdBook in this process and compares what stands between
//! `<main>` and `</main>`. The pictures themselves are tested elsewhere; here a figure shrinks to its
//! id and caption. `CUTE_OVERWRITE=1 cargo test --test book` writes what was found as expected.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use common::renderer::Named;
use common::snapshots::overwrite;
use mdbook_cute::book::Cute;
use mdbook_driver::MDBook;
use mdbook_driver::book::{Book, BookItem};
use mdbook_driver::builtin_renderers::MarkdownRenderer;
use mdbook_renderer::Renderer;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What a build gave.
struct Build {
    dir: tempfile::TempDir,
    /// Our messages.
    said: String,
    /// mdBook's log.
    log: String,
    failure: Option<String>,
}

impl Build {
    fn read(&self, page: &str) -> String {
        fs::read_to_string(self.dir.path().join("book").join(page)).unwrap()
    }

    /// The pages by name, each from `<main>` to `</main>`.
    fn pages(&self) -> BTreeMap<String, String> {
        let root = self.dir.path().join("book");
        files(&root)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
            .map(|path| {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                (name, main_of(&fs::read_to_string(&path).unwrap()))
            })
            .filter(|(name, _)| !matches!(name.as_str(), "404.html" | "index.html" | "toc.html"))
            .collect()
    }
}

fn main_of(html: &str) -> String {
    let html = html.split("<main>").nth(1).unwrap_or_default();
    html.split("</main>").next().unwrap_or_default().trim().to_owned() + "\n"
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}

fn book_dir(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/books").join(name)
}

/// Copies a book, so that a build leaves the project alone.
fn copy_book(name: &str, change: &dyn Fn(&str) -> String) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let from = book_dir(name);
    for file in files(&from) {
        let to = dir.path().join(file.strip_prefix(&from).unwrap());
        if to.components().any(|part| part.as_os_str() == "expected") {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let is_toml = file.extension().is_some_and(|extension| extension == "toml");
        fs::write(&to, if is_toml { text } else { change(&text) }).unwrap();
    }
    dir
}

/// Collects a log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn load(dir: &Path, said: &Log) -> MDBook {
    let mut book = MDBook::load(dir).unwrap();
    let sink = said.clone();
    let cute = Cute::new(move |text| {
        writeln!(sink.clone(), "{}", text.trim_end()).unwrap();
    });
    book.with_preprocessor(cute.relative_to(dir));
    book
}

fn build_dir(dir: tempfile::TempDir) -> Build {
    let (said, log) = (Log::default(), Log::default());
    let sink = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer(move || sink.clone())
        .finish();
    let result = tracing::subscriber::with_default(subscriber, || load(dir.path(), &said).build());
    let text = |log: &Log| String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    Build {
        dir,
        said: text(&said),
        log: text(&log),
        failure: result.err().map(|error| format!("{error:#}")),
    }
}

fn build(name: &str) -> Build {
    build_dir(copy_book(name, &str::to_owned))
}

/// Shrinks each figure to its id and caption; error boxes stay whole.
fn shrink(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("<figure class=\"cute\"") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find("</figure>").expect("a figure ends") + at;
        let figure = &rest[at..end];
        assert!(
            figure.contains("<svg") || figure.contains("error"),
            "a figure without a picture: {figure}"
        );
        let id = figure.split(" id=\"").nth(1).unwrap().split('"').next().unwrap();
        out.push_str(&format!("<figure id=\"{id}\">{}", caption_of(figure)));
        rest = &rest[end..];
    }
    out + rest
}

fn caption_of(figure: &str) -> String {
    match (figure.find("<figcaption"), figure.find("</figcaption>")) {
        (Some(from), Some(to)) => format!("{}</figcaption>", &figure[from..to]),
        _ => String::new(),
    }
}

/// Compares a build with the book's `expected` folder.
fn compare(name: &str, build: &Build) {
    let expected = book_dir(name).join("expected");
    let overwrite = overwrite();
    let mut found: BTreeMap<String, String> =
        build.pages().into_iter().map(|(page, html)| (page, shrink(&html))).collect();
    found.remove("print.html");
    found.insert("messages.txt".to_owned(), build.said.clone());
    if overwrite {
        let _ = fs::remove_dir_all(&expected);
        for (file, text) in &found {
            let path = expected.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    for (file, text) in &found {
        let wanted = fs::read_to_string(expected.join(file)).unwrap_or_default();
        assert!(
            *text == wanted,
            "{name}/{file} differs; expected:\n{wanted}\nfound:\n{text}\n\
             to accept: CUTE_OVERWRITE=1 cargo test --test book"
        );
    }
    assert_eq!(build.log, "", "mdBook warns");
}

const BOOKS: [&str; 9] = [
    "captions",
    "containers",
    "errors",
    "expectations",
    "ids",
    "includes",
    "neighbours",
    "summary",
    "untouched",
];

#[test]
fn books_are_as_expected() {
    for name in BOOKS {
        let build = build(name);
        assert_eq!(build.failure, None, "{name}: {}", build.said);
        compare(name, &build);
        assert_eq!(build.said.is_empty(), name != "errors", "{name}: {}", build.said);
    }
}

#[test]
fn line_ends_make_no_difference() {
    let mixed = |text: &str| {
        let lines = text.split('\n').enumerate();
        lines
            .map(|(i, line)| if i % 2 == 0 { format!("{line}\r\n") } else { format!("{line}\n") })
            .collect()
    };
    for name in BOOKS {
        let lf = build(name);
        let crlf = build_dir(copy_book(name, &|text| text.replace('\n', "\r\n")));
        assert_eq!(lf.pages(), crlf.pages(), "{name}");
        assert_eq!(lf.said, crlf.said, "{name}");
        // A line end more at the end of the file is the only other change here.
        let mixed = build_dir(copy_book(name, &mixed));
        assert_eq!(lf.pages(), mixed.pages(), "{name}");
    }
}

#[test]
fn figures_stay_in_their_containers() {
    let page = shrink(&build("containers").pages()["a.html"]);
    assert!(!page.contains("<pre") && !page.contains("```") && !page.contains("&gt;"), "{page}");
    let flat: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in [
        "<p>quoted</p> <!--cute--><figure id=\"c1\">",
        "<em>after</em></p> </blockquote>",
        "<li>tight neighbour</li>",
    ] {
        assert!(flat.contains(piece), "{piece}\n{flat}");
    }
}

#[test]
fn includes_behind_us_draw_a_warning() {
    let dir = copy_book("includes", &str::to_owned);
    let toml = fs::read_to_string(dir.path().join("book.toml")).unwrap();
    fs::write(dir.path().join("book.toml"), toml.replace("after = [\"links\", \"index\"]", ""))
        .unwrap();
    let build = build_dir(dir);
    assert_eq!(build.failure, None);
    assert_eq!(build.said.matches("warning[order]: ").count(), 1, "{}", build.said);
    assert!(
        build.said.starts_with("src/a.md: ")
            && build.said.contains("after = [\"links\", \"index\"]")
    );
    // The caption stays literal although the directives come behind us.
    let page = build.read("a.html");
    assert!(
        page.contains("see &#123;&#123;#title X")
            || page.contains("see {{#title X}} and {{#include y}}")
    );
    assert!(page.contains("<title>A - includes</title>"), "the caption renamed the page");
}

fn preprocess(dir: &Path, renderer: &dyn Renderer) -> Book {
    load(dir, &Log::default()).preprocess_book(renderer).unwrap().0
}

fn content(book: &Book, at: usize) -> String {
    match &book.items[at] {
        BookItem::Chapter(chapter) => chapter.content.clone(),
        _ => panic!("no chapter"),
    }
}

#[test]
fn all_other_bytes_stay() {
    let dir = copy_book("untouched", &str::to_owned);
    let source = fs::read_to_string(dir.path().join("src/a.md")).unwrap();
    let block = "```cute layout id=\"c6\"\n(4,8):(8,1)\n```";
    let (before, after) = source.split_once(block).unwrap();
    for renderer in ["html", "markdown", "typst"] {
        let found = content(&preprocess(dir.path(), &Named(renderer)), 0);
        assert!(found.starts_with(before), "{renderer}");
        assert!(found.ends_with(after), "{renderer}");
        assert!(!found.contains(block), "{renderer}");
    }
    let toml = fs::read_to_string(dir.path().join("book.toml")).unwrap();
    fs::write(dir.path().join("book.toml"), toml + "mode.markdown = \"keep\"\n").unwrap();
    assert_eq!(content(&preprocess(dir.path(), &MarkdownRenderer::new()), 0), source);
}

#[test]
fn a_book_without_blocks_comes_back_as_it_was() {
    let dir = copy_book("summary", &|text| text.replace("```cute", "```cube"));
    let book = MDBook::load(dir.path()).unwrap();
    let plain = {
        let toml = fs::read_to_string(dir.path().join("book.toml")).unwrap();
        let without = toml.split("[preprocessor").next().unwrap().to_owned();
        fs::write(dir.path().join("book.toml"), without).unwrap();
        MDBook::load(dir.path()).unwrap().preprocess_book(&Named("html")).unwrap().0
    };
    drop(book);
    assert_eq!(preprocess(dir.path(), &Named("html")), plain);
}

#[test]
fn other_renderers_get_no_loose_text() {
    let dir = copy_book("renderers", &str::to_owned);
    let html = content(&preprocess(dir.path(), &Named("html")), 0);
    assert!(html.contains("<svg"));
    let unknown = content(&preprocess(dir.path(), &Named("unheard-of")), 0);
    assert!(!unknown.contains("<svg") && !unknown.contains("```cute"));
    let images = unknown.matches("![layout (4,8):(8,1) grid of 4 by 8](data:image/svg+xml;base64,");
    assert_eq!(images.count(), 1, "{unknown}");
    assert!(unknown.contains(")\n\n*Row major*\n\nafter"), "{unknown}");
    assert!(unknown.contains("> quoted\n> \n> ![layout"), "{unknown}");
    assert!(unknown.contains(")\n>\n> *In a quote \\| and \\*more\\**\n>\n> after"), "{unknown}");
    let texts = content(&preprocess(dir.path(), &Named("texts")), 0);
    assert!(texts.contains("```\n\nRow major\n\n| fact | value |\n|---|---|\n"), "{texts}");
    assert!(texts.contains("\n> | fact | value |\n"), "{texts}");
    let keeps = content(&preprocess(dir.path(), &Named("keeps")), 0);
    assert_eq!(keeps, fs::read_to_string(dir.path().join("src/a.md")).unwrap());
    // `mdbook test` runs what it ran before.
    let tests = content(&preprocess(dir.path(), &Named("test")), 0);
    assert_eq!(tests, keeps);
}

/// One figure of every kind, as blocks of a page.
const EVERY_KIND: &str = "
```cute layout caption=\"k0\"
(4,8):(8,1)
```
```cute tv caption=\"k1\" thr=(2,4):(4,1) val=(2,1):(1,2)
```
```cute compose caption=\"k2\" A=(6,2):(8,2) B=(4,3):(3,1)
```
```cute complement caption=\"k3\" A=4:2 cotarget=24
```
```cute divide caption=\"k4\" op=zipped A=(6,8):(8,1) tiler=<3:1,4:1>
```
```cute product caption=\"k5\" op=blocked A=(2,2):(2,1) tiler=(2,3):(1,2)
```
```cute local-tile caption=\"k6\" A=(6,8):(8,1) tiler=(3,4) coord=(1,_)
```
```cute swizzle caption=\"k7\" swizzle=S<2,2,2> layout=(4,16):(16,1)
```
```cute copy caption=\"k8\" atom=SM75_U32x1_LDSM_N dtype=f16
```
```cute tma caption=\"k9\" gmem=(32,32):(32,1) smem=(8,8):(8,1) tiler=(8,8) dtype=f16
```
```cute cutlass caption=\"k10\" type=RowMajorInterleaved<4> extent=(5,3) ldm=12
```
";

/// Returns the bytes of base64 text.
fn base64(text: &str) -> Vec<u8> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> = text
        .trim_end_matches('=')
        .chars()
        .map(|c| u32::try_from(alphabet.find(c).unwrap()).unwrap())
        .collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let word = (0..4).fold(0, |word, at| word << 6 | group.get(at).copied().unwrap_or(0));
        bytes.extend(&word.to_be_bytes()[1..group.len()]);
    }
    bytes
}

#[test]
fn every_kind_survives_other_renderers() {
    let dir = copy_book("renderers", &|text| {
        text.replacen("# Renderers\n", &format!("# Renderers\n{EVERY_KIND}"), 1)
    });
    let seen = |renderer: &dyn Renderer| content(&preprocess(dir.path(), renderer), 0);
    // Real books of mdBook's own Markdown renderer, and one that nobody has heard of.
    for content in [seen(&MarkdownRenderer::new()), seen(&Named("unheard-of"))] {
        for raw in ["<svg", "<figure", "<text", "class=", "var("] {
            assert!(!content.contains(raw), "{raw}");
        }
        for kind in 0..11 {
            let before = content.split(&format!("*k{kind}*")).next().unwrap();
            let image = before.rsplit("](data:image/svg+xml;base64,").next().unwrap();
            let picture = base64(image.split(')').next().unwrap());
            let picture = String::from_utf8(picture).unwrap();
            let document = roxmltree::Document::parse(&picture).unwrap();
            let names: BTreeSet<_> =
                document.descendants().map(|node| node.tag_name().name()).collect();
            assert!(names.contains("path"), "k{kind}");
            for outside in ["var(", "currentColor", "<style", "class=", "href="] {
                assert!(!picture.contains(outside), "k{kind}: {outside}");
            }
            // Its labels are strokes: no reader of text finds numbers without a place.
            assert!(!names.contains("text"), "k{kind}");
        }
    }
    let texts = seen(&Named("texts"));
    assert_eq!(texts.matches("| fact | value |").count(), 11 + 3);
    assert!(!texts.contains("<svg") && !texts.contains("data:image"));
    assert_eq!(texts.matches("```cute").count(), 11 + 3, "the blocks stay");
    let html = seen(&Named("html"));
    assert_eq!(html.matches("<figure class=\"cute").count(), 11 + 3);
    // Tables may be longer than a screen: the words of a figure stand between them and the picture.
    for figure in html.split("<figure class=\"cute").skip(1) {
        let at = |piece: &str| figure.find(piece).unwrap();
        assert!(
            at("</svg>") < at("<figcaption")
                && at("<figcaption") < at("<details class=\"cute-facts")
        );
    }
}

/// Caption and facts were part of a code block that no fence closes.
#[test]
fn facts_come_after_a_block_that_is_never_closed() {
    for (open, expected) in [
        (
            "> a\n>\n> ~~~~cute layout caption=C\n> 4\n",
            "> ~~~~cute layout caption=C\n> 4\n> ~~~~\n>\n> C\n",
        ),
        ("```cute layout caption=C\n4", "```cute layout caption=C\n4\n```\n\nC\n\n| fact"),
    ] {
        let dir = copy_book("renderers", &|text| {
            if text.starts_with("# R") { open.to_owned() } else { text.to_owned() }
        });
        let content = content(&preprocess(dir.path(), &Named("texts")), 0);
        assert!(content.contains(expected), "{content}");
    }
}

/// mdBook leaves out a footnote that nothing refers to, and a second one of a name, with the figures in
/// them; links to these were dead.
#[test]
fn a_figure_in_a_footnote_that_is_left_out_is_an_error() {
    let block = |id: &str| format!("\n\n    ```cute id={id}\n    4\n    ```\n\n");
    let text = format!(
        "[a](cute:a) [b](cute:b) [^a]\n\n[^a]: x{}[^b]: y{}[^a]: z{}",
        block("a"),
        block("b"),
        block("c")
    );
    let dir = copy_book("neighbours", &|old| {
        if old.starts_with("# Summary") { old.to_owned() } else { text.clone() }
    });
    let preprocessed = preprocess(dir.path(), &MarkdownRenderer::new());
    assert!(content(&preprocessed, 0).contains("image"), "other renderers leave nothing out");
    let build = build_dir(dir);
    assert_eq!(build.said.matches("error[footnote]").count(), 2, "{}", build.said);
    for expected in [
        "src/a.md:11:8: error[footnote]: the figure is part of a footnote that mdBook leaves out: `[^b]` has no reference",
        "`[^a]` is defined a second time",
        "= help: write `[^b]` in the text, or move the block out of the footnote",
    ] {
        assert!(build.said.contains(expected), "{}", build.said);
    }
}

/// The ids of all tags; text may well say `id="x"`.
fn ids_of(html: &str) -> Vec<String> {
    let tags = html.split('<').skip(1).filter_map(|piece| piece.split('>').next());
    let id = |tag: &str| Some(tag.split(" id=\"").nth(1)?.split('"').next()?.to_owned());
    tags.filter_map(id).collect()
}

#[test]
fn ids_are_unique_on_every_page() {
    let mut all = 0;
    for name in BOOKS {
        let build = build(name);
        for (page, html) in build.pages() {
            let ids = ids_of(&html);
            all += ids.len();
            let unique: BTreeSet<_> = ids.iter().collect();
            assert_eq!(ids.len(), unique.len(), "{name}/{page}: {ids:?}");
            for reference in ["url(#", "aria-labelledby", "aria-describedby", "<use"] {
                assert!(!html.contains(reference), "{name}/{page}: {reference}");
            }
        }
    }
    assert!(all >= 50, "{all}");
    let print = build("ids").pages()["print.html"].clone();
    assert!(ids_of(&print).contains(&"c8".to_owned()));
}

#[test]
fn automatic_ids_depend_on_the_inputs_alone() {
    let before = ids_of(&build("ids").pages()["b.html"]);
    let changed = build_dir(copy_book("ids", &|text| {
        text.replace("# A\n", "# A\n\n```cute\n(3,3)\n```\n")
            .replace("tile : (1,4)", "tile : (1,5)")
    }));
    assert_eq!(ids_of(&changed.pages()["b.html"]), before);
}

#[test]
fn building_leaves_the_tree_alone() {
    let dir = copy_book("neighbours", &str::to_owned);
    let look = |root: &Path| -> Vec<_> {
        files(root)
            .into_iter()
            .filter(|path| !path.starts_with(root.join("book")))
            .map(|path| {
                let modified = fs::metadata(&path).unwrap().modified().unwrap();
                let bytes = fs::read(&path).unwrap();
                (path, modified, bytes)
            })
            .collect()
    };
    let before = look(dir.path());
    load(dir.path(), &Log::default()).build().unwrap();
    let first = fs::read(dir.path().join("book/a.html")).unwrap();
    load(dir.path(), &Log::default()).build().unwrap();
    assert_eq!(look(dir.path()), before);
    assert_eq!(fs::read(dir.path().join("book/a.html")).unwrap(), first);
}

#[test]
fn a_wrong_book_fails_after_every_error_was_said() {
    let dir = copy_book("errors", &str::to_owned);
    let toml = fs::read_to_string(dir.path().join("book.toml")).unwrap();
    fs::write(dir.path().join("book.toml"), toml.replace("continue", "bail")).unwrap();
    let bailed = build_dir(dir);
    assert!(bailed.failure.unwrap().contains("figures failed"));
    assert_eq!(bailed.said, build("errors").said);
    let place = |line: &&str| line.starts_with("src/sub/ch.md:13:");
    assert_eq!(bailed.said.lines().filter(place).count(), 1, "{}", bailed.said);
}

#[test]
fn threads_make_no_difference() {
    for name in ["errors", "captions"] {
        let many = build(name);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let one = pool.install(|| build(name));
        assert_eq!(many.said, one.said);
        assert_eq!(many.pages(), one.pages());
    }
}

#[test]
fn wrong_configuration_is_an_error() {
    let dir = copy_book("neighbours", &str::to_owned);
    let toml = fs::read_to_string(dir.path().join("book.toml")).unwrap();
    fs::write(dir.path().join("book.toml"), toml + "on_failure = \"continue\"\n").unwrap();
    let failure = build_dir(dir).failure.unwrap();
    assert!(failure.contains("[preprocessor.cute]") && failure.contains("on_failure"), "{failure}");
}

#[test]
fn our_svg_is_well_formed_before_mdbook_sees_it() {
    let dir = copy_book("captions", &str::to_owned);
    let content = content(&preprocess(dir.path(), &Named("html")), 0);
    let mut figures = 0;
    for line in content.lines().filter_map(|line| line.split("<!--cute-->").nth(1)) {
        let document = roxmltree::Document::parse(line).unwrap_or_else(|e| panic!("{e}\n{line}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "figure");
        for svg in root.descendants().filter(|node| node.tag_name().name() == "svg") {
            assert_eq!(svg.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        }
        for forbidden in ["<?", "<!", "]]>", "{{"] {
            assert!(!line.contains(forbidden), "{forbidden}");
        }
        figures += 1;
    }
    assert_eq!(figures, 10);
    let page = build_dir(dir).pages()["a.html"].clone();
    let end = page.rfind("</figure>").unwrap();
    assert!(page[end..].contains("<p><em>text after the last figure</em></p>"));
    assert_eq!(page.matches("<figure").count(), page.matches("</figure>").count());
}
