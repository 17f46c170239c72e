//! Runs the program: the protocol with mdBook, exit codes, and each command once.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mdbook-cute"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end without reading everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn chapter(content: &str) -> Value {
    json!({"Chapter": {
        "name": "A", "content": content, "number": [1], "sub_items": [],
        "path": "a.md", "source_path": "a.md", "parent_names": [],
    }})
}

fn context(version: &str, table: Value) -> Value {
    json!({
        "root": "/nonexistent",
        "config": {"book": {"src": "src"}, "preprocessor": {"cute": table}},
        "renderer": "html",
        "mdbook_version": version,
    })
}

fn input(version: &str, table: Value, content: &str) -> String {
    json!([context(version, table), {"items": [chapter(content)]}]).to_string()
}

const BLOCK: &str = "```cute layout id=\"x\"\n(4,8):(8,1)\n```\n";
const WRONG: &str = "# A\n\n```cute\n(4,8):(8,1\n```\n\n```cute mma\n```\n";

#[test]
fn every_renderer_but_the_test_is_supported() {
    for (renderer, code) in [("html", 0), ("markdown", 0), ("typst", 0), ("test", 1)] {
        let output = run(&["supports", renderer], "");
        assert_eq!(output.status.code(), Some(code), "{renderer}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    }
}

#[test]
fn a_book_goes_through_standard_input_and_output() {
    let output = run(&[], &input("0.5.4", json!({"after": ["links"]}), BLOCK));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let book: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let content = book["items"][0]["Chapter"]["content"].as_str().unwrap();
    assert!(content.starts_with("<!--cute--><figure"), "{content}");
    assert!(content.ends_with("</figure>\n"), "{content}");
}

#[test]
fn a_book_without_blocks_comes_back_equal() {
    let given = json!({"items": [
        chapter("# A\n\n\\*text\\*"), "Separator", {"PartTitle": "P"},
        {"Chapter": {"name": "Draft", "content": "", "number": null, "sub_items": [chapter("")],
                     "path": null, "source_path": null, "parent_names": []}},
    ]});
    let output = run(&[], &json!([context("0.5.4", json!({})), given]).to_string());
    assert_eq!(serde_json::from_str::<Value>(&stdout(&output)).unwrap(), given);
}

#[test]
fn other_minor_versions_draw_one_warning() {
    for (version, warnings) in
        [("0.5.0", 0), ("0.5.4", 0), ("0.5.99", 0), ("0.6.0", 1), ("1.0.0", 1), ("garbage", 1)]
    {
        let output = run(&[], &input(version, json!({}), BLOCK));
        assert_eq!(output.status.code(), Some(0), "{version}");
        assert_eq!(stderr(&output).lines().count(), warnings, "{version}: {}", stderr(&output));
        assert!(stdout(&output).contains("figure"), "{version}");
    }
}

#[test]
fn an_old_host_is_told_what_it_needs() {
    let old = json!([context("0.4.52", json!({})), {"sections": [], "__non_exhaustive": null}]);
    let output = run(&[], &old.to_string());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("needs mdBook 0.5 or newer"), "{}", stderr(&output));
}

#[test]
fn what_is_no_book_is_refused() {
    let output = run(&[], "hello");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("mdbook-cute build"), "{}", stderr(&output));
}

#[test]
fn wrong_blocks_fail_after_all_were_told_and_leave_standard_output_empty() {
    let output = run(&[], &input("0.5.4", json!({}), WRONG));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let text = stderr(&output);
    let first = text.find("block 1, body line 1: error").expect(&text);
    let second = text.find("block 2, info line: error").expect(&text);
    assert!(first < second);
    assert!(text.contains("^"));
}

#[test]
fn wrong_blocks_become_boxes_if_asked() {
    let table = json!({"on-failure": "continue"});
    let output = run(&[], &input("0.5.4", table, WRONG));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).matches("cute-error").count(), 2);
    assert!(stderr(&output).contains("unknown figure kind `mma`"));
}

#[test]
fn wrong_configuration_names_the_key() {
    let output = run(&[], &input("0.5.4", json!({"on_failure": "continue"}), BLOCK));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("on_failure"), "{}", stderr(&output));
}

#[test]
fn eval_goes_on_after_an_error() {
    let output = run(&["eval", "--json", "--values", "2"], "(4,8):(8,1)\n(4,8\nsize((4,8))\n");
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["result"], "(4,8):(8,1)");
    assert_eq!(lines[0]["values"], json!([0, 8]));
    assert!(lines[1]["error"].is_string() && lines[1]["span"].is_array());
    assert_eq!(lines[2]["value"], 32);

    let output = run(&["eval", "complement((2,2):(1,4), 16)"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "(2,2):(2,8)\n");
}

