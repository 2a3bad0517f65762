// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of byte_bpe_files.hpp. Read json_tokenizer_parts.ipp, pipeline_parts.ipp, piece_comparison.ipp and
// special_pieces.ipp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/checkpoint/byte_bpe_files.hpp"
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#include "entrain/checkpoint/piece_comparison.ipp"
#include "entrain/checkpoint/pipeline_parts.ipp"
#include "entrain/checkpoint/special_pieces.ipp"
#include "entrain/checkpoint/tokenizer_builder.ipp"
#include "entrain/text/unicode/nfc.hpp"

namespace entrain::checkpoint {

namespace detail {

inline constexpr std::string_view roberta_bpe = "RoBERTa's byte-level BPE";
inline constexpr std::string_view modernbert_bpe = "ModernBERT's byte-level BPE";

/// `left right`, which both have no space in them.
inline std::optional<text::ByteBpe::Pair> merge_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == line.npos || space == 0 || space + 1 == line.size() || line.find(' ', space + 1) != line.npos)
    return std::nullopt;
  return text::ByteBpe::Pair(line.substr(0, space), line.substr(space + 1));
}

inline std::vector<text::ByteBpe::Pair> merges_of_model(const Json& model, std::string_view where) {
  const Json* const all = model.find("merges");
  if (all == nullptr) throw Error("entrain.checkpoint.33", where, "no key 'model.merges'", "a list of pairs of pieces");
  if (!all->is_array()) wrong_value(where, "model.merges", *all, "an array");
  std::vector<text::ByteBpe::Pair> merges;
  merges.reserve(all->items().size());
  for (const Json& one : all->items()) {
    std::optional<text::ByteBpe::Pair> merge;
    if (one.is_string()) {
      merge = merge_of(one.text());
    } else if (one.is_array() && one.items().size() == 2 && one.items()[0].is_string() && one.items()[1].is_string()) {
      merge.emplace(one.items()[0].text(), one.items()[1].text());
    }
    if (!merge)
      throw Error("entrain.checkpoint.32", where,
                  "number " + std::to_string(merges.size() + 1) + " of model.merges is " + what_is(one),
                  "two pieces: an array, or a string with a space between them");
    merges.push_back(std::move(*merge));
  }
  return merges;
}

/// What must be as in RoBERTa's model, so that a piece never depends on it.
inline void check_bpe(const TokenizerParts& parts, const Json& model, std::string_view where, std::string_view name) {
  const auto refuse = [&](const char* key, const Json& found, const char* expected) {
    throw Error("entrain.checkpoint.50", where, "model." + std::string(key) + " " + found.dump(), expected,
                "this tokenizer is not " + std::string(name));
  };
  if (const Json* const dropout = parts.find(model, "dropout"))
    if (!dropout->is_number() || dropout->number<double>() != 0) refuse("dropout", *dropout, "null or 0");
  for (const char* const key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (!parts.text(model, "model.", key, "").empty()) refuse(key, *parts.find(model, key), "null or an empty string");
  for (const char* const key : {"byte_fallback", "ignore_merges"})
    if (parts.flag(model, "model.", key, false)) refuse(key, *parts.find(model, key), "false");
}

inline void compare_vocabularies(const FolderText& file, const ByteBpeFile& read) {
  const std::vector<std::string> other = parse_vocabulary(file.text, file.where);
  std::unordered_map<std::size_t, const std::string*> added;
  for (const text::AddedPiece& one : read.options.added) added.emplace(static_cast<std::size_t>(one.id), &one.text);
  for (std::size_t id = 0; id < std::max(other.size(), read.vocabulary.size()); ++id) {
    std::string ours = id < read.vocabulary.size() ? read.vocabulary[id] : "";
    const std::string theirs = id < other.size() ? other[id] : "";
    if (const auto it = added.find(id); it != added.end() && (ours.empty() || theirs.empty()))
      ours = theirs.empty() ? "" : *it->second;
    if (ours == theirs) continue;
    const auto said = [](const std::string& piece) { return piece.empty() ? "no piece" : in_quotes(piece); };
    throw Error("entrain.checkpoint.55", file.where, said(theirs) + " with id " + std::to_string(id),
                said(ours) + ", as in tokenizer.json",
                "use both files of the same model, or remove the one that is wrong");
  }
}

inline void compare_merges(const FolderText& file, const ByteBpeFile& read) {
  const auto other = parse_merges(file.text, file.where);
  const auto [theirs, ours] = std::mismatch(other.begin(), other.end(), read.merges.begin(), read.merges.end());
  if (theirs == other.end() && ours == read.merges.end()) return;
  const auto said = [](auto at, const auto& list) {
    return at == list.end() ? "no merge" : "merge " + in_quotes(at->first + " " + at->second);
  };
  const std::string number = std::to_string(theirs - other.begin() + 1);
  throw Error("entrain.checkpoint.55", file.where, said(theirs, other) + " at rank " + number,
              said(ours, read.merges) + ", as in tokenizer.json",
              "use both files of the same model, or remove the one that is wrong");
}

/// Whether transformers puts a space before the first word of a text: PreTrainedTokenizerFast does what tokenizer.json
/// says, RobertaTokenizer and its kin what tokenizer_config.json says (5.23).
inline bool transformers_adds_space(const std::optional<Json>& config, const std::vector<FolderText>& texts,
                                    bool in_tokenizer_json) {
  if (follows_tokenizer_json(config, texts)) return in_tokenizer_json;
  return config && stated_flag(*config, "add_prefix_space", path_in(texts, "tokenizer_config.json")).value_or(false);
}

}  // namespace detail

