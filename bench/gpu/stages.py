#!/usr/bin/env python3
"""The stages of `./dev gpu bench`: runs programs, in turn if they are compared, and writes a file of figures as it goes.

    stages.py STAGE --out DIR --programs DIR --data DIR [--about KEY=VALUE ...] [--seconds 450] [--each 120] [--slices 5]
              [--python PYTHON] [--compile MODE] [--memory-gib N] [--models NAME,...] [--turns FOLDER --parties N] [--tiny]

    kernels     each kernel compared with the card's bandwidth and its big product    bench-kernels.json
    finetune    whole steps of entrain, and how long the GPU is idle, with cuBLASLt's first guesses; then with the fastest of
                several algorithms, if time allows                                    bench-finetune.json
    ways        the light model's and MiniLM's training, in turn: as it is, with batches made on the GPU, with values
                that change at a step's end, with one queue, without graphs
                                                                                      bench-ways.json
    peers-b32, peers-8k, peers-64k
                entrain, Hugging Face Trainer and tuned PyTorch, in turn              bench-peers.json, all three
    loss        the loss of each of 500 steps, and transformers'                      bench-loss.json

Goals and floors: bench/gpu/goals.py. A stage that runs out of time leaves rows that state it; called again, it measures those. A
program that does not answer within --each seconds hangs, and is killed; a peer has more time until it is ready. --turns: N calls at once,
each with an --out of its own, whose peers compile at the same time; timed programs have the GPU to themselves, when all N are ready.
--tiny: small shapes of programs that run on a CPU, to check that everything works; the figures then mean nothing.
"""

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import platform
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import goals

PEERS = pathlib.Path(__file__).resolve().parent.parent / "peers"
LATE = "out of time, call the stage again"
LATER = f"not measured: {LATE}"
ALL = {"measured": "all of them"}  # the last row of the kernels
START = 300  # seconds until a peer must be ready: compiling PyTorch's takes most of it


class Failed(Exception):
    pass


def without_paths(text):
    """Also removes the machine's name."""
    text = re.sub(r"(/[\w.+\-]+)+", "...", text)
    return re.sub(rf"\b{re.escape(platform.node())}\b", "...", text) if platform.node() else text


def last_words(text, returncode):
    words = text.strip().splitlines()
    return without_paths(words[-1])[:300] if words else f"it ended with {returncode}"


