// tests > cuda > [cases]
//
// A whole trainer: forward, backward, steps, and decoding.
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/embed/multi_hash.hpp"
#include "entrain/embed/with_vectors.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/classify.hpp"
#include "entrain/head/crf.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/bert.hpp"
#include "entrain/model/classifier.hpp"
#include "entrain/model/tagger.hpp"
#include "entrain/task/contract.hpp"  // is_tagging
#include "entrain/text/tokenizer/wordpiece.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/loop/trainer.hpp"

namespace entrain::test {

/// Hashed words, windows of them.
template <class Head> struct Light {
  using Words = batch::HashedWords<2, 60, 20, 20, 20>;
  using Model = model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 2, 2>, Head>;
  static Words features() { return {}; }
};
using LightTagger = Light<head::Softmax<8, text::Bio>>;
using LightChain = Light<head::Crf<8, text::Bio>>;

/// Hashed words with vectors that training changes, from zeros.
struct VectorTagger {
  using Hashed = batch::HashedWords<2, 60, 20, 20, 20>;
  using Words = batch::WordsWithVectors<Hashed, 6>;
  using Model = model::Tagger<embed::WithVectors<embed::MultiHash<8, Hashed, 2>, embed::TrainedVectors<6, 4>>,
                              encode::MaxoutWindow<8, 1, 2, 2>, head::Softmax<8, text::Bio>>;
  static Words features() {
    text::Vocabulary words;
    for (const char* const word : {"ada", "bo", "oslo", "in"}) words.add(word);
    return Words(std::make_shared<const text::Vocabulary>(std::move(words)));
  }
};

/// A pretrained encoder's composition, small: pieces, two blocks, the lower one made again for backward.
template <class Act> struct Transformer {
  using Words = batch::Pieces<24, 20, text::WordPiece>;
  static constexpr embed::EmbeddingConfig tables{.vocabulary = 20, .positions = 24, .types = 2, .width = 32};
  static constexpr encode::TransformerConfig width{.width = 32, .heads = 2, .intermediate = 48};
  using Stack = layer::Stack<2, encode::PostNormBlock<width, Act>>;
  using Model =
      model::FineTuned<model::Recomputed<model::Encoder<embed::Bert<tables>, Stack>>, head::Softmax, text::Bio>;
  template <class W> static W of_pieces() {
    return {std::make_shared<const text::WordPiece>(std::vector<std::string>{
                "[UNK]", "[CLS]", "[SEP]", "ada", "bo",   "ch",   "##en", "da",   "##ra", "em",
                "##re",  "met",   "in",    "os",  "##lo", "lima", "kyo",  "##to", "ac",   "##c"}),
            {1},
            {2}};
  }
  static Words features() { return of_pieces<Words>(); }
};
using SmallTransformer = Transformer<act::Gelu>;
using OfGeluTanh = Transformer<act::GeluTanh>;
/// One whose blocks keep what backward needs; so of the last one only the rows of words are computed.
struct DeepTransformer : SmallTransformer {
  using Stack = layer::Stack<5, encode::PostNormBlock<width>>;
  using Model = model::FineTuned<model::Encoder<embed::Bert<tables>, Stack>, head::Softmax, text::Bio>;
};
/// ModernBERT with WordPiece, four blocks by turns global and local, and its prediction head.
struct ModernTransformer : SmallTransformer {
  struct Family : family::ModernBert {
    using Tokenizer = text::WordPiece;
  };
  static constexpr embed::EmbeddingConfig tables{
      .vocabulary = 20, .positions = 24, .types = 0, .width = 32, .eps = 1e-5};
  static constexpr encode::ModernBertConfig width{
      .width = 32, .heads = 2, .intermediate = 48, .local_attention = 2, .global_attn_every_n_layers = 2};
  using Model =
      model::FineTuned<model::Encoder<embed::ModernBert<tables, Family>,
                                      encode::WithNorm<layer::Stack<4, encode::ModernBertBlock<width>>,
                                                       layer::NormWithoutBias<layer::NormConfig{.width = 32}>>>,
                       head::Softmax, text::Bio>;
};

/// Classes of texts. Number: task::One or task::Many
template <class Number, class Pooling> struct LightClassifier {
  using Words = batch::HashedWords<2, 60, 20, 20, 20>;
  using Model = model::Classifier<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 2, 2>,
                                  head::Classify<8, task::Classification<Number>, Pooling>>;
  static Words features() { return {}; }
};
using ClassOfMean = LightClassifier<task::One, pool::Mean>;
using ClassesOfMaximum = LightClassifier<task::Many, pool::Max>;
/// With BERT's pooler between [CLS] and the classes.
struct TransformerClassifier : SmallTransformer {
  using Words = batch::WholeTexts<SmallTransformer::Words>;
  using Model = model::FineTunedClassifier<model::Encoder<embed::Bert<tables>, Stack>>;
  static Words features() { return of_pieces<Words>(); }
};

/// n sentences, six steps of three micro-batches, with dropout. Batches: of a GPU; a CPU's are streamed.
template <class Net, class Optimizer, class Batches = batch::Streamed> struct TrainerCase {
  using Model = typename Net::Model;
  using Words = typename Model::Features;
  using Task = typename Model::Task;
  static constexpr bool tags = task::is_tagging<Task>;

  static text::Corpus corpus(int sentences) {
    const std::vector<std::string> names{"Ada", "Bo", "Chen", "Dara", "Emre"}, places{"Oslo", "Lima", "Kyoto", "Accra"};
    text::Corpus corpus;
    if (!tags) corpus.classes.names = {"short", "two", "place"};
    std::uint32_t line = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(sentences); ++k) {
      corpus.push(names[k % 5], "B-PER", ++line);
      if (k % 3 != 0) corpus.push("met", "O", ++line);
      if (k % 3 != 0) corpus.push(names[(k + k / 5 + 1) % 5], "B-PER", ++line);
      if (k % 4 == 1) corpus.push("in", "O", ++line);
      if (k % 4 == 1) corpus.push(places[k % 4], "B-LOC", ++line);
      if constexpr (tags) {
        corpus.end_sentence();
      } else {
        std::vector<std::int32_t> classes;
        if (k % 4 == 1) classes.push_back(2);
        if (k % 3 != 0 && (classes.empty() || !Task::exclusive)) classes.push_back(1);
        if (k % 3 == 0 && classes.empty() && (Task::exclusive || k % 2 == 0)) classes.push_back(0);  // else none
        corpus.end_sentence(classes);
      }
    }
    return corpus;
  }
  static auto labels() {
    if constexpr (tags)
      return typename Task::Labels{{"LOC", "PER"}};
    else
      return typename Task::Labels(corpus(1).classes.names);
  }

