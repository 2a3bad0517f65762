#!/bin/sh
# Plants one violation of each rule in a copy of the embedded corpus and demands that scripts/check/corpus.sh names it, with its place.
# Also: the corpus as committed is clean, and building it twice gives the same bytes.
#
#   tests/corpus/check_corpus_test.sh [DATA]     DATA: the corpus to copy (default: examples/data)
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../scripts
data=${1:-$here/../../examples/data}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cases=0
failures=0

fail() { # NAME WHY
  echo "FAIL $1: $2"
  sed 's/^/    /' "$root/said" | tail -n 8
  failures=$((failures + 1))
}

# A fresh copy in $root/data. The next lines of the caller damage it.
fresh() {
  rm -rf "$root/data"
  mkdir -p "$root/data"
  cp -R "$data/source" "$root/data/source"
  cp "$data/train.conll" "$data/dev.conll" "$data/test.conll" "$root/data/"
  source=$root/data/source
}

rebuild() { "$scripts/generate/build_corpus.sh" "$root/data"; }

# demand NAME PATTERN: the checker exits with 1 and one of its lines matches the basic regular expression PATTERN.
demand() {
  cases=$((cases + 1))
  code=0
  "$scripts/check/corpus.sh" "$root/data" >"$root/said" 2>&1 || code=$?
  if [ $code != 1 ]; then
    fail "$1" "exit code $code, expected 1"
  elif ! grep -q "$2" "$root/said"; then
    fail "$1" "no line matches '$2'"
  fi
}

# The line number that a line appended to FILE will get.
next_line() { awk 'END { print NR + 1 }' "$1"; }

# change FILE AWK_PROGRAM: rewrite a file of the copy.
change() {
  awk "$2" "$1" >"$root/changed"
  mv "$root/changed" "$1"
}

# --- the corpus as it is ------------------------------------------------------------------------------------------

fresh
cases=$((cases + 1))
if ! "$scripts/check/corpus.sh" "$root/data" >"$root/said" 2>&1; then fail "clean corpus" "the checker found violations"; fi
cases=$((cases + 1))
sed '$d' "$root/said" | while read -r counted; do
  grep -qF "    $counted" "$data/README.md" || { echo "$counted" >"$root/missing"; break; }
done
if [ -f "$root/missing" ]; then fail "counts in README.md" "it does not have the line '$(cat "$root/missing")'; copy the counts from scripts/check/corpus.sh"; fi

fresh
cases=$((cases + 1))
"$scripts/generate/build_corpus.sh" "$root/data" "$root/again" >"$root/said" 2>&1
for file in train.conll dev.conll test.conll; do
  cmp -s "$root/data/$file" "$root/again/$file" || fail "build twice" "$file differs from the committed one"
done

