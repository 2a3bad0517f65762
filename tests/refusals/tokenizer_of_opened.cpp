// entrain: this tokenizer has no std::string fingerprint() const, the cache key of its output
// entrain: this tokenizer's Reader has no std::uint32_t encode(std::string_view text, text::Pieces& out, std::uint32_t
// host only
#include "entrain/checkpoint/tokenizer.hpp"
#include "tests/refusals/own_tokenizer.hpp"
#if WRONG == 1
using Tokenizer = own::Bytes<own::Reads, own::Unprinted>;
#elif WRONG == 2
using Tokenizer = own::Bytes<own::ReadsNothing, own::Printed>;
#else
using Tokenizer = own::Bytes<own::Reads, own::Printed>;
#endif
template <> struct entrain::checkpoint::TokenizerOf<Tokenizer> {
  static OpenedTokenizer<Tokenizer> open(const std::vector<FolderText>&, const std::string&,
                                         std::vector<std::string>&) {
    return {};
  }
};
