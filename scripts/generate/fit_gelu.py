#!/usr/bin/env python3
"""Prints the polynomial of include/entrain/kernel/activation/fast_gelu.cuh, by powers of t.   needs: mpmath

e^(a^2 / 2) P(X > a), X of mean 0 and variance 1, for a in [0, 13.3], as a function of t = 1 / (1 + 0.36 a): beyond, the
density is below fp32's normal numbers. Minimax of the relative error, by Remez' exchange: a polynomial whose error has
its largest size, with alternating sign, at degree + 2 places is the best one. 0.36 gives the smallest error for degree 5.

  python3 scripts/generate/fit_gelu.py
"""
from mpmath import mp, mpf, cos, erfc, exp, lu_solve, matrix, pi, polyval, sqrt

mp.dps = 40
DEGREE, STEEPNESS, LARGEST, GRID = 5, mpf(36) / 100, mpf("13.3"), 2000


def scaled(t):
    a = (1 / t - 1) / STEEPNESS
    return exp(a * a / 2) * erfc(a / sqrt(mpf(2))) / 2


def spread(count):  # from the smallest t to 1, denser at both ends
    low = 1 / (1 + STEEPNESS * LARGEST)
    return [(low + 1) / 2 - (1 - low) / 2 * cos(pi * i / (count - 1)) for i in range(count)]


grid = [(t, scaled(t)) for t in spread(GRID)]
places = [(t, scaled(t)) for t in spread(DEGREE + 2)]
for turn in range(20):
    system = matrix(DEGREE + 2, DEGREE + 2)
    for i, (t, f) in enumerate(places):
        for k in range(DEGREE + 1):
            system[i, k] = t**k / f
        system[i, DEGREE + 1] = (-1) ** i
    powers = list(lu_solve(system, matrix([1] * (DEGREE + 2))))[: DEGREE + 1]
    errors = [polyval(powers[::-1], t) / f - 1 for t, f in grid]
    peaks, first = [], 0  # the largest error between two changes of sign
    for i in range(1, GRID + 1):
        if i == GRID or (errors[i] > 0) != (errors[first] > 0):
            peaks.append(max(range(first, i), key=lambda j: abs(errors[j])))
            first = i
    while len(peaks) > DEGREE + 2:  # one too many at an end
        peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
    assert len(peaks) == DEGREE + 2
    places = [grid[j] for j in peaks]
    sizes = [abs(errors[j]) for j in peaks]
    if max(sizes) < min(sizes) * mpf("1.001"):
        break
print(f"relative error {mp.nstr(max(sizes), 3)}")
for c in powers:
    print("   ", mp.nstr(c, 10), end=",\n")
