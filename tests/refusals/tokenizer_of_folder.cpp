// entrain: there is no checkpoint::TokenizerOf<Tokenizer> with 'static OpenedTokenizer<Tokenizer> open(texts,
// host only
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"
#include "entrain/train/data/features.hpp"
#include "tests/refusals/own_tokenizer.hpp"
using namespace entrain;
#if defined(WRONG)
using Tokenizer = own::Bytes<own::Reads, own::Printed>;
#else
using Tokenizer = text::WordPiece;
#endif
auto open() { return train::open_features<batch::Pieces<16, 256, Tokenizer>>("folder"); }
