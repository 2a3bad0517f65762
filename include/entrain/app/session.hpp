// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The part of a training that depends on no type: its files, what the person hears, scores, what is saved beside the
// weights. So it is compiled once, and train.hpp holds only what a trainer's type shapes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/device_memory.hpp"
#include "entrain/app/records.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/signals.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/app/text_source.hpp"
#include "entrain/app/unchanged.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/report/number.hpp"
#include "entrain/report/progress.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/text/scheme.hpp"
#include "entrain/train/cache_key.hpp"
#include "entrain/train/data.hpp"
#include "entrain/train/fit.hpp"
#include "entrain/train/folder.hpp"
#include "entrain/train/memory_plan.hpp"
#include "entrain/train/step_batches.hpp"
#include "entrain/train/survey.hpp"

namespace entrain::app {

/// The folder that says what words become: of --init, of --pretrained, or none.
///
/// by_words  the model reads words, not pieces of a pretrained encoder's tokenizer
/// throws    entrain.app.16: --pretrained for a model that reads words, with train::command_for
///           entrain.app.17: neither for one that does not                   .18: both
ENTRAIN_PART const std::string& start_folder(const Settings& settings, bool by_words);

/// Refuses options of the loss that do nothing in this program.
///
/// loss      of Model::loss_name
/// throws    entrain.app.21: a number of another loss       .22: weights of classes, where the head has a CRF
ENTRAIN_PART void refuse_unread(const Settings& settings, std::string_view loss);

/// Refuses ways of reading training files that do not go together.
///
/// throws    entrain.app.39: --cache beside augmenters        .40: of standard input, what cannot be, or is not said
ENTRAIN_PART void refuse_ways(const Settings& settings);

/// What names of a cache's files begin with: the training file's own, without its folder and endings.
ENTRAIN_PART std::string cache_stem(const std::string& train);

/// What a pass over a cache's files found, where it was kept.
///
/// key       of the cache          fault     of what is there and cannot be used, as the sentence of an Error
/// throws    entrain.train.51: what is there is no file
ENTRAIN_PART std::optional<train::Survey> kept_survey(const std::string& path, std::string_view key,
                                                      std::string& fault);

/// From now on a signal says that nothing was saved, and ends the program.
ENTRAIN_PART void begin_training(const Settings& settings);

/// A trainer's type in words and numbers.
struct TrainerFacts {
  std::string model, device, precision, optimizer, compiled_for;
  std::string_view loss;
  std::string_view rows = "words";  // what a row of the encoder is; else "pieces"
  text::SchemeId scheme = text::SchemeId::bio;
};

/// What a trainer will take, known before step one.
struct PlanFacts {
  std::size_t parameters = 0;
  std::uint32_t steps = 0;
  train::MemoryPlan memory;
};

class Session {
 public:
  explicit Session(const Settings& settings);

  // before the trainer is made

  void start(TrainerFacts facts);                                   // says them, then reads the files, with warnings
  const std::vector<std::string>& types() const { return types_; }  // entity types to learn
  /// Whether the training files' words are not kept; then there is no train() nor targets().
  bool streams() const { return survey_.has_value(); }
  const train::Survey& survey() const { return *survey_; }
  TextSource source() const;  // of the training files, with their sentences changed as the user wants
  TextSource source(const Augmenting& how) const;                          // or otherwise
  const text::EntityTable& entities() const { return *entities_; }         // that are swapped, if any
  const train::Ingredients& ingredients() const { return *ingredients_; }  // of a cache of them
  std::vector<std::int32_t> targets() const;                               // the tags of every word to learn
  /// Refuses what config.json could not hold, before step one.
  ///
  /// throws    entrain.app.72: a label that is not UTF-8, with its first line     .73: a file name that is not
  void refuse_unsavable() const;
  /// One a label, or none; see class_weights.hpp. rows: of each label
  std::vector<float> class_weights(std::span<const std::uint64_t> rows) const;
  const train::Tagged& train() const { return *train_; }
  const std::optional<train::Tagged>& dev() const { return dev_; }
  const std::optional<train::Tagged>& test() const { return test_; }
  /// What the command line says about training; after take_batches and take_warmup, with those.
  const train::Options& training() const { return s_.training; }
  /// Of --token-budget auto. Says them.
  void take_batches(train::StepBatches batches);
  /// Of --warmup-ratio: the steps that it comes to are what the training goes by and what config.json keeps.
  void take_warmup(std::uint32_t total_steps) {
    s_.training.warmup_steps = s_.training.warmup_of(total_steps);
    s_.training.warmup_ratio = 0;
  }
  /// Warns of a plan that leaves less than the reserve of a GPU's memory.
  ///
  /// throws    entrain.app.5 if the plan is larger than what is free on the GPU, or of the machine's memory
  ///
  /// longest   rows of the longest sentence, which is at `where`; empty: where is not known
  void refuse_oversize(const train::MemoryPlan& plan, const DeviceMemory& memory, int longest = 0,
                       const std::string& where = {});

