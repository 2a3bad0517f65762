// tests > cuda > [cases]
//
// Batches that the GPU makes from a corpus in its memory, array by array. The oracle is the packer, filled up as
// batch::Upload does it.
#pragma once
#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encode/targets.hpp"
#include "entrain/batch/transfer/filled.hpp"
#include "entrain/batch/transfer/resident.hpp"
#include "entrain/task/tags_in_pieces.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/cuda/cases/trainer.hpp"

namespace entrain::test {

/// Sizes of a batch or CsrIndex, and its arrays where they are filled up; `real`: those of each array that are there.
template <class Filled> void results_of(auto& stage, const std::string& name, Filled filled, auto&& each,
                                        const std::vector<std::size_t>& real) {
  std::size_t i = 0;
  each(filled, [&](auto& array, std::size_t count, Fill fill) {
    using T = std::remove_cvref_t<decltype(*array)>;
    const std::string of = name + ", array " + std::to_string(i);
    if constexpr (std::remove_reference_t<decltype(stage)>::Device::in_host_memory) {
      std::vector<T> host(array, array + real[i]);
      host.resize(count);
      fill(host.data(), real[i], count);
      stage.result(of, host.data(), count);
    } else {
      stage.result(of, array, count);
    }
    ++i;
  });
}

/// n look-ups of ids in [0, Ids), of which a part is there: grouped by what they refer to.
template <int Ids> struct SortedCase {
  static void run(auto& stage, int n) {
    using D = typename std::remove_reference_t<decltype(stage)>::Device;
    const auto N = static_cast<std::size_t>(n);
    const std::vector<std::int32_t> random = stage.whole_numbers(N, Ids);
    std::vector<std::int32_t> alike(N, Ids - 1), apart(N), backward(N);
    for (std::size_t i = 0; i < N; ++i) apart[i] = static_cast<std::int32_t>(i) % Ids, backward[i] = Ids - 1 - apart[i];
    const auto each = [](CsrIndex& s, auto&& f) { s.each_array(f); };
    for (const int there : {n, n - n / 3, 0})
      for (const std::vector<std::int32_t>* ids :
           std::initializer_list<const std::vector<std::int32_t>*>{&random, &alike, &apart, &backward}) {
        CsrIndex to;
        std::vector<std::size_t> real;
        if constexpr (D::in_host_memory) {
          batch::Sorted sorted;
          to = sorted.sort(static_cast<std::size_t>(there), Ids, [&](std::size_t i) { return (*ids)[i]; });
          each(to, [&](auto&, std::size_t count, Fill) { real.push_back(count); });
          to.fill(n, Ids);
          results_of(stage, "segments", to, each, real);
        } else {
          to.fill(n, Ids);
          sort(stage, *ids, there, to);
          results_of(stage, "segments", to, each, real);
        }
      }
  }

 private:
  static void sort(auto& stage, const std::vector<std::int32_t>& ids, int there, CsrIndex& to) {
    std::vector<std::int32_t> places(ids.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(there); ++i) places[i] = static_cast<std::int32_t>(i);
    const auto poison = [&](int count) {
      return stage.put(std::vector<std::int32_t>(static_cast<std::size_t>(count), -7));
    };
    to.ids = poison(to.count);
    to.starts = poison(to.count + 1);
    to.items = poison(to.positions);
    sort_on_gpu(stage, stage.put(ids), stage.put(std::vector<std::int32_t>{there}), Ids, stage.put(places), to);
  }
};

/// Sentences of one word, of several windows, with words that have no piece, several, or more than a window.
template <class Net> text::Corpus awkward_corpus() {
  const std::vector<std::string> words{"Ada", "met", "\x01", "Chen", "Kyoto", "in", "Accra", "quite", "Daraenreto"};
  text::Corpus corpus;
  std::uint32_t line = 0;
  for (const int length : {1, 3, 60, 1, 2, 23, 22, 21, 7, 130, 1, 4})
    for (int i = 0; i < length; ++i) {
      const auto at = static_cast<std::size_t>(i * i + length + static_cast<int>(line) / 5) % words.size();
      corpus.push(words[at], i % 4 == 1 ? "B-PER" : i % 4 == 2 ? "I-PER" : "O", ++line);
      if (i + 1 == length) corpus.end_sentence();
    }
  return corpus;
}

/// Enough words that no two are alike: a batch of all is as full as one can be.
inline text::Corpus distinct_corpus(int words) {
  text::Corpus corpus;
  for (int i = 0; i < words; ++i) {
    corpus.push("w" + std::to_string(i * i), "O", static_cast<std::uint32_t>(i + 1));
    if (i % 9 == 8) corpus.end_sentence();
  }
  corpus.end_sentence();
  return corpus;
}

/// Batches of the n-th and the next sentences of such a corpus: of many, of few after them, of one, of none, of all.
template <class Net, int Distinct = 0> struct MadeCase {
  using Words = typename Net::Words;
  static void run(auto& stage, int n) {
    using D = typename std::remove_reference_t<decltype(stage)>::Device;
    const train::Tagged split = train::tagged(Distinct > 0 ? distinct_corpus(Distinct) : awkward_corpus<Net>(), {});
    auto encoded = batch::encode<Words>(split.corpus, Net::features());
    const text::Labels<text::Bio> labels({"PER"});
    if constexpr (batch::TargetsOf<Words>::by_rows)
      train::set_targets(encoded, split, labels, "conlleval");
    else
      for (std::size_t s = 0; s < encoded.sentences(); ++s)
        encoded.target[s] = s % 4 == 3 ? no_target<std::int32_t>() : static_cast<std::int32_t>(s % 4);
    if constexpr (batch::labels_every_piece<Words>) encoded.in_pieces = task::tags_in_pieces(labels);
    if constexpr (Net::drops > 0) batch::add_unknown_word_copies(encoded);
    std::vector<std::vector<std::uint32_t>> batches;
    const auto sentences = static_cast<int>(encoded.sentences());
    for (const int count : {7, 2, 1, 0, sentences}) {
      auto& batch = batches.emplace_back();
      for (int k = 0; k < count; ++k) batch.push_back(static_cast<std::uint32_t>((n + k * 5) % sentences));
    }
    int most = 0;
    for (const std::int32_t rows : encoded.rows) most += rows;
    const std::vector<float> class_weights{1, 0.5f, 2};
    DeviceBuiltBatch<D, Words> made(stage.dev, encoded, most, class_weights);
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const batch::WordDropout unknown{Net::drops, 7, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(b)};
      auto [batch, real] = made(stage.dev, encoded, batches[b], unknown, class_weights);
      const std::string name = "batch " + std::to_string(b);
      stage.results.push_back(
          {name + ", sizes",
           {static_cast<double>(batch.shape.rows), static_cast<double>(batch.shape.sentences),
            static_cast<double>(batch.shape.labels), batch.target_weight, static_cast<double>(batch.words.count)}});
      const bool all = !batch::labels_every_piece<Words>;
      if (!all) batch.geometry.neighbours = nullptr, batch.geometry.sentence = nullptr;
      results_of(
          stage, name, batch, [](auto& of, auto&& f) { batch::each_array(of, f); }, real);
    }
  }

