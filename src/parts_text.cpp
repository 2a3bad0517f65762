// What of text/ is the same for every scheme of tags, compiled once per build.
#include "entrain/text/csv_layout.ipp"
#include "entrain/text/file_list.ipp"
#include "entrain/text/labels.ipp"
