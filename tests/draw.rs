//! The backends, on figures of kind `layout`: what is written is well-formed, small, in one line,
//! and the same every time.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop at the first surprise")]

mod common;

use common::figures::{built, spec};
use common::snapshots::Snapshots;
use mdbook_cute::draw::target::{Host, Labels, Theme};
use mdbook_cute::draw::{html, json, svg, text, tikz};
use mdbook_cute::figure::{
    Arrangement, BitPicture, Body, Cell, Figure, Fill, Grid, Kind, Label, Mark, Panel, Scale,
    Space, Swatch,
};

/// Name and keys of the figures that are looked at.
const FIGURES: &[(&str, &[(&str, &str)])] = &[
    ("row-major", &[("layout", "(8,8):(8,1)"), ("title", "Row-major")]),
    ("nested", &[("layout", "((2,3),(2,4)):((1,4),(2,12))")]),
    ("three-levels", &[("layout", "((2,2,2),(2,2,2)):((1,4,16),(2,8,32))")]),
    ("broadcast", &[("layout", "(4,8):(1,0)")]),
    ("holes", &[("layout", "(4,8):(2,16)")]),
    ("negative", &[("layout", "(4,8):(-1,4)")]),
    ("coordinate", &[("layout", "(4,8):(1@0,1@1)"), ("highlight", "(_,2)")]),
    ("swizzled", &[("layout", "S<3,0,3> o 0 o (8,8):(8,1)")]),
    ("tensor", &[("layout", "72 o (4,4):(16,1)")]),
    ("rank-3", &[("layout", "(4,4,4):(4,1,16)")]),
    ("folded", &[("layout", "(4,4,3):(4,1,16)"), ("fold", "flat")]),
    ("strip", &[("layout", "24:3")]),
    ("long-strip", &[("layout", "100:2")]),
    ("coordinates-shown", &[("layout", "(4,(2,2)):(1,(4,8))"), ("show", "coord, value")]),
    ("one", &[("layout", "1:0")]),
];

fn figure(keys: &[(&str, &str)]) -> Figure {
    built(&spec(Kind::LAYOUT, keys)).figure
}

fn square(side: u32) -> Figure {
    figure(&[("layout", &format!("({side},{side}):({side},1)"))])
}

fn page(figure: &Figure) -> String {
    html::html(figure, &html::Setting::new("fig"))
}

/// A file that stands alone.
fn file(figure: &Figure) -> String {
    svg::file(figure, Theme::Light, Labels::Auto)
}

/// The page of a book that has the style sheet.
fn book(figure: &Figure) -> String {
    html::html(figure, &html::Setting { host: Host::Book, ..html::Setting::new("fig") })
}

/// Owners, every mark, badges, arrows and a swizzle's bits: what kind `layout` alone does not draw.
fn hand_made() -> Figure {
    let marks = [
        Mark::None,
        Mark::Hole,
        Mark::Outside,
        Mark::Twice,
        Mark::Moved,
        Mark::Failing,
        Mark::Picked,
    ];
    let owner = |row: usize, col: usize| u32::try_from(row / 2 * 4 + col / 2).unwrap();
    let grid = Grid::from_fn(4, 8, |spot| Cell {
        fill: Fill::thread(owner(spot.row, spot.col), 8),
        owner: (spot.col < 7).then(|| owner(spot.row, spot.col)),
        mark: marks[spot.col % marks.len()],
        faded: spot.row == 3,
    })
    .scale(Scale::Category)
    .layer("thread", |spot| Label::Owner { thr: owner(spot.row, spot.col), val: 0 })
    .layer("swizzle", |spot| Label::Arrow { from: 1, to: i64::try_from(spot.index).unwrap() })
    .layer("text", |_| Label::text("a|b \\ <&\"{{#include x}}"))
    .axes("M", "N");
    let mut panel = Panel::grid("A", grid).layout("(4,8):(8,1)").badge(Space::Smem).unit("bytes");
    for mark in marks {
        panel = panel.legend(Swatch::Mark(mark), format!("{mark:?}"));
    }
    let bits = BitPicture { width: 12, count: 3, source: 7, target: 4, unit: "bytes" };
    Figure {
        kind: "swizzle",
        title: "<script>alert(1)</script> {{#include secret}}".to_owned(),
        panels: vec![panel, Panel::new("S<3,4,3>", Body::Bits(bits)).caption("A\nB")],
        arrangement: Arrangement::Arrows,
        ..Figure::default()
    }
}