 private:
  /// On the CPU: packed, and its sizes filled up.
  template <class D, class Features> struct DeviceBuiltBatch {
    batch::Packer<Features> packer;
    int most;
    DeviceBuiltBatch(const D&, const auto&, int rows, const auto&) : packer(rows), most(rows) {}
    auto operator()(const D&, const auto& encoded, const auto& sentences, const batch::WordDropout& unknown,
                    const auto& class_weights) {
      auto batch = packer.pack_to_learn(encoded, sentences, 3, unknown, class_weights);
      std::vector<std::size_t> real;
      batch::each_array(batch, [&](auto&, std::size_t count, Fill) { real.push_back(count); });
      batch::fill(batch, {most});
      return std::pair(batch, real);
    }
  };
  template <class D, class Features>
  requires(!D::in_host_memory) struct DeviceBuiltBatch<D, Features> {
    batch::DeviceCorpus<D, Features> held;
    DeviceBuiltBatch(const D& dev, const auto& encoded, int rows, const auto& class_weights) : held(rows) {
      held.hold(dev, encoded, class_weights);
    }
    auto operator()(const D& dev, const auto&, const auto& sentences, const batch::WordDropout& unknown, const auto&) {
      const batch::Ordered ordered = held.order(sentences, unknown);
      auto sent = held.send(dev, 3, {});
      sent.batch.target_weight = ordered.target_weight;
      held.make(dev, sent);
      held.queued(dev);
      return std::pair(sent.batch, std::vector<std::size_t>{});
    }
  };
};

