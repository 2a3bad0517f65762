#!/usr/bin/env python
"""The embedding model of question 4 as published, in Keras on tensorflow-cpu: the peer of examples/06_embedding_model.

    keras_embedding.py a|b|c

10,000 samples of 20 ids below 1,000; Embedding(1000, 100), GlobalAveragePooling1D, Dense(1, sigmoid), Adam, binary
cross-entropy, 2 epochs. a: shuffle(10000), batch(32). b: shuffle(10000), batch(128), prefetch(AUTOTUNE). c: as b, with a map of
1 ms a sample and num_parallel_calls=AUTOTUNE. Prints a line of JSON: seconds of each epoch. Needs `setup.sh keras`.
"""

import json
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from slices import peak_rss_mib

program = sys.argv[1]
rng = np.random.default_rng(1)
x = rng.integers(0, 1000, size=(10000, 20), dtype=np.int32)
y = rng.integers(0, 2, size=(10000,), dtype=np.int32)


def prepare(ids, label):
    def sleep(one):
        time.sleep(0.001)
        return one

    ids = tf.numpy_function(sleep, [ids], tf.int32)
    ids.set_shape((20,))
    return ids, label


data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10000)
if program == "c":
    data = data.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
data = data.batch(32 if program == "a" else 128)
if program != "a":
    data = data.prefetch(tf.data.AUTOTUNE)

model = keras.Sequential(
    [
        keras.layers.Embedding(1000, 100),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss="binary_crossentropy")


class Epochs(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seconds = []

    def on_epoch_begin(self, epoch, logs=None):
        self.begin = time.perf_counter()

    def on_epoch_end(self, epoch, logs=None):
        self.seconds.append(time.perf_counter() - self.begin)


epochs = Epochs()
history = model.fit(data, epochs=2, verbose=0, callbacks=[epochs])
print(
    json.dumps(
        {
            "program": program,
            "epochs": [round(s, 4) for s in epochs.seconds],
            "loss": round(history.history["loss"][-1], 4),
            "peak_mib": peak_rss_mib(),
            "tensorflow": tf.__version__,
            "keras": keras.__version__,
        }
    )
)