  // while it trains

  void say_survival(const train::Survival& survival);
  void say_plan(const PlanFacts& plan);
  void print_steps(std::uint32_t steps);       // of --plan, on standard output
  void step(const train::StepReport& report);  // allocates nothing, unless somebody wants records
  TagScores dev_scores() const;
  double score_dev(const TagScores& scores);  // strict micro F1
  void say_evaluation(std::uint32_t step, bool best);
  checkpoint::Config about(std::uint32_t step, double score) const;

  // where it is stopped, and resumed (train/resume.hpp)

  /// Of a file that --resume goes on from, which was checked. Warns of another device.
  void say_resumed(const checkpoint::StoredTrainingState& stored, const train::Position& at);
  /// From now on a signal stops the training after its step, and not the program.
  void begin_steps();
  /// Whether a signal came: its training stops.
  bool stop_is_wanted() const { return s_.signals != nullptr && s_.signals->wanted(); }
  /// From now on a signal ends the program. The model is saved.
  void end_steps();
  /// What a training shares beside what train::shared finds.
  std::vector<checkpoint::NamedText> shared() const;
  /// The texts of a state. algorithms: of kept_algorithms.hpp; loader: where it stands (batch/cursor_text.hpp)
  checkpoint::TrainingState state(std::vector<checkpoint::NamedText> shared, std::string algorithms,
                                  std::string loader) const;
  /// Before a state is written: the records have all steps up to its own.
  void flush_records() { records_.flush(); }
  void kept(std::uint32_t step) { kept_ = step; }
  /// After an error: how to resume, if there is a state. Also when quiet, as it is part of the error.
  ///
  /// id        of the error, if it is ours
  void say_stopped(std::string_view id);
  /// After a signal stopped the training, once: what is stored, and the command that resumes. Also when quiet.
  ///
  /// step      that was taken last
  void say_interrupted(std::uint32_t step);
  /// After a signal that came when the last step was taken: the model is saved, and that is all.
  void say_saved_only(const train::Outcome& outcome);
  Talk& talk() { return talk_; }

  // after it has trained

  void say_outcome(const train::Outcome& outcome);
  /// The split that reloading is proved with; of a training file that is not kept, its beginning.
  const train::Tagged& proof() const { return test_ ? *test_ : dev_ ? *dev_ : *train_; }
  /// throws    entrain.app.9 if the model read back tags any word of proof() otherwise than the trained one
  void demand_equal(std::span<const text::Tag> trained, std::span<const text::Tag> reloaded);
  /// Scores of the test split on standard output, three sentences in colours.
  void report(std::span<const text::Tag> tags, const train::Outcome& outcome);

 private:
  std::optional<train::Tagged> read(const std::string& name, const std::string& path);
  void say_times(const train::Outcome& outcome);
  void show_examples(std::span<const text::Tag> tags);
  std::string device_kind() const;
  std::string steps_in_words(std::uint32_t steps) const;
  checkpoint::Config settings_told(std::uint32_t steps) const;

  Settings s_;
  Talk talk_;
  Records records_;
  double bytes_ = 0;  // that were read before it trained
  TrainerFacts facts_;
  std::string word_splitter_, sentence_splitter_;
  void look_through();  // training files that are not kept
  train::Survey survey_of(const std::vector<std::string>& files);
  TextSource source(const Variation& variation, std::shared_ptr<Unchanged> unchanged = {}) const;
  std::size_t block_bytes() const;  // of it
  std::string beside_cache(std::string_view ending) const;
  std::string place_of(const std::string& type) const;
  std::string cache_key() const;
  std::string content_of() const;
  std::optional<train::Tagged> train_, dev_, test_;
  std::optional<train::Survey> survey_;
  std::optional<text::SchemeId> annotations_as_;  // of training files that also have tags, of which it is the scheme
  std::optional<train::Ingredients> ingredients_;
  std::shared_ptr<const text::EntityTable> entities_;
  std::shared_ptr<Unchanged> unchanged_;  // of files that are read each epoch
  std::vector<std::string> types_;
  report::Progress now_;
  report::Short stage_;
  score::Scores last_;      // of dev
  std::string content_;     // of the training files (overwriting.hpp)
  std::uint32_t kept_ = 0;  // the step whose state is in the folder; 0: none is
  bool interrupted_ = false;
};

/// Of a training that goes on from where one was stopped; else nothing.
using Stored = std::optional<checkpoint::StoredTrainingState>;

/// What --resume asks for.
///
/// throws    what checkpoint::load_training_state throws
ENTRAIN_PART Stored stored_state(const Settings& settings);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/session.ipp"
#include "entrain/app/session_files.ipp"
#include "entrain/app/session_stopped.ipp"
#endif
