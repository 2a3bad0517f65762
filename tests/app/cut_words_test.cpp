// tests > [app]: words longer than an encoder's windows are told of, not left out in silence.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"

using namespace entrain;

namespace {
/// What `call` says on standard error.
template <class Call> std::string heard(Call&& call) {
  std::FILE* const into = std::tmpfile();
  REQUIRE(into != nullptr);
  const int kept = ::dup(STDERR_FILENO);
  std::fflush(stderr);
  ::dup2(::fileno(into), STDERR_FILENO);
  call();
  std::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  std::string said(4096, '\0');
  std::rewind(into);
  said.resize(std::fread(said.data(), 1, said.size(), into));
  std::fclose(into);
  return said;
}
std::string warning(std::size_t words, bool quiet = false) {
  train::Tagged split;
  split.corpus.name = "train.conll";
  return heard([&] {
    app::Talk talk(quiet);
    app::warn_of_cut(split, words, talk);
  });
}
}  // namespace

TEST_CASE("words of which an encoder reads the first pieces alone: how many, in which file, and that all count") {
  const std::string rest =
      " more pieces than the encoder reads at once: the first are read; tags and scores count every word\n";
  CHECK(warning(0).empty());
  CHECK(warning(1) == "warning: train.conll: 1 distinct word has" + rest);
  CHECK(warning(1234) == "warning: train.conll: 1,234 distinct words have" + rest);
  CHECK(warning(3, true).empty());
}
