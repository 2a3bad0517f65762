// bench: slices of prediction by a fine-tuned MiniLM, so that it can take turns with bench/peers/onnx_predict.py.
//
//   predict_slices FOLDER TEST [THREADS [CALLS]]   lines 'batches', 'sentence', 'load', 'quit'; a line of JSON for each
//   predict_slices FOLDER TEST THREADS tags        the file's tags, as the peer compares them
//
// predict_slices_bf16 has products in bf16 where the CPU has AMX.
//
// examples/04_finetune_ner wrote the folder. Input is words, output is tags: every figure includes cutting words into
// pieces. 'batches' is the file once, 32 sentences a call, in the order of the file; 'sentence' is CALLS calls with the
// first sentence of 20 words; 'load' opens the folder again, up to the first tag.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/predict.hpp>
#include <entrain/text/conll/conll.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/slices/slices.hpp"

namespace slices {
using namespace entrain;

inline constexpr std::size_t sentences = 32, words = 20;

inline text::Corpus part_of(const text::Corpus& file, std::size_t first, std::size_t last) {
  text::Corpus part;
  for (std::size_t s = first; s < std::min(last, file.sentences()); ++s) {
    for (std::size_t i = file.sentence[s]; i < file.sentence[s + 1]; ++i) part.push(file.token(i), 0);
    part.end_sentence();
  }
  return part;
}

template <class Tagger> long sum_of_tags(const Tagger& tagger, const text::Corpus& corpus) {
  long sum = 0;
  tagger.tags(corpus, [&](std::size_t, std::span<const text::Tag> tags) {
    for (const text::Tag tag : tags) sum += tag;
  });
  return sum;
}

template <class Tagger> int predict_slices(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: predict_slices FOLDER TEST [THREADS [CALLS|tags]]\n");
    return 2;
  }
  const std::string folder = argv[1], what = argc > 4 ? argv[4] : "300";
  const predict::Limits limits{.threads = argc > 3 ? std::stoi(argv[3]) : 1};
  const text::Corpus file = text::read_conll(argv[2]);
  const Tagger tagger(folder, limits);
  if (what == "tags") {
    tagger.tags(file, [&](std::size_t, std::span<const text::Tag> tags) {
      for (const text::Tag tag : tags) std::printf("%s\n", std::string(tagger.labels().name(tag)).c_str());
      std::printf("\n");
    });
    return 0;
  }

  std::vector<text::Corpus> batches;
  for (std::size_t s = 0; s < file.sentences(); s += sentences) batches.push_back(part_of(file, s, s + sentences));
  std::size_t chosen = 0;
  while (file.sentence[chosen + 1] - file.sentence[chosen] != words) ++chosen;
  const text::Corpus sentence = part_of(file, chosen, chosen + 1);

  long used = sum_of_tags(tagger, sentence);
  Times times(std::stoul(what));
  serve(
      "words", 0,
      [&](const std::string& slice) -> std::uint64_t {
        times.clear();
        if (slice == "load") {
          used += sum_of_tags(Tagger(folder, limits), sentence);
          return sentence.size();
        }
        if (slice == "sentence") {
          times.each([&] { used += sum_of_tags(tagger, sentence); });
          return times.size() * sentence.size();
        }
        for (const text::Corpus& batch : batches) used += sum_of_tags(tagger, batch);
        return file.size();
      },
      [&] { return times.json(); });
  return used < 0;  // so that the tags are used
}

}  // namespace slices