ENTRAIN_INLINE ByteBpeFile parse_byte_bpe(std::string_view text, std::string_view where, std::string_view name) {
  using namespace detail;
  TokenizerBuilder builder(text, where);
  nlohmann::json::sax_parse(text, &builder);
  ByteBpeFile file;
  file.vocabulary = std::move(builder.vocabulary);
  const TokenizerParts parts(builder.root(), where, name);
  const Json& model = parts.part("model", {"BPE"});
  check_bpe(parts, model, where, name);
  file.options.unk_token = parts.text(model, "model.", "unk_token", "");
  file.merges = merges_of_model(model, where);
  if (const Json* const normalizer = parts.part_if_there("normalizer"))
    for (const Json* const one : parts_of(*normalizer, "normalizers")) {
      if (type_of(*one) != "NFC") refuse_part(where, "normalizer", *one, "NFC or null", name);
      file.options.nfc = true;
    }
  const Json* const pre = parts.part_if_there("pre_tokenizer");
  if (pre == nullptr)
    throw Error("entrain.checkpoint.33", where, "no key 'pre_tokenizer'", "an object of type ByteLevel");
  const auto cuts = parts_of(*pre, "pretokenizers");
  if (cuts.size() != 1 || type_of(*cuts[0]) != "ByteLevel")
    refuse_part(where, "pre_tokenizer", cuts.size() == 1 ? *cuts[0] : *pre, "ByteLevel", name);
  file.add_prefix_space = parts.flag(*cuts[0], "pre_tokenizer.", "add_prefix_space", true);
  if (!parts.flag(*cuts[0], "pre_tokenizer.", "use_regex", true))
    throw Error("entrain.checkpoint.50", where, "pre_tokenizer.use_regex false", "true",
                "this tokenizer is not " + std::string(name));
  file.options.added = parts.added(file.vocabulary, true);
  read_around(parts, file, where, name);
  return file;
}

ENTRAIN_INLINE std::vector<std::string> parse_vocabulary(std::string_view text, std::string_view where) {
  detail::TokenizerBuilder builder(text, where, detail::TokenizerBuilder::Vocabulary::whole);
  nlohmann::json::sax_parse(text, &builder);
  if (const detail::Json root = builder.root(); !root.is_null() || builder.vocabulary.empty())
    throw Error("entrain.checkpoint.32", where, "no object of pieces and their ids", "the vocabulary");
  return std::move(builder.vocabulary);
}

