// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program for word vectors, made from trainer types:
//
//   int main(int argc, char** argv) {
//     return entrain::app::vectors<Trainer<SkipGram<100>>, Trainer<Cbow<100>>>(argc, argv);
//   }
#pragma once
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/vectors/answers.hpp"
#include "entrain/app/vectors/parse.hpp"
#include "entrain/app/vectors/settings.hpp"
#include "entrain/report/number.hpp"
#include "entrain/report/progress.hpp"
#include "entrain/report/width.hpp"  // harmless
#include "entrain/text/split/splitter.hpp"
#include "entrain/vectors/trainer.hpp"

namespace entrain::app {
namespace detail {

template <class Trainer, class Words> [[gnu::cold]] int train_vectors_of(const VectorSettings& s) {
  Console console(s.quiet);
  const std::vector<std::string> files = text_files(s);
  const int threads = s.threads > 0 ? s.threads : static_cast<int>(std::thread::hardware_concurrency());
  const auto seconds = [start = std::chrono::steady_clock::now()] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Trainer trainer(s.training, threads);
  const auto& found = trainer.template count<Words>(files);
  const auto& lexicon = trainer.lexicon();
  console.fact("text", counted(found.words, "word", "words") + " in " + counted(files.size(), "file", "files"));
  console.fact("vectors", counted(lexicon.size(), "word", "words") + " of " + std::to_string(Trainer::width) +
                              " numbers, " + grouped(lexicon.dropped()) + " rarer ones left out");
  console.fact("training", std::string(Trainer::objective) + ", " + trainer.device().describe());
  if (found.repaired > 0)
    console.warn(counted(found.repaired, "word is", "words are") + " not UTF-8; invalid bytes are read as U+FFFD");
  const double counting = seconds();
  report::Progress now;
  std::string stage;
  int epoch = -1;
  trainer.template train<Words>(files, [&](const entrain::vectors::TrainingProgress& at) {
    if (at.epoch != epoch) {
      epoch = at.epoch;
      stage = "epoch " + std::to_string(epoch + 1) + "/" + std::to_string(at.epochs);
      now.stage = stage;
    }
    now.done = static_cast<std::int64_t>(at.words + static_cast<std::uint64_t>(at.epoch) * at.all_words);
    now.total = static_cast<std::int64_t>(at.all_words) * at.epochs;
    now.items = now.done;
    now.loss = at.loss;
    console.progress(now);
  });
  console.finish(now);
  const double training = seconds() - counting;
  save_vectors(s, trainer.vectors());
  const double all = static_cast<double>(found.words) * s.training.epochs;
  console.fact("speed", grouped(static_cast<std::int64_t>(all / training)) + " words/s in " +
                            std::string(report::fixed(training, 1).view()) + " s, after " +
                            std::string(report::fixed(counting, 1).view()) + " s of counting");
  console.fact("saved", s.output);
  return 0;
}

template <class Trainer> int train_vectors(const VectorSettings& s) {
  return s.words == "unicode" ? train_vectors_of<Trainer, text::UnicodeWords>(s)
                              : train_vectors_of<Trainer, text::Whitespace>(s);
}

}  // namespace detail

/// train | nearest | analogy. Answers go to standard output, everything else to standard error. The exit code is 0; 1
/// after an error in files or numbers (one line states it); 2 for wrong usage.
///
/// Trainers      `train` runs the one that --sg and --vector-size name; the first is the default
template <class... Trainers> [[gnu::cold]] int vectors(int argc, const char* const* argv) {
  static_assert(sizeof...(Trainers) > 0,
                "entrain: app::vectors needs a trainer, as in vectors<Trainer<SkipGram<100>>>.");
  constexpr std::array<CompiledVectors, sizeof...(Trainers)> compiled{
      CompiledVectors{Trainers::context == kernel::Context::each, Trainers::width}...};
  try {
    VectorSettings s;
    if (const std::optional<int> over = parse_vectors(argc, argv, s, compiled)) return *over;
    if (s.command == VectorCommand::nearest) return nearest_words(s);
    if (s.command == VectorCommand::analogy) return analogies(s);
    int code = 2;
    std::size_t at = 0;
    const auto is = [&](CompiledVectors c) { return c.sg == (s.sg == 1) && c.vector_size == s.vector_size; };
    static_cast<void>(((is(compiled[at++]) && (code = detail::train_vectors<Trainers>(s), true)) || ...));
    return code;
  } catch (const std::bad_alloc&) {
    std::fputs("error: entrain.app.6: memory: allocation failed; raise --min-count, or set --max-vocab-size\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", report::harmless(e.what()).c_str());
  }
  return 1;
}

}  // namespace entrain::app
