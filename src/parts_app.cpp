// What of app/ needs CLI11 or nlohmann-json, or is the same for every trainer, compiled once per build.
#include "entrain/app/check.ipp"
#include "entrain/app/convert.ipp"
#include "entrain/app/jsonl.ipp"
#include "entrain/app/parse.ipp"
#include "entrain/app/result_words.ipp"
#include "entrain/app/score.ipp"
#include "entrain/app/splits.ipp"
