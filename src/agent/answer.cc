// Texts, numbers and ids of answers.
#include "agent/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/fields.h"
#include "base/text.h"
#include "engine/capture.h"
#include "output/terminal_text.h"

namespace sightline::agent {

namespace {

struct CodePoints {
  char32_t first, last;
};

// Invisible, or turning the direction of writing: they hide text from a person but not from a program.
constexpr std::array<CodePoints, 7> kHidden{{{0x00AD, 0x00AD},
                                             {0x061C, 0x061C},
                                             {0x200B, 0x200F},
                                             {0x2028, 0x202E},
                                             {0x2060, 0x206F},
                                             {0xFEFF, 0xFEFF},
                                             {0xE0000, 0xE0FFF}}};

// REQUIRES: one valid sequence.
char32_t code_point(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  char32_t point = sequence.size() == 1 ? first : first & (0x7Fu >> sequence.size());
  for (const char c : sequence.substr(1)) point = (point << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
  return point;
}

std::string without_hidden(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(at)));
    const std::string_view sequence = std::string_view(text).substr(at, length);
    const char32_t point = code_point(sequence);
    const bool hidden = std::any_of(kHidden.begin(), kHidden.end(),
                                    [&](const CodePoints& range) { return point >= range.first && point <= range.last; });
    out += hidden ? kReplacement : sequence;
    at += length;
  }
  return out;
}

// As in an address.
std::string unescaped(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '%' && at + 2 < text.size() && digit(text[at + 1]) >= 0 && digit(text[at + 2]) >= 0;
    out += escape ? static_cast<char>(16 * digit(text[at + 1]) + digit(text[at + 2])) : text[at];
    if (escape) at += 2;
  }
  return out;
}

// query_escaped() leaves the characters that separate the parts of an id.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : query_escaped(text)) out += c == '/' ? "%2F" : std::string(1, c);
  return out;
}

}  // namespace

std::string quoted_name(std::string_view text, std::size_t width) {
  return output::cut_middle(without_hidden(output::printable(text)), width);
}

void write_number(JsonWriter& json, double number) {
  if (!std::isfinite(number)) {
    json.null();
  } else if (number == std::floor(number) && std::abs(number) < static_cast<double>(kMostExactReal)) {
    json.value(static_cast<std::int64_t>(number));
  } else {
    json.value(std::stod(fmt::format("{:.9g}", number)));
  }
}

void write_cell(JsonWriter& json, const Cell& cell, std::size_t name_width) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(quoted_name(*text, name_width));
  } else if (const auto* flag = std::get_if<bool>(&cell)) {
    json.value(*flag);
  } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    json.value(*whole);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    write_number(json, *real);
  } else {
    json.null();
  }
}

std::string error_text(const Error& error) {
  constexpr std::size_t kErrorWidth = 1500;
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("error").begin_object().member("code", error_code_name(error.code));
  json.member("message", quoted_name(error.to_string(), kErrorWidth)).end_object().end_object();
  return out;
}

void write_truncated(JsonWriter& json, std::size_t shown, std::size_t total, std::string_view narrower) {
  json.key("truncated").begin_object().member("shown", static_cast<std::int64_t>(shown));
  json.key("total");
  total == 0 ? json.null() : json.value(static_cast<std::int64_t>(total));
  json.member("narrower", narrower).end_object();
}

std::string evidence_id(const Evidence& evidence) {
  std::string id = evidence.view;
  for (const auto& [key, value] : evidence.parameters)
    id.append(id == evidence.view ? "?" : "&").append(escaped(key)).append("=").append(escaped(value));
  return id + "/" + evidence.part + "#" + std::to_string(evidence.row);
}

Result<Evidence> parse_evidence(std::string_view id) {
  const auto fault = [] {
    return Error{ErrorCode::invalid_argument,
                 Message::verbatim("evidence is an id from an answer, VIEW/PART#ROW, such as overview/advice#0"), ""};
  };
  const std::size_t slash = id.find('/'), hash = id.rfind('#');
  if (slash == id.npos || hash == id.npos || hash < slash) return fault();
  Evidence evidence;
  const std::optional<std::size_t> row = whole_number<std::size_t>(id.substr(hash + 1));
  if (!row) return fault();
  evidence.row = *row;
  evidence.part = id.substr(slash + 1, hash - slash - 1);
  const std::string_view view = id.substr(0, slash);
  const std::size_t question = view.find('?');
  evidence.view = view.substr(0, question);
  if (question == view.npos) return evidence;
  for (const std::string_view pair : split_fields(view.substr(question + 1), "&")) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos) return fault();
    evidence.parameters.emplace_back(unescaped(pair.substr(0, equals)), unescaped(pair.substr(equals + 1)));
  }
  return evidence;
}

}  // namespace sightline::agent
