// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of vectors.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/report/number.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/train/data/vectors.hpp"
#include "entrain/vectors/files.hpp"

namespace entrain::train {
namespace detail {

template <class Number> void copy_vectors_as(const VectorFile& file, const Span& table, Number* first) {
  const vectors::WordVectors& v = file.vectors;
  if (v.width != static_cast<std::size_t>(table.cols))
    throw Error("entrain.train.61", file.where, "vectors of " + std::to_string(v.width) + " numbers",
                std::to_string(table.cols) + ", the width in the type of this program",
                "use a program with embed::StaticVectors<Rows, " + std::to_string(v.width) + ">, or other vectors");
  std::copy_n(v.rows.begin(), file.words->size() * v.width, first + v.width);
}

}  // namespace detail

ENTRAIN_INLINE void refuse_start(bool has_vectors, const std::string& folder, const std::string& vectors) {
  if (has_vectors && folder.empty() && vectors.empty())
    throw Error("entrain.train.64", "word vectors", "no file of vectors", "one, for a model with embed::WithVectors",
                "set TrainingOptions::vectors to a file of word2vec, GloVe or fastText");
  if (!has_vectors && !vectors.empty())
    throw Error("entrain.train.65", vectors, "word vectors for a model without a table for them",
                "a model with embed::WithVectors", "omit the file, or use such a model");
}

ENTRAIN_INLINE VectorFile read_vector_file(const std::string& path, int words) {
  const auto most = static_cast<std::size_t>(words);
  VectorFile file;
  file.where = path;
  file.vectors = vectors::read_vectors(path, {.most_words = most + 1});  // one more tells that there are more
  const std::size_t kept = std::min(most, file.vectors.size());
  text::Vocabulary first;
  for (std::size_t i = 0; i < kept; ++i) first.add(file.vectors.words[static_cast<text::Vocabulary::Id>(i)]);
  file.words = std::make_shared<const text::Vocabulary>(std::move(first));
  if (kept < file.vectors.size())
    file.note =
        path + ": only its first " + report::grouped(static_cast<std::int64_t>(kept)).c_str() +
        " words get a vector: the type of this program has no rows for more (embed::StaticVectors<Rows, Width>)";
  return file;
}

ENTRAIN_INLINE void copy_vectors(const VectorFile& file, const Span& table, float* first) {
  detail::copy_vectors_as(file, table, first);
}
ENTRAIN_INLINE void copy_vectors(const VectorFile& file, const Span& table, double* first) {
  detail::copy_vectors_as(file, table, first);
}

ENTRAIN_INLINE Attachment words_to_keep(std::string_view name, const text::Vocabulary& words) {
  std::string text;
  for (text::Vocabulary::Id i = 0; i < words.size(); ++i) {
    if (words[i].find('\n') != std::string_view::npos)
      throw Error("entrain.train.66", "word vectors", "a line end in the word '" + text::excerpt(words[i]) + "'",
                  "words of one line", "remove the word from the file");
    text.append(words[i]).push_back('\n');
  }
  return {std::string(name), std::move(text)};
}

ENTRAIN_INLINE std::shared_ptr<const text::Vocabulary> kept_words(const std::vector<checkpoint::FolderText>& texts,
                                                                  std::string_view name, const std::string& folder) {
  const checkpoint::FolderText* const file = checkpoint::find_text(texts, name);
  if (file == nullptr)
    throw Error("entrain.train.62", folder, "no " + std::string(name),
                "the words of the model's vectors, one a line, as train writes them", "copy the whole folder again");
  text::Vocabulary words;
  std::string_view rest = file->text;
  for (std::uint64_t line = 1; !rest.empty(); ++line) {
    const std::string_view word = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty() || words.contains(word))
      throw Error("entrain.train.63", file->where + ":" + std::to_string(line),
                  word.empty() ? "an empty line" : "'" + text::excerpt(word) + "' a second time",
                  "another word in each line", "copy the file again");
    words.add(word);
  }
  return std::make_shared<const text::Vocabulary>(std::move(words));
}

ENTRAIN_INLINE const Span& table_of_vectors(const Layout& layout) {
  return *std::find_if(layout.spans.begin(), layout.spans.end(), [](const Span& s) { return s.name == vectors_name; });
}

}  // namespace entrain::train
