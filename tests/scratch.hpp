// tests: an empty folder for a test, gone with it; a variable of the environment likewise; and what an error says.
#pragma once
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"

namespace test {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "entrain-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// The path of a file in it that holds these bytes.
  std::string file(std::string_view name, std::string_view bytes) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  const std::string& path() const { return path_; }

  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out.insert(entry.path().filename().string());
    return out;
  }

 private:
  std::string path_;
};

/// A file with these bytes, gone with it.
class File {
 public:
  explicit File(std::string_view bytes, std::string_view name = "corpus") : path_(folder_.file(name, bytes)) {}
  const std::string& path() const { return path_; }

 private:
  Scratch folder_;
  std::string path_;
};

/// A variable of the environment, as it was once this is gone: the tests of a room share one process.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* const value = ::getenv(name)) was_.emplace(value);
  }
  Variable(const Variable&) = delete;
  ~Variable() {
    if (was_)
      ::setenv(name_, was_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  void set(const char* value) const { ::setenv(name_, value, 1); }
  void unset() const { ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> was_;
};

inline void put(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}
inline std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The sentence of the Error that `call` throws; empty if it throws none.
template <class Call> std::string sentence(Call&& call) {
  try {
    call();
  } catch (const entrain::Error& e) {
    return e.what();
  }
  return {};
}

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace test
