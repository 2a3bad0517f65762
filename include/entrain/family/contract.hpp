// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// The definition of a family of pretrained encoders: the keys of its config.json, the names of its tensors, and its
// tokenizer. bert.hpp is the example; all.hpp lists the existing families.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "entrain/text/tokenizer/contract.hpp"

namespace entrain::family {

/// Views a constant array, as std::span does, which takes longer to compile.
template <class T> class List {
 public:
  constexpr List() = default;
  template <std::size_t N> constexpr List(const T (&array)[N]) : first_(array), size_(N) {}
  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + size_; }

 private:
  const T* first_ = nullptr;
  std::size_t size_ = 0;
};

/// A number of config.json: its key, and the value where the key is missing. An empty key: always that value.
struct Number {
  std::string_view key;
  std::int64_t otherwise = 0;
};
struct Real {
  std::string_view key;
  double otherwise = 0;
};
struct Text {
  std::string_view key, otherwise;
};

/// The keys of config.json by their meaning. cmake/EntrainFamilies.cmake reads them from the family's header, so each
/// is written as `.width = {"hidden_size", 768}`.
struct Keys {
  Number vocabulary, positions, types;  // rows of the tables; types 0: there is no table of token types
  Number width, layers, heads, intermediate;
  Real eps;  // of every norm
  Text act;
  Number embedding = {};  // columns of the tables; an empty key: as many as `width`
  // Of ModernBERT's blocks (encode/modern_bert_config.hpp), in the forms of config.json before transformers 5; that of
  // transformers 5 is read too: layer_types and rope_parameters. Empty keys: BERT's blocks.
  Number local_attention = {}, global_every = {};
  Real global_theta = {}, local_theta = {};
};

/// A key of config.json that must hold this JSON if it is present; a missing key means this value.
struct Only {
  std::string_view key, json, remedy;
};

/// A part of a parameter's name.
struct Renamed {
  std::string_view ours, theirs;
};

/// The names of tensors. Entrain's names are those of embed::Bert, encode::PostNormBlock and the head, as in
/// embed.word_embeddings.weight, encode.3.attention.self.query.weight, head.classifier.weight. The head's are stored
/// without "head.".
struct Names {
  std::string_view prefix;                // of the encoder's tensors in a model for a task; may be missing in a folder
  std::string_view embeddings, blocks;    // after the prefix: for "embed.", and for "encode." before a block's number
  List<Renamed> in_embeddings, in_block;  // beginnings of names that differ there; an empty beginning is any
  List<Renamed> in_head = {};             // and in the head; one that begins with the prefix is a pretrained tensor
  List<Renamed> in_pooled_head = {};      // the same for a classifier with a pooler, if its names are others
  List<std::string_view> pretrained_in_head = {};  // beginnings of the head's stored names that are such tensors too
  List<Renamed> older_ends;                        // ends of stored names: one is written, the other is also read
  List<std::string_view> not_read;                 // tensors, with or without the prefix, that a tagger ignores
  List<std::string_view> other_heads;              // beginnings of the names of heads
};

/// A family as a value, for code that is compiled once.
struct Description {
  std::string_view model_type;    // in config.json
  std::string_view architecture;  // the class of a trained tagger in transformers
  std::string_view classifier;    // and of a trained classifier of texts; empty: the family has none
  std::string_view type;          // the family's own name in C++, for messages
  std::string_view embedding;     // the name of its embedding in a composition's text
  std::string_view pooling_key;   // of config.json: whether its classifier reads the mean of the rows; empty: the first
  int first_position = 0;
  double dropout = 0;  // of a training, where the user names none: that of its config.json in transformers
  Keys keys;
  List<Only> only;
  Names names;
};

/// Every family has these static members, and the type of its tokenizer. Optional: `classifier`, the class of
/// transformers for classes of texts; PoolerAct, the activation function of its pooler if that is not tanh;
/// `pooler_drops_input = true` if there is dropout before the pooler, too; pooling_key, the key of config.json that is
/// "cls" or "mean", if the classifier can pool in both ways; dropout, if a training's is not 0.1; and
/// `has_prediction_head = true` if taggers and classifiers have ModernBERT's prediction head before the labels' scores.
///
/// first_position   the row of the table of positions for the first piece of a window: 0, or higher where rows are
///                  reserved, as in RoBERTa's table, whose first position is pad_token_id + 1 = 2
template <class F>
concept IsFamily = requires {
  { F::model_type } -> std::convertible_to<std::string_view>;
  { F::architecture } -> std::convertible_to<std::string_view>;
  { F::type } -> std::convertible_to<std::string_view>;
  { F::embedding } -> std::convertible_to<std::string_view>;
  { F::first_position } -> std::convertible_to<int>;
  { F::keys } -> std::convertible_to<Keys>;
  { F::only } -> std::convertible_to<List<Only>>;
  { F::names } -> std::convertible_to<Names>;
  requires text::IsTokenizer<typename F::Tokenizer>;
};

