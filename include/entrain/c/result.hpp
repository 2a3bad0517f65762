// text > batch > embed > encode > head > optim > checkpoint > train > predict > [c]
//
// The result of a prediction for C: the entities of many texts in one array, and the bytes that they point to.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/c/predictor.h"
#include "entrain/predict/entity.hpp"

struct entrain_result {
  std::shared_ptr<const void> tagger;    // owns the type names that the entities show
  std::vector<entrain_entity> entities;  // of all texts
  std::vector<std::size_t> first{0};     // [texts + 1] where in them those of a text begin
  std::string bytes;                     // the entities' texts, each followed by a zero byte

  /// Adds the next text and its entities.
  void add(std::string_view text, std::span<const entrain::predict::Entity> found) {
    for (const entrain::predict::Entity& e : found) {
      entities.push_back(
          {e.type.data(), nullptr, e.begin, e.end, e.begin_cp, e.end_cp, e.begin_word, e.end_word, e.type_id, 0});
      bytes.append(e.in(text)).push_back('\0');
    }
    first.push_back(entities.size());
  }
  /// Called after the last text, when `bytes` no longer moves.
  void close() {
    const char* at = bytes.data();
    for (entrain_entity& e : entities) {
      e.text = at;
      at += e.end - e.begin + 1;
    }
  }
  std::size_t texts() const { return first.size() - 1; }
};
