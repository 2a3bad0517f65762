/* tests > [consumers]: a program in C99 that loads a folder and predicts. Prints, for each line of standard input,
 * "type begin end words" of each entity, in code points, and an empty line. */
#include <entrain/c/predictor.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

/* A call failed as it should: with this sentence. */
static void expect(const char* what, const void* answer, char* error, const char* sentence) {
  if (answer != NULL || error == NULL || strncmp(error, sentence, strlen(sentence)) != 0) {
    fprintf(stderr, "caller: %s: found '%s', expected '%s'\n", what, error == NULL ? "no error" : error, sentence);
    ++failures;
  }
  entrain_free_error(error);
}

static int complain(char* error) {
  fprintf(stderr, "caller: %s\n", error);
  entrain_free_error(error);
  return 1;
}

static void print(const entrain_result* result) {
  size_t count, i;
  const entrain_entity* e = entrain_entities(result, 0, &count);
  for (i = 0; i < count; ++i) printf("%s %u %u %s\n", e[i].type, e[i].begin_cp, e[i].end_cp, e[i].text);
  printf("\n");
}

int main(int argc, char** argv) {
  char line[4096];
  char* error;
  const void* answer;
  entrain_predictor* predictor;
  entrain_result* result;
  size_t count = 0;
  if (argc != 3) return 2;
  if (entrain_abi() != ENTRAIN_ABI || strcmp(entrain_version(), "") == 0) return 2;

  answer = entrain_load(NULL, 1, &error);
  expect("no folder", answer, error, "entrain.c.1: entrain_load: folder is NULL");
  answer = entrain_load("/nowhere", 1, &error);
  expect("no model", answer, error, "entrain.checkpoint.40: /nowhere");
  answer = entrain_load(argv[1], 0, &error);
  expect("no threads", answer, error, "entrain.c.2: entrain_load: 0 threads");
  answer = entrain_load(argv[2], 1, &error);
  expect("another composition", answer, error, "entrain.train.1");
  answer = entrain_predict(NULL, "a", 1, &error);
  expect("no predictor", answer, error, "entrain.c.1: entrain_predict: predictor");

  predictor = entrain_load(argv[1], 2, &error);
  if (predictor == NULL) return complain(error);
  answer = entrain_predict(predictor, NULL, 1, &error);
  expect("no text", answer, error, "entrain.c.1: entrain_predict: text is NULL");
  if (entrain_types(predictor, &count) == NULL || count == 0) return 2;

  while (fgets(line, sizeof line, stdin) != NULL) {
    result = entrain_predict(predictor, line, strcspn(line, "\n"), &error);
    if (result == NULL) return complain(error);
    print(result);
    entrain_free_result(result);
  }
  entrain_free_predictor(predictor);
  return failures == 0 ? 0 : 1;
}
