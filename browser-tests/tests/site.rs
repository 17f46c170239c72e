//! What readers do with the built book, in Chromium: look, click, press keys, follow links.
//!
//! `.ci/run` installs chromium, chromedriver and axe-core (whose script `AXE` names) and builds the
//! program. Run with `cargo test -p browser-tests --features browser`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use browser_tests::Browser;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

const ESCAPE: &str = "\u{e00c}";
const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";

/// A gallery page, a chapter, and a figure of the gallery page that has owners.
const GALLERY_PAGE: &str = "gallery/thread-values.html";
const CHAPTER: &str = "layouts.html";
const FIGURE: &str = "tv-8x8";

/// Builds the book once and returns the folder of its site.
fn site() -> &'static Path {
    static SITE: OnceLock<PathBuf> = OnceLock::new();
    SITE.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let program = std::env::var_os("MDBOOK_CUTE")
            .map_or_else(|| root.join("target/debug/mdbook-cute"), PathBuf::from);
        let built = Command::new(&program).arg("build").arg(root.join("book")).output();
        let built = built.expect("`cargo build` has made the program");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let page = String::from_utf8(built.stdout).unwrap();
        PathBuf::from(page.trim()).canonicalize().unwrap().parent().unwrap().to_owned()
    })
}

fn url(page: &str) -> String {
    format!("file://{}/{page}", site().display())
}

fn browser(width: u32) -> (Browser, tempfile::TempDir) {
    let downloads = tempfile::tempdir().unwrap();
    (Browser::start(width, 900, downloads.path()), downloads)
}

/// Chooses a theme as a reader does, so that the style sheet of code changes too.
fn set_theme(browser: &Browser, theme: &str) {
    browser.run(&format!("document.getElementById('mdbook-theme-{theme}').click()"));
    browser.wait(&format!("document.documentElement.classList.contains('{theme}')"));
    // A style sheet that was not in use is loaded first.
    browser.wait(
        "[...document.querySelectorAll('link[rel=stylesheet]')].every(l => l.disabled || l.sheet)",
    );
}

fn figure(id: &str) -> String {
    format!("document.getElementById('{id}')")
}

