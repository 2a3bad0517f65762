// [text] > batch > embed > encode > head > optim > checkpoint
//
// Repairs tags that break their scheme, by a named rule: it reads the entities by that rule and writes them again. Tags
// that keep the scheme stay unchanged; every other tag is reported.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text::repair {

/// A tag that continues nothing opens an entity, an entity that is not closed is closed: no labelled token is lost.
struct Conlleval {
  static constexpr std::string_view name = "conlleval";
  template <TagScheme S, class Marks, class Sink> static void read(const Marks& marks, Sink&& sink) {
    conlleval(marks, sink);
  }
};

/// Tags that form no entity of the scheme become O.
struct Drop {
  static constexpr std::string_view name = "drop";
  template <TagScheme S, class Marks, class Sink> static void read(const Marks& marks, Sink&& sink) {
    strict<S>(marks, sink);
  }
};

/// Writes the repaired sequence to out (ids of S, one a mark) and returns the number of tags that changed. It calls
/// report(token, tag) for each, with the new tag. Malformed tags become O, and are reported too. Without violations
/// nothing changes: both rules then read the same entities as strict, and encoding restores the tags.
template <TagScheme S, class Rule, class Marks, class Report>
std::size_t apply(const Marks& marks, std::span<Tag> out, Report&& report) {
  Encoder<S> write(out);
  Rule::template read<S>(marks, write);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark mark = marks[i];
    const int part = part_of<S>(mark.letter);
    const bool kept = mark.letter == 'O' ? out[i] == 0 : part >= 0 && out[i] == make_tag<S>(mark.type, part);
    if (kept) continue;
    ++changed;
    report(i, out[i]);
  }
  return changed;
}

/// Calls f with the rule of that name. throws entrain.text.23; where: the option or file that holds the name
template <class F> decltype(auto) with_rule(std::string_view name, F&& f, std::string_view where = "--repair") {
  if (name == Conlleval::name) return f(Conlleval{});
  if (name == Drop::name) return f(Drop{});
  throw Error("entrain.text.23", where, "repair rule '" + std::string(name) + "'", "conlleval or drop");
}

}  // namespace entrain::text::repair
