#!/usr/bin/env bash
# Fine-tunes MiniLM as a classifier of texts, compared with Hugging Face: real pieces a second in turn, and accuracy over seeds.
#
#   ./dev bench classify --pretrained DIR [--corpus banking77|sentence-polarity] [--only speed|quality|stored|published]
#                        [--slices 7] [--steps 8] [--threads 2] [--seeds 3] [--epochs 3] [--rate 1e-4]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md tells where to get it). 32 texts a step. speed: against the Trainer, the Trainer
# that groups by length, and the plain torch loop, whose batches are the corpus's own; also against the loop on batches of one length. It
# measures wall time, so it needs idle cores; the ratio of processor time is written, too. quality: the same recipe for both, one thread
# (bench/peers/hf_classify.py describes it), with the Trainer also from a classifier whose first weights are drawn as entrain's; the results
# of a seed are stored in build/classify, so that an interrupted run resumes. 20 to 25 minutes of processor time a seed of the Trainer.
# stored: trains nothing, and writes the accuracy of the seeds that are stored.
# published, on request only: seconds of a training of seed 0 that evaluates the test file after each epoch. Writes
# bench/results/classify-<corpus>.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command="./dev bench classify $*"
corpus=banking77 only='speed quality' slices=7 steps=8 threads=2 seeds=3 epochs=3 rate=1e-4 folder=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --slices) slices=$2; shift 2 ;;
    --steps) steps=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --epochs) epochs=$2; shift 2 ;;
    --rate) rate=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench classify: what is $1?" >&2; exit 2 ;;
  esac
done
[ -e "$folder/model.safetensors" ] || { echo "bench classify: --pretrained names a folder with model.safetensors" >&2; exit 2; }
. bench/slices/corpus.sh
text_files classify "$corpus"

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
[ -x build/venv-torch/bin/python ] || sh bench/peers/setup.sh torch >&2
python=build/venv-torch/bin/python
results=$(mktemp -d)

. bench/slices/turns.sh # replaces the trap
trap 'rm -rf "$turns_dir" "$results"' EXIT
if [[ $only == *speed* ]]; then
  ninja -C build/default --quiet classify_slices >&2
  ours() { start "$1" build/default/bin/classify_slices "$folder" "$train" "$steps" "$threads" "$2"; }
  peer() { start "$1" "$python" bench/peers/hf_classify.py "$2" "$folder" "$train" "$steps" "$threads" "${@:3}"; }
  ours entrain file
  peer trainer trainer
  peer trainer-grouped trainer grouped
  peer loop loop
  ours entrain-equal equal
  peer loop-equal loop equal
  turns "$slices" train >"$results/speed"
fi

kept=build/classify/$corpus-$epochs-$rate
mkdir -p "$kept"
trained() { # trained NAME OPTION ...: by entrain
  [ -e "$kept/$1" ] || {
    ./dev train --task classify --quiet --json --pretrained "$folder" --train "$train" --test "$test" --epochs "$epochs" --batch-size 32 \
      --learning-rate "$rate" --warmup-ratio 0.1 --weight-decay 0.01 --no-calibrate --overwrite --output "$kept/model" "${@:2}" >"$kept/new"
    mv "$kept/new" "$kept/$1"
  }
}
trained_by_peer() { # NAME THREADS SEED OPTION ...
  [ -e "$kept/$1" ] || "$python" bench/peers/hf_classify.py quality "$folder" "$train" "$test" "$2" "$3" "$epochs" "$rate" "$kept/$1" "${@:4}" \
    >/dev/null 2>"$kept/log" || { tail -n 5 "$kept/log" >&2; exit 1; }
}
if [[ $only == *quality* ]]; then
  for ((seed = 0; seed < seeds; ++seed)); do
    trained "entrain-$seed" --seed "$seed" --threads 1
    trained_by_peer "trainer-$seed" 1 "$seed"
    trained_by_peer "trainer-glorot-$seed" 1 "$seed" glorot
  done