  /// Sentences in a shuffled order, a third of them in each micro-batch of a step.
  template <class Trainer> struct Data {
    typename Trainer::Labels labels = TrainerCase::labels();
    batch::Encoded<Words> encoded;
    std::vector<std::uint32_t> order;
    int rows = 0;

    explicit Data(int n) {
      if constexpr (tags) {
        const train::Tagged split = train::tagged(corpus(n), {});
        encoded = batch::encode<Words>(split.corpus, Net::features());
        train::set_targets(encoded, split, labels, "conlleval");
      } else {
        const text::Corpus texts = corpus(n);
        encoded = batch::encode<Words>(texts, Net::features());
        Task::set_targets(encoded, texts, labels);
      }
      for (int s = 0; s < n; ++s) order.push_back(static_cast<std::uint32_t>((s * 7 + 3) % n));
      for (const std::int32_t of_sentence : encoded.rows) rows += of_sentence;
    }
    void step(Trainer& trainer, batch::Packer<Words>& packer, float dropout) const {
      const std::span<const std::uint32_t> all(order);
      const std::size_t third = all.size() / 3;
      for (const auto part : {all.first(third), all.subspan(third, third), all.subspan(2 * third)})
        if constexpr (Trainer::Batches::resident) {
          trainer.accumulate(part, dropout);
        } else {
          trainer.accumulate(packer.pack(encoded, part, labels.count()), dropout);
        }
      trainer.update({}, 0.01, 1);
    }
  };

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using There = std::conditional_t<S::Device::in_host_memory, batch::Streamed, Batches>;
    using Trainer = train::Trainer<Model, typename S::Policy, typename S::Device, Optimizer, There>;
    const Data<Trainer> data(n);
    Trainer trainer(stage.dev, data.labels, data.rows, 11);
    if constexpr (There::resident) trainer.hold(data.encoded);
    batch::Packer<Words> packer(data.rows);
    std::vector<double> losses, norms;
    const auto tell = [&](const optim::StepResult& r) {
      losses.push_back(r.loss);
      norms.push_back(r.grad_norm);
    };
    for (int step = 0; step < 6; ++step) {
      data.step(trainer, packer, 0.2f);
      trainer.results(tell);
    }
    trainer.results(tell, optim::Wait::for_all);
    const auto all = packer.pack(data.encoded, data.order, data.labels.count());
    std::vector<typename Trainer::Predicted> predictions(Task::Prediction::count(all.shape));
    trainer.decode(all, predictions.data());
    stage.results.push_back({"losses", losses});
    stage.results.push_back({"norms", norms});
    stage.results.push_back({"values", {trainer.values(), trainer.values() + trainer.layout().size}});
    stage.results.push_back({"best values", {trainer.best_values(), trainer.best_values() + trainer.layout().size}});
    stage.results.push_back({"predictions", {predictions.begin(), predictions.end()}});
  }
};

}  // namespace entrain::test
