// tests > parity > [text]
//
// Lines in, ids and offsets out, for scripts/golden_wordpiece.py to compare; or their speed.
//
//   wordpiece VOCAB MODE                  on standard input: the bytes of a line, a line feed, the line; and so on
//   wordpiece VOCAB MODE FILE ...         tokens a second, cold and warm, line by line
//
// MODE: uncased, cased, accents, bare
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "entrain/text/file.hpp"
#include "entrain/text/wordpiece.hpp"

using namespace entrain::text;

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: wordpiece VOCAB MODE [FILE ...]\n"), 2;
  std::vector<std::string> vocabulary;
  std::ifstream file(argv[1]);
  for (std::string piece; std::getline(file, piece);) vocabulary.push_back(piece);
  const std::string mode = argv[2];
  WordPieceOptions options;
  options.normalizer.lowercase = mode == "uncased" || mode == "accents";
  options.normalizer.strip_accents = mode == "uncased" || mode == "bare";
  for (const char* text : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
    for (std::size_t i = 0; i < vocabulary.size(); ++i)
      if (vocabulary[i] == text) options.added.push_back({.text = text, .id = static_cast<std::int32_t>(i)});
  const WordPiece wordpiece(vocabulary, options);
  WordPiece::Reader reader(wordpiece);
  Pieces pieces;

  if (argc > 3) {
    std::vector<std::string> texts;
    for (int i = 3; i < argc; ++i) texts.push_back(read_file(argv[i]));
    for (int round = 0; round < 6; ++round) {
      std::size_t total = 0;
      const auto start = std::chrono::steady_clock::now();
      for (const std::string_view text : texts)
        for (std::size_t at = 0; at < text.size(); ++at) {
          const std::size_t end = std::min(text.find('\n', at), text.size());
          pieces.clear();
          reader.read(text.substr(at, end - at), pieces);
          total += pieces.size();
          at = end;
        }
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      std::printf("%s %zu tokens, %.2f million a second\n", round == 0 ? "cold" : "warm", total,
                  static_cast<double>(total) / took.count() / 1e6);
    }
    return 0;
  }
  const std::string input((std::istreambuf_iterator<char>(std::cin)), {});
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t line = input.find('\n', at), size = std::stoul(input.substr(at, line - at));
    pieces.clear();
    reader.read(std::string_view(input).substr(line + 1, size), pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i)
      std::printf("%s%d:%u-%u", i > 0 ? " " : "", pieces.id[i], pieces.begin[i], pieces.end[i]);
    std::printf("\n");
    at = line + 1 + size;
  }
}
