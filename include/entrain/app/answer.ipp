// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of answer.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/answer.hpp"
#include "entrain/app/document.hpp"
#include "entrain/app/lines.hpp"
#include "entrain/app/long_sentences.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/render.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/text/conll.hpp"
#include "entrain/text/file_list.hpp"

namespace entrain::app {
namespace detail {

class Answers {
 public:
  Answers(const Answerer& model, const Settings& s, Talk& talk)
      : model_(model),
        s_(s),
        talk_(talk),
        out_(s.destination),
        at_(out_.is_standard() ? report::look_at(STDOUT_FILENO) : report::Terminal{}),
        format_(s.format != "auto"               ? s.format
                : out_.is_standard() && at_.live ? "colour"
                                                 : "jsonl"),
        scheme_(s.to_scheme.empty() ? text::SchemeId::bio : text::scheme_by_name(s.to_scheme, "--to")) {
    if (s.format == "colour") at_.colour = !report::refuses_colour();  // asked for, so also through a pipe
  }

  void file(const std::string& path) { is_conll(path) ? conll(path) : lines(path); }
  void close() {
    out_.close();
    if (joined_ > 0) talk_.warn(words_of_joined(joined_));
  }

 private:
  bool is_conll(const std::string& path) const {
    if (s_.input_format != "auto") return s_.input_format == "conll";
    for (const char* ending : {".conll", ".tsv", ".iob2", ".iob", ".bio"})
      if (path.ends_with(ending)) return true;
    return false;
  }

  void lines(const std::string& path) {
    const std::string name = text::name_of(path);
    Lines source(path);
    LongSentences warned(s_.training.token_budget);
    std::size_t line = 0;
    std::vector<Document> chunk;
    for (std::string_view block; source.next(block);) {
      chunk.clear();
      for (std::size_t at = 0; at < block.size();) {
        const std::size_t end = std::min(block.find('\n', at), block.size());
        Document& d = chunk.emplace_back();
        d.file = name;
        d.text = block.substr(at, end - at);
        if (d.text.ends_with('\r')) d.text.pop_back();
        model_.splitting.split(d.text, d.words, d.sentences);
        at = end + 1;
        d.line = ++line;
        for (const text::Sentence& sentence : d.sentences)
          warned.see(sentence.end - sentence.begin, [&] { return name + ":" + std::to_string(line); });
      }
      answer(chunk);
    }
    warn(name, warned);
  }

  void conll(const std::string& path) {
    text::ConllOptions options = s_.reading.conll;
    options.tags = false;
    const text::Corpus corpus = text::read_conll(path, options);
    LongSentences warned(s_.training.token_budget);
    constexpr std::size_t at_once = 1024;
    std::vector<Document> chunk;
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      Document& d = chunk.emplace_back();
      d.add_sentence(corpus, s);
      warned.see(corpus.length(s), [&] { return corpus.where(corpus.sentence[s]); });
      if (chunk.size() < at_once && s + 1 < corpus.sentences()) continue;
      answer(chunk);
      chunk.clear();
    }
    warn(corpus.name, warned);
  }

  /// What is odd about a file that is answered.
  void warn(const std::string& name, const LongSentences& warned) {
    warned.warn(talk_);
    if (cut_) talk_.warn(name + ": some words have more pieces than the encoder reads at once: the first are read");
    cut_ = false;
  }

  void answer(std::vector<Document>& chunk) {
    text::Corpus corpus;
    for (const Document& d : chunk)
      for (const text::Sentence& sentence : d.sentences) {
        for (const text::Token& word : sentence.in(d.words)) corpus.push(word.in(d.text), 0);
        corpus.end_sentence();
      }
    cut_ = model_.tag_all(model_.tagger, corpus, tags_) > 0 || cut_;
    std::size_t at = 0;
    std::string text;
    for (Document& d : chunk) {
      for (const text::Sentence& sentence : d.sentences) {
        const std::size_t n = sentence.end - sentence.begin;
        d.add_mentions(sentence.begin, std::span<const text::Tag>(tags_).subspan(at, n), model_.scheme, model_.types);
        at += n;
      }
      if (format_ == "colour")
        colours_.append(text, d, at_);
      else if (format_ == "conll")
        joined_ += append_conll(text, d, scheme_);
      else
        append_jsonl(text, d);
    }
    out_.write(text);
  }

  const Answerer& model_;
  const Settings& s_;
  Talk& talk_;
  Output out_;
  report::Terminal at_;
  std::string format_;
  text::SchemeId scheme_;
  Colours colours_;
  std::vector<text::Tag> tags_;
  std::size_t joined_ = 0;  // entities that IO could not part
  bool cut_ = false;        // whether the encoder read the first pieces alone of some word of this file
};

}  // namespace detail

ENTRAIN_PART int answer(const Answerer& model, const Settings& s) {
  Talk talk(s.quiet);
  std::vector<std::pair<std::string, std::string>> once;
  for (const std::string& path : s.inputs)
    if (text::can_be_read_once(path)) once.emplace_back("file " + std::to_string(&path - s.inputs.data() + 1), path);
  text::refuse_read_twice(once);
  for (const std::string& note : model.notes) talk.warn(note);
  detail::Answers answers(model, s, talk);
  for (const std::string& path : s.inputs.empty() ? std::vector<std::string>{"-"} : s.inputs) answers.file(path);
  answers.close();
  return 0;
}

}  // namespace entrain::app
