// tests > [ptx]
//
// Reads assembly as nvcc writes it: what is declared outside of kernels at once, a kernel's body when it is first run.
#include "tests/ptx/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

namespace ptx {

void fail_at(int line, const std::string& what) { throw Failure("line " + std::to_string(line) + ": " + what); }

namespace {

constexpr std::pair<std::string_view, Type> types[] = {
    {"pred", Type::pred}, {"u8", Type::u8},   {"s8", Type::s8},   {"b8", Type::b8},     {"u16", Type::u16},
    {"s16", Type::s16},   {"b16", Type::b16}, {"f16", Type::f16}, {"bf16", Type::bf16}, {"u32", Type::u32},
    {"s32", Type::s32},   {"b32", Type::b32}, {"f32", Type::f32}, {"u64", Type::u64},   {"s64", Type::s64},
    {"b64", Type::b64},   {"f64", Type::f64}};

bool begins_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  words.reserve(text.size() / 6);
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      ++line, ++i;
    } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
      ++i;
    } else if (c == '/' && text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '/' && text.substr(i, 2) == "/*") {
      const std::size_t end = std::min(text.find("*/", i), text.size() - 2) + 2;
      line += static_cast<int>(
          std::count(text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(end), '\n'));
      i = end;
    } else if (c == '"') {
      const std::size_t end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
      words.push_back({text.substr(i, end - i), line});
      i = end;
    } else if (begins_word(c)) {
      std::size_t end = i + 1;
      while (end < text.size() && (begins_word(text[end]) || text.substr(end, 2) == "::"))
        end += text[end] == ':' ? 2 : 1;
      words.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      words.push_back({text.substr(i, 1), line});
      ++i;
    }
  }
  return words;
}

std::size_t number(const Word& word) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), n);
  if (error != std::errc() || end != word.text.data() + word.text.size())
    fail_at(word.line, "expected a number, found " + std::string(word.text));
  return n;
}
void expect(const Word& word, std::string_view text) {
  if (word.text != text) fail_at(word.line, "expected " + std::string(text) + ", found " + std::string(word.text));
}

/// `.align 8 .b8 name[24]` or `.u32 name`: from the word after .param, .shared and so on.
struct Declared {
  std::string_view name;
  std::size_t align = 1, bytes = 0;
  Type type = Type::none;
  bool array = false, open = false;  // open: [], its size is not said
};
Declared declared(const std::vector<Word>& words, std::size_t& at) {
  Declared it;
  for (;; ++at) {
    const std::string_view text = words.at(at).text;
    if (text == ".align") {
      it.align = number(words.at(++at));
    } else if (const Type type = type_named(text.substr(1)); text.front() == '.' && type != Type::none) {
      it.type = type;
    } else if (text.front() != '.') {
      break;
    }  // .ptr, .global and the like say nothing that is needed
  }
  it.name = words[at++].text;
  it.bytes = bytes_of(it.type);
  it.align = std::max(it.align, it.bytes);
  while (words.at(at).text == "[") {
    it.array = true;
    if (words.at(++at).text == "]") {
      it.open = true;
    } else {
      it.bytes *= number(words[at++]);
    }
    expect(words.at(at++), "]");
  }
  return it;
}
std::size_t rounded(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// (.param ..., .param ...)
std::vector<Param> params_of(const std::vector<Word>& words, std::size_t& at) {
  std::vector<Param> params;
  std::size_t offset = 0;
  expect(words.at(at++), "(");
  while (words.at(at).text != ")") {
    if (words[at].text == ",") ++at;
    ++at;  // .param or .reg
    const Declared it = declared(words, at);
    offset = rounded(offset, it.align);
    params.push_back({std::string(it.name), offset, it.bytes});
    offset += it.bytes;
  }
  ++at;
  return params;
}

}  // namespace

Type type_named(std::string_view name) {
  for (const auto& [text, type] : types)
    if (text == name) return type;
  return Type::none;
}
std::size_t bytes_of(Type type) {
  switch (type) {
    case Type::none:
      return 0;
    case Type::pred:
    case Type::u8:
    case Type::s8:
    case Type::b8:
      return 1;
    case Type::u16:
    case Type::s16:
    case Type::b16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::u32:
    case Type::s32:
    case Type::b32:
    case Type::f32:
      return 4;
    default:
      return 8;
  }
}

