#!/usr/bin/env bash
# Loads a page of 20 labelled grids of 64 by 64 in Chromium, and the same page with one <rect> and one
# <text> a cell; fails if the first takes more than an eighth of the second. Needs chromium and
# chromedriver (Debian: chromium, chromium-driver).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build
cargo run -p browser-tests --bin load-time