fresh
rm "$source"/*.txt
cases=$((cases + 1))
if "$scripts/generate/build_corpus.sh" "$root/data" >"$root/said" 2>&1; then fail "build of nothing" "exit code 0, expected 1"
elif ! grep -q "no .txt file found, expected at least one" "$root/said"; then fail "build of nothing" "the message does not say so"; fi

# --- the source ---------------------------------------------------------------------------------------------------

# planted NAME SENTENCE PATTERN: append one sentence to mail.txt; the checker must name that line.
planted() {
  fresh
  line=$(next_line "$source/mail.txt")
  printf '%s\n' "$2" >>"$source/mail.txt"
  rebuild
  demand "$1" "^source/mail.txt:$line: .*$3"
}

planted "unknown type"        "We flew over [GPE Porto] by dawn ."           "bracket out of place"
planted "nested entity"       "Ring [ORG Bank of [LOC Porto] ] by dawn ."    "bracket out of place"
planted "unclosed entity"     "We flew over [LOC Porto by dawn ."            "without its end"
planted "stray bracket"       "We flew over Porto ] by dawn ."               "bracket out of place"
planted "empty entity"        "We flew over [LOC ] by dawn ."                "bracket out of place"
planted "double space"        "We flew  over dawn ."                         "double space"
planted "space at the end"    "We flew over dawn . "                         "space at an end"
planted "tab"                 "$(printf 'We flew\tover dawn .')"             "a tab"
planted "carriage return"     "$(printf 'We flew over dawn .\r')"            "carriage return"
planted "glued possessive"    "We flew over [LOC Porto's] dawn ."            "as a token of its own"
planted "glued comma"         "We flew, over dawn ."                         "its punctuation as a token"
planted "glued quote"         'We "flew over dawn .'                         "its punctuation as a token"

# The same skeleton with other names, and in other letter case.
fresh
echo 'My [MISC Welsh] uncle whistles at [LOC Porto] .' >>"$source/news.txt"
line=$(next_line "$source/reports.txt")
echo 'my [MISC Danish] uncle WHISTLES at [LOC Addis Ababa] .' >>"$source/reports.txt"
rebuild
demand "repeated skeleton" "^source/reports.txt:$line: found the skeleton \"my <MISC> uncle whistles at <LOC> .\" of source/news.txt"

# A 5-gram in three sentences is allowed, in a fourth it is not; twice in one sentence counts once.
fresh
echo 'Purple herons beat [ORG Copper] often , purple herons beat [ORG Anvil] often .' >>"$source/chat.txt"
echo 'Sometimes purple herons beat [ORG Orchard] often .' >>"$source/chat.txt"
echo 'Purple herons beat [ORG Adler & Vogt] often !' >>"$source/news.txt"
rebuild
cases=$((cases + 1))
"$scripts/check/corpus.sh" "$root/data" >"$root/said" 2>&1 || true
if grep -q "5-gram" "$root/said"; then fail "5-gram three times" "reported, expected to be allowed"; fi
line=$(next_line "$source/reviews.txt")
echo 'In May , purple herons beat [ORG Sentry] often .' >>"$source/reviews.txt"
rebuild
demand "5-gram four times" "^source/reviews.txt:$line: found the masked 5-gram \"purple herons beat <ORG> often\" of source/chat.txt"

fresh
rm "$source/minutes.txt"
rebuild
demand "missing genre" "^source/minutes.txt:1: no such file or nothing in it, expected the genre minutes"

fresh
for file in "$source"/*.txt; do change "$file" 'FNR <= 60'; done
rebuild
demand "too few sentences" "^source:1: found [0-9]* sentences, expected at least 600"

# Each hard thing: take it away everywhere, and the count must be missed.
# without THING AWK_PROGRAM
without() {
  fresh
  for file in "$source"/*.txt; do change "$file" "$2"; done
  rebuild
  demand "no $1" "^source:1: found [0-9]* sentences with $1, expected at least"
}
without no-entity         '/\[/ || /^#( |$)/'
without one-token         'NF != 1 && !/^\[[A-Z]+ [^ ]+\]$/'
without emoji             '!/[\360\342]/'
without lower-case-entity '!/\[[A-Z]+ [^]A-Z]*\]/'
without all-caps          '/[a-z]/'
without hyphen            '!/[^ ]-[^ ]/'
without quote             '{ gsub(/"/, "--"); gsub(/ \047 /, " -- "); print }'
without nested-commas     '!/,.*,/'
without initials          '!/[A-Z][.]/'
without number            '!/[0-9]/'
without link-or-handle    '!/[@#]/ && !/:\/\//'
without long              'NF < 40'

fresh
for file in "$source"/*.txt; do change "$file" '!/(Porto|Bergen|Wexley|Wells|Lincoln|LINCOLN|Paris|Jordan|Florence|Preston|Hull|Georgia|Chad|Harbour)/'; done
rebuild
demand "no ambiguous names" "^source:1: found [0-9]* names of two types, expected at least 10"

# --- the splits ---------------------------------------------------------------------------------------------------

# retagged NAME AWK_PROGRAM PATTERN: damage dev.conll; FS and OFS are TAB. The first entity of the file is the place.
first_entity=$(awk -F '\t' '$2 ~ /^B-/ { print NR; exit }' "$data/dev.conll")
retagged() {
  fresh
  change "$root/data/dev.conll" "BEGIN { FS = OFS = \"\\t\" } $2 { print }"
  demand "$1" "^dev.conll:$first_entity: $3"
}
retagged "unknown tag"      "NR == $first_entity { \$2 = \"B-GPE\" }"             'found the tag "B-GPE", expected O'
retagged "tag without type" "NR == $first_entity { \$2 = \"B\" }"                 'found the tag "B", expected O'
retagged "I without B"      "NR == $first_entity { sub(/^B/, \"I\", \$2) }"       'found I-[A-Z]* after O, expected B-'
retagged "one column"       "NR == $first_entity { \$0 = \$1 }"                   'found 1 columns, expected token TAB tag'
retagged "three columns"    "NR == $first_entity { \$0 = \$1 OFS \"NN\" OFS \$2 }" 'found 3 columns, expected token TAB tag'

fresh
change "$root/data/dev.conll" "BEGIN { FS = OFS = \"\\t\" } NR == $first_entity { \$2 = (\$2 == \"B-LOC\" ? \"B-ORG\" : \"B-LOC\") } { print }"
demand "splits differ from source" "^dev.conll:$first_entity: found .*, expected .*; run scripts/generate/build_corpus.sh"

fresh
echo >>"$root/data/test.conll"
demand "a line too many" "^test.conll:[0-9]*: found \"\", expected \"the end\""

fresh
change "$root/data/train.conll" '{ if (NR > 1) print last; last = $0 }'
demand "a line too few" "^train.conll:[0-9]*: found the end, expected \"\""

fresh
awk '{ print } $0 == "" { exit }' "$root/data/train.conll" >"$root/sentence"
line=$(next_line "$root/data/test.conll")
cat "$root/sentence" >>"$root/data/test.conll"
demand "sentence in two splits" "^test.conll:$line: found the sentence of train.conll:1, expected no sentence in two splits"

fresh
cat "$root/data/test.conll" >>"$root/data/train.conll"
demand "test entities all seen" "^test.conll:1: found 0 of [0-9]* distinct entities unseen in train, expected at least half"

fresh
rm "$root/data/dev.conll"
demand "missing split" "^dev.conll:1: no such file, expected the output of scripts/generate/build_corpus.sh"

echo "check_corpus_test: $cases cases, $failures failed"
[ $failures = 0 ]
