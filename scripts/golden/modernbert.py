# Writes tests/kernel/golden/modernbert.txt: the rotary position embeddings and the gated linear unit of transformers' ModernBERT, for fixed
# numbers, with their gradients.
#
#   python -P scripts/golden/modernbert.py     needs torch and transformers (pip install torch transformers)
import torch
import transformers
from transformers.models.modernbert import modeling_modernbert as modernbert

N, H, D, I = 5, 2, 6, 7  # rows, heads, channels of a head, gated channels
lines = [f"# torch {torch.__version__}, transformers {transformers.__version__}",
         "# rotary, theta, the first row's place: query and key [N, 2 H D], then their gradient [N, 2 H D]",
         "# activation: y [N, I], then the gradient of u [N, 2 I]"]


def number(i):  # the tests have the same formula
    return ((i * 37 + i // 11) % 101 - 50) / 32


def rows(columns, first):
    return torch.tensor([number(first + i) for i in range(N * columns)], dtype=torch.float64).reshape(N, columns)


def line(name, *results):
    numbers = torch.cat([x.detach().flatten() for x in results]).tolist()
    lines.append(name + " " + " ".join(f"{x:.13g}" for x in numbers))


for theta in (10000.0, 160000.0):
    for first in (0, 8000):
        config = transformers.ModernBertConfig(hidden_size=H * D, num_attention_heads=H, num_hidden_layers=1,
                                               rope_parameters={t: {"rope_type": "default", "rope_theta": theta}
                                                                for t in ("full_attention", "sliding_attention")})
        qkv, slope = rows(3 * H * D, 0).requires_grad_(), rows(3 * H * D, 5000)
        q, k, _ = qkv.view(1, N, 3, H, D).permute(2, 0, 3, 1, 4)  # each [1, H, N, D]
        places = torch.arange(first, first + N)[None]
        cos, sin = modernbert.ModernBertRotaryEmbedding(config)(qkv, places, "full_attention")
        q, k = modernbert.apply_rotary_pos_emb(q, k, cos, sin)
        out = torch.cat([x[0].transpose(0, 1).reshape(N, H * D) for x in (q, k)], dim=1)
        out.backward(slope[:, :2 * H * D])
        line(f"rotary {theta:g} {first}", out, qkv.grad[:, :2 * H * D])

for name in ("gelu", "gelu_pytorch_tanh", "relu"):
    config = transformers.ModernBertConfig(hidden_size=2 * I, intermediate_size=I, num_hidden_layers=1, num_attention_heads=1,
                                           hidden_activation=name)
    mlp = modernbert.ModernBertMLP(config).double().eval()
    mlp.Wi = torch.nn.Identity()  # what is left is act(input) * gate
    mlp.Wo = torch.nn.Identity()
    u = rows(2 * I, 0).requires_grad_()
    y = mlp(u)
    y.backward(rows(I, 5000))
    line(name, y, u.grad)
open("tests/kernel/golden/modernbert.txt", "w").write("\n".join(lines) + "\n")
