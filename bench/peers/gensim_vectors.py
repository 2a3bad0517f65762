# Trains word2vec by gensim on text files, one sentence a line, split at white space, in lower case; with one worker. Prints a line of JSON:
# words, seconds and CPU seconds of training alone. The sentences are in memory, so that reading them costs gensim nothing.
#
#   gensim_vectors.py SG EPOCHS ALPHA SEED OUTPUT FILE ...
import json
import sys
import time

from gensim import __version__
from gensim.models import Word2Vec

sg, epochs, alpha, seed, output = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
sentences = [words for file in sys.argv[6:] for line in open(file, encoding="utf-8", errors="replace") if (words := line.lower().split())]
model = Word2Vec(vector_size=100, window=5, min_count=5, sg=sg, negative=5, sample=1e-3, workers=1, epochs=epochs, alpha=alpha, seed=seed)
model.build_vocab(sentences)
wall, cpu = time.perf_counter(), time.process_time()
model.train(sentences, total_examples=model.corpus_count, epochs=epochs)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
model.wv.save_word2vec_format(output)
print(json.dumps({"gensim": __version__, "words": model.corpus_total_words, "wall": wall, "cpu": cpu}))
