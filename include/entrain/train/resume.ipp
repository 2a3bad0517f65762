// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of resume.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/train/resume.hpp"
#include "entrain/train/save.hpp"  // remember

namespace entrain::train {

ENTRAIN_PART std::string identity_of(const Tagged& split) {
  const text::Corpus& c = split.corpus;
  detail::Identity identity;
  identity.add(c.sentence);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::string_view word = c.token(i), tag = c.tags[static_cast<std::size_t>(c.tag[i])];
    identity.add(std::as_bytes(std::span(word)));
    identity.add(std::as_bytes(std::span(tag)));
  }
  return identity.words(c.sentences(), c.size());
}

ENTRAIN_PART void check_shared(const std::vector<checkpoint::NamedText>& stored,
                               const std::vector<checkpoint::NamedText>& here, const std::string& where) {
  const auto text_in = [](const std::vector<checkpoint::NamedText>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& t) { return t.name == name; });
    return found == list.end() ? std::string("none") : found->text;
  };
  for (const auto* list : {&here, &stored})
    for (const checkpoint::NamedText& t : *list) {
      const std::string was = text_in(stored, t.name), is = text_in(here, t.name);
      if (was == is) continue;
      throw Error("entrain.train.24", where, t.name + " of the training that was stopped: " + was, "as now: " + is,
                  "go on with what it began with, or begin anew without --resume");
    }
}

namespace detail {
ENTRAIN_PART void add_options(std::vector<checkpoint::NamedText>& list, const Options& options) {
  checkpoint::Config numbers;
  remember(numbers, options);
  for (const auto& [name, value] : numbers.numbers)
    list.push_back({name, std::visit([](auto number) { return checkpoint::exact_text(number); }, value)});
  for (const auto& [name, text] : numbers.strings) list.push_back({name, text});
  list.push_back({"calibrate", options.calibrate ? "true" : "false"});
  std::string weights;
  for (const float weight : options.class_weights)
    weights.append(weights.empty() ? "" : ", ").append(checkpoint::exact_text(weight));
  list.push_back({"class weights", weights.empty() ? "all 1" : weights});
}
}  // namespace detail

}  // namespace entrain::train
