# The mutants of source files: FILE <tab> LINE <tab> FROM <tab> TO <tab> the mutated line without a comment <tab> COLUMN of FROM <tab> NAME.
# Swaps + and -, * and /, < and <=, drops a term, shifts an index; one place at a time.
#
# A line with the comment `mutant N`, or after a line that is that comment, names its mutants: `N: < becomes <=`. A second such place of the
# line is `N: < becomes <=, 2`. Other lines give no NAME.
function each(pattern, to,   rest, at, from, after, now, name) {
  rest = code; at = 0
  while (match(rest, pattern)) {
    from = substr(rest, RSTART, RLENGTH); after = to
    if (to == "shift") { after = from; sub(/\]$/, " + 1]", after) }
    if (to != "" || substr(rest, RSTART + RLENGTH, 1) !~ /[(<:>.[-]/) {  # a whole term, not the name of a call
      now = substr($0, 1, at + RSTART - 1) after substr($0, at + RSTART + RLENGTH)
      sub(/^ */, "", now); sub(/ *\/\/.*/, "", now)  # the comment of a line may change
      name = ""
      if (id != "") {
        name = id ": " trimmed(from) (after == "" ? " is dropped" : " becomes " trimmed(after))
        if (++times[name] > 1) name = name ", " times[name]
      }
      print FILENAME "\t" FNR "\t" from "\t" after "\t" now "\t" at + RSTART "\t" name
    }
    at += RSTART + RLENGTH - 1
    rest = substr(rest, RSTART + RLENGTH)
  }
}
function trimmed(s) { gsub(/^ +| +$/, "", s); return s }
FNR == 1 { above = "" }
/^ *\/\/ mutant [0-9]+$/ { above = $NF; next }
{
  code = $0
  sub(/\/\/.*/, "", code)
  id = match($0, /mutant [0-9]+$/) && RSTART > length(code) ? substr($0, RSTART + 7) : above
  above = ""
  delete times
}
code ~ /^ *(#|template|using|static_assert|namespace)/ || code ~ /operator|static_assert|__builtin_prefetch|"/ { next }
{
  each(" \\+ ", " - "); each(" - ", " + "); each(" \\* ", " / "); each(" / ", " * ")
  each(" < ", " <= "); each(" <= ", " < "); each(" \\+= ", " -= ")
  each(" [+] [A-Za-z_][A-Za-z_0-9.]*(\\[[a-z_]+\\])?", "")
  each("\\[[a-z_]+\\]", "shift")
}
