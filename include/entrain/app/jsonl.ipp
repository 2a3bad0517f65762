// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of jsonl.hpp, with nlohmann-json.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/jsonl.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/detect.hpp"
#include "entrain/text/file.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/sentences.hpp"
#include "entrain/text/spans.hpp"
#include "entrain/text/splitter.hpp"

namespace entrain::app {
namespace detail {

class JsonlReader {
 public:
  JsonlReader(std::string_view name, std::string_view bytes) : name_(name) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      const std::string_view line = bytes.substr(at, end - at);
      at = end + 1;
      ++line_;
      if (line.find_first_not_of(" \t\r") != line.npos) file_.documents.push_back(document(line));
    }
  }
  JsonlFile take() && { return std::move(file_); }

 private:
  using Json = nlohmann::json;
  struct Stretch {
    std::int64_t begin, end;
    std::string type;
  };

  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw Error("entrain.app.20", where(), found, expected);
  }
  std::string where() const { return name_ + ":" + std::to_string(line_); }

  Document document(std::string_view line) {
    Json json;
    try {
      json = Json::parse(line);
    } catch (const Json::exception&) {
      refuse("not JSON", "an object on a line");
    }
    if (!json.is_object()) refuse("not an object", "an object on a line");
    try {
      return json.contains("text") ? of_text(json) : of_tokens(json);
    } catch (const Json::exception&) {
      refuse("values of other types than expected", "text and entities, or tokens and tags");
    }
  }

  Document of_text(const Json& json) {
    Document d;
    d.text = json.at("text").get<std::string>();
    if (json.contains("tokens")) {
      const auto starts = byte_offsets(d.text);
      for (const Json& token : json.at("tokens")) {
        const auto begin = static_cast<std::size_t>(place(token.at(0))),
                   end = static_cast<std::size_t>(place(token.at(1)));
        if (begin >= end || end >= starts.size() || (!d.words.empty() && begin < d.words.back().end_cp))
          refuse("token [" + std::to_string(begin) + "," + std::to_string(end) + "]",
                 "tokens from left to right inside the text");
        d.words.push_back(
            {starts[begin], starts[end], static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      }
    } else {
      text::UnicodeWords::split(d.text, d.words);
    }
    if (json.contains("sentences")) {
      std::uint32_t begin = 0;
      for (const Json& length : json.at("sentences")) {
        const std::int64_t words = place(length);
        if (words < 1 || words > static_cast<std::int64_t>(d.words.size() - begin))
          refuse("sentence lengths", "a sum of " + std::to_string(d.words.size()) + " words");
        const auto end = begin + static_cast<std::uint32_t>(words);
        d.sentences.push_back({begin, end});
        begin = end;
      }
      if (begin != d.words.size()) refuse("sentence lengths", "a sum of " + std::to_string(d.words.size()) + " words");
    } else {
      text::UnicodeSentences::split(d.text, d.words, d.sentences);
    }
    for (const char* key : {"entities", "label", "labels"})
      if (json.contains(key)) {
        auto stretches = entities(json.at(key));
        std::sort(stretches.begin(), stretches.end(),
                  [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
        for (const Stretch& s : stretches) add(d, s);
        break;
      }
    return d;
  }

  /// A whole number from 0. The library's own conversion would cut others, and wrap what does not fit.
  std::int64_t place(const Json& number) const {
    if (!number.is_number_unsigned() ||
        number.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      refuse(number.is_number() ? number.dump() : "values of other types than expected", "whole numbers from 0");
    return number.get<std::int64_t>();
  }

  std::vector<Stretch> entities(const Json& list) const {
    std::vector<Stretch> found;
    for (const Json& e : list) {
      if (e.is_array())
        found.push_back({place(e.at(0)), place(e.at(1)), e.at(2).get<std::string>()});
      else
        found.push_back({place(e.at("start")), place(e.at("end")), e.at("label").get<std::string>()});
    }
    return found;
  }

  /// A stretch of code points as words.
  void add(Document& d, const Stretch& s) {
    std::uint32_t first = 0, last = 0;
    const auto words = static_cast<std::uint32_t>(d.words.size());
    while (first < words && d.words[first].begin_cp < s.begin) ++first;
    last = first;
    while (last < words && d.words[last].end_cp < s.end) ++last;
    const auto leave_out = [&](const char* why) {
      file_.problems.push_back(where() + ": entity [" + std::to_string(s.begin) + "," + std::to_string(s.end) + ") " +
                               s.type + " left out: " + why);
    };
    if (last >= words || d.words[first].begin_cp != s.begin || d.words[last].end_cp != s.end)
      return leave_out("it does not begin and end with words");
    if (!d.mentions.empty() && d.mentions.back().end > first) return leave_out("it overlaps the one before");
    for (const text::Sentence& sentence : d.sentences)
      if (sentence.begin <= first && first < sentence.end && last >= sentence.end)
        return leave_out("it goes on in the next sentence");
    d.mentions.push_back({first, last + 1, s.type});
  }

  Document of_tokens(const Json& json) {
    Document d;
    for (const Json& token : json.at("tokens")) d.add_word(token.get<std::string>());
    d.end_sentence();
    for (const char* key : {"tags", "ner_tags"}) {
      if (!json.contains(key)) continue;
      const auto tags = json.at(key).get<std::vector<std::string>>();
      if (tags.size() != d.words.size())
        refuse(std::to_string(tags.size()) + " tags", std::to_string(d.words.size()) + ", one for each token");
      text::Types types;
      std::vector<text::Mark> marks;
      for (const std::string& tag : tags) marks.push_back(text::read_mark(tag, types));
      text::conlleval(marks, [&](const text::Span& span) {
        d.mentions.push_back({span.begin, span.end, types.name(span.type)});
      });
      return d;
    }
    refuse("neither text nor tags", "text and entities, or tokens and tags");
  }

  /// [code points + 1]: the byte at which each begins.
  static std::vector<std::uint32_t> byte_offsets(std::string_view s) {
    std::vector<std::uint32_t> starts;
    std::size_t at = 0;
    for (; at < s.size(); at += text::decode(s, at).bytes) starts.push_back(static_cast<std::uint32_t>(at));
    starts.push_back(static_cast<std::uint32_t>(at));
    return starts;
  }

  std::string name_;
  std::size_t line_ = 0;
  JsonlFile file_;
};

}  // namespace detail

ENTRAIN_PART JsonlFile parse_jsonl(std::string_view name, std::string_view bytes) {
  return detail::JsonlReader(name, bytes).take();
}
ENTRAIN_PART JsonlFile read_jsonl(const std::string& path) {
  return parse_jsonl(text::name_of(path), text::read_file(path));
}

}  // namespace entrain::app
