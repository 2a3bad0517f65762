// The code of tensor/, embed/ and encode/ that is the same for every composition, compiled once per build.
#include "entrain/embed/embedding_config.ipp"
#include "entrain/encode/modern_bert_config.ipp"
#include "entrain/encode/transformer_config.ipp"
#include "entrain/tensor/flat.ipp"
