# Writes tests/train/golden/samples.txt: ten steps of torch on samples that are ids, and on samples that are rows of
# numbers, in fp64. The test has the same formulas for samples and first values. Needs torch (pip install torch).
import torch

torch.set_default_dtype(torch.float64)
V, C, N, K, SAMPLES, STEPS = 13, 6, 7, 3, 8, 10
lines = ["# torch " + torch.__version__ + ": name, then the ten losses, or the values after ten steps"]


def first(count, shape):
    return torch.tensor([((i * 7) % 11 - 5) * 0.1 for i in range(count)]).reshape(shape).requires_grad_(True)


def put(name, values):
    lines.append(name + " " + " ".join(repr(float(v)) for v in values))


def train(name, parameters, loss_of):
    optimizer = torch.optim.Adam(list(parameters.values()), lr=0.01)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    put(name + ".losses", losses)
    for key, value in parameters.items():
        put(name + "." + key, value.detach().flatten().tolist())


ids = [[(5 * s + 3 * k) % V for k in range(1 + s % 4)] for s in range(SAMPLES)]  # of one to four ids
table, weight, bias = first(V * C, (V, C)), first(C, (1, C)), first(1, (1,))
yes = torch.tensor([float(s % 3 == 0) for s in range(SAMPLES)])


def loss_of_ids():
    pooled = torch.stack([table[torch.tensor(one)].mean(0) for one in ids])
    return torch.nn.functional.binary_cross_entropy(torch.sigmoid(pooled @ weight.T + bias)[:, 0], yes)


train("ids", {"table": table, "weight": weight, "bias": bias}, loss_of_ids)

x = torch.tensor([[((3 * s + 5 * j) % 17 - 8) * 0.125 for j in range(N)] for s in range(SAMPLES)])
w, b = first(K * N, (K, N)), first(K, (K,))
classes = torch.tensor([s % K for s in range(SAMPLES)])
train("floats", {"weight": w, "bias": b}, lambda: torch.nn.functional.cross_entropy(x @ w.T + b, classes))
open("tests/train/golden/samples.txt", "w").write("\n".join(lines) + "\n")
