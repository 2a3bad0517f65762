// text > batch > [task] > head > optim > checkpoint
//
// Definitions of survey_file.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/core/fingerprint.hpp"
#include "entrain/task/survey_file.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {
namespace detail {

inline constexpr std::string_view survey_head = "entrain survey 3";
inline constexpr std::size_t problems_kept = 10;
inline constexpr std::array<std::string_view, text::concerns> concern_names{"line", "entity", "text", "unlabelled",
                                                                            "unread"};

/// f(name, number) for each count of a survey.
template <class Survey, class F> void each_count(Survey& s, F&& f) {
  f("sentences", s.sentences), f("words", s.words), f("entities", s.entities);
  auto& m = s.met;
  f("lines", m.lines), f("comments", m.comments), f("docstarts", m.docstarts), f("word_ranges", m.word_ranges);
  f("headers", m.headers), f("keyless", m.keyless);
  f("malformed", m.malformed), f("separators", m.separators), f("blank_separators", m.blank_separators);
  f("crlf", m.crlf), f("bom", m.bom), f("ragged", m.ragged), f("empty_tokens", m.empty_tokens);
  f("lone_surrogates", m.lone_surrogates), f("invalid_tokens", m.invalid_tokens), f("annotations", m.annotations),
      f("misaligned", m.misaligned);
  f("overlapping", m.overlapping), f("empty_annotations", m.empty_annotations), f("outside", m.outside);
  f("other_texts", m.other_texts), f("labelled", m.labelled), f("unread_lists", m.unread_lists);
  f("unaccepted", m.unaccepted), f("unlabelled", m.unlabelled), f("wordless", m.wordless);
  f("blank_words", m.blank_words), f("joined_sentences", m.joined_sentences);
  f("merged_entities", m.merged_entities);
}

inline std::string behind_blank(const std::string& place) { return place.empty() ? "" : " " + place; }

/// The line that closes a survey whose other lines are `text`.
inline std::string survey_sum(std::string_view text, std::string_view key) {
  Fingerprint sum;
  for (const std::string_view part : {text, key}) sum.add(std::as_bytes(std::span(part)));
  return "sum " + sum.hex() + "\n";
}

inline bool read_count(std::string_view text, std::uint64_t& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

}  // namespace detail

ENTRAIN_INLINE std::string survey_text(const Survey& survey, std::string_view key) {
  std::string text(detail::survey_head);
  const text::Detection& found = survey.scheme;
  text += "\nname " + survey.name + "\nidentity " + survey.identity + "\nscheme " +
          std::string(text::scheme_name(found.taken)) + "\nletters " + found.letters + "\nno_tags " +
          std::to_string(found.malformed) + detail::behind_blank(found.malformed_place) + "\n";
  for (const text::Agreement& a : found.schemes)
    text += std::string(text::scheme_name(a.scheme)) + " " + std::to_string(a.disagreeing) +
            detail::behind_blank(a.place) + "\n";
  detail::each_count(survey, [&](const char* name, std::uint64_t n) {
    text.append(name).append(" ").append(std::to_string(n)).append("\n");
  });
  for (std::int32_t t = 0; t < survey.types.size(); ++t)
    text += "type " + std::to_string(survey.mentions[static_cast<std::size_t>(t)]) + " " + survey.types.name(t) + "\n";
  for (std::size_t i = 0; i < std::min(survey.problems.size(), detail::problems_kept); ++i) {
    const text::Problem& p = survey.problems[i];
    text += "problem " + std::to_string(p.line) + " " +
            std::string(detail::concern_names[static_cast<std::size_t>(p.of)]) + " " + p.file + "\t" + p.reason + "\n";
  }
  text += "end\n";
  return text + detail::survey_sum(text, key);
}

ENTRAIN_INLINE bool is_other_survey(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  return head != detail::survey_head && head.starts_with(detail::survey_head.substr(0, 15));  // "entrain survey "
}

ENTRAIN_INLINE std::optional<Survey> survey_from(std::string_view text, std::string_view key) {
  const std::size_t sum = text.rfind("sum ");
  if (sum == text.npos || text.substr(sum) != detail::survey_sum(text.substr(0, sum), key)) return std::nullopt;
  text = text.substr(0, sum);
  const auto line = [&]() -> std::optional<std::string_view> {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return std::nullopt;
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(end + 1);
    return one;
  };
  bool good = line() == detail::survey_head;
  const auto value = [&](std::string_view name) {
    const auto one = line();
    good = good && one && one->starts_with(name) && one->size() > name.size() && (*one)[name.size()] == ' ';
    return good ? one->substr(name.size() + 1) : std::string_view();
  };
  Survey survey;
  survey.name = value("name");
  survey.identity = value("identity");
  const std::string_view scheme = value("scheme");
  if (good) try {
      survey.scheme.taken = text::scheme_by_name(scheme);
    } catch (const Error&) {
      good = false;
    }
  const auto count = [&](std::string_view name, std::uint64_t& n) {
    good = good && detail::read_count(value(name), n);
  };
  survey.scheme.letters = value("letters");
  const auto count_and_place = [&](std::string_view name, std::size_t& n, std::string& place) {
    const std::string_view both = value(name);
    const std::size_t end = std::min(both.find(' '), both.size());
    std::uint64_t lines = 0;
    good = good && detail::read_count(both.substr(0, end), lines);
    n = lines;
    if (end < both.size()) place = both.substr(end + 1);
    good = good && (end == both.size() || !place.empty());
  };
  count_and_place("no_tags", survey.scheme.malformed, survey.scheme.malformed_place);
  for (std::size_t i = 0; i < text::all_schemes.size(); ++i) {
    text::Agreement& a = survey.scheme.schemes[i];
    a.scheme = text::all_schemes[i];
    count_and_place(text::scheme_name(a.scheme), a.disagreeing, a.place);
  }
  detail::each_count(survey, count);
  while (good) {
    const auto one = line();
    if (one == "end") break;
    std::string_view rest = one.value_or("");
    const auto word = [&](char end) {
      const std::size_t at = rest.find(end);
      good = good && at != rest.npos;
      const std::string_view found = rest.substr(0, at);
      rest.remove_prefix(good ? at + 1 : rest.size());
      return found;
    };
    const std::string_view what = word(' ');
    std::uint64_t number = 0;
    good = detail::read_count(word(' '), number) && good;
    if (what == "type") {
      good = good && survey.types.find(rest) == text::Types::none;
      survey.types.add(rest);
      survey.mentions.push_back(number);
    } else if (what == "problem") {
      const std::string_view kind = word(' '), file = word('\t');
      const auto of = std::find(detail::concern_names.begin(), detail::concern_names.end(), kind);
      good = good && of != detail::concern_names.end() && number <= std::numeric_limits<std::uint32_t>::max();
      if (good)
        survey.problems.push_back({static_cast<std::uint32_t>(number), std::string(rest), std::string(file),
                                   static_cast<text::Concern>(of - detail::concern_names.begin())});
    } else {
      good = false;
    }
  }
  if (!good || !text.empty()) return std::nullopt;
  return survey;
}

}  // namespace entrain::task
