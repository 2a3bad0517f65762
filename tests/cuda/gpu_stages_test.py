#!/usr/bin/env python3
"""bench/gpu/stages.py: what it writes, how it goes on, and what it makes of programs that fail or hang; with programs that only pretend.

    tests/cuda/gpu_stages_test.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Any of the programs, and python with its peers. What it does is in the file NAME.does next to it: hang, or fail.
FAKE = r"""#!/usr/bin/env bash
here=$(dirname "$0") name=$(basename "$0")
case $name:$1 in python:-c) exit ;; python:*) name=$(basename "$1" .py) ;; esac
case $name:$2 in gpu_tuned_torch:*) name=$2 ;; esac
echo "$name $*" >>"$here/ran"
does=$(cat "$here/$name.does" 2>/dev/null)
case $does in
  hang) exec sleep 60 ;;
  fail) echo "no room for it in /home/someone/x" >&2; exit 1 ;;
esac
case $name:$1 in
  finetune-*:prepare) mkdir -p "$2/${name#finetune-}"; exit ;;
  finetune-*:alone) echo '{"ms_per_step": 2, "pieces_per_step": 685, "pieces_per_second": 340000, "idle_share": 0.1}'; exit ;;
  ways-*)
    echo '{"way": "as it is", "rows_per_second": 9, "ms_per_step": 1, "times_as_fast": 1, "times_as_fast_least": 1, "times_as_fast_most": 1}'
    exit ;;
esac
case $name in
  packed | grouped) echo '{"what": "ready", "compile": "some", "seconds": '"$(cat "$here/start" 2>/dev/null || echo 5)"'}' ;;
  *) echo '{"what": "ready"}' ;;
esac
while read -r line && [ "$line" = train ]; do
  echo "train $$" >>"$here/trained"
  echo '{"pieces": 137000, "seconds": 0.4, "pieces_per_second": 342500, "ms_per_step": 2, "gib": 3}'
done
"""


class Stages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place, self.out = pathlib.Path(folder.name) / "programs", pathlib.Path(folder.name) / "out"
        self.place.mkdir()
        self.out.mkdir()
        for name in ("kernels", "finetune-minilm-l6", "finetune-bert-base", "ways-light", "ways-minilm-l6", "python"):
            self.program(name, FAKE)

    def program(self, name, text):
        (self.place / name).write_text(text)
        (self.place / name).chmod(0o755)

    def does(self, name, what):
        (self.place / (name + ".does")).write_text(what)

    def stage(self, name, *options, sources="1"):
        """Its exit status. What ran stands in self.ran, the rows in self.rows."""
        (self.place / "ran").unlink(missing_ok=True)
        command = [sys.executable, ROOT / "bench/gpu/stages.py", name, "--out", self.out, "--programs", self.place, "--data",
                   self.place / "data", "--about", "card=A card", "sources=" + sources, "--python", self.place / "python", *options]
        done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.said = done.stdout
        ran = self.place / "ran"
        self.ran = ran.read_text().splitlines() if ran.exists() else []
        self.rows = json.loads((self.out / f"bench-{name.split('-')[0]}.json").read_text())["rows"]
        return done.returncode

    def peers_of(self, batch):
        return [(row["model"], row["peer"], row["ratio"]["median"] if isinstance(row["ratio"], dict) else row["ratio"])
                for row in self.rows if row["batch"] == batch]

    def test_calls_that_share_a_gpu_measure_one_after_another(self):
        calls = []
        for name, model in (("peers-8k", "minilm-l6"), ("peers-b32", "bert-base")):
            out = self.out / name
            out.mkdir()
            command = [sys.executable, ROOT / "bench/gpu/stages.py", name, "--out", out, "--programs", self.place, "--data",
                       self.place / "data", "--about", "card=A card", "--python", self.place / "python", "--compile", "default",
                       "--seconds", "300", "--memory-gib", "139", "--models", model, "--turns", self.out / "turns", "--parties", "2"]
            calls.append((name, model, subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)))
        for name, model, call in calls:
            self.assertEqual(call.wait(60), 0)
            rows = json.loads((self.out / name / "bench-peers.json").read_text())["rows"]
            self.assertEqual([(row["model"], row["peer"], row["slices"]) for row in rows],
                             [(model, peer, 5) for peer in ("hf_trainer", "torch_packed", "torch_grouped")])
        trained = (self.place / "trained").read_text().split("\n")[:-1]
        self.assertEqual(len(trained), 40)
        self.assertEqual([len(set(trained[:20])), len(set(trained[20:]))], [4, 4])  # four programs of one call, then of the other
        self.assertFalse(set(trained[:20]) & set(trained[20:]))

    def test_stages_of_peers_share_a_file(self):
        self.does("packed", "fail")
        self.assertEqual(self.stage("peers-b32"), 4, self.said)
        why = "not measured: no room for it in ..."
        first = [(model, peer, why if peer == "torch_packed" else 1) for model in ("minilm-l6", "bert-base")
                 for peer in ("hf_trainer", "torch_packed", "torch_grouped")]
        self.assertEqual(sorted(self.peers_of("sentences:32")), sorted(first))
        (self.place / "packed.does").unlink()
        self.assertEqual(self.stage("peers-8k"), 0, self.said)  # what another lacks is not its business, and stays
        self.assertEqual(len(self.peers_of("tokens:8192")), 6)
        self.assertEqual(sorted(self.peers_of("sentences:32")), sorted(first))
        self.assertEqual(self.stage("peers-b32"), 0, self.said)
        self.assertEqual(sum("gpu_" in line for line in self.ran), 2, self.ran)  # what is there is not measured again
        self.assertEqual([ratio for _, _, ratio in self.peers_of("sentences:32")], 6 * [1])
        self.assertEqual([p.name for p in self.out.iterdir()], ["bench-peers.json"])
        self.stage("peers-b32", sources="2")
        self.assertEqual(len(self.rows), 6)

    def test_a_peer_is_begun_where_there_is_time_for_it(self):
        late = "not measured: out of time, call the stage again"
        self.assertEqual(self.stage("peers-b32", "--seconds", "50", "--compile", "default"), 4, self.said)
        self.assertEqual({ratio for _, _, ratio in self.peers_of("sentences:32")}, {late})
        self.assertEqual([line for line in self.ran if "slices" in line or "gpu_" in line], [])
        for memory in ("0", "100"):  # one with entrain alone, all together
            self.assertEqual(self.stage("peers-b32", "--seconds", "100", "--compile", "default", "--memory-gib", memory, sources=memory), 4)
            self.assertEqual([ratio for _, _, ratio in self.peers_of("sentences:32")], 2 * [1, late, late])
        # What a start takes is known as soon as one was measured.
        (self.place / "start").write_text("1000")
        self.assertEqual(self.stage("peers-b32", "--seconds", "100", "--compile", "some"), 4, self.said)
        self.assertEqual([ratio for _, _, ratio in self.peers_of("sentences:32")], [1, 1, late, 1, late, late])

    def test_a_peer_that_hangs(self):
        self.does("packed", "hang")
        self.assertEqual(self.stage("peers-64k", "--seconds", "6", "--compile", "some"), 4, self.said)
        self.assertRegex(" ".join(self.peers_of("tokens:65536")[1]), "torch_packed not measured: no answer in . s")

    # Three kernels; the second one hangs, or the program ends there, as the file says.
    KERNELS = """#!/usr/bin/env bash
