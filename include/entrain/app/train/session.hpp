// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The part of a training that depends on no type: its files, its messages, its scores, and what is saved with the
// weights. So it is compiled once, and train.hpp holds only the code that depends on a trainer's type.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/input/text_source.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/output/signals.hpp"
#include "entrain/app/train/device_memory.hpp"
#include "entrain/app/train/records.hpp"
#include "entrain/app/train/unchanged.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/loss.hpp"
#include "entrain/optim/options_read.hpp"
#include "entrain/report/number.hpp"
#include "entrain/report/progress.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/task/class_scores.hpp"
#include "entrain/task/contract.hpp"  // is_tagging
#include "entrain/task/read_tags.hpp"
#include "entrain/task/survey.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/memory_plan.hpp"
#include "entrain/train/loop/step_batches.hpp"
#include "entrain/train/state/cache_key.hpp"

namespace entrain::app {

/// The folder that defines how words are encoded: that of --init, that of --pretrained, or none.
///
/// by_words  the model reads words, not pieces of a pretrained encoder's tokenizer
/// throws    entrain.app.16: --pretrained for a model that reads words, with train::command_for
///           entrain.app.17: neither for a model that reads pieces           .18: both
ENTRAIN_INLINE const std::string& start_folder(const Settings& settings, bool by_words);
/// Refuses --vectors for a model without word vectors, and a start without them for one that has them.
///
/// throws    entrain.app.94 to .96
ENTRAIN_INLINE void check_vectors(const Settings& settings, bool has_vectors);
/// Prints how many vectors the model has, and for how many of the different training words. words: 0: not known
ENTRAIN_INLINE void say_vectors(Console& console, const std::string& file, std::size_t rows, std::size_t width,
                                std::size_t with, std::size_t words);

/// Refuses options of the loss that have no effect in this program.
///
/// loss      Model::loss_name               reads     head::loss_reads_of the model's head
/// throws    entrain.app.21: a number that the loss does not read       .22: class weights, which it does not read
ENTRAIN_INLINE void refuse_unread(const Settings& settings, std::string_view loss, LossReads reads);
/// Refuses options of the optimizer and the schedule that have no effect in this program.
///
/// throws    entrain.app.85
ENTRAIN_INLINE void refuse_unread(const Settings& settings, std::string_view optimizer, std::string_view schedule,
                                  const optim::OptionsRead& reads);

/// Refuses ways of reading training files that cannot be combined.
///
/// throws    entrain.app.39: --cache with augmenters
///           .40: for standard input, an option that needs several passes, or a missing option that replaces a pass
ENTRAIN_INLINE void refuse_ways(const Settings& settings);

/// The beginning of the names of a cache's files: the training file's name, without its folder and endings.
ENTRAIN_INLINE std::string cache_stem(const std::string& train);

/// The stored result of a pass over a cache's files, if it was stored.
///
/// key       of the cache          fault     why an existing file cannot be used, as the sentence of an Error
/// throws    entrain.train.51: the path exists and is not a file
ENTRAIN_INLINE std::optional<task::Survey> kept_survey(const std::string& path, std::string_view key,
                                                       std::string& fault);

/// From now on a signal prints that nothing was saved, and ends the program.
ENTRAIN_INLINE void begin_training(const Settings& settings);

/// What a trainer's task learns: the command line's table of tasks.
enum class Learns : std::uint8_t { tags, one_class, many_classes };
template <class Task> inline constexpr Learns learns = [] {
  if constexpr (task::is_tagging<Task>)
    return Learns::tags;
  else
    return Task::exclusive ? Learns::one_class : Learns::many_classes;
}();

/// The facts about a trainer's type, as words and numbers.
struct TrainerFacts {
  std::string model, device, precision, optimizer, compiled_for;
  std::string_view schedule = optim::Schedule::name;
  std::string_view loss;
  LossReads loss_reads;
  std::string_view rows = "words";               // what a row of the encoder is; else "pieces"
  std::string_view splitter, sentence_splitter;  // of the task, if the user names none
  Learns learns = Learns::tags;
  text::SchemeId scheme = text::SchemeId::bio;  // of tags
  optim::OptionsRead reads;                     // by the optimizer and the schedule
};

/// What a training will take, known before step one.
struct PlanFacts {
  std::size_t parameters = 0;
  std::uint32_t steps = 0;
  train::MemoryPlan memory;
};

/// The state that a resumed training continues from; else empty.
using StoredState = std::optional<checkpoint::StoredTrainingState>;

class Session {
 public:
  explicit Session(const Settings& settings);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ENTRAIN_INLINE ~Session();

