#!/usr/bin/env bash
# Runs the cases of tests/cuda on a GPU, six at the same time (LANES=6), or under the four tools of compute-sanitizer, also at the same
# time, each tool with half as many processes; scripts/gpu/gpu.sh calls it.
#
#   scripts/gpu/cases.sh test|sanitize PROGRAM DIR SECONDS EACH [KEY=VALUE ...]
#
# Writes DIR/test.json or DIR/sanitize.json, a row for each process. Under test each process runs one case, so that a case that hangs, or
# leaves the GPU in error, hides no other; under a sanitizer, which starts slowly, four. A process has EACH seconds, all have SECONDS
# together. After three timeouts in a row the remaining cases of a tool are not run. A repeated call with the same KEY=VALUE (the tested
# version, and the machine) keeps cases that passed or failed, and runs the cases that were not run, then those that timed out. A row has
# the output of a process that did not pass, without names of folders or of the machine; the full output is next to PROGRAM. Exits with 1 if
# a case failed, else with 4 if not all were run.
set -euo pipefail
stage=$1 program=$2 out=$3 end=$4 each=$5
rows=$(dirname "$program")/$stage figures=$out/$stage.json
rm -rf "$rows"
mkdir -p "$rows" "$out"

# quoted: standard input as a string of JSON
quoted() {
  tr -d '\000-\010\013-\037' | LC_ALL=C sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' |
    awk 'BEGIN { printf "\"" } { printf "%s%s", (NR > 1 ? "\\n" : ""), $0 } END { print "\"" }'
}
# told: the first and the last lines of standard input. Of a source's path only the file name stays, of another path nothing.
in="[^][:space:]/\"'(){}<>,;:=]" # characters of a file's name
told() {
  { grep -avE 'Host Frame.* in .*\.so' || true; } | cut -b 1-400 | { iconv -c -f utf-8 -t utf-8 || true; } |
    awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; ++i) if (i <= 40 || i > NR - 40) print line[i]; else if (i == 41) print "..." }' |
    LC_ALL=C sed -E "s#($in*/)+($in+\.(cuh?|[ch]pp|h|py))#\2#g; s#(/$in+)+/?#...#g; s#\<$(uname -n)\>#...#g"
}
# finds: whether a sanitizer reports a finding. A report that it could not see the end of a program that was cut off is no finding.
finds() { grep -aE '^=+ *(Invalid|Error|Race|Barrier|Uninitialized)' | grep -avE "process didn't terminate successfully|couldn't find exit code" >/dev/null; }

about='{'
for one in "${@:6}"; do about+="\"${one%%=*}\": $(quoted <<<"${one#*=}"), "; done
about+='"results": ['

# The runs: a name, the tool, the first case and the last.
names=() tools=() firsts=() lasts=() options=() lanes_of_test=${LANES:-6}
lanes_of_tool=$((lanes_of_test > 1 ? lanes_of_test / 2 : 1))
case $stage in
  test)
    mapfile -t names < <("$program" --no-intro --list-test-cases | grep -vE '^(\[doctest\]|=+$)')
    count=$("$program" --no-intro --count | sed -n 's/.*: *\([0-9]*\)$/\1/p')
    [ "${#names[@]}" = "$count" ] || { echo "gpu: the tests are $count, and their names ${#names[@]}" >&2; exit 1; }
    # A case that asks for the GPU's free memory runs when no other case does.
    for ((i = 1; i <= count; ++i)); do
      case ${names[i - 1]} in *"free memory"*) tools+=(last) ;; *) tools+=("lane $((i % lanes_of_test))") ;; esac
      firsts+=("$i") lasts+=("$i")
    done ;;
  sanitize)
    # Trainers are left out, as they take too long there, and so is free memory, of which a sanitizer uses some.
    options=(--duration=true "-tce=a trainer*,a transformer learns*,a tagger of hashed words learns*,the GPU's free memory*")
    count=$("$program" --no-intro --count "${options[@]}" | sed -n 's/.*: *\([0-9]*\)$/\1/p')
    for tool in memcheck racecheck initcheck synccheck; do
      for ((i = 1; i <= count; i += 4)); do
        last=$((i + 3 < count ? i + 3 : count)) lane=$((i / 4 % lanes_of_tool))
        names+=("$tool, cases $i to $last") tools+=("$tool${lane/#/-}") firsts+=("$i") lasts+=("$last")
      done
    done
    known=$(compute-sanitizer --help 2>&1 || true) ;;
esac
has() { grep -e "$1" <<<"$known" >/dev/null; }
# under TOOL: the words before the program
under() {
  local tool=${1%%-*}
  case $tool in last | lane*) return 0 ;; esac
  echo "compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 5"
  case $tool in
    # The tests check what a call returns themselves; that an event is not over yet is no error.
    memcheck) ! has --report-api-errors || echo "--report-api-errors no" ;;
    # Kernels of cuBLASLt and CUB are not checked, and would take most of the time. CUDA 13 has a new name for the option.
    racecheck | synccheck)
      if has --kernel-name; then echo "--kernel-name kns=7entrain"; elif has --kernel-regex; then echo "--kernel-regex kns=7entrain"; fi ;;
  esac
}

