#!/usr/bin/env bash
# Every relative link of README.md and docs/ leads to a file of the repository, every #place in it to a heading. Prints file:line of each
# link that does not.
#
#   scripts/check/links.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# The anchor of a heading: lower case, no punctuation, dashes for spaces.
places() { sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g;s/ /-/g'; }

links=0 broken=0
bad() { echo "$1: $2"; broken=$((broken + 1)); }

while IFS= read -r file; do
  while IFS=: read -r line target; do
    links=$((links + 1))
    path=${target%%#*}
    place=
    [[ $target == *#* ]] && place=${target#*#}
    at=$file
    [ -z "$path" ] || at=$(dirname "$file")/$path
    if [ ! -e "$at" ]; then
      bad "$file:$line" "$target is not there"
    elif [ -n "$place" ] && ! places "$at" | grep -qxF -- "$place"; then
      bad "$file:$line" "$target: no heading '$place' in $at"
    fi
  done < <(awk '
    /^ *```/ { fenced = !fenced; next }
    fenced { next }
    { gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^)[:space:]]+\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        if (target !~ /^[a-z]+:/) print FNR ":" target
      } }' "$file")
done < <(find README.md docs examples bench tests -name '*.md' 2>/dev/null | sort)

echo "links: $links looked at, $broken broken"
[ $broken = 0 ]
