// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `predict`: text in, entities out, as it comes: a chunk of lines is answered before the next is read.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/app/document.hpp"
#include "entrain/app/lines.hpp"
#include "entrain/app/machine.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/render.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/predict.hpp"
#include "entrain/text/conll.hpp"

namespace entrain::app {

template <class Model, Precision P, class D> class PredictCommand {
 public:
  explicit PredictCommand(const Settings& s)
      : s_(s),
        talk_(s.quiet),
        tagger_(s.model, predict::Limits{.threads = threads_or_all(s.threads)}),
        out_(s.destination),
        at_(out_.is_standard() ? report::look_at(STDOUT_FILENO) : report::Terminal{}),
        format_(s.format != "auto"               ? s.format
                : out_.is_standard() && at_.live ? "colour"
                                                 : "jsonl"),
        scheme_(text::scheme_by_name(s.to_scheme.empty() ? "bio" : s.to_scheme, "--to")) {}

  int run() {
    for (const std::string& note : tagger_.notes()) talk_.warn(note);
    const std::vector<std::string> standard_input{"-"};
    for (const std::string& path : s_.inputs.empty() ? standard_input : s_.inputs)
      is_conll(path) ? conll(path) : text(path);
    out_.close();
    return 0;
  }

 private:
  bool is_conll(const std::string& path) const {
    if (s_.input_format != "auto") return s_.input_format == "conll";
    for (const char* ending : {".conll", ".tsv", ".iob2", ".iob", ".bio"})
      if (path.ends_with(ending)) return true;
    return false;
  }

  /// Every line is a text of its own.
  void text(const std::string& path) {
    Lines lines(path);
    std::vector<Document> chunk;
    for (std::string_view block; lines.next(block);) {
      chunk.clear();
      for (std::size_t at = 0; at < block.size();) {
        const std::size_t end = std::min(block.find('\n', at), block.size());
        Document& d = chunk.emplace_back();
        d.text = block.substr(at, end - at);
        if (d.text.ends_with('\r')) d.text.pop_back();
        tagger_.splitting().split(d.text, d.words, d.sentences);
        at = end + 1;
      }
      answer(chunk);
    }
  }

  void conll(const std::string& path) {
    text::ConllOptions options = s_.reading.conll;
    options.tags = false;
    const text::Corpus corpus = text::read_conll(path, options);
    constexpr std::size_t at_once = 1024;
    std::vector<Document> chunk;
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      Document& d = chunk.emplace_back();
      for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i) d.add_word(corpus.token(i));
      d.end_sentence();
      if (chunk.size() < at_once && s + 1 < corpus.sentences()) continue;
      answer(chunk);
      chunk.clear();
    }
  }

  /// Finds the entities of a chunk and writes it.
  void answer(std::vector<Document>& chunk) {
    text::Corpus corpus;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // of each sentence: document, sentence there
    for (std::size_t d = 0; d < chunk.size(); ++d)
      for (std::size_t k = 0; k < chunk[d].sentences.size(); ++k) {
        for (const text::Token& word : chunk[d].sentences[k].in(chunk[d].words)) corpus.push(word.in(chunk[d].text), 0);
        corpus.end_sentence();
        places.push_back({d, k});
      }
    tagger_.tags(corpus, [&](std::size_t s, std::span<const text::Tag> tags) {
      Document& d = chunk[places[s].first];
      const std::uint32_t first = d.sentences[places[s].second].begin;
      text::decode<typename Model::Scheme>(tags, [&](const text::Span& span) {
        d.mentions.push_back({first + span.begin, first + span.end, tagger_.labels().types().name(span.type)});
      });
    });
    std::string text;
    for (const Document& d : chunk) {
      if (format_ == "colour")
        colours_.append(text, d, at_);
      else if (format_ == "conll")
        append_conll(text, d, scheme_);
      else
        append_jsonl(text, d);
    }
    out_.write(text);
  }

  const Settings& s_;
  Talk talk_;
  predict::Tagger<Model, P, D> tagger_;
  Output out_;
  report::Terminal at_;
  std::string format_;
  text::SchemeId scheme_;
  Colours colours_;
};

template <class Model, Precision P, class D> int predict_text(const Settings& s) {
  return PredictCommand<Model, P, D>(s).run();
}

}  // namespace entrain::app
