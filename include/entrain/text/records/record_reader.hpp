// [text] > batch > embed > encode > head > optim > checkpoint
//
// Makes sentences of words with tags from a record. Read record.hpp and align.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/conll/conll_cells.hpp"  // is_type_alone
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/records/align.hpp"
#include "entrain/text/records/record.hpp"
#include "entrain/text/records/record_words.hpp"  // given_words
#include "entrain/text/records/token_numbers.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

/// Scheme    of the tags that annotations become, if RecordOptions::annotations_as does not give it, and of the tags in
///           the records
/// Words, Sentences    split a text that comes without words or sentences, if RecordOptions does not give the splitters
///
/// The end of a sentence does not split an entity: the two sentences become one, and are counted. Words that come with
/// tags, or without a text, are one sentence, unless the record gives the number of words of each. Each record is a
/// document.
template <TagScheme Scheme, WordSplitter Words, SentenceSplitter Sentences> class RecordReader {
 public:
  explicit RecordReader(const RecordOptions& options)
      : unit_(options.unit),
        scheme_(options.annotations_as),
        types_alone_(options.types_alone),
        split_words_(options.split_words.split ? options.split_words.split : &Words::split),
        split_sentences_(options.split_sentences.split ? options.split_sentences.split : &Sentences::split),
        problem_cap_(options.problem_cap),
        align_(options.misaligned, options.unit, options.problem_cap) {}

  /// Appends the record's sentences to the corpus; appends nothing if it throws.
  ///
  /// throws    entrain.text.41: as Aligner    .42: a record that contradicts itself, or lacks words, text or tags
  void operator()(Record& record, const Where& where, Corpus& corpus) {
    const auto line = static_cast<std::uint32_t>(where.line);
    refuse_contradictions(record, where);
    Met& met = corpus.met;
    words_.clear();
    std::string_view text = record.text;
    std::uint64_t blank = 0;
    // a word whose own text differs from its place
    std::string odd;
    const bool whole = record.has_tags || !record.has_text || record.of_words;  // one sentence
    if (record.words_are == Record::WordsAre::unknown)
      split_words_(text, words_);
    else
      text = given_words(record, where, unit_, words_, blank, odd);
    if (record.has_tags && record.tags.size() != words_.size())
      refuse_record(where, std::to_string(record.tags.size()) + " tags",
                    std::to_string(words_.size()) + ", one for each word");
    sentences_.clear();
    if (record.has_sentences)
      given_sentences(record, where, words_.size(), sentences_);
    else if (whole)
      WholeText::split(text, words_, sentences_);
    else
      split_sentences_(text, words_, sentences_);

    if (!record.has_tags) align(record, text, line, corpus);
    corpus.start_document();
    const std::size_t sentences_before = corpus.sentences();
    met.blank_words += blank;
    met.wordless += words_.empty();
    if (record.has_tags || record.has_annotations)
      ++met.labelled;
    else
      remark(met.unlabelled, Concern::unlabelled, "a text without an entity list, read as a text without entities",
             line, corpus);
    if (!record.token_numbers.empty())
      for (std::string& reason : other_tokens(record, text, words_, unit_))
        remark(met.other_texts, Concern::other_text, std::move(reason), line, corpus);
    if (!odd.empty()) remark(met.other_texts, Concern::other_text, odd, line, corpus);
    if (!record.unread.empty())
      remark(
          met.unread_lists, Concern::unread_list,
          "\"" + excerpt(record.unread) + "\" seems to contain entities; it is ignored, as the record has another list",
          line, corpus);
    if (record.has_tags)
      push_tagged(record, text, line, corpus);
    else
      push_annotated(text, line, corpus);
    if (!record.has_tags) corpus.annotated_from(sentences_before);
  }

  /// The words of the latest record.
  std::span<const Token> words() const { return words_; }

 private:
  void align(Record& record, std::string_view text, std::uint32_t line, Corpus& corpus) {
    if (types_.size() > most_types) types_ = {}, names_.clear();
    align_(text, words_, record.annotations, record.of_words ? OffsetUnit::words : unit_, types_, line, corpus, spans_);
  }

  [[gnu::cold]] void remark(std::uint64_t& count, Concern of, std::string reason, std::uint32_t line, Corpus& corpus) {
    if (++count <= problem_cap_) corpus.problems.push_back({line, std::move(reason), {}, of});
  }

  void push_tagged(const Record& record, std::string_view text, std::uint32_t line, Corpus& corpus) {
    for (const Sentence& s : sentences_) {
      for (std::uint32_t i = s.begin; i < s.end; ++i) {
        const std::string_view word = words_[i].in(text);
        if (types_alone_ && detail::is_type_alone(record.tags[i]))
          corpus.push(word, "I-" + std::string(record.tags[i]), line);
        else
          corpus.push(word, record.tags[i], line);
        corpus.met.empty_tokens += word.empty();
      }
      corpus.end_sentence();
    }
  }
  void push_annotated(std::string_view text, std::uint32_t line, Corpus& corpus) {
    tags_.resize(words_.size());
    const std::int32_t outside = words_.empty() ? 0 : corpus.intern("O");
    std::size_t first = 0, next = 0;  // spans of the sentence that end in its part already pushed
    std::uint32_t begin = 0;          // its first word
    for (const Sentence& s : sentences_) {
      corpus.push(text, s.in(words_), outside, line);
      for (std::uint32_t i = s.begin; i < s.end; ++i) corpus.met.empty_tokens += words_[i].begin == words_[i].end;
      while (next < spans_.size() && spans_[next].end <= s.end) ++next;
      if (next < spans_.size() && spans_[next].begin < s.end) {
        ++corpus.met.joined_sentences;
        continue;
      }
      tag_last(s.end - begin, begin, std::span(spans_).subspan(first, next - first), corpus);
      corpus.end_sentence();
      begin = s.end;
      first = next;
    }
  }
  /// Tags the last words of the corpus, a sentence from `begin` on, with its entities. It handles each sentence by
  /// itself, because a scheme may ask whether two entities touch.
  void tag_last(std::size_t words, std::uint32_t begin, std::span<Span> entities, Corpus& corpus) {
    if (entities.empty()) return;
    for (Span& e : entities) e.begin -= begin, e.end -= begin;
    const std::span<Tag> tags = std::span(tags_).first(words);
    in_scheme([&](auto scheme) {
      encode<decltype(scheme)>(std::span<const Span>(entities), tags);
      if constexpr (scheme.parts == 1)
        for (std::size_t i = 1; i < entities.size(); ++i)
          corpus.met.merged_entities +=
              entities[i - 1].end == entities[i].begin && entities[i - 1].type == entities[i].type;
    });
    const std::size_t first = corpus.size() - words;
    for (const Span& e : entities)
      for (std::uint32_t i = e.begin; i < e.end; ++i) corpus.tag[first + i] = corpus.intern(name(tags[i]));
  }

  const std::string& name(Tag tag) {
    while (names_.size() <= static_cast<std::size_t>(tag)) {
      const auto next = static_cast<Tag>(names_.size());
      in_scheme([&](auto scheme) {
        using To = decltype(scheme);
        names_.push_back(next == 0 ? "O"
                                   : join_tag(To::letters[static_cast<std::size_t>(tag_part<To>(next))],
                                              types_.name(tag_type<To>(next))));
      });
    }
    return names_[static_cast<std::size_t>(tag)];
  }

  template <class F> void in_scheme(F&& f) const {
    if (scheme_)
      with_scheme(*scheme_, f);
    else
      f(Scheme{});
  }

  static constexpr std::int32_t most_types = 10'000;  // types kept from record to record

  OffsetUnit unit_;
  std::optional<SchemeId> scheme_;  // of annotations' tags, if not Scheme
  bool types_alone_;
  decltype(NamedWordSplitter::split) split_words_;
  decltype(NamedSentenceSplitter::split) split_sentences_;
  std::size_t problem_cap_;
  Aligner align_;
  Types types_;
  std::vector<std::string> names_;  // names of the tags of types_
  std::vector<Token> words_;
  std::vector<Sentence> sentences_;
  std::vector<Span> spans_;
  std::vector<Tag> tags_;
};

}  // namespace entrain::text
