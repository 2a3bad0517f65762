# Walks machine code, as `objdump -d` prints it, from the functions whose names match `roots`, along calls, jumps and
# addresses taken (a function handed to the thread pool), and prints each call or jump whose target is not written in
# it: FUNCTION <tab> INSTRUCTION. On standard error: what it walked. Exit code 2: a root that no function matches.
#
#   objdump -d --no-show-raw-insn PROGRAM | awk -v roots='first second' -f walk.awk
/^[0-9a-f]+ <.*>:$/ {
  function_ = $2
  gsub(/^<|>:$/, "", function_)
  known[function_] = 1
  next
}
$2 ~ /^(notrack|bnd)$/ { $2 = $3; $3 = $4 }
$2 ~ /^(call|jmp)/ && $3 ~ /^\*/ { indirect[function_] = indirect[function_] $2 " " $3 "\n" }
match($0, /<[^>+]+(\+0x[0-9a-f]+)?>$/) {
  target = substr($0, RSTART + 1, RLENGTH - 2)
  sub(/\+0x.*/, "", target)
  if (target != function_ && !((function_, target) in seen)) {
    seen[function_, target] = 1
    edges[function_] = edges[function_] target "\n"
  }
}
END {
  n = split(roots, root, " ")
  for (r = 1; r <= n; r++) {
    matched = 0
    for (f in known) if (f ~ root[r]) { matched = 1; queue[++last] = f; reached[f] = 1 }
    if (!matched) { print "walk: no function matches " root[r] > "/dev/stderr"; exit 2 }
  }
  while (first < last) {
    f = queue[++first]
    count = split(indirect[f], lines, "\n")
    for (i = 1; i < count; i++) print f "\t" lines[i]
    count = split(edges[f], targets, "\n")
    for (i = 1; i < count; i++)
      if (targets[i] in known && !(targets[i] in reached) && targets[i] !~ /@plt$/) {
        reached[targets[i]] = 1
        queue[++last] = targets[i]
      }
  }
  print "walk: " last " functions" > "/dev/stderr"
}
