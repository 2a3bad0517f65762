"""Rotary positions of transformers' ModernBERT in fp64. bert.py and bert_texts.py import this."""

import torch


def rotary_in_fp64(model):
    """Cosines and sines of model.model in fp64, from the frequencies in fp32; rotations in fp64."""
    rotary = model.model.rotary_emb
    module = __import__(type(rotary).__module__, fromlist=["apply_rotary_pos_emb"])

    def angles(x, position_ids, layer_type):
        turns = position_ids[..., None].double() * getattr(rotary, f"{layer_type}_inv_freq").double()
        both = torch.cat((turns, turns), dim=-1)
        return both.cos(), both.sin()

    def rotate(q, k, cos, sin, unsqueeze_dim=1):
        cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
        return tuple(x * cos + module.rotate_half(x) * sin for x in (q, k))

    def attend(module, query, key, value, attention_mask, scaling, dropout=0.0, **_):
        scores = query @ key.transpose(2, 3) * scaling
        if attention_mask is not None:
            scores = scores + attention_mask if attention_mask.dtype != torch.bool else scores.masked_fill(~attention_mask, -1e300)
        return (scores.softmax(-1) @ value).transpose(1, 2).contiguous(), None

    rotary.forward = angles
    module.apply_rotary_pos_emb = rotate
    module.eager_attention_forward = attend  # softmax in fp64, where transformers computes it in fp32
    model.config._attn_implementation = "eager"
