// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of labelled_json.hpp.
#pragma once
#include <array>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/json.hpp"
#include "entrain/text/records/labelled_json.hpp"

namespace entrain::text {
namespace detail {

/// Reads a label that is not a list.
inline std::string read_label(Json& json) {
  std::string label;
  switch (json.peek()) {
    case Json::Kind::number:
      return std::to_string(json.integer());
    case Json::Kind::boolean:
      return json.boolean() ? "true" : "false";
    default:
      json.string(label);
      return label;
  }
}

struct LabelsOfKey {
  std::vector<std::string> names;
  std::vector<std::pair<std::size_t, std::size_t>> at;  // the bytes [first, second) of each
};

/// Reads what a label's key has.
inline void read_labels(Json& json, const Where& where, const LabelledKeys& keys, LabelsOfKey& found) {
  found = {};
  if (json.peek() == Json::Kind::null) return json.skip();
  const auto read = [&] {
    json.peek();  // passes blanks
    const std::size_t from = json.at();
    found.names.push_back(read_label(json));
    found.at.emplace_back(from, json.at());
  };
  if (!keys.many() || json.peek() != Json::Kind::array) {
    read();
    if (found.names[0].empty()) found = {};
    return;
  }
  json.array([&] {
    read();
    if (found.names.back().empty()) refuse_record(where, "an empty label in a list", "names of classes");
  });
  if (const std::string name = repeated_name(found.names); !name.empty())
    refuse_record(where, "label '" + excerpt(name) + "' twice", "each label once");
}

/// Whether no item of the list is a list or an object, so that it may be one of labels. Reads it.
inline bool read_if_list_of_labels(Json& json) {
  bool labels = true;
  json.array([&] {
    const Json::Kind kind = json.peek();
    labels &= kind != Json::Kind::array && kind != Json::Kind::object;
    json.skip();
  });
  return labels;
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
      if (kind == Json::Kind::array && keys.many() && keys.is_label(key)) {
        const bool labels = detail::read_if_list_of_labels(json);
        label |= labels;
        list |= !labels;
        return true;
      }
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
                                  std::string& text, std::vector<std::string>& labels, std::uint64_t* lone_surrogates,
                                  std::vector<std::pair<std::size_t, std::size_t>>* label_at) {
  Json json(bytes, where.file, where.line);
  if (json.peek() == Json::Kind::array)
    refuse_record(where, "an array", "an object per line", "convert it to lines: jq -c '.[]'");
  bool has_text = false, accepted = true;
  int rank = 0;                     // of the key that has the labels
  std::array<bool, 4> of_rank{};    // whether there was a key
  detail::LabelsOfKey best, other;  // other: of a key of lower rank
  std::string answer;
  text.clear(), labels.clear();
  const auto once = [&](std::string_view key, bool& met) {
    if (met) refuse_record(where, '"' + std::string(key) + "\" twice", "one");
    met = true;
  };
  json.object([&](std::string_view key) {
    if (keys.is_text(key)) {
      once(key, has_text);
      json.string(text);
    } else if (keys.is_label(key)) {
      const int found = keys.rank(key);
      once(key, of_rank[static_cast<std::size_t>(found)]);
      detail::read_labels(json, where, keys, found > rank ? best : other);
      rank = std::max(rank, found);
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
  if (!has_text) refuse_record(where, "no text", "\"" + keys.text() + "\"", "name its key with --text-column");
  labels = std::move(best.names);
  if (label_at != nullptr) *label_at = std::move(best.at);
  if (keys.labels() && (keys.many() ? rank == 0 : labels.empty()))
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
    if (!read_labelled(bytes, where, keys_, text_, labels_, &texts.met.lone_surrogates)) {
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
  for (const std::string& label : labels_) texts.add_label(label);
  texts.end_text(static_cast<std::uint32_t>(where.line));
}

}  // namespace entrain::text