  // before the trainer is made

  /// Prints the facts, then reads the files, with warnings.
  ///
  /// throws    entrain.train.24: --resume with other splitters than the stopped training
  void start(TrainerFacts facts, const StoredState& stored);
  const std::vector<std::string>& types() const { return types_; }  // entity types to learn
  /// Whether the words of the training files are not kept in memory; then train() has at most
  /// their first block, and targets() does not apply.
  bool streams() const { return survey_.has_value(); }
  const task::Survey& survey() const { return *survey_; }
  TextSource source() const;  // of the training files, with their sentences changed as the user asked
  TextSource source(const Augmenting& how) const;                          // changed in another way
  const text::EntityTable& entities() const { return *entities_; }         // to swap, if any
  const train::Ingredients& ingredients() const { return *ingredients_; }  // of a cache of the training files
  std::vector<std::int32_t> targets() const;                               // the tags of every word to learn
  /// Refuses values that config.json could not hold, before step one.
  ///
  /// throws    entrain.app.72: a label that is not UTF-8, with its first line     .73: a file name that is not
  void refuse_unsavable() const;
  /// One weight per label, or none; see class_weights.hpp. rows: of each label
  std::vector<float> class_weights(std::span<const std::uint64_t> rows) const;
  const task::Tagged& train() const { return *train_; }
  const std::optional<task::Tagged>& dev() const { return dev_; }
  const std::optional<task::Tagged>& test() const { return test_; }
  /// The training options of the command line; after take_batches and take_warmup, with their changes.
  const train::Options& training() const { return s_.training; }
  /// Sets and prints the batches that --token-budget auto chose.
  void take_batches(train::StepBatches batches);
  /// Replaces --warmup-ratio by a number of steps: training uses that number and config.json stores it.
  void take_warmup(std::uint32_t total_steps) {
    s_.training.warmup_steps = s_.training.warmup_of(total_steps);
    s_.training.warmup_ratio = 0;
  }
  /// Warns of a plan that leaves less than the reserve of a GPU's memory.
  ///
  /// throws    entrain.app.5 if the plan is larger than the free memory of the GPU, or than the machine's memory
  ///
  /// longest   rows of the longest sentence, which is at `where`; empty: the place is not known
  void refuse_oversize(const train::MemoryPlan& plan, const DeviceMemory& memory, int longest = 0,
                       const std::string& where = {});

  // while it trains

  void say_survival(const train::Survival& survival);
  void say_plan(const PlanFacts& plan);
  void print_steps(std::uint32_t steps);       // for --plan, on standard output
  void step(const train::StepReport& report);  // allocates nothing, unless records are written
  double score_dev(score::Scores scores);      // strict micro F1
  double score_dev(task::ClassScores scores);  // accuracy, or micro F1 where a text has many classes
  const std::vector<double>& shifts_of_last() const { return last_classes_.shift; }
  void say_evaluation(std::uint32_t step, bool best);
  checkpoint::Config about(std::uint32_t step, double score) const;

  // where it is stopped, and resumed (train/state/resume.hpp)