ENTRAIN_INLINE std::vector<text::ByteBpe::Pair> parse_merges(std::string_view text, std::string_view where) {
  if (!text.starts_with("#version"))
    throw Error("entrain.checkpoint.54", std::string(where) + ":1",
                "the line " + detail::in_quotes(text.substr(0, text.find('\n'))), "a line that begins with #version",
                "restore the file: some programs do not read its first line, whatever it is");
  std::vector<text::ByteBpe::Pair> merges;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 0 || (line.empty() && at >= text.size())) continue;
    auto merge = detail::merge_of(line);
    if (!merge)
      throw Error("entrain.checkpoint.54", std::string(where) + ":" + std::to_string(number + 1),
                  "the line " + detail::in_quotes(line), "two pieces with a space between them", "restore the file");
    merges.push_back(std::move(*merge));
  }
  return merges;
}

namespace detail {

/// Refuses two added tokens that are one text after NFC: tokenizers finds either.
inline void check_normalized(const std::vector<text::AddedPiece>& added, const std::string& where) {
  std::unordered_map<std::string, const std::string*> met;
  text::Nfc nfc;
  for (const text::AddedPiece& one : added) {
    if (!one.normalized) continue;
    const auto [other, fresh] = met.emplace(nfc.apply(one.text) ? nfc.text() : one.text, &one.text);
    if (!fresh)
      throw Error(
          "entrain.checkpoint.31", where,
          "added tokens " + in_quotes(*other->second) + " and " + in_quotes(one.text) + " are the same text after NFC",
          "a text for each", "remove one of them, or state normalized: false");
  }
}

/// A folder with a tokenizer.json, with which the other texts are compared.
inline ByteBpeFile from_tokenizer_json(const FolderText& whole, const std::optional<Json>& config,
                                       const std::vector<FolderText>& texts) {
  const bool is_modern = is_modernbert(texts);
  ByteBpeFile file = parse_byte_bpe(whole.text, whole.where, is_modern ? modernbert_bpe : roberta_bpe);
  const bool follows = follows_tokenizer_json(config, texts);
  if (file.options.nfc && !follows)
    throw Error("entrain.checkpoint.50", whole.where, "normalizer of type 'NFC'",
                "null, as transformers' RobertaTokenizer",
                "load the folder in transformers and save it, or state the tokenizer_class PreTrainedTokenizerFast");
  compare_pieces(file, config, texts);
  if (const FolderText* const other = find_text(texts, "vocab.json")) compare_vocabularies(*other, file);
  if (const FolderText* const other = find_text(texts, "merges.txt")) compare_merges(*other, file);
  if (config) follow_decoder(*config, follows, file.options.added, path_in(texts, "tokenizer_config.json"));
  const SpecialPieces special(texts, config, file, is_modern ? bert_roles : roberta_roles);
  special.add(!follows);
  if (file.options.unk_token.empty()) file.options.unk_token = special.text("unk_token");  // as RoBERTa's own
  if (file.options.nfc) check_normalized(file.options.added, whole.where);
  const std::int32_t cls = special.id("cls_token"), sep = special.id("sep_token");
  if (!follows && (file.before != std::vector{cls} || file.after != std::vector{sep}))
    throw Error("entrain.checkpoint.55", whole.where, "other pieces around a text in post_processor",
                in_quotes(special.text("cls_token")) + " before it and " + in_quotes(special.text("sep_token")) +
                    " after it, as transformers' RobertaTokenizer",
                "load the folder in transformers and save it, or state the tokenizer_class PreTrainedTokenizerFast");
  return file;
}

/// A folder with vocab.json and merges.txt.
inline ByteBpeFile from_two_files(const FolderText& vocabulary, const FolderText& merges,
                                  const std::optional<Json>& config, const std::vector<FolderText>& texts) {
  const std::string where = path_in(texts, "tokenizer_config.json");
  ByteBpeFile file;
  file.vocabulary = parse_vocabulary(vocabulary.text, vocabulary.where);
  file.merges = parse_merges(merges.text, merges.where);
  if (config) file.options.added = added_tokens_decoder(*config, where, true);
  sort_by_id(file.options.added);
  check_added_ids(file.vocabulary, file.options.added, where);
  const SpecialPieces special(texts, config, file);
  special.add(true);
  for (const char* const role : {"cls_token", "sep_token", "unk_token"})
    if (special.id(role) < 0)
      throw Error("entrain.checkpoint.52", vocabulary.where, "no piece " + special.text(role), "an entry with it",
                  "name the right one in tokenizer_config.json, as " + std::string(role));
  file.before = {special.id("cls_token")};
  file.after = {special.id("sep_token")};
  file.options.unk_token = special.text("unk_token");
  check_added_tokens_json(texts, file.options.added);
  return file;
}

}  // namespace detail

