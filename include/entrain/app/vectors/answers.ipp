// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of answers.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "entrain/app/output/output.hpp"
#include "entrain/app/vectors/answers.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"
#include "entrain/report/number.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/vectors/files.hpp"
#include "entrain/vectors/nearest.hpp"

namespace entrain::app {
namespace detail {

inline std::string answer_lines(const entrain::vectors::Nearest& near,
                                const std::vector<entrain::vectors::Neighbour>& found) {
  std::string out;
  for (const auto& n : found)
    out.append(near.spelling(n)).append("\t").append(report::fixed(n.cosine, 4).view()).append("\n");
  return out;
}

inline std::string share(std::uint64_t right, std::uint64_t all) {
  if (all == 0) return "-";
  return std::string(report::fixed(100. * static_cast<double>(right) / static_cast<double>(all), 2).view()) + " %";
}

}  // namespace detail

ENTRAIN_INLINE int nearest_words(const VectorSettings& s) {
  const auto vectors = entrain::vectors::read_vectors(s.vectors);
  const entrain::vectors::Nearest near(vectors);
  std::string out;
  for (const std::string& word : s.arguments) {
    if (s.arguments.size() > 1) out += (out.empty() ? "" : "\n") + word + "\n";
    out += detail::answer_lines(near, near.to(word, s.topn));
  }
  Output to("-");
  to.write(out);
  to.close();
  return 0;
}

ENTRAIN_INLINE int analogies(const VectorSettings& s) {
  const auto vectors = entrain::vectors::read_vectors(s.vectors);
  const entrain::vectors::Nearest near(vectors, s.restrict_vocab);
  std::string out;
  if (s.questions.empty()) {
    out = detail::answer_lines(near, near.analogy(s.arguments[0], s.arguments[1], s.arguments[2], s.topn));
  } else {
    entrain::vectors::AnalogyScore all{"all", 0, 0, 0};
    const auto line = [](const entrain::vectors::AnalogyScore& score) {
      return score.kind + "\t" + detail::share(score.right, score.questions) + "\t" + std::to_string(score.right) +
             " of " + std::to_string(score.questions) + "\t" + std::to_string(score.unknown) + " with unknown words\n";
    };
    for (const auto& score : near.score(s.questions)) {
      out += line(score);
      all.right += score.right, all.questions += score.questions, all.unknown += score.unknown;
    }
    out += line(all);
  }
  Output to("-");
  to.write(out);
  to.close();
  return 0;
}

ENTRAIN_INLINE std::vector<std::string> text_files(const VectorSettings& s) {
  std::vector<std::string> files = text::file_list(s.files);
  for (const std::string& file : files) {
    if (text::can_be_read_once(file))
      throw Error("entrain.app.90", file == "-" ? "standard input" : file, "it can be read once only",
                  "files: training reads them once to count words, and once an epoch", "save the text in a file");
    std::error_code ignored;
    if (std::filesystem::equivalent(file, s.output, ignored))
      throw Error("entrain.app.81", s.output, "the output is also an input", {}, "write to another file");
  }
  const checkpoint::AtomicFile<> writable(s.output);  // an error occurs before the training
  return files;
}

ENTRAIN_INLINE void save_vectors(const VectorSettings& s, const entrain::vectors::WordVectors& vectors) {
  const bool binary = s.format == "binary" || (s.format == "auto" && s.output.ends_with(".bin"));
  entrain::vectors::write_vectors(s.output, vectors,
                                  binary ? entrain::vectors::Format::binary : entrain::vectors::Format::text);
}

}  // namespace entrain::app
