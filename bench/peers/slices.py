"""What a peer's program says to bench/slices/turns.sh: a line of JSON an answer, with its peak memory."""

import json


def say(**fields):
    print(json.dumps(fields), flush=True)


def peak_rss_mib():
    """Highest resident memory of this process. VmHWM, as ru_maxrss starts at the peak of the program that started us."""
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024.0
    return 0.0