Slot Slots::constant(std::uint64_t bits, std::size_t bytes_of_lane) {
  if (bytes_of_lane < 8) bits &= (std::uint64_t(1) << 8 * bytes_of_lane) - 1;
  const auto [place, is_new] = known_.try_emplace({bits, bytes_of_lane}, 0);
  if (is_new) {
    place->second = take(bytes_of_lane);
    constants.push_back({place->second, bytes_of_lane, bits});
  }
  return place->second;
}

Text::Text(std::string_view text) : own(text), words(words_of(own)) {
  for (std::size_t at = 0; at < words.size();) {
    const std::string_view word = words[at].text;
    if (word == ".version" || word == ".target" || word == ".address_size") {
      ++at;
      const int line = words.at(at).line;
      while (at < words.size() && words[at].line == line) ++at;
    } else if (word == ".file") {
      const std::string_view name = words.at(at + 2).text;
      files[static_cast<int>(number(words[at + 1]))] = name.substr(1, name.size() - 2);
      at += 3;
    } else if (word == ".section") {  // what a debugger reads
      while (at < words.size() && words[at].text != "}") ++at;
    } else if (word == ".entry" || word == ".func") {
      at = read_entry(at + 1, word == ".entry");
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      at = read_variable(at);
    } else {
      ++at;  // .visible, .weak, .extern
    }
  }
}

std::size_t Text::read_variable(std::size_t at) {
  const bool shared = words[at].text == ".shared";
  const Declared it = declared(words, ++at);
  if (shared && it.open) {
    dynamic_shared.emplace_back(it.name);
  } else if (shared) {
    outer_shared_bytes = rounded(outer_shared_bytes, it.align);
    outer_shared.emplace(it.name, outer_shared_bytes);
    outer_shared_bytes += it.bytes;
  } else {
    std::vector<std::byte> value(std::max<std::size_t>(it.bytes, 1));
    if (words.at(at).text == "=") {
      std::size_t place = 0;
      const std::size_t each = bytes_of(it.type);
      for (++at; words.at(at).text != ";"; ++at) {
        const std::string_view text = words[at].text;
        if (text == "{" || text == "}" || text == ",") continue;
        if (!std::isdigit(static_cast<unsigned char>(text.front())) || place + each > value.size() ||
            text.substr(0, 2) == "0f")
          fail_at(words[at].line, "a variable begins with what is not read here: " + std::string(text));
        const std::uint64_t bits = std::strtoull(std::string(text).c_str(), nullptr, 0);
        std::memcpy(value.data() + place, &bits, each);
        place += each;
      }
    }
    variables.emplace(it.name, std::move(value));
  }
  while (words.at(at).text != ";") ++at;
  return at + 1;
}

std::size_t Text::read_entry(std::size_t at, bool entry) {
  std::vector<Param> results, params;
  if (words.at(at).text == "(") results = params_of(words, at);
  const std::string name(words.at(at++).text);
  if (words.at(at).text == "(") params = params_of(words, at);
  unsigned max_threads = 0;
  for (; words.at(at).text != "{" && words[at].text != ";"; ++at) {
    if (words[at].text != ".maxntid" && words[at].text != ".reqntid") continue;
    max_threads = static_cast<unsigned>(number(words.at(++at)));
    while (words.at(at + 1).text == ",") max_threads *= static_cast<unsigned>(number(words.at(at += 2)));
  }
  if (words[at].text == ";") return at + 1;  // it is here later on
  const std::size_t begin = at + 1;
  int depth = 1;
  for (++at; depth > 0; ++at) depth += words.at(at).text == "{" ? 1 : words[at].text == "}" ? -1 : 0;
  if (!entry) {
    functions.insert_or_assign(name, Function{name, std::move(params), std::move(results), begin, at - 1});
    return at;
  }
  Kernel kernel;
  kernel.name = name;
  kernel.params = std::move(params);
  kernel.max_threads = max_threads;
  kernel.begin = begin;
  kernel.end = at - 1;
  std::size_t offset = 0;  // a rough look, for who asks before the kernel is read whole
  for (std::size_t i = begin; i < at; ++i) {
    if (words[i].text != ".shared" || words[i - 1].text == ".extern") continue;
    std::size_t after = i + 1;
    const Declared it = declared(words, after);
    offset = rounded(offset, it.align) + it.bytes;
  }
  kernel.static_shared = offset;
  kernels.insert_or_assign(name, std::move(kernel));
  return at;
}

