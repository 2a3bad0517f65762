"""The sentences that bench/gpu/finetune.cu wrote, and batches of them, for the peers on a GPU."""

import array


class Sentences:
    """The pieces of each sentence, including [CLS] and [SEP], and a label per piece; `order` is entrain's shuffled order."""

    def __init__(self, path):
        numbers = array.array("i")
        with open(path, "rb") as file:
            numbers.frombytes(file.read())
        count = numbers[0]
        lengths = numbers[1:1 + count]
        pieces = sum(lengths)
        assert len(numbers) == 1 + 2 * count + 2 * pieces, f"{path}: {len(numbers)} numbers, expected {1 + 2 * count + 2 * pieces}"
        self.ids, self.labels, at = [], [], 1 + count
        for n in lengths:
            self.ids.append(numbers[at:at + n].tolist())
            self.labels.append(numbers[at + pieces:at + pieces + n].tolist())
            at += n
        self.order = numbers[1 + count + 2 * pieces:].tolist()
        self.mean_length = pieces / count

    def length(self, i):
        return len(self.ids[i])

    def in_order(self, batch):
        """entrain's own batches: a number of sentences, or a budget of pieces that whole sentences fill. Without the last, smaller one."""
        batches, filled = [[]], 0
        of_sentences, budget = parse(batch)
        for i in self.order:
            n = 1 if of_sentences else self.length(i)
            if filled + n > budget:
                batches.append([])
                filled = 0
            batches[-1].append(i)
            filled += n
        return batches[:-1] if len(batches) > 1 else batches


def parse(batch):
    """'sentences:32' is (True, 32), 'tokens:8192' (False, 8192)."""
    what, number = batch.split(":")
    assert what in ("sentences", "tokens"), f"{batch}: expected sentences:32 or tokens:8192"
    return what == "sentences", int(number)
