#!/usr/bin/env python
"""The training loop of question 5 as published, in torch: the peer of examples/09_plain_loop.

    torch_loop.py BATCH MICROSECONDS WORKERS

50,000 samples of 2,048 floats, 2 classes, nn.Linear, CrossEntropyLoss, Adam, one epoch; each sample takes MICROSECONDS to prepare
(published: batch 128, 100, 8 workers). pin_memory needs a GPU, so it is off here. Prints a line of JSON. Needs `setup.sh torch`.
"""

import json
import sys
import time

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

from slices import peak_rss_mib

BATCH, DELAY, WORKERS = int(sys.argv[1]), float(sys.argv[2]) * 1e-6, int(sys.argv[3])
torch.manual_seed(1)


class Samples(Dataset):
    def __init__(self):
        self.x = torch.randn(50000, 2048)
        self.y = torch.randint(0, 2, (50000,))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        if DELAY > 0:
            time.sleep(DELAY)
        return self.x[i], self.y[i]


loader = DataLoader(Samples(), batch_size=BATCH, shuffle=True, num_workers=WORKERS)
model, criterion = nn.Linear(2048, 2), nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=0.001 * BATCH / 128)

begin = time.perf_counter()
steps = 0
for x, y in loader:
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    steps += 1
    if steps % 100 == 0:
        print(f"step {steps}: loss {loss.item():.4f}", file=sys.stderr)
seconds = time.perf_counter() - begin
print(json.dumps({"batch": BATCH, "delay_us": DELAY * 1e6, "workers": WORKERS, "steps": steps, "seconds": round(seconds, 4),
                  "peak_mib": peak_rss_mib(), "torch": torch.__version__}))
