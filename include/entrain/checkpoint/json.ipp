// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of json.hpp: a strict reader for each of the two files, and the writer.
#pragma once
#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/json_config.ipp"
#include "entrain/checkpoint/json_header.ipp"
