// Your own source and stage in front of entrain's loader: the program learns names of any kind from five genres of the
// embedded corpus, and finds them in the sixth.
//
//   own_stage [FOLDER]        FOLDER: with files as in examples/data/source
#include <cstdio>
#include <entrain/batch/encode/encode.hpp>
#include <entrain/batch/pack/augmented.hpp>
#include <entrain/batch/pack/packed.hpp>
#include <entrain/batch/pack/shuffled.hpp>
#include <entrain/batch/pipeline/workers.hpp>
#include <entrain/cpu.hpp>
#include <entrain/text/augment/token_drop.hpp>
#include <entrain/train/data/data.hpp>
#include <entrain/train/data/targets.hpp>
#include <entrain/train/loop/evaluate.hpp>
#include <entrain/train/loop/fit.hpp>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../01_first_tagger/composition.hpp"
#include "own.hpp"

namespace {
using namespace entrain;
using Trainer = train::Trainer<light::Tagger, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;
using Words = Trainer::Features;

// The loader, from the inside out: it reads and parses files, makes one kind of names, drops a word now and then,
// encodes words and tags as numbers on two threads, shuffles, and packs batches while training uses the previous one.
using Names = own::OneKind<own::Bracketed>;
using Encoded = batch::Encode<Words, Trainer::Task, batch::Augmented<Names, text::TokenDrop>>;
using Shuffled = batch::Shuffled<batch::Workers<Encoded>>;
using Loader = batch::Prefetch<batch::Packed<Shuffled>>;

Names names(std::vector<std::string> files) {
  return {{text::Blocks<text::TextEnd>(std::move(files), 1 << 16, text::TextEnd(text::TextUnit::line))}};
}

Loader loader(std::vector<std::string> files, const Trainer& trainer, const train::Options& options) {
  batch::Augmented<Names, text::TokenDrop> varied(names(std::move(files)), {options.seed}, text::TokenDrop(0.05));
  Encoded encoded(Words{}, trainer.labels(), std::move(varied));
  Shuffled shuffled(batch::Workers<Encoded>(std::move(encoded), {.workers = 2}),
                    {.seed = options.seed, .unknown_word_copies = true});
  return Loader(batch::Packed<Shuffled>(std::move(shuffled), train::packed_options(trainer, options)));
}

// All sentences of a source, as gold to compare with.
template <class Source> train::Tagged gold(Source source) {
  batch::Pulled<Source> stage(std::move(source));
  stage.start(0, {});
  text::Corpus all;
  for (text::Corpus c; stage.next(c);)
    for (std::size_t s = 0; s < c.sentences(); ++s, all.end_sentence())
      for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i) all.push(c.token(i), c.tag_name(i), c.line[i]);
  return train::tagged(std::move(all), {"bio"});
}

void print(const text::Corpus& words, std::size_t s, std::span<const text::Tag> tags) {
  std::string line;
  text::strict<Trainer::Task::Scheme>(text::MarksOf<Trainer::Task::Scheme>{tags}, [&](const text::Span& name) {
    line += " [" + std::string(words.token(words.sentence[s] + name.begin));
    for (auto i = name.begin + 1; i < name.end; ++i) line += " " + std::string(words.token(words.sentence[s] + i));
    line += "]";
  });
  std::printf("  line %u:%s\n", words.line[words.sentence[s]], line.c_str());
}

int run(const std::string& folder) {
  std::vector<std::string> genres;
  for (const char* genre : {"chat", "mail", "minutes", "news", "reports"})
    genres.push_back(folder + "/" + genre + ".txt");
  const device::Cpu<> cpu(1);
  train::Options options;
  options.word_dropout = 0.1;
  options.calibrate = false;
  Trainer trainer(cpu, Trainer::Labels({"NAME"}), options.token_budget, options.seed);
  const train::Tagged sixth = gold(names({folder + "/reviews.txt"})), made_up = gold(own::MadeUp{});
  const auto reviews = batch::encode<Words>(sixth.corpus), sentences = batch::encode<Words>(made_up.corpus);
  batch::Packer<Words> packer(trainer.rows());

  Loader batches = loader(genres, trainer, options);
  const std::uint32_t steps = 400;
  double f1 = 0;
  train::fit(
      trainer, batches, steps, options, [](const train::StepReport&) {},
      [&] { return f1 = train::evaluate(trainer, reviews, sixth, packer).strict.micro().figures().f1; },
      [](std::uint32_t step, double score, bool) {
        std::printf("step %3u: F1 of names in reviews %.3f\n", step, score);
      });

  std::puts("names in sentences that are made up:");
  train::predict_all(trainer, sentences, packer,
                     [&](std::size_t s, std::span<const text::Tag> tags) { print(made_up.corpus, s, tags); });
  return f1 > 0.4 ? 0 : 1;
}
}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : ENTRAIN_EXAMPLE_DATA "/source");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
