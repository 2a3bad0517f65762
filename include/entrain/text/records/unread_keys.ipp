// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of unread_keys.hpp.
#pragma once
#include <array>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/json.hpp"
#include "entrain/text/records/unread_keys.hpp"
#include "entrain/text/tags/labels.hpp"  // tag_problem

namespace entrain::text {
namespace detail {

inline constexpr std::array<std::string_view, 10> read_keys{
    "text", "tokens", "tokenized_text", "entities", "spans", "label", "labels", "ner", "tags", "ner_tags"};

template <std::size_t n> bool among(std::string_view key, const std::array<std::string_view, n>& names) {
  for (const std::string_view name : names)
    if (key == name) return true;
  return false;
}

/// Converts to lower case, without the characters that join words.
inline std::string plain_key(std::string_view key) {
  std::string s;
  for (const char c : key)
    if (c != '_' && c != '-' && c != ' ' && c != '.') s += 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return s;
}

inline bool called_start(std::string_view plain) {
  return plain.find("start") != plain.npos || plain.find("begin") != plain.npos || plain == "from" || plain == "offset";
}
inline bool called_end(std::string_view plain) {
  return plain.starts_with("end") || plain.ends_with("end") || plain == "to" || plain == "stop" || plain == "length" ||
         plain == "len";
}
inline bool called_place(std::string_view plain) {
  return among<8>(plain, {"span", "offset", "offsets", "position", "positions", "location", "indices", "charspan"});
}
inline bool called_label(std::string_view plain) {
  return plain.find("label") != plain.npos || plain.find("type") != plain.npos || plain.find("entity") != plain.npos ||
         among<6>(plain, {"tag", "category", "class", "ner", "kind", "nertag"});
}

/// kinds: a letter for each of an array's first values: n for numbers, s for strings.
inline bool shape_of_entity(std::string_view kinds) {
  return kinds.starts_with("nns") || kinds.starts_with("snn") || kinds == "nsn";
}

class EntityLook {
 public:
  explicit EntityLook(bool first_alone) : first_alone_(first_alone) {}

  /// Skips a value and inspects it. depth: its nesting depth
  bool look(Json& json, int depth = 0) {
    constexpr int deepest = 6;
    const Json::Kind kind = json.peek();
    if (depth <= deepest && kind == Json::Kind::array) return array(json, depth);
    if (depth <= deepest && kind == Json::Kind::object) return object(json, depth);
    json.skip();
    return false;
  }

 private:
  static char letter(Json::Kind kind) {
    return kind == Json::Kind::number ? 'n' : kind == Json::Kind::string ? 's' : kind == Json::Kind::array ? 'a' : 'o';
  }
  bool array(Json& json, int depth) {
    bool found = false;
    std::string kinds;
    json.array([&] {
      const bool first = kinds.empty();
      if (kinds.size() < 4) kinds += letter(json.peek());
      if (found || (first_alone_ && !first))
        json.skip();
      else
        found = look(json, depth + 1);
    });
    return found || shape_of_entity(kinds);
  }
  bool object(Json& json, int depth) {
    bool start = false, end = false, label = false, found = false;
    json.object([&](std::string_view key) {
      const std::string plain = plain_key(key);
      const Json::Kind kind = json.peek();
      if (kind == Json::Kind::number) {
        start |= called_start(plain);
        end |= called_end(plain);
        label |= plain == "label" || plain == "labelid";  // its number
        return false;
      }
      if (kind == Json::Kind::string) {
        label |= called_label(plain);
        return false;
      }
      if (kind == Json::Kind::array && called_place(plain)) {
        start = end = true;
        return false;
      }
      if (kind == Json::Kind::array && called_label(plain)) label = true;
      if (first_alone_ || found) return false;
      found = look(json, depth + 1);
      return true;
    });
    return found || (start && end && label);
  }

