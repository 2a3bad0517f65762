// What of text/ is the same for every scheme of tags, compiled once per build.
#include "entrain/text/align.ipp"
#include "entrain/text/annotated_text.ipp"
#include "entrain/text/beginning.ipp"
#include "entrain/text/csv_layout.ipp"
#include "entrain/text/file_list.ipp"
#include "entrain/text/json_record.ipp"
#include "entrain/text/labels.ipp"
#include "entrain/text/record_words.ipp"
