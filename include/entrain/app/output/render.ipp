// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of render.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/output/render.hpp"
#include "entrain/core/error.hpp"
#include "entrain/report/width.hpp"
#include "entrain/text/conll/conll_write.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {

namespace detail {

/// reason    why it does not fit; empty: it fits
inline void refuse_unfit(std::string_view reason, const Document& d, std::size_t word, const std::string& what,
                         std::string_view found) {
  if (reason.empty()) return;
  throw Error("entrain.app.7", d.where(word), "the " + what + " '" + text::excerpt(found) + "' " + std::string(reason),
              what + "s that a line of CoNLL can hold", "write jsonl");
}

}  // namespace detail

ENTRAIN_INLINE std::size_t append_conll(std::string& out, const Document& d, text::SchemeId scheme) {
  for (const Mention& m : d.mentions) detail::refuse_unfit(text::unfit_label(m.type), d, m.begin, "label", m.type);
  if (d.after_docstart && !d.words.empty()) out += "-DOCSTART-\tO\n\n";
  if (out.empty() && !d.words.empty()) text::begin_conll(out, d.words[0].in(d.text));
  std::size_t joined = 0;
  text::with_scheme(scheme, [&](auto id) {
    using Scheme = decltype(id);
    auto next = d.mentions.begin();
    for (const text::Sentence& sentence : d.sentences) {
      const Mention* before = nullptr;  // the previous mention of this sentence
      for (std::uint32_t i = sentence.begin; i < sentence.end; ++i) {
        const std::string_view word = d.words[i].in(d.text);
        detail::refuse_unfit(text::unfit_token(word), d, i, "word", word);
        if (next != d.mentions.end() && next->end <= i) before = &*next++;
        out.append(word).append("\t");
        if (next == d.mentions.end() || i < next->begin) {
          out += 'O';
        } else {
          const bool touches = before != nullptr && before->end == next->begin && before->type == next->type;
          joined += Scheme::parts == 1 && touches && i == next->begin;
          const int part = Scheme::part(i == next->begin, i + 1 == next->end, touches);
          out += text::join_tag(Scheme::letters[static_cast<std::size_t>(part)], next->type);
        }
        out += '\n';
      }
      while (next != d.mentions.end() && next->end <= sentence.end) ++next;
      out += '\n';
    }
  });
  return joined;
}

ENTRAIN_INLINE std::string words_of_joined(std::size_t entities) {
  return "IO cannot separate " + counted(entities, "entity", "entities") +
         " from the adjacent one of the same type: read as one; use another --to";
}

ENTRAIN_INLINE void append_json(std::string& out, std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < s.size();) {
    const text::CodePoint p = text::decode(s, i);
    if (!p.valid)
      out += "\xEF\xBF\xBD";
    else if (p.cp == '"' || p.cp == '\\')
      out.append("\\").append(1, s[i]);
    else if (p.cp < 0x20)
      out.append("\\u00").append(1, hex[p.cp >> 4]).append(1, hex[p.cp & 15]);
    else
      out.append(s.substr(i, p.bytes));
    i += p.bytes;
  }
  out += '"';
}

ENTRAIN_INLINE void append_jsonl(std::string& out, const Document& d, bool annotated) {
  const auto number = [&](std::uint32_t n) { out += std::to_string(n); };
  out += "{\"text\":";
  append_json(out, d.text);
  out += ",\"tokens\":[";
  for (std::size_t i = 0; i < d.words.size(); ++i) {
    out += i == 0 ? "[" : ",[";
    number(d.words[i].begin_cp);
    out += ',';
    number(d.words[i].end_cp);
    out += ']';
  }
  out += "],\"sentences\":[";
  for (std::size_t i = 0; i < d.sentences.size(); ++i) {
    if (i > 0) out += ',';
    number(d.sentences[i].end - d.sentences[i].begin);
  }
  out += ']';
  if (!annotated) {
    out += "}\n";
    return;
  }
  out += ",\"entities\":[";
  for (std::size_t i = 0; i < d.mentions.size(); ++i) {
    const Mention& m = d.mentions[i];
    out += i == 0 ? "{\"start\":" : ",{\"start\":";
    number(d.words[m.begin].begin_cp);
    out += ",\"end\":";
    number(d.words[m.end - 1].end_cp);
    out += ",\"label\":";
    append_json(out, m.type);
    out += ",\"text\":";
    append_json(out, d.in(m));
    out += '}';
  }
  out += "]}\n";
}

ENTRAIN_INLINE void Colours::append(std::string& out, const Document& d, const report::Terminal& at) {
  std::size_t from = 0;
  for (const Mention& m : d.mentions) {
    const std::size_t begin = d.words[m.begin].begin, end = d.words[m.end - 1].end;
    out += report::harmless(std::string_view(d.text).substr(from, begin - from));
    const report::Style style = style_of(m.type);
    if (at.colour)
      out.append(report::painted(report::harmless(d.in(m)), style, at))
          .append(report::painted(" " + report::harmless(m.type), report::Style::dim, at));
    else
      out.append("[").append(report::harmless(d.in(m))).append("](").append(report::harmless(m.type)).append(")");
    from = end;
  }
  out.append(report::harmless(std::string_view(d.text).substr(from))).append("\n");
}

ENTRAIN_INLINE report::Style Colours::style_of(std::string_view type) {
  using report::Style;
  constexpr std::array<Style, 6> styles{Style::green, Style::blue,   Style::magenta,
                                        Style::cyan,  Style::yellow, Style::red};
  std::size_t n = 0;
  while (n < types_.size() && types_[n] != type) ++n;
  if (n == types_.size()) types_.emplace_back(type);
  return styles[n % styles.size()];
}

}  // namespace entrain::app
