// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of parse.hpp, with CLI11.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/app/options/option_checks.ipp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/vectors/parse.hpp"
#include "entrain/core/version.hpp"
#include "entrain/report/width.hpp"  // harmless

namespace entrain::app {
namespace detail {

class VectorCommandLine {
 public:
  VectorCommandLine(VectorSettings& settings, std::span<const CompiledVectors> compiled)
      : s_(settings), compiled_(compiled) {
    s_.sg = compiled.front().sg ? 1 : 0;
    s_.vector_size = compiled.front().vector_size;
    root_.require_subcommand(0, 1);
    root_.set_version_flag("--version", std::string("entrain ") + version);
    root_.get_formatter()->column_width(36);
    root_.footer("Exit codes: 0: done. 1: an error in files or numbers, printed as one line. 2: wrong usage.");
    train(command(VectorCommand::train, "train", "Train word vectors on text files"));
    nearest(command(VectorCommand::nearest, "nearest", "Print the words nearest to each word"));
    analogy(command(VectorCommand::analogy, "analogy", "A is to B as C is to ...; or score a file of analogies"));
  }

  std::optional<int> parse(int argc, const char* const* argv) {
    try {
      root_.parse(argc, argv);
      const auto chosen = root_.get_subcommands();
      if (chosen.empty()) {
        std::fputs(root_.help().c_str(), stderr);
        return 2;
      }
      check(*chosen.front());
    } catch (const CLI::Success& e) {  // help, version
      std::ostringstream said, complained;
      root_.exit(e, said, complained);
      Output("-").write(said.str());
      return 0;
    } catch (const CLI::ParseError& e) {
      std::fprintf(stderr, "error: %s; see --help\n", report::harmless(e.what()).c_str());
      return 2;
    }
    return std::nullopt;
  }

 private:
  CLI::App& command(VectorCommand which, const char* name, const char* what) {
    CLI::App& sub = *root_.add_subcommand(name, what);
    sub.parse_complete_callback([this, which] { s_.command = which; });
    return sub;
  }
  template <class T>
  CLI::Option* number(CLI::App& sub, const char* group, const char* name, T& value, T least, T most, const char* what) {
    return sub.add_option(name, value, what)->capture_default_str()->group(group)->transform(between(least, most));
  }

