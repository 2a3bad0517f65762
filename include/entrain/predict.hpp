// A trained folder as a library call. Prints nothing, ends nothing, and may be used from many threads at once.
//
//   #include <entrain/cpu.hpp>
//   #include <entrain/predict.hpp>
//
//   const auto tagger = entrain::predict::load<Tagger>("model");
//   for (const auto& e : tagger.entities(text))
//     use(e.type, e.in(text));                                        // PER "Ada Lovelace", ...
#pragma once
#include "entrain/predict/tagger.hpp"
