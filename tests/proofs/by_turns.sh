#!/usr/bin/env bash
# scripts/by_turns.sh runs each check on every second commit, and on each if that is asked for; a command's own failure stays one. Both
# turns have checks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts"
cp scripts/by_turns.sh "$work/scripts"
commit() { git -C "$work" -c user.name=test -c user.email=test@localhost commit -q --allow-empty -m one; }
ends() { # RESULT ENTRAIN_TURN TURN COMMAND ...: the exit code must be RESULT
  local found=0
  ENTRAIN_TURN=$2 "$work/scripts/by_turns.sh" "${@:3}" >"$work/said" 2>&1 || found=$?
  [ "$found" = "$1" ] || { cat "$work/said"; echo "by_turns: ENTRAIN_TURN=$2 turn $3: exit code $found, expected $1"; exit 1; }
}
git -C "$work" init -q
for count in 1 2 3; do
  commit
  ends 0 "" $((count % 2)) true
  ends 1 "" $((count % 2)) false
  ends 77 "" $(((count + 1) % 2)) false
done
for turn in 0 1; do
  ends 0 both $turn true
  ends 1 both $turn false
  ends 0 $turn $turn true
  ends 77 $((1 - turn)) $turn false
  ends 2 2 $turn true
  grep -qE "entrain_check\(.* TURN $turn " cmake/Entrain*Checks.cmake || { echo "by_turns: no check has turn $turn"; exit 1; }
done
echo "by_turns: every check on every second commit"
