//! Any bytes are a gallery, or faults with a place inside of the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mdbook_cute::book::gallery_file::GalleryFile;
use mdbook_cute::book::limits::bounded;
use mdbook_cute::book::paths::FileName;
use mdbook_cute::book::report::report;
use mdbook_cute::diagnostic::{Diagnostic, Span};
use mdbook_cute::figure::{Part, Problem};
use std::collections::BTreeSet;

fuzz_target!(|bytes: &[u8]| {
    let file = match GalleryFile::read(FileName::from("gallery.toml"), bytes.to_vec()) {
        Ok(file) => file,
        Err(faults) => {
            assert!(!faults.is_empty());
            for (place, fault) in &faults {
                assert!(!report(place, fault.length, &fault.diagnostic).is_empty());
            }
            return;
        }
    };
    let mut slugs = BTreeSet::new();
    for section in &file.gallery.sections {
        assert!(!section.slug.is_empty() && slugs.insert(&section.slug));
    }
    for order in file.gallery.figures() {
        let order = bounded(order.clone(), 0);
        for (at, entry) in order.spec.entries.iter().enumerate() {
            let diagnostic = Diagnostic::error("fuzz", "x").at(Span::new(0, entry.value.len()));
            for part in [Part::Key(at), Part::Value(at)] {
                let fault = order.fault(Problem { part, diagnostic: diagnostic.clone() });
                let _ = report(&file.place(fault.pos), fault.length, &fault.diagnostic);
            }
        }
    }
});