namespace {

/// Reads one body into instructions.
class Body {
 public:
  Body(const Text& text, const Kernel& kernel) : text_(text), code_(std::make_shared<Code>()) {
    std::size_t bytes = 0;
    for (const Param& p : kernel.params) bytes = std::max(bytes, p.offset + p.bytes);
    code_->params.resize(std::max<std::size_t>(bytes, 1));
    code_->static_shared = text.outer_shared_bytes;
    for (const auto& [name, offset] : text.outer_shared) symbols_[name] = offset;
    for (const auto& [name, value] : text.variables) symbols_[name] = address(value.data());
    for (const Param& p : kernel.params) symbols_[p.name] = address(code_->params.data()) + p.offset;
    // Dynamic shared memory is after the static one, whose size is known at the end.
    read(kernel.begin, kernel.end);
    for (Instruction& it : code_->instructions)
      if (it.kind == Instruction::Kind::branch) it.offset = static_cast<std::int64_t>(places_.at(it.offset));
    const std::size_t dynamic = rounded(code_->static_shared, 128);
    if (dynamic != 0 && !dynamic_uses_.empty())
      fail_at(text.words[kernel.begin].line, "a kernel with static and dynamic shared memory is not read here");
    code_->excess.resize(code_->instructions.size());
    code_->local = local_;
    code_->image = slots_.bytes;
    code_->constants = slots_.constants;
    code_->special = special_;
  }
  std::shared_ptr<const Code> code() const { return code_; }

 private:
  struct Register {
    Type type;
    Slot slot;
  };
  /// What a pair of braces, or a function in its place, knows by name.
  struct Scope {
    std::map<std::string, Type, std::less<>> families;  // %r<12>: all that begin so and end in a number
    std::map<std::string, Register, std::less<>> registers;
    std::map<std::string, std::uint64_t, std::less<>> symbols;
    std::map<std::string, std::int64_t, std::less<>> labels;
    bool function = false;  // nothing outside is seen
    std::int64_t leave = -1;
  };

  static std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }
  const Word& word(std::size_t at) const { return text_.words.at(at); }

  void read(std::size_t begin, std::size_t end) {
    scopes_.emplace_back();
    scopes_.back().function = true;
    statements(begin, end);
    scopes_.pop_back();
    Instruction last;
    last.kind = Instruction::Kind::exit;
    last.line = word(end).line;
    code_->instructions.push_back(last);
  }

  void statements(std::size_t at, const std::size_t end) {
    while (at < end) {
      const std::string_view text = word(at).text;
      if (text == "{") {
        scopes_.emplace_back();
        ++at;
      } else if (text == "}") {
        scopes_.pop_back();
        ++at;
      } else if (text == ";") {
        ++at;
      } else if (text == ".reg") {
        at = registers(at + 1);
      } else if (text == ".local" || text == ".param" || text == ".shared") {
        const Declared it = declared(text_.words, ++at);
        std::size_t& bytes = text == ".shared" ? code_->static_shared : local_;
        bytes = rounded(bytes, std::max<std::size_t>(it.align, 8));
        scopes_.back().symbols[std::string(it.name)] = bytes;
        bytes += it.bytes;
        expect(word(at++), ";");
      } else if (text == ".loc") {
        file_ = static_cast<int>(number(word(at + 1)));
        source_line_ = static_cast<int>(number(word(at + 2)));
        const int line = word(at).line;
        while (at < end && word(at).line == line) ++at;
      } else if (text == ".pragma") {
        const int line = word(at).line;
        while (at < end && word(at).text != ";" && word(at).line == line) ++at;
      } else if (text.front() == '.') {
        fail_at(word(at).line, "not known here: " + std::string(text));
      } else if (word(at + 1).text == ":") {
        places_[label(text)] = code_->instructions.size();
        at += 2;
      } else {
        at = instruction(at);
      }
    }
  }

  std::size_t registers(std::size_t at) {
    const Type type = type_named(word(at).text.substr(1));
    if (type == Type::none) fail_at(word(at).line, "not a type: " + std::string(word(at).text));
    for (++at;; ++at) {
      const std::string name(word(at++).text);
      if (word(at).text == "<") {
        scopes_.back().families[name] = type;
        at += 3;
      } else {
        scopes_.back().registers[name] = {type, slots_.take(bytes_of(type))};
      }
      if (word(at).text == ";") return at + 1;
      expect(word(at), ",");
    }
  }

