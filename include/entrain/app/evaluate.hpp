// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `evaluate`: a saved model against a tagged file.
#pragma once
#include <algorithm>

#include "entrain/app/machine.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/batch/encoded.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/score/report.hpp"
#include "entrain/train/evaluate.hpp"

namespace entrain::app {

template <class Model, Precision P, class D> int evaluate(const Settings& s) {
  Talk talk(s.quiet);
  const std::string& path = s.split == "train" ? s.files.train : s.split == "dev" ? s.files.dev : s.files.test;
  if (path.empty())
    throw Error("entrain.app.11", "--split " + s.split, "no such file was named", "--" + s.split + " FILE",
                "or another --split");
  const predict::Net<Model, P, D> net(s.model);
  for (const std::string& note : net.notes) talk.warn(note);
  const train::Tagged gold = read_split(s.split, path, s.reading, talk);
  warn_about(gold, net.labels.types().names(), s.reading.repair, talk);

  const auto encoded = batch::encode<typename Model::Features>(gold.corpus);
  const int rows = std::max(s.training.token_budget, encoded.longest());
  predict::Decoder<Model, P, D> decoder(net, rows, threads_or_all(s.threads));
  batch::Packer<typename Model::Features> packer(rows);
  const score::Scores scores = train::evaluate(decoder, encoded, gold, packer);
  Output out("-");
  out.write(s.json ? score::json(scores) + "\n" : score::table(scores));
  return 0;
}

}  // namespace entrain::app
