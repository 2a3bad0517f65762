// core > [device], precision > tensor > kernel > layer
//
// Which of cuBLASLt's algorithms each product uses, kept from one run of a program to the next. An algorithm is
// measured once and then used again, so later runs get the same bits.
#pragma once
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <array>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"

namespace entrain::device {

/// c [rows, cols] (+)= op(a) op(b), sums over `depth`. The strides give how many numbers apart the rows of a, b and c
/// are. align: every address is a multiple of this many bytes. epilogue: what is done to a sum before it is stored; its
/// matrix, aux, has the layout of c.
struct Product {
  cudaDataType_t operands, result;
  cublasComputeType_t sums;
  bool transpose_a, transpose_b;
  int rows, cols, depth, a_stride, b_stride, c_stride, align;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;

  bool adds_bias() const {
    return epilogue == CUBLASLT_EPILOGUE_BIAS || epilogue == CUBLASLT_EPILOGUE_GELU_BIAS ||
           epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
  }
  bool has_aux() const { return epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS || epilogue == CUBLASLT_EPILOGUE_DGELU; }

  friend auto operator<=>(const Product&, const Product&) = default;

  /// f(number), a whole number for each property that distinguishes products, in this order.
  static void each(auto& p, auto&& f) {
    f(p.operands), f(p.result), f(p.sums), f(p.transpose_a), f(p.transpose_b);
    f(p.rows), f(p.cols), f(p.depth), f(p.a_stride), f(p.b_stride), f(p.c_stride), f(p.align), f(p.epilogue);
  }
};

class Algorithms {
 public:
  /// machine: a card and a version of cuBLASLt. The algorithms have no meaning for others.
  explicit Algorithms(std::string machine = {}) : machine_(std::move(machine)) {}

  const cublasLtMatmulAlgo_t* of(const Product& p) const {
    const auto found = of_.find(p);
    return found == of_.end() ? nullptr : &found->second;
  }
  void keep(const Product& p, const cublasLtMatmulAlgo_t& algorithm) { of_[p] = algorithm; }
  std::size_t size() const { return of_.size(); }
  const std::string& machine() const { return machine_; }

  /// One line for the machine, and one for each product: its whole numbers, then the algorithm's in hexadecimal.
  std::string text() const {
    std::string text = std::string(title) + machine_ + "\n";
    for (const auto& [product, algorithm] : of_) {
      Product::each(product, [&](auto number) { text += std::to_string(static_cast<int>(number)) + " "; });
      for (const std::uint64_t word : words(algorithm)) {
        char digits[16];
        const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, word, 16);
        text.append(digits, end).append(" ");
      }
      text.back() = '\n';
    }
    return text;
  }
  /// throws    entrain.device.6: the text is not one that text() wrote; where: the file
  static Algorithms read(std::string_view text, std::string_view where) {
    const auto line = [&](std::size_t number) { return std::string(where) + ":" + std::to_string(number); };
    const auto refuse = [&](std::size_t number, std::string_view found, std::string_view expected) {
      throw Error("entrain.device.6", line(number), "'" + std::string(found.substr(0, 60)) + "'", expected,
                  "name another file, or remove this one to measure again");
    };
    const std::string_view first = text.substr(0, text.find('\n'));
    if (!first.starts_with(title)) refuse(1, first, "a file that begins with '" + std::string(title) + "'");
    Algorithms all{std::string(first.substr(title.size()))};
    std::size_t number = 1;
    for (std::size_t at = first.size() + 1; at < text.size(); ++number) {
      std::string_view rest = text.substr(at, text.find('\n', at) - at);
      at += rest.size() + 1;
      const std::string_view whole = rest;
      bool good = true;
      const auto next = [&](auto& to, int base) {
        const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), to, base);
        good = good && fault == std::errc() && (end == rest.data() + rest.size() || *end == ' ');
        if (good) rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(end - rest.data()) + 1));
      };
      Product p{};
      Product::each(p, [&](auto& field) {
        int value = 0;
        next(value, 10);
        field = static_cast<std::remove_cvref_t<decltype(field)>>(value);
      });
      Words words{};
      for (std::uint64_t& word : words) next(word, 16);
      if (!good || !rest.empty()) refuse(number + 1, whole, "13 whole numbers and 8 in hexadecimal");
      cublasLtMatmulAlgo_t algorithm;
      std::memcpy(&algorithm, words.data(), sizeof algorithm);
      all.keep(p, algorithm);
    }
    return all;
  }

 private:
  static constexpr std::string_view title = "entrain algorithms 3, ";
  using Words = std::array<std::uint64_t, sizeof(cublasLtMatmulAlgo_t) / 8>;
  static_assert(sizeof(Words) == sizeof(cublasLtMatmulAlgo_t) && Words().size() == 8);
  static Words words(const cublasLtMatmulAlgo_t& algorithm) {
    Words words;
    std::memcpy(words.data(), &algorithm, sizeof algorithm);
    return words;
  }

  std::string machine_;
  std::map<Product, cublasLtMatmulAlgo_t> of_;
};

}  // namespace entrain::device
