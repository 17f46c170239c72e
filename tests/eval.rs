//! The command `eval`, run as a program: lines in, lines out, exit code.

#![allow(clippy::unwrap_used, reason = "a program that does not start fails the test")]

use serde_json::Value as Json;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn eval(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mdbook-cute"))
        .arg("eval")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn objects(output: &Output) -> Vec<Json> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_bad_line_does_not_stop_the_next() {
    let output = eval(&[], b"(4,8):(8,1)\n4:1:2\n\xff\xfe\n\nsize((4,8))\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "(4,8):(8,1)\n32\n");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(messages.contains("a layout has one `:`"), "{messages}");
    assert!(messages.contains("line 2:1:4"), "{messages}");
}

#[test]
fn json_gives_one_object_a_line() {
    let output = eval(&["--json", "--values", "3"], b"4:2\n(4,8\ncomposition(A, 4)\n");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"expr":"4:2","kind":"layout","result":"4:2","shape":4,"stride":2,"rank":1,"depth":0,"size":4,"cosize":7,"values":[0,2,4],"warnings":[]}"#
    );
    assert_eq!(
        lines[1],
        r#"{"expr":"(4,8","error":"the `(` is never closed","code":"syntax","hint":"add `)`","span":[0,1]}"#
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn json_says_what_each_kind_is() {
    let expressions = [
        "size((4,8))",
        "is_congruent((1,2),(3,4))",
        "leading_dim(4:2)",
        "72 o (2,2):(16,1)",
        "make_layout_tv((2,2), (1,2))",
        "S<3,4,3> o 0 o (8,64):(64,1)",
        "logical_product((16,8,8):(1,16,128), <4:1,2:1>)",
        "((4,4):(1@0,1@1))(1,2)",
    ];
    let args: Vec<&str> = std::iter::once("--json").chain(expressions).collect();
    let output = eval(&args, b"");
    assert_eq!(output.status.code(), Some(0));
    let objects = objects(&output);
    assert_eq!(objects[0]["value"], 32);
    assert_eq!(objects[1]["value"], true);
    assert_eq!(objects[2]["value"], Json::Null);
    assert_eq!(objects[3]["offset"], 72);
    assert_eq!(objects[3]["layout"], "(2,2):(16,1)");
    assert_eq!(objects[3]["result"], "72 o (2,2):(16,1)");
    assert_eq!(objects[3]["values"], serde_json::json!([72, 88, 73, 89]));
    assert_eq!(objects[4]["items"][0]["value"], serde_json::json!([2, 4]));
    assert_eq!(objects[4]["items"][1]["kind"], "layout");
    assert_eq!(objects[5]["kind"], "composed");
    assert_eq!(objects[5]["values"].as_array().unwrap().len(), 512);
    assert_eq!(objects[6]["warnings"][0]["code"], "contract");
    assert_eq!(objects[7]["value"], serde_json::json!([1, 2]));
}
