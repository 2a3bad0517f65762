# Writes tests/vectors/golden/numpy.txt: word vectors of a short text, trained step by step by the formulas alone, in fp64. Needs numpy.
#
# Mikolov et al. 2013, arXiv:1310.4546; the positions of a group of 16 share 32 negative samples (Ji et al. 2016, arXiv:1604.04661), and all
# groups of a step compute from the same values. The random numbers are Philox 4x32-10 (Salmon et al. 2011), keyed by seed, epoch, purpose and
# place.
import math

import numpy as np

GROUP, SHARED = 16, 32  # positions and negative samples of a group
C, WINDOW, MIN_COUNT, NEGATIVE, SAMPLE, EPOCHS, ALPHA, MIN_ALPHA, SEED, BATCH, LIMIT = 6, 2, 2, 3, 0.05, 12, 0.2, 0.01, 5, 40, 12
KEEP, WINDOWS, NEGATIVES, FIRST = 41, 42, 43, 40  # purposes of random numbers
ALL = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & ALL, (a >> 32) ^ c[3] ^ k[1], a & ALL]
        k = [(k[0] + 0x9E3779B9) & ALL, (k[1] + 0xBB67AE85) & ALL]
    return c


def draw(purpose, part, index):
    return philox([index // 4 & ALL, index // 4 >> 32, purpose, part], [SEED & ALL, SEED >> 32])[index % 4]


def below(word, bound):
    return word * bound >> 32


def alias_table(weights):
    n = len(weights)
    share = [w * (n / sum(weights)) for w in weights]
    small = [i for i in range(n) if share[i] < 1]
    large = [i for i in range(n) if share[i] >= 1]
    own, other = [ALL] * n, list(range(n))
    while small and large:
        s, l = small.pop(), large[-1]
        own[s], other[s] = int(share[s] * 4294967295.0), l
        share[l] -= 1 - share[s]
        if share[l] < 1:
            small.append(large.pop())
    return own, other


def sigmoid(s):
    return 1 / (1 + math.exp(-s))


def train(sentences, mean):
    counts = {}
    for sentence in sentences:
        for word in sentence:
            counts[word] = counts.get(word, 0) + 1
    words = sorted((w for w in counts if counts[w] >= MIN_COUNT), key=lambda w: -counts[w])  # stable: ties in order of occurrence
    number = {w: i for i, w in enumerate(words)}
    total = sum(counts[w] for w in words)
    own, other = alias_table([counts[w] ** 0.75 for w in words])
    uniform = lambda i: np.float32((draw(FIRST, 0, i) >> 8) * 2.0**-24)
    x = np.array([[float((uniform(w * C + c) - np.float32(0.5)) / np.float32(C)) for c in range(C)] for w in range(len(words))])
    y = np.zeros_like(x)
    losses = []
    for epoch in range(EPOCHS):
        kept, read = [], 0  # (word, sentence, words read before it)
        for s, sentence in enumerate(sentences):
            for word in sentence:
                if word not in number:
                    continue
                share = counts[word] / total
                p = (math.sqrt(share / SAMPLE) + 1) * SAMPLE / share
                if p >= 1 or draw(KEEP, epoch, read) <= int(p * 4294967295.0):
                    kept.append((number[word], s, read))
                read += 1
        for step, first in enumerate(range(0, len(kept), BATCH)):
            last = min(first + BATCH, len(kept))
            done = (epoch + (kept[last][2] if last < len(kept) else read) / total) / EPOCHS
            alpha = max(MIN_ALPHA, ALPHA - (ALPHA - MIN_ALPHA) * done)
            dx, dy, terms_x, terms_y, loss, pairs = np.zeros_like(x), np.zeros_like(y), np.zeros(len(x)), np.zeros(len(y)), 0, 0
            for g, begin in enumerate(range(first, last, GROUP)):
                at = (step * -(-BATCH // GROUP) + g) * SHARED * 2
                samples = []
                for k in range(SHARED):
                    cell = below(draw(NEGATIVES, epoch, at + 2 * k), len(words))
                    samples.append(cell if draw(NEGATIVES, epoch, at + 2 * k + 1) <= own[cell] else other[cell])
                scored = 0
                for p in range(begin, min(begin + GROUP, last)):
                    word, sentence, _ = kept[p]
                    around = 1 + below(draw(WINDOWS, epoch, p), WINDOW)
                    context = [kept[i][0] for i in range(max(0, p - around), min(len(kept), p + around + 1)) if i != p and kept[i][1] == sentence]
                    inputs = [context] if mean and context else [[c] for c in context]
                    for one in inputs:
                        v, dv = np.mean([x[c] for c in one], axis=0), np.zeros(C)
                        for target, label, weight in [(word, 1, 1)] + [(n, 0, NEGATIVE / SHARED) for n in samples if n != word]:
                            s = v @ y[target]
                            slope = weight * (sigmoid(s) - label)
                            loss += weight * (math.log1p(math.exp(-s)) if label else math.log1p(math.exp(s)))
                            dv += slope * y[target]
                            dy[target] += slope * v
                        for c in one:
                            dx[c] += dv  # also where one is a window, as in word2vec
                            terms_x[c] += 1 + NEGATIVE
                    terms_y[word] += len(inputs)
                    scored += len(inputs)
                for n in samples:
                    terms_y[n] += scored * NEGATIVE / SHARED
                pairs += scored
            for table, d, terms in ((x, dx, terms_x), (y, dy, terms_y)):
                table -= alpha * np.minimum(1, LIMIT / np.maximum(terms, 1e-9))[:, None] * d
            losses.append(loss / pairs)
    return words, x, losses


sentences = [line.split() for line in open("tests/vectors/golden/text.txt")]
lines = ["# numpy " + np.__version__ + ": objective, loss of each step; then a line for each word: the word and its vector"]
for name, mean in (("skip-gram", False), ("CBOW", True)):
    words, x, losses = train(sentences, mean)
    lines.append(name + " " + " ".join("%.9g" % loss for loss in losses))
    lines += [w + " " + " ".join("%.9g" % n for n in row) for w, row in zip(words, x)]
open("tests/vectors/golden/numpy.txt", "w").write("\n".join(lines) + "\n")
