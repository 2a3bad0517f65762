// tests > fuzz > [text]
//
// Any bytes as text: in blocks of any size the words and lines of the whole, each word as it is there.
#include "entrain/text/raw/raw_text.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {
using namespace entrain::text;

struct Result {
  std::string sentences;
  std::uint64_t lines = 0, separators = 0, blank_separators = 0, crlf = 0, invalid_tokens = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

/// As Blocks cuts them.
template <class Source> Result read(TextUnit unit, std::string_view bytes, std::size_t block_bytes) {
  Result all;
  const TextEnd end(unit);
  typename Source::Work work(unit);
  typename Source::Raw raw;
  Corpus corpus;
  std::string_view rest = bytes;
  for (; !rest.empty(); rest.remove_prefix(raw.block.bytes.size())) {
    std::size_t size = 0;
    for (std::size_t room = block_bytes; size == 0; room *= 2)
      size = room > rest.size() ? rest.size() : end.cut(rest.substr(0, room));
    raw.block.bytes = rest.substr(0, size);
    work(raw, corpus);
    std::size_t document = 0;
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      if (document < corpus.document.size() && corpus.document[document] == s) all.sentences += "=", ++document;
      for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i)
        all.sentences.append(std::to_string(corpus.line[i])).append(":").append(corpus.token(i)).append(" ");
      all.sentences += "\n";
    }
    if (document != corpus.document.size()) std::abort();
    all.lines += corpus.met.lines;
    all.separators += corpus.met.separators;
    all.blank_separators += corpus.met.blank_separators;
    all.crlf += corpus.met.crlf;
    all.invalid_tokens += corpus.met.invalid_tokens;
    raw.block.line += static_cast<std::uint64_t>(std::count(raw.block.bytes.begin(), raw.block.bytes.end(), '\n'));
  }
  if (all.lines != raw.block.line - (bytes.empty() || bytes.ends_with('\n'))) std::abort();
  return all;
}

template <class Source> void check(TextUnit unit, std::string_view bytes, std::size_t block_bytes) {
  if (read<Source>(unit, bytes, bytes.size() + 1) != read<Source>(unit, bytes, block_bytes)) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const TextUnit unit = data[0] % 2 == 0 ? TextUnit::paragraph : TextUnit::line;
  if (bytes == "\xEF\xBB\xBF") return 0;  // and no line
  if (data[0] % 8 < 4)
    check<RawText<Whitespace, WholeText>>(unit, bytes, 1 + data[0] / 8);
  else
    check<RawText<>>(unit, bytes, 1 + data[0] / 8);
  return 0;
}