#[test]
fn facts_go_on_after_an_error() {
    let lines = [
        r#"{"kind": "layout", "id": "a", "layout": "(4,8):(8,1)"}"#,
        r#"{"kind": "layout", "layout": "(4,8):(8,1"}"#,
        r#"{"kind": "layout", "layout": "(4,8)", "shwo": "value"}"#,
        "nonsense",
        r#"{"kind": "layout", "layout": "8:2"}"#,
    ];
    let output = run(&["facts"], &lines.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    let found: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["kind"], "layout");
    assert_eq!(found[0]["id"], "a");
    assert_eq!(found[0]["facts"]["size"], 32);
    assert_eq!(found[1]["key"], "layout");
    assert!(found[1]["error"].is_string() && found[1]["span"].is_array());
    assert_eq!(found[2]["key"], "shwo");
    assert!(found[3]["error"].is_string());
    assert_eq!(found[4]["facts"]["size"], 8);
}

/// Each of these once took the process down or ran for seconds: an allocation for all coordinates
/// of a tensor far larger than its tile, an owner for each of 2^43 values, a slice past its end.
#[test]
fn facts_take_extreme_figures() {
    const TV: &str = r#""kind": "tv", "thr": "(4,8):(8,1)", "val": "(2,2):(2,1)", "dtype": "f16""#;
    const COPY: &str = r#""kind": "copy", "op": "tv", "atom": "CopyUniversalOp", "dtype": "f16""#;
    let huge = "(1048576,1048576):(1,1048576)";
    let lines = [
        format!(r#"{{{TV}, "gmem": "{huge}"}}"#),
        format!(r#"{{{TV}, "smem": "{huge}"}}"#),
        format!(r#"{{{COPY}, "thr": "{huge}", "val": "(1,8)"}}"#),
        format!(r#"{{{COPY}, "thr": "(32,4)", "val": "{huge}"}}"#),
        r#"{"kind": "cutlass", "type": " ", "extent": "(4,8)", "ldm": "8"}"#.to_owned(),
    ];
    let output = run(&["facts"], &lines.join("\n"));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let found: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), lines.len());
    assert!(found[0]["facts"]["sectors"].is_number(), "{}", found[0]);
    assert!(found[1]["facts"]["max-ways"].is_number(), "{}", found[1]);
    assert_eq!((&found[2]["code"], &found[2]["key"]), (&json!("size"), &json!("thr")));
    assert_eq!((&found[3]["code"], &found[3]["key"]), (&json!("size"), &json!("val")));
    assert_eq!(found[4]["code"], "cutlass-type");
}

#[test]
fn render_writes_every_format() {
    let dir = tempfile::tempdir().unwrap();
    for (extension, start) in [
        ("svg", "<svg"),
        ("html", "<figure"),
        ("json", "{"),
        ("tex", "\\documentclass"),
        ("txt", "(4,8):(8,1)\n"),
        ("png", "\u{fffd}PNG"),
    ] {
        let file = dir.path().join(format!("x.{extension}"));
        let output = run(&["render", "layout", "(4,8):(8,1)", "-o", file.to_str().unwrap()], "");
        assert_eq!(output.status.code(), Some(0), "{extension}: {}", stderr(&output));
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.len() > 50, "{extension}");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with(start), "{extension}: {}", &text[..40]);
    }
    let output =
        run(&["render", "layout", "4:1", "-o", dir.path().join("x.gif").to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains(".svg"));
}

#[test]
fn render_finds_a_block_by_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.md");
    std::fs::write(&file, format!("# A\n\n{BLOCK}\n```cute id=y\n(2,2\n```\n")).unwrap();
    let block = |id: &str| format!("{}#{id}", file.to_str().unwrap());
    let output = run(&["render", "--block", &block("x"), "-o", "-", "--format", "json"], "");
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["facts"]["size"], 32);
    let output = run(&["render", "--block", &block("y"), "-o", "-"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("a.md:8:"), "{}", stderr(&output));
    let output = run(&["render", "--block", &block("z"), "-o", "-"], "");
    assert!(stderr(&output).contains("its ids are `x`, `y`"), "{}", stderr(&output));
}

