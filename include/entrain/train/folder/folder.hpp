// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Checks and converts between a composition and a model folder. Plain values only, so that it is compiled once.
// save.hpp and load.hpp are the templates before it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/family/contract.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/task/stored_labels.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/folder/describe.hpp"

namespace entrain::train {

/// A parameter as a tensor of a file. Extents that depend on the labels are `dynamic_labels`. A model on pieces is
/// stored by the names of its family (family/), so that transformers loads it. The parameters that its classifier does
/// not have are in a file of their own: a CRF's transitions in crf.safetensors (head::own_part_of).
struct StoredTensor {
  std::string name;
  int rows = 0, cols = 0;
  bool matrix = false;  // of two dimensions, also if it has one row
};

/// Whether a model has a pooler: then its head may have other names (Names::in_pooled_head).
inline bool has_pooler(const Layout& layout) {
  return std::any_of(layout.spans.begin(), layout.spans.end(),
                     [](const Span& span) { return span.name.starts_with("head.pooler."); });
}

/// The description of a composition for a folder, before any labels are known.
struct Composition {
  std::string words;  // describe.hpp
  checkpoint::Dtype dtype = checkpoint::Dtype::f32;
  const family::Description* family = nullptr;  // sets the names of tensors; null: entrain's names
  std::string_view own_part;                    // head::own_part_of
  std::string_view architecture;                // its class in transformers; empty: there is none
  std::vector<StoredTensor> tensors;            // in walking order
  /// The number of labels in a config.json; throws what task::read_labels of the model's task throws.
  int (*labels_in)(const checkpoint::Config&, std::string_view where) = nullptr;
};

/// family         Model::family
/// whole_texts    the model is a classifier of texts
/// own_part       head::own_part_of the model's head
/// fewer, more    its layouts for two numbers of labels. Extents that differ depend on the labels.
ENTRAIN_INLINE Composition composition(std::string words, checkpoint::Dtype dtype, const family::Description* family,
                                       bool whole_texts, std::string_view own_part, const Layout& fewer,
                                       const Layout& more);

template <class Model, class Number> [[gnu::cold]] Composition composition_of() {
  Composition c = composition(describe<Model>(), checkpoint::DtypeOf<Number>::value, Model::family,
                              batch::whole_texts<typename Model::Features>, head::own_part_of<typename Model::Head>,
                              layout_of<Model>(2), layout_of<Model>(3));
  c.labels_in = [](const checkpoint::Config& config, std::string_view where) {
    return int{task::read_labels<typename Model::Task>(config, where).count()};
  };
  return c;
}

/// The path of a folder's config.json.
inline std::string config_path(const std::string& folder) {
  return folder + "/" + std::string(checkpoint::config_name);
}

/// A folder that was checked against a composition.
struct Stored {
  checkpoint::Config config;
  checkpoint::Weights weights;
  std::vector<checkpoint::FolderText> texts;  // config.json and the tokenizer's files, read with the weights
  std::vector<std::string> notes;             // messages for the user
};

/// The content of a folder that a model keeps: files besides the weights, unchanged (a tokenizer's), and the keys of
/// config.json for other programs (hidden_size, ...).
using Attachment = checkpoint::KeptFile;
struct SourceFiles {
  std::vector<Attachment> files;
  std::vector<checkpoint::NamedText> config;  // top-level keys and their JSON
  std::string config_text;                    // config.json as it was read
};

/// Writes values laid out by `layout`. At every moment the folder holds the old model or the new one.
///
/// about     for config.json: splitters, numbers and strings, and the labels, by task::write_labels; the composition is
///           filled in
/// throws    what checkpoint::save throws
ENTRAIN_INLINE void write_model(const std::string& folder, const Composition& here, const Layout& layout,
                                const std::byte* values, checkpoint::Config about,
                                const SourceFiles& source_files = {});

/// Refuses before the training what write_model would refuse after it: a text that JSON cannot hold, a file that cannot
/// be written or replaced. The folder does not change.
///
/// throws    what checkpoint::save throws
ENTRAIN_INLINE void prove_writable(const std::string& folder, const Composition& here, checkpoint::Config about,
                                   const SourceFiles& source_files = {});

/// `./dev train --pretrained FOLDER`, which builds a trainer for the folder, if config.json belongs to BERT's family;
/// else nothing. For messages: it throws nothing, whatever the folder holds.
ENTRAIN_INLINE std::string command_for(const std::string& folder);

/// Reads a folder and checks that it belongs to this composition.
///
/// throws    what checkpoint::load throws
///           entrain.train.10: no model of entrain            .11: another composition, with the first difference;
///           both with command_for
///           entrain.train.12: labels that do not go together, or their number
///           entrain.train.13: a tensor that the model does not have
///           entrain.checkpoint.26, 27: a tensor is missing or has another shape
///           entrain.checkpoint.66: a number that is not finite
ENTRAIN_INLINE Stored read_model(const std::string& folder, const Composition& here);

/// Copies a folder's values to their places in `layout`, which is for the folder's own labels.
ENTRAIN_INLINE void copy_values(const Stored& stored, const Composition& here, const Layout& layout, std::byte* values);

/// Entity types that were kept, are new, or were dropped; for a task without them, labels.
struct Survival {
  std::vector<std::string> kept, fresh, dropped;
  std::vector<std::string> notes;  // about the folder that was read
};

/// Copies the values that a folder and a layout with other labels share: all of a tensor that does not depend on the
/// labels; rows and columns of labels that both have. The other values do not change.
///
/// now       the labels that `layout` is for, by task::write_labels
ENTRAIN_INLINE Survival copy_survivors(const Stored& stored, const Composition& here, const Layout& layout,
                                       const checkpoint::Config& now, std::byte* values);

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/folder/folder.ipp"
#endif
