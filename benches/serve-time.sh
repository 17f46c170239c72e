#!/usr/bin/env bash
# Serves our book with mdBook and edits one block, ten times; then the same pages with a line of text in
# place of every figure, which is what mdBook itself needs. Fails if the first takes more than 1.3 times
# the second (means, from the edit until the page in the site has it). Needs mdbook 0.5 on the PATH
# (cargo install mdbook); MDBOOK_CUTE names a program to measure instead of a new release build.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${MDBOOK_CUTE:-}
if [ -z "$program" ]; then
    cargo build --release
    program=$PWD/target/release/mdbook-cute
fi
work=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT
mkdir "$work/bin" "$work/plain"
ln -s "$program" "$work/bin/mdbook-cute"
PATH=$work/bin:$PATH

cp gallery.toml "$work/gallery.toml"
cp -rL book "$work/figures"
rm -rf "$work/figures/site"

# The same pages without figures: mdBook's Markdown of the book, gallery included, with text for each block.
cp -r "$work/figures" "$work/markdown"
sed -i '/^\[output.html\]/,$d' "$work/markdown/book.toml"
printf '[preprocessor.cute.mode]\nmarkdown = "keep"\n[output.markdown]\n' >>"$work/markdown/book.toml"
mdbook build "$work/markdown" >/dev/null 2>&1
cp -r "$work/markdown/site" "$work/plain/src"
find "$work/plain/src" -name '*.md' -exec sed -i \
    -e '/^ *```cute/,/^ *```$/c A figure stood here.' -e 's/](cute:[^)]*)/](#)/g' {} +
printf '[book]\ntitle = "plain"\n[build]\nbuild-dir = "site"\n' >"$work/plain/book.toml"
gallery=$(cd "$work/plain/src" && printf '  - [%s](%s)\\n' $(for page in gallery/*.md; do
    [ "$page" = gallery/index.md ] || echo "$page" "$page"
done))
sed "s|^\(.*\)\[Gallery\]()|\1[Gallery](gallery/index.md)\n${gallery%\\n}|" book/src/SUMMARY.md >"$work/plain/src/SUMMARY.md"

now() { date +%s%N; }

# Waits until a file holds a text.
holds() {
    until grep -qF "$2" "$1" 2>/dev/null; do
        if ! kill -0 "$server" 2>/dev/null; then cat "$work/log" >&2; exit 1; fi
        sleep 0.01
    done
}

# Sets `mean` to that of ten edits in milliseconds. $1: the book; $2: what to replace in the chapter on
# layouts; $3: what to put there, up to the number of the round.
measure() {
    local chapter=$work/$1/src/layouts.md page=$work/$1/site/layouts.html text from times=0 round
    : >"$work/log"
    mdbook serve "$work/$1" --port 34571 >"$work/log" 2>&1 &
    server=$!
    holds "$work/log" 'Watching'
    text=$(cat "$chapter")
    for round in {1..10}; do
        # mdBook looks for changes a second after it has written a book, and once a second from then on;
        # the rounds meet it at ten phases, the same for both books.
        until [ "$(grep -c 'HTML book written' "$work/log")" -ge "$round" ]; do sleep 0.01; done
        sleep "$(awk -v round="$round" 'BEGIN { print 1.95 + round / 10 }')"
        from=$(now)
        printf '%s\n' "${text/"$2"/"$3$round"}" >"$chapter"
        holds "$page" "Edited $round"
        times=$((times + ($(now) - from) / 1000000))
    done
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
    mean=$((times / 10))
}

measure figures 'caption="(4,8):(8,1)' 'caption="Edited '
figures=$mean
measure plain 'A figure stood here.' 'Edited '
plain=$mean
echo "our book          $figures ms"
echo "without figures   $plain ms"
awk -v a="$figures" -v b="$plain" 'BEGIN { printf "ratio             %.2f\n", a / b; exit !(a <= 1.3 * b) }'