/// Pieces as SmallTransformer reads them; the same, where every piece is labelled.
struct PiecesAlone {
  using Words = SmallTransformer::Words;
  static constexpr float drops = 0;
  static Words features() { return SmallTransformer::features(); }
};
struct LabelAllTokensAlone {
  using Words = batch::LabelAllTokens<SmallTransformer::Words>;
  static constexpr float drops = 0;
  static Words features() {
    Words words;
    static_cast<SmallTransformer::Words&>(words) = SmallTransformer::features();
    return words;
  }
};

/// Hashed words: four tables; six with four hashes each, one table and one hash; with words that drop out.
template <int Percent, int Hashes, int... R> struct WordsAlone {
  using Words = batch::HashedWords<Hashes, R...>;
  static constexpr float drops = Percent / 100.0f;
  static Words features() { return {}; }
};

/// The same features of a net that has one target for each sentence: a class, or none.
template <class Net> struct ClassPerSentence {
  using Words = batch::WithTargets<typename Net::Words, PerSentence<const std::int32_t>>;
  static constexpr float drops = Net::drops;
  static Words features() { return Net::features(); }
};

/// The same training of batches that are streamed, then of such that the GPU makes: the results of both.
template <class Net, class Optimizer> struct BothWaysCase {
  static void run(auto& stage, int n) {
    TrainerCase<Net, Optimizer>::run(stage, n);
    TrainerCase<Net, Optimizer, batch::Resident>::run(stage, n);
  }
};

/// The loop over n sentences and a long one, in batches of several sizes, with classes that count unlike; both ways.
template <class Net, class Optimizer> struct FitBothWaysCase {
  static void run(auto& stage, int n) {
    using D = typename std::remove_reference_t<decltype(stage)>::Device;
    fit<batch::Streamed>(stage, n);
    fit<std::conditional_t<D::in_host_memory, batch::Streamed, batch::Resident>>(stage, n);
  }

 private:
  template <class Batches> static void fit(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using Trainer = train::Trainer<typename Net::Model, typename S::Policy, typename S::Device, Optimizer, Batches>;
    text::Corpus corpus = TrainerCase<Net, Optimizer>::corpus(n);
    for (int i = 0; i < 40; ++i) corpus.push(i % 3 == 0 ? "Kyoto" : "met", i % 3 == 0 ? "B-LOC" : "O", 1000);
    corpus.end_sentence();
    const typename Trainer::Labels labels({"LOC", "PER"});
    const train::Tagged split = train::tagged(std::move(corpus), {});
    auto encoded = batch::encode<typename Net::Words>(split.corpus, Net::features());
    train::set_targets(encoded, split, labels, "conlleval");
    train::Options options;
    options.epochs = 3;
    options.gradient_accumulation_steps = 2;
    options.token_budget = 70;
    options.word_dropout = Net::Words::by_words ? 0.3 : 0;
    if (options.word_dropout > 0) batch::add_unknown_word_copies(encoded);
    options.calibrate = false;
    for (int i = 0; i < labels.count(); ++i) options.class_weights.push_back(i == 0 ? 0.5f : 1.25f);
    const int rows = std::max(options.token_budget, encoded.longest());
    Trainer trainer(stage.dev, labels, rows, 5);
    std::vector<double> losses;
    const train::Outcome outcome = train::fit(
        trainer, encoded, options, [&](const train::StepReport& r) { losses.push_back(r.loss); }, [] { return -1.0; },
        [](std::uint32_t, double, bool) {});
    stage.results.push_back(
        {"tokens and steps", {static_cast<double>(outcome.tokens), static_cast<double>(outcome.steps)}});
    stage.results.push_back({"losses", losses});
    stage.results.push_back({"values", {trainer.values(), trainer.values() + trainer.layout().size}});
  }
};

}  // namespace entrain::test