fi
if [[ $only == *published* ]]; then
  trained entrain-published --threads "$threads" --dev "$test"
  trained_by_peer trainer-published "$threads" 0 published
fi

mkdir -p bench/results
"$python" - "$corpus" "$only" "$results/speed" "$kept" "${ENTRAIN_COMMIT:-$(git rev-parse --short HEAD)}" "$command" "$(g++ --version | head -1)" \
  "$slices" "$steps" "$threads" "$seeds" "$epochs" "$rate" <<'PY'
import json, os, statistics, sys
sys.path.insert(0, "bench/slices")
from turns import Turns, cpu, line_of
corpus, only, speed, kept, commit, command, compiler, *numbers, rate = sys.argv[1:]
slices, steps, threads, seeds, epochs = map(int, numbers)
path = f"bench/results/classify-{corpus}.json"
out = json.load(open(path)) if os.path.exists(path) else {}
about = {"commit": commit, "command": command, "cpu": cpu(), "compiler": compiler}
if "speed" in only:
    turns = Turns(speed)
    peer = turns.of("trainer", "ready")[0]
    out["speed"] = about | {"threads": threads, "slices": slices, "steps": steps,
                            "peers": {"torch": peer["system"], "transformers": peer["transformers"]}}
    for ours, theirs in [("entrain", "trainer"), ("entrain", "trainer-grouped"), ("entrain", "loop"), ("entrain-equal", "loop-equal")]:
        o = out["speed"][theirs] = turns.compared(ours, theirs)
        o["ratio_of_processor_time_median"] = statistics.median(turns.ratios(ours, theirs, "pieces_per_cpu_second"))
        o["peer_real_share"] = statistics.median(record["real_share"] for record in turns.of(theirs))
        print(corpus, line_of(ours, theirs, o) + f"; ratio of processor time {o['ratio_of_processor_time_median']:.2f}; "
              f"{100 * o['peer_real_share']:.0f} % of the peer's pieces are real")


def result(name):
    read = json.load(open(f"{kept}/{name}"))
    return read.get("test", {}) | read


if "quality" in only or "stored" in only:
    out.pop("quality_unfinished", None)
    q = out["quality"] = about | {"recipe": f"{epochs} epochs, batches of 32, learning rate {rate}, warm-up of a tenth, linear, weight decay 0.01"}
    ours = {}
    for name in ("entrain", "trainer", "trainer-glorot"):
        of = {seed: 100 * result(f"{name}-{seed}")["accuracy"] for seed in range(seeds) if os.path.exists(f"{kept}/{name}-{seed}")}
        if not of:
            continue
        accuracy = list(of.values())
        q[name] = {"seeds": list(of), "accuracy": accuracy, "mean": statistics.mean(accuracy), "spread": max(accuracy) - min(accuracy)}
        print(f"{corpus}, {q['recipe']}, {name}: {' '.join(f'{a:.2f}' for a in accuracy)}; mean {q[name]['mean']:.2f}, "
              f"spread {q[name]['spread']:.2f}")
        if name == "entrain":
            ours = of
        elif both := ours.keys() & of.keys():
            q[name]["entrain_minus_this"] = statistics.mean(ours[seed] - of[seed] for seed in both)
            print(f"entrain - {name}: {q[name]['entrain_minus_this']:+.2f}, mean over {len(both)} seeds")
if "published" in only:
    ours, theirs = result("entrain-published"), result("trainer-published")
    out["published"] = about | {"threads": threads, "epochs": epochs,
                                "seconds": {"entrain": ours["seconds"], "trainer": theirs["seconds_of_training"]},
                                "accuracy": {"entrain": 100 * ours["accuracy"], "trainer": 100 * theirs["accuracy"]}}
    print(f"{corpus}, {epochs} epochs with evaluation after each, {threads} threads: entrain {ours['seconds']:.0f} s, "
          f"trainer {theirs['seconds_of_training']:.0f} s")
open(path, "w").write(json.dumps(out, indent=1) + "\n")
PY
