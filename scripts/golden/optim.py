# Writes tests/optim/golden/torch.txt: the results of torch.optim for fixed gradients. Needs torch (pip install torch).
import torch

torch.set_default_dtype(torch.float64)
N, STEPS = 5, 12
lines = ["# torch " + torch.__version__ + ": name, then the values after step 1, 4 and 12"]
start = [0.5, -1.0, 2.0, 0.0, 1e-3]


def gradient(t, i):  # the test has the same formula
    return ((t * 7 + i * 3) % 11 - 5) * 0.25


def run(name, make):
    p = torch.tensor(start, requires_grad=True)
    optimizer = make([p])
    out = []
    for t in range(1, STEPS + 1):
        p.grad = torch.tensor([gradient(t, i) for i in range(N)])
        optimizer.step()
        if t in (1, 4, 12):
            out += p.detach().tolist()
    lines.append(name + " " + " ".join(repr(x) for x in out))


run("sgd", lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01))
run("adam", lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01))
run("adamw", lambda p: torch.optim.AdamW(p, lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01))
open("tests/optim/golden/torch.txt", "w").write("\n".join(lines) + "\n")
