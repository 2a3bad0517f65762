// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tags to entities and back. An entity is a span of tokens with a type. Every scheme writes the same spans, so schemes
// are converted through spans. There are two readings of sequences that break their scheme, strict and conlleval.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// Tokens begin .. end - 1 of a sentence.
struct Span {
  std::uint32_t begin = 0, end = 0;
  std::int32_t type = 0;
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// A view of tag ids as marks, without a copy. Every reading below accepts this, MarksAt or a std::span<const Mark>.
template <TagScheme S> struct MarksOf {
  std::span<const Tag> tags;
  std::size_t size() const { return tags.size(); }
  Mark operator[](std::size_t i) const {
    if (tags[i] <= 0) return Mark{};
    return Mark{tag_type<S>(tags[i]), S::letters[static_cast<std::size_t>(tag_part<S>(tags[i]))]};
  }
};

/// A view as marks of a corpus that keeps each distinct tag string once: the marks of those strings, and each token's
/// index among them (negative: untagged, read as O).
struct MarksAt {
  std::span<const Mark> distinct;
  std::span<const std::int32_t> index;
  std::size_t size() const { return index.size(); }
  Mark operator[](std::size_t i) const { return index[i] < 0 ? Mark{} : distinct[static_cast<std::size_t>(index[i])]; }
};

namespace detail {
/// A mark interpreted by a scheme: part -1 if it cannot be in an entity of this scheme.
struct Seen {
  int part = -1;
  std::int32_t type = Types::none;
};
template <TagScheme S> Seen see(const Mark& mark) { return Seen{part_of<S>(mark.letter), mark.type}; }
inline bool touch(Seen a, Seen b) { return a.part >= 0 && b.part >= 0 && a.type == b.type; }
template <TagScheme S> bool continues(Seen a, Seen b) { return touch(a, b) && S::continues(a.part, b.part); }
}  // namespace detail

/// The strict reading: only sequences that the scheme allows are entities, everything else is outside. seqeval calls it
/// mode='strict'. One difference, in IOB1: seqeval loses an entity of the single tag B-X if B-Y follows it directly.
/// sink(Span) is called from left to right.
template <TagScheme S, class Marks, class Sink> void strict(const Marks& marks, Sink&& sink) {
  const std::size_t n = marks.size();
  detail::Seen before;
  for (std::size_t i = 0; i < n;) {
    detail::Seen last = detail::see<S>(marks[i]);
    const bool begins = last.part >= 0 && S::begins(last.part, detail::touch(before, last));
    const std::size_t begin = i++;
    while (begins && i < n) {
      const auto next = detail::see<S>(marks[i]);
      if (!detail::continues<S>(last, next)) break;
      last = next;
      ++i;
    }
    if (begins && S::ends(last.part))
      sink(Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i), last.type});
    before = last;
  }
}

/// The conlleval reading: every tag but O is in some entity. A new one begins after O, where the type changes, at B, S
/// and U, and after E, L, S and U; so an I-X that continues nothing opens an entity. Letters of all schemes count,
/// whatever the scheme of the file (seqeval's default mode knows only B I E S). On a sequence without violations it
/// equals strict. source    the script of the CoNLL 2000 shared task, Tjong Kim Sang, Buchholz 2000, section 5
template <class Marks, class Sink> void conlleval(const Marks& marks, Sink&& sink) {
  const auto outside = [](Mark m) { return m.letter == 'O' || m.letter == Mark::malformed; };
  const auto opens = [](char c) { return c == 'B' || c == 'S' || c == 'U'; };
  const auto closes = [](char c) { return c == 'E' || c == 'L' || c == 'S' || c == 'U'; };
  const std::size_t n = marks.size();
  for (std::size_t i = 0; i < n;) {
    Mark last = marks[i];
    const std::size_t begin = i++;
    if (outside(last)) continue;
    while (i < n && !closes(last.letter)) {
      const Mark next = marks[i];
      if (outside(next) || opens(next.letter) || next.type != last.type) break;
      last = next;
      ++i;
    }
    sink(Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i), last.type});
  }
}

/// sink(token) for each token whose tag breaks the scheme, once and in order: its letter is not one of the scheme's, or
/// it continues nothing and may not begin an entity, or nothing continues it and it may not end one.
template <TagScheme S, class Marks, class Sink> void violations(const Marks& marks, Sink&& sink) {
  const std::size_t n = marks.size();
  detail::Seen before;
  for (std::size_t i = 0; i < n; ++i) {
    const Mark mark = marks[i];
    const auto here = detail::see<S>(mark);
    const auto after = i + 1 < n ? detail::see<S>(marks[i + 1]) : detail::Seen{};
    const bool fine = here.part < 0
                          ? mark.letter == 'O'
                          : (detail::continues<S>(before, here) || S::begins(here.part, detail::touch(before, here))) &&
                                (detail::continues<S>(here, after) || S::ends(here.part));
    if (!fine) sink(i);
    before = here;
  }
}

/// Writes spans as tags, one call a span, from left to right. Tokens of no span are O.
template <TagScheme S> class Encoder {
 public:
  explicit Encoder(std::span<Tag> out) : out_(out) {
    for (Tag& tag : out_) tag = 0;
  }

  /// throws    entrain.text.22 if the span is empty, overlaps the one before or leaves the sentence
  void operator()(const Span& span) {
    if (span.begin >= span.end || span.begin < before_.end || span.end > out_.size()) refuse(span);
    const bool touches = before_.end == span.begin && before_.end > 0 && before_.type == span.type;
    if (touches && S::parts == 1) ++joined_;
    for (auto i = span.begin; i < span.end; ++i)
      out_[i] = make_tag<S>(span.type, S::part(i == span.begin, i + 1 == span.end, touches));
    before_ = span;
  }

  /// Spans that IO cannot separate from the one before, because both have one type and touch. 0 in other schemes.
  std::size_t joined() const { return joined_; }

 private:
  [[noreturn]] void refuse(const Span& span) const {
    const auto text = [](const Span& s) { return "[" + std::to_string(s.begin) + ", " + std::to_string(s.end) + ")"; };
    throw Error("entrain.text.22", "",
                "entity " + text(span) + " after " + text(before_) + " in a sentence of " +
                    std::to_string(out_.size()) + " tokens",
                "entities from left to right, inside the sentence, without overlap");
  }
  std::span<Tag> out_;
  Span before_;
  std::size_t joined_ = 0;
};

/// Spans to tags; out has one place a token. Returns how many spans were joined (IO only). Errors: see Encoder.
template <TagScheme S> std::size_t encode(std::span<const Span> spans, std::span<Tag> out) {
  Encoder<S> write(out);
  for (const Span& span : spans) write(span);
  return write.joined();
}

/// Tags to spans, strictly; encode's inverse on every sequence that keeps its scheme. sink(Span) from left to right.
template <TagScheme S, class Sink> void decode(std::span<const Tag> tags, Sink&& sink) {
  strict<S>(MarksOf<S>{tags}, sink);
}

struct Conversion {
  std::size_t joined = 0;   // spans that IO cannot separate
  std::size_t dropped = 0;  // tokens whose tag was in no entity; 0 if the input keeps its scheme
};

/// One scheme to another; lossless if both returned numbers are 0. in and out: same length, not the same memory.
template <TagScheme From, TagScheme To> Conversion convert(std::span<const Tag> in, std::span<Tag> out) {
  Encoder<To> write(out);
  decode<From>(in, write);
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < in.size(); ++i) dropped += in[i] != 0 && out[i] == 0;
  return Conversion{write.joined(), dropped};
}

}  // namespace entrain::text