class Program:
    """A program that prints a line of JSON when it is ready, answers each line with another, and ends at 'quit'."""

    def __init__(self, command):
        self.said = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def answer(self, seconds):
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.1, end - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no answer in {seconds:.0f} s")
            if line is None:
                self.process.wait()
                self.said.seek(0)
                words = self.said.read()
                if self.process.returncode != 0:
                    print("\n".join(words.strip().splitlines()[-15:]), file=sys.stderr)
                raise Failed(last_words(words, self.process.returncode))
            if line.startswith("{"):  # libraries print, too
                return json.loads(line)

    def ask(self, what, seconds):
        try:
            self.process.stdin.write(what + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer has the reason
        return self.answer(seconds)

    def kill(self):
        """A program that failed must not compute at the same time as the others."""
        self.process.kill()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            pass  # the driver holds it

    def end(self):
        if self.process.poll() is None:
            try:
                self.process.stdin.write("quit\n")
                self.process.stdin.flush()
                self.process.wait(10)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                self.kill()
        self.said.close()


class Stage:
    """A file of rows, written again after each row; keeps rows of an earlier call on the same card and with the same sources."""

    def __init__(self, a):
        self.a, self.began = a, time.monotonic()
        file, _, regime = a.stage.partition("-")  # in a file of several stages, a row's batch names its stage
        self.batch = goals.batch_of(regime, a.tiny)[0] if regime else None
        self.path = pathlib.Path(a.out) / f"bench-{file}.json"
        self.about = {"stage": file, **dict(one.split("=", 1) for one in a.about)}
        if a.tiny:
            self.about["tiny"] = "a rehearsal without a GPU: the figures say nothing"
        self.rows = []
        if self.path.exists():
            before = json.loads(self.path.read_text())
            if {key: before.get(key) for key in self.about} == self.about:
                self.rows = [row for row in before["rows"] if not self.lacks(row)]
        self.write()

    def lacks(self, row):
        """Whether a row is of this stage, and states that something was not measured."""
        return self.batch in (None, row.get("batch")) and "not measured" in json.dumps(row)

    def write(self):
        lines = ",\n  ".join(json.dumps(row) for row in self.rows)
        new = self.path.with_suffix(".new")  # a call that is stopped while writing leaves the old file
        new.write_text(json.dumps(self.about)[:-1] + ', "rows": [\n  ' + lines + "\n]}\n")
        new.replace(self.path)

    def put(self, row):
        self.rows.append(row)
        self.write()

    def has(self, **keys):
        return any(all(row.get(k) == v for k, v in keys.items()) for row in self.rows)

    def left(self):
        return self.a.seconds - (time.monotonic() - self.began)

    def patience(self):
        """Seconds to wait for an answer."""
        return max(1, min(self.a.each, self.left()))

    def program(self, name):
        return pathlib.Path(self.a.programs) / name


class Turns:
    """Calls that share a GPU: one at a time measures. Alone without --turns."""

    def __init__(self, a):
        self.folder, self.parties = pathlib.Path(a.turns) if a.turns else None, a.parties
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def alone(self):
        if not self.folder:
            yield
            return
        with open(self.folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def ready(self, stage):
        """Waits for the others, as long as there is time left for the turns of all."""
        if not self.folder:
            return
        (self.folder / f"ready-{os.getpid()}").touch()
        while len(list(self.folder.glob("ready-*"))) < self.parties and stage.left() > stage.a.seconds / 3:
            time.sleep(0.1)


def spread(numbers):
    return {"median": statistics.median(numbers), "least": min(numbers), "most": max(numbers)}


def kernels(stage):
    if ALL in stage.rows:
        return
    program = Program([stage.program("kernels"), len(stage.rows)])  # the first ones are measured already
    try:
        while True:
            row = program.answer(stage.patience())
            stage.put(row)
            share = f"{row['share_of_copy']:.2f} of the copy"
            if row["flops"]:
                share += f", {row['share_of_790_tflop']:.2f} of 790 TFLOP/s, {row['share_of_big_product']:.2f} of the big product"
            print(f"{row['kernel']}, {row['shape']}: {row['us']:.1f} us, {share}{goals.of_kernel(row, stage.about)}")
    except Failed as failed:
        if program.process.poll() == 0:
            stage.put(ALL)
            return
        program.kill()
        late = stage.left() <= 0
        stage.put({"not measured": LATE if late else str(failed)})
        if not late:
            raise
    finally:
        program.end()


def finetune(stage):
    ways = [(algorithms, one) for algorithms in ("first guess", "measured") for one in goals.settings(stage.a.tiny)]
    for algorithms, (model, regime) in ways:
        batch, steps = goals.batch_of(regime, stage.a.tiny)
        keys = {"model": model, "batch": batch, "algorithms": algorithms}
        if stage.has(**keys):
            continue
        if stage.left() < 30:
            stage.put({**keys, "entrain": LATER})
            continue
        measured = ["--measured"] if algorithms == "measured" else []
        program = Program([stage.program(f"finetune-{model}"), "alone", batch, steps, *measured])
        try:
            row = program.answer(stage.patience())
        except Failed as failed:
            program.kill()
            stage.put({**keys, "entrain": f"not measured: {failed}"})
            continue
        finally:
            program.end()
        row["floor_ms"] = goals.floor_ms(model, row["pieces_per_step"])
        row["share_of_floor"] = row["floor_ms"] / row["ms_per_step"]
        stage.put(row)
        verdict = goals.bar(row["share_of_floor"], goals.SHARE, model, regime, stage.about)
        print(f"{model}, {batch}, {algorithms}: {row['pieces_per_second']:,.0f} pieces/s, {row['ms_per_step']:.3f} ms a step, the GPU idle "
              f"for {row['idle_share']:.3f} of it{goals.of_idle(row['idle_share'], stage.about)}; {row['share_of_floor']:.2f} of the "
              f"floor{verdict}")


def ways(stage):
    for model, batch, steps in goals.ways(stage.a.tiny):
        keys = {"model": model, "batch": batch}
        if stage.has(**keys):
            continue
        if stage.left() < 30:
            stage.put({**keys, "way": LATER})
            continue
        program = Program([stage.program(f"ways-{model}"), batch, steps])
        rows = []
        try:
            while True:  # it answers until it ends
                rows.append(program.answer(stage.patience()))
        except Failed as failed:
            if program.process.poll() != 0 or not rows:
                program.kill()
                stage.put({**keys, "way": f"not measured: {failed}"})
                continue
        finally:
            program.end()
        for row in rows:
            stage.put(row)
            print(f"{model}, {batch}, {row['way']}: {row['rows_per_second']:,.0f} rows/s, {row['ms_per_step']:.3f} ms a step; "
                  f"{row['times_as_fast']:.3f} times as fast ({row['times_as_fast_least']:.3f} to {row['times_as_fast_most']:.3f})")


def unprepared(stage, model):
    """Why there are no weights and sentences for the peers; None if there are."""
    done = pathlib.Path(stage.a.data) / model / "ready"
    if done.exists():
        return None
    pathlib.Path(stage.a.data).mkdir(parents=True, exist_ok=True)
    try:
        ran = subprocess.run([str(stage.program(f"finetune-{model}")), "prepare", str(stage.a.data)], stderr=subprocess.PIPE, text=True,
                             timeout=stage.patience())
    except subprocess.TimeoutExpired:
        return "finetune prepare: out of time"
    if ran.returncode != 0:
        print(ran.stderr, file=sys.stderr)
        return f"finetune prepare: {last_words(ran.stderr, ran.returncode)}"
    done.touch()


def why_no_peer(a):
    code = "import torch, transformers, sys; sys.exit(0 if torch.cuda.is_available() or %r else 3)" % a.tiny
    rc = subprocess.run([a.python, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return {0: None, 3: "torch sees no GPU"}.get(rc, "torch and transformers cannot be imported")


def asked_for(a):
    return [model for model in goals.models(a.tiny) if not a.models or model in a.models.split(",")]


def peers(stage):
    a, regime = stage.a, stage.a.stage.removeprefix("peers-")
    batch, steps = goals.batch_of(regime, a.tiny)
    missing = why_no_peer(a)
    cpu = ["--device", "cpu"] if a.tiny else []
    # Padded batches of thousands have many sizes, and PyTorch would keep memory for each.
    hf_memory = ["env", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"] if regime != "b32" else []
    for model in asked_for(a):
        why = unprepared(stage, model) or missing
        tuned = lambda form: [a.python, PEERS / "gpu_tuned_torch.py", form, a.data, model, batch, steps,
                              "--compile", "none" if a.tiny else a.compile, *cpu]
        commands = {"hf_trainer": [*hf_memory, a.python, PEERS / "gpu_hf_trainer.py", a.data, model, batch,
                                   goals.steps_of("hf_trainer", steps), *cpu],
                    "torch_packed": tuned("packed"), "torch_grouped": tuned("grouped")}
        together = a.memory_gib >= goals.gib_together(model, regime)
        for group in [list(commands)] if together else [[name] for name in commands]:
            wanted = [name for name in group if not stage.has(model=model, batch=batch, peer=name)]
            if not wanted:
                continue
            if why or all(stage.left() < needed(stage, name, {}) for name in wanted):
                for name in wanted:
                    stage.put({"model": model, "batch": batch, "peer": name, "ratio": f"not measured: {why}" if why else LATER})
                continue
            take_turns(stage, model, regime, batch, steps, {name: commands[name] for name in wanted})
        best = [row["ratio"]["median"] for row in stage.rows if row["model"] == model and row["batch"] == batch
                and row["peer"].startswith("torch_") and isinstance(row["ratio"], dict)]
        if len(best) == 2:
            print(f"{model}, {batch}: {min(best):.2f} times as fast as the better of the tuned forms"
                  f"{goals.bar(min(best), goals.TUNED, model, regime, stage.about)}")


def needed(stage, name, ready):
    """Seconds that must be left to start a peer: enough for its start, by measured starts if there are any, and some slices."""
    a = stage.a
    if a.tiny or name == "hf_trainer":
        return 60
    if a.compile == "default":
        return 120
    begun = [row["peer_about"] for row in stage.rows if "peer_about" in row] + list(ready.values())
    starts = [about["seconds"] for about in begun if about.get("compile") == a.compile]
    return 60 + max(starts) if starts else min(START, a.seconds / 2)


def in_turn(stage, names):
    """The programs to start together: one that tunes itself on the GPU must be alone there. Others may share the cores."""
    if stage.a.compile in ("default", "none"):
        return [names[:1], names[1:]]
    return [[name] for name in names]


def take_turns(stage, model, regime, batch, steps, commands):
    """Runs entrain and the peers, A, B, C, A, B, C ...; if one fails, the others continue."""
    programs, ready, slices, failed = {}, {}, {}, {}
    turns = Turns(stage.a)
    # entrain uses measured algorithms, as compiled PyTorch does.
    ours = {"entrain": [stage.program(f"finetune-{model}"), "slices", batch, steps, "--measured"]}
    try:
        for names in in_turn(stage, [*ours, *commands]):
            if "entrain" in failed:
                break
            with turns.alone() if "entrain" in names else contextlib.nullcontext():  # it measures algorithms
                for name in names:
                    if len(programs) > 1 and stage.left() < needed(stage, name, ready):  # the user asked for the first one
                        failed[name] = LATE
                    else:
                        programs[name] = Program({**ours, **commands}[name])
                left = stage.left()
                end = time.monotonic() + max(1, min(stage.a.each if "entrain" in names else START, left - min(100, left / 3)))
                for name in names:
                    if name in failed:
                        continue
                    try:
                        ready[name] = programs[name].answer(max(1, end - time.monotonic()))
                        slices[name] = []
                    except Failed as why:
                        failed[name] = str(why)
                        programs[name].kill()
        turns.ready(stage)
        with turns.alone():
            took = 0
            for turn in range(stage.a.slices if len(slices) > 1 else 0):
                if "entrain" in failed or (turn >= 3 and stage.left() < took):  # this number of slices is enough
                    break
                began = time.monotonic()
                for name in [n for n in slices if n not in failed]:
                    try:
                        slices[name].append(programs[name].ask("train", stage.patience()))
                    except Failed as why:
                        failed[name] = str(why)
                        programs[name].kill()
                took = time.monotonic() - began
    finally:
        for program in programs.values():
            program.end()
    rate = lambda one: one["pieces_per_second"]
    for name in commands:
        row = {"model": model, "batch": batch, "peer": name}
        if name in failed or "entrain" in failed:
            row["ratio"] = "not measured: " + failed.get(name, "entrain: " + failed.get("entrain", ""))
            stage.put(row)
            print(f"{model}, {batch}, {name}: {row['ratio']}")
            continue
        mine, theirs = slices["entrain"], slices[name]
        mine_ms = [1e3 * one["seconds"] / steps for one in mine]
        floor = goals.floor_ms(model, statistics.median(one["pieces"] / steps for one in mine))
        row.update(entrain_pieces_per_second=spread(map_list(rate, mine)), peer_pieces_per_second=spread(map_list(rate, theirs)),
                   ratio=spread([rate(x) / rate(y) for x, y in zip(mine, theirs)]), entrain_ms_per_step=spread(mine_ms),
                   peer_ms_per_step=spread([one["ms_per_step"] for one in theirs]), floor_ms=floor,
                   share_of_floor=floor / statistics.median(mine_ms), peer_gib=max(one["gib"] for one in theirs),
                   slices=len(mine), steps=steps, peer_steps=goals.steps_of(name, steps),
                   peer_about={k: v for k, v in ready[name].items() if k != "what"})
        stage.put(row)
        goal = goals.bar(row["ratio"]["median"], goals.HF, model, regime, stage.about) if name == "hf_trainer" else ""
        print(f"{model}, {batch}, {name}: entrain {row['entrain_pieces_per_second']['median']:,.0f} pieces/s, peer "
              f"{row['peer_pieces_per_second']['median']:,.0f}; ratio {row['ratio']['median']:.2f} ({row['ratio']['least']:.2f} to "
              f"{row['ratio']['most']:.2f}){goal}; {row['share_of_floor']:.2f} of the floor"
              f"{goals.bar(row['share_of_floor'], goals.SHARE, model, regime, stage.about)}")


def map_list(f, of):
    return [f(x) for x in of]


def numbers_of(seconds, *commands):
    """The output of programs that run at the same time."""
    end = time.monotonic() + seconds
    running = [subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True) for command in commands]
    try:
        said = [program.communicate(timeout=max(1, end - time.monotonic()))[0] for program in running]
        for program in running:
            if program.returncode != 0:
                raise subprocess.CalledProcessError(program.returncode, program.args)
    finally:
        for program in running:
            program.kill()
    return [map_list(float, text.split()) for text in said]


def loss(stage):
    a = stage.a
    steps, sentences = (3, 4) if a.tiny else (500, 32)
    missing = why_no_peer(a)
    cpu = ["--device", "cpu"] if a.tiny else []
    for model in asked_for(a):
        if stage.has(model=model):
            continue
        if missing or stage.left() < a.seconds / 4:
            stage.put({"model": model, "difference": f"not measured: {missing}" if missing else LATER})
            continue
        why = unprepared(stage, model)
        if why:
            stage.put({"model": model, "difference": f"not measured: {why}"})
            continue
        theirs = lambda precision: [a.python, PEERS / "gpu_losses.py", a.data, model, steps, sentences, precision, *cpu]
        row = {"model": model, "steps": steps, "sentences": sentences}
        try:
            ours, bf16, fp32 = numbers_of(max(1, stage.left()), [stage.program(f"finetune-{model}"), "losses", steps], theirs("bf16"), theirs("fp32"))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
            stage.put({**row, "difference": f"not measured: {type(failed).__name__}"})
            continue
        assert len(ours) == len(bf16) == len(fp32) == steps
        for name, x, y in (("entrain_to_torch_bf16", ours, bf16), ("entrain_to_torch_fp32", ours, fp32), ("torch_bf16_to_fp32", bf16, fp32)):
            apart = [abs(p - q) for p, q in zip(x, y)]
            row[name] = {"worst": max(apart), "at_step": 1 + apart.index(max(apart)), "mean": statistics.mean(apart)}
        row["first"], row["last"] = [x[0] for x in (ours, bf16, fp32)], [x[-1] for x in (ours, bf16, fp32)]
        row["every_tenth"] = {"entrain": ours[::10], "torch_bf16": bf16[::10], "torch_fp32": fp32[::10]}
        stage.put(row)
        worst = row["entrain_to_torch_bf16"]
        print(f"{model}: losses of {steps} steps differ from torch's in bf16 by {worst['worst']:.2e} at most (step {worst['at_step']}; bar "
              f"{goals.LOSS:.0e}); torch's bf16 from its fp32 by {row['torch_bf16_to_fp32']['worst']:.2e}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("stage", choices=["kernels", "finetune", "ways", "peers-b32", "peers-8k", "peers-64k", "loss"])
    for name in ("--out", "--programs", "--data"):
        p.add_argument(name, required=True)
    p.add_argument("--about", nargs="*", default=[], metavar="KEY=VALUE")
    p.add_argument("--seconds", type=float, default=450)
    p.add_argument("--each", type=float, default=120)
    p.add_argument("--slices", type=int, default=5)
    p.add_argument("--python", default=sys.executable)
    p.add_argument("--compile", default="max-autotune-no-cudagraphs")
    p.add_argument("--memory-gib", type=float, default=0)
    p.add_argument("--models", default="")
    p.add_argument("--turns")
    p.add_argument("--parties", type=int, default=1)
    p.add_argument("--tiny", action="store_true")
    a = p.parse_args()
    os.environ["PYTHONWARNINGS"] = "ignore"
    stage = Stage(a)
    try:
        {"kernels": kernels, "finetune": finetune, "ways": ways, "loss": loss}.get(a.stage, peers)(stage)
    except Failed as failed:
        sys.exit(f"gpu: {a.stage}: {failed}")
    if any(stage.lacks(row) for row in stage.rows):
        print(f"gpu: {a.stage}: something was not measured; {stage.path.name} says what", file=sys.stderr)
        sys.exit(4)


main()
