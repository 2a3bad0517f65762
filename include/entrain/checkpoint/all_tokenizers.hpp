// text > batch > embed > encode > head > optim > [checkpoint]
//
// The tokenizers whose files a folder may hold, one line each. A program may add the tokenizer of its own composition
// by a specialisation of TokenizerOf (tokenizer.hpp).
#pragma once
#include "entrain/checkpoint/byte_bpe_files.hpp"
#include "entrain/checkpoint/unigram_files.hpp"
#include "entrain/checkpoint/wordpiece_files.hpp"
