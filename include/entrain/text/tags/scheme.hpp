// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tag schemes: how entities are written as one tag a token. A scheme is an empty type of three rules. The tags that may
// follow each other are derived from the rules, so that a CRF masks its transitions without a table.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"
#include "entrain/core/error.hpp"

namespace entrain::text {

/// A tag as a number. Ids are dense: 0 is O, then 1 + type * parts + part.
using Tag = std::int32_t;

/// The rules of a scheme for its *parts* (B is a part, PER a type). Each rule is about tags other than O:
///
///   begins(part, touches)   may the part begin an entity? touches: the token before has the same type
///   continues(a, b)         does b, after a of the same type, belong to the same entity?
///   ends(part)              may an entity end after the part?
///   part(first, last, touches)   the part with which a token of an entity is written
template <class S>
concept TagScheme = requires {
  S::name;
  S::letters;
  S::begins(S::parts, true);
  S::continues(S::parts, S::parts);
  S::ends(S::parts);
  S::part(true, true, true);
};
/// For static_assert: g++ lists line by line what a concept asks for, but not what a variable does.
template <class S> inline constexpr bool is_scheme = TagScheme<S>;

/// Only I-X inside an entity, so neighbours of one type look like one entity.
struct Io {
  static constexpr std::string_view name = "IO";
  static constexpr int parts = 1;
  static constexpr std::array<char, 1> letters{'I'};

  ENTRAIN_HD static constexpr bool begins(int, bool) { return true; }
  ENTRAIN_HD static constexpr bool continues(int, int) { return true; }
  ENTRAIN_HD static constexpr bool ends(int) { return true; }
  ENTRAIN_HD static constexpr int part(bool, bool, bool) { return 0; }
};

/// I-X; B-X only if an entity touches another of its type. The scheme of CoNLL 2003 as published.
/// source    Ramshaw, Marcus 1995, arXiv:cmp-lg/9505040
struct Iob1 {
  static constexpr std::string_view name = "IOB1";
  static constexpr int parts = 2;
  static constexpr std::array<char, 2> letters{'B', 'I'};
  enum : int { begin, inside };

  ENTRAIN_HD static constexpr bool begins(int part, bool touches) { return part == inside || touches; }
  ENTRAIN_HD static constexpr bool continues(int, int b) { return b == inside; }
  ENTRAIN_HD static constexpr bool ends(int) { return true; }
  ENTRAIN_HD static constexpr int part(bool first, bool, bool touches) { return first && touches ? begin : inside; }
};

/// B-X opens every entity, I-X continues it.
struct Bio {
  static constexpr std::string_view name = "BIO";
  static constexpr int parts = 2;
  static constexpr std::array<char, 2> letters{'B', 'I'};
  enum : int { begin, inside };

  ENTRAIN_HD static constexpr bool begins(int part, bool) { return part == begin; }
  ENTRAIN_HD static constexpr bool continues(int, int b) { return b == inside; }
  ENTRAIN_HD static constexpr bool ends(int) { return true; }
  ENTRAIN_HD static constexpr int part(bool first, bool, bool) { return first ? begin : inside; }
};
using Iob2 = Bio;

/// The rules that Bioes, Bilou and Bmes share: the first, a middle and the last token have different letters, and so
/// has an entity of one token. The three differ only in letters, so their tag ids agree.
struct FourParts {
  static constexpr int parts = 4;
  enum : int { begin, inside, end, single };

