//! Any chapter is a page: a figure or a box for each block, and everything else as it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mdbook_cute::book::Cute;
use mdbook_cute::book::config::markdown_options;
use mdbook_cute::book::scan::scan_chapter;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::config::Config;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use std::path::PathBuf;
use std::str::FromStr;

fuzz_target!(|text: &str| {
    let config = "[preprocessor.cute]\non-failure = \"continue\"\n";
    let config = Config::from_str(config).expect("the configuration is valid");

    let scan = scan_chapter(text, &markdown_options(&config));
    let mut end = 0;
    for block in &scan.blocks {
        assert!(end <= block.range.start && text.get(block.range.clone()).is_some());
        assert!(text[block.info_at..].starts_with(&block.info));
        end = block.range.end;
    }
    for link in &scan.links {
        assert!(text.get(link.range.clone()).is_some());
    }

    // No file is there: a place is that of the page.
    let root = PathBuf::from("no-such-directory");
    let context = PreprocessorContext::new(root, config, "html".to_owned());
    let chapter = Chapter::new("Fuzz", text.to_owned(), "fuzz.md", Vec::new());
    let book = Book::new_with_items(vec![BookItem::Chapter(chapter)]);
    let cute = Cute::new(|message| assert!(!message.is_empty()));
    let book = cute.run(&context, book).expect("a wrong figure is a box");
    let page = book.chapters().next().expect("the chapter is still there");
    if scan.blocks.is_empty() && scan.links.is_empty() {
        assert_eq!(page.content, text);
    }
});
