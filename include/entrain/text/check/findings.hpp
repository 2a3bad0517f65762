// [text] > batch > embed > encode > head > optim > checkpoint
//
// The findings of checks of untagged files: problems with their places. All are counted; the first of each kind are
// listed, so that a file of any size is checked in bounded memory.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "entrain/text/check/check_words.hpp"  // more_unlisted

namespace entrain::text {

/// Kinds: an enumeration of `kinds` kinds. Those below `errors` are errors, the rest are warnings. finding_name(kind,
/// many): the name of a kind.
template <class Kinds, std::size_t kinds, Kinds errors> class Findings {
 public:
  explicit Findings(std::size_t listed) : most_(listed) {}

  /// Begins a file: the following findings belong to it.
  void file(const std::string& name) { files_.push_back({name, {}}); }
  /// The current file is a folder of files with a text each. This is the next of them: its findings have its number,
  /// from 1, as their line.
  void member(const std::string& path) { files_.back().members.push_back(path); }
  std::uint64_t members(std::size_t file) const { return files_[file].members.size(); }
  /// `train.csv:812`, or `reviews/pos/12.txt:1`; line 0: the name alone
  std::string place(std::size_t file, std::uint64_t line) const {
    const auto& [name, members] = files_[file];
    if (line == 0) return name;
    return members.empty() ? name + ":" + std::to_string(line) : members[line - 1] + ":1";
  }
  /// line 0: the whole file. reason() is called only if the finding is listed.
  template <class Reason> void add(std::size_t file, std::uint64_t line, Kinds kind, Reason&& reason) {
    const auto k = static_cast<std::size_t>(kind);
    if (all_[k]++ < most_) list_.push_back({file, line, kind, list_.size(), reason()});
  }

  std::uint64_t count(Kinds kind) const { return all_[static_cast<std::size_t>(kind)]; }
  std::uint64_t errors_found() const {
    std::uint64_t n = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(errors); ++k) n += all_[k];
    return n;
  }

  /// `train.csv:812: reason`, one line each, by file and line; then the number of each kind that is not listed.
  std::string listed() {
    std::sort(list_.begin(), list_.end(), [](const One& a, const One& b) {
      return std::tie(a.file, a.line, a.kind, a.number) < std::tie(b.file, b.line, b.kind, b.number);
    });
    std::string s;
    auto next = list_.begin();
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (; next != list_.end() && next->file == f; ++next)
        s.append(place(f, next->line)).append(": ").append(next->reason).append("\n");
    for (std::size_t k = 0; k < kinds; ++k)
      if (all_[k] > most_)
        s.append(detail::more_unlisted(all_[k] - most_, finding_name(static_cast<Kinds>(k), all_[k] - most_ > 1)));
    return s;
  }
  /// `1 empty text, 3 repeated texts`, or `nothing to report`
  std::string tally() const {
    std::string s;
    for (std::size_t k = 0; k < kinds; ++k)
      if (all_[k] > 0)
        s.append(s.empty() ? "" : ", ")
            .append(std::to_string(all_[k]))
            .append(" ")
            .append(finding_name(static_cast<Kinds>(k), all_[k] > 1));
    return s.empty() ? "nothing to report" : s;
  }

 private:
  struct Place {
    std::string name;
    std::vector<std::string> members;
  };
  struct One {
    std::size_t file = 0;
    std::uint64_t line = 0;
    Kinds kind{};
    std::size_t number = 0;  // order of discovery
    std::string reason;
  };

  std::size_t most_;
  std::vector<Place> files_;
  std::array<std::uint64_t, kinds> all_{};
  std::vector<One> list_;
};

}  // namespace entrain::text
