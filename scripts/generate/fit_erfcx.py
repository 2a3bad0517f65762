#!/usr/bin/env python3
"""Prints the polynomials of include/entrain/core/normal.hpp, by powers of u.   needs: mpmath

e^(z^2) erfc(z) for z >= 0, as a function of t = 2 / (2 + z) in (0, 1]: smooth down to t = 0, so its Chebyshev series in
u = 2 t - 1 converges faster than any power. Coefficients are computed with 60 digits by the discrete orthogonality of
200 nodes, and left out from where they no longer matter in the scalar type. They fall so fast that the same polynomial by powers
of u, half as many operations, loses nothing: the k-th power's coefficient stays below 2^k times the k-th of the series.
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
for name, limit in (("float", mpf("1e-8")), ("double", mpf("5e-17"))):
    terms = []
    for j in range(NODES):
        c = 2 * sum(f * cos(pi * j * (k + mpf(1) / 2) / NODES) for k, f in enumerate(samples)) / NODES
        terms.append(c / 2 if j == 0 else c)
    while abs(terms[-1]) < limit:
        terms.pop()
    powers = [mpf(0)] * len(terms)
    before, now = [mpf(1)], [mpf(0), mpf(1)]  # the first two Chebyshev polynomials
    for c in terms:
        for k, of_power in enumerate(before):
            powers[k] += c * of_power
        following = [mpf(0)] + [2 * c for c in now]  # T[j+1] = 2 u T[j] - T[j-1]
        for k, of_power in enumerate(before):
            following[k] -= of_power
        before, now = now, following
    print(f"{name}: {len(powers)} powers")
    for c in powers:
        print("   ", mp.nstr(c, 10 if name == "float" else 20), end=",\n")
