// [text] > batch > embed > encode > head > optim > checkpoint
//
// CoNLL files of any size, a block of sentences at a time. Read conll.hpp first: the same reader parses each block.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// Ends CoNLL records: after a line that is empty or blank.
struct BlankLine {
  static std::size_t cut(std::string_view bytes) {
    for (std::size_t end = bytes.rfind('\n'); end != std::string_view::npos && end > 0;) {
      const std::size_t before = bytes.rfind('\n', end - 1);
      const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      const std::string_view line = bytes.substr(begin, end - begin);
      if (std::all_of(line.begin(), line.end(), [](char c) { return detail::blank(c) || c == '\r'; })) return end + 1;
      end = before;
    }
    return 0;
  }
};

/// A source: the sentences of CoNLL files in their order, one corpus a block. Scheme: the scheme of their tags.
///
/// The layout is detected from the start of the file (find_layout), or from its first block with a word. If no option
/// gives the meaning of '#', each line is judged by its columns. A malformed line is thrown as by read_conll, or
/// counted in the block's Corpus::met if options.lenient. A document that continues in the next block begins again
/// there.
template <TagScheme Scheme> class Conll : public BlockSource<BlankLine> {
 public:
  /// The name and the layout of a file.
  struct Laid {
    std::string name;
    ConllLayout layout;
  };
  struct Raw {
    Block block;
    std::shared_ptr<const Laid> file;
  };
  using Tags = Scheme;
  using Item = Corpus;

  explicit Conll(std::vector<std::string> files, const ConllOptions& options = {},
                 std::size_t block_bytes = std::size_t{1} << 18)
      : BlockSource(files, block_bytes),
        files_(std::move(files)),
        laid_(files_.size()),
        options_(options),
        block_bytes_(block_bytes) {}

  /// throws    the errors of Blocks::read and find_layout
  bool read(Raw& raw) {
    if (!blocks_.read(raw.block)) return false;
    auto& file = laid_[raw.block.file];
    raw.file = file ? file : lay_out(raw.block);
    if (raw.file->layout.columns > 0) file = raw.file;  // else there was no word so far
    return true;
  }

  /// Makes a corpus from a block.
  class Work {
   public:
    explicit Work(const ConllOptions& options) : options_(options) {}
    void operator()(Raw& raw, Corpus& corpus) {
      corpus.clear();
      corpus.name = raw.file->name;
      const std::string_view bytes = detail::without_mark(raw.block, corpus.met);
      problems_.list.clear();
      problems_.total = 0;
      detail::read_conll_lines(corpus, raw.file->layout, problems_, options_, bytes, raw.block.line - 1);
      if (problems_.total > 0 && !options_.lenient)
        throw Error("entrain.text.11", corpus.name + ":" + std::to_string(problems_.list.at(0).line),
                    problems_.list[0].reason, {},
                    "check --list all lists every such line: correct them, or skip them with --lenient");
      corpus.problems.swap(problems_.list);
      if (raw.block.line == 1 && !raw.file->layout.doubt.empty())
        corpus.problems.insert(corpus.problems.begin(), {1, raw.file->layout.doubt});
    }

   private:
    ConllOptions options_;
    Problems problems_;
  };
  Work work() const { return Work(options_); }

 private:
  /// Detects the layout from the beginning of the file, with the same number of bytes for every block size. The
  /// beginning is read again if an epoch resumed in the middle of the file.
  std::shared_ptr<const Laid> lay_out(const Block& block) const {
    std::string_view bytes = block.bytes;
    const std::string name = blocks_.name(block.file);
    Block first;
    constexpr std::size_t head = std::size_t{1} << 18;
    if ((block.line > 1 || block_bytes_ < head) && files_[block.file] != "-") {
      Blocks<BlankLine> again({files_[block.file]}, std::max(block_bytes_, head));
      again.read(first);
      bytes = first.bytes;
    }
    refuse_cr_alone(name, bytes);
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    ConllLayout layout = find_layout(name, bytes, options_);
    if (layout.columns == 0 && block.line > 1) {
      layout = find_layout(name, block.bytes, options_);
      if (layout.header_line > 0) layout.header_line += static_cast<std::uint32_t>(block.line - 1);
    }
    if (options_.hash == Hash::automatic && layout.columns > 0) layout.hash = Hash::mixed;
    return std::make_shared<const Laid>(Laid{name, std::move(layout)});
  }

  std::vector<std::string> files_;
  std::vector<std::shared_ptr<const Laid>> laid_;  // of each file that was opened
  ConllOptions options_;
  std::size_t block_bytes_;
};

}  // namespace entrain::text