ENTRAIN_INLINE ByteBpeFile read_byte_bpe(const std::vector<FolderText>& texts, const std::string& folder,
                                         std::vector<std::string>& notes) {
  using namespace detail;
  for (const FolderText& file : texts) check_text(file);
  const FolderText* const whole = find_text(texts, "tokenizer.json");
  const FolderText* const vocabulary = find_text(texts, "vocab.json");
  const FolderText* const merges = find_text(texts, "merges.txt");
  const auto config = object_in(texts, "tokenizer_config.json");
  const std::string where = path_in(texts, "tokenizer_config.json");
  const bool is_modern = is_modernbert(texts);
  ByteBpeFile file;
  if (whole != nullptr) {
    file = from_tokenizer_json(*whole, config, texts);
  } else if (is_modern) {
    throw Error("entrain.checkpoint.53", folder, "no tokenizer.json", "a tokenizer's file",
                "copy tokenizer.json from the folder of the pretrained model");
  } else if (vocabulary != nullptr && merges != nullptr) {
    file = from_two_files(*vocabulary, *merges, config, texts);
  } else {
    throw Error("entrain.checkpoint.53", folder,
                vocabulary != nullptr ? "vocab.json, but no merges.txt"
                : merges != nullptr   ? "merges.txt, but no vocab.json"
                                      : "no tokenizer.json, and no vocab.json with merges.txt",
                "a tokenizer's files", "name the model folder");
  }
  if (!is_modern)
    refuse_other_class(config, texts, {"RobertaTokenizer", "BartTokenizer", "LongformerTokenizer", "LEDTokenizer"});
  if (config) refuse_other_rules(*config, texts);
  if (config) compare_lengths(*config, texts, notes);
  if (!transformers_adds_space(config, texts, file.add_prefix_space))
    notes.push_back((is_modern ? whole->where + ": pre_tokenizer.add_prefix_space is false"
                     : config  ? where + ": add_prefix_space is not true"
                               : where + ": no such file") +
                    ": transformers puts no space before the first word of a text; here every word has one, as with "
                    "add_prefix_space true");
  return file;
}

ENTRAIN_INLINE std::vector<KeptFile> TokenizerOf<text::ByteBpe>::keep(const std::vector<FolderText>& texts) {
  using namespace detail;
  std::vector<KeptFile> kept;
  for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt", "special_tokens_map.json"})
    if (const FolderText* const file = find_text(texts, name)) kept.push_back({name, file->text});
  if (find_text(texts, "tokenizer.json") != nullptr) {
    // A key with these words, and a false after it, cannot be in a string: its quotes would be escaped there.
    constexpr std::string_view key = "\"add_prefix_space\"", no = "false";
    std::string& text = kept.front().text;
    for (std::size_t at = 0; (at = text.find(key, at)) != text.npos;) {
      at += key.size();
      const std::size_t value = text.find_first_not_of(" \t\r\n:", at);
      if (value != text.npos && std::string_view(text).substr(value).starts_with(no))
        text.replace(value, no.size(), "true");
    }
  }
  auto config = object_in(texts, "tokenizer_config.json");
  if (!config) config = Json::object();
  config->set("add_prefix_space", true);
  kept.push_back({"tokenizer_config.json", config->dump(2) + "\n"});
  return kept;
}

}  // namespace entrain::checkpoint