#[test]
fn build_makes_a_site_and_says_where() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    std::fs::write(
        dir.path().join("book.toml"),
        "[preprocessor.cute]\ncommand = \"nonexistent\"\n",
    )
    .unwrap();
    std::fs::write(dir.path().join("src/SUMMARY.md"), "- [A](a.md)\n").unwrap();
    std::fs::write(dir.path().join("src/a.md"), BLOCK).unwrap();
    let output = run(&["build", dir.path().to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(stdout(&output).trim()).unwrap();
    assert!(page.contains("<svg") && page.contains("id=\"x\""));
}

/// `a.md:4:7` led nowhere: the file is `src/a.md`, seen from wherever the command runs.
#[test]
fn messages_name_files_from_the_working_directory() {
    let dir = tempfile::tempdir().unwrap();
    let book = dir.path().join("book");
    std::fs::create_dir_all(book.join("src")).unwrap();
    let toml = "[preprocessor.cute]\ngallery = \"../gallery.toml\"\n";
    std::fs::write(book.join("book.toml"), toml).unwrap();
    std::fs::write(book.join("src/SUMMARY.md"), "- [A](a.md)\n").unwrap();
    std::fs::write(book.join("src/a.md"), WRONG).unwrap();
    let gallery = "[[section]]\nslug = \"s\"\n[[section.figure]]\nlayout = \"(4\"\n";
    std::fs::write(dir.path().join("gallery.toml"), gallery).unwrap();
    for (work, argument, prefix, gallery) in [
        (dir.path(), "book", "book/", "gallery.toml"),
        (&book, ".", "", "../gallery.toml"),
        (&book.join("src"), "..", "../", "../../gallery.toml"),
    ] {
        let program = env!("CARGO_BIN_EXE_mdbook-cute");
        let output =
            Command::new(program).args(["check", argument]).current_dir(work).output().unwrap();
        let text = stderr(&output);
        for place in [format!("{prefix}src/a.md:4:7"), format!("{gallery}:4:11")] {
            assert!(
                text.lines().any(|line| line.starts_with(&format!("{place}: error"))),
                "{text}"
            );
        }
    }
}

/// Some messages had a code and `= help:`, others neither and the hint in brackets.
#[test]
fn messages_have_one_form() {
    let block = "{\"sections\": []}";
    let old = format!("[{}, {block}]", context("0.4.52", json!({})));
    for (args, input) in [
        (vec!["render", "layuot", "(4,8)", "-o", "-"], ""),
        (vec!["render", "layout", "(4,8)", "captoin=x", "-o", "-"], ""),
        (vec!["render", "layout", "(4,8", "-o", "-"], ""),
        (vec!["render", "divide", "-o", "-"], ""),
        (vec!["render", "divide", "(4,8)", "-o", "-"], ""),
        (vec!["eval", "(4,8"], ""),
        (vec!["key", "?key=layuot-4:1"], ""),
        (vec!["key", "?key=tv-1"], ""),
        (vec![], old.as_str()),
    ] {
        let text = stderr(&run(&args, input));
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains("error[") && first.contains("]: "), "{args:?}: {text}");
        assert!(!first.ends_with(')') && text.contains("= help: "), "{args:?}: {text}");
    }
}

/// What a message quotes may come from anybody.
#[test]
fn no_control_characters_reach_the_terminal() {
    let hostile = "\u{1b}[31m\u{9b}31m\u{202e}\u{7}";
    let link = format!("?key=layout-{hostile}");
    let block = format!("```cute layout\n(4{hostile}\n```\n\n```cute {hostile}\n```\n");
    for (args, input) in [
        (vec!["eval", &format!("(4{hostile}")], String::new()),
        (vec!["render", "layout", hostile, "-o", "-"], String::new()),
        (vec!["render", hostile, "-o", "-"], String::new()),
        (vec!["key", &link], String::new()),
        (vec![], input("0.5.4", json!({"on-failure": "continue"}), &block)),
        (vec![], input(&format!("0.6.{hostile}"), json!({}), BLOCK)),
    ] {
        let output = run(&args, &input);
        let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!stderr(&output).is_empty() && !stderr(&output).contains(bad), "{args:?}");
        assert!(args.is_empty() || !stdout(&output).contains(bad), "{args:?}");
    }
    let output =
        run(&[], &input("0.5.4", json!({"on-failure": "continue"}), "```cute \0\u{1}x\n```\n"));
    let book: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let page = book["items"][0]["Chapter"]["content"].as_str().unwrap();
    assert!(page.contains("cute-error") && !page.contains(['\0', '\u{1}']), "{page}");
}

#[test]
fn help_shows_examples_and_misuse_is_two() {
    let output = run(&["--help"], "");
    assert!(stdout(&output).contains("Examples:"));
    assert_eq!(run(&["eval", "--nonsense"], "").status.code(), Some(2));
    assert!(stdout(&run(&["--version"], "")).starts_with("mdbook-cute 0."));
}