here=$(dirname "$0")
echo "kernels $*" >>"$here/ran"
for ((i = $1; i < 3; ++i)); do
  if [ $i = 1 ]; then case $(cat "$here/kernels.does" 2>/dev/null) in hang) exec sleep 60 ;; fail) echo "bad address" >&2; exit 1 ;; esac; fi
  echo '{"kernel": "k'$i'", "shape": "1x1", "us": 1, "share_of_copy": 0.5, "flops": 0}'
done
"""

    def kernels(self):
        return [row.get("kernel", row) for row in self.rows]

    def test_kernels_go_on(self):
        self.program("kernels", self.KERNELS)
        for does, why in (("hang", "no answer in 1 s"), ("fail", "bad address")):
            self.does("kernels", does)
            began = time.monotonic()
            self.assertEqual(self.stage("kernels", "--each", "1"), 1, self.said)
            self.assertLess(time.monotonic() - began, 8)  # killed at once
            self.assertEqual(self.kernels(), ["k0", {"not measured": why}])
        self.assertEqual(self.ran, ["kernels 1"])
        self.does("kernels", "hang")
        self.assertEqual(self.stage("kernels", "--seconds", "1"), 4, self.said)  # out of time, which is no failure
        self.assertIn("out of time", self.rows[-1]["not measured"])
        (self.place / "kernels.does").unlink()
        self.assertEqual(self.stage("kernels"), 0, self.said)
        self.assertEqual(self.kernels(), ["k0", "k1", "k2", {"measured": "all of them"}])
        self.assertEqual(self.stage("kernels"), 0, self.said)
        self.assertEqual(self.ran, [])
        self.stage("kernels", sources="2")
        self.assertEqual(self.ran, ["kernels 0"])

    def test_one_that_hangs_leaves_time_to_the_others(self):
        self.does("finetune-bert-base", "hang")
        self.assertEqual(self.stage("finetune", "--each", "1"), 4, self.said)
        found = [(row["model"], "no answer in 1 s" in str(row.get("entrain"))) for row in self.rows if "not measured" in str(row)]
        self.assertEqual(found, 6 * [("bert-base", True)])
        self.assertEqual(len(self.rows), 12)
        self.does("ways-light", "hang")
        self.assertEqual(self.stage("ways", "--each", "1"), 4, self.said)
        self.assertEqual([row["way"] for row in self.rows], 2 * ["not measured: no answer in 1 s"] + 2 * ["as it is"])


unittest.main()
