#!/usr/bin/env bash
# The commands of pages in docs/questions work as printed: each sh block runs in an empty folder that has the files which the page shows.
# Of a block after `<!-- train ARGUMENTS -->`, the program's error must begin with its line.
#
#   scripts/check/questions.sh [PAGE ...]
#
# ./dev builds the programs. In place of `minilm`, which a machine without network cannot fetch, a tiny encoder is fine-tuned.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
pages=("$@")
[ $# != 0 ] || pages=(docs/questions/slow-gpu-training.md docs/questions/notebook.md)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "questions: $*"; exit 1; }
run() { # COMMAND
  local command=${1//.\/dev/\"$root\"\/dev}
  command=${command//--pretrained minilm/--pretrained \"$root\"\/tests\/train\/golden\/bert}
  (cd "$place" && bash -euo pipefail -c "$command") >"$work/said" 2>&1
}
count=0
for page in "${pages[@]}"; do
  place=$work/$(basename "$page" .md)
  mkdir "$place"
  awk -v place="$place" -f scripts/check/blocks.awk "$page"
  for block in "$place"/.block*; do
    read -r kind name <<<"$(head -n 1 "$block")" || true
    [ "$kind" != text ] || tail -n +2 "$block" >"$place/$name"
  done
  for block in "$place"/.block*; do
    first=$(head -n 1 "$block")
    case $first in
      'sh ')
        while read -r command; do
          [[ $command != 'git clone'* ]] || continue
          run "$command" || { tail -n 5 "$work/said"; stop "$page: failed: $command"; }
          count=$((count + 1))
        done < <(tail -n +2 "$block") ;;
      ' train '*)
        ! run "./dev ${first# }" || stop "$page: did not fail: ./dev ${first# }"
        grep -qF -- "$(tail -n +2 "$block")" "$work/said" || { tail -n 2 "$work/said"; stop "$page: ./dev ${first# } says something else"; }
        count=$((count + 1)) ;;
    esac
  done
done
[ $count -gt 8 ] || stop "$count commands only"
echo "questions: $count commands work as printed"
