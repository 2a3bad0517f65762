// tests > fuzz > [batch]
//
// Any bytes as a cache of an encoded corpus: refused in words, or all its batches can be packed, and have the rows that
// they say. Sums are made right first, and with them what every writer gets right, so that the code after them is
// reached.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "demand.hpp"
#include "entrain/batch/pack/cached.hpp"
#include "entrain/batch/pack/corpus_arrays.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

using namespace entrain;
using entrain::test::demand;

namespace {
constexpr int labels = 5;
using Hashed = batch::HashedWords<2, 50, 20, 20>;
using Pieces = batch::Pieces<10, 9, text::WordPiece>;
using LabelAllTokens = batch::LabelAllTokens<Pieces>;

template <class Features> const Features& features() {
  static const Features made = [] {
    if constexpr (Features::by_words) {
      return Features();
    } else {
      return Features(std::make_shared<const text::WordPiece>(
                          std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
                      {1}, {2});
    }
  }();
  return made;
}

/// Memory of exactly n bytes, aligned as a mapped file.
std::shared_ptr<std::byte> aligned(const std::uint8_t* data, std::size_t size) {
  void* const memory = std::aligned_alloc(64, (size + 63) / 64 * 64);
  const std::shared_ptr<std::byte> bytes(static_cast<std::byte*>(memory), [](void* p) { std::free(p); });
  if (size > 0) std::memcpy(memory, data, size);
  return bytes;
}

void fix_sums(std::span<std::byte> file, const batch::CacheKey& key) {
  batch::CacheOpening opening;
  batch::CacheClosing closing;
  const batch::CacheClosing empty;
  if (file.size() < sizeof opening + sizeof closing) return;
  std::memcpy(file.data(), &opening, sizeof opening);
  std::byte* const end = file.data() + file.size() - sizeof closing;
  std::memcpy(&closing, end, sizeof closing);
  closing.file_bytes = file.size();
  closing.key = key;
  closing.magic = empty.magic;
  for (batch::CacheArray& a : closing.arrays)
    if (a.offset <= file.size() && (a.item_bytes == 0 || a.items <= (file.size() - a.offset) / a.item_bytes))
      a.sum = Fingerprint::of(file.subspan(a.offset, a.bytes()));
  closing.sum = batch::sum_of(closing);
  std::memcpy(end, &closing, sizeof closing);
}

template <class Features>
void pack_all(std::span<std::byte> file, const std::shared_ptr<const void>& memory, const batch::CacheKey& key) {
  auto content = batch::read_cache<Features>(file, memory, features<Features>(), key, labels, "fuzz");
  batch::Encoded<Features>& e = content.sentences;
  if (batch::labels_every_piece<Features> && e.in_pieces.empty()) e.in_pieces.resize(labels);
  std::int64_t rows = 0;
  batch::Packer<Features> packer;
  for (std::uint32_t s = 0; s < e.sentences(); ++s) {
    const auto b = packer.pack(e, std::span(&s, 1), labels, {}, {});
    if constexpr (Features::by_words) {
      demand(b.shape.rows == e.rows[s]);
    } else {
      demand(b.words.count == e.rows[s]);
    }
    rows += e.rows[s];
  }
  demand(e.longest() <= rows);
  const batch::CorpusArrays<Features> stored(e, std::vector<float>(labels, 2.0f));
  if (e.unknown_word_copies == 0 && file.size() % 2 == 0) batch::add_unknown_word_copies(e);
  batch::PackedOptions options;
  options.token_budget = 30;
  options.labels = labels;
  options.word_dropout = 0.5f;
  options.class_weights.assign(labels, 1.5f);
  const std::size_t words = e.size();
  batch::InTurn loader(batch::Packed(batch::Cached<Features>(std::move(e), 7), options));
  std::size_t packed = 0;
  loader.start(0, {});
  for (typename decltype(loader)::Item item; loader.next(item);)
    packed += static_cast<std::size_t>(item.batch.geometry.cu_seqlens[item.batch.shape.sentences]);
  if constexpr (!batch::labels_every_piece<Features>) demand(packed == words);
}
}  // namespace

/// The first byte says which features, and whether the rest is taken as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto memory = aligned(data + 1, size - 1);
  const std::span<std::byte> file(memory.get(), size - 1);
  batch::CacheKey key;
  key.fill('7');
  if (data[0] % 16 != 15) fix_sums(file, key);
  try {
    switch (data[0] / 16 % 3) {
      case 0:
        pack_all<Hashed>(file, memory, key);
        break;
      case 1:
        pack_all<Pieces>(file, memory, key);
        break;
      default:
        pack_all<LabelAllTokens>(file, memory, key);
    }
  } catch (const Error&) {  // refused in words
  }
  return 0;
}
