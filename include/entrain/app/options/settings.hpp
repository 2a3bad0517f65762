// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// All values that a command line sets, as plain data. parse.hpp fills it, the commands read it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/text/check/check_result.hpp"  // listed_of_a_kind
#include "entrain/text/conll/conll_options.hpp"
#include "entrain/text/corpus/text_unit.hpp"
#include "entrain/text/csv/csv_options.hpp"
#include "entrain/text/records/record.hpp"  // RecordOptions
#include "entrain/train/loop/fit.hpp"

namespace entrain::app {

class Signals;  // app/output/signals.hpp

enum class Command { train, evaluate, predict, check, convert, score };

/// How files are read.
struct Reading {
  std::string scheme;  // empty: found from the tags
  std::string repair = "conlleval";
  std::string format = "auto";  // a name of app/input/format.hpp; auto: by the files
  bool strict = false;          // text that is not UTF-8 is an error, not a warning
  text::ConllOptions conll;
  text::RecordOptions records;                           // for jsonl and annotated
  text::CsvOptions csv;                                  // for csv and tsv
  text::TextUnit text_unit = text::TextUnit::paragraph;  // for text
};

/// The files to use. A corpus has a name (app/input/corpora.hpp); files that are named override those of a corpus.
struct Files {
  std::string train, dev, test, corpus, data;
  bool examples = false;  // no option names a file: those of the program's examples are used
};

/// The files that a training writes for other programs (app/train/records.hpp); empty: not written.
struct RecordFiles {
  std::string trace;        // a file for Perfetto
  std::string tensorboard;  // a folder, in which each training makes a file of its own
  std::string log_steps;    // a file of JSON Lines
};

/// How sentences are changed at random while files are read again (text/augment/augment.hpp): shares of sentences, of
/// entities and of words.
struct Augmenting {
  double lower_case = 0, entity_swap = 0, token_drop = 0;
  explicit operator bool() const { return lower_case > 0 || entity_swap > 0 || token_drop > 0; }
};

struct Settings {
  Command command = Command::train;
  Reading reading;
  Files files;
  int threads = 0;  // 0: as many as the machine has
  bool quiet = false;
  bool json = false;
  std::vector<std::string> line;  // the command line, word by word
  std::string config;             // the file of --config
  Signals* signals = nullptr;     // of the program; null: the system's default action ends it

  // train
  train::Options training;
  bool auto_budget = false;  // the step of `training`, in batches that fit
  bool plan = false;         // print the memory plan instead of training
  std::string algorithms;    // of a GPU's products; see app/train/kept_algorithms.hpp
  std::string output = "model";
  bool resume = false;     // continue from the training state in `output`
  bool overwrite = false;  // discard that state, or the existing model
  std::string init;
  std::string pretrained;
  std::string vectors;
  std::string class_weights;
  std::vector<std::string> optimizer_options;  // those of optim::OptionsRead that the user set, as --momentum
  RecordFiles records;
  std::string splitter, sentence_splitter;
  bool of_classes = false;                            // the program learns classes of texts, not tags
  bool stream = false;                                // the training file is read again each epoch
  std::size_t shuffle_buffer = std::size_t{1} << 16;  // that many of its sentences are shuffled at a time
  std::string cache;                                  // folder of encoded corpora, which are mapped
  std::vector<std::string> labels;                    // entity types, if no pass over the files can find them
  Augmenting augment;

  // evaluate, predict
  std::string model = "model";
  std::string split = "test";

  // predict, check, convert, score: what they read, and where they write
  std::vector<std::string> inputs;
  std::string destination = "-";
  std::string format = "auto";
  std::string to_scheme;

  // check
  std::string fix, fix_rules = "all";
  std::size_t rare = 10, long_sentence = 256;
  std::size_t listed = text::listed_of_a_kind;  // lines per kind
};

}  // namespace entrain::app
