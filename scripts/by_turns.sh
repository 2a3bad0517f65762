#!/usr/bin/env bash
# Runs a check on every second commit, so that ./dev test --all takes less time: checks of turn 0 on commits with an even number of ancestors,
# those of turn 1 on the others. On the other commits it says so and exits with 77, which ctest reports as skipped.
#
#   scripts/by_turns.sh TURN COMMAND ...
#
# ENTRAIN_TURN: 0 or 1 instead of the commit's, or both: no check is skipped.
set -euo pipefail
turn=${1:?which turn, 0 or 1, as in scripts/by_turns.sh 0 COMMAND}
shift
now=${ENTRAIN_TURN:-$(($(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-list --count HEAD 2>/dev/null || echo 0) % 2))}
case $now in
  "$turn" | both) exec "$@" ;;
  0 | 1) echo "by turns: not on this commit; ENTRAIN_TURN=both runs it" && exit 77 ;;
  *) echo "by_turns: ENTRAIN_TURN=$now: expected 0, 1 or both" && exit 2 ;;
esac
