// text > batch > embed > encode > head > optim > [checkpoint]
//
// JSON in and out, as four functions over plain values. The library that reads JSON is seen by json.ipp alone.
//
// Strict on the way in: UTF-8, one value, no key twice, numbers that fit. Every refusal says where, which key, what was
// found and what was expected.
#pragma once
#include <string>
#include <string_view>

#include "entrain/checkpoint/config.hpp"
#include "entrain/checkpoint/header.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::checkpoint {

/// The text of config.json. `where` names the file in errors.
/// throws    entrain.checkpoint.30: not JSON, with the line        .31: a key twice
///           .32: a value of another type                          .33: a key is missing
///           .34: labels that are no list 0, 1, 2, ...             .35: a newer format_version
///           .36: nested or listed beyond any sense
ENTRAIN_PART Config parse_config(std::string_view text, std::string_view where);

/// The same values give the same bytes. throws entrain.checkpoint.37: a value that JSON cannot hold (NaN, not UTF-8)
ENTRAIN_PART std::string dump_config(const Config& config, std::string_view where = "config.json");

/// The JSON part of a safetensors file. Checks the text; check_layout checks the sense.
/// throws    entrain.checkpoint.13: not JSON, with the byte        .14: a key twice
///           .15: a number type that nobody knows                  .16: a value of another type, or a missing key
///           .17: more tensors or dimensions than HeaderLimits
ENTRAIN_PART Header parse_header(std::string_view text, std::string_view where);

/// Compact, `__metadata__` first, entries in the order given. throws entrain.checkpoint.18: a name that is not UTF-8
ENTRAIN_PART std::string dump_header(const Header& header, std::string_view where);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/checkpoint/json.ipp"
#endif
