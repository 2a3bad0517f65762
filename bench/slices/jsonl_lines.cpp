// bench: JSON Lines to sentences of words with tags, a block of lines at a time, on one thread.
//
//   jsonl_lines [--seconds S] [FILE.CONLL]
//
// The lines hold the sentences of the CoNLL file, or generated ones, in three shapes: words with tags as in Hugging
// Face, texts with spans as in Prodigy, texts with labels as in doccano. Prints a line of JSON per shape. All times are
// of this thread's CPU, from a block in memory to a corpus.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "entrain/text/tags/spans.hpp"

using namespace entrain;

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Generates sentences of 5 to 30 words of English lengths, one word in ten an entity.
text::Corpus made_up(int sentences) {
  std::mt19937 draw(11);
  std::vector<std::string> words;
  for (int i = 0; i < 5000; ++i) {
    std::string word;
    for (auto n = 1 + draw() % 5 + draw() % 5; n > 0; --n)
      word += "etaoinshrdlucmfwypvbgkjqxz"[draw() % 26 * (draw() % 26) / 26];
    if (draw() % 8 == 0) word[0] = static_cast<char>(word[0] - 0x20);
    words.push_back(word);
  }
  text::Corpus corpus;
  for (int s = 0; s < sentences; ++s) {
    for (auto n = 4 + draw() % 26; n > 0; --n) {
      const bool entity = draw() % 10 == 0;
      corpus.push(words[draw() % words.size() * (draw() % 1000) / 1000],
                  entity ? draw() % 2 ? "B-person" : "B-location" : "O", 1);
    }
    corpus.push(".", "O", 1);
    corpus.end_sentence();
  }
  return corpus;
}

void quote(std::string& to, std::string_view s) {
  to += '"';
  for (const char c : s) {
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  }
  to += '"';
}

enum class Shape { tokens, spans, label };

std::string lines_of(const text::Corpus& c, Shape shape) {
  std::string all;
  text::Types types;
  std::vector<text::Mark> marks;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    const std::size_t begin = c.sentence[s], end = c.sentence[s + 1];
    marks.clear();
    for (std::size_t i = begin; i < end; ++i) marks.push_back(text::read_mark(c.tag_name(i), types));
    if (shape == Shape::tokens) {
      all += "{\"tokens\": [";
      for (std::size_t i = begin; i < end; ++i) all += i == begin ? "" : ", ", quote(all, c.token(i));
      all += "], \"ner_tags\": [";
      for (std::size_t i = begin; i < end; ++i) all += i == begin ? "" : ", ", quote(all, c.tag_name(i));
      all += "]}\n";
      continue;
    }
    std::string text;
    std::vector<std::size_t> starts, ends;
    for (std::size_t i = begin, at = 0; i < end; ++i) {
      if (i > begin) text += ' ', ++at;
      starts.push_back(at);
      text += c.token(i);
      ends.push_back(at += text::count_code_points(c.token(i)));
    }
    all += "{\"text\": ";
    quote(all, text);
    all += shape == Shape::spans ? ", \"_input_hash\": 1234567890, \"spans\": [" : ", \"label\": [";
    const char* comma = "";
    text::conlleval(marks, [&](const text::Span& span) {
      const auto b = std::to_string(starts[span.begin]), e = std::to_string(ends[span.end - 1]);
      all += comma;
      all +=
          shape == Shape::spans ? "{\"start\": " + b + ", \"end\": " + e + ", \"label\": " : "[" + b + ", " + e + ", ";
      quote(all, types.name(span.type));
      all += shape == Shape::spans ? "}" : "]";
      comma = ", ";
    });
    all += shape == Shape::spans ? "], \"answer\": \"accept\"}\n" : "]}\n";
  }
  return all;
}

void time_shape(const char* name, const std::string& lines, double seconds) {
  using Source = text::Jsonl<text::Bio>;
  std::vector<Source::Raw> blocks;
  for (std::string_view left = lines; !left.empty();) {
    std::size_t size = std::min<std::size_t>(left.size(), 1 << 18);
    if (size < left.size()) size = text::LineEnd::cut(left.substr(0, size));
    blocks.push_back({{std::string(left.substr(0, size)), 2, 0}, "made.jsonl"});
    left.remove_prefix(size);
  }
  text::RecordOptions options;
  options.misaligned = text::Misaligned::snap;
  Source::Work work = Source({}, options).work();
  text::Corpus corpus;
  std::uint64_t bytes = 0, rows = 0, words = 0, sentences = 0;
  double spent = 0;
  for (auto& block : blocks) work(block, corpus);
  for (const double start = processor_seconds(); spent < seconds; spent = processor_seconds() - start)
    for (auto& block : blocks) {
      work(block, corpus);
      bytes += block.block.bytes.size(), rows += corpus.met.lines, words += corpus.size(),
          sentences += corpus.sentences();
    }
  std::printf(
      "{\"shape\": \"%s\", \"bytes_a_row\": %.1f, \"words_a_row\": %.2f, \"sentences_a_row\": %.2f, \"mb_per_s\": "
      "%.1f, "
      "\"words_per_s\": %.0f}\n",
      name, double(bytes) / double(rows), double(words) / double(rows), double(sentences) / double(rows),
      1e-6 * double(bytes) / spent, double(words) / spent);
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 1;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      file = argv[i];
  }
  const text::Corpus corpus = file.empty() ? made_up(5000) : text::read_conll(file);
  time_shape("tokens and ner_tags", lines_of(corpus, Shape::tokens), seconds);
  time_shape("text and spans", lines_of(corpus, Shape::spans), seconds);
  time_shape("text and label", lines_of(corpus, Shape::label), seconds);
} catch (const Error& e) {
  std::fprintf(stderr, "jsonl_lines: %s\n", e.what());
  return 1;
}
