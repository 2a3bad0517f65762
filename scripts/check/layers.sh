#!/usr/bin/env bash
# A file includes only modules of a strictly lower layer, or its own module (docs/architecture.md). Prints file:line of each violation.
#
#   scripts/check/layers.sh [ROOT]     ROOT holds include/entrain (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

find include/entrain -type f | sort | xargs awk '
  BEGIN {
    split("core; device precision text report; tensor score family; batch kernel checkpoint; layer optim task vectors; " \
          "embed encode head; model; train; predict; app c", layers, /; */)
    for (r in layers) {
      n = split(layers[r], modules, " ")
      for (i = 1; i <= n; i++) layer[modules[i]] = r - 1
    }
    umbrella = 10   # entrain/cpu.hpp: programs include it, modules do not
  }
  # The module of a path that starts at entrain/.
  function module_of(path, parts) { sub(/^entrain\/predict\.hpp$/, "entrain/predict/", path); split(path, parts, "/"); return parts[2] }
  function layer_of(path, parts) { sub(/^entrain\/predict\.hpp$/, "entrain/predict/", path); return split(path, parts, "/") == 2 ? umbrella : (parts[2] in layer ? layer[parts[2]] : -1) }
  function bad(line, why) { print FILENAME ":" line ": " why; violations++ }

  FNR == 1 {
    mine = FILENAME
    sub(/^include\//, "", mine)
    files++
    if (layer_of(mine) < 0) bad(1, "module " module_of(mine) " has no layer; add it to scripts/check/layers.sh")
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]entrain\// {
    theirs = $0
    sub(/^[^"<]*["<]/, "", theirs)
    sub(/[">].*/, "", theirs)
    if (layer_of(mine) < 0 || module_of(mine) == module_of(theirs)) next
    if (layer_of(theirs) < 0) bad(FNR, "includes " theirs ", a module without a layer")
    else if (layer_of(theirs) >= layer_of(mine))
      bad(FNR, "includes " theirs " of layer " layer_of(theirs) ", expected less than layer " layer_of(mine) " of module " module_of(mine))
  }
  END {
    if (!violations) print "layers: " files " files, no violation"
    exit violations > 0
  }
'
