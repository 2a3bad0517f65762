// text > batch > kernel > [vectors] > embed > train > app
//
// Trains word vectors: skip-gram or CBOW with negative sampling. The width is in the type, so that the inner loops are
// compiled for it.
//
//   vectors::Trainer<vectors::SkipGram<100>> trainer(options);
//   vectors::WordVectors words = trainer.fit({"books.txt"});
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/error.hpp"
#include "entrain/core/random.hpp"
#include "entrain/device/contract.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/vectors/lexicon.hpp"
#include "entrain/vectors/options.hpp"
#include "entrain/vectors/step.hpp"
#include "entrain/vectors/step_on_device.hpp"
#include "entrain/vectors/subwords.hpp"
#include "entrain/vectors/word_vectors.hpp"

namespace entrain::vectors {

/// Each word of a window predicts the word in its middle.
template <int C> struct SkipGram {
  static constexpr std::string_view name = "skip-gram";
  static constexpr int width = C;
  static constexpr double alpha = 0.025;  // word2vec's
  static constexpr kernel::Context context = kernel::Context::each;
};
/// The mean of the words of a window predicts the word in its middle. Each of these words takes the whole gradient of
/// the mean, as in word2vec and in gensim (cbow_mean=1). With its share instead, fewer analogies are right: on 2.7
/// million words at most 31.2 and 29.1 % (alpha 0.2, two seeds), against 33.5 % (alpha 0.1, mean of five seeds).
template <int C> struct Cbow {
  static constexpr std::string_view name = "CBOW";
  static constexpr int width = C;
  static constexpr double alpha = 0.05;  // word2vec's
  static constexpr kernel::Context context = kernel::Context::mean;
};

/// The state of a training, after a step.
struct TrainingProgress {
  int epoch = 0, epochs = 0;
  std::uint64_t words = 0, all_words = 0;  // of the epoch
  double loss = 0;                         // of a pair, over the latest steps
  float alpha = 0;
};

template <class Objective, class D = device::Cpu<>> class Trainer {
  static_assert(device::device_contract<D>());
  static constexpr int C = Objective::width;
  using Groups = kernel::PositionGroups;
  template <class T> using Buffer = typename D::template Buffer<T>;

 public:
  using Device = D;
  static constexpr std::string_view objective = Objective::name;
  static constexpr int width = C;
  static constexpr kernel::Context context = Objective::context;

  /// throws    entrain.vectors.2: an option out of its range
  explicit Trainer(const Options& options, int threads = 1) : o_(options), dev_(D::with(threads)) {
    refuse(o_.window < 1 || o_.window > 1000, "window", o_.window, "1 to 1000");
    if constexpr (requires { D::workspace_bytes; })
      refuse(kernel::group_bytes<float>(C, o_.window) > D::workspace_bytes, "window", o_.window,
             "a smaller one: with these vectors its rows do not fit into a thread's memory");
    refuse(o_.batch_words < 1 || o_.batch_words > (1 << 20), "batch_words", o_.batch_words, "1 to 1048576");
    refuse(o_.negative < 1, "negative", o_.negative, "at least 1");
    refuse(o_.epochs < 1, "epochs", o_.epochs, "at least 1");
    refuse(o_.max_n < 0 || o_.max_n > 100, "max_n", o_.max_n, "0 to 100");
    refuse(o_.max_n > 0 && (o_.min_n < 1 || o_.min_n > o_.max_n), "min_n", o_.min_n, "1 to max_n");
    refuse(o_.max_n > 0 && (o_.bucket < 1 || o_.bucket > 1 << 30), "bucket", o_.bucket, "1 to 1073741824");
    if (o_.alpha == 0) o_.alpha = Objective::alpha;
  }

  /// Counts the words of the files. fit() does it too.
  template <class Words> const Counted& count(const std::vector<std::string>& files) {
    counted_ = count_words<Words>(files, o_, dev_.threads());
    initialise();
    return counted_;
  }

  /// Trains on the files that were counted. report(TrainingProgress) is called after each step.
  template <class Words, class F> void train(const std::vector<std::string>& files, F&& report) {
    using Ids = batch::Workers<BlockIds<Words>>;
    using Stream = Steps<context, Ids>;
    // With more than one thread, steps are made ahead of the computation.
    batch::WorkersOptions how;
    how.workers = dev_.threads() > 1 ? 1 : 0;
    batch::Workers<Stream> steps(Stream(Ids(BlockIds<Words>(files, o_, lexicon()), how), o_, lexicon(), subwords_),
                                 how);
    StepOfPositions step;
    TrainingProgress now{0, o_.epochs, 0, lexicon().total()};
    for (now.epoch = 0; now.epoch < o_.epochs; ++now.epoch) {
      steps.start(static_cast<std::uint32_t>(now.epoch), {});
      while (steps.next(step)) {
        const double loss = run(step);
        const double share = now.loss == 0 ? 1 : 0.01;
        if (step.pairs > 0) now.loss += share * (loss / static_cast<double>(step.pairs) - now.loss);
        now.words = step.words_read;
        now.alpha = step.alpha;
        report(std::as_const(now));
      }
    }
  }
  template <class Words, class F> WordVectors fit(const std::vector<std::string>& files, F&& report) {
    count<Words>(files);
    train<Words>(files, std::forward<F>(report));
    return vectors();
  }
  template <class Words = text::UnicodeWords> WordVectors fit(const std::vector<std::string>& files) {
    return fit<Words>(files, [](const TrainingProgress&) {});
  }

  const Lexicon& lexicon() const { return counted_.lexicon; }
  const D& device() const { return dev_; }

  /// The vectors of words as inputs, as word2vec saves them.
  WordVectors vectors() const {
    WordVectors out{lexicon().words(), std::vector<float>(in_.size()), C};
    dev_.download(out.rows.data(), in_.data(), in_.size());
    if (subwords_.starts() == nullptr) return out;
    std::vector<float> rows(lexicon().size() * C);
    for (std::size_t w = 0; w < lexicon().size(); ++w)
      add_up(out.rows, {subwords_.rows() + subwords_.starts()[w], subwords_.rows() + subwords_.starts()[w + 1]},
             rows.data() + w * C);
    out.rows = std::move(rows);
    return out;
  }
  /// The vector of a word that training may not have met, from its n-grams; zeros without n-grams.
  std::vector<float> vector(std::string_view word) const {
    std::vector<std::int32_t> rows;
    if (const std::int32_t own = lexicon().find(word); own >= 0) rows.push_back(own);
    if (o_.max_n > 0)
      each_ngram(word, o_.min_n, o_.max_n, static_cast<std::uint32_t>(o_.bucket),
                 [&](std::uint32_t b) { rows.push_back(static_cast<std::int32_t>(lexicon().size() + b)); });
    std::vector<float> table(in_.size()), out(C);
    dev_.download(table.data(), in_.data(), in_.size());
    add_up(table, rows, out.data());
    return out;
  }

  /// One step; returns the sum of its losses.
  double run(const StepOfPositions& step) {
    on_device_.send(dev_, step);
    const Groups& groups = on_device_.groups;
    const Rows<float, C> in(in_.data(), static_cast<int>(subwords_.table_rows()));
    const Rows<float, C> out(out_.data(), static_cast<int>(lexicon().size()));
    const Rows<float, C> dx(dx_.data(), groups.groups() * groups.inputs());
    const Rows<float, C> dy(dy_.data(), groups.groups() * Groups::outputs);
    kernel::negative_sampling<context>(dev_, groups, Rows<const float, C>(in), Rows<const float, C>(out), dx, dy,
                                       loss_.data());
    kernel::add_to_rows(dev_, on_device_.inputs, on_device_.input_factor, Rows<const float, C>(dx), in);
    kernel::add_to_rows(dev_, on_device_.outputs, on_device_.output_factor, Rows<const float, C>(dy), out);
    losses_.resize(static_cast<std::size_t>(groups.groups()));
    dev_.download(losses_.data(), loss_.data(), losses_.size());
    double loss = 0;
    for (const double one : losses_) loss += one;
    return loss;
  }

 private:
  static void refuse(bool wrong, const char* option, int value, const char* expected) {
    if (wrong) throw Error("entrain.vectors.2", "", std::string(option) + " " + std::to_string(value), expected);
  }

  /// to = sum of rows / sqrt(their number), as kernel::negative_sampling.
  static void add_up(const std::vector<float>& table, std::span<const std::int32_t> rows, float* to) {
    const float by = rows.empty() ? 0 : 1 / std::sqrt(static_cast<float>(rows.size()));
    for (std::size_t c = 0; c < C; ++c) {
      float sum = 0;
      for (const std::int32_t row : rows) sum += table[static_cast<std::size_t>(row) * C + c];
      to[c] = by * sum;
    }
  }

  /// Inputs uniform in +-1 / (2 C), outputs 0, as word2vec.
  void initialise() {
    subwords_ = Subwords(lexicon(), o_);
    on_device_.send(dev_, subwords_);
    const std::size_t numbers = subwords_.table_rows() * C;
    std::vector<float> first(numbers);
    Random random(o_.seed, 40);
    for (float& x : first) x = (random.uniform() - 0.5f) / C;
    in_ = Buffer<float>(numbers), out_ = Buffer<float>(lexicon().size() * C);
    dev_.upload(in_.data(), first.data(), numbers);
    Groups most{};
    most.positions = o_.batch_words, most.window = o_.window;
    const auto groups = static_cast<std::size_t>(most.groups());
    dx_ = Buffer<float>(groups * static_cast<std::size_t>(most.inputs()) * C);
    dy_ = Buffer<float>(groups * Groups::outputs * C);
    loss_ = Buffer<double>(groups);
  }

  Options o_;
  D dev_;
  Counted counted_;
  Subwords subwords_;
  StepOnDevice<D> on_device_;
  Buffer<float> in_, out_, dx_, dy_;
  Buffer<double> loss_;
  std::vector<double> losses_;
};

}  // namespace entrain::vectors
