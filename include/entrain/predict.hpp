// Uses a trained folder from a library call. Prints nothing, never ends the program, and many threads may use it at
// once.
//
//   #include <entrain/cpu.hpp>
//   #include <entrain/predict.hpp>
//
//   const auto tagger = entrain::predict::load<Tagger>("model");
//   for (const auto& e : tagger.entities(text))
//     use(e.type, e.in(text));                                        // PER "Ada Lovelace", ...
//
// predict::Predictor gives what the head of any task predicts.
#pragma once
#include "entrain/predict/predictor.hpp"
#include "entrain/predict/tagger.hpp"
