// tests: a tokenizer.json as transformers writes it for XLM-RoBERTa, in small, and parts of one.
#pragma once
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "entrain/text/tokenizer/unigram.hpp"

namespace whole_unigram {

inline const std::string mark(entrain::text::Unigram::mark);
inline const std::string metaspace =
    R"({"type":"Metaspace","replacement":")" + mark + R"(","prepend_scheme":"always"})";
inline const std::string whitespace = R"({"type":"WhitespaceSplit"})";
inline std::string sequence(const char* list, std::initializer_list<std::string> steps) {
  std::string all;
  for (const std::string& one : steps) all.append(all.empty() ? "" : ",").append(one);
  return R"({"type":"Sequence",")" + std::string(list) + "\":[" + all + "]}";
}
inline std::string steps(std::initializer_list<std::string> of) { return sequence("normalizers", of); }
inline std::string words(std::initializer_list<std::string> of) { return sequence("pretokenizers", of); }
inline std::string around(std::initializer_list<std::string> of) { return sequence("processors", of); }

/// more: other keys, with a comma after each
struct WholeUnigram {
  std::string vocab = R"(["<s>",0.0],["<pad>",0.0],["</s>",0.0],["<unk>",0.0],[")" + mark + R"(",-3.5],["a",-4.0],)" +
                      R"(["b",-4.25],[")" + mark + R"(a",-4.5],["ab",-5.0],["<mask>",0.0])";
  std::string model = R"("type":"Unigram","unk_id":3,"vocab":[)" + vocab + R"(],"byte_fallback":false)";
  std::string mask = R"({"id":9,"content":"<mask>","lstrip":true,"normalized":false,"special":true})";
  std::string added = R"({"id":0,"content":"<s>"},{"id":2,"content":"</s>"},)" + mask;
  std::string normalizer = "null", pre = words({whitespace, metaspace});
  std::string post = R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}},
{"SpecialToken":{"id":"</s>"}}],"special_tokens":{"<s>":{"id":"<s>","ids":[0]},"</s>":{"id":"</s>","ids":[2]}}})";
  std::string more = {};

  std::string text() const {
    return "{\"version\":\"1.0\"," + more + "\"added_tokens\":[" + added + "],\"normalizer\":" + normalizer +
           ",\"pre_tokenizer\":" + pre + ",\"post_processor\":" + post + ",\"decoder\":" + metaspace + ",\"model\":{" +
           model + "}}";
  }
};

/// The whole with a part of its model replaced.
inline WholeUnigram with(const std::string& part, const std::string& instead) {
  WholeUnigram whole;
  const auto at = whole.model.find(part);
  REQUIRE(at != std::string::npos);
  whole.model.replace(at, part.size(), instead);
  return whole;
}

}  // namespace whole_unigram
