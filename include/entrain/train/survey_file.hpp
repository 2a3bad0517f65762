// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a pass over files found, kept beside the cache of their sentences: so that a training which finds both goes
// through no file again. Read survey.hpp first.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/train/survey.hpp"

namespace entrain::train {

/// A line a fact, a name and its value; the first problems; not the first block. The last line is a sum of all that and
/// of `key`, which says what it is a survey of.
ENTRAIN_PART std::string survey_text(const Survey& survey, std::string_view key = {});

/// The way back; nothing of a text that this program did not write, or of another key.
ENTRAIN_PART std::optional<Survey> survey_from(std::string_view text, std::string_view key = {});

/// Whether a text is a survey that another version of entrain wrote.
ENTRAIN_PART bool is_other_survey(std::string_view text);

}  // namespace entrain::train

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/train/survey_file.ipp"
#endif
