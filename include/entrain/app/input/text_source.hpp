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

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/timeline.hpp"
#include "entrain/text/augment/entity_table.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/files/blocks.hpp"  // FileCursor
#include "entrain/text/tags/reading.hpp"

namespace entrain::app {

/// How a source changes sentences, and the data that it needs for that.
struct Variation {
  Augmenting how;
  std::uint64_t seed = 0;
  text::ReadBy reading;
  std::shared_ptr<const text::EntityTable> entities;  // to swap
};

class Unchanged;

/// A divided stage (batch/pipeline/stage.hpp).
class TextSource {
 public:
  class Raw {
   public:
    ENTRAIN_INLINE Raw();
    ENTRAIN_INLINE Raw(Raw&&) noexcept;
    ENTRAIN_INLINE Raw& operator=(Raw&&) noexcept;
    ENTRAIN_INLINE ~Raw();

   private:
    friend class TextSource;
    struct Inside;
    std::unique_ptr<Inside> inside_;
  };
  class Work {
   public:
    ENTRAIN_INLINE explicit Work(TextSource& of);
    ENTRAIN_INLINE Work(Work&&) noexcept;
    ENTRAIN_INLINE ~Work();
    /// throws    what the format's reader throws
    ENTRAIN_INLINE void operator()(Raw& raw, text::Corpus& corpus, Lane* lane = nullptr);

   private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
  };
  using Item = text::Corpus;
  using Cursor = text::FileCursor;

  /// unchanged    checked where each epoch begins and ends, and before an error of a reader is thrown; null: never
  ENTRAIN_INLINE TextSource(const std::vector<std::string>& files, const Reading& reading,
                            std::size_t block_bytes = std::size_t{1} << 18, const Variation& variation = {},
                            std::shared_ptr<Unchanged> unchanged = {});
  ENTRAIN_INLINE TextSource(TextSource&&) noexcept;
  ENTRAIN_INLINE ~TextSource();

  /// throws    entrain.app.61 as Unchanged::check, here and in read
  ENTRAIN_INLINE void start(std::uint32_t epoch, const Cursor& at);
  ENTRAIN_INLINE Cursor cursor() const;
  ENTRAIN_INLINE bool read(Raw& raw, Lane* lane = nullptr);
  Work work() { return Work(*this); }

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/text_source.ipp"
#endif
