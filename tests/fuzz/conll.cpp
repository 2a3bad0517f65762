// tests > fuzz > [text]
//
// Any bytes as a CoNLL file: read, or refused with an error of ours. What was read is checked and repaired by all
// rules; what was repaired and keeps its columns and numbering reads without a problem; what is written reads back the
// same.
#include <cstdint>
#include <string_view>

#include "demand.hpp"
#include "entrain/text/check/check.hpp"
#include "entrain/text/check/repair_conll.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/conll/conll_write.hpp"

using namespace entrain::text;
using entrain::test::demand;

namespace {
bool same(const Corpus& a, const Corpus& b) {
  if (a.size() != b.size() || a.sentence != b.sentence) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.token(i) != b.token(i) || (a.tag[i] < 0) != (b.tag[i] < 0) ||
        (a.tag[i] >= 0 && a.tag_name(i) != b.tag_name(i)))
      return false;
  return true;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const ConllFile file = parse_conll("fuzz", bytes);
    demand(file.corpus.sentence.back() == file.corpus.size());
    const Check found = check({&file, 1});
    const Repaired repaired = repair_conll("fuzz", bytes, found, Rules::named("all"));
    // The layout is a guess from the lines, so a change of lines may change it: what follows is read as told.
    ConllOptions as_before;
    as_before.separator = file.layout.separator;
    as_before.hash = file.layout.hash;
    as_before.token_column = file.layout.token_column;
    as_before.tag_column = file.layout.tag_column;
    const ConllFile again = parse_conll("repaired", repaired.bytes, as_before);
    if (again.layout.columns == file.layout.columns && again.layout.numbered == file.layout.numbered)
      demand(again.problems.total == 0 && again.corpus.size() <= file.corpus.size());
    if (file.layout.tag_column == ConllLayout::none) return 0;
    ConllOptions as_written;
    as_written.separator = Separator::tab;
    as_written.hash = Hash::token;
    as_written.plain = true;
    as_written.token_column = 0;
    as_written.tag_column = 1;
    demand(same(file.corpus, parse_conll("written", to_conll(file.corpus), as_written).corpus));
  } catch (const entrain::Error&) {  // the file, or what stays of it, is refused in words
  }
  return 0;
}
