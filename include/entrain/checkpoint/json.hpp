// text > batch > embed > encode > head > optim > [checkpoint]
//
// Reads and writes JSON through four functions over plain values. Only json.ipp includes the library that reads JSON.
//
// Reading is strict: UTF-8, one value, no key twice, numbers that fit. Every error gives the place, the key, the value
// found and the value expected.
#pragma once
#include <string>
#include <string_view>

#include "entrain/checkpoint/config.hpp"
#include "entrain/checkpoint/header.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

/// The text of config.json. `where` names the file in errors.
/// throws    entrain.checkpoint.30: not JSON, with the line        .31: a key twice
///           .32: a value of another type                          .33: a key is missing
///           .34: labels that are not a list 0, 1, 2, ...           .35: a newer format_version
///           .36: nested too deep, or too many keys
ENTRAIN_INLINE Config parse_config(std::string_view text, std::string_view where);

/// The same values give the same bytes. throws entrain.checkpoint.37: a value that JSON cannot hold (NaN, not UTF-8)
ENTRAIN_INLINE std::string dump_config(const Config& config, std::string_view where = "config.json");

/// The JSON part of a safetensors file. Checks the text; check_layout checks the meaning.
/// throws    entrain.checkpoint.13: not JSON, with the byte        .14: a key twice
///           .15: an unknown number type                           .16: a value of another type, or a missing key
///           .17: more tensors or dimensions than HeaderLimits
ENTRAIN_INLINE Header parse_header(std::string_view text, std::string_view where);

/// Compact, `__metadata__` first, entries in the given order. throws entrain.checkpoint.18: a name that is not UTF-8,
/// or a tensor named `__metadata__`
ENTRAIN_INLINE std::string dump_header(const Header& header, std::string_view where);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json.ipp"
#endif
