#!/usr/bin/env bash
# Finds words that have a plainer equivalent, in README.md, CONTRIBUTING.md, CHANGELOG.md, docs/, dev, the comments and string literals of
# include/, the comments and names of test cases of tests/, and the comments of scripts/, cmake/ and CMakeLists.txt; and names that have been
# replaced, in include/. Prints file:line of each. Skips code blocks and `code` of .md files.
#
#   scripts/check/language.sh [ROOT]     ROOT has README.md, docs and include/entrain, and may have the rest (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
{
  ls README.md CONTRIBUTING.md CHANGELOG.md dev 2>/dev/null || true
  find docs -name '*.md'
  find include/entrain -type f
  find tests -name '*.[chi]pp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' 2>/dev/null || true
  find CMakeLists.txt tests scripts cmake -name '*.sh' -o -name '*.awk' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt 2>/dev/null || true
} | sort | xargs awk '
  # of a line of C++: its comment and its string literals of several words (one word is a key of a file), separated by blanks
  function comments_and_literals(line,  found, part) {
    while (match(line, /"([^"\\]|\\.)*"|\/\/.*/)) {
      part = substr(line, RSTART, RLENGTH)
      if (part ~ / /) found = found " " part
      line = substr(line, RSTART + RLENGTH)
    }
    return found
  }
  # of a line of a test: its comment and the name of a test case; `named` tells whether the name begins in this line
  function comments_and_cases(line,  found, named) {
    named = line ~ /^TEST_CASE/ || opens
    opens = line ~ /^TEST_CASE[A-Z_]*\($/ || (opens && line ~ /^ *"[^)]*$/)
    if (named) return comments_and_literals(line)
    gsub(/"([^"\\]|\\.)*"/, "", line)
    return match(line, /\/\/.*/) ? substr(line, RSTART) : ""
  }
  function comment_after_hash(line) { return match(line, /(^|[ \t])#[ !].*/) ? substr(line, RSTART) : "" }
  BEGIN {
    n = split("stands?:is|lies?:is stored, is|stood:was|on the way:while, in the same pass|behind:after|beside:with, next to, at the same time as|nobody:no caller, no kernel|hangs? on:depends on|goes on:continues, resumes|so many:n|anew:again", pairs, "|")
    for (i = 1; i <= n; ++i) { split(pairs[i], of, ":"); word[i] = "(^|[^A-Za-z0-9_`-])(" of[1] ")([^A-Za-z0-9_`-]|$)"; plain[i] = of[1] "\", expected: " of[2]; gsub(/\?/, "", plain[i]) }
  }
  BEGIN {
    names = split("SideLane:SideStream|Ascent:ForwardUpdates|Descent:BackwardHooks|can_be_held:supports_deferred_join|Site:RngStream|Wide:LabelMatrix|by_label:dynamic_labels|Segments:CsrIndex|Factor:MatmulWeight|twins:unknown_word_copies|EveryPiece:LabelAllTokens|LabelledByPiece:LabelAllTokens|Dropped:WithDropout|Tables:EmbeddingConfig|Material:TrainingData|MetOnTheWay:IngestStats|heritage:source_files|Talk:Console|Starvation:LoaderBottleneck|Answerer:PredictBackend|HeldCorpus:DeviceCorpus|FilledSizes:BucketSizes|Flat:ParameterView|Stretch:ParameterRange|ENTRAIN_PART:ENTRAIN_INLINE|Backlog:LazyRowUpdates|Deferred:LazyUpdate|queued_steps:async_optimizer|behind:after|HasOn:HasImpl|Unpacker:Decompressor|Packing:Compression|mend:repair_conll|mend_json:repair_json|Mended:Repaired|MendedCopies:RepairedCopies|Stretches:RowRanges|NormStretches:NormRanges|stretch:range|[a-z]+_on_the_way:fused_ranges, fuses_sums|SeenOnTheWay:UpdateIngestStats", pairs, "|")
    for (i = 1; i <= names; ++i) { split(pairs[i], of, ":"); old[i] = of[1]; new[i] = of[2] }
  }
  # One expression of all of them is tried first: gawk compiles an expression again whenever it changes.
  BEGIN {
    for (i = 1; i <= names; ++i) any_old = any_old (i > 1 ? "|" : "") old[i]
    for (i = 1; i <= n; ++i) any_word = any_word (i > 1 ? "|" : "") word[i]
    any_old = "(^|[^A-Za-z0-9_])(" any_old ")([^A-Za-z0-9_]|$)"
  }
  FNR == 1 { files++; inside = opens = 0; prose = FILENAME ~ /\.md$/; test = FILENAME ~ /^tests\//; hashes = FILENAME ~ /\.(sh|awk|py|cmake|txt)$/ }
  prose && /^ *```/ { inside = !inside; next }
  {
    text = $0
    code = text
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)  # words in strings are data
    sub(/\/\/.*/, "", code)
    for (i = 1; i <= names && code ~ any_old && !prose && !test && !hashes && text !~ /\[\[deprecated/; ++i)
      if (code ~ "(^|[^A-Za-z0-9_])" old[i] "([^A-Za-z0-9_]|$)") { print FILENAME ":" FNR ": found the name " old[i] ", expected " new[i]; violations++ }
    if (prose) {
      if (inside) next
      gsub(/`[^`]*`/, "", text)
      gsub(/\]\([^)]*\)/, "]", text)
    } else if (hashes) {
      text = comment_after_hash(text)
    } else if (FILENAME != "dev") {
      text = test ? comments_and_cases(text) : comments_and_literals(text)
    }
    text = tolower(text)
    for (i = 1; i <= n && text ~ any_word; ++i) if (text ~ word[i]) { print FILENAME ":" FNR ": found \"" plain[i]; violations++ }
  }
  END {
    if (!violations) print "language: " files " files, no violation"
    exit violations > 0
  }'
