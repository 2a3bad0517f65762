// text > batch > embed > encode > head > optim > [checkpoint]
//
// The resume state of a training, in one file next to the model, training_state.safetensors: its numbers are tensors,
// everything else is text in the header. It is one file, so renaming it is the switch.
//
//   entrain.training_state    the format's version
//   sha256                    of everything below, and of the tensors' names and numbers
//   same.NAME                 a value that must be equal in a training that resumes from here
//   at.NAME                   the progress of the training
#pragma once
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/checkpoint/config.hpp"  // NamedText
#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

inline constexpr std::string_view training_state_name = "training_state.safetensors";
inline std::string training_state_path(const std::string& folder) { return detail::in(folder, training_state_name); }

/// A number as text that is read back to the same bits.
template <class T> std::string exact_text(T number) {
  char digits[32];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, number);
  return std::string(digits, end);
}

/// The texts of a resume state.
struct TrainingState {
  static constexpr int newest = 1;
  std::vector<NamedText> same;  // must be equal in a training that resumes: options, files, types
  std::vector<NamedText> at;    // the progress of the training
};

namespace detail {

inline constexpr std::string_view state_key = "entrain.training_state", sum_key = "sha256", same_key = "same.",
                                  at_key = "at.";

ENTRAIN_INLINE std::string sum_of(const TrainingState& state, std::span<const TensorView> tensors);

}  // namespace detail

/// Writes a resume state next to the model. The folder holds the old state or this one at every moment, and the model
/// is not changed.
///
/// throws    entrain.checkpoint.1 ... 4 (atomic_file.hpp), 14, 18, 19 (safetensors.hpp)
template <class System = Posix> void save_training_state(const std::string& folder, const TrainingState& state,
                                                         std::span<const TensorView> tensors, System system = {}) {
  Metadata texts{{std::string(detail::state_key), std::to_string(TrainingState::newest)},
                 {std::string(detail::sum_key), detail::sum_of(state, tensors)}};
  for (const NamedText& t : state.same) texts.emplace_back(std::string(detail::same_key) + t.name, t.text);
  for (const NamedText& t : state.at) texts.emplace_back(std::string(detail::at_key) + t.name, t.text);
  detail::make_folders(folder, system);
  OpenFolder<System> door(folder, system);
  const Temporary kind = door.lock() ? Temporary::replace : Temporary::unique;
  AtomicFile<System> out(training_state_path(folder), system, kind);
  stream_safetensors(
      tensors, out.path(), [&](std::span<const std::byte> piece) { out.write(piece); }, texts);
  out.finish();
  out.publish();
  door.sync();
}

/// A resume state as stored in a file, checked.
struct StoredTrainingState {
  TrainingState state;
  Safetensors tensors;

  const std::string& where() const { return tensors.where(); }
  /// The text under a name of state.at; nothing if there is none.
  const std::string* text(std::string_view name) const;
  /// The number under a name of state.at.
  /// throws    entrain.checkpoint.72: no number is stored there
  template <class T> T number(std::string_view name) const {
    const std::string* const stands = text(name);
    T value{};
    if (stands != nullptr) {
      const char* const last = stands->data() + stands->size();
      const auto [end, fault] = std::from_chars(stands->data(), last, value);
      if (fault == std::errc() && end == last) return value;
    }
    not_a_number(name, std::is_integral_v<T>);
  }

 private:
  [[noreturn]] void not_a_number(std::string_view name, bool whole) const;
};

/// Returns false for an inaccessible path. A later save there reports the reason.
template <class System = Posix> bool has_training_state(const std::string& folder, System system = {}) {
  FileInfo info;
  return system.info(training_state_path(folder), info) == 0 && info.exists;
}

/// throws    entrain.checkpoint.70: no such file
///           .71: a file of another kind         .35: a newer version         .73: changed since it was written
///           and those of read_safetensors
template <class System = Posix> StoredTrainingState load_training_state(const std::string& folder, System system = {}) {
  const std::string path = training_state_path(folder);
  if (!has_training_state(folder, system))
    throw Error("entrain.checkpoint.70", path, "no such file", "the state of a training that was stopped",
                "check --output; a training that finished, or stopped before its first state was stored, has none: "
                "start without --resume");
  StoredTrainingState stored{{}, read_safetensors(path, system)};
  std::string version, sum;
  for (const auto& [key, text] : stored.tensors.metadata()) {
    if (key == detail::state_key) version = text;
    if (key == detail::sum_key) sum = text;
    if (key.starts_with(detail::same_key)) stored.state.same.push_back({key.substr(detail::same_key.size()), text});
    if (key.starts_with(detail::at_key)) stored.state.at.push_back({key.substr(detail::at_key.size()), text});
  }
  if (version.empty())
    throw Error("entrain.checkpoint.71", path, "no key " + detail::in_quotes(detail::state_key), "a training's state",
                "this is another kind of file: start without --resume, which replaces it");
  if (version != std::to_string(TrainingState::newest))
    throw Error("entrain.checkpoint.35", path, "version " + detail::in_quotes(version) + " of a training's state",
                std::to_string(TrainingState::newest), "resume with the entrain version that started this training");
  if (const std::string found = detail::sum_of(stored.state, stored.tensors.tensors()); found != sum)
    throw Error("entrain.checkpoint.73", path, "its content has sha256 " + found.substr(0, 12) + "...",
                "sha256 " + sum.substr(0, 12) + "...",
                "the file is damaged: restore a copy, or start without --resume");
  return stored;
}

/// Call it when a training has ended.
template <class System = Posix> void remove_training_state(const std::string& folder, System system = {}) {
  const std::string path = training_state_path(folder);
  if (system.remove(path) != 0 && errno != ENOENT) detail::write_failed(path, "remove the file", errno);
}

#if defined(ENTRAIN_COMPILED)  // for the files of programs, compiled once
extern template void save_training_state(const std::string&, const TrainingState&, std::span<const TensorView>, Posix);
extern template StoredTrainingState load_training_state(const std::string&, Posix);
#endif

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/training_state.ipp"
#endif
