// entrain as a library that trains: read files, train, evaluate, save. Prints nothing, and never ends the program.
//
//   #include <entrain/cpu.hpp>
//   #include <entrain/train.hpp>
//
//   const auto gold = train::read<Trainer>("train.conll"), dev = train::read<Trainer>("dev.conll");
//   train::Training<Trainer> training(gold, &dev);
//   training.fit();
//   training.save("model");                                            // predict.hpp loads it
//
// train::fit of train/loop/fit.hpp is the same loop with every function in the caller's hands.
#pragma once
#include "entrain/app/input/read_gold.hpp"
#include "entrain/score/report.hpp"
#include "entrain/task/class_report.hpp"
#include "entrain/train/loop/training.hpp"
