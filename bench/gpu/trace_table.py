#!/usr/bin/env python3
"""Prints a recording of trace_kernels.cpp by kernel: launches a step, time, and the GPU's idle time between all of them.

    trace_table.py FILE [--steps N] [--timeline]

FILE may be the end of a recording. N: the steps in it; without it the steps are counted by the kernel that writes `Norm` last, AdamW's.
--timeline: one step, kernel by kernel, with the gap before each.
"""

import argparse
import collections
import re
import subprocess


def rows_of(path):
    rows = []
    for line in open(path, errors="replace"):
        parts = line.rstrip("\n").split(" ", 7)
        if len(parts) == 8 and parts[0].isdigit():
            begin, end, stream, blocks, threads, registers, shared = map(int, parts[:7])
            rows.append((begin, end, stream, blocks, threads, registers, shared, parts[7]))
    return rows


def short(names):
    plain = subprocess.run(["c++filt"], input="\n".join(names), text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    cut = lambda s: re.sub(r"^void |entrain::|kernel::|detail::|device::|\(anonymous namespace\)::|\(.*$", "", s)
    return {name: cut(s)[:110] for name, s in zip(names, plain)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("file")
    p.add_argument("--steps", type=int)
    p.add_argument("--mark", default="decide_step", help="a kernel of which a step has one")
    p.add_argument("--timeline", action="store_true")
    a = p.parse_args()
    rows = rows_of(a.file)
    name = short(sorted({r[7] for r in rows}))
    count = collections.Counter(name[r[7]] for r in rows)
    steps = a.steps or max(1, min((n for k, n in count.items() if re.search(a.mark, k)), default=1))
    busy, idle, last = 0, 0, rows[0][0]
    by = collections.defaultdict(lambda: [0, 0, 0, 0])
    for r in rows:
        begin, end = r[0], r[1]
        idle += max(0, begin - last)
        busy += max(0, end - max(begin, last))
        last = max(last, end)
        one = by[name[r[7]]]
        one[0] += 1
        one[1] += end - begin
        one[2], one[3] = r[3], r[4]
    span = last - rows[0][0]
    print(f"{steps} steps, {span / steps / 1e3:.1f} us a step, busy {busy / span:.3f}, idle {idle / steps / 1e3:.1f} us a step")
    print(f"{'us/step':>9} {'share':>6} {'n/step':>7} {'us each':>8} {'blocks':>7} {'threads':>7}  kernel")
    for k, (n, ns, blocks, threads) in sorted(by.items(), key=lambda x: -x[1][1]):
        print(f"{ns / steps / 1e3:9.2f} {ns / span:6.3f} {n / steps:7.1f} {ns / n / 1e3:8.2f} {blocks:7} {threads:7}  {k}")
    if a.timeline:
        marks = [i for i, r in enumerate(rows) if re.search(a.mark, name[r[7]])]
        first, end = (marks[-2] + 1, marks[-1] + 1) if len(marks) > 1 else (0, len(rows))
        last = rows[first][0]
        for r in rows[first:end]:
            print(f"{(r[0] - rows[first][0]) / 1e3:9.1f} gap {(r[0] - last) / 1e3:6.1f} took {(r[1] - r[0]) / 1e3:7.1f} stream {r[2]:3} "
                  f"{r[3]:6} x {r[4]:4}, {r[5]:3} registers, {r[6]:6} bytes  {name[r[7]]}")
            last = max(last, r[1])


main()
