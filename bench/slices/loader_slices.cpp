// bench: what the loader does in a second, in slices, so that it can take turns with bench/peers/torch_loader.py.
//
//   loader_slices TOKENIZER_FOLDER FILE ...      a line of a name below, or 'quit'; one JSON line back for each
//
//   warm      CoNLL text to packed batches of pieces, by a loader that has met every word      items: pieces
//   cold      the same by a loader that has met no word                                        items: pieces
//   cache     the same sentences from a cache, mapped                                          items: pieces
//   light     CoNLL text to packed batches of the light model's hashed words, warm             items: words
//   read, parse, encode, shuffle      the path of 'warm', cut off after that stage             items: pieces
//   assembly, assembly_light          batches of 32 sentences, packed from a corpus in memory  items: batches
//   features  the hashes of NORM, PREFIX, SUFFIX and SHAPE of every word                       items: words
//
// One thread does all of it. A piece is a row of the encoder, without [CLS] and [SEP]; an epoch reads the files
// `repeats` times, shuffled as a whole.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/slices/slices.hpp"
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/corpus/features.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/state/cache.hpp"

using namespace entrain;

namespace {

using Pieces = batch::Pieces<512, 30522, text::WordPiece>;
using Source = text::Conll<text::Bio>;
template <class Features> using Encode = batch::Encode<Features, task::Tagging<text::Bioes>, Source>;
template <class Features> using Shuffled = batch::Shuffled<Encode<Features>>;

constexpr int token_budget = 1024;  // as Options::fine_tuning
constexpr int repeats = 10;
const text::Labels<text::Bioes> labels({"PER", "LOC", "ORG", "Disease"});

struct Files {
  std::vector<std::string> once, often;
  explicit Files(std::vector<std::string> files) : once(std::move(files)) {
    for (int i = 0; i < repeats; ++i) often.insert(often.end(), once.begin(), once.end());
  }
};

template <class Features> Encode<Features> encode(const Features& features, const std::vector<std::string>& files) {
  return Encode<Features>(features, labels, Source(files));
}
/// The last stages of every path: sentences to packed batches.
template <class S> batch::Pulled<batch::Packed<S>> packed(S from) {
  batch::PackedOptions options;
  options.token_budget = options.rows = token_budget;
  options.labels = labels.count();
  return batch::Pulled<batch::Packed<S>>(batch::Packed<S>(std::move(from), options));
}
template <class Features> auto loader(const Features& features, const std::vector<std::string>& files) {
  return packed(Shuffled<Features>(encode(features, files)));
}
/// Reads from a cache in a file of its own, which is removed when it is mapped.
batch::Cached<Pieces> cached(const Pieces& pieces, const std::vector<std::string>& files) {
  Shuffled<Pieces> all(encode(pieces, files));
  all.start(0, {});
  batch::ShuffleBuffer<Pieces> buffer;
  all.next(buffer);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("loader_slices-" + std::to_string(getpid()))).string();
  batch::CacheKey key;
  key.fill('0');
  train::CacheBuilder<Pieces>::write(path, *buffer.sentences, key, labels.count());
  auto corpus = train::open_cache<Pieces>(path, pieces, key, labels.count());
  std::filesystem::remove(path);
  return batch::Cached<Pieces>(std::move(corpus.sentences), 0);
}

struct Count {
  std::uint64_t words = 0, pieces = 0;
};
int pieces_of(const Pieces::View& view) { return view.count - 2 * view.windows; }
template <class View> int pieces_of(const View&) { return 0; }

/// Runs an epoch of a stage: each(item) for its items.
template <class Stage> void epoch(Stage& stage, std::uint32_t number, auto&& each) {
  static typename Stage::Item item;  // kept and filled again, as in a program
  stage.start(number, {});
  while (stage.next(item)) each(item);
}
Count count_of(auto& loader, std::uint32_t number) {
  Count count;
  epoch(loader, number, [&](const auto& item) {
    count.words += static_cast<std::uint64_t>(item.batch.shape.rows);
    count.pieces += static_cast<std::uint64_t>(pieces_of(item.batch.words));
  });
  return count;
}

