// [text] > batch > embed > encode > head > optim > checkpoint
//
// A sentence that can be changed and written again: its words, and its entities as spans of them. The writer makes new
// tags for any result, in the same scheme. Read corpus.hpp and text/tags/spans.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

struct Draft {
  struct Word {
    std::string_view text;
    std::uint32_t line = 0;  // in the file; a new word has the line of the word that it replaces
  };
  std::vector<Word> words;
  std::vector<Span> entities;  // spans of words, ordered, without overlap; types are numbers of `types`
  Types types;                 // grows from sentence to sentence
  bool tagged = true;          // false: no word has a tag, and none gets one
  bool joins = false;          // two entities of a type that touch would become one, as in IO: keep a word between them
  std::uint64_t recased_words = 0, dropped_words = 0, swapped_entities = 0;  // counts of the changes

  /// An empty string for the text of a word, valid until the next sentence is read.
  std::string& fresh() {
    if (used_ == made_.size()) made_.emplace_back();
    std::string& s = made_[used_++];
    s.clear();
    return s;
  }
  /// Removes words and entities; types stay.
  void clear() {
    words.clear();
    entities.clear();
    recased_words = dropped_words = swapped_entities = 0;
    used_ = 0;
  }

 private:
  std::deque<std::string> made_;  // strings that never move
  std::size_t used_ = 0;
};

/// f(scheme) with the scheme, a type, of the tags.
template <TagScheme Scheme, class Rule, class F> decltype(auto) with_scheme(const ReadAs<Scheme, Rule>&, F&& f) {
  return f(Scheme{});
}
template <class F> decltype(auto) with_scheme(const ReadBy& reading, F&& f) { return with_scheme(reading.scheme, f); }

/// Reads sentences of corpora as drafts. Reading: how their tags are read (text/tags/reading.hpp).
template <class Reading> class DraftReader {
 public:
  explicit DraftReader(Reading reading = {}) : reading_(std::move(reading)) {}

  /// Call it before reading sentences of another corpus, or when the corpus has new tags.
  void open(const Corpus& corpus, Types& types) {
    marks_.clear();
    for (const std::string& tag : corpus.tags) marks_.push_back(read_mark(tag, types));
  }
  /// sink(Span) for the entities of sentence s, from left to right.
  template <class Sink> void entities(const Corpus& corpus, std::size_t s, Sink&& sink) const {
    reading_(MarksAt{marks_, std::span(corpus.tag).subspan(corpus.sentence[s], corpus.length(s))}, sink);
  }
  /// The draft's words refer to the text of the corpus.
  void read(const Corpus& corpus, std::size_t s, Draft& draft) const {
    draft.clear();
    draft.joins = with_scheme(reading_, [](auto scheme) { return decltype(scheme)::parts == 1; });
    draft.tagged = false;
    for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i) {
      draft.words.push_back({corpus.token(i), corpus.line[i]});
      draft.tagged = draft.tagged || corpus.tag[i] >= 0;
    }
    entities(corpus, s, [&](const Span& entity) { draft.entities.push_back(entity); });
  }

 private:
  Reading reading_;
  std::vector<Mark> marks_;  // of the corpus's distinct tags
};

/// Writes drafts whose types are numbers of one Types, with tags in the scheme of the Reading.
template <class Reading> class DraftWriter {
 public:
  explicit DraftWriter(Reading reading = {}) : reading_(std::move(reading)) {}

  /// Whether the draft is a sentence: it has words, and entities that the scheme can separate.
  ///
  /// throws    entrain.text.22 as Encoder
  bool read(const Draft& draft) {
    tags_.resize(draft.words.size());
    const std::size_t joined = with_scheme(
        reading_, [&](auto scheme) { return encode<decltype(scheme)>(draft.entities, std::span<Tag>(tags_)); });
    return joined == 0 && !draft.words.empty();
  }
  /// Appends the draft that was read to a corpus as a sentence.
  void write(const Draft& draft, Corpus& to) {
    for (std::size_t i = 0; i < draft.words.size(); ++i) {
      const Draft::Word& word = draft.words[i];
      if (draft.tagged)
        to.push(word.text, name(tags_[i], draft.types), word.line);
      else
        to.push(word.text, word.line);
    }
    to.end_sentence();
  }

 private:
  const std::string& name(Tag tag, const Types& types) {
    while (names_.size() <= static_cast<std::size_t>(tag)) {
      const auto next = static_cast<Tag>(names_.size());
      names_.push_back(next == 0 ? "O" : with_scheme(reading_, [&](auto id) {
        using Scheme = decltype(id);
        return join_tag(Scheme::letters[static_cast<std::size_t>(tag_part<Scheme>(next))],
                        types.name(tag_type<Scheme>(next)));
      }));
    }
    return names_[static_cast<std::size_t>(tag)];
  }

  Reading reading_;
  std::vector<Tag> tags_;
  std::vector<std::string> names_;  // of tags of the types
};

}  // namespace entrain::text
