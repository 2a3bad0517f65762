#!/usr/bin/env bash
# Writes tests/text/golden/packed: a text that tests/text/byte_stream_test.cpp knows, packed by gzip and zstd.
#
#   scripts/golden/packed.sh      needs gzip, zstd, awk
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../tests/text/golden/packed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "word%d O\n%s", (i * i) % 977, i % 7 == 6 ? "\n" : "" }' >"$work/text"
head -n 44 "$work/text" >"$work/short"
head -n 100 "$work/text" >"$work/1"
sed -n '101,30003p' "$work/text" >"$work/2"
sed -n '30004,$p' "$work/text" >"$work/3"

gzip -n9 <"$work/text" >one.gz
gzip -n <"$work/short" >short.gz
gzip -n </dev/null >empty.gz
{ gzip -n "$work/1" -c; gzip -n </dev/null; gzip -n1 <"$work/2"; gzip -n "$work/3" -c; } >members.gz
{ cat short.gz; head -c 700 /dev/zero; } >padded.gz

zstd -q19 <"$work/text" >one.zst
zstd -q --check <"$work/short" >short.zst
zstd -q </dev/null >empty.zst
skipped() { printf "\\x5$1"'\x2a\x4d\x18\x05\0\0\0entry'; } # a frame without content
{ skipped 0; zstd -qc "$work/1"; skipped f; zstd -q </dev/null; zstd -q1 --no-check <"$work/2"; zstd -qc "$work/3"; } >frames.zst
zstd -q --long=28 <"$work/short" >wide.zst
split -l 20 "$work/text" "$work/part-"
zstd -q --train "$work"/part-* -o "$work/words" --maxdict=1024
zstd -q -D "$work/words" <"$work/short" >dictionary.zst