/// Batches of 32 sentences of a corpus in memory, in a shuffled order.
template <class Features> class Assembly {
 public:
  explicit Assembly(Encode<Features> encode) {
    batch::Shuffled<Encode<Features>> shuffled{std::move(encode)};
    shuffled.start(0, {});
    shuffled.next(all_);
  }
  Count operator()(std::size_t batches) {
    Count count;
    for (std::size_t b = 0; b < batches; ++b) {
      if (at_ + sentences > all_.order.size()) at_ = 0;
      const auto batch =
          packer_.pack_to_learn(*all_.sentences, std::span(all_.order).subspan(at_, sentences), labels.count());
      at_ += sentences;
      count.words += static_cast<std::uint64_t>(batch.shape.rows);
      count.pieces += static_cast<std::uint64_t>(pieces_of(batch.words));
    }
    return count;
  }

 private:
  static constexpr std::size_t sentences = 32;
  batch::ShuffleBuffer<Features> all_;
  std::size_t at_ = 0;
  batch::Packer<Features> packer_{4096};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: loader_slices TOKENIZER_FOLDER FILE ...\n"), 2;
  const auto pieces = train::open_features<Pieces>(argv[1]);
  const Files files(std::vector<std::string>(argv + 2, argv + argc));

  auto warm = loader(pieces, files.often);
  const Count all = count_of(warm, 0);
  auto light = loader(batch::SpacyWords{}, files.often);
  count_of(light, 0);
  auto from_cache = packed(cached(pieces, files.often));
  count_of(from_cache, 0);
  Assembly<Pieces> assemble(encode(pieces, files.once));
  Assembly<batch::SpacyWords> assemble_light(encode(batch::SpacyWords{}, files.once));
  text::Blocks<text::BlankLine> blocks(files.often);
  batch::InTurn<Source> parsed{Source(files.often)};
  batch::InTurn<Encode<Pieces>> encoded(encode(pieces, files.often));
  Shuffled<Pieces> shuffled(encode(pieces, files.often));
  text::Corpus words;
  for (const std::string& file : files.once) {
    const text::Corpus corpus = text::read_conll(file);
    for (std::size_t i = 0; i < corpus.size(); ++i) words.push(corpus.token(i), 0);
  }

  std::uint32_t number = 0;
  std::uint64_t words_done = 0;
  epoch(encoded, 0, [](const batch::EncodedBlock<Pieces>&) {});
  epoch(shuffled, 0, [](const batch::ShuffleBuffer<Pieces>&) {});
  slices::serve(
      "items", 0,
      [&](const std::string& what) -> std::uint64_t {
        ++number;
        Count count;
        if (what == "warm") {
          count = count_of(warm, number);
        } else if (what == "cold") {
          for (int i = 0; i < 4; ++i) {
            auto fresh = loader(pieces, files.once);
            const Count one = count_of(fresh, number);
            count.words += one.words, count.pieces += one.pieces;
          }
        } else if (what == "cache") {
          count = count_of(from_cache, number);
        } else if (what == "light") {
          count = count_of(light, number);
          count.pieces = count.words;
        } else if (what == "read") {
          blocks.start({});
          for (text::Block block; blocks.read(block);) count = all;
        } else if (what == "parse") {
          epoch(parsed, number, [&](const text::Corpus&) { count = all; });
        } else if (what == "encode") {
          epoch(encoded, number, [&](const batch::EncodedBlock<Pieces>&) { count = all; });
        } else if (what == "shuffle") {
          epoch(shuffled, number, [&](const batch::ShuffleBuffer<Pieces>&) { count = all; });
        } else if (what == "assembly" || what == "assembly_light") {
          constexpr std::size_t batches = 2000;
          count = what == "assembly" ? assemble(batches) : assemble_light(batches);
          count.pieces = batches;
        } else if (what == "features") {
          std::uint64_t sum = 0;
          for (int i = 0; i < repeats; ++i)
            for (std::size_t w = 0; w < words.size(); ++w) {
              const text::WordFeatures f = text::features(words.token(w));
              sum += f.norm ^ f.prefix ^ f.suffix ^ f.shape;
            }
          count.pieces = count.words = sum != 0 ? repeats * words.size() : 0;
        }
        words_done = count.words;
        return count.pieces;
      },
      [&] { return ", \"words\": " + std::to_string(words_done); });
}
