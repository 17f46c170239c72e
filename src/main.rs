//! The program `mdbook-cute`; see [`mdbook_cute::cli`].

fn main() -> std::process::ExitCode {
    mdbook_cute::cli::run()
}
