#!/usr/bin/env python3
"""Makes and checks tests/checkpoint/golden/*.safetensors with the format's own library.

    safetensors.py make    FOLDER          writes the golden files
    safetensors.py check   FILE            reads a file that entrain wrote (same tensors), compares every number

Needs: pip install safetensors numpy
"""
import json
import sys
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save, save_file


def tensors():
    """Small, of every number type that numpy has; values that a wrong reading would change."""
    return {
        "embed.table": (np.arange(6, dtype=np.float32) / 3 - 1).reshape(2, 3),
        "head.bias": np.array([1.5, -2.25, 1e-30], dtype=np.float64),
        "encode.0.half": np.array([[1, -2], [0.5, 65504]], dtype=np.float16),
        "ids": np.array([-(2**62), 7], dtype=np.int64),
        "small ids": np.array([-(2**31), 5, 2**31 - 1], dtype=np.int32),
        "short": np.array([-(2**15), 9], dtype=np.int16),
        "bytes": np.array([0, 255, 3], dtype=np.uint8),
        "signed": np.array([-128, 127, 1, 0, 2], dtype=np.int8),
        "flags": np.array([True, False, True]),
        "u16": np.array([65535], dtype=np.uint16),
        "u32": np.array([2**32 - 1], dtype=np.uint32),
        "u64": np.array([2**64 - 1], dtype=np.uint64),
        "empty": np.zeros((0, 4), dtype=np.float32),
        "one number": np.array(42.0, dtype=np.float32),
        'na"me \\ Zoë 名 \n': np.array([3.0], dtype=np.float32),
    }


def bf16_file():
    """numpy has no bfloat16: the library writes the file with two-byte floats, and the header's type is changed in place."""
    data = save({"w": np.array([0x3F80, 0xC000], dtype=np.uint16)}, metadata={"format": "pt"})
    length = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + length].replace(b'"U16"', b'"BF16"').rstrip(b" ")
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[8 + length :]


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors(), folder / "library.safetensors", metadata={"format": "pt"})
    (folder / "library-bf16.safetensors").write_bytes(bf16_file())


def check(path):
    expected = tensors()
    found = load_file(path)
    with safe_open(path, framework="numpy") as f:
        assert f.metadata() == {"format": "pt"}, f.metadata()
    assert found.keys() == expected.keys(), json.dumps(sorted(found.keys() ^ expected.keys()))
    for name, value in expected.items():
        assert found[name].dtype == value.dtype and found[name].shape == value.shape, name
        assert np.array_equal(found[name], value), name
    print(f"{path}: {len(found)} tensors, every number equal")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    make(Path(sys.argv[2])) if sys.argv[1] == "make" else check(sys.argv[2])
