// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Texts in, entities out: the net, the splitters, and a workspace for each calling thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/budget.hpp"
#include "entrain/batch/encoded.hpp"
#include "entrain/batch/packer.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/predict/entity.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/text/corpus.hpp"
#include "entrain/text/spans.hpp"
#include "entrain/text/utf8.hpp"
#include "entrain/train/decode.hpp"

namespace entrain::predict {

/// How much memory a call may use.
struct Limits {
  int batch_tokens = 1024;  // rows computed at once; a longer sentence is computed alone, in parts if possible
  int threads = 1;          // of one call; prefer many calling threads to many threads in one call
};

/// Model       the composition that was trained (model/)         P, D   the precision and device to predict with
///
/// Many threads may call the const members at once. Each call borrows a workspace, and there are as many workspaces as
/// calls that ever ran at the same time. The same text gives the same entities, whatever runs at the same time. The
/// exception is a GPU: there, tags that depend on rounding may differ, as products of other sizes may be rounded
/// differently.
template <class Model, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict> class Tagger {
 public:
  using Scheme = typename Model::Task::Scheme;

  /// throws    what train::open throws, entrain.predict.1 for a splitter that this version does not have
  [[gnu::cold]] explicit Tagger(const std::string& folder, Limits limits = {})
      : net_(std::make_unique<const Net<Model, P, D>>(folder)),
        splitting_(net_->config.splitter, net_->config.sentence_splitter, folder + "/config.json"),
        limits_(limits),
        spare_(std::make_unique<Spare>()) {}

  /// The entities of a text, from left to right.
  std::vector<Entity> entities(std::string_view text) const {
    std::vector<Entity> found;
    entities(text, found);
    return found;
  }
  /// The same into the caller's buffer, which is emptied first.
  void entities(std::string_view text, std::vector<Entity>& found) const {
    entities(std::span(&text, 1), std::span(&found, 1));
  }
  /// Many texts at once; short ones are computed together.
  /// throws    entrain.predict.2 if the two differ in length
  void entities(std::span<const std::string_view> texts, std::span<std::vector<Entity>> found) const {
    demand_equal(texts.size(), "text", found.size());
    const Loan loan(*this);
    Workspace& w = *loan.workspace;
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
    find(w, found);
  }
  /// Sentences that are already split into words. A sentence's text is its words with a single space between two.
  /// throws    entrain.predict.2 if the two differ in length        entrain.predict.3: a sentence of 4 GiB or more
  void entities(std::span<const std::span<const std::string_view>> sentences,
                std::span<std::vector<Entity>> found) const {
    demand_equal(sentences.size(), "sentence", found.size());
    const Loan loan(*this);
    Workspace& w = *loan.workspace;
    w.clear();
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      const std::size_t first = w.words.size();
      std::size_t begin = 0, begin_cp = 0;
      for (const std::string_view word : sentences[s]) {
        const std::size_t end = begin + word.size(), end_cp = begin_cp + text::count_code_points(word);
        if (end > std::numeric_limits<std::uint32_t>::max())
          throw Error("entrain.predict.3", "", "a sentence of " + std::to_string(end) + " bytes or more",
                      "at most 4294967295", "pass its parts one by one");
        w.words.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                           static_cast<std::uint32_t>(begin_cp), static_cast<std::uint32_t>(end_cp)});
        w.corpus.push(word, 0);
        begin = end + 1;
        begin_cp = end_cp + 1;
      }
      if (!sentences[s].empty()) w.end_sentence({s, first});
    }
    find(w, found);
  }

  /// Calls sink(sentence, tags) for each sentence of a corpus that is already split.
  /// returns   the number of distinct words of which the encoder read only the first pieces, as they have more than it
  ///           reads at once; the number of words that it did not read, as they have no pieces; and the first word of
  ///           each kind. A word without pieces is O, or in the entity that continues after it
  template <class Sink> batch::Unread tags(const text::Corpus& corpus, Sink&& sink) const {
    const Loan loan(*this);
    return tag(*loan.workspace, corpus, sink);
  }

  const text::Labels<Scheme>& labels() const { return net_->labels; }
  const checkpoint::Config& config() const { return net_->config; }
  const std::vector<std::string>& notes() const { return net_->notes; }
  const Splitting& splitting() const { return splitting_; }

 private:
  using Features = typename Model::Features;
  struct Workspace {
    explicit Workspace(const Tagger& tagger)
        : decoder(*tagger.net_, 1, tagger.limits_.threads),
          packer(tagger.limits_.batch_tokens),
          reader(tagger.net_->features.reader()) {}

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
    explicit Loan(const Tagger& tagger) : owner(tagger) {
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

    const Tagger& owner;
    std::unique_ptr<Workspace> workspace;
  };

  static void demand_equal(std::size_t given, const char* what, std::size_t buffers) {
    if (given != buffers)
      throw Error("entrain.predict.2", "", std::to_string(given) + " " + what + "s",
                  std::to_string(buffers) + " buffers", std::string("one buffer for each ") + what);
  }

  /// Writes the entities of the workspace's sentences to the texts that contain them.
  void find(Workspace& w, std::span<std::vector<Entity>> found) const {
    for (std::vector<Entity>& of_text : found) of_text.clear();
    tag(w, w.corpus, [&](std::size_t s, std::span<const text::Tag> tags) {
      const auto& origin = w.from[s];
      const std::size_t at = w.corpus.sentence[s];
      const auto place = static_cast<std::uint32_t>(at - origin.first);  // of the sentence, in words of its text
      text::decode<Scheme>(tags, [&](const text::Span& span) {
        const text::Token &first = w.words[at + span.begin], &last = w.words[at + span.end - 1];
        found[origin.text].push_back({first.begin, last.end, first.begin_cp, last.end_cp, place + span.begin,
                                      place + span.end, span.type, net_->labels.types().name(span.type)});
      });
    });
  }

  /// All batches have one size, independent of earlier calls, so that a text's entities do not depend on other calls.
  template <class Sink> batch::Unread tag(Workspace& w, const text::Corpus& corpus, Sink&& sink) const {
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

  std::unique_ptr<const Net<Model, P, D>> net_;
  Splitting splitting_;
  Limits limits_;
  std::unique_ptr<Spare> spare_;
};

/// The tagger for the models of a trainer type.
template <class Trainer> using TaggerOf =
    Tagger<typename Trainer::Model, typename Trainer::Policy, typename Trainer::Device::ToPredict>;

/// Loads the tagger of a folder.
template <class Model, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict>
Tagger<Model, P, D> load(const std::string& folder, Limits limits = {}) {
  return Tagger<Model, P, D>(folder, limits);
}

}  // namespace entrain::predict
