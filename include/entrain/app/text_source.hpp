// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Files of tagged sentences in any format, as a source of the loader; the command line or the files decide the format.
// The readers are compiled once, so that a program's compile time does not pay for three of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/core/timeline.hpp"
#include "entrain/text/blocks.hpp"  // FileCursor
#include "entrain/text/corpus.hpp"
#include "entrain/text/entity_table.hpp"
#include "entrain/text/reading.hpp"

namespace entrain::app {

/// How a source changes sentences, and the data that it needs for that.
struct Variation {
  Augmenting how;
  std::uint64_t seed = 0;
  text::ReadBy reading;
  std::shared_ptr<const text::EntityTable> entities;  // to swap
};

class Unchanged;

/// A divided stage (batch/stage.hpp).
class TextSource {
 public:
  class Raw {
   public:
    ENTRAIN_PART Raw();
    ENTRAIN_PART Raw(Raw&&) noexcept;
    ENTRAIN_PART Raw& operator=(Raw&&) noexcept;
    ENTRAIN_PART ~Raw();

   private:
    friend class TextSource;
    struct Inside;
    std::unique_ptr<Inside> inside_;
  };
  class Work {
   public:
    ENTRAIN_PART explicit Work(TextSource& of);
    ENTRAIN_PART Work(Work&&) noexcept;
    ENTRAIN_PART ~Work();
    /// throws    what the format's reader throws
    ENTRAIN_PART void operator()(Raw& raw, text::Corpus& corpus, Lane* lane = nullptr);

   private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
  };
  using Item = text::Corpus;
  using Cursor = text::FileCursor;

  /// unchanged    checked where each epoch begins and ends, and before an error of a reader is thrown; null: never
  ENTRAIN_PART TextSource(const std::vector<std::string>& files, const Reading& reading,
                          std::size_t block_bytes = std::size_t{1} << 18, const Variation& variation = {},
                          std::shared_ptr<Unchanged> unchanged = {});
  ENTRAIN_PART TextSource(TextSource&&) noexcept;
  ENTRAIN_PART ~TextSource();

  /// throws    entrain.app.61 as Unchanged::check, here and in read
  ENTRAIN_PART void start(std::uint32_t epoch, const Cursor& at);
  ENTRAIN_PART Cursor cursor() const;
  ENTRAIN_PART bool read(Raw& raw, Lane* lane = nullptr);
  Work work() { return Work(*this); }

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/text_source.ipp"
#endif
