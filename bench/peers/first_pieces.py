"""Sentences as Hugging Face's token classification example gives them to a model: the first piece of a word has its label."""

import conll


def of_words(word_ids):
    """The positions of the words' first pieces, from the word of each piece: (word, piece)."""
    seen = set()
    for piece, word in enumerate(word_ids):
        if word is not None and word not in seen:
            seen.add(word)
            yield word, piece


def rows(tokenizer, path):
    """A file's labels, O first, and its sentences in the Trainer's form; pieces without a label have -100."""
    sentences = conll.words_and_tags(path)
    names = ["O"] + sorted({tag for _, tags in sentences for tag in tags} - {"O"})
    made = []
    for words, tags in sentences:
        row = tokenizer(words, is_split_into_words=True, truncation=True, max_length=512)
        labels = [-100] * len(row["input_ids"])
        for word, piece in of_words(row.word_ids()):
            labels[piece] = names.index(tags[word])
        made.append({"input_ids": row["input_ids"], "attention_mask": row["attention_mask"], "labels": labels})
    return names, made
