// text > batch > embed > encode > head > optim > [checkpoint]
//
// The safetensors header: read event by event, without a tree, so that a hostile header cannot use many times its size
// in memory.
#pragma once
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/json_tree.ipp"  // json_reason

namespace entrain::checkpoint {

namespace detail {

/// Receives the events of one header, in the form {name: {"dtype", "shape", "data_offsets"}, "__metadata__": {text:
/// text}}.
class HeaderEvents {
 public:
  HeaderEvents(Header& header, std::string_view where) : header_(header), where_(where) {}

  bool start_object(std::size_t) {
    if (at_ == At::outside) return go(At::top);
    if (at_ == At::top && key_ == "__metadata__") return go(At::metadata);
    if (at_ != At::top) wrong("an object");
    seen_ = {};
    return go(At::tensor);
  }
  bool end_object() {
    if (at_ == At::tensor) {
      if (!seen_.dtype) missing("dtype");
      if (!seen_.shape) missing("shape");
      if (!seen_.offsets) missing("data_offsets");
    }
    return go(At::top);
  }
  bool key(std::string& key) {
    if (at_ == At::top) new_tensor(key);
    if (at_ == At::metadata) {
      if (header_.metadata.size() == HeaderLimits::entries) too_many("metadata keys", HeaderLimits::entries);
      header_.metadata.emplace_back(key, "");
    }
    if (at_ == At::tensor) field(key);
    key_ = std::move(key);
    return true;
  }
  bool string(std::string& text) {
    if (at_ == At::metadata) {
      header_.metadata.back().second = std::move(text);
      return true;
    }
    if (at_ != At::tensor || key_ != "dtype") wrong("the string " + in_quotes(text));
    const auto dtype = dtype_named(text);
    if (!dtype) {
      std::string known;
      for (const auto& d : dtypes) known.append(known.empty() ? "" : " ").append(d.name);
      throw Error("entrain.checkpoint.15", where_,
                  "tensor " + in_quotes(tensor().name) + " has dtype " + in_quotes(text), "one of " + known);
    }
    tensor().dtype = *dtype;
    return true;
  }
  bool start_array(std::size_t) {
    if (at_ == At::tensor && key_ == "shape") return go(At::shape);
    if (at_ == At::tensor && key_ == "data_offsets") return go(At::offsets);
    wrong("an array");
  }
  bool end_array() {
    if (at_ == At::offsets && offsets_ != 2) wrong("an array of " + std::to_string(offsets_));
    return go(At::tensor);
  }
  bool number_unsigned(std::uint64_t n) {
    if (at_ == At::shape) {
      if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) wrong(std::to_string(n));
      if (tensor().shape.size() == HeaderLimits::dimensions) too_many("dimensions", HeaderLimits::dimensions);
      tensor().shape.push_back(static_cast<std::int64_t>(n));
      return true;
    }
    if (at_ != At::offsets) wrong("the number " + std::to_string(n));
    if (offsets_ == 2) wrong("an array of more than 2");
    (offsets_++ == 0 ? tensor().begin : tensor().end) = n;
    return true;
  }
  bool number_integer(std::int64_t n) { wrong(n == 0 ? "the number -0" : "the number " + std::to_string(n)); }
  bool number_float(double, const std::string& text) { wrong("the number " + text.substr(0, 80)); }
  bool boolean(bool b) { wrong(b ? "true" : "false"); }
  bool null() { wrong("null"); }
  template <class Binary> bool binary(Binary&) { wrong("binary data"); }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& e) {
    throw Error("entrain.checkpoint.13", where_,
                "the header is not JSON at byte " + std::to_string(8 + byte) + ": " + json_reason(e), {},
                "the file is damaged");
  }

 private:
  enum class At { outside, top, metadata, tensor, shape, offsets };
  struct Seen {
    bool dtype = false, shape = false, offsets = false;
  };

