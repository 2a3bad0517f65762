// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of folder.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/checkpoint/convert.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/family/tensor_names.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/train/folder/folder.hpp"

namespace entrain::train {
namespace detail {

/// Biases and gains have one dimension, as everywhere else.
inline std::vector<std::int64_t> shape_of(const StoredTensor& t, int labels) {
  const auto extent = [&](int n) { return std::int64_t{n == dynamic_labels ? labels : n}; };
  if (t.rows == 1 && !t.matrix) return {extent(t.cols)};
  return {extent(t.rows), extent(t.cols)};
}

inline std::size_t number_bytes(const Stored& stored) {
  return checkpoint::bytes_of(stored.weights.files().front().tensors().front().dtype);
}

/// Whether a classifier's head reads the mean of the rows, or their first, by the model's words.
inline bool pools_mean(std::string_view words) { return words.find(", Mean, ") != words.npos; }
inline bool pools_first(std::string_view words) { return words.find(", First, ") != words.npos; }

/// The config.json of a model.
inline checkpoint::Config config_for(const Composition& here, checkpoint::Config about,
                                     const SourceFiles& source_files) {
  about.composition = here.words;
  about.others = source_files.config;
  for (checkpoint::NamedText& o : about.others)  // the type of the weights, by transformers' name and its older one
    if (o.name == "dtype" || o.name == "torch_dtype")
      o.text = here.dtype == checkpoint::Dtype::f64 ? "\"float64\"" : "\"float32\"";
  const bool pools = here.family != nullptr && !here.family->pooling_key.empty();
  if (pools && here.architecture == here.family->classifier && !about.others.empty()) {
    const std::string key(here.family->pooling_key);
    std::erase_if(about.others, [&](const checkpoint::NamedText& o) { return o.name == key; });
    about.others.push_back({key, pools_mean(here.words) ? "\"mean\"" : "\"cls\""});
  }
  if (!about.others.empty() && !here.architecture.empty())
    about.others.push_back({"architectures", "[\"" + std::string(here.architecture) + "\"]"});
  return about;
}

/// transformers accepts no tensor in model.safetensors that its own model does not have.
inline bool stores_head_apart(const Composition& here) { return here.family != nullptr && !here.own_part.empty(); }
inline std::string file_of_head(const Composition& here) { return std::string(here.own_part) + "safetensors"; }

/// Begins a file under its name without changing the existing one.
inline void prove_writable(const std::string& path) { checkpoint::AtomicFile<>(path).write("?"); }

/// Whether config.json is also for other programs.
inline bool for_other_programs(const checkpoint::Config& config) {
  return std::any_of(config.others.begin(), config.others.end(),
                     [](const checkpoint::NamedText& o) { return o.name == "model_type"; });
}

}  // namespace detail

ENTRAIN_INLINE Composition composition(std::string words, checkpoint::Dtype dtype, const family::Description* family,
                                       bool whole_texts, std::string_view own_part, const Layout& fewer,
                                       const Layout& more) {
  Composition c;
  c.words = std::move(words);
  c.dtype = dtype;
  c.family = family;
  c.own_part = own_part;
  const bool pooled = has_pooler(fewer);
  if (family != nullptr && !whole_texts) c.architecture = family->architecture;
  if (family != nullptr && whole_texts && pooled)  // as the class of transformers pools, or none
    if (detail::pools_first(c.words) || (!family->pooling_key.empty() && detail::pools_mean(c.words)))
      c.architecture = family->classifier;
  for (std::size_t i = 0; i < fewer.spans.size(); ++i) {
    const Span &a = fewer.spans[i], &b = more.spans[i];
    c.tensors.push_back({family::stored_name(a.name, family, pooled), a.rows == b.rows ? a.rows : dynamic_labels,
                         a.cols == b.cols ? a.cols : dynamic_labels, a.matrix()});
  }
  return c;
}

ENTRAIN_INLINE void write_model(const std::string& folder, const Composition& here, const Layout& layout,
                                const std::byte* values, checkpoint::Config about, const SourceFiles& source_files) {
  about = detail::config_for(here, std::move(about), source_files);
  const std::size_t bytes = checkpoint::bytes_of(here.dtype);
  const bool apart = detail::stores_head_apart(here);
  std::vector<checkpoint::TensorView> tensors, own;
  for (std::size_t i = 0; i < layout.spans.size(); ++i) {
    const Span& span = layout.spans[i];
    auto& into = apart && here.tensors[i].name.starts_with(here.own_part) ? own : tensors;
    into.push_back({here.tensors[i].name, here.dtype,
                    detail::shape_of(here.tensors[i], static_cast<int>(about.labels.size())),
                    std::span(values + span.offset * bytes, span.size() * bytes)});
  }
  std::vector<checkpoint::FileToSave> files{{std::string(checkpoint::weights_name), tensors}};
  if (!own.empty()) files.push_back({detail::file_of_head(here), own});
  for (const Attachment& a : source_files.files) files.push_back({a.name, a.text});
  checkpoint::save(folder, std::move(about), files);
}

ENTRAIN_INLINE void prove_writable(const std::string& folder, const Composition& here, checkpoint::Config about,
                                   const SourceFiles& source_files) {
  const auto path = [&](std::string_view name) { return checkpoint::detail::in(folder, name); };
  checkpoint::dump_config(detail::config_for(here, std::move(about), source_files), path(checkpoint::config_name));
  detail::prove_writable(path(checkpoint::config_name));
  detail::prove_writable(path(checkpoint::weights_name));
  if (detail::stores_head_apart(here)) detail::prove_writable(path(detail::file_of_head(here)));
  for (const Attachment& a : source_files.files) detail::prove_writable(path(a.name));
}

ENTRAIN_INLINE std::string command_for(const std::string& folder) {
  checkpoint::Config config;
  try {
    const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
    const std::string text = text::read_file(path);
    config = checkpoint::parse_config(text, path);
    checkpoint::parse_bert_config(text, path);
  } catch (const Error&) {  // its problem is not the subject of the message
    return {};
  }
  if (!detail::for_other_programs(config)) return {};  // without a model_type BERT's would be guessed
  const std::string head = head_in(config.composition);
  constexpr std::string_view usual = "softmax";  // --head of ./dev train
  return "./dev train --pretrained " + folder + (head.empty() || head == usual ? "" : " --head " + head);
}

ENTRAIN_INLINE Stored read_model(const std::string& folder, const Composition& here) {
  checkpoint::Model read = checkpoint::load(folder);
  const checkpoint::Config& config = read.config;
  const std::string where = config_path(folder);
  if (config.composition.empty()) {
    const std::string command = command_for(folder);
    throw Error("entrain.train.10", where, "no composition", "a model saved by entrain",
                command.empty() ? "name another folder" : "name another folder, or create one: " + command);
  }
  if (config.composition != here.words) {
    const Difference d = first_difference(config.composition, here.words);
    const std::string command = command_for(folder);
    throw Error("entrain.train.11", where, "a model with " + std::string(d.a), std::string(d.b) + " in this program",
                command.empty() ? "run the program that trained it (after ./dev train: ./dev predict -m " + folder +
                                      " or ./dev evaluate), or train again"
                                : "run the program that trained it: ./dev predict -m " + folder +
                                      " (or evaluate); or train again: " + command);
  }
  const int labels = here.labels_in(config, where);
  for (const checkpoint::NamedText& other : config.others)
    if (other.name == "num_labels" && other.text != std::to_string(labels))
      throw Error("entrain.train.12", where, "num_labels " + other.text,
                  std::to_string(labels) + ", the labels of id2label", "remove num_labels: id2label is sufficient");
  for (const StoredTensor& t : here.tensors)
    checkpoint::check_numbers(read.weights.at(t.name, here.dtype, detail::shape_of(t, labels)),
                              read.weights.holder(t.name).where());
  for (const checkpoint::Safetensors& file : read.weights.files())
    for (const auto& found : file.tensors())
      if (std::none_of(here.tensors.begin(), here.tensors.end(), [&](const auto& t) { return t.name == found.name; }))
        throw Error("entrain.train.13", file.where(),
                    "a tensor " + checkpoint::detail::in_quotes(found.name) + " that this model does not have",
                    "the " + std::to_string(here.tensors.size()) + " tensors of this model",
                    "load it into its own model");
  // A model that is also for other programs has keys for them.
  const bool others_read_it = detail::for_other_programs(config);
  for (const std::string& key : config.unknown_keys())
    if (!others_read_it || key.starts_with("entrain."))
      read.notes.push_back(where + ": " + checkpoint::detail::in_quotes(key) + " is kept, but not used");
  return {std::move(read.config), std::move(read.weights), std::move(read.texts), std::move(read.notes)};
}

ENTRAIN_INLINE void copy_values(const Stored& stored, const Composition& here, const Layout& layout,
                                std::byte* values) {
  for (std::size_t i = 0; i < layout.spans.size(); ++i) {
    const Span& span = layout.spans[i];
    const auto bytes = stored.weights.find(here.tensors[i].name)->bytes;
    std::memcpy(values + span.offset * detail::number_bytes(stored), bytes.data(), bytes.size());
  }
}

ENTRAIN_INLINE Survival copy_survivors(const Stored& stored, const Composition& here, const Layout& layout,
                                       const checkpoint::Config& now, std::byte* values) {
  const auto& old_names = stored.config.labels;
  std::unordered_map<std::string_view, std::size_t> old_at;
  for (std::size_t i = 0; i < old_names.size(); ++i) old_at.emplace(old_names[i], i);
  std::vector<std::size_t> old_of;  // [new label] the same label in the folder, or its number of labels
  for (const std::string& name : now.labels) {
    const auto at = old_at.find(name);
    old_of.push_back(at == old_at.end() ? old_names.size() : at->second);
  }

  const std::size_t one = detail::number_bytes(stored);
  for (std::size_t i = 0; i < layout.spans.size(); ++i) {
    const Span& span = layout.spans[i];
    const StoredTensor& t = here.tensors[i];
    const std::byte* const from = stored.weights.find(t.name)->bytes.data();
    const std::size_t old_cols = t.cols == dynamic_labels ? old_names.size() : static_cast<std::size_t>(t.cols);
    for (std::size_t r = 0; r < static_cast<std::size_t>(span.rows); ++r)
      for (std::size_t c = 0; c < static_cast<std::size_t>(span.cols); ++c) {
        const std::size_t old_r = t.rows == dynamic_labels ? old_of[r] : r,
                          old_c = t.cols == dynamic_labels ? old_of[c] : c;
        if ((t.rows == dynamic_labels && old_r == old_names.size()) ||
            (t.cols == dynamic_labels && old_c == old_names.size()))
          continue;
        std::memcpy(values + (span.offset + r * static_cast<std::size_t>(span.cols) + c) * one,
                    from + (old_r * old_cols + old_c) * one, one);
      }
  }

  Survival survival;
  survival.notes = stored.notes;
  const auto classes_of = [](const checkpoint::Config& config) -> const std::vector<std::string>& {
    return config.scheme.empty() ? config.labels : config.entity_types;  // a scheme gives a type several labels
  };
  const auto &old_classes = classes_of(stored.config), &new_classes = classes_of(now);
  const std::unordered_set<std::string_view> before(old_classes.begin(), old_classes.end()),
      after(new_classes.begin(), new_classes.end());
  for (const std::string& name : new_classes) (before.contains(name) ? survival.kept : survival.fresh).push_back(name);
  for (const std::string& name : old_classes)
    if (!after.contains(name)) survival.dropped.push_back(name);
  return survival;
}

}  // namespace entrain::train
