// entrain: this tokenizer's Reader has no std::uint32_t encode(std::string_view text, text::Pieces& out, std::uint32_t
// from)
#include "entrain/batch/encode/pieces.hpp"
#include "tests/refusals/own_tokenizer.hpp"
#if defined(WRONG)
using Tokenizer = own::Bytes<own::ReadsNothing, own::Printed>;
#else
using Tokenizer = own::Bytes<own::Reads, own::Printed>;
#endif
static_assert(entrain::batch::Pieces<16, 256, Tokenizer>::positions == 16);