  Entry& tensor() { return header_.entries.back(); }
  bool go(At where) {
    if (where == At::offsets) offsets_ = 0;
    at_ = where;
    return true;
  }
  void new_tensor(const std::string& name) {
    if (name == "__metadata__") {
      if (metadata_) twice("key '__metadata__'");
      metadata_ = true;
      return;
    }
    if (header_.entries.size() == HeaderLimits::entries) too_many("tensors", HeaderLimits::entries);
    header_.entries.push_back({.name = name, .dtype = {}, .shape = {}, .begin = 0, .end = 0});
  }
  void field(const std::string& name) {
    bool* const seen = name == "dtype"          ? &seen_.dtype
                       : name == "shape"        ? &seen_.shape
                       : name == "data_offsets" ? &seen_.offsets
                                                : nullptr;
    if (!seen)
      throw Error("entrain.checkpoint.16", where_,
                  "tensor " + in_quotes(tensor().name) + " has a key " + in_quotes(name),
                  "dtype, shape and data_offsets");
    if (*seen) twice("key " + in_quotes(name) + " of tensor " + in_quotes(tensor().name));
    *seen = true;
  }
  [[noreturn]] void wrong(const std::string& found) {
    std::string subject, expected;
    if (at_ == At::outside) {
      subject = "the header", expected = "an object";
    } else if (at_ == At::top && key_ == "__metadata__") {
      subject = "__metadata__", expected = "an object of strings";
    } else if (at_ == At::top) {
      subject = "tensor " + in_quotes(key_), expected = "an object of dtype, shape and data_offsets";
    } else if (at_ == At::metadata) {
      subject = "__metadata__ " + in_quotes(key_), expected = "a string";
    } else {
      subject = in_quotes(key_) + " of tensor " + in_quotes(tensor().name);
      expected = key_ == "dtype"   ? "a string"
                 : key_ == "shape" ? "an array of whole numbers from 0 to 9223372036854775807"
                                   : "an array of two whole numbers from 0 on";
    }
    throw Error("entrain.checkpoint.16", where_, subject + " is " + found, expected, "the file is damaged");
  }
  [[noreturn]] void missing(const char* key) {
    throw Error("entrain.checkpoint.16", where_, "tensor " + in_quotes(tensor().name) + " has no " + key,
                "dtype, shape and data_offsets");
  }
  [[noreturn]] void twice(const std::string& what) {
    throw Error("entrain.checkpoint.14", where_, what + " occurs twice", "once", "the file is damaged");
  }
  [[noreturn]] void too_many(const char* what, std::size_t most) {
    throw Error("entrain.checkpoint.17", where_, "more than " + std::to_string(most) + " " + what, "a model's weights");
  }

  Header& header_;
  std::string_view where_;
  At at_ = At::outside;
  std::string key_;
  Seen seen_;
  bool metadata_ = false;
  int offsets_ = 0;
};

/// A name that occurs twice, if there is one. It sorts positions, so that names are not copied.
template <class List, class NameOf> const std::string* repeated(const List& list, NameOf name_of) {
  std::vector<std::uint32_t> order(list.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return name_of(list[a]) < name_of(list[b]); });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (name_of(list[order[i - 1]]) == name_of(list[order[i]])) return &name_of(list[order[i]]);
  return nullptr;
}

/// The library copies a word several times before any check can refuse it.
inline void refuse_long_words(std::string_view text, std::string_view where) {
  bool inside = false;  // inside of a quoted text
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i - start > HeaderLimits::word)
      throw Error("entrain.checkpoint.17", where,
                  "a name, text or number of more than " + std::to_string(HeaderLimits::word) + " bytes",
                  "a model's weights");
    if (inside && c == '\\') ++i;
    if (c == '"') inside = !inside, start = i;
    if (!inside && std::string_view("{}[],: \n\r\t").find(c) != std::string_view::npos) start = i;
  }
}

inline void refuse_repeats(const Header& header, std::string_view where) {
  if (const auto* name = repeated(header.entries, [](const Entry& e) -> const std::string& { return e.name; }))
    throw Error("entrain.checkpoint.14", where, "tensor " + in_quotes(*name) + " occurs twice", "once");
  if (const auto* name = repeated(header.metadata, [](const auto& m) -> const std::string& { return m.first; }))
    throw Error("entrain.checkpoint.14", where, "__metadata__ " + in_quotes(*name) + " occurs twice", "once");
}

}  // namespace detail

ENTRAIN_INLINE Header parse_header(std::string_view text, std::string_view where) {
  if (const auto nul = text.find('\0'); nul != text.npos)  // the library would take it for the end
    throw Error("entrain.checkpoint.13", where,
                "the header is not JSON at byte " + std::to_string(8 + nul) + ": a NUL byte", {},
                "the file is damaged");
  detail::refuse_long_words(text, where);
  Header header;
  detail::HeaderEvents events(header, where);
  nlohmann::json::sax_parse(text, &events);
  detail::refuse_repeats(header, where);
  return header;
}

ENTRAIN_INLINE std::string dump_header(const Header& header, std::string_view where) {
  detail::refuse_repeats(header, where);
  const auto text = [&](const std::string& s) {
    try {
      return nlohmann::json(s).dump();
    } catch (const nlohmann::json::exception&) {
      throw Error("entrain.checkpoint.18", where, "name " + detail::in_quotes(s), "UTF-8");
    }
  };
  std::string out = "{\"__metadata__\":{";
  for (const auto& [key, value] : header.metadata)
    out.append(out.back() == '{' ? "" : ",").append(text(key)).append(":").append(text(value));
  out += "}";
  for (const Entry& e : header.entries) {
    if (e.name == "__metadata__")
      throw Error("entrain.checkpoint.18", where, "a tensor named '__metadata__'",
                  "another name: the format reserves this one");
    out.append(",").append(text(e.name)).append(":{\"dtype\":\"").append(name_of(e.dtype));
    out.append("\",\"shape\":").append(text_of(e.shape));
    out.append(",\"data_offsets\":[").append(std::to_string(e.begin)).append(",").append(std::to_string(e.end));
    out.append("]}");
  }
  return out + "}";
}

}  // namespace entrain::checkpoint
