// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `train`: reads files, writes a model folder, and proves that the saved model equals the trained one. Read session.hpp
// for all messages and scores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/train/auto_budget.hpp"
#include "entrain/app/train/device_memory.hpp"
#include "entrain/app/train/kept_algorithms.hpp"
#include "entrain/app/train/memory_table.hpp"
#include "entrain/app/train/output_folder.hpp"
#include "entrain/app/train/overwriting.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/app/train/texts_to_learn.hpp"
#include "entrain/app/train/training_data.hpp"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/task/calibration.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/decode.hpp"
#include "entrain/train/loop/decode_parts.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/memory_plan.hpp"
#include "entrain/train/loop/predict_shifted.hpp"
#include "entrain/train/loop/trainer.hpp"
#include "entrain/train/state/resume.hpp"

namespace entrain::app {

/// `fp32`, and the precision that the device's products use.
template <class Trainer> [[gnu::cold]] std::string precision_of() {
  std::string words(Trainer::precision);
  if constexpr (requires { Trainer::Device::Gemm::rounds; })
    words += ", products in " + std::string(Trainer::Device::Gemm::rounds);
  return words;
}

template <class Trainer> [[gnu::cold]] TrainerFacts facts_of(const typename Trainer::Device& dev) {
  TrainerFacts facts{.model = train::describe<typename Trainer::Model>(),
                     .device = dev.describe(),
                     .precision = precision_of<Trainer>(),
                     .optimizer = std::string(Trainer::optimizer),
                     .compiled_for = compiled_for<typename Trainer::Device>(),
                     .schedule = Trainer::schedule,
                     .loss = Trainer::Model::loss_name,
                     .loss_reads = head::loss_reads_of<typename Trainer::Model::Head>,
                     .rows = unit_of<typename Trainer::Features>,
                     .splitter = Trainer::Task::template splitter<Trainer::Features::by_words>,
                     .sentence_splitter = Trainer::Task::sentence_splitter,
                     .learns = learns<typename Trainer::Task>,
                     .reads = optim::options_read<typename Trainer::OptimizerType>()};
  if constexpr (task::is_tagging<typename Trainer::Task>)
    facts.scheme = text::scheme_of<typename Trainer::Task::Scheme>();
  return facts;
}

/// The gold of a split that Session read.
template <class Task> const typename Task::Gold& gold_of(const task::Tagged& split) {
  if constexpr (task::is_tagging<Task>)
    return split;
  else
    return split.corpus;
}

/// The predictions for a corpus: the best tag of every word, or the probabilities of classes of every text. Decoder: a
/// trainer or a predict::Decoder.
template <class Decoder> auto all_predictions(Decoder& decoder, const batch::Encoded<typename Decoder::Features>& e,
                                              batch::Packer<typename Decoder::Features>& packer) {
  using Number = typename Decoder::Predicted;
  std::vector<Number> all;
  all.reserve(e.size());
  train::predict_all(decoder, e, packer, [&](std::size_t, std::span<const Number> sentence) {
    all.insert(all.end(), sentence.begin(), sentence.end());
  });
  return all;
}

/// A finished training: its outcome, and the trained model's predictions for Session::proof().
template <class Number> struct Trained {
  train::Outcome outcome;
  std::vector<Number> predictions;
  int rows = 0;  // of the largest batch, when it gave these predictions
};

/// Chooses the size of batches and plans their memory. For --plan: prints the plan, and throws nothing for its size.
///
/// rows      of the sentences to learn from (TrainingData::rows)        others    of the longest sentence of other
/// splits where()   `file:line` of the longest one to learn from corpus    its bytes on the device
/// (batch::corpus_bytes) stored    of a resumed training: --token-budget auto keeps the batches stored there returns
/// the plan of the trainer that the caller will make throws    entrain.app.5: it does not fit           .24:
/// --token-budget auto, and not even one sentence fits
template <class Trainer, class Where>
[[gnu::cold]] train::MemoryPlan plan_memory(Session& session, const Settings& settings, const DeviceMemory& memory,
                                            int labels, std::span<const std::int32_t> rows, int others,
                                            std::size_t corpus, const StoredState& stored, Where where) {
  constexpr std::string_view unit = unit_of<typename Trainer::Features>;
  const auto total_of = [&](int n) { return Trainer::planned(labels, n, corpus).total(); };
  const int learned = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
  const int longest = std::max(others, learned);
  if (settings.auto_budget && stored)
    session.take_batches({stored->number<int>("token_budget"), stored->number<int>("gradient_accumulation_steps")});
  else if (settings.auto_budget)
    session.take_batches(batches_that_fit(session.training(), longest, memory, unit, total_of,
                                          longest == learned ? where() : std::string()));
  const train::Options& o = session.training();
  const int batch = o.batch_size > 0 ? rows_of_batch_size(o, rows, unit) : o.token_budget;
  const train::MemoryPlan plan = Trainer::planned(labels, std::max(batch, longest), corpus);
  if (settings.plan) {
    const auto per = train::bytes_per<typename Trainer::Model, typename Trainer::Policy, typename Trainer::Device,
                                      typename Trainer::Batches>(labels);
    Output out("-");
    out.write(memory_table(plan, per, memory, unit, train::largest_rows(memory.room(), most_rows, total_of)));
  } else {
    session.refuse_oversize(plan, memory, learned, learned == plan.rows ? where() : std::string());
  }
  return plan;
}

/// Prints for how many words of the training there are vectors.
template <class Features> [[gnu::cold]] void say_coverage(Session& session, const std::string& file,
                                                          const Features& features, const Layout& layout,
                                                          const batch::Encoded<Features>& corpus) {
  const std::size_t words =
      corpus.unknown_word_copies > 0 ? static_cast<std::size_t>(corpus.unknown_word_copies) : corpus.vocabulary.size();
  std::size_t with = 0;
  for (std::size_t w = 0; w < words; ++w) with += corpus.vocabulary[w].back() != 0;
  say_vectors(session.console(), file, features.words()->size(),
              static_cast<std::size_t>(train::table_of_vectors(layout).cols), with, words);
}

/// Trains, and leaves the best values in the folder. The trainer's memory is free again when this returns. For --plan:
/// trains nothing, and returns nothing.
///
/// start     the folder of session.hpp's start_folder
/// stored    taken, and freed as soon as the trainer has it
template <class Trainer> [[gnu::cold]] std::optional<Trained<typename Trainer::Predicted>> train_and_save(
    Session& session, const Settings& settings, const std::string& start, const typename Trainer::Device& dev,
    StoredState& stored) {
  using Features = typename Trainer::Features;
  auto begin = train::read_start<Features>(start, settings.vectors);
  const Features& features = begin.features;
  const train::SourceFiles& source_files = begin.source_files;
  for (const std::string& note : begin.notes) session.console().warn(note);
  const typename Trainer::Labels labels(session.types());
  const TrainingData<Trainer> training_data(session, settings, features, labels);
  batch::Encoded<Features> dev_split, proof = batch::encode<Features>(session.proof().corpus, features);
  if (session.dev()) dev_split = batch::encode<Features>(session.dev()->corpus, features);
  const train::MemoryPlan plan =
      plan_memory<Trainer>(session, settings, memory_of(dev), labels.count(), training_data.rows(),
                           train::rows_to_decode<typename Trainer::Model, typename Trainer::Device>(
                               0, std::max(dev_split.longest(), proof.longest())),
                           training_data.bytes_on_device(), stored, [&] { return training_data.longest_at(); });
  if (settings.plan) {
    session.print_steps(training_data.total_steps(session.training()));
    return std::nullopt;
  }
  const int rows = plan.rows, budget = rows_before_alone(session.training());
  training_data.warn_of_sizes(budget);
  constexpr bool in_parts = train::decodes_in_parts<typename Trainer::Model, typename Trainer::Device>;
  if (session.dev()) warn_of_sizes(*session.dev(), dev_split, budget, session.console(), in_parts);
  if (session.test()) warn_of_sizes(*session.test(), proof, budget, session.console(), in_parts);
  Trainer trainer(dev, labels, rows, session.training().seed);
  if constexpr (!Features::by_words)
    if (!settings.pretrained.empty() && !stored)
      for (const std::string& note : train::start_from_pretrained(trainer, settings.pretrained))
        session.console().say(note);
  if constexpr (train::has_vectors<Features>) {
    if (!settings.vectors.empty() && !stored) train::start_from_vectors(trainer, begin.vectors);
    begin.vectors = {};
    say_coverage<Features>(session, settings.vectors, features, trainer.layout(), training_data.corpus());
  }
  if (!settings.init.empty() && !stored) session.say_survival(train::start_from(trainer, settings.init));
  if constexpr (train::reads_files<Features>)
    if (!stored && !start.empty()) train::demand_the_same(start, source_files);
  const std::uint32_t steps = training_data.total_steps(session.training());
  session.take_warmup(steps);
  session.begin_steps();
  session.say_plan({trainer.parameters(), steps, trainer.memory_plan()});

  train::Options options = session.training();
  options.class_weights = training_data.class_weights();
  auto shared = session.shared();
  if constexpr (measures_products<typename Trainer::Device>)
    shared.push_back({"algorithms", settings.algorithms.empty() ? "not measured" : "measured"});
  shared = train::shared(trainer, training_data.identity(), options, std::move(shared));
  hold(settings.signals, [&] {
    train::prove_writable(trainer, settings.output, session.about(0, 0), source_files);
    train::prove_writable(settings.output, session.state(shared, algorithms_of(dev), {}));
  });
  train::Progress<typename Trainer::Number> progress;
  std::string place;  // of the loader
  if (stored) {
    train::check_shared(stored->state.same, shared, stored->where(),
                        {{"training file", settings.files.train}, {"dev file", settings.files.dev}});
    progress = train::restore(trainer, *stored);
    if (const std::string* text = stored->text("algorithms")) go_on_by(dev, *text, stored->where(), session.console());
    if (const std::string* text = stored->text("loader")) place = *text;
    session.say_resumed(*stored, progress.at);
    stored.reset();
  }
  const auto keep = [&](const train::Progress<typename Trainer::Number>& now, const std::string& at) {
    try {
      session.flush_records();
      train::save_state(trainer, now, settings.output, session.state(shared, algorithms_of(dev), at));
      session.kept(now.at.steps);
    } catch (const Error& e) {
      if (!e.id().starts_with("entrain.checkpoint.")) throw;
      session.console().warn(std::string(e.what()) + (session.stop_is_wanted() ? "" : "; training continues"));
    }
    // Print it now: a thread that waits for a pipe may keep the loader from ending.
    if (session.stop_is_wanted()) session.say_interrupted(now.at.steps);
  };

  batch::Packer<Features> packer(rows);
  std::uint32_t saved = 0;  // the step whose values are in the folder
  const auto on_step = [&](const train::StepReport& report) {
    session.step(report);
    training_data.say_new();
  };
  const auto score_dev = [&] {
    if (!session.dev()) return -1.0;
    typename Trainer::Task::Scorer scorer(gold_of<typename Trainer::Task>(*session.dev()), labels);
    train::naming_sentence(session.dev()->corpus, dev_split, [&] {
      train::predict_all(trainer, dev_split, packer, [&](std::size_t s, auto predictions) {
        if (session.stop_is_wanted()) throw train::EvaluationStopped();
        scorer.sentence(s, predictions);
      });
    });
    return session.score_dev(scorer.scores());
  };
  const auto shifts = [&]() -> const std::vector<double>& { return session.shifts_of_last(); };
  const auto evaluation = [&] {
    if constexpr (train::predicts_shifted<Trainer>) {
      return task::Evaluation{score_dev, shifts, [&](std::span<const double> of_label, std::span<const double> shift) {
                                return train::evaluate_shifted(trainer, dev_split,
                                                               gold_of<typename Trainer::Task>(*session.dev()), packer,
                                                               {of_label, shift}, [&] {
                                                                 if (session.stop_is_wanted())
                                                                   throw train::EvaluationStopped();
                                                               });
                              }};
    } else {
      return task::Evaluation{score_dev, shifts, task::NoFunction()};
    }
  };
  auto evaluate = evaluation();
  const auto on_evaluation = [&](std::uint32_t step, double score, bool best) {
    if (!session.dev()) return;
    session.say_evaluation(step, best);
    if (!best) return;
    try {  // now, as hours may pass until the end
      train::save(trainer, settings.output, session.about(step, score), source_files);
      saved = step;
    } catch (const Error& e) {
      session.console().warn(std::string(e.what()) + "; training continues");
    }
  };
  Trained<typename Trainer::Predicted> trained;
  trained.outcome =
      training_data.fit(trainer, options, steps, on_step, evaluate, on_evaluation, std::move(progress), place, keep);
  if (trained.outcome.stopped) return session.say_interrupted(trained.outcome.steps), trained;
  training_data.say_met();
  const std::uint32_t kept = session.dev() ? trained.outcome.best_step : trained.outcome.steps;
  const bool calibrated = trained.outcome.calibration.shift != 0;
  if (saved != kept || kept == 0 || calibrated)
    train::save(trainer, settings.output, session.about(kept, trained.outcome.best), source_files);
  session.say_outcome(trained.outcome);
  session.end_steps();
  if (session.stop_is_wanted()) return session.say_saved_only(trained.outcome), trained;
  train::naming_sentence(session.proof().corpus, proof,
                         [&] { trained.predictions = all_predictions(trainer, proof, packer); });
  trained.rows = rows;
  return trained;
}

/// Trains, then reads the folder back: the loaded model must give the same predictions as the trained one, to the last
/// bit. So it gets the same batches and the same algorithms: with others, a GPU's products may be rounded differently.
template <class Trainer> [[gnu::cold]] void train_and_prove(Session& session, const Settings& settings,
                                                            const std::string& start,
                                                            const typename Trainer::Device& dev, StoredState& stored) {
  using Features = typename Trainer::Features;
  using Policy = typename Trainer::Policy;
  const auto trained = train_and_save<Trainer>(session, settings, start, dev, stored);
  if (!trained || session.stop_is_wanted()) return;
  keep_algorithms(dev, settings.algorithms, session.console(), settings.signals);

  const predict::Net<typename Trainer::Model, Policy, typename Trainer::Device> net(settings.output);
  const auto proof = batch::encode<Features>(session.proof().corpus, net.features);
  predict::Decoder reloaded(net, trained->rows, dev.threads());
  go_by_the_same(reloaded.device(), dev);
  batch::Packer<Features> packer(trained->rows);
  const auto predictions = all_predictions(reloaded, proof, packer);
  session.demand_equal(std::span(trained->predictions), std::span(predictions));
  checkpoint::remove_training_state(settings.output);  // a finished training has nothing to resume
  session.report(std::span(predictions), trained->outcome);
}

template <class Trainer> [[gnu::cold]] int train_model(const Settings& settings) {
  const std::string& start = start_folder(settings, Trainer::Features::by_words);
  check_vectors(settings, train::has_vectors<typename Trainer::Features>);
  begin_training(settings);
  std::optional<OutputFolder> folder;
  if (!settings.plan) folder.emplace(settings.output, settings.signals);
  refuse_to_discard(settings, train::describe<typename Trainer::Model>());
  Session session(settings);
  const auto dev = Trainer::Device::with(threads_or_all(settings.threads));
  take_algorithms(dev, settings.algorithms, session.console());
  StoredState stored = stored_state(settings);
  session.start(facts_of<Trainer>(dev), stored);
  if (const auto remark = remark_on_products<typename Trainer::Device>(); !remark.empty())
    session.console().fact("products", remark);
  try {
    train_and_prove<Trainer>(session, settings, start, dev, stored);
  } catch (const Error& e) {
    session.say_stopped(e.id());
    throw;
  } catch (const std::exception&) {
    session.say_stopped({});
    throw;
  }
  if (session.stop_is_wanted()) return settings.signals->exit_code();
  return session.console().failed() ? 1 : 0;
}

}  // namespace entrain::app