# row I RESULT STATUS SECONDS: writes a row, with the program's output from standard input
row() {
  local said; said=$(told | quoted)
  printf '{"name": %s, "result": "%s", "status": %d, "seconds": %d, "said": %s}\n' "$(quoted <<<"${names[$1]}")" "$2" "$3" "$4" "$said" >"$rows/new.$1"
  mv "$rows/new.$1" "$(row_of "$1")"
}
row_of() { printf '%s/%03d.row' "$rows" "$1"; }
write() { # a call that is stopped meanwhile leaves the old file
  { echo "$about"; cat "$rows"/*.row | sed 's/^/  /; $!s/$/,/'; echo ']}'; } >"$out/$stage.new"
  mv "$out/$stage.new" "$figures"
}

run() { # I
  local began=$SECONDS limit=$each status=0 said=$rows/$1.said took
  result=passed
  [ $((end - began)) -ge "$each" ] || limit=$((end - began))
  # shellcheck disable=SC2046
  timeout -k 5 "$limit" $(under "${tools[$1]}") "$program" --no-intro "${options[@]}" "--first=${firsts[$1]}" "--last=${lasts[$1]}" >"$said" 2>&1 &
  wait $! || status=$?
  took=$((SECONDS - began))
  if [ $status != 0 ]; then
    result=failed
    # On an H200 racecheck fails at 16-bit products of cuBLASLt; the other three tools do not.
    ! grep -a 'Internal Sanitizer Error' "$said" >/dev/null || finds <"$said" || result="sanitizer failed"
    if [ $took -ge "$limit" ] && ! finds <"$said"; then
      result="out of time"
      [ "$limit" = "$each" ] || result="not run" # cut off by the end of the total time
    fi
  fi
  echo "gpu: ${names[$1]}: $result, $took s"
  if [ $status = 0 ]; then : >"$said"; else told <"$said" | tail -n 15; fi
  row "$1" "$result" $status $took <"$said"
}
lane() { # I ...: one after the other
  local i result late=0
  trap 'kill $! 2>/dev/null; exit 1' TERM
  for i in "$@"; do
    [ $SECONDS -lt "$end" ] || break
    run "$i"
    if [ "$result" = "out of time" ]; then late=$((late + 1)); else late=0; fi
    [ $late -lt 3 ] || { echo "gpu: ${tools[i]}: three in a row ran out of time, so that the others are not run"; break; }
  done
}

earlier=()
[ "$(head -n 1 "$figures" 2>/dev/null)" != "$about" ] || mapfile -t earlier < <(sed '1d; $d; s/^ *//; s/,$//' "$figures")
declare -A soon later
for i in "${!names[@]}"; do
  tool=${tools[i]} begin="{\"name\": $(quoted <<<"${names[i]}"), \"result\": "
  case ${earlier[i]:-} in
    "$begin\"passed\""* | "$begin\"failed\""*) echo "${earlier[i]}" >"$(row_of "$i")" ;;
    "$begin\"out of time\""*) echo "${earlier[i]}" >"$(row_of "$i")"; later[$tool]+=" $i" ;;
    *) echo "$begin\"not run\", \"status\": 0, \"seconds\": 0, \"said\": \"\"}" >"$(row_of "$i")"; soon[$tool]+=" $i" ;;
  esac
done
write

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# While a program has the card open, the driver stays loaded between processes; to load it again takes seconds.
nvidia-smi -l 30 >/dev/null 2>&1 &
side_by_side() { # TOOL ...
  local lanes=() tool one
  for tool in "$@"; do
    # shellcheck disable=SC2086
    lane ${soon[$tool]:-} ${later[$tool]:-} &
    lanes+=($!)
  done
  for one in "${lanes[@]}"; do
    while kill -0 "$one" 2>/dev/null; do sleep 0.5; write; done
  done
}
mapfile -t first_tools < <(printf '%s\n' "${tools[@]}" | grep -vx last | sort -u)
side_by_side "${first_tools[@]}"
[ -z "${soon[last]:-}${later[last]:-}" ] || side_by_side last
write

is() { cat "$rows"/*.row | grep -c "\"result\": \"$1\"" || true; }
of_tool=$(is 'sanitizer failed') also=
[ "$of_tool" = 0 ] || also="; in $of_tool the sanitizer itself failed"
echo "gpu: of ${#names[@]}, $(is passed) passed, $(is failed) failed, $(is 'out of time') ran out of time, $(is 'not run') were not run$also"
[ "$(is failed)" = 0 ] || exit 1
[ "$(is passed)" = ${#names[@]} ] || exit 4