  std::optional<Register> find_register(std::string_view name) {
    for (std::size_t s = scopes_.size(); s-- > 0;) {
      Scope& scope = scopes_[s];
      if (const auto found = scope.registers.find(name); found != scope.registers.end()) return found->second;
      std::string_view family = name;
      while (!family.empty() && std::isdigit(static_cast<unsigned char>(family.back()))) family.remove_suffix(1);
      if (const auto found = scope.families.find(family); found != scope.families.end() && family != name) {
        const Register made{found->second, slots_.take(bytes_of(found->second))};
        scope.registers.emplace(name, made);
        return made;
      }
      if (scope.function) break;
    }
    return std::nullopt;
  }
  std::optional<std::uint64_t> find_symbol(std::string_view name) const {
    for (std::size_t s = scopes_.size(); s-- > 0;) {
      if (const auto found = scopes_[s].symbols.find(name); found != scopes_[s].symbols.end()) return found->second;
      if (scopes_[s].function) break;
    }
    if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
    return std::nullopt;
  }
  /// The number that a label goes by; each function in its place has its own.
  std::int64_t label(std::string_view name) {
    for (std::size_t s = scopes_.size(); s-- > 0;) {
      if (!scopes_[s].function) continue;
      const auto [place, is_new] = scopes_[s].labels.try_emplace(std::string(name), next_label_);
      if (is_new) ++next_label_;
      return place->second;
    }
    return -1;
  }

  Operand operand(std::size_t& at) {
    Operand it;
    const Word& first = word(at);
    const std::string_view text = first.text;
    if (text == "!") {
      ++at;
      it = operand(at);
      it.negated = true;
      return it;
    }
    if (text == "{" || text == "(") {
      it.kind = Operand::Kind::many;
      for (++at; word(at).text != "}" && word(at).text != ")";)
        if (word(at).text == ",")
          ++at;
        else
          it.parts.push_back(operand(at));
      ++at;
      return it;
    }
    if (text == "[") return memory(at);
    if (text == "-" || std::isdigit(static_cast<unsigned char>(text.front()))) {
      const bool minus = text == "-";
      if (minus) ++at;
      it = literal(word(at++));
      if (minus) it.bits = 0 - it.bits;
      return it;
    }
    ++at;
    if (text == "_") return it;
    if (const auto reg = find_register(text)) {
      it.kind = Operand::Kind::reg;
      it.type = reg->type;
      it.slot = reg->slot;
      if (word(at).text == "|") {
        ++at;
        it.parts.push_back(operand(at));
      }
      return it;
    }
    if (text.front() == '%') {  // %tid.x: what a warp knows of itself
      const auto [place, is_new] = special_.try_emplace(std::string(text), 0);
      if (is_new) place->second = slots_.take(4);
      it.kind = Operand::Kind::reg;
      it.type = Type::u32;
      it.slot = place->second;
      return it;
    }
    if (text == "WARP_SZ") {
      it.kind = Operand::Kind::number;
      it.bits = lanes;
      return it;
    }
    if (const auto symbol = find_symbol(text)) {
      it.kind = Operand::Kind::number;
      it.bits = *symbol;
      return it;
    }
    if (is_dynamic(text)) {
      it.kind = Operand::Kind::number;
      dynamic_uses_.push_back(first.line);
      return it;
    }
    it.kind = Operand::Kind::label;
    it.name = text;
    return it;
  }
  bool is_dynamic(std::string_view name) const {
    return std::find(text_.dynamic_shared.begin(), text_.dynamic_shared.end(), name) != text_.dynamic_shared.end();
  }

  static Operand literal(const Word& word) {
    Operand it;
    it.kind = Operand::Kind::number;
    std::string text(word.text);
    const std::string_view head = word.text.substr(0, 2);
    if (head == "0f" || head == "0F" || head == "0d" || head == "0D") {
      it.real = true;
      it.single = head[1] == 'f' || head[1] == 'F';
      it.bits = std::strtoull(text.c_str() + 2, nullptr, 16);
      return it;
    }
    if (text.back() == 'U') text.pop_back();
    char* end = nullptr;
    it.bits = std::strtoull(text.c_str(), &end, 0);
    if (*end != '\0') fail_at(word.line, "not a number: " + text);
    return it;
  }

