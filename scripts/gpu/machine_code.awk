# The table of scripts/gpu/machine_code.sh: a line for each kernel, from lines "entry NAME" and "registers N" as ptxas prints them, and the code
# as nvdisasm writes it.

# Registers that an instruction names, in `named`.
function names(text,   at) {
  split("", named)
  while (match(text, /(^|[^A-Za-z0-9_])R[0-9]+/)) {
    at = substr(text, RSTART, RLENGTH)
    sub(/.*R/, "", at)
    named[at + 0] = 1
    text = substr(text, RSTART + RLENGTH)
  }
}
function loaded(i,   text) {  # bytes that instruction i loads from memory; `to` is the first register
  if (code[i] !~ /LDG/ || code[i] ~ /LDGSTS/) return 0
  text = code[i]
  sub(/.*LDG[^ ]* +R/, "", text)
  to = text + 0
  return code[i] ~ /LDG[^ ]*\.128/ ? 16 : code[i] ~ /LDG[^ ]*\.64/ ? 8 : 4
}
function end_kernel(   i, k, bytes, waits, most, alone, local, soonest, warps, begin, last, steps, at, used) {
  if (kernel == "") return
  most = alone = local = 0
  soonest = -1
  split("", pending)
  waits = 0
  for (i = 1; i <= n; ++i) {
    if (code[i] ~ /F2F\.(BF16|F16)\.F32/) ++alone
    if (code[i] ~ /(LDL|STL)/) ++local
    bytes = loaded(i)
    if (bytes > 0) {
      for (k = 0; k < bytes / 4; ++k) pending[to + k] = 1
      waits += bytes
      if (waits > most) most = waits
      continue
    }
    names(code[i])
    for (k in named) if (k in pending) { split("", pending); waits = 0; break }
  }
  # The loop around a load: from the nearest label before it to which a branch after it jumps.
  for (i = 1; i <= n; ++i) {
    if (loaded(i) != 16) continue
    begin = last = 0
    for (k = i; k <= n && !last; ++k)
      if (code[k] ~ /BRA/ && match(code[k], /\.L_x_[0-9]+/)) {
        at = label[substr(code[k], RSTART, RLENGTH)]
        if (at != "" && at <= i) { begin = at; last = k }
      }
    if (!last) continue
    loaded(i)
    for (steps = 1; steps < last - begin; ++steps) {
      k = i + steps
      if (k > last) k = begin + (k - last - 1)
      names(code[k])
      used = 0
      for (bytes = 0; bytes < 4; ++bytes) if ((to + bytes) in named) used = 1
      if (used) break
    }
    if (soonest < 0 || steps < soonest) soonest = steps
  }
  warps = int(65536 / (int((registers[kernel] + 7) / 8) * 256))
  if (warps > 64) warps = 64
  printf "%6d %9d %5d %9d %8s %6d %6d  %s\n", n, registers[kernel], warps, most, soonest < 0 ? "-" : soonest, alone, local, kernel
}
$1 == "entry" { entry = $2; next }
$1 == "registers" { registers[entry] = $2; next }
/^\t*\.section\t*\.text\./ { end_kernel(); kernel = $2; sub(/^\.text\./, "", kernel); sub(/,.*/, "", kernel); n = 0; split("", label); next }
/^\.L_x_[0-9]+:/ { name = $1; sub(/:.*/, "", name); label[name] = n + 1; next }
kernel != "" && /\/\*[0-9a-f]+\*\// && /;/ { text = $0; sub(/^[^*]*\*[0-9a-f]+\*\/ */, "", text); code[++n] = text }
END { end_kernel() }
