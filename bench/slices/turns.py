"""Reads what turns.sh writes, and compares programs by the slices that they did next to each other."""

import json
import statistics


class Turns:
    def __init__(self, path):
        lines = [line.split(" ", 2) for line in open(path)]
        self.lines = [(name, what, json.loads(record)) for name, what, record in lines]

    def of(self, name, what="train"):
        return [record for n, w, record in self.lines if (n, w) == (name, what)]

    def ratios(self, ours, theirs, field):
        return [a[field] / b[field] for a, b in zip(self.of(ours), self.of(theirs))]

    def compared(self, ours, theirs):
        """Medians of real pieces a second, their ratio slice by slice, and peak memory."""
        median = lambda name: statistics.median(record["pieces_per_second"] for record in self.of(name))
        mib = lambda name: max(record["peak_rss_mib"] for record in self.of(name))
        ratios = self.ratios(ours, theirs, "pieces_per_second")
        undisturbed = self.undisturbed(ours, theirs)
        return {"entrain_pieces_per_second": median(ours), "peer_pieces_per_second": median(theirs),
                "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
                "undisturbed_slices": len(undisturbed), "undisturbed_ratio_median": statistics.median(undisturbed) if undisturbed else None,
                "entrain_peak_rss_mib": mib(ours), "peer_peak_rss_mib": mib(theirs),
                "encoder_share_of_fma_peak": statistics.median(r["encoder_gflops"] / r["peak_gflops"] for r in self.of(ours))}

    def undisturbed(self, ours, theirs):
        """The ratios of the slices after which the cores had 0.95 of the most multiply-adds that they had after any: on a virtual
        machine another guest may use the same cores. Only programs of entrain measure that."""
        peak = max(record["peak_gflops"] for _, what, record in self.lines if "peak_gflops" in record)
        fast = lambda record: record.get("peak_gflops", peak) >= 0.95 * peak
        return [ratio for ratio, a, b in zip(self.ratios(ours, theirs, "pieces_per_second"), self.of(ours), self.of(theirs))
                if fast(a) and fast(b)]


def cpu():
    return next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")


def line_of(ours, theirs, o):
    alone = f", {o['undisturbed_ratio_median']:.2f} in {o['undisturbed_slices']} undisturbed slices" if o["undisturbed_slices"] else ""
    return (f"against {theirs}: {ours} {o['entrain_pieces_per_second']:,.0f} pieces/s, peer {o['peer_pieces_per_second']:,.0f}; "
            f"ratio {o['ratio_median']:.2f} ({o['ratio_min']:.2f} to {o['ratio_max']:.2f}){alone}; peak memory {o['entrain_peak_rss_mib']:.0f} and "
            f"{o['peer_peak_rss_mib']:.0f} MiB; products of the encoder {o['encoder_share_of_fma_peak']:.2f} of the FMA peak")
