// text > batch > [task] > head > optim > checkpoint
//
// The results of a pass over files, stored next to the cache of their sentences. A training that finds both needs no
// pass over the files. Read survey.hpp first.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/survey.hpp"

namespace entrain::task {

/// One line for each fact, a name and its value; the first problems; not the first block. The last line is a sum of all
/// that and of `key`, which identifies the subject of the survey.
ENTRAIN_INLINE std::string survey_text(const Survey& survey, std::string_view key = {});

/// The inverse of survey_text; nothing for a text that this program did not write, or of another key.
ENTRAIN_INLINE std::optional<Survey> survey_from(std::string_view text, std::string_view key = {});

/// Whether a text is a survey that another version of entrain wrote.
ENTRAIN_INLINE bool is_other_survey(std::string_view text);

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/survey_file.ipp"
#endif
