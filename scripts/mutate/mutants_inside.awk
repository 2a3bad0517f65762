# Puts all mutants of a source file into one program (tests/proofs/mutants.hpp): each operator checks whether its mutant is the active one.
#
#   awk -v file=FILE -f scripts/mutate/mutants_inside.awk ALL LEFT_OUT FILE
#
# ALL: as scripts/mutate/mutants.awk prints them; a mutant's number is that of its line     LEFT_OUT: lines FILE:LINE to leave as they are
FNR == 1 { ++part }
part == 1 {
  if ($0 == "") next
  split($0, of, "\t")
  if (of[1] != file) next
  at = of[2] SUBSEP of[6]
  if (!(at in from)) places[of[2]] = places[of[2]] " " of[6]
  if (of[4] == "") { dropped[at] = FNR } else { swapped[at] = FNR }
  if (!(at in from) || of[4] != "") from[at] = of[3]
  next
}
part == 2 { left_out[$0]; next }
{
  n = (file ":" FNR) in left_out ? 0 : split(places[FNR], columns, " ")
  for (i = 2; i <= n; ++i)  # from the right to the left
    for (j = i; j > 1 && columns[j] + 0 > columns[j - 1] + 0; --j) { c = columns[j]; columns[j] = columns[j - 1]; columns[j - 1] = c }
  line = $0
  for (i = 1; i <= n; ++i) {
    at = FNR SUBSEP columns[i]
    was = from[at]
    before = substr(line, 1, columns[i] - 1)
    if (was ~ /^\[/) {
      index_of = substr(was, 2, length(was) - 2)
      line = before "[mutants::shifted(" index_of ", " swapped[at] ")]" substr(line, columns[i] + length(was))
    } else {
      split(was, words, " ")
      name = words[1] == "+" ? "plus" : words[1] == "-" ? "minus" : words[1] == "*" ? "times" : words[1] == "/" ? "over" : words[1] == "<" ? "less" : words[1] == "<=" ? "at_most" : "raise"
      line = before " " words[1] " mutants::" name "{" swapped[at] + 0 (name == "plus" ? ", " dropped[at] + 0 : "") "} " words[1] " " substr(line, columns[i] + length(words[1]) + 2)
    }
  }
  print line
}
