// text > batch > embed > encode > head > optim > checkpoint > train > predict > [c]
//
// A trained folder for C99, and for languages that call C (ctypes in Python). A shared library with these functions
// holds one composition; entrain_add_predictor builds it.
//
//   char* error;
//   entrain_predictor* p = entrain_load("model", 1, &error);
//   if (!p) return complain(error);                                            // and entrain_free_error(error)
//   entrain_result* r = entrain_predict(p, text, strlen(text), &error);
//   if (!r) return complain(error);
//   size_t count;
//   const entrain_entity* e = entrain_entities(r, 0, &count);
//   for (size_t i = 0; i < count; ++i) printf("%s %s\n", e[i].type, e[i].text);
//   entrain_free_result(r);
//   entrain_free_predictor(p);
//
// Errors     Functions that can fail take `char** error`, which may be NULL. They set it every time: to NULL; or, when
//            they return NULL, to one sentence, `entrain.c.1: entrain_load: ...`, which the caller must pass to
//            entrain_free_error.
// Threads    There is no global state. Any number of threads may use one predictor at once, and read one result. A
//            handle must be freed once, when no thread uses it any more. A process that forks must load after the fork.
// Memory     All data that a handle shows belongs to it and is valid until the handle is freed. A result may outlive
//            its predictor.
// Libraries  of two compositions have functions of the same names: open each with dlopen and RTLD_LOCAL, as ctypes
//            does.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)  // the library is compiled with -fvisibility=hidden; these are exported

/// The version that a program was compiled against. If entrain_abi() returns another number, do not continue.
enum { ENTRAIN_ABI = 1 };

typedef struct entrain_predictor entrain_predictor;
typedef struct entrain_result entrain_result;

/// A typed range of a text. All numbers are [begin, end) and count from the beginning of the entity's text.
typedef struct entrain_entity {
  const char* type;               // "PER"; UTF-8, ends with a zero byte
  const char* text;               // its end - begin bytes, as they are in the text, then a zero byte
  uint32_t begin, end;            // in bytes
  uint32_t begin_cp, end_cp;      // in code points, as Python counts; a byte that is not UTF-8 counts as one
  uint32_t begin_word, end_word;  // in words, as the model's splitter or the caller made them
  int32_t type_id;                // index in entrain_types
  int32_t reserved;               // 0
} entrain_entity;

/// "0.2.0": the version of entrain in this library.
const char* entrain_version(void);
/// ENTRAIN_ABI as the library was compiled.
uint32_t entrain_abi(void);

/// Loads the model from a folder that this library's composition trained.
///
/// threads   of one call, 1 to 1024; prefer many calling threads to many threads in one call
/// errors    entrain.c.1: folder is NULL        entrain.c.2: threads        what predict::load throws
entrain_predictor* entrain_load(const char* folder, int32_t threads, char** error);
void entrain_free_predictor(entrain_predictor* predictor);

/// The entity types that the model knows, each once; and the messages for the user about its folder. *count of them.
const char* const* entrain_types(const entrain_predictor* predictor, size_t* count);
const char* const* entrain_notes(const entrain_predictor* predictor, size_t* count);

/// The entities of a text: UTF-8, `bytes` long, zero bytes included. Each byte that is not UTF-8 is read as U+FFFD.
///
/// errors    entrain.c.1: predictor is NULL, or text while bytes is not 0        entrain.text.62: 4 GiB or more
///           entrain.c.3: no memory
entrain_result* entrain_predict(const entrain_predictor* predictor, const char* text, size_t bytes, char** error);

/// Many texts at once: short ones are computed together, and each gets the same entities as alone.
///
/// texts, bytes   [count]        errors    those of entrain_predict
entrain_result* entrain_predict_batch(const entrain_predictor* predictor, const char* const* texts, const size_t* bytes,
                                      size_t count, char** error);

/// Sentences that are already split into words. A sentence's text is its words with a single space between two.
///
/// words, bytes   of all sentences, one after the other        sentence   [sentences] how many words each has
/// errors         those of entrain_predict        entrain.predict.3: a sentence of 4 GiB or more
entrain_result* entrain_predict_words(const entrain_predictor* predictor, const char* const* words, const size_t* bytes,
                                      const size_t* sentence, size_t sentences, char** error);

/// The number of texts or sentences in a result.
size_t entrain_texts(const entrain_result* result);
/// The entities of one of them, from left to right: *count of them. Without such a text: none, and NULL.
const entrain_entity* entrain_entities(const entrain_result* result, size_t text, size_t* count);
void entrain_free_result(entrain_result* result);

void entrain_free_error(char* error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
