// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program made from a trainer type:
//
//   int main(int argc, char** argv) { return entrain::app::ner<Trainer>(argc, argv); }
#pragma once
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "entrain/app/corpora.hpp"
#include "entrain/app/evaluate.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/machine.hpp"
#include "entrain/app/optimised.hpp"
#include "entrain/app/parse.hpp"
#include "entrain/app/predict.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/train.hpp"
#include "entrain/report/width.hpp"
#include "entrain/train/describe.hpp"

namespace entrain::app {
namespace detail {

/// Where the corpus lies that stands for no file at all: the build says it.
inline std::string example_folder() {
#if defined(ENTRAIN_EXAMPLE_DATA)
  return ENTRAIN_EXAMPLE_DATA;
#else
  return {};
#endif
}

template <class Trainer> [[gnu::cold]] int run(Settings& s) {
  using Model = typename Trainer::Model;
  using Policy = typename Trainer::Policy;
  using Device = typename Trainer::Device;
  switch (s.command) {
    case Command::train:
      resolve(s.files, example_folder());
      return train_model<Trainer>(s);
    case Command::evaluate:
      resolve(s.files, example_folder());
      return evaluate_model<Model, Policy, Device>(s);
    case Command::predict:
      return predict_entities<Model, Policy, Device>(s);
    case Command::check:
      return check(s);
    case Command::convert:
      return convert(s);
    case Command::score:
      return score_files(s);
  }
  return 2;
}

}  // namespace detail

/// train | evaluate | predict | check | convert | score. Data goes to standard output, everything else to standard
/// error; the exit code is 0, or 1 after an error in files, device or numbers (one line says which), or 2 for wrong
/// usage. `defaults`: what options mean that the command line does not name.
template <class Trainer>
[[gnu::cold]] int ner(int argc, const char* const* argv, train::Options defaults = train::default_options<Trainer>()) {
  try {
    Settings settings;
    settings.training = defaults;
    const std::optional<int> over = parse(argc, argv, settings, train::describe<typename Trainer::Model>());
    if (over) return *over;
    warn_of_no_optimisation(ENTRAIN_OPTIMISED, settings);
    return detail::run<Trainer>(settings);
  } catch (const Error& e) {
    std::fprintf(stderr, "error: %s\n", report::harmless(e.what()).c_str());
    if constexpr (!Trainer::Device::in_host_memory)
      if (e.id().starts_with("entrain.device."))
        std::fprintf(stderr, "%s\n", report::harmless(on_the_processor(argv[0])).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "error: entrain.app.6: memory: the machine has no more; lower --token-budget, split longer "
                 "sentences, or read smaller files\n");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
  }
  return 1;
}

}  // namespace entrain::app
