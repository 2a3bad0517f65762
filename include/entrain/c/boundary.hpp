// text > batch > embed > encode > head > optim > checkpoint > train > predict > [c]
//
// The boundary for exceptions: a function called from C either returns a result or fails with one sentence.
#pragma once
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "entrain/core/error.hpp"

namespace entrain::c {

/// The error when there is no memory for a sentence. It is a constant of the library, and free_sentence recognises it.
inline constexpr char no_memory[] = "entrain.c.3: memory: allocation failed; pass shorter texts, or fewer at a time";

/// A copy for the caller, or no_memory.
inline char* copy_sentence(const char* sentence) noexcept {
  const std::size_t bytes = std::strlen(sentence) + 1;
  void* const copy = std::malloc(bytes);
  return copy == nullptr ? const_cast<char*>(no_memory) : static_cast<char*>(std::memcpy(copy, sentence, bytes));
}
inline void free_sentence(char* sentence) noexcept {
  if (sentence != no_memory) std::free(sentence);
}

/// Returns the pointer that call() returns; or nullptr with the reason in *error. error may be nullptr.
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
    sentence = copy_sentence("entrain.c.4: an exception of an unknown type");
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