  /// Prints the file that --resume continues from, after it was checked. Warns of another device.
  void say_resumed(const checkpoint::StoredTrainingState& stored, const train::Position& at);
  /// From now on a signal stops the training after its step and does not end the program.
  void begin_steps();
  /// Whether a signal came, so that the training stops.
  bool stop_is_wanted() const { return s_.signals != nullptr && s_.signals->wanted(); }
  /// From now on a signal ends the program. The model is saved.
  void end_steps();
  /// What a resumed training must have in common with the stopped one, besides what train::shared finds.
  std::vector<checkpoint::NamedText> shared() const;
  /// The texts of a state. algorithms: of kept_algorithms.hpp; loader: its position (batch/pack/cursor_text.hpp)
  checkpoint::TrainingState state(std::vector<checkpoint::NamedText> shared, std::string algorithms,
                                  std::string loader) const;
  /// Called before a state is written: the records then have all steps up to that of the state.
  void flush_records() { records_.flush(); }
  void kept(std::uint32_t step) { kept_ = step; }
  /// After an error: prints how to resume, if there is a state. It is part of the error, so --quiet does not hide it.
  ///
  /// id        of the error, if it is one of entrain's
  void say_stopped(std::string_view id);
  /// After a signal stopped the training: prints, once, what is stored, and the command that resumes. Also when quiet.
  ///
  /// step      the last step that was taken
  void say_interrupted(std::uint32_t step);
  /// After a signal that came when the last step was taken: prints that the model is saved, and nothing else.
  void say_saved_only(const train::Outcome& outcome);
  Console& console() { return console_; }

  // after it has trained

  void say_outcome(const train::Outcome& outcome);
  /// The split that proves that reloading works; for a training file that is not kept in memory, its beginning.
  const task::Tagged& proof() const { return test_ ? *test_ : dev_ ? *dev_ : *train_; }
  /// throws    entrain.app.9 if the reloaded model gives any word of proof() another tag than the trained one
  void demand_equal(std::span<const text::Tag> trained, std::span<const text::Tag> reloaded);
  /// The same for the probabilities of classes of texts.
  void demand_equal(std::span<const float> trained, std::span<const float> reloaded);
  /// Prints scores of the test split on standard output, and three sentences in colours.
  void report(std::span<const text::Tag> tags, const train::Outcome& outcome);
  /// The same for the probabilities of classes of texts, without sentences.
  void report(std::span<const float> probabilities, const train::Outcome& outcome);

 private:
  std::optional<task::Tagged> read(const std::string& name, const std::string& path);
  void say_times(const train::Outcome& outcome);
  void show_examples(std::span<const text::Tag> tags);
  std::string device_kind() const;
  std::string steps_in_words(std::uint32_t steps) const;
  std::string labels_in_words() const;
  std::string_view score_name() const;  // of the best score, in config.json
  void refuse_for_classes() const;
  void take_splitters();
  void refuse_other_splitters(const checkpoint::StoredTrainingState& stored) const;
  bool has_own_schedule() const { return facts_.schedule != optim::Schedule::name; }
  checkpoint::Config settings_told(std::uint32_t steps) const;

  Settings s_;
  Console console_;
  Records records_;
  double bytes_ = 0;  // read before training
  TrainerFacts facts_;
  std::string word_splitter_, sentence_splitter_;  // of the model; after start, of its files too
  void look_through();                             // for training files that are not kept in memory
  task::Survey survey_of(const std::vector<std::string>& files);
  TextSource source(const Variation& variation, std::shared_ptr<Unchanged> unchanged = {}) const;
  std::size_t block_bytes() const;  // of that source
  std::string beside_cache(std::string_view ending) const;
  std::string place_of(const std::string& type) const;
  std::string cache_key() const;
  std::string content_of() const;
  std::optional<task::Tagged> train_, dev_, test_;
  std::optional<task::Survey> survey_;
  std::optional<text::SchemeId> annotations_as_;  // scheme of the tags of training files that have tags and annotations
  std::optional<train::Ingredients> ingredients_;
  std::shared_ptr<const text::EntityTable> entities_;
  std::shared_ptr<Unchanged> unchanged_;  // for files that are read each epoch
  std::vector<std::string> types_;
  report::Progress now_;
  report::Short stage_;
  score::Scores last_;  // of dev
  task::ClassScores last_classes_;
  std::string content_;     // of the training files (overwriting.hpp)
  std::uint32_t kept_ = 0;  // the step whose state is in the folder; 0: none is
  bool interrupted_ = false;
};

/// The state that --resume asks for.
///
/// throws    what checkpoint::load_training_state throws
ENTRAIN_INLINE StoredState stored_state(const Settings& settings);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/session.ipp"
#include "entrain/app/train/session_classes.ipp"
#include "entrain/app/train/session_files.ipp"
#include "entrain/app/train/session_splitters.ipp"
#include "entrain/app/train/session_stopped.ipp"
#endif
