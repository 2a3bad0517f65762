# The mutants of source files: FILE <tab> LINE <tab> FROM <tab> TO <tab> the mutated line without a comment <tab> COLUMN of FROM. Swaps + and -,
# * and /, < and <=, drops a term, shifts an index; one place at a time.
function each(pattern, to,   rest, at, from, after, now) {
  rest = code; at = 0
  while (match(rest, pattern)) {
    from = substr(rest, RSTART, RLENGTH); after = to
    if (to == "shift") { after = from; sub(/\]$/, " + 1]", after) }
    if (to != "" || substr(rest, RSTART + RLENGTH, 1) !~ /[(<:>.[-]/) {  # a whole term, not the name of a call
      now = substr($0, 1, at + RSTART - 1) after substr($0, at + RSTART + RLENGTH)
      sub(/^ */, "", now); sub(/ *\/\/.*/, "", now)  # the comment of a line may change
      print FILENAME "\t" FNR "\t" from "\t" after "\t" now "\t" at + RSTART
    }
    at += RSTART + RLENGTH - 1
    rest = substr(rest, RSTART + RLENGTH)
  }
}
{
  code = $0
  sub(/\/\/.*/, "", code)
}
code ~ /^ *(#|template|using|static_assert|namespace)/ || code ~ /operator|static_assert|__builtin_prefetch|"/ { next }
{
  each(" \\+ ", " - "); each(" - ", " + "); each(" \\* ", " / "); each(" / ", " * ")
  each(" < ", " <= "); each(" <= ", " < "); each(" \\+= ", " -= ")
  each(" [+] [A-Za-z_][A-Za-z_0-9.]*(\\[[a-z_]+\\])?", "")
  each("\\[[a-z_]+\\]", "shift")
}
