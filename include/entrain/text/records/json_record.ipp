// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of json_record.hpp.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/json.hpp"
#include "entrain/text/records/json_record.hpp"
#include "entrain/text/records/unread_keys.hpp"

namespace entrain::text {
namespace detail {

/// Comparison with a text known at compile time: it calls no function.
template <std::size_t n> bool is(std::string_view key, const char (&known)[n]) {
  return key.size() == n - 1 && std::memcmp(key.data(), known, n - 1) == 0;
}

/// For readers that do not need the places of labels.
struct PlacesNotKept {
  static constexpr bool kept = false;
};

/// Places    PlacesNotKept, or a type with add(begin, end, tag): it gets the bytes of each string that is a label or a
///           tag
template <class Places = PlacesNotKept> class JsonRecordReader {
 public:
  JsonRecordReader(std::string_view bytes, const Where& where, const RecordOptions& options, Record& record,
                   Places places = {})
      : bytes_(bytes),
        json_(bytes, where.file, where.line),
        where_(where),
        options_(options),
        record_(record),
        places_(places) {}

  void read() {
    object_ = bytes_;
    if (json_.peek() == Json::Kind::array)
      pair();
    else
      object();
    json_.end();
    record_.lone_surrogates = json_.lone_surrogates();
    const bool texts = record_.words_are == Record::WordsAre::text;
    record_.of_words = word_entities_ || (has_ner_ && record_.annotations.empty() && !glanced_entities_ && texts);
    if (glanced_tags_) record_.has_tags = *glanced_tags_ == (texts ? record_.words.size() : record_.places.size() / 2);
    if (!record_.accepted || options_.texts_only) return;
    if (!record_.has_annotations && !record_.has_tags)
      look_for_unread();
    else
      record_.unread = std::move(unread_);
    if (lone_label_ && !record_.has_annotations && !record_.has_tags)
      refuse_record(where_, "a label that is not a list", "a list of entities",
                    "for one label per text, use --input-format labelled");
    if (record_.of_words)
      for (Annotation& a : record_.annotations) a.end += a.end < std::numeric_limits<std::int64_t>::max();
  }

 private:
  void object() {
    json_.object([&](std::string_view key) { return take(key) || pass_over(key); });
  }
  /// ["text", {"entities": [...]}], the training format of spaCy.
  void pair() {
    int values = 0;
    const auto refuse = [&] {
      refuse_record(where_, "an array", "an object per line", "convert it to lines: jq -c '.[]'");
    };
    json_.array([&] {
      if (json_.peek() != (values == 0 ? Json::Kind::string : Json::Kind::object) || values > 1) refuse();
      const std::size_t from = json_.at();
      if (values++ == 0) {
        json_.string(record_.text);
        record_.has_text = true;
      } else {
        object();
        object_ = bytes_.substr(from, json_.at() - from);
      }
    });
    if (values < 2) refuse();
  }

  /// A skipped list of lists or objects may hold entities.
  bool pass_over(std::string_view key) {
    if (options_.texts_only || json_.peek() != Json::Kind::array) return false;
    const std::size_t from = json_.at();
    json_.skip();
    const std::string_view value = bytes_.substr(from, json_.at() - from);
    const std::size_t first = value.find_first_not_of(" \t\r\n", 1);
    if ((value[first] == '{' || value[first] == '[') && unread_.empty() && seems_to_hold_entities(value, true))
      unread_ = key;
    return true;
  }

  /// For a record that has no list of entities or tags.
  [[gnu::cold]] void look_for_unread() {
    const UnreadKeys found = find_unread_keys(object_, record_.words.size());
    if (!found.key.empty()) refuse_unread_entities(where_, found.key, found.tags);
    record_.has_annotations = answered_ && found.reviewed && record_.has_text;
  }

  bool take(std::string_view key) {
    if (key.size() < 3 || key.size() > 14) return false;
    if (is(key, "text")) {
      if (json_.peek() == Json::Kind::null) return false;
      if (std::exchange(record_.has_text, true)) twice(key);
      json_.string(record_.text);
    } else if (is(key, "tokens") || is(key, "tokenized_text")) {
      return words(key);
    } else if (is(key, "entities") || is(key, "spans") || is(key, "label") || is(key, "labels") || is(key, "tags") ||
               is(key, "ner_tags") || is(key, "ner")) {
      return options_.texts_only ? glance(key) : entities_or_tags(key);
    } else if (is(key, "sentences")) {
      if (json_.peek() == Json::Kind::null) return false;
      if (std::exchange(record_.has_sentences, true)) twice(key);
      json_.array([&] { record_.sentences.push_back(json_.integer()); });
    } else if (is(key, "answer")) {
      if (json_.peek() == Json::Kind::null) return false;
      if (std::exchange(answered_, true)) twice(key);
      scratch_.clear();
      json_.string(scratch_);
      record_.accepted = scratch_ == "accept";
    } else {
      return false;
    }
    return true;
  }
  [[noreturn, gnu::cold]] void twice(std::string_view key) const {
    refuse_record(where_, '"' + std::string(key) + "\" twice", "one");
  }

  /// For a reader of texts: whether the record has tags, or entities that count words. Such words are one sentence.
  bool glance(std::string_view key) {
    const bool for_tags = is(key, "tags") || is(key, "ner_tags"), ner = is(key, "ner");
    const Json::Kind kind = json_.peek();
    has_ner_ |= ner && kind == Json::Kind::null;
    if (kind != Json::Kind::array) return false;
    std::size_t tags = 0, others = 0;
    json_.array([&] {
      const Json::Kind of = json_.peek();
      ++(of == Json::Kind::string || of == Json::Kind::number ? tags : others);
      json_.skip();
    });
    if (tags > 0 || (for_tags && others == 0)) glanced_tags_ = tags;
    glanced_entities_ |= others > 0;
    has_ner_ |= ner && tags == 0;
    word_entities_ |= ner && others > 0;
    return true;
  }

  bool entities_or_tags(std::string_view key) {
    const bool for_tags = is(key, "tags") || is(key, "ner_tags"), ner = is(key, "ner");
    const Json::Kind kind = json_.peek();
    if (kind != Json::Kind::array && (is(key, "label") || is(key, "labels")) && kind != Json::Kind::null) {
      lone_label_ = true;
      return false;
    }
    if (kind == Json::Kind::null) {
      record_.has_annotations |= !for_tags;
      has_ner_ |= ner;
      return false;
    }
    const std::size_t annotations = record_.annotations.size(), tags = record_.tags.size();
    json_.array([&] {
      const Json::Kind of = json_.peek();
      if (of == Json::Kind::string || of == Json::Kind::number)
        tag();
      else if (of == Json::Kind::array || of == Json::Kind::object)
        annotation();
      else
        json_.refuse(for_tags ? "a tag: a string or a number" : "an entity: a list, or an object with its start");
    });
    const bool more_tags = record_.tags.size() > tags, more_annotations = record_.annotations.size() > annotations;
    if ((more_tags && tags > 0) || (more_annotations && annotations > 0))
      refuse_record(where_, more_tags ? "two lists of tags" : "two lists of entities",
                    "one: \"" + std::string(key) + "\" is the second");
    record_.has_tags |= more_tags || (for_tags && !more_annotations);
    record_.has_annotations |= more_annotations || (!for_tags && !more_tags);
    has_ner_ |= ner && !more_tags;
    word_entities_ |= ner && more_annotations;
    return true;
  }

  void annotation() {
    Annotation& a = record_.annotations.emplace_back();
    constexpr unsigned begin = 1, end = 2, type = 4;
    unsigned met = 0;
    const bool list = json_.peek() == Json::Kind::array;
    const std::size_t from = json_.at();
    if (list) {
      json_.array([&] {
        if (met == 0) return a.begin = json_.integer(), void(met = begin);
        if (met == begin) return a.end = json_.integer(), void(met |= end);
        if (met == (begin | end)) return label(a.type, false), void(met |= type);
        if (met == (begin | end | type) && a.text.empty() && json_.peek() == Json::Kind::string) {
          a.text = unescaped_string();
          a.vague = true;
          return;
        }
        json_.skip();
      });
    } else {
      json_.object([&](std::string_view key) {
        const unsigned which = is(key, "start") || is(key, "start_offset") ? begin
                               : is(key, "end") || is(key, "end_offset")   ? end
                               : is(key, "label")                          ? type
                                                                           : 0;
        if (which == 0) return own_text(key, a) || token_number(key);
        if (met & which) twice(key);
        met |= which;
        if (which == type)
          label(a.type, false);
        else
          (which == begin ? a.begin : a.end) = json_.integer();
        return true;
      });
    }
    if (met != (begin | end | type)) {
      const std::string keys = keys_of(bytes_.substr(from, json_.at() - from));
      refuse_record(where_,
                    std::string("an entity without its ") + (met & begin ? met & end ? "label" : "end" : "start") +
                        (keys.empty() ? "" : ": its keys are " + keys),
                    "start, end and label of each");
    }
    if (a.type.empty()) refuse_record(where_, "an entity whose label is empty", "its type");
  }

  /// "text" is the own text of an entity; so is a "value" or "word", except that some tools put another form there.
  bool own_text(std::string_view key, Annotation& a) {
    const bool sure = is(key, "text") || is(key, "surface") || is(key, "mention");
    if (!sure && !is(key, "word") && !is(key, "value")) return false;
    if (json_.peek() != Json::Kind::string || (!a.text.empty() && (!sure || !a.vague))) return false;
    a.text = unescaped_string();
    a.vague = !sure;
    return true;
  }
  /// Prodigy's "token_start" and "token_end" of the latest annotation. Values that are not whole numbers are skipped.
  bool token_number(std::string_view key) {
    const bool first = is(key, "token_start");
    if ((!first && !is(key, "token_end")) || json_.peek() != Json::Kind::number) return false;
    const std::size_t from = json_.at();
    json_.skip();
    std::int64_t number = 0;
    const char *const begin = bytes_.data() + from, *const end = bytes_.data() + json_.at();
    if (const auto [stop, fault] = std::from_chars(begin, end, number); fault != std::errc() || stop != end)
      return true;
    auto& all = record_.token_numbers;
    const std::size_t annotation = record_.annotations.size() - 1;
    if (all.empty() || all.back().annotation != annotation) all.push_back({annotation});
    (first ? all.back().first : all.back().last) = number;
    return true;
  }
  /// Valid as long as the record.
  std::string_view unescaped_string() {
    scratch_.clear();
    const std::string_view s = json_.string_in_place(scratch_);
    return scratch_.empty() ? s : std::string_view(record_.unescaped.emplace_back(scratch_));
  }

  void label(std::string& to, bool tag) {
    if constexpr (Places::kept) {
      json_.peek();
      const std::size_t from = json_.at();
      json_.string(to);
      places_.add(from, json_.at(), tag);
    } else {
      json_.string(to);
    }
  }
  void tag() {
    if (json_.peek() == Json::Kind::string) {
      label(record_.tags.open(), true);
      return record_.tags.close();
    }
    const std::int64_t number = json_.integer();
    const auto names = static_cast<std::int64_t>(options_.tag_names.size());
    if (number < 0 || number >= names)
      refuse_record(where_, "tag " + std::to_string(number),
                    names == 0 ? "tags as strings" : "0 to " + std::to_string(names - 1),
                    "name the numeric tags: --tag-names O,B-PER,I-PER,...");
    record_.tags.push_back(options_.tag_names[static_cast<std::size_t>(number)]);
  }

  bool words(std::string_view key) {
    if (json_.peek() == Json::Kind::null) return false;
    if (record_.words_are != Record::WordsAre::unknown) twice(key);
    record_.words_are = Record::WordsAre::text;  // unless the list holds places
    json_.array([&] {
      if (json_.peek() == Json::Kind::string) {
        json_.string(record_.words.open());
        return record_.words.close();
      }
      if (const Json::Kind of = json_.peek(); of != Json::Kind::array && of != Json::Kind::object)
        json_.refuse("a word: a string, or its offsets");
      record_.words_are = Record::WordsAre::places;
      place();
    });
    if (!record_.words.empty() && !record_.places.empty())
      refuse_record(where_, "words and offsets of words in one list", "one of them");
    return true;
  }
  /// [0, 3] or {"start": 0, "end": 3}
  void place() {
    const std::size_t before = record_.places.size();
    if (json_.peek() == Json::Kind::array)
      json_.array([&] { record_.places.push_back(json_.integer()); });
    else
      place_in_object();
    if (record_.places.size() != before + 2) refuse_record(where_, "a token without two offsets", "start and end");
  }
  [[gnu::noinline]] void place_in_object() {
    constexpr std::int64_t missing = -1;  // no place
    std::int64_t begin = missing, end = missing;
    std::string_view said;
    json_.object([&](std::string_view key) {
      if (is(key, "start")) return begin = json_.integer(), true;
      if (is(key, "end")) return end = json_.integer(), true;
      if (is(key, "text") && json_.peek() == Json::Kind::string) return said = unescaped_string(), true;
      return false;
    });
    record_.places.push_back(begin);
    record_.places.push_back(end);
    if (said.empty()) return;
    record_.word_texts.resize(record_.places.size() / 2);
    record_.word_texts.back() = said;
  }

  std::string_view bytes_, object_;
  Json json_;
  const Where& where_;
  const RecordOptions& options_;
  Record& record_;
  std::string scratch_, unread_;
  bool answered_ = false, lone_label_ = false;
  bool has_ner_ = false, word_entities_ = false;  // contents of "ner"
  // of a reader of texts: how many tags there are, and whether another list than "ner" has entities
  std::optional<std::size_t> glanced_tags_;
  bool glanced_entities_ = false;
  [[no_unique_address]] Places places_;
};

}  // namespace detail

ENTRAIN_INLINE void JsonRecord::read(std::string_view bytes, const Where& where, const RecordOptions& options,
                                     Record& record) {
  detail::JsonRecordReader<>(bytes, where, options, record).read();
}

}  // namespace entrain::text