fn all() -> Vec<(&'static str, Figure)> {
    let mut figures: Vec<_> = FIGURES.iter().map(|(name, keys)| (*name, figure(keys))).collect();
    figures.push(("hand-made", hand_made()));
    let mut corner = hand_made();
    corner.panels =
        vec![corner.panels[0].clone(), corner.panels[0].clone(), corner.panels[0].clone()];
    corner.arrangement = Arrangement::Corner;
    figures.push(("corner", corner));
    figures
}

#[test]
fn pages_are_one_line_of_well_formed_markup_with_one_id() {
    for (name, figure) in all() {
        for page in [page(&figure), book(&figure)] {
            assert!(!page.contains(['\n', '\r']), "{name}: a line break ends raw HTML");
            assert!(!page.contains("{{"), "{name}: Handlebars would read it");
            assert_eq!(page.matches(" id=\"").count(), 1, "{name}: the print page renames ids");
            // The scripts are ours, and what anybody wrote opens none. Only a book has some: as XML, which a
            // page of an e-book is, a script with a bare `<` is an error.
            assert!(page == book(&figure) || !page.contains("<script"), "{name}");
            for piece in page.split("</script>").filter_map(|piece| piece.split_once("<script")) {
                let ours = [" class=\"cute-", " type=\"text/plain\" style="];
                assert!(ours.iter().any(|start| piece.1.starts_with(start)), "{name}: {}", piece.1);
            }
            let page = without_scripts(&page);
            let document =
                roxmltree::Document::parse(&page).unwrap_or_else(|e| panic!("{name}: {e}"));
            for svg in document.descendants().filter(|node| node.has_tag_name("svg")) {
                assert_eq!(svg.attribute("role"), Some("img"), "{name}");
                let label = svg.attribute("aria-label");
                assert!(label.is_some_and(|label| !label.is_empty()), "{name}");
                // Labels are strokes or attributes, so that the search index has none of them.
                assert_eq!(svg.descendants().filter_map(|node| node.text()).next(), None, "{name}");
            }
            assert!(!document.descendants().any(|node| node.has_tag_name("script")), "{name}");
        }
    }
}

/// Takes out what script elements hold, which may be anything but their own end, and the elements.
fn without_scripts(page: &str) -> String {
    page.split("</script>").map(|piece| piece.split("<script").next().unwrap()).collect()
}

/// mdBook indexes every word outside of scripts.
#[test]
fn a_book_is_searched_for_captions_and_tables_only() {
    let caption = [html::CaptionPart::Text("A caption")];
    let mut searched_words = 0;
    for (name, figure) in all() {
        let setting =
            html::Setting { host: Host::Book, caption: &caption, ..html::Setting::new("fig") };
        let page = without_scripts(&html::html(&figure, &setting));
        let document = roxmltree::Document::parse(&page).unwrap();
        for text in document.descendants().filter(roxmltree::Node::is_text) {
            let searched = |node: roxmltree::Node<'_, '_>| {
                ["figcaption", "table"].iter().any(|tag| node.has_tag_name(*tag))
            };
            let words = text.text().unwrap_or_default().trim();
            assert!(words.is_empty() || text.ancestors().any(searched), "{name}: {words}");
            searched_words += usize::from(!words.is_empty());
        }
    }
    assert!(searched_words >= all().len(), "each has a caption");
}

