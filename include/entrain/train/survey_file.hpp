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

/// A line a fact, a name and its value; the first problems; not the first block.
ENTRAIN_PART std::string survey_text(const Survey& survey);

/// The way back; nothing of a text that this program did not write.
ENTRAIN_PART std::optional<Survey> survey_from(std::string_view text);

}  // namespace entrain::train

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/train/survey_file.ipp"
#endif
