# Sourced by the benches that read a corpus of ENTRAIN_DATA.

corpus_files() { # corpus_files BENCH CORPUS: sets train, dev and test
  local folder=${ENTRAIN_DATA:?bench $1: set ENTRAIN_DATA to the folder of corpora (docs/benchmarks.md)}/$2 ext
  case $2 in wnut17 | btc) ext=conll ;; ncbi-disease) ext=tsv ;; *) ext=iob2 ;; esac
  train=$folder/train.$ext dev=$folder/dev.$ext test=$folder/test.$ext
}