/// WebKit drops the margin above what a `<foreignObject>` holds: every label stood a row too high.
#[test]
fn labels_of_a_book_have_no_margin() {
    let mut labels = 0;
    for (name, figure) in all() {
        let page = book(&figure);
        assert!(!page.contains("margin"), "{name}");
        let objects = page.matches("<foreignObject").count();
        assert_eq!(page.matches("<foreignObject x=").count(), objects, "{name}");
        labels += objects;
    }
    assert!(labels >= 15, "{labels}");
}

/// What a page of a book with the style sheet holds: mdBook takes every attribute apart on each build,
/// and copies every byte a dozen times.
#[test]
fn a_page_of_a_book_is_short() {
    let attributes = |page: &str| page.matches("=\"").count();
    for (side, cells) in [(8, 64), (64, 4096)] {
        let figure = square(side);
        let (page, book) = (without_scripts(&page(&figure)), without_scripts(&book(&figure)));
        assert!(book.len() <= 2500 + 20 * cells, "{} bytes", book.len());
        assert!(attributes(&book) < attributes(&page), "{}", attributes(&book));
        assert!(!book.contains("fill=\"none\"") && !book.contains("xmlns"));
    }
}

#[test]
fn files_are_well_formed_and_hold_what_they_draw() {
    let mut texts = 0;
    for (name, figure) in all() {
        for file in [file(&figure), svg::image(&figure, Theme::Light, Labels::Auto)] {
            let document =
                roxmltree::Document::parse(&file).unwrap_or_else(|e| panic!("{name}: {e}\n{file}"));
            let root = document.root_element();
            let view: Vec<i64> = root
                .attribute("viewBox")
                .unwrap()
                .split(' ')
                .map(|number| number.parse().unwrap())
                .collect();
            assert!(view[2] > 0 && view[3] > 0, "{name}: {view:?}");
            for text in document.descendants().filter(|node| node.has_tag_name("text")) {
                let at = |name| text.attribute(name).unwrap().parse::<i64>().unwrap();
                assert!((0..=view[2]).contains(&at("x")), "{name}: {:?}", text.text());
                assert!((0..=view[3]).contains(&at("y")), "{name}: {:?}", text.text());
                texts += 1;
            }
            assert!(!file.contains("var("), "{name}: some viewers draw variables black");
        }
    }
    assert!(texts >= 1000, "{texts}");
}

#[cfg(feature = "png")]
#[test]
fn files_parse_in_usvg() {
    for (name, figure) in all() {
        for file in [file(&figure), svg::image(&figure, Theme::Light, Labels::Auto)] {
            let options = resvg::usvg::Options::default();
            let tree = resvg::usvg::Tree::from_str(&file, &options);
            assert!(tree.is_ok(), "{name}: {:?}", tree.err());
        }
    }
}

#[test]
fn a_large_grid_takes_few_elements_and_few_bytes_a_cell() {
    let figure = square(64);
    let page = page(&figure);
    let elements = page.matches('<').count() - page.matches("</").count();
    assert!(elements <= 100, "{elements} elements");
    let a_cell = page.len() / 4096;
    assert!(a_cell <= 100, "{a_cell} bytes a cell in a page");
    let a_cell = file(&figure).len() / 4096;
    assert!(a_cell <= 60, "{a_cell} bytes a cell in a file");
    let large = tikz::tikz(&square(128));
    assert!(large.len() / 16384 <= 30, "{} bytes a cell in LaTeX", large.len() / 16384);
}

#[test]
fn labels_that_cannot_be_read_give_way_to_those_of_blocks() {
    assert!(!page(&square(32)).contains("cute-coarse"));
    let large = page(&square(64));
    assert!(large.contains("class=\"cute-coarse\"") && large.contains("class=\"cute-fine\""));
    assert!(large.contains("the first cell of every 4×4 cells"));
    // A file can be zoomed, so it has all labels and only those.
    let file = file(&square(64));
    assert!(!file.contains("cute-coarse") && file.contains(">4095</text>"));
}

