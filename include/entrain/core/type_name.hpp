// [core] > device, precision > tensor > kernel > layer
//
// The name of a type as it is written in the source.
#pragma once
#include <string_view>

namespace entrain {

/// `Tagger` for entrain::model::Tagger<...>: the type's own name as the compiler spells it, without module and
/// arguments.
template <class T> consteval std::string_view type_name() {
  std::string_view s = __PRETTY_FUNCTION__;  // "... [with T = entrain::model::Tagger<...>; ...]", or "[T = ...]"
  s.remove_prefix(s.find("T = ") + 4);
  s = s.substr(0, s.find_first_of("<;]"));
  if (const auto colon = s.rfind(':'); colon != s.npos) s.remove_prefix(colon + 1);
  return s;
}

/// Whether a type, or a type in which it is declared, is a specialization of a template.
template <class T> consteval bool has_arguments() {
  std::string_view s = __PRETTY_FUNCTION__;
  s.remove_prefix(s.find("T = ") + 4);
  return s.find('<') != s.npos;
}

}  // namespace entrain
