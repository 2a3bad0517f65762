# The names of justified mutants, a line each. Fails, with a sentence, where a name fits no mutant, or two lines of the sources have one number.
#
#   awk -f scripts/mutate/justified.awk ALL JUSTIFIED     ALL: as scripts/mutate/mutants.awk prints them; JUSTIFIED: lines NAME: reason
FNR == 1 { ++part }
part == 1 {
  split($0, of, "\t")
  if (of[7] == "") next
  split(of[7], words, ":")
  place = of[1] ":" of[2]
  if (words[1] in at && at[words[1]] != place) { print "mutant " words[1] ": found at " at[words[1]] " and " place ", expected one line"; exit failed = 1 }
  at[words[1]] = place
  known[of[7]]
  next
}
/^#/ || $0 == "" { next }
{
  name = ""
  for (known_name in known)
    if (index($0, known_name ": ") == 1 && length(known_name) > length(name)) name = known_name
  if (name == "") { print FILENAME ":" FNR ": found no mutant with this name: " $0; exit failed = 1 }
  print name
}