/// Bits without numbers say nothing, and `<text>` in a page lands in the search index.
#[test]
fn without_labels_indices_titles_and_bits_stay() {
    let figure = figure(&[("layout", "(4,4,2):(4,1,16)")]);
    let setting = html::Setting { labels: Labels::None, ..html::Setting::new("fig") };
    let bare = html::html(&figure, &setting);
    assert!(!bare.contains("<text") && !bare.contains("cute-labels"));
    let strokes = |page: &str| page.matches("stroke=\"currentColor\"").count();
    let both = strokes(&bare);
    assert!(both > 0);
    assert_eq!(both, strokes(&page(&figure)), "frames, indices and titles");
}

/// Dark lines of the few coloured cells once vanished on the dark ground of all others.
#[test]
fn lines_have_the_ink_of_most_cells() {
    let with = |coloured: usize| {
        let grid = Grid::from_fn(4, 4, |spot| Cell {
            fill: Fill::Class(0),
            faded: spot.index >= coloured,
            ..Cell::default()
        });
        page(&Figure { panels: vec![Panel::grid("", grid)], ..Figure::default() })
    };
    assert!(with(9).contains("stroke=\"var(--cute-ink-r"));
    assert!(!with(2).contains("stroke=\"var(--cute-ink-r"));
}

/// "T0 V0" once stood over cells of other threads.
#[test]
fn no_label_of_a_cell_lies_on_those_of_other_owners() {
    let grid = |run: usize| {
        let owner = move |spot: mdbook_cute::figure::Spot| u32::try_from(spot.col / run).unwrap();
        Grid::from_fn(64, 64, |spot| Cell { owner: Some(owner(spot)), ..Cell::default() })
            .layer("thread", |spot| Label::Owner { thr: owner(spot), val: 0 })
    };
    let page =
        |run| page(&Figure { panels: vec![Panel::grid("", grid(run))], ..Figure::default() });
    assert!(page(16).contains("labels: the first cell of every"));
    assert!(page(1).contains("labels: at full size only"));
}

/// The ink of its first cell once made the label of a dark block unreadable.
#[test]
fn the_label_of_a_block_has_the_ink_of_most_of_its_cells() {
    let grid = Grid::from_fn(64, 64, |spot| {
        let first = spot.row % 4 == 0 && spot.col % 4 == 0;
        Cell { fill: Fill::Class(0), faded: !first, ..Cell::default() }
    })
    .layer("value", |spot| Label::Int(i64::try_from(spot.index).unwrap()));
    let figure = Figure { panels: vec![Panel::grid("", grid)], ..Figure::default() };
    let page = page(&figure);
    let coarse = page.rsplit("<g class=\"cute-coarse\">").next().unwrap();
    assert!(!coarse.contains("var(--cute-ink"), "{coarse}");
}

#[test]
fn what_pages_and_files_look_like() {
    let mut pages = Snapshots::of("draw-page", "html");
    let mut books = Snapshots::of("draw-book", "html");
    let mut files = Snapshots::of("draw-file", "svg");
    let mut papers = Snapshots::of("draw-latex", "tex");
    for (name, figure) in all() {
        pages.check(name, &page(&figure).replace("><", ">\n<"));
        if ["negative", "coordinates-shown", "rank-3", "hand-made"].contains(&name) {
            books.check(name, &book(&figure).replace("><", ">\n<"));
        }
        if ["nested", "hand-made"].contains(&name) {
            files.check(name, &file(&figure).replace("><", ">\n<"));
            papers.check(name, &tikz::tikz(&figure));
        }
    }
    [pages, books, files, papers].into_iter().for_each(Snapshots::finish);
}

#[test]
fn what_the_model_says() {
    let mut texts = Snapshots::of("draw-text", "txt");
    let mut objects = Snapshots::of("draw-facts", "json");
    for (name, figure) in all() {
        texts.check(name, &text::text(&figure));
        let object = json::json(&figure, Some("fig"));
        objects.check(name, &serde_json::to_string_pretty(&object).unwrap());
    }
    texts.finish();
    objects.finish();
}
