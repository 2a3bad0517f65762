// text > batch > embed > encode > head > optim > checkpoint > train > predict > [c]
//
// Definitions of predictor.h for one composition. A shared library is one source file that names the composition and
// includes this file. entrain_add_predictor writes that source:
//
//   #include <entrain/predict.hpp>
//   #include "tagger.hpp"
//   namespace entrain::c { using Tagger = predict::TaggerOf<::light::Trainer>; }
//   #include <entrain/c/predictor.ipp>
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/c/boundary.hpp"
#include "entrain/c/predictor.h"
#include "entrain/c/result.hpp"
#include "entrain/core/version.hpp"
#include "entrain/predict/tagger.hpp"

struct entrain_predictor {
  std::shared_ptr<const entrain::c::Tagger> tagger;
  std::vector<const char*> types, notes;  // the tagger's strings
};

namespace entrain::c {

static_assert(sizeof(entrain_entity) == 2 * sizeof(char*) + 32,
              "entrain: entrain_entity must have no padding; see ENTRAIN_ABI.");

using Words = std::span<const std::string_view>;

/// throws    entrain.c.1 if there is no predictor
inline void demand(const entrain_predictor* predictor, std::string_view function) {
  if (predictor == nullptr) throw null_argument(function, "predictor is NULL", "the result of entrain_load");
}

inline std::vector<const char*> pointers(const std::vector<std::string>& strings) {
  std::vector<const char*> p;
  for (const std::string& s : strings) p.push_back(s.c_str());
  return p;
}
inline const char* const* list(const std::vector<const char*>* strings, std::size_t* count) noexcept {
  if (count != nullptr) *count = strings == nullptr ? 0 : strings->size();
  return strings == nullptr || strings->empty() ? nullptr : strings->data();
}

/// The strings what[i], bytes[i] long.
///
/// throws    entrain.c.1: an array is NULL, or a string that has bytes is NULL
inline std::vector<std::string_view> views(const char* const* what, const std::size_t* bytes, std::size_t count,
                                           std::string_view function, const std::string& name) {
  if (count > 0 && (what == nullptr || bytes == nullptr))
    throw null_argument(function, (what == nullptr ? name : "bytes") + " is NULL",
                        "an array of " + std::to_string(count));
  std::vector<std::string_view> v(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] == 0) continue;
    if (what[i] == nullptr)
      throw null_argument(function, name + "[" + std::to_string(i) + "] is NULL", std::to_string(bytes[i]) + " bytes");
    v[i] = {what[i], bytes[i]};
  }
  return v;
}

/// The entities that were found, with their texts: text(t) is the t-th.
template <class Text> entrain_result* result_of(const entrain_predictor& predictor,
                                                const std::vector<std::vector<predict::Entity>>& found, Text&& text) {
  auto result = std::make_unique<entrain_result>();
  result->tagger = predictor.tagger;
  for (std::size_t t = 0; t < found.size(); ++t) result->add(text(t), found[t]);
  result->close();
  return result.release();
}

inline entrain_result* predict_texts(const entrain_predictor& predictor, Words texts) {
  std::vector<std::vector<predict::Entity>> found(texts.size());
  predictor.tagger->entities(texts, found);
  return result_of(predictor, found, [&](std::size_t t) { return texts[t]; });
}

inline entrain_result* predict_sentences(const entrain_predictor& predictor, const std::vector<Words>& sentences) {
  std::vector<std::vector<predict::Entity>> found(sentences.size());
  predictor.tagger->entities(sentences, found);
  std::string text;
  return result_of(predictor, found, [&](std::size_t s) -> std::string_view {
    text.clear();
    if (found[s].empty()) return text;
    for (const std::string_view word : sentences[s]) text.append(word).push_back(' ');
    return text;
  });
}

}  // namespace entrain::c

