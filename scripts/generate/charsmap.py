"""SentencePiece's map of characters (precompiled_charsmap), made from a dictionary. grapheme_tables.py and the golden scripts import this.

The map is a little-endian number of bytes, a double array of that size, and the replacements, each with a NUL byte after it. A double array is a tree of
bytes: a unit has the byte that leads to it in bits 0 to 7, whether a key ends at it in bit 8, and the exclusive or of its place and its children's base
from bit 10 on; the unit at the base itself has the key's number.
"""

import struct


def double_array(numbers):
    """numbers: from keys, as bytes, to numbers below 2^31."""
    tree = {}
    for key, number in numbers.items():
        node = tree
        for byte in key:
            node = node.setdefault(byte, {})
        node[None] = number
    units, used = [0], {0}
    first_free = 1

    def place(node, at):
        nonlocal first_free
        slots = [0 if byte is None else byte for byte in node]
        if not slots:
            return
        while first_free in used:
            first_free += 1
        base = first_free
        while at ^ base >= 1 << 21 or any(base ^ slot in used for slot in slots):
            base += 1
        used.update(base ^ slot for slot in slots)
        units.extend([0] * ((base | 0xFF) + 1 - len(units)))
        units[at] |= (at ^ base) << 10
        for byte, below in node.items():
            if byte is None:
                units[at] |= 1 << 8
                units[base] |= below | 1 << 31
            else:
                units[base ^ byte] |= byte
        for byte, below in node.items():
            if byte is not None:
                place(below, base ^ byte)

    place(tree, 0)
    return units


def charsmap(replacements):
    """replacements: from texts to texts."""
    texts, numbers = b"", {}
    for key, text in replacements.items():
        numbers[key.encode()] = len(texts)
        texts += text.encode() + b"\0"
    units = double_array(numbers)
    return struct.pack("<I", 4 * len(units)) + struct.pack(f"<{len(units)}I", *units) + texts
