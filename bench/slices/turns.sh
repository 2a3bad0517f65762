# Sourced by the benches that compare: two programs that do a slice of work on request, in turn, so that other load of the machine affects
# both alike. Such a program prints a line when it is ready; it answers each line of its input (what to do) with one line of JSON, and ends
# at "quit".

declare -A turns_to turns_from
turns_names=() turns_dir=$(mktemp -d)
trap 'rm -rf "$turns_dir"' EXIT

start() { # start NAME COMMAND ...
  local name=$1 in out
  mkfifo "$turns_dir/$name.in" "$turns_dir/$name.out"
  "${@:2}" <"$turns_dir/$name.in" >"$turns_dir/$name.out" &
  exec {in}>"$turns_dir/$name.in" {out}<"$turns_dir/$name.out"
  turns_names+=("$name") turns_to[$name]=$in turns_from[$name]=$out
}

answer() { # answer NAME WHAT
  local line
  read -r line <&"${turns_from[$1]}" || { echo "bench: $1 ended before it answered '$2'" >&2; exit 1; }
  echo "$1 $2 $line"
}

turns() { # turns SLICES WHAT ...: prints the answers, as NAME <blank> WHAT <blank> JSON; the first output is WHAT ready
  local slices=$1 what name
  shift
  for name in "${turns_names[@]}"; do answer "$name" ready; done
  for what in "$@"; do
    for _ in $(seq "$slices"); do
      for name in "${turns_names[@]}"; do
        echo "$what" >&"${turns_to[$name]}"
        answer "$name" "$what"
      done
    done
  done
  for name in "${turns_names[@]}"; do echo quit >&"${turns_to[$name]}"; done
  wait
}