#[test]
fn controls_answer_to_the_mouse() {
    for (width, theme) in [(1280, "light"), (360, "navy")] {
        let (browser, downloads) = browser(width);
        browser.open(&url(GALLERY_PAGE));
        set_theme(&browser, theme);
        let node = figure(FIGURE);
        let find = |selector: &str| format!("{node}.querySelector(\"{selector}\")");

        // Nothing is wider than the window.
        assert_eq!(
            browser.run("return document.scrollingElement.scrollWidth <= innerWidth"),
            true,
            "{width} px"
        );

        // A cell: everybody else fades, and comes back.
        let cell = "const g = d.querySelector('.cute-grid'), [x, y, w, h] = g.dataset.grid.split(' ').map(Number), \
             p = new DOMPoint(x + w / 2, y + h / 2).matrixTransform(g.ownerSVGElement.getScreenCTM())";
        browser.run(&format!(
            "{node}.querySelector('.cute-view').scrollIntoView({{block: 'center'}})"
        ));
        let at = browser.run(&format!("const d = {node}; {cell}; return [p.x, p.y]"));
        let click = || browser.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        click();
        browser.wait(&find(".cute-veil"));
        browser.wait(&format!("{node}.querySelectorAll('.cute-lit').length == {node}.querySelectorAll('.cute-grid').length"));
        browser
            .wait(&format!("{}.textContent.startsWith('row 0, column 0:')", find(".cute-status")));
        click();
        browser.wait(&format!("!{}", find(".cute-veil")));

        // Labels.
        browser.run(&format!("{}.focus()", find(".cute-bar select")));
        browser.wait(&format!("{}.options.length > 2", find(".cute-bar select")));
        browser.run(&format!(
            "const s = {}; s.value = 'index'; s.dispatchEvent(new Event('change'))",
            find(".cute-bar select")
        ));
        browser.wait(&format!("{node}.querySelectorAll('.cute-other text').length >= 64"));
        browser.wait(&format!("{}.style.display == 'none'", find("foreignObject")));
        browser.run(&format!(
            "const s = {}; s.value = s.options[0].value; s.dispatchEvent(new Event('change'))",
            find(".cute-bar select")
        ));
        browser.wait(&format!("!{}", find(".cute-other")));

        // Zoom.
        browser.click(&find("[aria-label='zoom to full size']"));
        browser.wait(&format!("{node}.classList.contains('cute-zoomed')"));
        let wide = browser.run(&format!("return {}.getBoundingClientRect().width", find("svg")));
        browser.click(&find("[aria-label=larger]"));
        let wider = browser.run(&format!("return {}.getBoundingClientRect().width", find("svg")));
        assert!(wider.as_f64() > wide.as_f64());
        browser.click(&find("[aria-label='zoom to full size']"));
        browser.wait(&format!("!{node}.classList.contains('cute-zoomed')"));

        // Full screen and back.
        browser.click(&find("[aria-label='full screen']"));
        browser.wait("document.querySelector('dialog[open] figure')");
        browser.click(&find("[aria-label='full screen']"));
        browser.wait("!document.querySelector('dialog')");
        browser.wait(&format!("{node}.parentNode.tagName == 'MAIN'"));

        // Everything that can be copied says so.
        let items = browser.run(&format!(
            "return [...{node}.querySelectorAll('.cute-menu button')].map(b => b.textContent)"
        ));
        let items: Vec<&str> = items.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for wanted in ["copy link", "copy block", "copy C++", "copy Python", "save SVG", "save PNG"]
        {
            assert!(items.contains(&wanted), "{wanted}: {items:?}");
        }
        assert!(items.iter().any(|item| item.starts_with("copy layout")), "{items:?}");
        for (number, item) in items.iter().enumerate() {
            browser.click(&find(".cute-menu summary"));
            browser.wait(&format!("{}.open", find(".cute-menu")));
            browser.click(&format!("{node}.querySelectorAll('.cute-menu button')[{number}]"));
            let said = item.replace("copy ", "copied ").replace("save ", "saved ");
            let said = if said.starts_with("saved") { format!("saved {FIGURE}") } else { said };
            browser.wait(&format!("{}.textContent.startsWith('{said}')", find(".cute-status")));
        }
        for extension in ["svg", "png"] {
            let path = downloads.path().join(format!("{FIGURE}.{extension}"));
            let start = Instant::now();
            while !path.exists() && start.elapsed() < Duration::from_secs(10) {
                sleep(Duration::from_millis(100));
            }
            assert!(fs::metadata(&path).unwrap().len() > 1000);
        }
        assert_eq!(browser.complaints(), [""; 0], "{width} px");
        check_saved(&browser, &downloads.path().join(format!("{FIGURE}.svg")));
    }
}

/// The saved file opens alone and shows what the page showed.
fn check_saved(browser: &Browser, path: &Path) {
    let page_strokes = browser.run(&format!(
        "return [...{}.querySelectorAll('.cute-grid > path')].map(p => p.getAttribute('d'))",
        figure(FIGURE)
    ));
    let labels = browser.run(&format!(
        "return [...{}.querySelectorAll('foreignObject span')].flatMap(({{ dataset: {{ even = '', odd = '' }} }}) => \
         (even + ' ' + odd).split(/\\s+/)).filter(Boolean).sort()",
        figure(FIGURE)
    ));
    let svg = format!("{}.querySelector('svg')", figure(FIGURE));
    let picture = format!("{svg}.getBoundingClientRect()");
    browser.run("document.activeElement.blur()");
    let in_page = browser.picture_of(&picture);
    browser.run(&format!(
        "{svg}.querySelectorAll('foreignObject').forEach(node => node.style.display = 'none')"
    ));
    let unlabelled = browser.picture_of(&picture);
    let text = fs::read_to_string(path).unwrap();
    assert!(!text.contains("var(") && !text.contains("currentColor"), "{text}");
    browser.open(&format!("file://{}", path.display()));
    let saved = browser.run(
        "const e = document.documentElement; return [e.tagName, e.querySelectorAll('title').length, \
         [...e.querySelectorAll('path')].map(p => p.getAttribute('d')), \
         [...e.querySelectorAll(':scope > text')].map(t => t.textContent).join(' '), \
         [...e.querySelectorAll('path')].every(p => p.getBBox().width + p.getBBox().height > 0), \
         [...e.querySelectorAll('svg svg text')].map(t => t.textContent).sort(), \
         [...e.querySelectorAll('path')].map(getComputedStyle) \
           .every(({ fill, stroke }) => fill !== 'none' || stroke !== 'none')]",
    );
    assert_eq!(saved[0], "svg");
    assert_eq!(saved[1], 1);
    let strokes: BTreeSet<String> =
        saved[2].as_array().unwrap().iter().map(ToString::to_string).collect();
    for stroke in page_strokes.as_array().unwrap() {
        assert!(strokes.contains(&stroke.to_string()));
    }
    let words = saved[3].as_str().unwrap();
    assert!(words.contains("(4,4)"), "the layout stands in the file: {words}");
    assert_eq!(saved[4], true);
    assert_eq!(saved[5], labels);
    // The frame and the indices, whose stroke is the style sheet's, were lost once.
    assert_eq!(saved[6], true);
    let in_file = browser.picture_of(
        // The rectangle that the browser gives for an inner <svg> is that of its strokes.
        "(({ x, y, width, height }) => ({ x: x.baseVal.value, y: y.baseVal.value, \
         width: width.baseVal.value, height: height.baseVal.value }))(document.querySelector('svg svg'))",
    );
    let difference = browser.difference(&in_page, &in_file);
    // A narrow page draws it smaller, with other edges of strokes.
    assert!(difference < 0.015, "the saved picture differs in {difference} of the pixels");
    // The comparison sees what it should: labels that are missing.
    assert!(browser.difference(&unlabelled, &in_file) > 0.05);
}

