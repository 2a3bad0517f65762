// [text] > batch > embed > encode > head > optim > checkpoint
//
// Finds the problems of a corpus and describes its content: every problem with its line, and the numbers that show
// whether the splits belong together. Read check_result.hpp first; check_words.hpp writes the result as text.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/text/check/check_result.hpp"
#include "entrain/text/check/check_words.hpp"  // kind_name
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/token_fault.hpp"
#include "entrain/text/corpus/unlabelled.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/unicode/utf8.hpp"  // is_valid_utf8

namespace entrain::text {

namespace detail {

/// Why the tag at i breaks scheme S; empty if it does not break it.
template <TagScheme S> std::string breach(const MarksAt& marks, std::size_t i, const Types& types) {
  const Mark mark = marks[i];
  const auto text = [&](Mark m) {
    return m.type == Types::none ? "O" : excerpt(join_tag(m.letter, types.name(m.type)));
  };
  const std::string tag = text(mark), name(S::name);
  const Seen here = see<S>(mark), before = i > 0 ? see<S>(marks[i - 1]) : Seen{};
  const Seen after = i + 1 < marks.size() ? see<S>(marks[i + 1]) : Seen{};
  if (here.part < 0) return mark.letter == 'O' ? "" : tag + ": " + name + " has no " + mark.letter;
  if (!continues<S>(before, here) && !S::begins(here.part, touch(before, here)))
    return tag + (i > 0 ? " after " + text(marks[i - 1]) : " at the start of a sentence") + " is not allowed in " +
           name;
  if (!continues<S>(here, after) && !S::ends(here.part))
    return tag + (i + 1 < marks.size() ? " before " + text(marks[i + 1]) : " at the end of a sentence") +
           " is not allowed in " + name;
  return {};
}

/// One run of check over some files. Each step fills its part of the result.
class Checker {
 public:
  Checker(std::span<const ConllFile> files, const CheckOptions& options) : files_(files), options_(options) {
    for (const ConllFile& file : files_) {
      auto& marks = marks_.emplace_back();
      for (const std::string& tag : file.corpus.tags) marks.push_back(read_mark(tag, types_));
    }
    result_.labels = types_.names();
    result_.repeat_tokens = options_.repeat_tokens;
    result_.splits.resize(files_.size());
    entities_.resize(files_.size());
    first_line_.resize(files_.size());
  }

  Check run() && {
    detect();
    for (std::size_t f = 0; f < files_.size(); ++f) {
      lines(f);
      tokens_and_tags(f);
      entities(f);
      summary(f);
    }
    for (std::size_t f = 0; f < files_.size(); ++f) sentences(f);
    labels();
    overlaps();
    std::sort(result_.findings.begin(), result_.findings.end(), [](const Finding& a, const Finding& b) {
      return std::tie(a.split, a.line, a.kind, a.reason) < std::tie(b.split, b.line, b.kind, b.reason);
    });
    return std::move(result_);
  }

 private:
  void report(std::size_t split, std::uint32_t line, Kind kind, std::string reason) {
    ++result_.counts[static_cast<std::size_t>(kind)];
    result_.findings.push_back({split, line, kind, std::move(reason)});
  }

  MarksAt marks(std::size_t f, std::size_t s) const {
    const Corpus& c = files_[f].corpus;
    return {marks_[f], std::span(c.tag).subspan(c.sentence[s], c.length(s))};
  }

  void detect() {
    Detector all;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      Detector own;
      for (std::size_t s = 0; s < files_[f].corpus.sentences(); ++s) {
        own.sentence_of_marks(marks(f, s));
        all.sentence_of_marks(marks(f, s));
      }
      result_.splits[f].scheme = own.finding();
    }
    result_.scheme = all.finding();
    result_.taken = options_.scheme.value_or(result_.scheme.taken);
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const Detection& own = result_.splits[f].scheme;
      if (own.fits() && !own.agreement(result_.taken).fits())
        report(f, 0, Kind::other_scheme,
               "fits " + std::string(scheme_name(own.taken)) + ", but is read as " +
                   std::string(scheme_name(result_.taken)));
    }
  }

  void lines(std::size_t f) {
    const Problems& problems = files_[f].problems;
    if (!is_valid_utf8(files_[f].corpus.name))
      report(f, 0, Kind::odd_name, "its name is not UTF-8: a model trained on it cannot be saved");
    if (!files_[f].layout.doubt.empty()) report(f, 0, Kind::odd_layout, files_[f].layout.doubt);
    const Met& met = files_[f].corpus.met;
    constexpr std::array<Kind, concerns> kind_of{Kind::malformed_line, Kind::bad_entity, Kind::other_text,
                                                 Kind::unlabelled_text, Kind::unread_list};
    std::array<std::uint64_t, concerns> left{problems.total - problems.annotations, problems.annotations,
                                             met.other_texts, all_unlabelled(met) ? 0 : met.unlabelled,
                                             met.unread_lists};
    for (const Problem& p : problems.list) {
      const auto of = static_cast<std::size_t>(p.of);
      report(f, p.line, kind_of[of], p.reason);
      --left[of];
    }
    for (std::size_t of = 0; of < concerns; ++of) report_unlisted(f, kind_of[of], left[of]);
    if (all_unlabelled(met))
      report(f, 0, Kind::unlabelled_text,
             "none of its " + detail::counted(met.unlabelled, "text", "texts") + " has an entity list");
  }
  /// One finding, which represents all findings that are not listed.
  void report_unlisted(std::size_t split, Kind kind, std::uint64_t more) {
    if (more == 0) return;
    result_.counts[static_cast<std::size_t>(kind)] += more;
    result_.findings.push_back(
        {split, 0, kind, std::to_string(more) + " more " + std::string(kind_name(kind, more > 1)) + ", not listed",
         true});
  }

