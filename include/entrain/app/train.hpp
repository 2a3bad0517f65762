// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `train`: files in, a model folder out, and proof that what was saved is what was trained. Read session.hpp for all
// that is said and scored on the way.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/app/machine.hpp"
#include "entrain/app/session.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/batch/encoded.hpp"
#include "entrain/batch/packer.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/train/evaluate.hpp"
#include "entrain/train/features.hpp"
#include "entrain/train/fit.hpp"
#include "entrain/train/load.hpp"
#include "entrain/train/pretrained.hpp"
#include "entrain/train/save.hpp"
#include "entrain/train/targets.hpp"
#include "entrain/train/trainer.hpp"

namespace entrain::app {

/// `fp32`, and what the device's products make of it.
template <class Trainer> [[gnu::cold]] std::string precision_of() {
  std::string words(Trainer::precision);
  if constexpr (requires { Trainer::Device::Gemm::rounds; })
    words += ", products in " + std::string(Trainer::Device::Gemm::rounds);
  return words;
}

template <class Trainer> [[gnu::cold]] TrainerFacts facts_of(const typename Trainer::Device& dev) {
  const auto composition = train::composition_of<typename Trainer::Model, typename Trainer::Number>();
  return {.model = composition.words,
          .device = dev.describe(),
          .precision = precision_of<Trainer>(),
          .optimizer = std::string(Trainer::optimizer),
          .compiled_for = compiled_for<typename Trainer::Device>(),
          .loss = Trainer::Model::loss_name,
          .rows = unit_of<typename Trainer::Features>,
          .scheme = composition.scheme};
}

template <class Trainer> [[gnu::cold]] PlanFacts plan_of(const Trainer& trainer, std::uint32_t steps) {
  PlanFacts plan;
  plan.parameters = trainer.parameters();
  plan.values = trainer.layout().size * sizeof(typename Trainer::Number);
  plan.gradients = trainer.layout().gradients * sizeof(typename Trainer::Sum);
  plan.total = trainer.planned_bytes();
  plan.cost = trainer.cost();
  plan.moments = plan.total - plan.values - plan.gradients - plan.cost.arena;
  plan.steps = steps;
  plan.rows = trainer.rows();
  return plan;
}

/// The best tag of every word of a corpus. Decoder: a trainer or a predict::Decoder.
template <class Decoder> std::vector<text::Tag> all_tags(Decoder& decoder,
                                                         const batch::Encoded<typename Decoder::Features>& e,
                                                         batch::Packer<typename Decoder::Features>& packer) {
  std::vector<text::Tag> tags;
  tags.reserve(e.size());
  train::predict_all(decoder, e, packer, [&](std::size_t, std::span<const text::Tag> sentence) {
    tags.insert(tags.end(), sentence.begin(), sentence.end());
  });
  return tags;
}

/// A training that is over: what it came to, and what the trained model says of every word of Session::proof().
struct Trained {
  train::Outcome outcome;
  std::vector<text::Tag> tags;
};

/// Trains, and leaves the best values in the folder. The trainer's memory is free again when this returns.
///
/// start     the folder of session.hpp's start_folder
template <class Trainer> [[gnu::cold]] Trained train_and_save(Session& session, const Settings& settings,
                                                              const std::string& start,
                                                              const typename Trainer::Device& dev) {
  using Features = typename Trainer::Features;
  const auto features = train::open_features<Features>(start);
  const auto heritage = train::heritage_of<Features>(start);
  auto encoded = batch::encode<Features>(session.train().corpus, features);
  encoded.target = session.targets();
  if (settings.training.word_dropout > 0) batch::add_twins(encoded);
  const auto dev_split =
      session.dev() ? batch::encode<Features>(session.dev()->corpus, features) : batch::Encoded<Features>();
  const auto proof = batch::encode<Features>(session.proof().corpus, features);
  const int budget = settings.training.token_budget;
  warn_of_sizes(session.train(), encoded, budget, session.talk());
  if (session.dev()) warn_of_sizes(*session.dev(), dev_split, budget, session.talk());
  if (session.test()) warn_of_sizes(*session.test(), proof, budget, session.talk());

  const int rows = std::max({budget, encoded.longest(), dev_split.longest(), proof.longest()});
  const typename Trainer::Labels labels(session.types());
  if constexpr (batch::labels_every_piece<Features>) encoded.in_pieces = train::tags_in_pieces(labels);
  session.refuse_oversize(
      train::cost_of<typename Trainer::Model, typename Trainer::Policy>({rows, rows, labels.count()}).arena, rows);
  Trainer trainer(dev, labels, rows, settings.training.seed);
  if constexpr (!Features::by_words)
    if (!settings.pretrained.empty())
      for (const std::string& note : train::start_from_pretrained(trainer, settings.pretrained))
        session.talk().say(note);
  if (!settings.init.empty()) session.say_survival(train::start_from(trainer, settings.init));
  session.say_plan(plan_of(trainer, train::total_steps(settings.training, encoded)));

  batch::Packer<Features> packer(rows);
  std::uint32_t saved = 0;  // the step whose values are in the folder
  const auto on_step = [&](const train::StepReport& report) { session.step(report); };
  const auto evaluate = [&] { return session.dev() ? session.score_dev(all_tags(trainer, dev_split, packer)) : -1.0; };
  const auto on_evaluation = [&](std::uint32_t step, double score, bool best) {
    if (!session.dev()) return;
    session.say_evaluation(step, best);
    if (!best) return;
    try {  // now: hours may pass until the end
      train::save(trainer, settings.output, session.about(step, score), heritage);
      saved = step;
    } catch (const Error& e) {
      session.talk().warn(std::string(e.what()) + "; training goes on");
    }
  };
  train::Options options = settings.training;
  options.class_weights = session.class_weights();
  Trained trained;
  trained.outcome = train::fit(trainer, encoded, packer, options, on_step, evaluate, on_evaluation);
  const std::uint32_t kept = session.dev() ? trained.outcome.best_step : trained.outcome.steps;
  const bool calibrated = trained.outcome.shift != 0;
  if (saved != kept || kept == 0 || calibrated)
    train::save(trainer, settings.output, session.about(kept, trained.outcome.best), heritage);
  session.say_outcome(trained.outcome);
  trained.tags = all_tags(trainer, proof, packer);
  return trained;
}

template <class Trainer> [[gnu::cold]] int train_model(const Settings& settings) {
  using Features = typename Trainer::Features;
  using Policy = typename Trainer::Policy;
  const std::string& start = start_folder(settings, Features::by_words);
  Session session(settings);
  const auto dev = Trainer::Device::with(threads_or_all(settings.threads));
  session.start(facts_of<Trainer>(dev));
  const Trained trained = train_and_save<Trainer>(session, settings, start, dev);

  const predict::Net<typename Trainer::Model, Policy, typename Trainer::Device> net(settings.output);
  const auto proof = batch::encode<Features>(session.proof().corpus, net.features);
  const int rows = std::max(settings.training.token_budget, proof.longest());
  predict::Decoder reloaded(net, rows, dev.threads());
  batch::Packer<Features> packer(rows);
  const auto tags = all_tags(reloaded, proof, packer);
  session.demand_equal(trained.tags, tags);
  session.report(tags, trained.outcome);
  return 0;
}

}  // namespace entrain::app
