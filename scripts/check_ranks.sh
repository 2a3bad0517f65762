#!/usr/bin/env bash
# A file includes only modules of a strictly lower layer, or its own module (docs/architecture.md). Prints file:line of each violation.
#
#   scripts/check_ranks.sh [ROOT]     ROOT holds include/entrain (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

find include/entrain -type f | sort | xargs awk '
  BEGIN {
    split("core; device precision text report; tensor score family; batch kernel checkpoint; layer optim task; " \
          "embed encode head; model; train; predict; app c", ranks, /; */)
    for (r in ranks) {
      n = split(ranks[r], rooms, " ")
      for (i = 1; i <= n; i++) rank[rooms[i]] = r - 1
    }
    umbrella = 10   # entrain/cpu.hpp: programs include it, modules do not
  }
  # The module of a path that starts at entrain/.
  function room_of(path, parts) { sub(/^entrain\/predict\.hpp$/, "entrain/predict/", path); split(path, parts, "/"); return parts[2] }
  function rank_of(path, parts) { sub(/^entrain\/predict\.hpp$/, "entrain/predict/", path); return split(path, parts, "/") == 2 ? umbrella : (parts[2] in rank ? rank[parts[2]] : -1) }
  function bad(line, why) { print FILENAME ":" line ": " why; violations++ }

  FNR == 1 {
    mine = FILENAME
    sub(/^include\//, "", mine)
    files++
    if (rank_of(mine) < 0) bad(1, "room " room_of(mine) " has no rank; add it to scripts/check_ranks.sh")
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]entrain\// {
    theirs = $0
    sub(/^[^"<]*["<]/, "", theirs)
    sub(/[">].*/, "", theirs)
    if (rank_of(mine) < 0 || room_of(mine) == room_of(theirs)) next
    if (rank_of(theirs) < 0) bad(FNR, "includes " theirs ", a room without a rank")
    else if (rank_of(theirs) >= rank_of(mine))
      bad(FNR, "includes " theirs " of rank " rank_of(theirs) ", expected less than rank " rank_of(mine) " of room " room_of(mine))
  }
  END {
    if (!violations) print "ranks: " files " files, no violation"
    exit violations > 0
  }
'
