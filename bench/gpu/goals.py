"""The measurements and their goals: batches, bars, and the floor of a step.

The floor is the minimum work of a step, on an H200: its products at 790 TFLOP/s (forward and backward, 6 operations a parameter of a
product and a row, and 12 L h s for attention over sentences of 21 pieces), and AdamW with lazy row updates at 4.3 TB/s (30 bytes a
parameter that a step touches). On another card it is the same number of milliseconds, and a share of it has no bar.
"""

HF, TUNED, SHARE = 0, 1, 2
# The bars: ratios to Hugging Face Trainer and to the better tuned PyTorch, and the share of the floor.
BARS = {("bert-base", "b32"): (6, 1.6, 0.45), ("minilm-l6", "b32"): (12, 2, 0.25),
        ("bert-base", "8k"): (4, 1.3, 0.65), ("minilm-l6", "8k"): (6, 1.6, 0.50),
        ("bert-base", "64k"): (4, 1.2, 0.68), ("minilm-l6", "64k"): (6, 1.4, 0.55)}
STRETCH = 1  # share of the floor with 32 sentences a step: above 1 a step costs less than the floor's two terms
IDLE = 0.01  # share of its time that a GPU may wait for data; any waiting counts, as the host packs batches at the same time
LOSS = 1e-2
# Shares of the copy's bandwidth, for rows that do not fit into the second-level cache: 65,536 of 768 channels.
KERNEL_BARS = {"layer_norm": 0.80, "bias_dropout_add_norm": 0.80, "layer_norm_back": 0.75, "bias_dropout_add_norm_back": 0.75,
               "bias_dropout_add_norm_gradients": 0.75, "AdamW, dense": 0.85}

BATCHES = {"b32": ("sentences:32", 200), "8k": ("tokens:8192", 40), "64k": ("tokens:65536", 6)}  # and steps of a slice
HF_STEPS = 60  # of a slice of Trainer's, at most: its steps are long, so fewer of them are enough
TINY_BATCHES = {"b32": ("sentences:4", 3), "8k": ("tokens:128", 2), "64k": ("tokens:256", 1)}
# Operations per row in products; milliseconds of AdamW at 685, 8,192 and 65,536 rows.
FLOORS = {"minilm-l6": (63.7e6 + 12 * 6 * 384 * 21, ((685, 0.075), (8192, 0.080), (65536, 0.098))),
          "bert-base": (509.6e6 + 12 * 12 * 768 * 21, ((685, 0.596), (8192, 0.606), (65536, 0.642)))}


# Steps of a slice of each way.
WAYS = [("light", "tokens:2048", 60), ("light", "tokens:16384", 20), ("minilm-l6", "sentences:32", 100), ("minilm-l6", "tokens:8192", 30)]
TINY_WAYS = [("light", "tokens:64", 2), ("small", "tokens:64", 2)]


def models(tiny):
    return ["small"] if tiny else ["minilm-l6", "bert-base"]


def settings(tiny):
    return [(model, regime) for regime in BATCHES for model in models(tiny)]


def ways(tiny):
    return TINY_WAYS if tiny else WAYS


def batch_of(regime, tiny):
    return (TINY_BATCHES if tiny else BATCHES)[regime]


def steps_of(peer, steps):
    return min(steps, HF_STEPS) if peer == "hf_trainer" else steps


def gib_together(model, regime):
    """Memory in which entrain and all peers fit at the same time; with less, each peer runs only with entrain."""
    if model == "bert-base":
        return {"8k": 100, "64k": 136}.get(regime, 40)
    return 70 if regime == "64k" else 40


def floor_ms(model, rows):
    if model not in FLOORS:
        return 0.0
    flops, adamw = FLOORS[model]
    (x0, y0), (x1, y1) = adamw[:2] if rows <= adamw[1][0] else adamw[1:]
    return 1e3 * rows * flops / 790e12 + y0 + (y1 - y0) * (rows - x0) / (x1 - x0)


def bar(found, which, model, regime, about):
    if (model, regime) not in BARS or (which == SHARE and "H200" not in about.get("card", "")):
        return ""
    wanted = BARS[model, regime][which]
    stretch = f"; stretch {STRETCH}: {'reached' if found > STRETCH else 'missed'}" if which == SHARE and regime == "b32" else ""
    return f" (bar {wanted}: {'reached' if found >= wanted else 'missed'}{stretch})"


def of_idle(found, about):
    return "" if "tiny" in about else f" (bar {IDLE}: {'reached' if found < IDLE else 'missed'})"


def of_kernel(row, about):
    wanted = KERNEL_BARS.get(row["kernel"])
    if wanted is None or "tiny" in about or ("x" in row["shape"] and not row["shape"].startswith(("65536x384", "65536x768"))):
        return ""
    return f" (bar {wanted}: {'reached' if row['share_of_copy'] >= wanted else 'missed'})"
