# Sourced by the benches that read a corpus of ENTRAIN_DATA.

corpus_files() { # corpus_files BENCH CORPUS: sets train, dev and test
  local folder=${ENTRAIN_DATA:?bench $1: set ENTRAIN_DATA to the folder of corpora (docs/benchmarks.md)}/$2 ext
  case $2 in wnut17 | btc) ext=conll ;; ncbi-disease) ext=tsv ;; *) ext=iob2 ;; esac
  train=$folder/train.$ext dev=$folder/dev.$ext test=$folder/test.$ext
}

text_files() { # text_files BENCH CORPUS: sets train and test to CSV files of texts with a class each
  local folder=${ENTRAIN_DATA:?bench $1: set ENTRAIN_DATA to the folder of corpora (docs/benchmarks.md)}/$2 split label
  case $2 in
    banking77) ;;
    sentence-polarity) # one sentence a line, a file for each class, no official split: every other line is the test's
      for split in train test; do
        mkdir -p "build/classify/$2"
        { echo text,label
          for label in neg pos; do
            awk -v label=$label -v part=$split '(NR % 2 == 0) == (part == "test") {
              sub(/ +$/, ""); gsub(/"/, "\"\""); printf "\"%s\",%s\n", $0, label }' "$folder/$label.txt"
          done
        } >"build/classify/$2/$split.csv.new"
        mv "build/classify/$2/$split.csv.new" "build/classify/$2/$split.csv"
      done
      folder=build/classify/$2 ;;
    *) echo "bench $1: --corpus $2: expected banking77 or sentence-polarity" >&2; exit 2 ;;
  esac
  train=$folder/train.csv test=$folder/test.csv
}
