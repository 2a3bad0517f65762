#!/usr/bin/env python3
"""Prints the Chebyshev coefficients of include/entrain/core/normal.hpp.   needs: mpmath

e^(z^2) erfc(z) for z >= 0, as a function of t = 2 / (2 + z) in (0, 1]: smooth down to t = 0, so its Chebyshev series in
u = 2 t - 1 converges faster than any power. Coefficients are computed with 60 digits by the discrete orthogonality of
200 nodes, and cut where they no longer count in the scalar type.
"""
from mpmath import mp, mpf, cos, pi, erfc, exp

mp.dps = 60
NODES = 200


def scaled(t):
    z = 2 / t - 2
    if z > 60:  # asymptotic: the terms fall to 1e-60 and below before they grow
        term = total = mpf(1)
        for n in range(1, 400):
            following = -term * (2 * n - 1) / (2 * z * z)
            if abs(following) > abs(term):
                break
            term = following
            total += term
        return total / (z * mp.sqrt(pi))
    mp.dps = 60 + int(z * z / 2) // 1 + 10
    value = exp(z * z) * erfc(z)
    mp.dps = 60
    return +value


samples = []
for k in range(NODES):
    u = cos(pi * (k + mpf(1) / 2) / NODES)
    samples.append(scaled((u + 1) / 2))
for name, limit in (("float", mpf("1.5e-9")), ("double", mpf("2e-18"))):
    terms = []
    for j in range(NODES):
        c = 2 * sum(f * cos(pi * j * (k + mpf(1) / 2) / NODES) for k, f in enumerate(samples)) / NODES
        terms.append(c / 2 if j == 0 else c)
    while abs(terms[-1]) < limit:
        terms.pop()
    print(f"{name}: {len(terms)} terms")
    for c in terms:
        print("   ", mp.nstr(c, 10 if name == "float" else 20), end=",\n")