  void tokens_and_tags(std::size_t f) {
    const Corpus& c = files_[f].corpus;
    std::vector<bool> unsavable;  // [tag]
    for (const std::string& tag : c.tags) unsavable.push_back(!is_valid_utf8(tag));
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c.tag[i] >= 0 && unsavable[static_cast<std::size_t>(c.tag[i])])
        report(f, c.line[i], Kind::bad_tag,
               "tag '" + excerpt(c.tag_name(i)) + "' is not UTF-8: a model with it cannot be saved");
      if (const TokenFault fault = find_fault(c.token(i)); fault.fault != Fault::none)
        report(f, c.line[i], Kind::token_fault, describe(fault));
      if (c.tag[i] >= 0 && marks_[f][static_cast<std::size_t>(c.tag[i])].letter == Mark::malformed)
        report(f, c.line[i], Kind::bad_tag,
               "tag '" + excerpt(c.tag_name(i)) + "': " + std::string(tag_problem(c.tag_name(i))));
    }
    with_scheme(result_.taken, [&](auto scheme) {
      for (std::size_t s = 0; s < c.sentences(); ++s) {
        const MarksAt m = marks(f, s);
        violations<decltype(scheme)>(m, [&](std::size_t i) {
          if (m[i].letter != Mark::malformed)
            report(f, c.line[c.sentence[s] + i], Kind::broken_scheme, breach<decltype(scheme)>(m, i, types_));
        });
      }
    });
  }

  /// Mentions by the rules of conlleval, so that a broken scheme loses no mention.
  void entities(std::size_t f) {
    const Corpus& c = files_[f].corpus;
    SplitSummary& split = result_.splits[f];
    split.mentions.resize(result_.labels.size());
    first_line_[f].resize(result_.labels.size());
    for (std::size_t s = 0; s < c.sentences(); ++s)
      conlleval(marks(f, s), [&](const Span& span) {
        const auto label = static_cast<std::size_t>(span.type);
        const std::size_t first = c.sentence[s] + span.begin;
        if (split.mentions[label]++ == 0) first_line_[f][label] = c.line[first];
        ++split.entities;
        std::string text = std::to_string(label);
        for (std::size_t i = first; i < c.sentence[s] + span.end; ++i) text.append(" ").append(c.token(i));
        ++entities_[f][text];
      });
  }

  void summary(std::size_t f) {
    const Corpus& c = files_[f].corpus;
    SplitSummary& split = result_.splits[f];
    split.name = c.name;
    split.layout = files_[f].layout.words;
    split.tokens = c.size();
    split.sentences = c.sentences();
    split.documents = c.document.size();
    split.met = c.met;
    std::vector<std::size_t> lengths;
    for (std::size_t s = 0; s < c.sentences(); ++s) {
      lengths.push_back(c.length(s));
      if (c.length(s) > options_.long_sentence)
        report(f, c.line[c.sentence[s]], Kind::long_sentence,
               "a sentence of " + std::to_string(c.length(s)) + " tokens starts here");
    }
    if (lengths.empty()) return;
    std::sort(lengths.begin(), lengths.end());
    split.shortest = lengths.front();
    split.median = lengths[(lengths.size() - 1) / 2];
    split.p99 = lengths[(99 * lengths.size() + 99) / 100 - 1];
    split.longest = lengths.back();
  }

  /// Finds repeated sentences: inside a split, and between it and the splits before. Spaces and token borders do not
  /// count, so the key is a view of the corpus's own bytes.
  void sentences(std::size_t f) {
    const Corpus& c = files_[f].corpus;
    auto& seen = seen_.emplace_back();
    for (std::size_t s = 0; s < c.sentences(); ++s) {
      const bool brief = c.length(s) < options_.repeat_tokens;
      const auto from = c.begin[c.sentence[s]], to = c.begin[c.sentence[s + 1]];
      const std::string_view text = std::string_view(c.bytes).substr(from, to - from);
      const std::uint32_t line = c.line[c.sentence[s]];
      if (const auto [first, added] = seen.emplace(text, s); !added) {
        if (brief) {
          ++result_.splits[f].short_repeated;
          continue;
        }
        ++result_.splits[f].repeated;
        report(f, line, Kind::repeated_sentence, repeats(f, s, f, first->second));
        continue;
      }
      for (std::size_t g = 0; g < f; ++g)
        if (const auto there = seen_[g].find(text); there != seen_[g].end()) {
          if (brief) {
            ++short_shared_[{g, f}];
            continue;
          }
          ++shared_[{g, f}];
          report(f, line, Kind::shared_sentence, repeats(f, s, g, there->second));
        }
    }
  }

  std::string repeats(std::size_t f, std::size_t s, std::size_t g, std::size_t t) const {
    const Corpus &c = files_[f].corpus, &d = files_[g].corpus;
    const std::size_t i = c.sentence[s], k = d.sentence[t], n = c.length(s);
    const auto same = [&](auto&& equal) {
      std::size_t at = 0;
      while (at < n && equal(i + at, k + at)) ++at;
      return at == n;
    };
    std::string reason = "the sentence that starts here is also at " + d.where(k);
    if (n != d.length(t) || !same([&](std::size_t x, std::size_t y) { return c.token(x) == d.token(y); }))
      return reason + ", split differently";
    if (!same([&](std::size_t x, std::size_t y) { return c.tag_name(x) == d.tag_name(y); }))
      return reason + ", tagged differently";
    return reason;
  }

  void labels() {
    const std::size_t n = result_.labels.size();
    std::map<std::string, std::size_t> usual;                         // the most frequent label of each form
    std::vector<std::map<std::string, std::size_t>::iterator> of(n);  // form of each label
    std::vector<bool> alone(n, true);                                 // no other label has the same form
    for (std::size_t k = 0; k < n; ++k) {
      const auto [at, added] = usual.emplace(fold_label(result_.labels[k]), k);
      of[k] = at;
      if (added) continue;
      alone[k] = alone[at->second] = false;
      if (total(k) > total(at->second)) at->second = k;
    }
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const SplitSummary& split = result_.splits[f];
      if (split.entities == 0) {
        report(f, 0, Kind::no_entities, "no entities in the file");
        continue;
      }
      std::size_t used = 0, last = 0;
      for (std::size_t k = 0; k < n; ++k)
        if (split.mentions[k] > 0) ++used, last = k;
      if (used == 1) report(f, 0, Kind::one_label, "one label only: " + shown(last));
      for (std::size_t k = 0; k < n; ++k) {
        if (split.mentions[k] == 0) continue;
        const std::uint32_t line = first_line_[f][k];
        const std::string times = shown(k) + " (" + std::to_string(split.mentions[k]) + " here)";
        if (f == 0 && split.mentions[k] < options_.rare) report(f, line, Kind::rare_label, "rare label " + times);
        if (f > 0 && result_.splits[0].mentions[k] == 0)
          report(f, line, Kind::unseen_label, "label " + times + " never occurs in " + result_.splits[0].name);
        if (const std::size_t other = of[k]->second; other != k)
          report(f, line, Kind::label_case,
                 "label " + times + " differs from " + shown(other) + " by " +
                     difference_of_labels(result_.labels[k], result_.labels[other]) + " only");
        if (const std::string seen = without_unseen(result_.labels[k]); alone[k] && seen != result_.labels[k])
          report(f, line, Kind::label_case,
                 "label " + times + " is '" + excerpt(seen) + "' but for " +
                     difference_of_labels(result_.labels[k], seen));
      }
    }
  }

  std::string shown(std::size_t label) const {
    return result_.labels[label].empty() ? "without a name" : "'" + excerpt(result_.labels[label]) + "'";
  }
  std::uint64_t total(std::size_t label) const {
    std::uint64_t n = 0;
    for (const SplitSummary& split : result_.splits) n += split.mentions[label];
    return n;
  }

  void overlaps() {
    for (std::size_t a = 0; a < files_.size(); ++a)
      for (std::size_t b = a + 1; b < files_.size(); ++b) {
        Overlap o{a, b, shared_[{a, b}], short_shared_[{a, b}], 0, entities_[b].size(), 0};
        for (const auto& [entity, mentions] : entities_[b])
          if (entities_[a].count(entity) > 0) ++o.entities, o.mentions_seen += mentions;
        result_.overlaps.push_back(o);
      }
  }

  std::span<const ConllFile> files_;
  const CheckOptions& options_;
  Types types_;
  std::vector<std::vector<Mark>> marks_;  // per split: marks of its distinct tags
  // per split: entities with the number of their mentions
  std::vector<std::unordered_map<std::string, std::size_t>> entities_;
  std::vector<std::vector<std::uint32_t>> first_line_;                   // [split][label]
  std::vector<std::unordered_map<std::string_view, std::size_t>> seen_;  // per split: sentence text, first place
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared_, short_shared_;
  Check result_;
};

}  // namespace detail

/// Checks the splits of one corpus: train first, then dev, test, as read by inspect_conll. Unseen and rare labels are
/// judged by the first split. Memory: about the size of the files.
inline Check check(std::span<const ConllFile> files, const CheckOptions& options = {}) {
  return detail::Checker(files, options).run();
}

}  // namespace entrain::text
