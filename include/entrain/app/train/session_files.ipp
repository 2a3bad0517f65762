// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of session.hpp for training files that are not kept in memory.
#pragma once
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/options/machine.hpp"  // threads_or_all
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/output.hpp"  // prepare_folder
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/app/train/pass_progress.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/batch/pack/augmented.hpp"  // entities_of
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/checkpoint/atomic_file.hpp"  // write_file
#include "entrain/checkpoint/read_file.hpp"
#include "entrain/task/survey_file.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/unlabelled.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/tag_place.hpp"
#include "entrain/text/unicode/utf8.hpp"
#include "entrain/train/state/cache_system.hpp"

namespace entrain::app {

ENTRAIN_INLINE void refuse_ways(const Settings& s) {
  text::refuse_read_twice(std::vector<std::pair<std::string, std::string>>{
      {"--train", s.files.train}, {"--dev", s.files.dev}, {"--test", s.files.test}});
  if (s.stream && s.files.train != "-")
    for (const std::string& file : text::file_list({s.files.train}))
      if (text::can_be_read_once(file))
        throw WrongUsage(
            "entrain.app.40", "--train " + s.files.train,
            (file == "-" ? "standard input" : "a pipe or a device") + std::string(", which can be read only once"),
            "files, for --stream, --cache and --augment-case, -swap and -drop, which read them again",
            "save it in a file");
  if (s.augment && !s.cache.empty())
    throw WrongUsage("entrain.app.39", "--cache", "--augment-case, -swap or -drop, which change sentences each epoch",
                     "one of them", "omit --cache");
  if (s.files.train != "-" || !s.stream) {
    if (!s.labels.empty())
      throw WrongUsage("entrain.app.40", "--labels", "training files that can be read twice", "--train - and --stream",
                       "omit it: types are found in the files");
    return;
  }
  if (!s.cache.empty() || s.augment.entity_swap > 0)
    throw WrongUsage("entrain.app.40", "--train -", "standard input, which can be read only once",
                     "files, for --cache and --augment-swap", "save it in a file");
  if (s.labels.empty() || s.reading.scheme.empty() || s.training.max_steps == 0 || !s.class_weights.empty())
    throw WrongUsage(
        "entrain.app.40", "--train - --stream", "standard input, which can be read only once",
        "--labels, --scheme and --max-steps, and no --class-weights: the results of a first pass over files",
        "set them, or save it in a file");
}

ENTRAIN_INLINE std::string cache_stem(const std::string& train) {
  std::string stem;
  for (const char c : std::filesystem::path(train).filename().string()) {
    if (c == '.') break;
    stem += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';  // no wildcard characters
  }
  return stem.empty() ? "corpus" : stem;
}

/// Blocks are small compared with a shuffle buffer, as a buffer holds whole blocks.
ENTRAIN_INLINE std::size_t Session::block_bytes() const {
  return std::clamp(64 * s_.shuffle_buffer, std::size_t{1} << 12, std::size_t{1} << 18);
}
ENTRAIN_INLINE TextSource Session::source(const Variation& variation, std::shared_ptr<Unchanged> unchanged) const {
  Reading reading = s_.reading;
  if (!reading.records.annotations_as) reading.records.annotations_as = annotations_as_;
  return TextSource(text::file_list({s_.files.train}), reading, block_bytes(), variation, std::move(unchanged));
}
ENTRAIN_INLINE TextSource Session::source() const { return source(s_.augment); }
ENTRAIN_INLINE TextSource Session::source(const Augmenting& how) const {
  return source(Variation{how, s_.training.seed, {train_->scheme, s_.reading.repair}, entities_}, unchanged_);
}

/// Empty if there is none, or a damaged one: the caller then makes it again.
ENTRAIN_INLINE std::optional<task::Survey> kept_survey(const std::string& path, std::string_view key,
                                                       std::string& fault) {
  const auto damaged = [&](std::string_view found, std::string_view remedy) {
    fault = Error("entrain.app.71", path, found, "the written content", remedy).what();
  };
  constexpr std::int64_t most = std::int64_t{1} << 28;  // bytes: a survey has one line per type
  std::string text;
  checkpoint::FileInfo there;
  if (checkpoint::Posix().info(path, there) != 0 || !there.exists) return std::nullopt;
  train::refuse_no_cache_file(path, there);
  try {
    const auto bytes = checkpoint::read_file(path, most);
    text.assign(reinterpret_cast<const char*>(bytes.span().data()), bytes.span().size());
  } catch (const Error& e) {
    fault = e.what();
    return std::nullopt;
  }
  auto survey = task::survey_from(text, key);
  if (!survey && !task::is_other_survey(text))
    damaged("a first-pass result with a wrong checksum", "the file is corrupt; remove it");
  return survey;
}

/// For training files that are read more than once: from a pass over them, or from the file next to the cache.
ENTRAIN_INLINE task::Survey Session::survey_of(const std::vector<std::string>& files) {
  if (!s_.cache.empty()) {
    const Format format = tagged_format_of(files, s_.reading);
    ingredients_.emplace();
    ingredients_->say("format", format_name(format));
    if (format == Format::conll)
      ingredients_->reading(s_.reading.conll);
    else
      ingredients_->reading(s_.reading.records);
    ingredients_->files(files);
    prepare_folder(s_.cache);
    std::string fault;
    if (auto survey = kept_survey(beside_cache(".survey"), cache_key(), fault)) {
      annotations_as_ = survey->scheme.taken;
      return std::move(*survey);
    }
    if (!fault.empty()) console_.warn(fault + "; it was rebuilt");
  }
  const auto pass = [&](std::string_view stage, std::uint64_t sentences, bool& mixed) {
    task::Surveyor look;
    PassProgress progress(stage, sentences, console_);
    batch::Workers blocks(source(Variation{}), {.workers = threads_or_all(s_.threads), .option = "--threads"});
    blocks.start(0, {});
    for (text::Corpus block; blocks.next(block);) {
      look.see(block);
      progress.see(block.sentences(), block.size());
    }
    progress.finish();
    mixed = look.mixed();
    return std::move(look).done();
  };
  bool mixed = false;
  task::Survey survey = pass("first pass", 0, mixed);
  if (mixed && !s_.reading.records.annotations_as) {  // once more, with entities in the scheme of the tags
    annotations_as_ = survey.scheme.taken;
    survey = pass("second pass", survey.sentences, mixed);
  }
  if (s_.cache.empty()) return survey;
  if (const std::string text = task::survey_text(survey, cache_key());
      task::survey_from(text, cache_key()))  // false if a name would break a line
    checkpoint::write_file(beside_cache(".survey"), text, SystemWithSignals<checkpoint::Posix>(s_.signals));
  return survey;
}

ENTRAIN_INLINE void Session::refuse_unsavable() const {
  for (const task::Tagged* const split : {train_ ? &*train_ : nullptr, dev_ ? &*dev_ : nullptr})
    if (split != nullptr && !text::is_valid_utf8(split->corpus.name))
      throw Error("entrain.app.73", text::excerpt(split->corpus.name, std::string::npos),
                  "a file name that is not UTF-8", "UTF-8, as config.json names the files of a training",
                  "rename the file");
  for (const std::string& type : types_)
    if (!text::is_valid_utf8(type))
      throw Error("entrain.app.72", place_of(type), "label '" + text::excerpt(type) + "' is not UTF-8",
                  "UTF-8, as config.json lists the labels",
                  "convert the file with iconv -t UTF-8; check --list all lists every line");
}

/// The place of a label's first mention.
ENTRAIN_INLINE std::string Session::place_of(const std::string& type) const {
  if (!streams()) return text::place_of_type(train_->corpus, type);
  if (text::file_list({s_.files.train}) == std::vector<std::string>{"-"}) return "--labels";
  batch::InTurn blocks(source(Variation{}));
  blocks.start(0, {});
  for (text::Corpus block; blocks.next(block);)
    if (std::string place = text::place_of_type(block, type); !place.empty()) return place;
  return s_.files.train;
}

/// `FOLDER/train-0123456789abcdef.survey`
ENTRAIN_INLINE std::string Session::beside_cache(std::string_view ending) const {
  return s_.cache + "/" + cache_stem(s_.files.train) + "-" + cache_key().substr(0, 16) + std::string(ending);
}
ENTRAIN_INLINE std::string Session::cache_key() const {
  const batch::CacheKey key = ingredients_->key();
  return std::string(key.data(), key.size());
}

/// Finds the properties of the files; messages that show words take them from the first block.
ENTRAIN_INLINE void Session::look_through() {
  const std::vector<std::string> files = text::file_list({s_.files.train});
  const bool once = files == std::vector<std::string>{"-"};
  if (once) {
    survey_.emplace();
    survey_->name = survey_->identity = text::name_of("-");
    for (const std::string& type : s_.labels) survey_->types.add(type);
    s_.training.one_epoch = true;
  } else {
    if (s_.cache.empty()) unchanged_ = std::make_shared<Unchanged>(files, s_.reading, block_bytes());
    survey_ = survey_of(files);
    if (unchanged_) unchanged_->looked_through(survey_->identity);
  }
  task::Survey& all = *survey_;
  text::refuse_unlabelled(all.name, all.met);
  types_ = all.types.names();
  train_.emplace();
  if (!once && all.first.size() == 0) {
    batch::InTurn blocks(source(Variation{}));
    blocks.start(0, {});
    while (all.first.size() == 0 && blocks.next(all.first)) {
    }
  }
  train_->corpus = all.first;
  train_->corpus.name = all.name;
  train_->types = all.types;
  train_->scheme = s_.reading.scheme.empty() ? all.scheme.taken : text::scheme_by_name(s_.reading.scheme, "--scheme");
  for (const std::string& tag : all.first.tags) train_->marks.push_back(text::read_mark(tag, train_->types));
  if (s_.augment.entity_swap > 0)
    entities_ = batch::entities_of(source(Variation{}), 50'000, text::ReadBy{train_->scheme, s_.reading.repair});

  console_.fact("train", all.name +
                             (files.size() > 1 ? " and " + counted(files.size() - 1, "file", "files") + " more" : "") +
                             ": " + format_name(format_of(files, s_.reading)) +
                             (once               ? ", read once"
                              : s_.cache.empty() ? ", read again each epoch"
                                                 : ", kept in " + s_.cache));
  if (once) return;
  if (const std::string met = text::describe(all.met); !met.empty()) console_.fact("", "met " + met);
  say_notes(task::scheme_notes(all.scheme, train_->scheme, all.name, s_.reading.repair), all.name, "", console_);
  for (const std::string& one : text::look_alikes(all.types.names())) console_.warn(all.name + ": " + one);
  console_.fact("", counted(all.sentences, "sentence", "sentences") + ", " + counted(all.words, "word", "words") +
                        ", " + counted(all.entities, "entity", "entities"));
  ProblemsSaid problems;
  problems.say(all.problems, all.name, console_);
  problems.say_total(all.met, all.name, console_);
  if (all.met.invalid_tokens > 0 && all.first_invalid.empty())  // of a survey that a cache stored
    all.first_invalid = all.name + ": a word is not UTF-8";
  if (all.met.lone_surrogates > 0 && all.first_lone.empty())
    all.first_lone = all.name + ": half of a surrogate pair is read as U+FFFD";
  say_not_utf8(all.met, all.first_invalid, all.first_lone, s_.reading.strict, {}, console_);
  warn_about(all.name, all.words, types_, all.mentions, types_, console_);
}

}  // namespace entrain::app
