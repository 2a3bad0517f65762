// entrain: this tokenizer has no std::string fingerprint() const, the cache key of its output
#include "entrain/batch/encode/pieces.hpp"
#include "tests/refusals/own_tokenizer.hpp"
#if defined(WRONG)
using Tokenizer = own::Bytes<own::Reads, own::Unprinted>;
#else
using Tokenizer = own::Bytes<own::Reads, own::Printed>;
#endif
static_assert(entrain::batch::Pieces<16, 256, Tokenizer>::positions == 16);