extern "C" {

const char* entrain_version(void) { return entrain::version; }
std::uint32_t entrain_abi(void) { return ENTRAIN_ABI; }

entrain_predictor* entrain_load(const char* folder, std::int32_t threads, char** error) {
  using namespace entrain;
  constexpr std::string_view function = "entrain_load";
  return c::guarded(error, [&] {
    if (folder == nullptr) throw c::null_argument(function, "folder is NULL", "the path of a model folder");
    if (threads < 1 || threads > 1024)
      throw Error("entrain.c.2", function, std::to_string(threads) + " threads", "1 to 1024");
    auto p = std::make_unique<entrain_predictor>();
    p->tagger = std::make_shared<const c::Tagger>(folder, predict::Limits{.threads = threads});
    p->types = c::pointers(p->tagger->labels().types().names());
    p->notes = c::pointers(p->tagger->notes());
    return p.release();
  });
}
void entrain_free_predictor(entrain_predictor* predictor) { delete predictor; }

const char* const* entrain_types(const entrain_predictor* predictor, std::size_t* count) {
  return entrain::c::list(predictor == nullptr ? nullptr : &predictor->types, count);
}
const char* const* entrain_notes(const entrain_predictor* predictor, std::size_t* count) {
  return entrain::c::list(predictor == nullptr ? nullptr : &predictor->notes, count);
}

entrain_result* entrain_predict(const entrain_predictor* predictor, const char* text, std::size_t bytes, char** error) {
  using namespace entrain;
  constexpr std::string_view function = "entrain_predict";
  return c::guarded(error, [&] {
    c::demand(predictor, function);
    if (text == nullptr && bytes > 0)
      throw c::null_argument(function, "text is NULL", std::to_string(bytes) + " bytes");
    const auto view = bytes == 0 ? std::string_view() : std::string_view(text, bytes);
    return c::predict_texts(*predictor, {&view, 1});
  });
}

entrain_result* entrain_predict_batch(const entrain_predictor* predictor, const char* const* texts,
                                      const std::size_t* bytes, std::size_t count, char** error) {
  using namespace entrain;
  constexpr std::string_view function = "entrain_predict_batch";
  return c::guarded(error, [&] {
    c::demand(predictor, function);
    return c::predict_texts(*predictor, c::views(texts, bytes, count, function, "texts"));
  });
}

entrain_result* entrain_predict_words(const entrain_predictor* predictor, const char* const* words,
                                      const std::size_t* bytes, const std::size_t* sentence, std::size_t sentences,
                                      char** error) {
  using namespace entrain;
  constexpr std::string_view function = "entrain_predict_words";
  return c::guarded(error, [&] {
    c::demand(predictor, function);
    if (sentence == nullptr && sentences > 0)
      throw c::null_argument(function, "sentence is NULL", "an array of " + std::to_string(sentences));
    std::size_t count = 0;
    for (std::size_t s = 0; s < sentences; ++s) {
      if (sentence[s] > std::numeric_limits<std::size_t>::max() - count) throw std::bad_alloc();
      count += sentence[s];
    }
    const auto all = c::views(words, bytes, count, function, "words");
    std::vector<c::Words> split;
    for (std::size_t s = 0, first = 0; s < sentences; first += sentence[s++])
      split.push_back(c::Words(all).subspan(first, sentence[s]));
    return c::predict_sentences(*predictor, split);
  });
}

std::size_t entrain_texts(const entrain_result* result) { return result == nullptr ? 0 : result->texts(); }

const entrain_entity* entrain_entities(const entrain_result* result, std::size_t text, std::size_t* count) {
  const bool there = result != nullptr && text < result->texts();
  const std::size_t n = there ? result->first[text + 1] - result->first[text] : 0;
  if (count != nullptr) *count = n;
  return n == 0 ? nullptr : result->entities.data() + result->first[text];
}
void entrain_free_result(entrain_result* result) { delete result; }

void entrain_free_error(char* error) { entrain::c::free_sentence(error); }

}  // extern "C"
