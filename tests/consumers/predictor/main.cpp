// tests > [consumers]: the program that trains what the library predicts with.
#include <entrain/app/ner.hpp>

#include "tagger.hpp"

int main(int argc, char** argv) { return entrain::app::ner<light::Trainer>(argc, argv); }