  ENTRAIN_HD static constexpr bool begins(int part, bool) { return part == begin || part == single; }
  ENTRAIN_HD static constexpr bool continues(int a, int b) {
    return (a == begin || a == inside) && (b == inside || b == end);
  }
  ENTRAIN_HD static constexpr bool ends(int part) { return part == end || part == single; }
  ENTRAIN_HD static constexpr int part(bool first, bool last, bool) {
    return first ? (last ? single : begin) : (last ? end : inside);
  }
};

struct Bioes : FourParts {
  static constexpr std::string_view name = "BIOES";
  static constexpr std::array<char, 4> letters{'B', 'I', 'E', 'S'};
};
using Iobes = Bioes;

/// Last and Unit instead of End and Single.
struct Bilou : FourParts {
  static constexpr std::string_view name = "BILOU";
  static constexpr std::array<char, 4> letters{'B', 'I', 'L', 'U'};
};
using Biluo = Bilou;

/// Middle instead of Inside; usual for Chinese.
struct Bmes : FourParts {
  static constexpr std::string_view name = "BMES";
  static constexpr std::array<char, 4> letters{'B', 'M', 'E', 'S'};
};

template <TagScheme S> ENTRAIN_HD constexpr Tag make_tag(std::int32_t type, int part) {
  return 1 + type * S::parts + part;
}
template <TagScheme S> ENTRAIN_HD constexpr std::int32_t tag_type(Tag tag) {  // tag > 0
  return (tag - 1) / S::parts;
}
template <TagScheme S> ENTRAIN_HD constexpr int tag_part(Tag tag) {  // tag > 0
  return (tag - 1) % S::parts;
}

/// The part with this letter, -1 if the scheme has none.
template <TagScheme S> constexpr int part_of(char letter) {
  for (int part = 0; part < S::parts; ++part)
    if (S::letters[static_cast<std::size_t>(part)] == letter) return part;
  return -1;
}

/// Which tag ids may start a sentence, end it, and follow each other. It needs at most two divisions: a CRF over 2,001
/// tags calls this instead of reading a table of four million entries.
template <TagScheme S> struct Allowed {
  ENTRAIN_HD static constexpr bool starts(Tag tag) { return tag == 0 || S::begins(tag_part<S>(tag), false); }
  ENTRAIN_HD static constexpr bool ends(Tag tag) { return tag == 0 || S::ends(tag_part<S>(tag)); }
  ENTRAIN_HD static constexpr bool follows(Tag a, Tag b) {  // may b follow a directly?
    if (a == 0) return starts(b);
    if (b == 0) return ends(a);
    const bool same = tag_type<S>(a) == tag_type<S>(b);
    return (same && S::continues(tag_part<S>(a), tag_part<S>(b))) ||
           (S::ends(tag_part<S>(a)) && S::begins(tag_part<S>(b), same));
  }
};

/// The closed set of schemes as a run-time value, for files and command lines. The order is the order of preference: if
/// nothing else decides between two schemes, the earlier one is taken.
enum class SchemeId : std::uint8_t { bio, bioes, bilou, iob1, io, bmes };
inline constexpr std::array<SchemeId, 6> all_schemes{SchemeId::bio,  SchemeId::bioes, SchemeId::bilou,
                                                     SchemeId::iob1, SchemeId::io,    SchemeId::bmes};

/// Calls f with the scheme's type, as in with_scheme(id, [&](auto scheme) { return train<decltype(scheme)>(); }).
template <class F> constexpr decltype(auto) with_scheme(SchemeId id, F&& f) {
  switch (id) {
    case SchemeId::io:
      return f(Io{});
    case SchemeId::iob1:
      return f(Iob1{});
    case SchemeId::bioes:
      return f(Bioes{});
    case SchemeId::bilou:
      return f(Bilou{});
    case SchemeId::bmes:
      return f(Bmes{});
    case SchemeId::bio:
      break;
  }
  return f(Bio{});
}

constexpr std::string_view scheme_name(SchemeId id) {
  return with_scheme(id, [](auto scheme) { return decltype(scheme)::name; });
}

/// The inverse: the id of a scheme's type.
template <TagScheme S> constexpr SchemeId scheme_of() {
  for (const SchemeId id : all_schemes)
    if (scheme_name(id) == S::name) return id;
  return SchemeId::bio;
}

/// The scheme with this name, in either case. IOB alone is refused, because it may mean IOB1 or IOB2.
/// throws    entrain.text.20; where: the option or file that holds the name
inline SchemeId scheme_by_name(std::string_view name, std::string_view where = "--scheme") {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == "io") return SchemeId::io;
  if (lower == "iob1") return SchemeId::iob1;
  if (lower == "bio" || lower == "iob2") return SchemeId::bio;
  if (lower == "bioes" || lower == "iobes") return SchemeId::bioes;
  if (lower == "bilou" || lower == "biluo") return SchemeId::bilou;
  if (lower == "bmes") return SchemeId::bmes;
  throw Error("entrain.text.20", where, "tag scheme '" + std::string(name) + "'",
              "io, iob1, iob2 (= bio), iobes (= bioes), bilou (= biluo) or bmes",
              lower == "iob" ? "IOB is ambiguous: use iob1 or iob2" : "");
}

}  // namespace entrain::text
