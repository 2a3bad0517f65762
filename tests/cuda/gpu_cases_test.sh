#!/usr/bin/env bash
# scripts/gpu/cases.sh: what it calls, how it resumes, what it writes; with tests, a GPU and a sanitizer that only pretend.
#
#   tests/cuda/gpu_cases_test.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work PATH=$work/bin:$PATH LANES=1
mkdir -p "$work/bin" "$work/build"
failures=0
program() { cat >"$1"; chmod +x "$1"; }
expect() { # WHAT FOUND WANTED
  [ "$2" = "$3" ] && return
  printf 'FAIL %s\n  found  %s\n  wanted %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}

program "$work/bin/nvidia-smi" <<<'#!/usr/bin/env bash
exec sleep 60'
# Six cases. What one does is in $work/CASE: pass, fail or hang.
program "$work/build/tests" <<'P'
#!/usr/bin/env bash
first=1 last=6
for option in "$@"; do
  case $option in
    --first=*) first=${option#*=} ;;
    --last=*) last=${option#*=} ;;
    --count) echo "[doctest] number of tests matching the current filters: 6"; exit ;;
    --list-test-cases)
      printf '%s\n' "[doctest] listing all test case names" "=====" a 'b: "x" \ 2' c d e f "=====" "[doctest] unskipped: 6"; exit ;;
  esac
done
rc=0
for ((i = first; i <= last; ++i)); do
  echo "$i" >>"$work/ran"
  case $(cat "$work/$i" 2>/dev/null) in
    hang) echo $$ >"$work/pid"; sleep 60 ;;
    fail) rc=1
      printf '%s\n' "/some one/home/tests/cuda/crf_test.cpp:12: ERROR: CHECK( \"a\" == 1 )" "in /usr/lib/x.so.1 on $(uname -n)" $'\ttab \x01 \xff' ;;
  esac
done
exit $rc
P
# cases STAGE SECONDS EACH [KEY=VALUE]: its exit status
cases() {
  local rc=0
  rm -f "$work/ran" "$work/asked"
  "$root/scripts/gpu/cases.sh" "$1" "$work/build/tests" "$work/out" "$2" "$3" "card=A card" "${4:-sources=1}" >"$work/said" 2>&1 || rc=$?
  [ ! -x "$(command -v python3)" ] || python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out/$1.json" || rc="not JSON"
  echo "$rc"
}
results() { sed -n 's/.*"name": "\([^"\\]*\).*"result": "\([^"]*\)".*/\1 \2/p' "$work/out/$1.json" | paste -sd ,; }
ran() { paste -sd ' ' "$work/ran" 2>/dev/null || true; }

# What fails is told, and nothing of where.
echo fail >"$work/2"
expect "one fails: status" "$(cases test 60 2)" 1
expect "one fails" "$(results test)" "a passed,b:  failed,c passed,d passed,e passed,f passed"
expect "what was said" "$(grep -F 'failed' "$work/out/test.json" | sed 's/.*"said": //')" \
  '"... crf_test.cpp:12: ERROR: CHECK( \"a\" == 1 )\nin ... on ...\n tab  "},'
expect "files" "$(ls "$work/out")" test.json
expect "again: status" "$(cases test 60 2)" 1
expect "again nothing is run" "$(ran)" ""

# Three in a row that hang end it; the next call begins with what was not run. Other sources begin again.
rm "$work/2"
for i in 2 3 4; do echo hang >"$work/$i"; done
expect "three hang: status" "$(cases test 60 1 sources=2)" 4
expect "three hang" "$(results test)" "a passed,b:  out of time,c out of time,d out of time,e not run,f not run"
rm "$work"/[23]
expect "goes on: status" "$(cases test 60 1 sources=2)" 4
expect "goes on, order" "$(ran)" "5 6 2 3 4"
expect "goes on" "$(results test)" "a passed,b:  passed,c passed,d out of time,e passed,f passed"
# The end of all: what is at work then was not run.
echo hang >"$work/2"
expect "the end: status" "$(cases test 2 60 sources=3)" 4
expect "the end" "$(results test)" "a passed,b:  not run,c not run,d not run,e not run,f not run"
expect "no time at all: status" "$(cases test 0 60 sources=4)" 4
expect "no time at all" "$(ran)" ""
rm "$work/2" "$work/4"

