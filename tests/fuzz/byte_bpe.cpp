// tests > fuzz > [text]
//
// Any merges, and any bytes as a text: the pieces are those that merging pair by pair gives, their bytes are the text's
// with a space before it, and their code points are in order. With a cache of words and almost without one, they are
// the same. With NFC, they are those of the normalized text.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demand.hpp"
#include "entrain/text/tokenizer/byte_bpe.hpp"

using namespace entrain;
using test::demand;

namespace {

std::string written(unsigned char byte) {
  char letter[4];
  return {letter, text::encode(text::letter_of_byte(byte), letter)};
}

/// A tokenizer, and its parts for merging without it.
struct Bpe {
  std::vector<std::string> vocabulary{"<unk>"}, bytes{""};  // by id: as it is written, and the bytes
  std::vector<text::ByteBpe::Pair> merges;
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::size_t, std::int32_t>> of_pair;  // rank, piece

  Bpe() {
    for (int b = 0; b < 256; ++b) {
      vocabulary.push_back(written(static_cast<unsigned char>(b)));
      bytes.emplace_back(1, static_cast<char>(b));
    }
  }
  void merge(std::size_t left, std::size_t right) {
    const std::string whole = bytes[left] + bytes[right];
    if (whole.size() > 40) return;
    std::int32_t id = 0;
    for (std::size_t i = 1; i < bytes.size(); ++i)
      if (bytes[i] == whole) id = static_cast<std::int32_t>(i);
    if (id == 0) {
      id = static_cast<std::int32_t>(bytes.size());
      vocabulary.push_back(vocabulary[left] + vocabulary[right]);
      bytes.push_back(whole);
    }
    if (of_pair.emplace(std::pair(left, right), std::pair(merges.size(), id)).second)
      merges.emplace_back(vocabulary[left], vocabulary[right]);
  }
  std::vector<std::int32_t> pieces(std::string_view word) const {
    std::vector<std::int32_t> ids;
    for (const char c : word) ids.push_back(static_cast<unsigned char>(c) + 1);
    for (;;) {
      std::size_t best = ids.size();
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const auto it = of_pair.find({ids[i], ids[i + 1]});
        if (it == of_pair.end()) continue;
        if (best == ids.size() || it->second.first < of_pair.at({ids[best], ids[best + 1]}).first) best = i;
      }
      if (best == ids.size()) return ids;
      ids[best] = of_pair.at({ids[best], ids[best + 1]}).second;
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Bpe bpe;
  std::size_t at = 1;
  for (int k = data[0] % 64; k > 0 && at + 2 <= size; --k, at += 2) {
    // Half of the numbers are pieces that earlier merges made, the others are printable bytes.
    const auto piece = [&](std::uint8_t number) {
      const std::size_t made = bpe.bytes.size() - 257;
      return number >= 128 && made > 0 ? 257 + number % made : std::size_t{1} + number % 128;
    };
    bpe.merge(piece(data[at]), piece(data[at + 1]));
  }
  const std::string_view input(reinterpret_cast<const char*>(data) + at, size - at);
  const text::ByteBpe tokenizer(bpe.vocabulary, bpe.merges);
  text::ByteBpe::Reader reader(tokenizer), forgetful(tokenizer, 2);
  text::Pieces pieces, again, third;
  const std::uint32_t count = reader.encode(input, pieces, 5);
  demand(count == 5 + text::count_code_points(input));
  forgetful.encode(input, again, 5);
  reader.encode(input, third, 5);
  demand(pieces.id == again.id && pieces.begin == again.begin && pieces.end == again.end);
  demand(pieces.id == third.id && pieces.begin == third.begin && pieces.end == third.end);

  std::string spaced(input.empty() || input[0] == ' ' ? "" : " ");
  text::repair_utf8(input, spaced);
  std::vector<std::int32_t> expected;
  for (std::size_t from = 0, end = 0; from < spaced.size(); from = end) {
    end = text::end_of_byte_level_word(spaced, from);
    demand(end > from && end <= spaced.size());
    const auto word = bpe.pieces(std::string_view(spaced).substr(from, end - from));
    expected.insert(expected.end(), word.begin(), word.end());
  }
  demand(pieces.id == expected);
  const text::ByteBpe normalizing(bpe.vocabulary, bpe.merges, {.unk_token = "<unk>", .added = {}, .nfc = true});
  text::ByteBpe::Reader normalized(normalizing);
  text::Nfc nfc;
  text::Pieces after, of_result;
  demand(normalized.encode(input, after, 5) == count);
  forgetful.encode(nfc.apply(input) ? std::string_view(nfc.text()) : input, of_result);
  demand(after.id == of_result.id);
  for (std::size_t i = 0; i < after.size(); ++i) {
    demand(5 <= after.begin[i] && after.begin[i] <= after.end[i] && after.end[i] <= count);
    demand(i == 0 || after.begin[i - 1] <= after.begin[i]);
  }
  std::string joined;
  for (const std::int32_t id : pieces.id) joined += bpe.bytes[static_cast<std::size_t>(id)];
  demand(joined == spaced);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    demand(5 <= pieces.begin[i] && pieces.begin[i] <= pieces.end[i] && pieces.end[i] <= count);
    demand(i == 0 || pieces.begin[i - 1] <= pieces.begin[i]);
  }
  return 0;
}
