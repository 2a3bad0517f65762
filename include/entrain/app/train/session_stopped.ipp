// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of session.hpp for a training that is stopped and resumed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/train/overwriting.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/version.hpp"
#include "entrain/train/state/resume.hpp"  // identity_of

namespace entrain::app {
namespace detail {

/// Whether the same steps would end in this error again: a number that is not finite, a sentence that does not fit in
/// memory, other data, ... An error from the machine may not occur again.
inline bool comes_again(std::string_view id) {
  return id.starts_with("entrain.optim.") || id.starts_with("entrain.train.") || id == "entrain.app.48";
}

}  // namespace detail

ENTRAIN_INLINE void Session::say_resumed(const checkpoint::StoredTrainingState& stored, const train::Position& at) {
  kept_ = at.steps;
  records_.resumed(at.steps);
  now_.done = at.steps;
  if (at.best >= 0) now_.score = at.best;
  console_.fact("resumed", stored.where() + ": after step " + grouped(std::int64_t{at.steps}) + ", in epoch " +
                               std::to_string(at.epoch + 1));
  const auto warn_of_another = [&](const char* name, const std::string& here) {
    const std::string* const was = stored.text(name);
    if (was == nullptr || *was == here) return;
    console_.warn("this training started with " + std::string(name) + " " + *was + ", here it is " + here +
                  ": the results will not be bit-identical");
  };
  warn_of_another("device", device_kind());
  warn_of_another("entrain", version);
}

/// The properties of a device that decide bits: not its threads, nor features of the CPU that the program does
/// not use.
ENTRAIN_INLINE std::string Session::device_kind() const {
  return facts_.device.substr(0, facts_.device.find(", ")) + " compiled for " +
         facts_.compiled_for.substr(0, facts_.compiled_for.find(", "));
}

ENTRAIN_INLINE std::vector<checkpoint::NamedText> Session::shared() const {
  return {{"dev file", dev_ ? train::identity_of(dev_->corpus) : "none"},
          {"start", s_.vectors.empty() ? identity_of_start(s_.init.empty() ? s_.pretrained : s_.init)
                                       : identity_of_vectors(s_.vectors)}};
}

ENTRAIN_INLINE checkpoint::TrainingState Session::state(std::vector<checkpoint::NamedText> shared,
                                                        std::string algorithms, std::string loader) const {
  return {std::move(shared),
          {{"token_budget", std::to_string(s_.training.token_budget)},
           {"gradient_accumulation_steps", std::to_string(s_.training.gradient_accumulation_steps)},
           {"device", device_kind()},
           {"entrain", version},
           {"splitter", word_splitter_},
           {"sentence_splitter", sentence_splitter_},
           {"algorithms", std::move(algorithms)},
           {"loader", std::move(loader)}}};
}

ENTRAIN_INLINE void begin_training(const Settings& s) {
  if (s.plan || s.signals == nullptr) return;
  const std::string what = s.resume ? "it was resumed; the state in " + s.output + " is unchanged"
                                    : std::string("the first step; nothing is saved");
  s.signals->end_program(s.quiet ? std::string() : "stopped before " + what + "\n");
}

ENTRAIN_INLINE void Session::begin_steps() {
  if (s_.signals == nullptr) return;
  s_.signals->ask(s_.quiet ? std::string()
                           : "the training stops after this step and stores its state; a second signal ends the "
                             "program at once\n");
}
ENTRAIN_INLINE void Session::end_steps() {
  if (s_.signals == nullptr) return;
  s_.signals->end_program(s_.quiet ? std::string()
                                   : s_.output + " has the model; it was not reloaded, and no scores are printed\n");
}

ENTRAIN_INLINE void Session::say_stopped(std::string_view id) {
  records_.end(false);
  if (kept_ == 0) return;
  const std::string state = "stopped after step " + grouped(now_.done) + "; " + s_.output + " has the state of step " +
                            grouped(std::int64_t{kept_});
  if (detail::comes_again(id))
    return console_.insist(state +
                           ", but a training that resumes from it will fail in the same way: change the options or the "
                           "data, and start again with --overwrite");
  console_.insist(state + ". This command resumes the training:");
  console_.insist(resuming_command(s_.line));
}

ENTRAIN_INLINE void Session::say_interrupted(std::uint32_t step) {
  if (std::exchange(interrupted_, true)) return;
  records_.end(false);
  console_.finish(now_);
  const std::string stopped = "stopped by " + s_.signals->name() + " after step " + grouped(std::int64_t{step});
  if (kept_ == 0) return console_.insist(stopped + "; no state is stored");
  console_.insist(stopped + "; " + s_.output + " has the state of " +
                  (kept_ == step ? std::string("this step") : "step " + grouped(std::int64_t{kept_})) + ". " +
                  (s_.files.train == "-" ? "With the same standard input, this command resumes the training:"
                                         : "This command resumes the training:"));
  console_.insist(resuming_command(s_.line));
}

ENTRAIN_INLINE void Session::say_saved_only(const train::Outcome& outcome) {
  console_.insist("stopped by " + s_.signals->name() + " after the last step; " + s_.output + " has the model" +
                  (outcome.calibration.stopped ? ", which is not calibrated" : "") +
                  "; it was not reloaded, and no scores are printed");
  if (checkpoint::has_training_state(s_.output)) {
    console_.insist("This command repeats the last steps and finishes the training:");
    console_.insist(resuming_command(s_.line));
  }
}

ENTRAIN_INLINE StoredState stored_state(const Settings& settings) {
  if (settings.resume) return checkpoint::load_training_state(settings.output);
  return std::nullopt;
}

}  // namespace entrain::app
