// The code of checkpoint/ that needs nlohmann-json, compiled once per build.
#include "entrain/checkpoint/json.ipp"
#include "entrain/checkpoint/json_bert.ipp"
#include "entrain/checkpoint/json_byte_bpe.ipp"
#include "entrain/checkpoint/json_tokenizer.ipp"
#include "entrain/checkpoint/json_unigram.ipp"
#include "entrain/checkpoint/open_weights.ipp"
#include "entrain/checkpoint/tokenizer_agreement.ipp"
