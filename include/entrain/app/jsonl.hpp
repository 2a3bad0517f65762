// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// JSON lines in: texts with entities, as entrain writes them and as annotation tools and Hugging Face data sets have
// them. render.hpp writes them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/document.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

struct JsonlFile {
  std::vector<Document> documents;
  std::vector<std::string> problems;  // entities left out, each with its line
};

/// A line is one of
///
///   {"text": "...", "entities": [{"start": 0, "end": 3, "label": "PER"}, ...], "tokens": [[0, 3], ...], "sentences":
///   [4]}
///   {"text": "...", "label": [[0, 3, "PER"], ...]}                       doccano; also "labels", "entities"
///   {"tokens": ["Ada", ...], "tags": ["B-PER", ...]}                     also "ner_tags", with names of tags
///
/// Offsets count code points. Without "tokens" the text is split by Unicode's rules. An entity that does not begin and
/// end with words is left out and listed.
/// throws    entrain.app.20: a line is not such an object        what text::read_file throws
ENTRAIN_PART JsonlFile read_jsonl(const std::string& path);
ENTRAIN_PART JsonlFile parse_jsonl(std::string_view name, std::string_view bytes);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/jsonl.ipp"
#endif