  bool first_alone_;
};

/// Names of a list of entities in other programs.
inline bool called_entities(std::string_view plain) {
  return among<13>(plain, {"annotation", "annotations", "ents", "entity", "mention", "mentions", "namedentities",
                           "entitymentions", "goldentities", "goldner", "nerlabels", "nerspans", "span"});
}
/// Names that this reader knows, in another spelling.
inline bool read_when_spelled(std::string_view plain) {
  return among<7>(plain, {"entities", "spans", "label", "labels", "ner", "tags", "nertags"});
}

/// The values of an array: whether all are strings, and all are tags.
struct TagLook {
  std::size_t values = 0;
  bool tags = true, strings = true;
};
inline TagLook look_for_tags(Json& json) {
  TagLook seen;
  std::string value;
  json.array([&] {
    ++seen.values;
    if (json.peek() != Json::Kind::string) {
      seen.tags = seen.strings = false;
      return json.skip();
    }
    value.clear();
    json.string(value);
    seen.tags = seen.tags && (value == "O" || (value.size() > 2 && tag_problem(value).empty()));
  });
  return seen;
}

/// The key under which words, as objects, have their tags; empty: none.
inline std::string tagged_words(Json& json) {
  std::string found;
  json.array([&] {
    if (!found.empty() || json.peek() != Json::Kind::object) return json.skip();
    json.object([&](std::string_view key) {
      const std::string plain = plain_key(key);
      const bool tag = plain.starts_with("ner") || plain.starts_with("ent") || plain.ends_with("ner") ||
                       plain.find("iob") != plain.npos || plain.find("bio") != plain.npos;
      if (tag && found.empty() && json.peek() == Json::Kind::string) found = key;
      return false;
    });
  });
  return found;
}

}  // namespace detail

[[gnu::cold]] ENTRAIN_INLINE bool seems_to_hold_entities(std::string_view value, bool first_alone) {
  Json json(value, {}, 0);
  return detail::EntityLook(first_alone).look(json);
}

[[gnu::cold]] ENTRAIN_INLINE UnreadKeys find_unread_keys(std::string_view line, std::size_t words) {
  UnreadKeys found;
  Json json(line, {}, 0);
  json.object([&](std::string_view key) {
    const Json::Kind kind = json.peek();
    if (key == "_view_id" && kind == Json::Kind::string) {
      std::string view;
      json.string(view);
      found.reviewed = view.starts_with("ner") || view.starts_with("spans");
      return true;
    }
    if (!found.key.empty()) return false;
    if (key == "tokens" && kind == Json::Kind::array) {
      if (const std::string of = detail::tagged_words(json); !of.empty()) found.key = of, found.tags = true;
      return true;
    }
    if (detail::among(key, detail::read_keys)) return false;
    if (kind != Json::Kind::array && kind != Json::Kind::object) return false;
    const std::string name(key), plain = detail::plain_key(key);
    const std::size_t from = json.at();
    json.skip();
    const std::string_view value = line.substr(from, json.at() - from);
    detail::TagLook tags;
    if (kind == Json::Kind::array) {
      Json again(value, {}, 0);
      tags = detail::look_for_tags(again);
    }
    const bool of_words = kind == Json::Kind::array && tags.values > 0 && tags.tags && tags.values == words;
    const bool strings = kind == Json::Kind::array && tags.values > 0 && tags.strings;
    if (of_words || detail::read_when_spelled(plain) || (!strings && detail::called_entities(plain)) ||
        seems_to_hold_entities(value, false)) {
      found.key = name;
      found.tags = of_words || plain == "tags" || plain == "nertags";
    }
    return true;
  });
  return found;
}

[[noreturn, gnu::cold]] ENTRAIN_INLINE void refuse_unread_entities(const Where& where, const std::string& key,
                                                                   bool tags) {
  refuse_record(where, "\"" + excerpt(key) + "\", an unknown key that seems to contain " + (tags ? "tags" : "entities"),
                tags ? "\"ner_tags\" or \"tags\"" : "\"entities\", \"spans\", \"label\", \"labels\" or \"ner\"",
                "rename it");
}

[[gnu::cold]] ENTRAIN_INLINE std::string keys_of(std::string_view value) {
  Json json(value, {}, 0);
  std::string s;
  if (json.peek() != Json::Kind::object) return s;
  json.object([&](std::string_view key) {
    s.append(s.empty() ? "\"" : ", \"").append(excerpt(key)).append("\"");
    return false;
  });
  return s;
}

}  // namespace entrain::text
