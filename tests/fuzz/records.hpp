// tests > fuzz > [text]
//
// What must hold for any bytes as a file of records. Strictly read, they are a corpus or refused with an error of ours,
// at a line of theirs. Leniently read, they are never refused for what a line says; cut into blocks anywhere they give
// the same; what was read strictly is read the same; counts add up and lists keep their bounds; and sentences, written
// as words with tags, read back the same.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::test {

inline bool same(const text::Corpus& a, const text::Corpus& b) {
  if (a.size() != b.size() || a.bytes != b.bytes || a.begin != b.begin || a.sentence != b.sentence ||
      a.line != b.line || a.document != b.document)
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.tag_name(i) != b.tag_name(i)) return false;
  return true;
}

/// One after the other, as far as the numbers go that can be compared.
inline void append(text::Corpus& all, const text::Corpus& block) {
  std::size_t document = 0;
  for (std::size_t s = 0; s < block.sentences(); ++s) {
    if (document < block.document.size() && block.document[document] == s) all.start_document(), ++document;
    for (std::size_t i = block.sentence[s]; i < block.sentence[s + 1]; ++i)
      all.push(block.token(i), block.tag_name(i), block.line[i]);
    all.end_sentence();
  }
  all.met += block.met;
  all.problems.insert(all.problems.end(), block.problems.begin(), block.problems.end());
}

inline void quote(std::string& to, std::string_view s) {
  to += '"';
  for (const char c : s) {
    if (static_cast<unsigned char>(c) < 0x20)
      to.append("\\u00").append(1, "01"[c >> 4]).append(1, "0123456789abcdef"[c & 15]);
    else
      to.append(c == '"' || c == '\\' ? 1 : 0, '\\').append(1, c);
  }
  to += '"';
}
inline std::string written(const text::Corpus& c) {
  std::string all;
  for (std::size_t s = 0; s < c.sentences(); ++s)
    for (const bool tags : {false, true}) {
      all += tags ? "],\"tags\":[" : "{\"tokens\":[";
      for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i) {
        if (i > c.sentence[s]) all += ',';
        quote(all, tags ? c.tag_name(i) : c.token(i));
      }
      if (tags) all += "]}\n";
    }
  return all;
}

/// Sentences, words and tags; not their places.
inline bool same_words(const text::Corpus& a, const text::Corpus& b) {
  if (a.bytes != b.bytes || a.begin != b.begin || a.sentence != b.sentence) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.tag_name(i) != b.tag_name(i)) return false;
  return true;
}

/// Tags of annotations keep their scheme, and their spans give them again.
template <text::TagScheme Scheme> void demand_scheme(const text::Corpus& c) {
  text::Types types;
  std::vector<text::Mark> marks;
  for (const std::string& tag : c.tags) marks.push_back(text::read_mark(tag, types));
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    const text::MarksAt sentence{marks, std::span(c.tag).subspan(c.sentence[s], c.length(s))};
    text::violations<Scheme>(sentence, [](std::size_t) { demand(false); });
    std::vector<text::Span> spans;
    text::strict<Scheme>(sentence, [&](const text::Span& span) { spans.push_back(span); });
    std::vector<text::Tag> tags(sentence.size());
    text::encode<Scheme>(std::span<const text::Span>(spans), std::span<text::Tag>(tags));
    for (std::size_t i = 0; i < tags.size(); ++i) demand((tags[i] == 0) == (sentence[i].letter == 'O'));
  }
}

/// options: the first byte of the input
template <class Source> text::RecordOptions options_of(unsigned first) {
  text::RecordOptions options;
  options.lenient = true;
  options.unit = static_cast<text::OffsetUnit>(first % 3);
  options.misaligned = static_cast<text::Misaligned>(first / 3 % 3);
  options.problem_cap = first & 64 ? 2 : 1000;
  if (first & 128) options.tag_names = {"O", "B-X", "I-X"};
  return options;
}

/// only_annotations: no tags are in the file
template <class Source> void any_records(std::string_view input, bool only_annotations) {
  if (input.empty()) return;
  const auto first = static_cast<unsigned char>(input[0]);
  const std::string_view bytes = input.substr(1);
  const text::RecordOptions options = options_of<Source>(first);

  auto read = [raw = typename Source::Raw{{}, "fuzz"}](auto& work, std::string_view part, std::uint64_t line,
                                                       text::Corpus& corpus) mutable {
    raw.block.bytes = part;
    raw.block.line = line;
    work(raw, corpus);
  };
  typename Source::Work work(options);
  text::Corpus whole, other;
  read(work, bytes, 1, whole);
  demand(whole.sentence.back() == whole.size());
  const text::Met& met = whole.met;
  demand(met.lines >= met.separators + met.malformed + met.unaccepted + met.wordless);
  demand(met.annotations >= met.misaligned + met.overlapping + met.empty_annotations + met.outside);
  const std::uint64_t wrong = met.malformed + met.misaligned + met.overlapping + met.empty_annotations + met.outside;
  const auto listed = [&](auto... of) {
    return static_cast<std::uint64_t>(std::count_if(whole.problems.begin(), whole.problems.end(),
                                                    [&](const text::Problem& p) { return ((p.of == of) || ...); }));
  };
  const auto demand_listed = [&](std::uint64_t found, std::uint64_t all) {
    demand(found == std::min<std::uint64_t>(options.problem_cap, all));
  };
  demand_listed(listed(text::Concern::line, text::Concern::annotation), wrong);
  demand_listed(listed(text::Concern::other_text), met.other_texts);
  demand_listed(listed(text::Concern::unlabelled), met.unlabelled);
  demand_listed(listed(text::Concern::unread_list), met.unread_lists);
  if (only_annotations) demand_scheme<typename Source::Tags>(whole);
  {
    using Words = text::Jsonl<typename Source::Tags>;
    typename Words::Raw raw{{written(whole), 1, 0}, "written"};
    typename Words::Work as_written{text::RecordOptions{}};
    as_written(raw, other);
    demand(same_words(whole, other));
  }

  // in blocks of whole lines, some of them of several
  text::Corpus together;
  std::uint64_t line = 1;
  for (std::size_t at = 0, n = first; at < bytes.size(); ++n) {
    std::size_t end = bytes.find('\n', at + n % 40);
    end = end == bytes.npos ? bytes.size() : end + 1;
    read(work, bytes.substr(at, end - at), line, other);
    append(together, other);
    for (; at < end; ++at) line += bytes[at] == '\n';
  }
  demand(same(whole, together));
  demand(together.met.lines == met.lines && together.met.malformed == met.malformed && together.met.bom == met.bom &&
         together.met.misaligned == met.misaligned && together.met.annotations == met.annotations &&
         together.met.unlabelled == met.unlabelled && together.met.labelled == met.labelled &&
         together.met.other_texts == met.other_texts && together.met.unread_lists == met.unread_lists &&
         together.met.joined_sentences == met.joined_sentences);

  text::RecordOptions strictly = options;
  strictly.lenient = false;
  try {
    typename Source::Work strict_work(strictly);
    read(strict_work, bytes, 1, other);
    demand(same(other, whole));
    demand(met.malformed == 0);
  } catch (const Error& e) {
    demand(met.malformed > 0);
    demand(e.id().starts_with("entrain.text.4") || e.id() == "entrain.text.10");
    demand(std::string_view(e.what()).substr(e.id().size()).starts_with(": fuzz:"));
    demand(std::string_view(e.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace entrain::test