  /// [register + number], [name + number], [number]
  Operand memory(std::size_t& at) {
    Operand it;
    it.kind = Operand::Kind::address;
    ++at;
    const Operand base = operand(at);
    if (base.kind == Operand::Kind::reg)
      it.parts.push_back(base);
    else if (base.kind == Operand::Kind::number)
      it.bits = base.bits;
    else
      fail_at(word(at).line, "what is that address: " + std::string(base.name));
    while (word(at).text != "]") {
      const bool plus = word(at).text == "+";
      if (plus) ++at;
      const Operand more = operand(at);
      it.offset += static_cast<std::int64_t>(more.bits);
    }
    ++at;
    return it;
  }

  std::size_t instruction(std::size_t at) {
    Instruction made;
    made.line = word(at).line;
    made.file = file_;
    made.source_line = source_line_;
    if (word(at).text == "@") {
      ++at;
      const Operand guard = operand(at);
      made.guarded = true;
      made.unless = guard.negated;
      made.guard = guard.slot;
      if (guard.type != Type::pred) fail_at(made.line, "the guard is no predicate");
    }
    const std::string_view opcode = word(at++).text;
    std::vector<Operand> operands;
    while (word(at).text != ";") {
      if (word(at).text == ",")
        ++at;
      else
        operands.push_back(operand(at));
    }
    ++at;
    if (opcode.substr(0, 4) == "call") {
      if (made.guarded) fail_at(made.line, "a call that is guarded is not read here");
      call(made.line, operands);
      return at;
    }
    if (opcode == "bra" || opcode == "bra.uni") {
      made.kind = Instruction::Kind::branch;
      made.offset = label(operands.at(0).name);
    } else if (opcode == "ret" || opcode == "ret.uni") {
      const std::int64_t leave = function().leave;
      made.kind = leave < 0 ? Instruction::Kind::exit : Instruction::Kind::branch;
      made.offset = leave;
    } else if (opcode == "exit") {
      made.kind = Instruction::Kind::exit;
    } else {
      decode(made, opcode, operands, slots_);
    }
    made.place = code_->instructions.size();
    code_->instructions.push_back(made);
    return at;
  }
  Scope& function() {
    for (std::size_t s = scopes_.size(); s-- > 0;)
      if (scopes_[s].function) return scopes_[s];
    return scopes_.front();
  }

  /// call (results), name, (params): its body, with the caller's places for the names of its own.
  void call(int line, const std::vector<Operand>& operands) {
    std::size_t i = 0;
    const Operand* results = nullptr;
    if (operands.at(0).kind == Operand::Kind::many) results = &operands[i++];
    const std::string_view name = operands.at(i++).name;
    const auto found = text_.functions.find(name);
    if (found == text_.functions.end()) fail_at(line, "a call of what is not here: " + std::string(name));
    const Function& callee = found->second;
    Scope scope;
    scope.function = true;
    scope.leave = next_label_++;
    const auto bind = [&](const std::vector<Param>& params, const Operand* given) {
      if (params.size() != (given != nullptr ? given->parts.size() : 0)) fail_at(line, "a call with other parameters");
      for (std::size_t p = 0; p < params.size(); ++p) scope.symbols[params[p].name] = given->parts[p].bits;
    };
    bind(callee.results, results);
    bind(callee.params, i < operands.size() ? &operands[i] : nullptr);
    if (scopes_.size() > 64) fail_at(line, "functions that call themselves are not read here");
    const std::int64_t leave = scope.leave;
    scopes_.push_back(std::move(scope));
    statements(callee.begin, callee.end);
    scopes_.pop_back();
    places_[leave] = code_->instructions.size();
  }

  const Text& text_;
  std::shared_ptr<Code> code_;
  Slots slots_;
  std::map<std::string, Slot, std::less<>> special_;
  std::map<std::string, std::uint64_t, std::less<>> symbols_;
  std::vector<Scope> scopes_;
  std::map<std::int64_t, std::size_t> places_;  // of labels
  std::int64_t next_label_ = 0;
  std::size_t local_ = 16;  // 0 would be a null pointer
  std::vector<int> dynamic_uses_;
  int file_ = 0, source_line_ = 0;
};

}  // namespace

std::shared_ptr<const Code> code_of(const Text& text, const Kernel& kernel) { return Body(text, kernel).code(); }

}  // namespace ptx
