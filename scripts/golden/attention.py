# Writes tests/kernel/golden/attention.txt: the results of torch's scaled_dot_product_attention for fixed numbers, under a mask that keeps a
# window. Needs torch (pip install torch).
import torch

torch.set_default_dtype(torch.float64)
N, H, D = 17, 2, 3  # rows of one sentence, heads, channels of a head
lines = ["# torch " + torch.__version__ +
         ": window, then out [N, H D], then the gradient of query, key and value [N, 3 H D]"]


def number(i):  # the test has the same formula
    return ((i * 37 + i // 11) % 101 - 50) / 32


def rows(count, first):
    return torch.tensor([number(first + i) for i in range(N * count)]).reshape(N, count)


def heads(x):
    return x.reshape(N, H, D).transpose(0, 1)


for window in (0, 2, 8, 32):
    qkv = rows(3 * H * D, 0).requires_grad_()
    dout = rows(H * D, 5000)
    at = torch.arange(N)
    # ModernBERT's local_attention: abs(i - j) <= local_attention // 2
    near = (at[:, None] - at[None, :]).abs() <= window // 2 if window else torch.ones(N, N, dtype=torch.bool)
    q, k, v = (heads(x) for x in qkv.chunk(3, dim=1))
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=near, scale=0.7)
    out = out.transpose(0, 1).reshape(N, H * D)
    out.backward(dout)
    values = out.detach().flatten().tolist() + qkv.grad.flatten().tolist()
    lines.append(str(window) + " " + " ".join(f"{x:.13g}" for x in values))
open("tests/kernel/golden/attention.txt", "w").write("\n".join(lines) + "\n")
