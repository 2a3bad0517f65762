// text > batch > [task] > head > optim > checkpoint
//
// Classes of a text: exactly one, or any number of them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/checkpoint/config.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/class_scores.hpp"
#include "entrain/task/classes.hpp"
#include "entrain/task/shift_classes.hpp"
#include "entrain/tensor/label_set.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"

namespace entrain::task {

/// A text has exactly one class: the target is its number.
struct One {
  static constexpr std::string_view name = "classification", problem_type = "single_label_classification";
  static constexpr bool exclusive = true;
  static constexpr int most = 1 << 24;  // classes
  using Target = std::int32_t;
};
/// A text has any number of at most Capacity classes.
template <int Capacity> struct ManyOf {
  static constexpr std::string_view name = "multi-label classification", problem_type = "multi_label_classification";
  static constexpr bool exclusive = false;
  static constexpr int most = Capacity;
  using Target = LabelSet<Capacity>;
};
using Many = ManyOf<128>;
/// A sample belongs to the one class or not: its label is 1 or 0, and the head has one score, as Keras' Dense(1,
/// activation="sigmoid") with binary cross-entropy.
struct Binary {
  static constexpr std::string_view name = "binary classification", problem_type = "multi_label_classification";
  static constexpr bool exclusive = false;
  static constexpr int most = 1;
  using Target = LabelSet<64>;
};

/// Targets     the class of each text, or the set of its classes      Prediction  a probability for each class
/// Gold        the corpus, with the classes of its texts              Scorer      accuracy, F1, AUC (class_scores.hpp)
template <class Number> struct Classification {
  static constexpr std::string_view name = Number::name;
  static constexpr bool exclusive = Number::exclusive;
  using Labels = Classes;
  using Target = typename Number::Target;
  using Targets = PerSentence<const Target>;
  using Prediction = PerSentenceLabel<float>;
  using Gold = text::Corpus;
  struct Scorer : ClassScorer {
    Scorer(const Gold& gold, const Labels& labels) : ClassScorer(gold, labels, Number::exclusive) {}
  };

  /// The target of text s. Classes that are not among the labels are left out and counted: a text without another one
  /// has no target.
  ///
  /// throws    entrain.task.5: two classes for a text that has exactly one
  static Target target_of(const text::Corpus& corpus, std::size_t s, const Labels& labels, batch::GoldCounts& counts) {
    Target target = no_target<Target>();
    if constexpr (!exclusive) target = Target::none();
    bool unseen = false;
    const auto ids = corpus.classes_of(s);
    if constexpr (exclusive)
      if (ids.size() > 1) refuse_several(corpus, s);
    for (const std::int32_t id : ids) {
      const std::string& class_name = corpus.classes.names[static_cast<std::size_t>(id)];
      const std::int32_t label = labels.find(class_name);
      ++counts.annotations;
      if (label == Classes::none) {
        unseen = true;
        ++counts.unseen;
        if (counts.unseen_names.size() < most_names) counts.unseen_names.push_back(class_name);
      } else if constexpr (exclusive) {
        target = label;
      } else {
        target.add(label);
      }
    }
    if constexpr (!exclusive)
      if (unseen && target == Target::none()) target = no_target<Target>();
    return target;
  }

  /// Labels that are numbers are below this. Any number of classes has no such form.
  static int numbers_of(const Labels& labels) requires(exclusive || Number::most == 1) {
    return exclusive ? labels.count() : 2;
  }
  static Target target_of_number(std::int32_t label) requires(exclusive || Number::most == 1) {
    if constexpr (exclusive) {
      return label;
    } else {
      Target target = Target::none();
      if (label == 1) target.add(0);
      return target;
    }
  }

  static const text::Corpus& corpus(const Gold& gold) { return gold; }
  /// The classes of gold, by their names in the order of bytes, as Hugging Face's run_classification.py.
  static Labels labels_of(const Gold& gold) {
    std::vector<std::string> names = gold.classes.names;
    std::sort(names.begin(), names.end());
    Labels labels(std::move(names));
    refuse_too_many(labels);
    return labels;
  }
  template <class Features>
  static batch::GoldCounts set_targets(batch::Encoded<Features>& e, const Gold& gold, const Labels& labels) {
    batch::GoldCounts counts;
    for (std::size_t s = 0; s < gold.sentences(); ++s) e.target[s] = target_of(gold, s, labels, counts);
    return counts;
  }
  /// The names of the splitters that a model is saved with. A tokenizer splits at punctuation itself.
  template <bool ByWords> static constexpr std::string_view splitter =
      ByWords ? text::UnicodeWords::name : text::Whitespace::name;
  static constexpr std::string_view sentence_splitter = text::WholeText::name;

  /// Takes the targets of texts of files.
  struct Taken {
    Taken(Labels of) : labels(std::move(of)) { refuse_too_many(labels); }
    auto work() const {
      return [of = &labels](const text::Corpus& corpus, auto& encoded, batch::GoldCounts& counts) {
        for (std::size_t s = 0; s < corpus.sentences(); ++s) encoded.target[s] = target_of(corpus, s, *of, counts);
      };
    }
    Labels labels;
  };
  template <class Source> using FileTargets = Taken;

  /// Shifts the bias of each class, where a text has any number of them and `evaluate` knows the shifts (an
  /// Evaluation). label_bias: the parameter that is added to each class's score
  template <class Trainer, class Evaluate>
  static Calibration calibrate(Trainer& trainer, std::string_view label_bias, Evaluate&& evaluate,
                               double unshifted) requires(!exclusive && requires { evaluate.shifts_of_last(); }) {
    return shift_classes(trainer, label_bias, evaluate, unshifted);
  }

  static void write_labels(const Labels& labels, checkpoint::Config& config) {
    config.labels = labels.names();
    config.set("problem_type", std::string(Number::problem_type));
  }
  /// throws    entrain.task.4: labels of another task
  static Labels read_labels(const checkpoint::Config& config, std::string_view where) {
    if (!config.scheme.empty())
      throw Error("entrain.task.4", where, "labels of tagging in " + config.scheme, "classes of texts",
                  "run the program that trained the model");
    Labels labels(config.labels);
    refuse_too_many(labels);
    return labels;
  }

 private:
  static constexpr std::size_t most_names = 16;
  static void refuse_too_many(const Labels& labels) {
    if (labels.count() > Number::most)
      throw Error("entrain.task.6", "classes", std::to_string(labels.count()) + " classes",
                  "at most " + std::to_string(Number::most) + ", as the type of the task says",
                  "use task::Classification<task::ManyOf<" + std::to_string((labels.count() + 63) / 64 * 64) + ">>");
  }
  [[noreturn, gnu::cold]] static void refuse_several(const text::Corpus& corpus, std::size_t s) {
    const auto ids = corpus.classes_of(s);
    const auto name_of = [&](std::size_t i) { return corpus.classes.names[static_cast<std::size_t>(ids[i])]; };
    throw Error("entrain.task.5", corpus.where(corpus.sentence[s]),
                std::to_string(ids.size()) + " classes, '" + name_of(0) + "' and '" + name_of(1) + "'",
                "one class for each text", "remove one, or use task::Classification<task::Many>");
  }
};

}  // namespace entrain::task
