#!/usr/bin/env bash
# How a check ends that lacks what it needs: it says so, and ctest counts it among those that did not run. In CI nothing may be
# skipped: there it has failed.
#
#   scripts/not_checked.sh NAME WHY      exit code 77; with CI=true 1. Under set -e it ends the check that calls it
set -euo pipefail
echo "${1:?which check}: not checked: ${2:?why}"
[ "${CI:-}" != true ] || exit 1
exit 77
