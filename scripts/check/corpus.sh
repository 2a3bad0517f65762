#!/bin/sh
# Checks the embedded corpus, prints a summary, and lists every violation: `file:line: what was found, what was expected`.
#
#   scripts/check/corpus.sh [DATA]     DATA holds source/ and train.conll, dev.conll, test.conll (default: examples/data)
#
# Exit code 0: clean. 1: at least one violation. DATA/README.md explains the rules.
set -eu
LC_ALL=C # bytes, so that every awk reads the same; the script matches letters beyond ASCII by their UTF-8 lead bytes
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
data=${1:-$here/../../examples/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in train.conll dev.conll test.conll; do
  if [ ! -f "$data/$file" ]; then
    echo "$file:1: no such file, expected the output of scripts/generate/build_corpus.sh; run it first"
    exit 1
  fi
done

# The source: syntax, tokens, genres, skeletons, 5-grams, and how often the difficult features occur.
check_source() {
  awk '
    BEGIN {
      least_sentences = 600; gram = 5; most_repeats = 3; long_sentence = 40; least_two_types = 10
      genres = split("news mail chat reviews reports minutes", genre, " ")
      split("PER ORG LOC MISC", types, " ")
      # name:minimum number of sentences with this feature
      things = split("no-entity:120 one-token:12 emoji:10 lower-case-entity:40 all-caps:10 hyphen:80 quote:50 nested-commas:60 " \
                     "initials:10 number:100 link-or-handle:10 long:20", thing, " ")
    }
    function bad(why) { print where ": " why; violations++ }
    FNR == 1 { file = FILENAME; sub(/^.*\//, "", file); present[file] = 1 }
    { where = "source/" file ":" FNR }
    /\r$/ { bad("found a carriage return at the end, expected LF line ends"); next }
    /^[ \t]*$/ || /^#( |$)/ { next }
    /\t/ || /  / || /^ / || / $/ { bad("found a tab, a double space or a space at an end, expected tokens parted by one space"); next }

    {
      n = masked = spans = commas = broken = capitals = smalls = 0
      type = ""                                      # of the open entity, if any
      split("", has)                                 # the difficult features of this sentence
      for (i = 1; i <= NF; i++) {
        token = $i
        if (type == "" && token ~ /^\[(PER|ORG|LOC|MISC)$/) { type = substr(token, 2); surface = ""; continue }
        closes = type != "" && token ~ /.\]$/
        if (closes) token = substr(token, 1, length(token) - 1)
        if (token ~ /[][]/) {
          bad("found a bracket out of place in \"" $i "\", expected [TYPE tokens] with TYPE one of PER ORG LOC MISC, not nested")
          broken = 1
          break
        }
        n++
        if (token ~ /.\047[sS]$/) bad("found \"" token "\", expected \047s as a token of its own")
        if (token !~ /:\/\// && (token ~ /^["(][A-Za-z0-9]/ || token ~ /[A-Za-z0-9][",;!?)]$/))
          bad("found \"" token "\", expected its punctuation as a token of its own")

        if (token ~ /\360\237/ || token ~ /\342[\230-\236]/) has["emoji"] = 1
        if (token ~ /[A-Za-z\200-\277]-[A-Za-z\303-\305]/ && token !~ /:\/\//) has["hyphen"] = 1
        if (token == "\"" || token == "\047" || token ~ /\342\200[\230-\236]|\302[\253\273]/) has["quote"] = 1
        if (token ~ /^https?:\/\// || token ~ /^www[.]/ || token ~ /.@./ || token ~ /^[@#]./) has["link-or-handle"] = 1
        if (token ~ /^[A-Z][.]([A-Z][.])*$/) has["initials"] = 1
        if (token ~ /[0-9]/) has["number"] = 1
        if (token == ",") commas++
        if (token ~ /[a-z]/) smalls++
        if (token ~ /^[A-Z][A-Z]/) capitals++

        if (type == "") mask[++masked] = tolower(token)
        else surface = (surface == "" ? "" : surface " ") token
        if (closes) {
          mask[++masked] = "<" type ">"
          spans++; entities[file]++; per_type[type]++; mentions[type " " surface]++
          if ((surface, type) in typed == 0) { typed[surface, type] = 1; types_of[surface]++ }
          if (surface ~ /[a-z]/ && surface !~ /[A-Z]/) has["lower-case-entity"] = 1
          type = ""
        }
      }
      if (!broken && type != "") { bad("found the entity [" type " without its end, expected ] after its last token"); broken = 1 }
      if (broken) next

      sentences[file]++; tokens[file] += n
      if (n == 1) has["one-token"] = 1
      if (n >= long_sentence) has["long"] = 1
      if (spans == 0) has["no-entity"] = 1
      if (commas >= 3) has["nested-commas"] = 1
      if (capitals >= 3 && smalls == 0) has["all-caps"] = 1
      for (h in has) count[h]++

      skeleton = mask[1]
      for (i = 2; i <= masked; i++) skeleton = skeleton " " mask[i]
      if (skeleton in first) bad("found the skeleton \"" skeleton "\" of " first[skeleton] " again, expected every skeleton to differ")
      else first[skeleton] = where

      for (i = 1; i + gram - 1 <= masked; i++) {
        g = mask[i]
        for (j = 1; j < gram; j++) g = g " " mask[i + j]
        if (seen_at[g] == where) continue            # counted once a sentence
        seen_at[g] = where
        if (++times[g] > most_repeats)
          bad("found the masked 5-gram \"" g "\" of" places[g] " again, expected it in at most " most_repeats " sentences")
        places[g] = places[g] " " where
      }
    }

    END {
      for (i = 1; i <= genres; i++) {
        file = genre[i] ".txt"; where = "source/" file ":1"
        if (!(file in present)) { bad("no such file or nothing in it, expected the genre " genre[i]); continue }
        printf "%-9s %5d sentences %6d tokens %5d entities\n", genre[i], sentences[file], tokens[file], entities[file]
        all += sentences[file]; words += tokens[file]; spans_all += entities[file]
      }
      printf "%-9s %5d sentences %6d tokens %5d entities:", "together", all, words, spans_all
      for (i = 1; i <= 4; i++) printf " %s %d%s", types[i], per_type[types[i]], (i < 4 ? "," : "\n")
      where = "source:1"
      if (all < least_sentences) bad("found " all + 0 " sentences, expected at least " least_sentences)
      for (m in mentions) if (mentions[m] == 1) once++
      printf "entities that occur once: %d of %d mentions\n", once, spans_all
      for (s in types_of) if (types_of[s] > 1) two_types++
      printf "names of two or more types: %d\n", two_types
      if (two_types < least_two_types) bad("found " two_types + 0 " names of two types, expected at least " least_two_types)
      printf "sentences with:"
      for (i = 1; i <= things; i++) { split(thing[i], pair, ":"); printf "%s %s %d", (i > 1 ? "," : ""), pair[1], count[pair[1]] }
      print ""
      for (i = 1; i <= things; i++) {
        split(thing[i], pair, ":")
        if (count[pair[1]] + 0 < pair[2] + 0) bad("found " count[pair[1]] + 0 " sentences with " pair[1] ", expected at least " pair[2])
      }
      exit violations > 0
    }
  ' "$data"/source/*.txt
}

# The three splits: valid IOB2 of four types, no sentence in two splits, enough test entities that train does not contain.
check_splits() {
  awk '
    BEGIN { FS = "\t"; least_unseen = 0.5; previous = "O" }
    function bad_at(line, why) { print file ":" line ": " why; violations++ }
    function bad(why) { bad_at(FNR, why) }
    function end_entity() {
      if (surface == "") return
      name = type " " surface
      mentions[file]++
      if (file == "train.conll") in_train[name] = 1
      if (file == "test.conll") { test_mentions++; if (!(name in in_test)) { in_test[name] = 1; distinct++ } }
      surface = ""
    }
    function end_sentence() {
      end_entity()
      previous = "O"
      if (sentence == "") return
      sentences[file]++
      if (!(sentence in home)) { home[sentence] = file; line_of[sentence] = start }
      else if (home[sentence] != file)
        bad_at(start, "found the sentence of " home[sentence] ":" line_of[sentence] ", expected no sentence in two splits")
      sentence = ""
    }
    FNR == 1 { end_sentence(); file = FILENAME; sub(/^.*\//, "", file) }
    $0 == "" { end_sentence(); next }
    {
      if (sentence == "") start = FNR
      if (NF != 2 || $1 == "") { bad("found " NF " columns, expected token TAB tag, neither of them empty"); next }
      tokens[file]++
      sentence = sentence " " $1
      tag = $2
      if (tag !~ /^(O|[BI]-(PER|ORG|LOC|MISC))$/) { bad("found the tag \"" tag "\", expected O, or B- or I- with PER, ORG, LOC or MISC"); tag = "O" }
      if (tag ~ /^I-/ && substr(previous, 3) != substr(tag, 3))
        bad("found " tag " after " previous ", expected B-" substr(tag, 3) " or I-" substr(tag, 3) " before it (IOB2)")
      if (tag !~ /^I-/) end_entity()
      if (tag ~ /^B-/) { type = substr(tag, 3); surface = $1 }
      else if (tag ~ /^I-/) { type = substr(tag, 3); surface = surface (surface == "" ? "" : " ") $1 }
      previous = tag
    }
    END {
      end_sentence()
      split("train dev test", names, " ")
      for (i = 1; i <= 3; i++) {
        file = names[i] ".conll"
        printf "%-9s %5d sentences %6d tokens %5d entities\n", names[i], sentences[file], tokens[file], mentions[file]
      }
      for (name in in_test) if (!(name in in_train)) unseen++
      printf "distinct test entities unseen in train: %d of %d\n", unseen, distinct
      if (unseen < least_unseen * distinct)
        { file = "test.conll"; bad_at(1, "found " unseen + 0 " of " distinct " distinct entities unseen in train, expected at least half") }
      exit violations > 0
    }
  ' "$data/train.conll" "$data/dev.conll" "$data/test.conll"
}

# The splits equal what the source gives, so that no split was edited without the source.
check_built() {
  "$here/../generate/build_corpus.sh" "$data" "$work" || return 1
  equal=0
  for file in train.conll dev.conll test.conll; do
    awk -v built="$work/$file" -v file="$file" '
      function shown(line) { gsub(/\t/, " TAB ", line); return "\"" line "\"" }
      { if ((getline want < built) <= 0) want = "the end"; if ($0 != want) { found = shown($0); exit } }
      END {
        if (found == "") { if ((getline want < built) <= 0) exit 0; found = "the end"; NR++ }
        print file ":" NR ": found " found ", expected " shown(want) "; run scripts/generate/build_corpus.sh"
        exit 1
      }
    ' "$data/$file" || equal=1
  done
  return $equal
}

failed=0
check_source || failed=1
check_splits || failed=1
check_built || failed=1
[ $failed = 0 ] && echo "corpus: clean" || echo "corpus: violations found, see the lines above"
exit $failed
