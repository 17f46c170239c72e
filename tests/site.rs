//! Galleries, anchors and the commands around them, over the book `tests/books/site`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use common::snapshots::overwrite;
use mdbook_cute::book::Cute;
use mdbook_cute::book::catalogue::Catalogue;
use mdbook_cute::book::reference::reference;
use mdbook_driver::MDBook;
use mdbook_preprocessor::book::Book;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// A copy of the book, which a test may change.
struct Copy {
    dir: tempfile::TempDir,
}

/// What a build gave.
struct Built {
    said: String,
    failure: Option<String>,
    catalogue: Catalogue,
}

impl Copy {
    fn new() -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/books/site");
        let dir = tempfile::tempdir().unwrap();
        for file in ["book.toml", "gallery.toml", "src/SUMMARY.md", "src/a.md", "src/sub/b.md"] {
            let to = dir.path().join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from.join(file), to).unwrap();
        }
        Self { dir }
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.dir.path().join(file)).unwrap()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.dir.path().join(file), text).unwrap();
    }

    fn change(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.contains(from), "{file} has no `{from}`");
        self.write(file, &text.replace(from, to));
    }

    fn build(&self) -> Built {
        let said = Arc::new(Mutex::new(String::new()));
        let sink = Arc::clone(&said);
        let cute = Cute::new(move |text| {
            sink.lock().unwrap().push_str(text);
        });
        let cute = cute.relative_to(self.dir.path());
        let catalogue = cute.catalogue();
        let mut book = MDBook::load(self.dir.path()).unwrap();
        book.with_preprocessor(cute);
        let failure = book.build().err().map(|error| format!("{error:#}"));
        let said = said.lock().unwrap().clone();
        Built { said, failure, catalogue: catalogue.lock().unwrap().clone() }
    }

    /// Returns what stands between `<main>` and `</main>`.
    fn page(&self, page: &str) -> String {
        let html = self.read(&format!("book/{page}"));
        html.split("<main>").nth(1).unwrap().split("</main>").next().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_mdbook-cute");
        Command::new(program).args(arguments).current_dir(self.dir.path()).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_draft_becomes_the_gallery() {
    let copy = Copy::new();
    let built = copy.build();
    assert_eq!(built.failure, None, "{}", built.said);
    assert_eq!(built.said, "");

    let rows = copy.page("gallery/rows.html");
    assert!(rows.contains("Rows are contiguous."));
    assert_eq!(rows.matches("<figure class=\"cute\"").count(), 2);
    assert!(rows.contains("id=\"rows-4x8\""));
    assert!(
        rows.contains("see <a href=\"columns.html#columns\">columns</a> and a &lt; b"),
        "{rows}"
    );
    // The block to copy has no anchors of this book.
    let source = rows.split("class=\"cute-source\"").nth(1).unwrap();
    let source = source.split("monospace\">").nth(1).unwrap();
    let source = source.split("</div>").next().unwrap();
    assert!(source.starts_with("```cute layout\n") && !source.contains("rows-4x8"), "{source}");

    let index = copy.page("gallery/index.html");
    for expected in [
        "All of them.",
        "<a href=\"rows.html#rows-4x8\">",
        "<span class=\"cute-mono\">columns</span>",
        "class=\"cute-thumb\"",
        "<script type=\"application/json\" class=\"cute-figures\">[{",
    ] {
        assert!(index.contains(expected), "{expected}");
    }
    let json = index.split("cute-figures\">").nth(1).unwrap().split("</script>").next().unwrap();
    let list: serde_json::Value = serde_json::from_str(json).unwrap();
    let list = list.as_array().unwrap();
    let ids: Vec<_> = list.iter().map(|figure| figure["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["own", "rows-4x8", "cute-layout-147ff558", "columns"]);
    assert_eq!(list[1]["page"], "gallery/rows.html");
    assert_eq!(list[1]["caption"], "Row-major, see columns and a < b");
    assert_eq!(list[1]["facts"]["size"], 32);
    assert_eq!(list[1]["key"], "layout-(4,8):(8,1)");

    // The draft's number and place.
    let sidebar = copy.read("book/toc.html");
    let order: Vec<_> =
        ["1.</strong> A", "2.</strong> Our figures", "2.1.</strong> Row-major", "3.</strong> B"]
            .iter()
            .map(|entry| sidebar.find(entry).unwrap_or_else(|| panic!("{entry}: {sidebar}")))
            .collect();
    assert!(order.is_sorted());
}

/// The operands of products look alike: the small picture of one is its result.
#[test]
fn small_pictures_tell_figures_apart() {
    let copy = Copy::new();
    copy.change(
        "gallery.toml",
        "layout = \"tile\"",
        "op = \"blocked\"\nA = \"(2,2)\"\ntiler = \"(3,3)\"",
    );
    copy.change(
        "gallery.toml",
        "kind = \"layout\"\nid = \"columns\"",
        "kind = \"product\"\nid = \"columns\"",
    );
    let built = copy.build();
    assert_eq!(built.failure, None, "{}", built.said);
    let index = copy.page("gallery/index.html");
    let picture = index.split("#columns\"").nth(1).unwrap().split("</svg>").next().unwrap();
    let fills = picture.split(" fill=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let fills: BTreeSet<_> = fills.filter(|fill| fill.starts_with('#')).collect();
    assert!(fills.len() >= 9, "one colour for each of nine copies: {fills:?}");
}

#[test]
fn links_and_former_anchors_lead_to_figures() {
    let copy = Copy::new();
    assert_eq!(copy.build().failure, None);
    let a = copy.page("a.html");
    for expected in [
        "<a href=\"gallery/rows.html#rows-4x8\">the rows</a>",
        "<a href=\"#own\">here</a>",
        "<a href=\"#own\">there</a>",
        "<span id=\"old-name\">",
        "see <a href=\"gallery/rows.html#rows-4x8\">rows</a>",
    ] {
        assert!(a.contains(expected), "{expected}: {a}");
    }
    // A figure that moved away leaves a note under its old anchor.
    assert!(a.contains("id=\"old-columns\">This figure <a href=\"gallery/columns.html#columns\">"));
    let b = copy.page("sub/b.html");
    assert!(
        b.contains("<a href=\"../a.html#own\">own</a>, <code>[not](cute:nothing)</code>"),
        "{b}"
    );
    assert!(b.contains("<a href=\"../gallery/columns.html#columns\">cols</a>"));
    // A figure that is used has no anchor of its own; its link leads home.
    assert!(!b.contains("id=\"rows-4x8\"") && b.contains("Used here"));
    assert!(b.contains("href=\"../gallery/rows.html#rows-4x8\">#</a>"), "{b}");
}

/// It went after the chapters that close a book, without a number.
#[test]
fn without_a_draft_the_gallery_is_the_last_numbered_chapter() {
    let copy = Copy::new();
    copy.change("src/SUMMARY.md", "- [Our figures]()\n", "");
    copy.write("src/SUMMARY.md", &(copy.read("src/SUMMARY.md") + "\n---\n\n[End](end.md)\n"));
    assert_eq!(copy.build().failure, None);
    let sidebar = copy.read("book/toc.html");
    let order: Vec<_> =
        ["2.</strong> B", "3.</strong> Our figures", "3.1.</strong> Row-major", "End"]
            .iter()
            .map(|entry| sidebar.find(entry).unwrap_or_else(|| panic!("{entry}: {sidebar}")))
            .collect();
    assert!(order.is_sorted(), "{sidebar}");
    // No edit button leads to a file that is not there.
    copy.change(
        "book.toml",
        "[preprocessor.cute]",
        "[output.html]\nedit-url-template = \"https://x/{path}\"\n[preprocessor.cute]",
    );
    assert_eq!(copy.build().failure, None);
    assert!(copy.read("book/a.html").contains("https://x/src/a.md"));
    assert!(!copy.read("book/gallery/rows.html").contains("https://x/src/gallery"));
}

/// `title = "<img onerror=...>"` was live, and a line end left the heading.
#[test]
fn titles_of_the_gallery_are_literal() {
    let title =
        "<img src=x onerror=alert(1)>\\n\\n# **b** `c` [d](e) {#f} {{#include a.md}} &amp; ...\\\\";
    let shown = "&lt;img src=x onerror=alert(1)&gt; # **b** `c` [d](e) {#f} {{#include a.md}} &amp;amp; ...\\";
    let copy = Copy::new();
    copy.change("gallery.toml", "title = \"Row-major\"", &format!("title = \"{title}\""));
    copy.change("gallery.toml", "title = \"Our figures\"", &format!("title = \"{title}\""));
    let built = copy.build();
    assert_eq!(built.failure, None, "{}", built.said);
    for (page, tag) in
        [("gallery/rows.html", "h1"), ("gallery/index.html", "h1"), ("gallery/index.html", "h2")]
    {
        let page = copy.page(page);
        let heading = page.split(&format!("<{tag} ")).nth(1).unwrap();
        let heading = heading.split(&format!("</{tag}>")).next().unwrap();
        assert!(heading.ends_with(&format!("\">{shown}</a>")), "{tag}: {heading}");
    }
}

/// The first page was written over: blocks and links of its intro stayed as they were.
#[test]
fn the_intro_of_the_gallery_is_markdown_like_any() {
    let copy = Copy::new();
    let intro = "See [own](cute:own).\\n\\n```cute id=first\\n8:1\\n```\\n\\n- the last";
    copy.change("gallery.toml", "intro = \"All of them.\"", &format!("intro = \"{intro}\""));
    let built = copy.build();
    assert_eq!(built.failure, None, "{}", built.said);
    let index = copy.page("gallery/index.html");
    for expected in ["<a href=\"../a.html#own\">own</a>", " id=\"first\"", "class=\"cute-index\""] {
        assert!(index.contains(expected), "{expected}: {index}");
    }
}

/// A figure of the gallery is a piece of its page for every renderer, wrong or not.
#[test]
fn pages_of_the_gallery_take_every_form() {
    for (mode, expected) in [
        ("keep", "# Row\\-major\n\nRows are contiguous.\n\n```cute layout id=rows-4x8\n"),
        (
            "text",
            "expect.size = 32\n```\n\nRow\\-major, see columns and a \\< b\n\n| fact | value |\n",
        ),
        ("image", "# Row\\-major\n\nRows are contiguous.\n\n![layout"),
    ] {
        let copy = Copy::new();
        let table = format!("[output.markdown]\n[preprocessor.cute]\nmode.markdown = \"{mode}\"");
        copy.change("book.toml", "[preprocessor.cute]", &table);
        assert_eq!(copy.build().failure, None);
        let page = copy.read("book/gallery/rows.md");
        assert!(page.contains(expected), "{mode}: {page}");
    }
    let copy = Copy::new();
    copy.change("book.toml", "gallery = ", "on-failure = \"continue\"\ngallery = ");
    copy.change("gallery.toml", "layout = \"(8,8):(8,1)\"", "layout = \"(8,8\"");
    assert_eq!(copy.build().failure, None);
    let page = copy.page("gallery/rows.html");
    assert!(page.contains("<p>gallery.toml:20:11: error: "), "{page}");
    assert!(page.contains("<code class=\"language-cute\">cute layout\n(8,8</code>"), "{page}");
    assert_eq!(page.matches("<figure class=\"cute\"").count(), 1);
}

/// An empty list of figures was an empty page, and nobody was told why.
#[test]
fn an_empty_gallery_is_noted() {
    let copy = Copy::new();
    copy.write("gallery.toml", "title = \"Our figures\"\n");
    copy.write("src/a.md", "# A\n");
    copy.write("src/sub/b.md", "# B\n");
    let built = copy.build();
    assert_eq!(built.failure, None);
    assert!(built.said.starts_with("gallery.toml: warning[gallery]: the gallery has no figures\n"));
    assert!(copy.page("gallery/index.html").contains("<em>There are no figures yet.</em>"));
}

/// Captions of the list were Markdown: `**b**` was bold, a backslash at the end broke the link.
#[test]
fn the_list_of_other_renderers_is_literal() {
    let copy = Copy::new();
    copy.change("book.toml", "[preprocessor.cute]", "[output.markdown]\n[preprocessor.cute]");
    let caption = "**b** {{#include a.md}} [x] \\\\";
    copy.change("gallery.toml", "caption = \"Column-major\"", &format!("caption = \"{caption}\""));
    let built = copy.build();
    assert_eq!(built.failure, None, "{}", built.said);
    let list = copy.read("book/gallery/index.md");
    let expected = "- [\\*\\*b\\*\\* \\{\\{\\#include a.md\\}\\} \\[x\\] \\\\](columns.md#columns) `columns`\n";
    assert!(list.contains(expected), "{list}");
}

#[test]
fn line_ends_of_the_gallery_make_no_difference() {
    let copy = Copy::new();
    copy.build();
    let lf = copy.page("gallery/rows.html");
    let gallery = copy.read("gallery.toml").replace('\n', "\r\n");
    copy.write("gallery.toml", &format!("\u{feff}{gallery}"));
    assert_eq!(copy.build().failure, None);
    assert_eq!(copy.page("gallery/rows.html"), lf);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (file, from, to, expected) in [
        (
            "src/a.md",
            "cute:rows-4x8)",
            "cute:rows-4x9)",
            "src/a.md:3:16: error[unknown-id]: no figure has the id `rows-4x9`",
        ),
        ("src/a.md", "see [rows](cute:rows-4x8)", "see [rows](cute:row)", "src/a.md:5:"),
        // mdBook would show a dead image and say nothing.
        (
            "src/a.md",
            "[here](cute:own)",
            "![here](cute:own)",
            "error[image-link]: a figure is not an image",
        ),
        (
            "src/a.md",
            "id=own",
            "id=columns",
            "the id `columns` is taken by the figure at `src/a.md:5:4`",
        ),
        ("src/a.md", "aliases=old-name", "aliases=rows-4x8", "the former id `rows-4x8` is in use"),
        ("src/sub/b.md", "use=rows-4x8", "use=rows-4x9", "src/sub/b.md:5:"),
        ("src/sub/b.md", "expect.size = 32", "expect.size = 33", "src/sub/b.md:6:"),
        ("src/sub/b.md", "expect.size = 32", "layout = 4:1", "`layout` cannot stand beside `use`"),
        ("gallery.toml", "layout = \"tile\"", "layout = \"(4,8\"", "gallery.toml:31:11: error"),
        (
            "gallery.toml",
            "expect.size = 32",
            "expect.size = 31",
            "gallery.toml:17:15: error[expectation]",
        ),
        ("gallery.toml", "tile = \"(4,8)\"", "tile = \"(4,\"", "gallery.toml:5:"),
    ] {
        let copy = Copy::new();
        copy.change(file, from, to);
        let built = copy.build();
        assert!(built.said.contains(expected), "{to}: {}", built.said);
        assert!(built.failure.is_some(), "{to}");
    }
}

/// All of these built, and the page had the id twice, a malformed one, or no link led anywhere.
#[test]
fn former_ids_are_checked() {
    for (list, expected) in [
        ("a b", "src/a.md:7:41: error[bad-id]: invalid former id `a b`: expected letters"),
        ("ok, x\"y", "src/a.md:7:45: error[bad-id]: invalid former id `x\"y`"),
        ("b.html#", "error[bad-id]: invalid former id ``"),
        ("mdbook-sidebar", "`mdbook-sidebar` starts with `mdbook-`, which is for mdBook's own ids"),
        ("foo, foo", "src/a.md:7:46: error[doubled-id]: the former id `foo` is in use"),
        ("a.html#foo, foo", "the former id `foo` is in use"),
        ("sub/b.html#b", "the former id `b` is in use: by a heading or tag at `src/sub/b.md:1`"),
        ("tagged", "the former id `tagged` is in use: by a heading or tag at `src/a.md:5`"),
        ("cols", "the former id `cols` is in use"),
        ("a.html#own", "the former id `own` is in use"),
        ("gallery/columns.html#columns", "the former id `columns` is in use"),
        ("nopage.html#z", "error[unknown-page]: the book has no page `nopage.html`"),
        ("sub/b.md#z", "help: did you mean `sub/b.html#z`?"),
        // Old automatic ids, ids of other programs, and a heading's id on another page.
        ("cute-layout-ef8ae2a6, Fig_1.a, b, sub/b.html#own", ""),
    ] {
        let copy = Copy::new();
        copy.change("src/a.md", "\n```cute", "\n<p id=\"tagged\"></p>\n\n```cute");
        let list = list.replace('"', "\\\"");
        copy.change("src/a.md", "aliases=old-name", &format!("aliases=\"old-name,{list}\""));
        let built = copy.build();
        assert!(built.said.contains(expected), "{list}: {}", built.said);
        assert_eq!(built.failure.is_none(), expected.is_empty(), "{list}: {}", built.said);
    }
    let copy = Copy::new();
    copy.change("gallery.toml", "[\"cols\", \"a.html#old", "[\"cols\", \"n.html#old");
    let built = copy.build();
    let expected = "gallery.toml:29:21: error[unknown-page]: the book has no page `n.html`";
    assert!(built.said.starts_with(expected), "{}", built.said);
    let remedy = "\"/n.html#old-columns\" = \"gallery/columns.html#columns\"\n";
    assert!(built.said.contains(remedy), "{}", built.said);
}

#[test]
fn a_gallery_wrong_in_form_is_always_an_error() {
    for (from, to, expected) in [
        (
            "slug = \"columns\"",
            "slug = \"Columns!\"",
            "gallery.toml:23:8: error[gallery]: invalid slug `Columns!`",
        ),
        ("slug = \"columns\"", "slug = \"rows\"", "the slug `rows` is given twice"),
        ("[names]", "[nmaes]", "unknown key `nmaes`"),
        ("intro = ", "intro ", "gallery.toml:2:"),
    ] {
        let copy = Copy::new();
        copy.change("book.toml", "gallery = ", "on-failure = \"continue\"\ngallery = ");
        copy.change("gallery.toml", from, to);
        let built = copy.build();
        assert!(built.said.contains(expected), "{to}: {}", built.said);
        assert!(built.failure.is_some());
    }
    // Pages of the author are never overwritten.
    let copy = Copy::new();
    fs::create_dir_all(copy.dir.path().join("src/gallery")).unwrap();
    copy.write("src/gallery/rows.md", "# Mine\n");
    copy.change("src/SUMMARY.md", "- [B]", "- [Rows](gallery/rows.md)\n- [B]");
    let failure = copy.build().failure.unwrap();
    assert!(
        failure.contains("the page `gallery/rows.md` of the gallery is a chapter"),
        "{failure}"
    );
}

#[test]
fn published_anchors_are_locked() {
    let copy = Copy::new();
    let first = copy.run(&["check", "--update", "--json", "figures.json"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(
        text(&first.stdout).contains("anchors added to `./anchors.lock`: 4"),
        "{}",
        text(&first.stdout)
    );
    assert!(copy.read("anchors.lock").contains("gallery/rows.html#rows-4x8\n"));
    let figures: serde_json::Value = serde_json::from_str(&copy.read("figures.json")).unwrap();
    assert_eq!(figures.as_array().unwrap().len(), 4);

    let lock = copy.read("anchors.lock");
    assert!(copy.run(&["check"]).status.success());
    assert_eq!(copy.read("anchors.lock"), lock);

    copy.change("src/a.md", "id=own aliases=old-name", "id=mine aliases=old-name");
    copy.change("src/a.md", "cute:own", "cute:mine");
    copy.change("src/sub/b.md", "cute:own", "cute:mine");
    let lost = copy.run(&["check"]);
    assert!(!lost.status.success());
    let said = text(&lost.stderr);
    assert!(said.contains("the published anchor `a.html#own` would disappear"), "{said}");
    assert!(
        said.contains("= help: add `aliases = \"own\"` to the figure that took its place"),
        "{said}"
    );
    // The other way out stood in a comment of the lock only.
    assert!(
        said.contains("to retire it, remove the line `a.html#own` from `./anchors.lock`"),
        "{said}"
    );
    let locked = copy.read("anchors.lock");
    copy.write("anchors.lock", &locked.replace("a.html#own\n", ""));
    assert!(copy.run(&["check"]).status.success());
    copy.write("anchors.lock", &locked);
    copy.change("src/a.md", "aliases=old-name", "aliases=old-name,own");
    let kept = copy.run(&["check"]);
    // A comma ends a word of the info string; a list there needs quotes.
    assert!(!kept.status.success());
    copy.change("src/a.md", "aliases=old-name,own", "aliases=\"old-name,own\"");
    let kept = copy.run(&["check"]);
    assert!(kept.status.success(), "{}", text(&kept.stderr));
}

#[test]
fn check_fails_on_what_is_wrong() {
    let copy = Copy::new();
    copy.write("mdbook-cute.css", ".cute{margin:0}\n/* mdbook-cute 0.1.0 ae1d4d175d1d7c94 */\n");
    let stale = copy.run(&["check"]);
    assert!(!stale.status.success());
    assert!(text(&stale.stderr).contains("run `mdbook-cute install`"), "{}", text(&stale.stderr));

    let copy = Copy::new();
    copy.change("src/a.md", "cute:own", "cute:own-x");
    assert!(!copy.run(&["check"]).status.success());
    assert!(!copy.dir.path().join("anchors.lock").exists());
    assert!(!copy.dir.path().join("book").exists());
}

/// `install` took a rule behind the mark of a sheet for a part of the mark and removed it, and `check`
/// refused the sheet for ever.
#[test]
fn an_edit_of_the_sheet_is_kept_and_is_no_error() {
    let copy = Copy::new();
    assert!(copy.run(&["install"]).status.success());
    let sheet = copy.read("mdbook-cute.css") + ".cute{max-width:40em} /* narrower */\n";
    copy.write("mdbook-cute.css", &sheet);
    let install = copy.run(&["install"]);
    assert!(text(&install.stderr).contains("was changed by hand and is kept"));
    assert_eq!(copy.read("mdbook-cute.css"), sheet);
    let check = copy.run(&["check"]);
    assert!(check.status.success(), "{}", text(&check.stderr));
    assert!(text(&check.stderr).contains("note[asset]: the file was changed by hand"));
}

/// mdBook itself reports a script that book.toml names only while it writes the site, in words without
/// a remedy.
#[test]
fn check_finds_files_that_are_missing() {
    let copy = Copy::new();
    assert!(copy.run(&["install"]).status.success());
    fs::remove_file(copy.dir.path().join("mdbook-cute.js")).unwrap();
    let check = copy.run(&["check"]);
    assert!(!check.status.success());
    for expected in
        ["mdbook-cute.js: error[asset]: missing file", "`mdbook-cute install` writes it"]
    {
        assert!(text(&check.stderr).contains(expected), "{}", text(&check.stderr));
    }
    assert!(copy.run(&["install"]).status.success());
    assert!(copy.run(&["check"]).status.success());
}

/// A sheet that does not know rows of text or words in scripts, or none, would leave pages without them.
#[test]
fn only_pages_with_the_style_sheet_rely_on_it() {
    let copy = Copy::new();
    assert!(copy.run(&["install"]).status.success());
    copy.build();
    let page = copy.page("gallery/rows.html");
    assert!(page.contains("data-odd=\"") && !page.contains("class=\"cute-labels\""), "{page}");
    assert!(page.contains("<script class=\"cute-text\""));
    let sheet = copy.read("mdbook-cute.css");
    for rule in ["attr(data-even)", "[type^=text]"] {
        assert!(sheet.contains(rule));
        copy.write("mdbook-cute.css", &sheet.replace(rule, "x"));
        copy.build();
        let page = copy.page("gallery/rows.html");
        assert!(!page.contains("data-odd=\"") && page.contains("class=\"cute-labels\""), "{page}");
        assert!(page.contains("stroke-linecap") && page.contains("fill=\"none\""));
        assert!(!page.contains("<script class=\"cute-text\""));
    }
}

#[test]
fn install_makes_a_book_ready_and_changes_nothing_twice() {
    let copy = Copy::new();
    copy.write("book.toml", "[book]\ntitle = \"x\" # why\n");
    let first = copy.run(&["install"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    for expected in [
        "added `links` to `after`",
        "gallery = \"gallery.toml\"",
        "wrote `./mdbook-cute.css`",
        "wrote `./mdbook-cute.js`",
        "next: write a ```cute block",
    ] {
        assert!(text(&first.stdout).contains(expected), "{}", text(&first.stdout));
    }
    let config = copy.read("book.toml");
    assert!(config.starts_with("[book]\ntitle = \"x\" # why\n"));
    let second = copy.run(&["install"]);
    assert_eq!(text(&second.stdout), "nothing to do: the book is ready\n");
    assert_eq!(copy.read("book.toml"), config);
    assert!(copy.run(&["check"]).status.success());

    // A file that somebody changed is kept, and said to be.
    copy.write("mdbook-cute.css", "/* mine */\n");
    let third = copy.run(&["install"]);
    assert!(!third.status.success());
    assert!(text(&third.stderr).contains("was changed by hand and is kept"));
    assert_eq!(copy.read("mdbook-cute.css"), "/* mine */\n");
    assert!(text(&copy.run(&["install", "--force"]).stdout).contains("replaced"));
    assert!(copy.run(&["check"]).status.success());

    let empty = tempfile::tempdir().unwrap();
    let nothing = copy.run(&["install", empty.path().to_str().unwrap()]);
    assert!(!nothing.status.success());
    assert!(text(&nothing.stderr).contains("`mdbook init`"));
    let nothing = copy.run(&["build", empty.path().to_str().unwrap()]);
    assert!(text(&nothing.stderr).contains("missing book in"), "{}", text(&nothing.stderr));
}

/// It changed book.toml and then failed, and it wrote a file to wherever a dead link led.
#[cfg(unix)]
#[test]
fn an_install_that_fails_changes_nothing() {
    use std::os::unix::fs::symlink;
    let break_it: [fn(&Path); 3] = [
        |book| fs::create_dir(book.join("mdbook-cute.js")).unwrap(),
        |book| symlink("elsewhere.js", book.join("mdbook-cute.js")).unwrap(),
        |book| fs::write(book.join("mdbook-cute.js"), [0xff]).unwrap(),
    ];
    for break_it in break_it {
        let copy = Copy::new();
        break_it(copy.dir.path());
        let names = || {
            let entries = fs::read_dir(copy.dir.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<_>>()
        };
        let (config, before) = (copy.read("book.toml"), names());
        let output = copy.run(&["install"]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
        assert!(text(&output.stderr).contains("mdbook-cute.js`"), "{}", text(&output.stderr));
        assert_eq!((copy.read("book.toml"), names()), (config, before));
    }
    // A link to a file stays a link.
    let copy = Copy::new();
    copy.write("shared.js", "old\n");
    symlink("shared.js", copy.dir.path().join("mdbook-cute.js")).unwrap();
    assert!(copy.run(&["install", "--force"]).status.success());
    assert!(copy.dir.path().join("mdbook-cute.js").is_symlink());
    assert!(copy.read("shared.js").contains("mdbook-cute"));
}

#[test]
fn key_turns_links_into_blocks() {
    let copy = Copy::new();
    let block = copy.run(&["key", "?key=tv-2-(2,3):(3,1)-(2,2):(2,1)"]);
    assert_eq!(text(&block.stdout), "```cute tv\nthr = (2,3):(3,1)\nval = (2,2):(2,1)\n```\n");
    assert!(block.status.success(), "{}", text(&block.stderr));
    for (link, expected) in [
        ("?key=layuot-4:1", "did you mean `layout-...`?"),
        ("?key=layout-(4,8):(8", "?key=layout-(4,8):(8: error[syntax]: the `(` is never closed"),
    ] {
        let wrong = copy.run(&["key", link]);
        assert!(!wrong.status.success());
        assert!(text(&wrong.stderr).contains(expected), "{}", text(&wrong.stderr));
    }
}

#[test]
fn build_writes_the_list_of_figures() {
    let copy = Copy::new();
    let built = copy.run(&["build"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let list = copy.read("book/figures.json");
    assert_eq!(list, copy.build().catalogue.json());
    assert_eq!(text(&built.stderr), "");
}

/// It was overwritten.
#[test]
fn a_list_of_figures_of_the_author_stays() {
    let copy = Copy::new();
    copy.write("src/figures.json", "mine");
    let built = copy.run(&["build"]);
    assert!(built.status.success());
    assert_eq!(copy.read("book/figures.json"), "mine");
    assert!(
        text(&built.stderr).contains("figures.json: warning[file]: "),
        "{}",
        text(&built.stderr)
    );
    assert!(text(&built.stderr).contains("`mdbook-cute check --json FILE`"));
}

/// The message named neither the line nor what is wrong with it.
#[test]
fn a_gallery_that_is_not_utf_8_has_a_place() {
    let copy = Copy::new();
    let mut gallery = copy.read("gallery.toml").into_bytes();
    let at = copy.read("gallery.toml").find("Rows are").unwrap();
    gallery[at + 3] = 0xe9;
    fs::write(copy.dir.path().join("gallery.toml"), &gallery).unwrap();
    let built = copy.build();
    assert!(built.failure.is_some());
    let expected = "gallery.toml:10:13: error[utf-8]: the gallery is not UTF-8 from here on";
    assert!(built.said.starts_with(expected), "{}", built.said);
}

/// Returns the search index of a site.
fn search_index(site: &Path) -> String {
    let files = fs::read_dir(site).unwrap().flatten().map(|entry| entry.path());
    let is_index =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("searchindex");
    fs::read_to_string(files.into_iter().find(is_index).unwrap()).unwrap()
}

/// Takes the pictures out of figures and leaves captions, legends, notes and tables.
struct WithoutPictures;

impl Preprocessor for WithoutPictures {
    fn name(&self) -> &str {
        "without-pictures"
    }

    fn run(
        &self,
        _: &PreprocessorContext,
        mut book: Book,
    ) -> mdbook_renderer::errors::Result<Book> {
        book.for_each_chapter_mut(|chapter| {
            let mut pieces = chapter.content.split("<svg");
            let mut out = pieces.next().unwrap_or_default().to_owned();
            pieces.for_each(|piece| out.push_str(piece.split_once("</svg>").unwrap().1));
            chapter.content = out;
        });
        Ok(book)
    }
}

#[test]
fn the_search_index_of_our_book_holds_nothing_of_its_pictures() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = |sheet: bool, pictures: bool| {
        let dir = tempfile::tempdir().unwrap();
        let mut book = MDBook::load(project.join("book")).unwrap();
        book.config.build.build_dir = dir.path().to_owned();
        if !sheet {
            book.config.set("output.html.additional-css", Vec::<String>::new()).unwrap();
        }
        book.with_preprocessor(Cute::new(|_| ()));
        if !pictures {
            book.with_preprocessor(WithoutPictures);
        }
        book.build().unwrap();
        search_index(dir.path())
    };
    let (with, without) = (index(false, true), index(false, false));
    assert!(without.contains("Column-major"));
    assert!(with == without, "{} bytes, without pictures {}", with.len(), without.len());
    // With the style sheet legends, notes and names of panels are not searched either.
    let book = index(true, true);
    assert!(book.contains("Column-major") && book.contains("wavefronts"));
    for word in ["offset, 0 to", "Facts", "full size with all labels"] {
        assert!(with.contains(word) && !book.contains(word), "{word}");
    }
}

#[test]
fn captions_are_searched_and_cells_are_not() {
    let copy = Copy::new();
    // Without the style sheet the facts are ordinary text of the page.
    assert!(copy.run(&["install", "."]).status.success());
    copy.build();
    let index = search_index(&copy.dir.path().join("book"));
    assert!(index.contains("Column-major"));
    // What is folded below a figure is not searched either.
    assert!(!index.contains("make_layout") && !index.contains("expect"));
    // Every cell of a grid would be a word of its own: `27 28 29`.
    assert!(!index.contains("27 28 29"));
}

/// The chapter is generated; `CUTE_OVERWRITE=1 cargo test --test site` writes it.
#[test]
fn the_block_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/reference.md");
    if overwrite() {
        fs::write(&path, reference()).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == reference(), "to accept: CUTE_OVERWRITE=1 cargo test --test site");
}