  void train(CLI::App& sub) {
    entrain::vectors::Options& o = s_.training;
    constexpr int any = std::numeric_limits<int>::max();
    sub.add_option("files", s_.files, "Text files or patterns, of any size; .gz and .zst too")
        ->required()
        ->check(not_empty())
        ->type_name("FILE ...");
    sub.add_option("--output,-o", s_.output, "The file of vectors")->required()->check(not_empty())->group("Files");
    choice(sub, "Files", "--format", s_.format, {"auto", "text", "binary"},
           "word2vec's text or binary format; auto: binary if the name ends in .bin");
    choice(sub, "Reading", "--words", s_.words, {"unicode", "whitespace"},
           "Split texts by the rules of unicode-words-1, or at white space only");
    sub.add_flag("--lower", o.lower, "Words in lower case")->group("Reading");
    sub.add_option_function<std::string>(
           "--text-unit",
           [&o](const std::string& unit) {
             o.unit = unit == "line" ? text::TextUnit::line : text::TextUnit::paragraph;
           },
           "paragraph or line: no window crosses its end")
        ->default_str("paragraph")
        ->check(one_of({"paragraph", "line"}))
        ->group("Reading");
    number(sub, "Words", "--min-count", o.min_count, 1, any, "Rarer words get no vector");
    sub.add_option("--max-vocab-size", o.max_vocab_size, "Words that counting may hold in memory; 0: any number")
        ->capture_default_str()
        ->group("Words")
        ->transform(not_negative<std::size_t>());
    number(sub, "Words", "--sample", o.sample, 0., 1., "Leave out words of a higher frequency at random; 0: none");
    number(sub, "Words", "--min-n", o.min_n, 1, 100, "Shortest character n-gram");
    number(sub, "Words", "--max-n", o.max_n, 0, 100, "Longest character n-gram; 0: none, 6: as fastText");
    number(sub, "Words", "--bucket", o.bucket, 1, 1 << 30, "Rows for n-grams, which share them by a hash");
    number(sub, "Training", "--sg", s_.sg, 0, 1, "1: skip-gram; 0: CBOW");
    number(sub, "Training", "--vector-size", s_.vector_size, 1, any, "Numbers of a vector");
    number(sub, "Training", "--window", o.window, 1, 1000, "Words to each side; each position draws 1 to this");
    number(sub, "Training", "--negative", o.negative, 1, 1000, "Negative samples of a pair");
    number(sub, "Training", "--ns-exponent", o.ns_exponent, -2., 2., "Samples are drawn by count to this power");
    number(sub, "Training", "--alpha", o.alpha, 0., 10., "First learning rate; 0: 0.025, for CBOW 0.05");
    number(sub, "Training", "--min-alpha", o.min_alpha, 0., 10., "It falls linearly to this one");
    number(sub, "Training", "--epochs", o.epochs, 1, any, "Passes over the files");
    sub.add_option("--seed", o.seed, "Of first values and all random choices")
        ->capture_default_str()
        ->group("Training")
        ->transform(not_negative<std::uint64_t>());
    number(sub, "Training", "--batch-words", o.batch_words, 1, 1 << 20,
           "Positions of a step, which compute from the same values");
    number(sub, "Machine", "--threads", s_.threads, 0, 1024,
           "Number of threads, which changes no bit; 0: as many as the machine has");
    sub.add_flag("--quiet", s_.quiet, "Print only errors on standard error");
  }
  void vectors_file(CLI::App& sub) {
    sub.add_option("vectors", s_.vectors, "A file of word2vec (text or binary), GloVe or fastText (.vec)")
        ->required()
        ->check(not_empty())
        ->type_name("FILE");
  }
  void topn(CLI::App& sub) {
    sub.add_option("--topn", s_.topn, "Number of answers")
        ->capture_default_str()
        ->transform(not_negative<std::size_t>());
  }
  void nearest(CLI::App& sub) {
    vectors_file(sub);
    sub.add_option("words", s_.arguments, "Words")->required()->type_name("WORD ...");
    topn(sub);
  }
  void analogy(CLI::App& sub) {
    vectors_file(sub);
    sub.add_option("words", s_.arguments, "A is to B as C is to the answers")->type_name("A B C")->expected(0, 3);
    sub.add_option("--questions", s_.questions, "Score a file of analogies, as word2vec's questions-words.txt")
        ->check(not_empty())
        ->type_name("FILE");
    topn(sub);
    sub.add_option("--restrict-vocab", s_.restrict_vocab, "Answers are among the first words of the file; 0: all")
        ->capture_default_str()
        ->transform(not_negative<std::size_t>());
  }
  static void choice(CLI::App& sub, const char* group, const char* name, std::string& value,
                     std::vector<std::string> names, const char* what) {
    sub.add_option(name, value, what)->capture_default_str()->check(one_of(std::move(names)))->group(group);
  }

  void check(const CLI::App& sub) {
    if (sub.get_name() == "analogy" && s_.questions.empty() != (s_.arguments.size() == 3))
      throw CLI::ValidationError("analogy", "takes three words, as in: he she king; or --questions FILE");
    if (sub.get_name() != "train") return;
    std::string all;
    for (const CompiledVectors& c : compiled_) {
      if (c.sg == (s_.sg == 1) && c.vector_size == s_.vector_size) return;
      all += std::string(all.empty() ? "" : ", ") + "--sg " + (c.sg ? "1" : "0") + " --vector-size " +
             std::to_string(c.vector_size);
    }
    throw CLI::ValidationError("--vector-size", "this program was compiled for " + all +
                                                    "; another width is a template argument in its main.cpp");
  }

  VectorSettings& s_;
  std::span<const CompiledVectors> compiled_;
  CLI::App root_{"entrain trains word vectors on raw text, and answers questions about them."};
};

}  // namespace detail

ENTRAIN_INLINE std::optional<int> parse_vectors(int argc, const char* const* argv, VectorSettings& settings,
                                                std::span<const CompiledVectors> compiled) {
  return detail::VectorCommandLine(settings, compiled).parse(argc, argv);
}

}  // namespace entrain::app