#[test]
fn controls_answer_to_keys() {
    let (browser, _downloads) = browser(1280);
    browser.open(&url(GALLERY_PAGE));
    let node = figure(FIGURE);
    let find = |selector: &str| format!("{node}.querySelector(\"{selector}\")");
    browser.run(&format!("{}.focus()", find(".cute-view")));
    browser.keys(&format!("{RIGHT}{RIGHT}{DOWN}"));
    browser.wait(&find(".cute-cursor"));
    browser.wait(&format!("{}.textContent.startsWith('row 1, column 1:')", find(".cute-status")));
    browser.keys(ENTER);
    browser.wait(&find(".cute-veil"));
    browser.keys(ESCAPE);
    browser.wait(&format!("!{}", find(".cute-veil")));
    browser.keys("+");
    browser.wait(&format!("{node}.classList.contains('cute-zoomed')"));
    browser.keys("0");
    browser.wait(&format!("!{node}.classList.contains('cute-zoomed')"));
    browser.keys("f");
    browser.wait("document.querySelector('dialog[open] figure')");
    browser.keys(ESCAPE);
    browser.wait("!document.querySelector('dialog')");
    // Buttons and the menu are ordinary ones: Tab reaches them, Enter and Escape work.
    browser.run(&format!("{}.focus()", find(".cute-menu summary")));
    browser.keys(ENTER);
    browser.wait(&format!("{}.open", find(".cute-menu")));
    browser.keys(ESCAPE);
    browser.wait(&format!("!{}.open", find(".cute-menu")));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn links_lead_to_figures() {
    let (browser, _downloads) = browser(1280);
    let in_view = |id: &str| {
        format!(
            "{n} && {n}.getBoundingClientRect().top < innerHeight && {n}.getBoundingClientRect().bottom > 0",
            n = figure(id)
        )
    };
    browser.open(&url(&format!("{GALLERY_PAGE}#tv-32x4")));
    browser.wait(&in_view("tv-32x4"));
    browser.open(&url(&format!("{GALLERY_PAGE}?t=5#{FIGURE}")));
    browser.wait(&format!("{}.querySelector('.cute-veil')", figure(FIGURE)));
    for key in ["tv-2-(2,3):(3,1)-(2,2):(2,1)", "tv-2-(2,%203):(3,1)-(2,2):(2,%201)"] {
        browser.open(&url(&format!("gallery/index.html?key={key}")));
        browser.wait(&format!(
            "location.pathname.endsWith('{GALLERY_PAGE}') && {}",
            in_view("tv-4x6")
        ));
    }
    for line in ["%0A", "\\n"] {
        browser.open(&url(&format!(
            "gallery/index.html?key=zipped_divide-(12,32):(32,1)-3:4{line}8:4"
        )));
        browser.wait(&in_view("zipped-divide-12x32-interleaved"));
    }
    browser.open(&url("gallery/index.html?key=layout-(3,5):(7,11)"));
    browser.wait("document.querySelector('main [role=alert]')");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn everything_is_there_without_scripts() {
    let (browser, _downloads) = browser(1280);
    browser.cdp("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    browser.open(&url(GALLERY_PAGE));
    let found = browser.run(&format!(
        "const d = {}; const [labels, facts] = [d.querySelector('foreignObject span'), d.querySelector('.cute-facts')]; \
         const source = document.querySelector('.cute-source'); facts.open = source.open = true; \
         return [d.querySelectorAll('svg path').length > 3, !!d.querySelector('figcaption').textContent, \
         !d.querySelector('.cute-bar'), getComputedStyle(labels, '::before').content.includes('T0'), \
         facts.innerText.includes('threads: '), facts.querySelector(':scope > script').offsetHeight > 100, \
         source.innerText.includes('```cute')]",
        figure(FIGURE)
    ));
    // Labels and facts are shown by the style sheet, a line for each fact.
    assert_eq!(found, json!([true, true, true, true, true, true, true]));
}

#[test]
fn every_page_opens_without_a_complaint_and_fits_a_telephone() {
    let (browser, _downloads) = browser(360);
    for page in pages() {
        if page.ends_with("404.html") || page.contains("toc") {
            continue;
        }
        browser.open(&url(&page));
        assert_eq!(browser.complaints(), [""; 0], "{page}");
        let wide = browser.run("return document.scrollingElement.scrollWidth - innerWidth");
        assert!(wide.as_f64().unwrap() <= 0.0, "{page} is {wide} px too wide");
    }
}

#[test]
fn axe_finds_nothing() {
    let Some(axe) = std::env::var_os("AXE") else {
        panic!("AXE names no file: install axe-core and set it to axe.min.js, as .ci/run does")
    };
    let axe = fs::read_to_string(axe).unwrap();
    let (browser, _downloads) = browser(1280);
    for page in [GALLERY_PAGE, CHAPTER, "gallery/index.html"] {
        for theme in ["light", "navy"] {
            browser.open(&url(page));
            set_theme(&browser, theme);
            browser.run(&axe);
            let violations = browser.run(
                "return axe.run({ include: [['figure.cute'], ['.cute-index'], ['.cute-source']].filter(([s]) => document.querySelector(s)) }, \
                 { resultTypes: ['violations'] }).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + n.failureSummary).join(' | ')))",
            );
            assert_eq!(violations, json!([]), "{page} {theme}");
        }
    }
}

/// Returns the pages of the site.
fn pages() -> Vec<String> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                out.push(path);
            }
        }
    }
    let mut out = Vec::new();
    walk(site(), &mut out);
    let mut pages: Vec<String> = out
        .iter()
        .map(|path| path.strip_prefix(site()).unwrap().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    pages
}