# The sanitizers: side by side, four cases a process, our kernels by the option that there is.
program "$work/bin/compute-sanitizer" <<'P'
#!/usr/bin/env bash
[ "$1" != --help ] || exec cat "$work/help"
echo "$*" >>"$work/asked"
[ ! -e "$work/clean" ] || [ -e "$work/breaks" ] || exit 0
case "$*" in
  *racecheck*--first=5\ *)
    [ ! -e "$work/breaks" ] || { echo "========= Internal Sanitizer Error: The Sanitizer failed to handle a hardware exception."; exit 9; } ;;
  *memcheck*--first=1\ *) printf '%s\n' "========= Invalid __global__ read of size 4 bytes" "=========     at f() in /home/x/norms.cuh:3" \
    "=========     Host Frame: cuLaunchKernel [0x1] in /usr/lib/libcuda.so.1"; exit 9 ;;
  *initcheck*--first=1\ *) trap 'echo "========= Error: process didn'\''t terminate successfully"; exit 1' TERM; sleep 60 & wait ;;
  *initcheck*--first=5\ *) trap 'echo "========= Error: Race reported"; exit 1' TERM; sleep 60 & wait ;;
esac
P
kernels_by() { sed -nE 's/.*--tool (r|s).*(--kernel-[a-z]*) kns=7entrain .*/\2/p' "$work/asked" | sort | uniq -c | tr -s ' \n' ' '; }
printf '%s\n' "--kernel-name arg" "--report-api-errors" >"$work/help"
expect "sanitize: status" "$(cases sanitize 60 2)" 1
expect "sanitize" "$(results sanitize)" "memcheck, cases 1 to 4 failed,memcheck, cases 5 to 6 passed,racecheck, cases 1 to 4 passed,racecheck, \
cases 5 to 6 passed,initcheck, cases 1 to 4 out of time,initcheck, cases 5 to 6 failed,synccheck, cases 1 to 4 passed,synccheck, cases 5 to 6 passed"
expect "sanitize, said" "$(grep -F 'memcheck, cases 1' "$work/out/sanitize.json" | sed 's/.*"said": //')" \
  '"========= Invalid __global__ read of size 4 bytes\n=========     at f() in norms.cuh:3"},'
expect "our kernels" "$(kernels_by)" " 4 --kernel-name "
expect "what calls return" "$(grep -c -- '--tool memcheck .*--report-api-errors no' "$work/asked")" 2
expect "sanitize again: status" "$(cases sanitize 60 2)" 1
expect "sanitize again" "$(sed -E 's/.*--tool ([a-z]*).*(--first=.*)/\1 \2/' "$work/asked")" "initcheck --first=1 --last=4"
echo "--kernel-regex arg" >"$work/help"
touch "$work/clean"
expect "sanitize, clean: status" "$(cases sanitize 60 2 sources=2)" 0
expect "our kernels, before CUDA 13" "$(kernels_by)" " 4 --kernel-regex "
touch "$work/breaks"
cases sanitize 60 2 sources=3 >/dev/null
expect "the sanitizer itself" "$(results sanitize | grep -o 'racecheck, cases 5 to 6 [a-z ]*')" "racecheck, cases 5 to 6 sanitizer failed"
expect "the sanitizer itself, said" "$(grep -o '[0-9]* failed, .*; in .*' "$work/said")" "2 failed, 1 ran out of time, 0 were not run; in 1 the sanitizer itself failed"
rm "$work/breaks"
expect "files of both" "$(ls "$work/out" | paste -sd ' ')" "sanitize.json test.json"

# Who is told to stop stops what is at work.
echo hang >"$work/2"
rm "$work/pid"
"$root/scripts/gpu/cases.sh" test "$work/build/tests" "$work/stopped" 60 60 >/dev/null 2>&1 &
for ((i = 0; i < 50; ++i)); do [ ! -s "$work/pid" ] || break; sleep 0.1; done
kill $!
wait $! || true
for ((i = 0; i < 50; ++i)); do kill -0 "$(cat "$work/pid")" 2>/dev/null || break; sleep 0.1; done
expect "nothing is left at work" $((i < 50)) 1

echo "gpu_cases: $failures failed"
[ $failures = 0 ]
