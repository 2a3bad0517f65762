// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of resume.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/train/folder/save.hpp"  // remember
#include "entrain/train/state/resume.hpp"

namespace entrain::train {

ENTRAIN_INLINE std::string identity_of(const text::Corpus& c) {
  detail::Identity identity;
  identity.add(c.sentence);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::string_view word = c.token(i), tag = c.tag_name(i);
    identity.add(std::as_bytes(std::span(word)));
    identity.add(std::as_bytes(std::span(tag)));
  }
  for (std::size_t s = 0; s + 1 < c.classes.begin.size(); ++s)
    for (const std::int32_t id : c.classes_of(s)) {
      identity.add(std::as_bytes(std::span(&s, 1)));
      identity.add(std::as_bytes(std::span(c.classes.names[static_cast<std::size_t>(id)])));
    }
  return identity.words(c.sentences(), c.size());
}

ENTRAIN_INLINE void check_shared(const std::vector<checkpoint::NamedText>& stored,
                                 const std::vector<checkpoint::NamedText>& here, const std::string& where,
                                 const std::vector<checkpoint::NamedText>& files) {
  const auto text_in = [](const std::vector<checkpoint::NamedText>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& t) { return t.name == name; });
    return found == list.end() ? std::string("none") : found->text;
  };
  for (const auto* list : {&here, &stored})
    for (const checkpoint::NamedText& t : *list) {
      const std::string was = text_in(stored, t.name), is = text_in(here, t.name);
      if (was == is) continue;
      const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.name == t.name; });
      const std::string name = file == files.end() || file->text.empty() ? t.name : t.name + " " + file->text;
      throw Error("entrain.train.24", where, name + " of the stopped training: " + was, "the current " + is,
                  "use the original value, or start again without --resume");
    }
}

ENTRAIN_INLINE void prove_writable(const std::string& folder, const checkpoint::TrainingState& state) {
  checkpoint::Metadata texts;
  for (const checkpoint::NamedText& t : state.same) texts.emplace_back("same." + t.name, t.text);
  for (const checkpoint::NamedText& t : state.at) texts.emplace_back("at." + t.name, t.text);
  const std::string path = checkpoint::training_state_path(folder);
  checkpoint::stream_safetensors(
      {}, path, [](std::span<const std::byte>) {}, texts);
  checkpoint::AtomicFile<>(path).write("?");  // removed with the object
}

namespace detail {
ENTRAIN_INLINE void add_position(checkpoint::TrainingState& state, const Position& at) {
  Position::each(at, [&](const char* name, auto number) {
    state.at.push_back({name, checkpoint::exact_text(number)});
  });
}

ENTRAIN_INLINE Position position_of(const checkpoint::StoredTrainingState& stored) {
  Position at;
  Position::each(at, [&](const char* name, auto& number) {
    number = stored.number<std::remove_reference_t<decltype(number)>>(name);
  });
  return at;
}

ENTRAIN_INLINE void write_state(const std::string& folder, const checkpoint::TrainingState& state,
                                const std::vector<NamedNumbers>& numbers) {
  std::vector<checkpoint::TensorView> tensors;
  for (const NamedNumbers& n : numbers)
    tensors.push_back(
        {n.name, n.dtype, {static_cast<std::int64_t>(n.bytes.size() / checkpoint::bytes_of(n.dtype))}, n.bytes});
  checkpoint::save_training_state(folder, state, tensors);
}

ENTRAIN_INLINE std::span<const std::byte> stored_numbers(const checkpoint::StoredTrainingState& stored,
                                                         const std::string& name, checkpoint::Dtype dtype,
                                                         std::size_t size) {
  return stored.tensors.at(name, dtype, {static_cast<std::int64_t>(size)}).bytes;
}

ENTRAIN_INLINE void Identity::add(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();  // the same bytes with other boundaries are another list
  sum_.add(std::as_bytes(std::span(&size, 1)));
  sum_.add(bytes);
}
ENTRAIN_INLINE std::string Identity::words(std::size_t sentences, std::size_t words) {
  return std::to_string(sentences) + " sentences, " + std::to_string(words) + " words, sha256 " +
         sum_.hex().substr(0, 16);
}

ENTRAIN_INLINE std::vector<checkpoint::NamedText> shared(const Nature& nature, std::string corpus,
                                                         const Options& options,
                                                         std::vector<checkpoint::NamedText> more) {
  const bool by_type = !nature.labels.scheme.empty();  // a scheme and the types give all labels
  std::string labels;
  for (const std::string& one : by_type ? nature.labels.entity_types : nature.labels.labels)
    labels.append(labels.empty() ? "" : ", ").append(one);
  std::vector<checkpoint::NamedText> list{{"composition", nature.composition},
                                          {"loss", std::string(nature.loss)},
                                          {"trained parameters", std::to_string(nature.trained)},
                                          {by_type ? "entity types" : "labels", labels},
                                          {"precision", std::string(nature.precision)},
                                          {"optimizer", nature.optimizer + (nature.averages ? " and an average" : "")},
                                          {"training file", std::move(corpus)}};
  if (nature.schedule != optim::Schedule::name) list.push_back({"schedule", nature.schedule});
  checkpoint::Config numbers;  // the options, by the names of config.json
  remember(numbers, options);
  for (const auto& [name, value] : numbers.numbers)
    list.push_back({name, std::visit([](auto number) { return checkpoint::exact_text(number); }, value)});
  for (const auto& [name, text] : numbers.strings) list.push_back({name, text});
  if (options.knobs.head_rate != 1) list.push_back({"head_rate", checkpoint::exact_text(options.knobs.head_rate)});
  if (options.one_epoch) list.push_back({"one_epoch", "true"});
  list.push_back({"calibrate", options.calibrate ? "true" : "false"});
  std::string weights;
  for (const float weight : options.class_weights)
    weights.append(weights.empty() ? "" : ", ").append(checkpoint::exact_text(weight));
  list.push_back({"class weights", weights.empty() ? "all 1" : weights});
  for (auto& one : more) list.push_back(std::move(one));
  return list;
}
}  // namespace detail

}  // namespace entrain::train
