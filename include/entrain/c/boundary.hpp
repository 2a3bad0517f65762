// text > batch > embed > encode > head > optim > checkpoint > train > predict > [c]
//
// Where exceptions end: what C calls either answers or fails with a sentence.
#pragma once
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "entrain/core/error.hpp"

namespace entrain::c {

/// What is said when there is no memory for a sentence. It lives in the library: free_sentence knows it.
inline constexpr char no_memory[] =
    "entrain.c.3: memory: the machine has no more; pass shorter texts, or fewer at a time";

/// A copy for the caller, or no_memory.
inline char* copy_sentence(const char* sentence) noexcept {
  const std::size_t bytes = std::strlen(sentence) + 1;
  void* const copy = std::malloc(bytes);
  return copy == nullptr ? const_cast<char*>(no_memory) : static_cast<char*>(std::memcpy(copy, sentence, bytes));
}
inline void free_sentence(char* sentence) noexcept {
  if (sentence != no_memory) std::free(sentence);
}

/// What call() returns, a pointer; or nullptr, and *error says why. error may be nullptr.
template <class Call> auto guarded(char** error, Call&& call) noexcept -> decltype(call()) {
  char* sentence = nullptr;
  decltype(call()) answer = nullptr;
  try {
    answer = call();
  } catch (const std::bad_alloc&) {
    sentence = const_cast<char*>(no_memory);
  } catch (const std::length_error&) {  // more than any memory holds
    sentence = const_cast<char*>(no_memory);
  } catch (const std::exception& e) {
    sentence = copy_sentence(e.what());
  } catch (...) {
    sentence = copy_sentence("entrain.c.4: an exception of a type that is not the library's");
  }
  if (error != nullptr)
    *error = sentence;
  else
    free_sentence(sentence);
  return answer;
}

/// "entrain.c.1: entrain_load: folder is NULL, expected the path of a model folder"
inline Error null_argument(std::string_view function, std::string_view found, std::string_view expected) {
  return {"entrain.c.1", function, found, expected};
}

}  // namespace entrain::c
