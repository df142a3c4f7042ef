// Cells: the first known cell decides the type of the storage.
#include "model/cells.h"

#include <cmath>

#include "base/check.h"
#include "model/tables.h"

namespace sightline::model {

namespace {

constexpr std::int8_t kUnknownFlag = -1;

template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;  // clang 14 does not deduce it by itself

// Storage of the cell's type for `rows` unknown cells.
Cells::Storage storage_for(const Cell& cell, std::size_t rows) {
  return std::visit(Match{[](std::monostate) { return Cells::Storage{}; },
                          [&](std::int64_t) { return Cells::Storage{Cells::Integers(rows, kUnknown)}; },
                          [&](double) { return Cells::Storage{Cells::Reals(rows, kUnknownNumber)}; },
                          [&](bool) { return Cells::Storage{Cells::Flags(rows, kUnknownFlag)}; },
                          [&](const std::string&) {
                            return Cells::Storage{WordCells{std::vector<std::uint32_t>(rows, WordCells::kNone), {}}};
                          }},
                    cell);
}

Cells::Storage as_reals(const Cells::Integers& integers) {
  Cells::Reals reals;
  for (const std::int64_t value : integers) reals.push_back(value == kUnknown ? kUnknownNumber : static_cast<double>(value));
  return reals;
}

void append(Cells::Integers& integers, const Cell& cell) {
  CHECK(is_unknown(cell) || std::holds_alternative<std::int64_t>(cell));
  integers.push_back(is_unknown(cell) ? kUnknown : std::get<std::int64_t>(cell));
}

void append(Cells::Reals& reals, const Cell& cell) {
  CHECK(!std::holds_alternative<std::string>(cell));
  reals.push_back(number_of(cell));
}

void append(Cells::Flags& flags, const Cell& cell) {
  CHECK(is_unknown(cell) || std::holds_alternative<bool>(cell));
  flags.push_back(is_unknown(cell) ? kUnknownFlag : std::get<bool>(cell));
}

void append(WordCells& texts, const Cell& cell) {
  CHECK(is_unknown(cell) || std::holds_alternative<std::string>(cell));
  texts.word.push_back(is_unknown(cell) ? WordCells::kNone : texts.add_word(std::get<std::string>(cell)));
}

}  // namespace

void WordCells::add(std::string_view text) { word.push_back(text.empty() ? kNone : add_word(text)); }

std::uint32_t WordCells::add_word(std::string_view text) {
  if (words.empty() || words.back() != text) words.emplace_back(text);
  return static_cast<std::uint32_t>(words.size() - 1);
}

Cells::Cells() = default;
Cells::Cells(const Cells&) = default;
Cells::Cells(Cells&&) noexcept = default;
Cells& Cells::operator=(const Cells&) = default;
Cells& Cells::operator=(Cells&&) noexcept = default;
Cells::~Cells() = default;
Cells::Cells(Integers integers) : size_(integers.size()), storage_(std::move(integers)) {}
Cells::Cells(Reals reals) : size_(reals.size()), storage_(std::move(reals)) {}
Cells::Cells(Flags flags) : size_(flags.size()), storage_(std::move(flags)) {}
Cells::Cells(WordCells words) : size_(words.word.size()), storage_(std::move(words)) {}
Cells::Cells(std::size_t rows, Storage storage) : size_(rows), storage_(std::move(storage)) {}

double number_of(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? 1 : 0;
  return kUnknownNumber;
}

Cells::Cells(const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) push_back(cell);
}

Cell Cells::operator[](std::size_t row) const {
  return std::visit(Match{[](std::monostate) { return Cell{}; },
                          [&](const Integers& integers) { return integers[row] == kUnknown ? Cell{} : Cell{integers[row]}; },
                          [&](const Reals& reals) { return std::isnan(reals[row]) ? Cell{} : Cell{reals[row]}; },
                          [&](const Flags& flags) { return flags[row] == kUnknownFlag ? Cell{} : Cell{flags[row] != 0}; },
                          [&](const WordCells& texts) {
                            return texts.word[row] == WordCells::kNone ? Cell{} : Cell{texts.words[texts.word[row]]};
                          }},
                    storage_);
}

void Cells::push_back(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(storage_)) storage_ = storage_for(cell, size_);
  if (std::holds_alternative<double>(cell) && std::holds_alternative<Integers>(storage_)) {
    storage_ = as_reals(std::get<Integers>(storage_));
  }
  std::visit(Match{[](std::monostate) {}, [&](auto& values) { append(values, cell); }}, storage_);
  ++size_;
}

void Cells::add(std::int64_t value) { push_back(Cell{value}); }
void Cells::add(double value) { push_back(Cell{value}); }
void Cells::add(bool value) { push_back(Cell{value}); }
void Cells::add(std::string_view text) { push_back(Cell{std::string(text)}); }
void Cells::add_unknown() { push_back(Cell{}); }

std::int64_t* Cells::integers(std::size_t rows) {
  size_ = rows;
  return storage_.emplace<Integers>(rows).data();
}

double* Cells::reals(std::size_t rows) {
  size_ = rows;
  return storage_.emplace<Reals>(rows).data();
}

std::int8_t* Cells::flags(std::size_t rows) {
  size_ = rows;
  return storage_.emplace<Flags>(rows).data();
}

WordCells& Cells::texts(std::size_t rows) {
  size_ = rows;
  WordCells& texts = storage_.emplace<WordCells>();
  texts.word.reserve(rows);
  return texts;
}

}  // namespace sightline::model