template <class F> inline constexpr bool is_family = IsFamily<F>;  // for static_assert, as device::is_device

namespace detail {
// Variables, as in core/contract.hpp.

/// A type that has any of these is meant as a family.
template <class F> inline constexpr bool begins_family = requires { F::model_type; }
|| requires { F::keys; }
|| requires { F::names; };
template <class F> inline constexpr bool has_model_type = requires {
  { F::model_type } -> std::convertible_to<std::string_view>;
};
template <class F> inline constexpr bool has_architecture = requires {
  { F::architecture } -> std::convertible_to<std::string_view>;
};
template <class F> inline constexpr bool has_type = requires {
  { F::type } -> std::convertible_to<std::string_view>;
};
template <class F> inline constexpr bool has_embedding = requires {
  { F::embedding } -> std::convertible_to<std::string_view>;
};
template <class F> inline constexpr bool has_first_position = requires {
  { F::first_position } -> std::convertible_to<int>;
};
template <class F> inline constexpr bool has_keys = requires {
  { F::keys } -> std::convertible_to<Keys>;
};
template <class F> inline constexpr bool has_only = requires {
  { F::only } -> std::convertible_to<List<Only>>;
};
template <class F> inline constexpr bool has_names = requires {
  { F::names } -> std::convertible_to<Names>;
};
template <class F> inline constexpr bool has_tokenizer = requires { typename F::Tokenizer; };
}  // namespace detail

/// `static_assert(family_contract<F>());` does not compile for a type that is no family: one sentence for each member
/// that it lacks.
template <class F> consteval bool family_contract() {
  static_assert(detail::has_model_type<F>,
                "entrain: this family has no 'static constexpr std::string_view model_type', the value of model_type "
                "in config.json; see docs/extending/encoder.md.");
  static_assert(detail::has_architecture<F>,
                "entrain: this family has no 'static constexpr std::string_view architecture', the class of a trained "
                "tagger in transformers; see docs/extending/encoder.md.");
  static_assert(detail::has_type<F>,
                "entrain: this family has no 'static constexpr std::string_view type', its own name in C++, as "
                "\"::own::Family\"; see docs/extending/encoder.md.");
  static_assert(detail::has_embedding<F>,
                "entrain: this family has no 'static constexpr std::string_view embedding', the name of its embedding "
                "in config.json; see docs/extending/encoder.md.");
  static_assert(detail::has_first_position<F>,
                "entrain: this family has no 'static constexpr int first_position', the row of the position table for "
                "the first piece; see docs/extending/encoder.md.");
  static_assert(detail::has_keys<F>,
                "entrain: this family has no 'static constexpr family::Keys keys', its keys in config.json; see "
                "docs/extending/encoder.md.");
  static_assert(detail::has_only<F>,
                "entrain: this family has no 'static constexpr family::Only only[]', the keys that must have one "
                "value; see docs/extending/encoder.md.");
  static_assert(detail::has_names<F>,
                "entrain: this family has no 'static constexpr family::Names names', the names of its tensors; see "
                "docs/extending/encoder.md.");
  static_assert(detail::has_tokenizer<F>,
                "entrain: this family has no type Tokenizer, as 'using Tokenizer = text::WordPiece;'; see "
                "docs/extending/encoder.md.");
  if constexpr (detail::has_tokenizer<F>) static_assert(text::tokenizer_contract<typename F::Tokenizer>());
  return true;
}

/// Whether folders of a family can have this many token types: none if config.json has no key for them, else at least
/// 1.
template <class F> consteval bool has_types(int types) {
  if constexpr (IsFamily<F>) {
    return Keys(F::keys).types.key.empty() ? types == Keys(F::keys).types.otherwise : types >= 1;
  } else {
    return true;
  }
}

namespace detail {
template <class F> constexpr std::string_view classifier_of() {
  if constexpr (requires { F::classifier; }) return F::classifier;
  return {};
}
template <class F> constexpr double dropout_of() {
  if constexpr (requires { F::dropout; }) return F::dropout;
  return 0.1;
}
template <class F> constexpr std::string_view pooling_key_of() {
  if constexpr (requires { F::pooling_key; }) return F::pooling_key;
  return {};
}
}  // namespace detail

/// The one description of a family.
template <IsFamily F> inline constexpr Description of{.model_type = F::model_type,
                                                      .architecture = F::architecture,
                                                      .classifier = detail::classifier_of<F>(),
                                                      .type = F::type,
                                                      .embedding = F::embedding,
                                                      .pooling_key = detail::pooling_key_of<F>(),
                                                      .first_position = F::first_position,
                                                      .dropout = detail::dropout_of<F>(),
                                                      .keys = F::keys,
                                                      .only = F::only,
                                                      .names = F::names};

}  // namespace entrain::family
