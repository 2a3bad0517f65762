// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of labelled_json.hpp.
#pragma once
#include "entrain/text/records/json.hpp"
#include "entrain/text/records/labelled_json.hpp"

namespace entrain::text {
namespace detail {

/// Reads a label that is not a list.
inline void read_label(Json& json, std::string& label) {
  label.clear();
  switch (json.peek()) {
    case Json::Kind::number:
      label = std::to_string(json.integer());
      return;
    case Json::Kind::boolean:
      label = json.boolean() ? "true" : "false";
      return;
    case Json::Kind::null:
      json.skip();
      return;
    default:
      json.string(label);
  }
}

inline bool names_entities(std::string_view key) {
  for (const std::string_view list : {"entities", "spans", "labels", "tags", "ner_tags", "ner"})
    if (key == list) return true;
  return false;
}

}  // namespace detail

ENTRAIN_INLINE bool begins_labelled(std::string_view head, const LabelledKeys& keys) {
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == head.npos) return false;
  bool text = false, label = false, list = false;
  try {
    Json json(head.substr(begin, head.find('\n', begin) - begin), "", 1);
    json.object([&](std::string_view key) {
      const Json::Kind kind = json.peek();
      text |= keys.is_text(key) && kind == Json::Kind::string;
      label |= keys.is_label(key) &&
               (kind == Json::Kind::string || kind == Json::Kind::number || kind == Json::Kind::boolean);
      list |= kind == Json::Kind::array && (detail::names_entities(key) || keys.is_label(key));
      return false;
    });
  } catch (const Error&) {
    return false;  // the file's reader reports the error
  }
  return text && label && !list;
}

ENTRAIN_INLINE bool read_labelled(std::string_view bytes, const Where& where, const LabelledKeys& keys,
                                  std::string& text, std::string& label, std::uint64_t* lone_surrogates,
                                  std::pair<std::size_t, std::size_t>* label_at) {
  Json json(bytes, where.file, where.line);
  if (json.peek() == Json::Kind::array)
    refuse_record(where, "an array", "an object per line", "convert it to lines: jq -c '.[]'");
  bool has_text = false, accepted = true, named = false;  // named: by the label's own name, which has priority
  std::string answer, other;
  std::pair<std::size_t, std::size_t> label_place, other_place;
  text.clear(), label.clear();
  const auto once = [&](std::string_view key, bool& met) {
    if (met) refuse_record(where, '"' + std::string(key) + "\" twice", "one");
    met = true;
  };
  json.object([&](std::string_view key) {
    if (keys.is_text(key)) {
      once(key, has_text);
      json.string(text);
    } else if (keys.is_label(key)) {
      if (keys.goes_before(key)) once(key, named);
      json.peek();
      const std::size_t from = json.at();
      detail::read_label(json, keys.goes_before(key) ? label : other);
      (keys.goes_before(key) ? label_place : other_place) = {from, json.at()};
    } else if (key == "answer" && json.peek() == Json::Kind::string) {
      answer.clear();
      json.string(answer);
      accepted = answer == "accept";
    } else {
      return false;
    }
    return true;
  });
  json.end();
  if (lone_surrogates != nullptr) *lone_surrogates += json.lone_surrogates();
  if (!named) label.swap(other);
  if (label_at != nullptr) *label_at = named ? label_place : other_place;
  if (!has_text) refuse_record(where, "no text", "\"" + keys.text() + "\"", "name its key with --text-column");
  if (keys.labels() && label.empty())
    refuse_record(where, "no label", keys.label(), "name its key with --label-column, or use --no-labels");
  return accepted;
}

ENTRAIN_INLINE void LabelledJson::Work::operator()(Raw& raw, Texts& texts) {
  texts.clear();
  texts.name = raw.name;
  const std::string_view bytes = detail::without_mark(raw.block, texts.met);
  std::uint64_t line = raw.block.line;
  whole_ = bytes;
  for (std::size_t at = 0; at < bytes.size(); ++line) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view record = bytes.substr(at, end - at);
    at = end + 1;
    ++texts.met.lines;
    if (record.ends_with('\r')) {
      record.remove_suffix(1);
      texts.met.crlf += at <= bytes.size();
    }
    if (record.find_first_not_of(" \t\r") != record.npos)
      take(record, {raw.name, line}, texts);
    else
      ++texts.met.separators;
  }
}

ENTRAIN_INLINE void LabelledJson::Work::take(std::string_view bytes, const Where& where, Texts& texts) {
  try {
    if (!is_valid_utf8(bytes)) refuse_record_not_utf8(where);
    if (!read_labelled(bytes, where, keys_, text_, label_, &texts.met.lone_surrogates)) {
      ++texts.met.unaccepted;
      return;
    }
  } catch (const Error& e) {
    const std::string place = where.words();
    const std::string_view reason = detail::reason_of(e, where, whole_, lenient_);
    if (!lenient_) detail::refuse_line(e, place, reason);
    ++texts.met.malformed;
    texts.problems.push_back({static_cast<std::uint32_t>(where.line), std::string(reason)});
    return;
  }
  texts.bytes += text_;
  texts.end_text(keys_.labels() ? texts.labels.add(label_) : Types::none, static_cast<std::uint32_t>(where.line));
}

}  // namespace entrain::text
