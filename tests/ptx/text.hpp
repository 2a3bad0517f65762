// tests > [ptx]
//
// A file of assembly as words, and how a kernel's body becomes instructions: functions that it calls are put in their
// places, each number in the text gets a register of its own.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ptx/warp.hpp"

namespace ptx {

struct Word {
  std::string_view text;
  int line;
};

/// A number's type, as instructions end in it.
enum class Type : std::uint8_t {
  none,
  pred,
  u8,
  s8,
  b8,
  u16,
  s16,
  b16,
  f16,
  bf16,
  u32,
  s32,
  b32,
  f32,
  u64,
  s64,
  b64,
  f64
};
Type type_named(std::string_view name);  // none: not a type
std::size_t bytes_of(Type);

struct Operand {
  enum class Kind : std::uint8_t { reg, number, address, label, many, sink };
  Kind kind = Kind::sink;
  Type type = Type::none;  // of a register
  Slot slot = 0;
  bool negated = false;
  std::uint64_t bits = 0;  // of a number; a real one's as fp64
  bool real = false, single = false;
  std::int64_t offset = 0;     // of an address
  std::string_view name;       // a label's
  std::vector<Operand> parts;  // of many; an address's base, if it has one; the predicate after a |
};

struct Function {
  std::string name;
  std::vector<Param> params, results;
  std::size_t begin, end;
};

class Text {
 public:
  explicit Text(std::string_view text);

  std::string own;  // the words are pieces of it
  std::vector<Word> words;
  std::map<std::string, Kernel, std::less<>> kernels;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, std::vector<std::byte>, std::less<>> variables;  // .global and .const
  std::map<std::string, std::size_t, std::less<>> outer_shared;          // .shared of no kernel, by offset
  std::size_t outer_shared_bytes = 0;
  std::vector<std::string> dynamic_shared;
  std::map<int, std::string> files;  // that it was compiled from

 private:
  std::size_t read_variable(std::size_t at);
  std::size_t read_entry(std::size_t at, bool entry);
};

std::shared_ptr<const Code> code_of(const Text&, const Kernel&);

/// Where registers and the numbers of the text are in a warp's image.
class Slots {
 public:
  Slot take(std::size_t bytes_of_lane) {
    const Slot slot = static_cast<Slot>(bytes);
    bytes += bytes_of_lane * lanes;
    return slot;
  }
  Slot constant(std::uint64_t bits, std::size_t bytes_of_lane);

  std::size_t bytes = 0;
  std::vector<Constant> constants;

 private:
  std::map<std::pair<std::uint64_t, std::size_t>, Slot> known_;
};

/// Fills in what an instruction of this opcode does, and with which registers.
void decode(Instruction& made, std::string_view opcode, std::vector<Operand>& operands, Slots& slots);

[[noreturn]] void fail_at(int line, const std::string& what);

}  // namespace ptx
