// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Texts in, predictions of the head's task out: the net, the splitters, and a workspace for each calling thread.
// tagger.hpp turns predicted tags into entities.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/train/loop/contract.hpp"  // IsTrainer
#include "entrain/train/loop/decode.hpp"

namespace entrain::predict {

/// How much memory a call may use.
struct Limits {
  int batch_tokens = 1024;  // rows computed at once; a longer sentence is computed alone, in parts if possible
  int threads = 1;          // of one call; prefer many calling threads to many threads in one call
};

/// A sentence of a text, valid during the call of a sink.
struct Sentence {
  std::size_t text;                    // which of the texts
  std::size_t place;                   // of the first word, in words of the text
  std::span<const text::Token> words;  // with their places in the text
};

/// Model       the composition that was trained (model/)         P, D   the precision and device to predict with
///
/// Many threads may call the const members at once. Each call borrows a workspace, and there are as many workspaces as
/// calls that ever ran at the same time. The same text gives the same predictions, whatever runs at the same time. The
/// exception is a GPU: there, predictions that depend on rounding may differ, as products of other sizes may be rounded
/// differently.
template <class Model, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict> class Predictor {
  static_assert(train::is_model<Model>,
                "entrain: this type is not a model, as predict::Predictor takes; for a trainer it is "
                "predict::PredictorOf<Trainer>.");

 public:
  using Task = typename Model::Task;
  using Predicted = typename Task::Prediction::Number;

  /// throws    what train::open throws, entrain.predict.1 for a splitter that this version does not have
  [[gnu::cold]] explicit Predictor(const std::string& folder, Limits limits = {})
      : net_(std::make_unique<const Net<Model, P, D>>(folder)),
        splitting_(net_->config.splitter, net_->config.sentence_splitter, folder + "/config.json"),
        limits_(limits),
        spare_(std::make_unique<Spare>()) {}

  /// Calls sink(Sentence, std::span<const Predicted>) for each sentence of the texts, in their order: a prediction for
  /// each word, or one for the sentence, as the task says. Short texts are computed together.
  template <class Sink> void predict(std::span<const std::string_view> texts, Sink&& sink) const {
    const Loan loan(*this);
    split(*loan.workspace, texts);
    run(*loan.workspace, sink);
  }
  template <class Sink> void predict(std::string_view text, Sink&& sink) const { predict(std::span(&text, 1), sink); }

  /// Calls sink(sentence, std::span<const Predicted>) for each sentence of a corpus that is already split.
  /// returns   the number of distinct words of which the encoder read only the first pieces, as they have more than it
  ///           reads at once; the number of words that it did not read, as they have no pieces; and the first word of
  ///           each kind
  template <class Sink> batch::Unread predict(const text::Corpus& corpus, Sink&& sink) const {
    const Loan loan(*this);
    return run(*loan.workspace, corpus, sink);
  }

  const typename Task::Labels& labels() const { return net_->labels; }
  const checkpoint::Config& config() const { return net_->config; }
  const std::vector<std::string>& notes() const { return net_->notes; }
  const Splitting& splitting() const { return splitting_; }

 protected:
  using Features = typename Model::Features;
  struct Workspace {
    explicit Workspace(const Predictor& predictor)
        : decoder(*predictor.net_, 1, predictor.limits_.threads),
          packer(predictor.limits_.batch_tokens),
          reader(predictor.net_->features.reader()) {}

    Decoder<Model, P, D> decoder;
    batch::Packer<Features> packer;
    batch::Reader<Features> reader;
    batch::Budget batches;
    text::Corpus corpus;
    std::vector<text::Token> words;
    std::vector<text::Sentence> sentences;
    struct Origin {
      std::size_t text, first;  // first: the place in `words` of the text's first word
    };
    std::vector<Origin> from;  // of each sentence

    void clear() {
      corpus = text::Corpus();
      words.clear();
      from.clear();
    }
    void end_sentence(Origin origin) {
      corpus.end_sentence();
      from.push_back(origin);
    }
  };
  struct Spare {
    std::mutex door;
    std::vector<std::unique_ptr<Workspace>> workspaces;
  };

  /// A workspace for the duration of one call.
  struct Loan {
    explicit Loan(const Predictor& predictor) : owner(predictor) {
      {
        const std::lock_guard hold(owner.spare_->door);
        auto& free = owner.spare_->workspaces;
        if (!free.empty()) {
          workspace = std::move(free.back());
          free.pop_back();
        }
      }
      if (!workspace) workspace = std::make_unique<Workspace>(owner);
    }
    ~Loan() {
      constexpr int huge = 16;  // batches: the memory of a very long sentence is not kept
      if (workspace->decoder.rows() > huge * owner.limits_.batch_tokens) return;
      const std::lock_guard hold(owner.spare_->door);
      try {
        owner.spare_->workspaces.push_back(std::move(workspace));
      } catch (const std::bad_alloc&) {  // then the workspace is not kept either
      }
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    const Predictor& owner;
    std::unique_ptr<Workspace> workspace;
  };

  /// Splits the texts into the sentences of the workspace.
  void split(Workspace& w, std::span<const std::string_view> texts) const {
    w.clear();
    for (std::size_t t = 0; t < texts.size(); ++t) {
      w.sentences.clear();
      const std::size_t first = w.words.size();
      splitting_.split(texts[t], w.words, w.sentences);
      for (const text::Sentence& sentence : w.sentences) {
        for (std::size_t i = sentence.begin; i < sentence.end; ++i) w.corpus.push(w.words[first + i].in(texts[t]), 0);
        w.end_sentence({t, first});
      }
    }
  }

  /// Calls sink(Sentence, predictions) for the workspace's sentences.
  template <class Sink> void run(Workspace& w, Sink&& sink) const {
    run(w, w.corpus, [&](std::size_t s, std::span<const Predicted> predictions) {
      const auto& origin = w.from[s];
      const std::size_t at = w.corpus.sentence[s];
      sink(Sentence{origin.text, at - origin.first, std::span(w.words).subspan(at, w.corpus.length(s))}, predictions);
    });
  }

  /// All batches have one size, independent of earlier calls, so that the predictions for a text do not depend on other
  /// calls.
  template <class Sink> batch::Unread run(Workspace& w, const text::Corpus& corpus, Sink&& sink) const {
    auto encoded = batch::encode<Features>(corpus, net_->features, w.reader);
    w.batches.in_order(encoded.sentences());
    w.batches.plan(encoded.sentences(), limits_.batch_tokens, encoded.rows);
    std::int64_t rows = 0;
    for (const std::int32_t n : encoded.rows) rows += n;
    const int whole = train::rows_to_decode<Model, D>(limits_.batch_tokens, encoded.longest());
    train::naming_sentence(corpus, encoded, [&] {
      w.decoder.reserve(std::max(static_cast<int>(std::min(rows, std::int64_t{limits_.batch_tokens})),
                                 std::min(whole, encoded.longest())));
      train::decode_batches(w.decoder, encoded, w.batches, w.packer, sink);
    });
    return std::move(encoded.unread);
  }

 private:
  std::unique_ptr<const Net<Model, P, D>> net_;
  Splitting splitting_;
  Limits limits_;
  std::unique_ptr<Spare> spare_;
};

namespace detail {
/// What predicts with the models of a trainer type.
template <class Trainer> struct PartsOf {
  using Model = typename Trainer::Model;
  using Policy = typename Trainer::Policy;
  using Device = typename Trainer::Device::ToPredict;
};
template <class T>
requires(!train::IsTrainer<T>) struct PartsOf<T> {
  static_assert(
      train::is_trainer<T>,
      "entrain: predict::PredictorOf and predict::TaggerOf take a trainer, and this type is none; a model's are "
      "predict::Predictor<Model> and predict::Tagger<Model>.");
  using Model = T;
  using Policy = precision::Fp32;
  using Device = device::Cpu<>::ToPredict;
};
}  // namespace detail

/// The predictor for the models of a trainer type.
template <class Trainer> using PredictorOf =
    Predictor<typename detail::PartsOf<Trainer>::Model, typename detail::PartsOf<Trainer>::Policy,
              typename detail::PartsOf<Trainer>::Device>;

}  // namespace entrain::predict
