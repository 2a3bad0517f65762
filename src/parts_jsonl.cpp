// What of app/ needs nlohmann-json, compiled once per build.
#include "entrain/app/jsonl.ipp"
