// Your own sources and a stage; main.cpp combines them. docs/data-pipeline.md and docs/extending/file-format.md explain
// them.
#pragma once
#include <array>
#include <cstdint>
#include <entrain/batch/pipeline/stage.hpp>
#include <entrain/text/corpus/corpus.hpp>
#include <entrain/text/files/blocks.hpp>
#include <entrain/text/raw/raw_text.hpp>  // TextEnd
#include <entrain/text/tags/scheme.hpp>
#include <sstream>
#include <string>
#include <string_view>

namespace own {
using namespace entrain;

// A format of your own: a sentence a line, `[PER Ada Lovelace] met him in [LOC Porto] .`; lines with # are remarks.
inline void parse(text::Block& block, text::Corpus& corpus) {
  corpus.clear();
  std::istringstream lines(block.bytes);
  for (std::string line; std::getline(lines, line); ++block.line) {
    std::istringstream words(line.starts_with("# ") ? "" : line);
    std::string tag = "O";
    for (std::string word; words >> word;) {
      if (word[0] == '[') {
        tag = "B-" + word.substr(1);
        continue;
      }
      const bool last = tag != "O" && word.back() == ']';
      corpus.push(std::string_view(word).substr(0, word.size() - last), tag, static_cast<std::uint32_t>(block.line));
      if (tag != "O") tag = last ? "O" : "I" + tag.substr(1);
    }
    corpus.end_sentence();
  }
}

// A source, a chunk at a time: files of any size in blocks of lines, which any number of threads parse.
struct Bracketed {
  using Tags = text::Bio;
  using Item = text::Corpus;
  using Raw = text::Block;
  using Cursor = text::FileCursor;
  text::Blocks<text::TextEnd> blocks;
  void start(std::uint32_t, const Cursor& at) { blocks.start(at); }
  Cursor cursor() const { return blocks.cursor(); }
  bool read(Raw& raw) { return blocks.read(raw); }
  auto work() const { return &parse; }
};

// A source, a sample at a time: generated sentences, one for each name.
struct MadeUp {
  using Tags = text::Bio;
  using Item = text::Corpus;
  using Cursor = std::uint32_t;
  Cursor number = 0;
  void start(std::uint32_t, Cursor at) { number = at; }
  Cursor cursor() const { return number; }
  bool next(Item& sentence) {
    static constexpr std::array names{"Ilse", "Pelle Lindgren", "Nuria"};
    if (number == names.size()) return false;
    text::Block line{std::string("[PER ") + names[number] + "] is moving to [LOC Porto] in March .", ++number};
    parse(line, sentence);
    return true;
  }
};

// A stage that turns names of all kinds into one kind. It inherits reading and position from the source, and adds to
// the work of a thread.
template <class S> struct OneKind : S {
  auto work() const {
    return [before = S::work()](typename S::Raw& raw, text::Corpus& corpus) mutable {
      before(raw, corpus);
      for (std::string& tag : corpus.tags)
        if (tag != "O") tag.replace(2, std::string::npos, "NAME");
    };
  }
};

}  // namespace own
