"""BERT for tagging in PyTorch, written to be fast: one product for query, key and value; rows packed without pads, or padded ones.

Weights come from a folder that transformers can also read. Numbers of parameters and of operations are those of its
BertForTokenClassification; only the head runs on every piece, as there.
"""

import json

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


class Packed:
    """Attention of packed rows, by PyTorch's kernel with cu_seqlens; without a GPU, by the kernel's oracle."""

    def __init__(self, cu_seqlens, longest):
        self.cu_seqlens, self.longest = cu_seqlens, longest

    def __call__(self, qkv, heads, dropout):
        q, k, v = qkv.view(qkv.shape[0], 3, heads, -1).unbind(1)
        if qkv.is_cuda:
            out = torch.ops.aten._flash_attention_forward(q, k, v, self.cu_seqlens, self.cu_seqlens, self.longest, self.longest, dropout,
                                                          False, False)[0]
            return out.flatten(1)
        sentence = torch.searchsorted(self.cu_seqlens[1:].contiguous(), torch.arange(qkv.shape[0], dtype=torch.int32), right=True)
        same = sentence[:, None] == sentence[None, :]
        q, k, v = (x.transpose(0, 1)[None] for x in (q, k, v))
        return F.scaled_dot_product_attention(q, k, v, attn_mask=same, dropout_p=dropout)[0].transpose(0, 1).flatten(1)


class Padded:
    """Attention of padded sentences. mask [B,1,1,L]: which pieces are not padding."""

    def __init__(self, mask):
        self.mask = mask

    def __call__(self, qkv, heads, dropout):
        q, k, v = qkv.view(self.mask.shape[0], -1, 3, heads, qkv.shape[-1] // (3 * heads)).permute(2, 0, 3, 1, 4).unbind(0)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask, dropout_p=dropout).transpose(1, 2).flatten(2).flatten(0, 1)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        width, inner, eps = c["hidden_size"], c["intermediate_size"], c["layer_norm_eps"]
        self.heads = c["num_attention_heads"]
        self.qkv, self.dense = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm, self.last_norm = nn.LayerNorm(width, eps), nn.LayerNorm(width, eps)

    def forward(self, x, attend, dropout: float):
        numbers = x.dtype  # under autocast a norm gives fp32, which would be twice as much to move
        x = self.norm(x + F.dropout(self.dense(attend(self.qkv(x), self.heads, dropout)), dropout)).to(numbers)
        return self.last_norm(x + F.dropout(self.outer(F.gelu(self.inner(x))), dropout)).to(numbers)


class Embedding(nn.Module):
    def __init__(self, c):
        super().__init__()
        width = c["hidden_size"]
        self.word, self.position = nn.Embedding(c["vocab_size"], width), nn.Embedding(c["max_position_embeddings"], width)
        self.segment, self.norm = nn.Embedding(c["type_vocab_size"], width), nn.LayerNorm(width, c["layer_norm_eps"])

    def forward(self, ids, positions, dropout: float):
        return F.dropout(self.norm(self.word(ids) + self.position(positions) + self.segment.weight[0]), dropout)


class Head(nn.Module):
    """The sum of the losses of all pieces that have a label, divided by their number."""

    def __init__(self, c):
        super().__init__()
        self.classifier = nn.Linear(c["hidden_size"], len(c["id2label"]))

    def forward(self, x, labels, dropout: float):
        return F.cross_entropy(self.classifier(F.dropout(x, dropout)).float(), labels, ignore_index=-100)


class Tagger(nn.Module):
    def __init__(self, folder, numbers=torch.float32):
        """numbers: the type of the values between blocks"""
        super().__init__()
        self.numbers = numbers
        with open(folder + "/config.json") as file:
            c = json.load(file)
        self.embedding, self.head = Embedding(c), Head(c)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c["num_hidden_layers"]))
        self._load(load_file(folder + "/model.safetensors"))

    def forward(self, ids, positions, labels, attend, dropout: float):
        x = self.embedding(ids, positions, dropout).to(self.numbers)
        for block in self.blocks:
            x = block(x, attend, dropout)
        return self.head(x, labels, dropout)

    def compile_parts(self, **how):
        """Compiles each part separately: all blocks share one compilation, as they are the same code with other weights."""
        for part in (self.embedding, self.head, *self.blocks):
            part.compile(**how)

    @torch.no_grad()
    def _load(self, of):
        def put(module, name, bias=True):
            module.weight.copy_(of.pop(name + ".weight"))
            if bias:
                module.bias.copy_(of.pop(name + ".bias"))

        e = "bert.embeddings."
        put(self.embedding.word, e + "word_embeddings", False)
        put(self.embedding.position, e + "position_embeddings", False)
        put(self.embedding.segment, e + "token_type_embeddings", False)
        put(self.embedding.norm, e + "LayerNorm")
        for i, block in enumerate(self.blocks):
            b = f"bert.encoder.layer.{i}."
            for kind in ("weight", "bias"):
                thirds = [of.pop(f"{b}attention.self.{part}.{kind}") for part in ("query", "key", "value")]
                getattr(block.qkv, kind).copy_(torch.cat(thirds))
            put(block.dense, b + "attention.output.dense")
            put(block.norm, b + "attention.output.LayerNorm")
            put(block.inner, b + "intermediate.dense")
            put(block.outer, b + "output.dense")
            put(block.last_norm, b + "output.LayerNorm")
        put(self.head.classifier, "classifier")
        assert not of, f"tensors that this model does not have: {list(of)}"
