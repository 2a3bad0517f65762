// bench: slices of training and of prediction, one for each line on standard input, so that two systems can take turns.
//
//   ner_slices TRAIN TEST [WORDS [THREADS]]        lines 'train', 'predict', 'quit'; one JSON line back for each
//
// The composition and the options are those of examples/01_first_tagger. Evaluation is excluded. Prediction starts from
// tokens: it includes hashing words, packing, the net and the CRF.
#include <unistd.h>
#include <entrain/cpu.hpp>
#include <entrain/predict.hpp>
#include <entrain/text/conll/conll.hpp>
#include <entrain/text/split/sentences.hpp>
#include <entrain/text/split/splitter.hpp>
#include <entrain/train/data/data.hpp>
#include <entrain/train/data/targets.hpp>
#include <entrain/train/folder/save.hpp>
#include <entrain/train/loop/fit.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include "bench/slices/slices.hpp"
#include "examples/01_first_tagger/tagger.hpp"

using namespace entrain;
using light::Trainer;
using Features = Trainer::Features;

namespace {

/// Batches of shuffled epochs, without end.
class Feed {
 public:
  Feed(const batch::Encoded<Features>& corpus, int budget) : corpus_(corpus), budget_(budget) {}
  std::span<const std::uint32_t> next() {
    if (at_ == batches_.size()) {
      batches_.shuffled(corpus_.sentences(), 0, epoch_++);
      batches_.plan(corpus_.sentences(), budget_, corpus_.rows);
      at_ = 0;
    }
    return batches_[at_++];
  }

 private:
  const batch::Encoded<Features>& corpus_;
  int budget_;
  batch::Budget batches_;
  std::size_t at_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: ner_slices TRAIN TEST [WORDS [THREADS]]\n");
    return 2;
  }
  const std::uint64_t words = argc > 3 ? std::stoull(argv[3]) : 60000;
  const train::Options options;
  const train::Tagged train_file = train::tagged(text::read_conll(argv[1]), {});
  const text::Corpus test_file = text::read_conll(argv[2]);
  auto corpus = batch::encode<Features>(train_file.corpus);
  const Trainer::Labels labels(train::entity_types(train_file));
  train::set_targets(corpus, train_file, labels, "conlleval");
  if (options.word_dropout > 0) batch::add_unknown_word_copies(corpus);
  const int rows = std::max(options.token_budget, corpus.longest());

  const device::Cpu<> cpu(argc > 4 ? std::stoi(argv[4]) : 1);
  Trainer trainer(cpu, labels, rows, 0);
  batch::Packer<Features> packer(rows);
  Feed feed(corpus, options.token_budget);
  std::uint32_t step = 0;
  const auto train_slice = [&](std::uint64_t most) {
    std::uint64_t done = 0;
    while (done < most) {
      const batch::WordDropout unknown{static_cast<float>(options.word_dropout), 0, step++, 0};
      const auto batch = packer.pack(corpus, feed.next(), labels.count(), unknown);
      trainer.accumulate(batch, static_cast<float>(options.dropout));
      trainer.update(options.knobs, options.learning_rate, options.max_grad_norm);
      done += static_cast<std::uint64_t>(batch.shape.rows);
    }
    return done;
  };
  train_slice(20000);

  // Prediction as in an application: from a saved folder, through predict::Tagger.
  const std::string folder = std::filesystem::temp_directory_path() / ("ner_slices-" + std::to_string(getpid()));
  checkpoint::Config about;
  about.splitter = text::UnicodeWords::name;
  about.sentence_splitter = text::UnicodeSentences::name;
  train::save(trainer, folder, about);
  const predict::Tagger<light::Tagger> tagger(folder, {.threads = cpu.threads()});
  std::filesystem::remove_all(folder);
  const auto predict_slice = [&](std::uint64_t least) {
    std::uint64_t done = 0;
    for (long tags = 0; done < least; done += test_file.size()) {
      tagger.tags(test_file, [&](std::size_t, std::span<const text::Tag> t) { tags += t[0]; });
      if (tags < 0) return done;  // so that the tags are used
    }
    return done;
  };

  slices::serve("words", trainer.parameters(),
                [&](const std::string& what) { return what == "predict" ? predict_slice(words) : train_slice(words); });
  return 0;
}
