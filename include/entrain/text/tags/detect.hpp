// [text] > batch > embed > encode > head > optim > checkpoint
//
// Detects the tag scheme of a file. The caller passes every sentence, then asks for the result: each scheme that fits,
// the number of lines that disagree with each other scheme, and the scheme to use.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

/// How one scheme agrees with a corpus.
struct Agreement {
  SchemeId scheme = SchemeId::bio;
  std::size_t disagreeing = 0;                      // lines whose tag breaks it (see violations)
  std::size_t first_sentence = 0, first_token = 0;  // the first such line, counted from 0
  std::string place = {};                           // its place, in the words of its reader: `'PER' at train.conll:812`
  bool fits() const { return disagreeing == 0; }
};

/// The result.
///
/// taken     of the schemes that fit, the one with the fewest letters that never occur. Among equals the order of
///           all_schemes decides, so the result is BIO if there is no entity. A file of only I- is taken as IOB1, which
///           reads the same entities and can write everything that a model may predict; IO cannot separate neighbours
///           of one type. If none fits, the scheme with the fewest disagreeing lines; a repair rule or another --scheme
///           is then needed.
struct Detection {
  std::array<Agreement, all_schemes.size()> schemes;  // in the order of all_schemes
  SchemeId taken = SchemeId::bio;
  std::string letters;               // the letters that occur, as in "BI"
  std::size_t malformed = 0;         // lines that are not tags; they count against every scheme
  std::string malformed_place = {};  // of the first of them, likewise

  const Agreement& agreement(SchemeId id) const {
    for (const auto& a : schemes)
      if (a.scheme == id) return a;
    return schemes[0];
  }
  bool fits() const { return agreement(taken).fits(); }
};

/// Reads sentence by sentence and keeps only counts.
class Detector {
 public:
  Detector() {
    for (std::size_t i = 0; i < all_schemes.size(); ++i) found_.schemes[i].scheme = all_schemes[i];
  }

  /// The raw tags of one sentence: any range of strings.
  template <class Tags> void sentence(const Tags& tags) {
    marks_.clear();
    for (std::string_view tag : tags) marks_.push_back(read_mark(tag, types_));
    sentence_of_marks(marks_);
  }

  /// The same for tags already read, with one Types for all sentences.
  template <class Marks> void sentence_of_marks(const Marks& marks) {
    sentence_of_marks(marks, [](std::size_t) { return std::string(); });
  }
  /// place(i): the place of the sentence's token i, as text; called only for the first of each kind
  template <class Marks, class Place> void sentence_of_marks(const Marks& marks, Place&& place) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const char letter = marks[i].letter;
      if (letter == Mark::malformed) {
        if (found_.malformed++ == 0) found_.malformed_place = place(i);
      } else if (letter != 'O' && found_.letters.find(letter) == std::string::npos) {
        found_.letters += letter;
      }
    }
    for (auto& a : found_.schemes)
      with_scheme(a.scheme, [&](auto scheme) {
        violations<decltype(scheme)>(marks, [&](std::size_t token) {
          if (a.disagreeing++ == 0) a.first_sentence = sentences_, a.first_token = token, a.place = place(token);
        });
      });
    ++sentences_;
  }

  Detection finding() const {
    Detection d = found_;
    std::string sorted;  // in the order of tag_letters, not of the file
    for (char c : tag_letters)
      if (d.letters.find(c) != std::string::npos) sorted += c;
    d.letters = sorted;
    const Agreement* best = &d.schemes[0];
    for (const auto& a : d.schemes)
      if (better(a, *best, d.letters)) best = &a;
    d.taken = best->scheme;
    return d;
  }

 private:
  static bool better(const Agreement& a, const Agreement& b, const std::string& seen) {
    if (a.disagreeing != b.disagreeing) return a.disagreeing < b.disagreeing;
    return !seen.empty() && unseen(a.scheme, seen) < unseen(b.scheme, seen);
  }
  static int unseen(SchemeId id, const std::string& seen) {
    if (id == SchemeId::io) return unseen(SchemeId::iob1, seen);  // IOB1 gives the same entities and comes first
    return with_scheme(id, [&](auto scheme) {
      int n = 0;
      for (char c : decltype(scheme)::letters) n += seen.find(c) == std::string::npos;
      return n;
    });
  }

  Detection found_;
  Types types_;
  std::vector<Mark> marks_;
  std::size_t sentences_ = 0;
};

/// `train.conll: fits IOB1, IO; read as IOB1 (only I- occurs)`
///
/// read_as   the scheme in which the caller reads the tags
inline std::string describe(const Detection& d, std::string_view file, SchemeId read_as) {
  const auto lines = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " line" : " lines"); };
  std::string fits;
  for (const auto& a : d.schemes)
    if (a.fits()) fits.append(fits.empty() ? "fits " : ", ").append(scheme_name(a.scheme));

  std::string why;
  if (read_as != d.taken) {
    why = "as --scheme names";
  } else if (const auto n = d.agreement(d.taken).disagreeing; n > 0) {
    why = "the nearest, but " + lines(n) + (n == 1 ? " disagrees" : " disagree");
  } else if (d.letters.empty()) {
    why = "no entity occurs";
  } else {
    for (std::size_t i = 0; i < d.letters.size(); ++i) {
      if (i > 0) why += i + 1 < d.letters.size() ? ", " : " and ";
      why.append(1, d.letters[i]).append("-");
    }
    why = d.letters.size() == 1 ? "only " + why + " occurs" : why + " occur";
  }

  std::string s(file);
  s.append(": ").append(fits.empty() ? "fits no scheme" : fits);
  s.append("; read as ").append(scheme_name(read_as)).append(" (").append(why).append(")");
  if (d.malformed > 0)
    s.append("; ").append(lines(d.malformed)).append(d.malformed == 1 ? " is not a tag" : " are not tags");
  return s;
}
inline std::string describe(const Detection& d, std::string_view file) { return describe(d, file, d.taken); }

/// The same and, for a caller that inspects a file, the number of lines that do not fit each of the other schemes:
/// `train.conll: fits BIO; read as BIO (B- and I- occur); not BIOES (1184 lines), BILOU (1184), ...`
inline std::string describe_all(const Detection& d, std::string_view file) {
  std::string others;
  for (const auto& a : d.schemes) {
    if (a.fits() || a.scheme == d.taken) continue;
    others.append(others.empty() ? "; not " : ", ").append(scheme_name(a.scheme));
    others.append(" (").append(std::to_string(a.disagreeing));
    if (others.find("line") == std::string::npos) others.append(a.disagreeing == 1 ? " line" : " lines");
    others += ')';
  }
  return describe(d, file) + others;
}

}  // namespace entrain::text
