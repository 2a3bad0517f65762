#!/usr/bin/env python3
"""Writes tests/batch/golden/npy: arrays as NumPy saves them, of every kind that entrain reads or refuses.

    python3 scripts/golden/npy.py      needs numpy; made with 2.x

Row i, column j of an array of numbers holds (37 i + 11 j) mod 101 - 50, or half of that in arrays of floats.
"""

import gzip
import pathlib

import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/batch/golden/npy"


def numbers(rows, columns, kind):
    a = (37 * np.arange(rows)[:, None] + 11 * np.arange(columns)[None, :]) % 101 - 50
    return (a / 2 if np.dtype(kind).kind == "f" else a).astype(kind)


def save(name, array, version=None):
    with open(GOLDEN / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


GOLDEN.mkdir(parents=True, exist_ok=True)
save("float32", numbers(23, 5, "<f4"))
save("float32_more", numbers(7, 5, "<f4"))
save("float32_other", numbers(7, 4, "<f4"))
save("float64", numbers(6, 3, "<f8"))
save("float16", numbers(6, 3, "<f2"))
save("int32", numbers(6, 3, "<i4"))
save("int64", numbers(6, 3, "<i8"))
save("uint8", np.arange(200, dtype="u1").reshape(10, 20))
save("labels", numbers(23, 1, "<i8")[:, 0])
save("labels_more", numbers(7, 1, "<i8")[:, 0])
save("column", numbers(23, 1, "<i8"))
save("version2", numbers(6, 3, "<f4"), (2, 0))
save("version3", numbers(6, 3, "<f4"), (3, 0))
save("fortran", np.asfortranarray(numbers(6, 3, "<f4")))
save("fortran_row", np.asfortranarray(numbers(1, 3, "<f4")))
save("big_endian", numbers(6, 3, ">f4"))
save("objects", np.array([[1], {}, "x"], dtype=object))
save("bool", numbers(6, 3, "<i4") > 0)
save("complex", numbers(6, 3, "<f8") + 1j)
save("strings", np.array(["a", "bc"]))
save("records", np.zeros(3, dtype=[("a", "<f4"), ("b", "<i4", (2,))]))
save("scalar", np.float32(1))
save("cube", np.zeros((2, 3, 4), "<f4"))
save("none", np.zeros((0, 3), "<f4"))
save("no_columns", np.zeros((3, 0), "<f4"))
np.savez(GOLDEN / "several.npz", a=numbers(2, 2, "<f4"), b=numbers(2, 2, "<f4"))
(GOLDEN / "float32.npy.gz").write_bytes(gzip.compress((GOLDEN / "float32.npy").read_bytes(), mtime=0))
