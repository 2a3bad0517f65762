"""A peer's answers to bench/slices/turns.sh: one line of JSON each, with its peak memory."""

import json


def say(**fields):
    print(json.dumps(fields), flush=True)


def peak_rss_mib():
    """Highest resident memory of this process. VmHWM, as ru_maxrss starts at the peak of the parent program."""
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024.0
    return 0.0
