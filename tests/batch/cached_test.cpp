// Caches as they are stored in a file, written here by other code than the library's: read back, they give the same
// batches and are copied nowhere; what was changed, or makes no corpus, is refused before a batch is made of it.
#include "entrain/batch/pack/cached.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/corpus_arrays.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace cached_test {
using namespace entrain;
using Hashed = batch::HashedWords<2, 50, 20, 20>;
using Pieces = batch::Pieces<10, 9, text::WordPiece>;
using LabelAllTokens = batch::LabelAllTokens<Pieces>;
constexpr int labels = 5;

batch::CacheKey key_of(char letter) {
  batch::CacheKey key;
  key.fill(letter);
  return key;
}
const batch::CacheKey key = key_of('7');

template <class Features> Features features() {
  if constexpr (Features::by_words) {
    return {};
  } else {
    return {std::make_shared<const text::WordPiece>(
                std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
            {1},
            {2}};
  }
}

/// Sentences of a few words, one that needs several windows.
template <class Features> batch::Encoded<Features> encoded(int sentences, bool unknown_word_copies) {
  std::mt19937 draw(3);
  text::Corpus corpus;
  for (int s = 0; s < sentences; ++s) {
    for (int i = s == 7 ? 30 : 1 + static_cast<int>(draw() % 9); i > 0; --i) {
      std::string word;
      for (int n = 1 + static_cast<int>(draw() % 4); n > 0; --n) word += "abcd"[draw() % 4];
      corpus.push(word, 0);
    }
    corpus.end_sentence();
  }
  auto e = batch::encode<Features>(corpus, features<Features>());
  for (std::size_t i = 0; i < e.size(); ++i) e.target[i] = i % 6 == 5 ? -100 : static_cast<std::int32_t>(i % labels);
  if constexpr (batch::labels_every_piece<Features>)
    e.in_pieces = {{0, 0, 0}, {1, 2, 2}, {2, 2, 2}, {3, 4, 4}, {4, 4, 4}};
  if (unknown_word_copies) batch::add_unknown_word_copies(e);
  e.unread.cut = 3, e.unread.pieceless = 5;
  return e;
}

/// A file in memory that is aligned as a mapped one, and changed in its place.
class Image {
 public:
  template <class Features> explicit Image(const batch::Encoded<Features>& e, const std::string& about = "said") {
    add(batch::CacheOpening());
    array(e.word), array(e.target), array(e.sentence), array(e.rows), array(e.in_pieces);
    array(std::vector<char>(about.begin(), about.end()));
    batch::each_column(e.vocabulary, [&](const auto& column) { array(column); });
    for (; arrays_ < batch::cache_parts; ++arrays_) closing_.arrays[arrays_].offset = pad();
    pad();
    closing_.file_bytes = bytes_ + sizeof closing_;
    closing_.key = key;
    closing_.cut = e.unread.cut, closing_.pieceless = e.unread.pieceless;
    closing_.labels = labels;
    closing_.unknown_word_copies = e.unknown_word_copies;
    closing_.sum = sum();
    add(closing_);
  }
  std::span<std::byte> bytes() { return {reinterpret_cast<std::byte*>(lines_.data()), bytes_}; }

  /// Its table, to be changed; then fix_sums() makes all sums right again.
  batch::CacheClosing& closing() { return closing_; }
  template <class T> T* numbers(batch::CachePart part, int more = 0) {
    const auto& a = closing_.arrays[static_cast<std::size_t>(part) + static_cast<std::size_t>(more)];
    return reinterpret_cast<T*>(bytes().data() + a.offset);
  }
  void fix_sums() {
    for (auto& a : closing_.arrays)
      if (a.offset <= bytes_ && a.items * a.item_bytes <= bytes_ - a.offset)
        a.sum = Fingerprint::of(bytes().subspan(a.offset, a.items * a.item_bytes));
    closing_.sum = sum();
    std::memcpy(bytes().data() + bytes_ - sizeof closing_, &closing_, sizeof closing_);
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  void add(const auto& value) { add(std::as_bytes(std::span(&value, 1))); }
  void add(std::span<const std::byte> more) {
    lines_.resize((bytes_ + more.size() + 63) / 64);
    if (!more.empty()) std::memcpy(bytes().data() + bytes_, more.data(), more.size());
    bytes_ += more.size();
  }
  std::uint64_t pad() { return bytes_ = (bytes_ + 63) / 64 * 64; }
  void array(const auto& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    closing_.arrays[arrays_++] = {pad(), numbers.size(), sizeof numbers[0], Fingerprint::of(bytes)};
    add(bytes);
  }
  Fingerprint::Value sum() const {
    return Fingerprint::of(std::as_bytes(std::span(&closing_, 1)).first(sizeof closing_ - 16));
  }

  std::vector<Line> lines_;
  std::size_t bytes_ = 0, arrays_ = 0;
  batch::CacheClosing closing_;
};

template <class Features> batch::CacheContent<Features> read(Image& image, const batch::CacheKey& by = key) {
  const std::shared_ptr<const void> kept(std::shared_ptr<void>(), image.bytes().data());
  return batch::read_cache<Features>(image.bytes(), kept, features<Features>(), by, labels, "file");
}
template <class Features> std::string fault(Image& image) {
  try {
    read<Features>(image);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

/// All that the device would read of the batches that a loader still gives.
template <class Loader> std::vector<std::vector<double>> rest_of(Loader& loader) {
  std::vector<std::vector<double>> all;
  for (typename Loader::Item item; loader.next(item);) {
    auto& b = item.batch;
    auto& one = all.emplace_back(std::vector<double>{double(b.shape.rows), double(b.real_targets), b.target_weight});
    const auto add = [&](const auto* p, std::size_t n) {
      if (p != nullptr) one.insert(one.end(), p, p + n);
    };
    const auto rows = static_cast<std::size_t>(b.shape.rows);
    add(b.geometry.cu_seqlens, static_cast<std::size_t>(b.shape.sentences) + 1);
    add(b.geometry.neighbours, rows);
    add(b.targets.data, rows);
    b.words.each_array(b.shape.rows, [&](const auto* p, std::size_t n, auto) { add(p, n); });
  }
  return all;
}
batch::PackedOptions packed_options(bool unknown_word_copies) {
  batch::PackedOptions o;
  o.token_budget = 40;
  o.labels = labels;
  o.word_dropout = unknown_word_copies ? 0.4f : 0;
  o.seed = 5;
  return o;
}

template <class Features> void check_same(bool unknown_word_copies) {
  const auto e = encoded<Features>(60, unknown_word_copies);
  Image image(e);
  auto content = read<Features>(image);
  CHECK(content.about == "said");
  const batch::Encoded<Features>& r = content.sentences;
  CHECK(r.sentence == e.sentence);
  CHECK(r.word == e.word);
  CHECK(r.target == e.target);
  CHECK(r.rows == e.rows);
  CHECK(r.unread.cut == 3);
  CHECK(r.unread.pieceless == 5);
  CHECK(r.unknown_word_copies == e.unknown_word_copies);
  CHECK(r.vocabulary.size() == e.vocabulary.size());
  CHECK(r.word.data() == image.numbers<std::int32_t>(batch::CachePart::word));
  CHECK(r.word.is_view());
  batch::each_column(r.vocabulary, [](const auto& column) { CHECK(column.is_view()); });
  CHECK(batch::bytes_of(batch::CorpusArrays<Features>(r, {})) == batch::bytes_of(batch::CorpusArrays<Features>(e, {})));

  using FromCache = batch::InTurn<batch::Packed<batch::Cached<Features>>>;
  FromCache cached(
      batch::Packed(batch::Cached<Features>(std::move(content.sentences), 9), packed_options(unknown_word_copies)));
  batch::InTurn whole(batch::Packed(batch::Whole<Features>(e, 9), packed_options(unknown_word_copies)));
  for (const std::uint32_t epoch : {0u, 2u}) {
    whole.start(epoch, {});
    const auto expected = rest_of(whole);
    REQUIRE(expected.size() > 5);
    cached.start(epoch, {});
    CHECK(rest_of(cached) == expected);
    cached.start(epoch, {});
    for (std::size_t taken = 0; taken < expected.size(); taken += 3) {  // on from any batch
      const auto at = cached.cursor();
      CHECK(rest_of(cached) == std::vector(expected.begin() + static_cast<std::ptrdiff_t>(taken), expected.end()));
      cached.start(epoch, at);
      typename FromCache::Item item;
      for (int i = 0; i < 3; ++i) cached.next(item);
    }
  }
}

TEST_CASE("a corpus from a cache gives the batches of the same corpus in memory, and is not copied") {
  check_same<Hashed>(false);
  check_same<Hashed>(true);
  check_same<Pieces>(false);
  check_same<Pieces>(true);
  check_same<LabelAllTokens>(true);
}

TEST_CASE("unknown-word copies of a cached corpus copy its vocabulary, and nothing else") {
  const auto e = encoded<Hashed>(20, false);
  Image image(e);
  auto cached = read<Hashed>(image).sentences;
  auto expected = e;
  batch::add_unknown_word_copies(cached);
  batch::add_unknown_word_copies(expected);
  CHECK(cached.vocabulary == expected.vocabulary);
  CHECK_FALSE(cached.vocabulary.is_view());
  CHECK(cached.word.is_view());
}

TEST_CASE("what a buffer has stays, without the stage") {
  batch::ShuffleBuffer<Hashed> buffer;
  {
    batch::Cached<Hashed> stage(encoded<Hashed>(20, false), 1);
    stage.start(0, {});
    REQUIRE(stage.next(buffer));
    CHECK_FALSE(stage.next(buffer));
  }
  REQUIRE(buffer.sentences.use_count() == 1);
  CHECK(buffer.sentences->word == encoded<Hashed>(20, false).word);
  CHECK(buffer.order.size() == buffer.sentences->sentences());
}

TEST_CASE("a corpus of no sentence is one") {
  batch::Encoded<Hashed> none;
  Image image(none, "");
  CHECK(read<Hashed>(image).sentences.sentences() == 0);
}

TEST_CASE("files that are no such cache are refused, each in its words") {
  const auto e = encoded<Pieces>(12, false);
  const auto refused = [&](auto change) {
    Image image(e);
    change(image);
    return fault<Pieces>(image);
  };
  const std::string remedy = "; remove it: it is rebuilt from the corpus";
  CHECK(refused([](Image&) {}).empty());
  CHECK(refused([](Image& i) { i.bytes()[3] = std::byte{'T'}; }) ==
        "entrain.batch.20: file: another kind of file, expected a cache of an encoded corpus" + remedy);
  CHECK(refused([](Image& i) { i.bytes()[16] = std::byte{99}; }) ==
        "entrain.batch.21: file: a cache of version 99, expected version 2" + remedy);
  CHECK(refused([](Image& i) { std::swap(i.bytes()[20], i.bytes()[23]); }) ==
        "entrain.batch.22: file: a cache with another byte order, expected little-endian" + remedy);
  CHECK(refused([](Image& i) { i.closing().magic[1] = 'x', i.fix_sums(); }) ==
        "entrain.batch.20: file: an incomplete cache, expected a complete one" + remedy);
  CHECK(refused([](Image& i) {
          ++i.closing().file_bytes, i.fix_sums();
        }).starts_with("entrain.batch.20: file: an incomplete cache"));
  CHECK(refused([](Image& i) { i.closing().key = key_of('8'), i.fix_sums(); }) ==
        "entrain.batch.23: file: a cache of key 8888888888888888, expected 7777777777777777; it was renamed; remove "
        "it");
  CHECK(refused([](Image& i) { i.closing().labels = 6, i.fix_sums(); }) ==
        "entrain.batch.25: file: 6 labels, expected 5" + remedy);
  CHECK(refused([](Image& i) { i.bytes()[i.bytes().size() - 40] ^= std::byte{1}; }).starts_with("entrain.batch.2"));
  for (const int array : {0, 1, 2, 3, 5, 6, 7})
    CHECK(refused([&](Image& i) { *i.numbers<std::byte>(batch::CachePart::word, array) ^= std::byte{1}; }) ==
          "entrain.batch.24: file: array " + std::to_string(array) +
              " changed, expected the written content; the file is corrupt; remove it");
}

TEST_CASE("no byte can be lost, and none that counts can change") {
  const auto e = encoded<Pieces>(12, false);
  Image image(e);
  const std::span<std::byte> all = image.bytes();
  const std::shared_ptr<const void> kept(std::shared_ptr<void>(), all.data());
  const auto refuses = [&](std::span<std::byte> bytes) {
    try {
      const auto r = batch::read_cache<Pieces>(bytes, kept, features<Pieces>(), key, labels, "file").sentences;
      return r.word != e.word || r.target != e.target || r.sentence != e.sentence || r.rows != e.rows;
    } catch (const Error& error) {
      return error.id().starts_with("entrain.batch.2");
    }
  };
  for (std::size_t n = 0; n < all.size(); n += n < 200 || n + 700 > all.size() ? 1 : 61) CHECK(refuses(all.first(n)));
  int unnoticed = 0;
  for (std::byte& one : all) {
    one ^= std::byte{16};
    unnoticed += !refuses(all);
    one ^= std::byte{16};
  }
  CHECK(unnoticed < 40 + 10 * 64);  // zeros of the opening and between arrays, which no code reads
  CHECK_FALSE(refuses(all));
}

TEST_CASE("arrays outside of the file, or over each other, are refused") {
  const auto e = encoded<Pieces>(12, false);
  const auto refused = [&](auto change) {
    Image image(e);
    change(image.closing());
    image.fix_sums();
    return fault<Pieces>(image);
  };
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  for (std::size_t a = 0; a < 8; ++a) {
    const std::string words = "entrain.batch.24: file: array " + std::to_string(a) + " is outside its range";
    if (a != 4) {
      CHECK(refused([&](auto& c) { c.arrays[a].items = huge; }).starts_with(words));
      if (a != 5)  // not of bytes
        CHECK(refused([&](auto& c) { c.arrays[a].items = huge / c.arrays[a].item_bytes + 2; }).starts_with(words));
      CHECK(refused([&](auto& c) { c.arrays[a].item_bytes = 0; }).starts_with(words));
    }
    CHECK(refused([&](auto& c) { c.arrays[a].item_bytes = huge, c.arrays[a].items = 2; }).starts_with(words));
    CHECK(refused([&](auto& c) { c.arrays[a].offset += 8; }).starts_with(words));
    CHECK(refused([&](auto& c) { c.arrays[a].offset = huge / 64 * 64; }).starts_with(words));
    CHECK(refused([&](auto& c) { c.arrays[a].offset = a == 0 ? 0 : 64; }).starts_with(words));
  }
  CHECK(refused([](auto& c) { c.arrays[0].item_bytes = 1, c.arrays[0].items *= 4; }) ==
        "entrain.batch.25: file: items of 1 bytes, expected 4; remove it: it is rebuilt from the corpus");
}

TEST_CASE("numbers that make no corpus are refused, though their sums are right") {
  using Part = batch::CachePart;
  const auto refused = [&]<class Features>(std::type_identity<Features>, bool unknown_word_copies, auto change) {
    Image image(encoded<Features>(12, unknown_word_copies));
    change(image);
    image.fix_sums();
    const std::string said = fault<Features>(image);
    if (said.empty()) return said;
    const std::string head = "entrain.batch.25: file: ",
                      tail = ", expected an encoded corpus; remove it: it is rebuilt from the corpus";
    REQUIRE(said.starts_with(head));
    REQUIRE(said.ends_with(tail));
    return said.substr(head.size(), said.size() - head.size() - tail.size());
  };
  const auto in = [&](Part part, std::size_t at, auto number) {
    return [=](Image& i) { i.numbers<decltype(number)>(part)[at] = number; };
  };
  const std::type_identity<Hashed> hashed;
  const std::type_identity<Pieces> pieces;
  const std::type_identity<LabelAllTokens> every_piece;
  const auto e = encoded<Pieces>(12, false);
  const auto words = static_cast<std::int32_t>(e.vocabulary.size());
  const std::size_t last = e.sentences();

  const std::string word = "a word that is not in the vocabulary";
  CHECK(refused(pieces, false, in(Part::word, 5, words)) == word);
  CHECK(refused(pieces, false, in(Part::word, 0, -1)) == word);
  CHECK(refused(pieces, true, in(Part::word, 5, words)) == word);  // an unknown-word copy
  CHECK(refused(hashed, false, in(Part::word, 5, std::int32_t{1 << 30})) == word);

  const std::string tag = "a target that is not among the labels";
  CHECK(refused(pieces, false, in(Part::target, 5, labels)) == tag);
  CHECK(refused(pieces, false, in(Part::target, 0, -99)) == tag);
  CHECK(refused(pieces, false, in(Part::target, 0, -100)).empty());
  CHECK(refused(pieces, false, [](Image& i) { --i.closing().arrays[1].items; }) ==
        "targets that do not match the words");

  const std::string order = "a sentence that ends before it begins";
  CHECK(refused(pieces, false, in(Part::sentence, 0, 1u)) == order);
  CHECK(refused(pieces, false, in(Part::sentence, 2, 1'000'000u)) == order);
  CHECK(refused(pieces, false, in(Part::sentence, 2, ~0u)) == order);
  CHECK(refused(pieces, false, in(Part::sentence, last, 4u)) == order);
  CHECK(refused(pieces, false, in(Part::sentence, last - 1, static_cast<std::uint32_t>(e.size()) + 1)) == order);
  CHECK(refused(hashed, false, [](Image& i) {  // steps that are small enough, modulo 2^32
          i.numbers<std::uint32_t>(Part::sentence)[1] = 2'000'000'000;
          i.numbers<std::uint32_t>(Part::sentence)[2] = 4'000'000'000;
        }) == order);
  CHECK(refused(pieces, false, [](Image& i) { --i.closing().arrays[2].items; }) == order);
  CHECK(refused(pieces, false, [](Image& i) { i.closing().arrays[2].items = 0; }) == order);

  const std::string rows = "a sentence with a wrong number of rows";
  CHECK(refused(pieces, false, in(Part::rows, 1, std::int32_t{1})) == rows);
  CHECK(refused(hashed, false, in(Part::rows, last - 1, std::int32_t{-1})) == rows);
  CHECK(refused(pieces, false, [](Image& i) { --i.closing().arrays[3].items; }) ==
        "rows that do not match the sentences");

  const std::string twin = "a word without its unknown-word copy";
  CHECK(refused(hashed, true, [](Image& i) { --i.closing().unknown_word_copies; }) == twin);
  CHECK(refused(hashed, true, [](Image& i) { i.closing().unknown_word_copies = -1; }) == twin);
  CHECK(refused(hashed, false, [](Image& i) { i.closing().unknown_word_copies = 1; }) == twin);
  CHECK(refused(pieces, true, [](Image& i) { i.closing().unknown_word_copies *= 2; }) == twin);

  const std::string row = "a word with a row outside its table";
  CHECK(refused(hashed, false, in(Part::vocabulary, 1, std::int32_t{49})).empty());
  CHECK(refused(hashed, false, in(Part::vocabulary, 1, std::int32_t{50})) == row);
  CHECK(refused(hashed, false, in(Part::vocabulary, 2, std::int32_t{20})) == row);
  CHECK(refused(hashed, false, in(Part::vocabulary, 5, std::int32_t{-1})) == row);

  const std::string many = "a word without pieces, or with more than fit in a window";
  CHECK(refused(pieces, false, in(Part::vocabulary, 0, 1u)) == many);
  CHECK(refused(pieces, false, in(Part::vocabulary, 1, 0u)) == many);
  CHECK(refused(pieces, false, in(Part::vocabulary, 2, 70'000u)) == many);
  CHECK(refused(pieces, false, in(Part::vocabulary, 1, ~0u)) == many);
  CHECK(refused(pieces, false, [](Image& i) { i.closing().arrays[6].items = 0; }) == many);
  CHECK(refused(pieces, false, [](Image& i) {  // nine pieces in one word, of eight that a window holds
          std::uint32_t* const begins = i.numbers<std::uint32_t>(Part::vocabulary);
          for (std::uint32_t w = 1; begins[w] < 8 + w; ++w) begins[w] = 8 + w;
        }) == many);
  const auto piece = [&](std::int32_t number) {
    return [number](Image& i) { *i.numbers<std::int32_t>(Part::vocabulary, 1) = number; };
  };
  CHECK(refused(pieces, false, piece(8)).empty());
  CHECK(refused(pieces, false, piece(9)) == "a piece outside the tokenizer's vocabulary");
  CHECK(refused(pieces, false, piece(-1)) == "a piece outside the tokenizer's vocabulary");

  for (const std::size_t at : {3u, 4u, 5u})
    CHECK(refused(every_piece, false, in(Part::in_pieces, at, std::int32_t{5})) ==
          "a piece's target that is not among the labels");
  CHECK(refused(every_piece, false, [](Image& i) { --i.closing().arrays[4].items; }) ==
        "targets of pieces that do not match the labels");
}

}  // namespace cached_test