/// Returns the values of an attribute in a page, outside scripts.
fn values<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    let start = format!(" {attribute}=\"");
    page.match_indices(&start)
        .filter_map(|(at, found)| page[at + found.len()..].split('"').next())
        .collect()
}

#[test]
fn every_internal_link_resolves() {
    let text: BTreeMap<String, String> = pages()
        .into_iter()
        .map(|page| {
            let text = fs::read_to_string(site().join(&page)).unwrap();
            (page, text)
        })
        .collect();
    let ids: BTreeMap<&String, BTreeSet<&str>> =
        text.iter().map(|(page, text)| (page, values(text, "id").into_iter().collect())).collect();
    let mut broken = Vec::new();
    let mut followed = 0;
    for (page, html) in &text {
        // Its links are absolute from the root of whatever server shows it.
        if page == "404.html" {
            continue;
        }
        for href in values(html, "href") {
            if href.contains("://") || href.starts_with("mailto:") || href.starts_with("data:") {
                continue;
            }
            let (path, id) = href.split_once('#').unwrap_or((href, ""));
            let target = if path.is_empty() { page.clone() } else { join(page, path) };
            let exists = text.contains_key(&target) || site().join(&target).exists();
            let anchored = id.is_empty() || ids.get(&target).is_some_and(|ids| ids.contains(id));
            followed += 1;
            if !exists || !anchored {
                broken.push(format!("{page}: {href}"));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
    assert!(followed > 100, "{followed}");
}

/// Returns the page that a relative address names.
fn join(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.ends_with('/') || joined.is_empty() { format!("{joined}/index.html") } else { joined }
}
