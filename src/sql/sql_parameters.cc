// Finds `$name` outside of texts, quoted names and comments.
#include "sql/sql_parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "sql/duckdb_library.h"

namespace sightline::sql {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string place_in(const std::string& text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  const auto line = std::count(text.begin(), end, '\n') + 1;
  const auto begin = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return fmt::format("line {}, column {}", line, end - begin + 1);
}

std::size_t behind(std::string_view text, std::string_view mark, std::size_t from) {
  const std::size_t at = text.find(mark, from);
  return at == std::string_view::npos ? text.size() : at + mark.size();
}

// Behind the comment that begins at `at`; comments may lie in one another.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    const int change = two == "/*" ? 1 : two == "*/" ? -1 : 0;
    at += change == 0 ? 1 : 2;
    depth += change;
    if (depth == 0) break;
  }
  return at;
}

// Behind a text in quotes, in which a backslash escapes the next letter where it begins with E.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes =
      quote == '\'' && at > 0 && (text[at - 1] == 'e' || text[at - 1] == 'E') && (at == 1 || !in_name(text[at - 2]));
  for (++at; at < text.size() && text[at] != quote; ++at) at += escapes && text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

// The name behind the `$` at `at`.
std::string_view name_at(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size() || !begins_name(text[at + 1])) return {};
  std::size_t end = at + 1;
  while (end < text.size() && in_name(text[end])) ++end;
  return text.substr(at + 1, end - at - 1);
}

// The part of the text at `at`: either a part that stays unchanged, or a parameter.
struct Part {
  std::size_t end;
  std::string_view parameter{};
};

Part part_at(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  if (two == "--") return {behind(text, "\n", at)};
  if (two == "/*") return {behind_comment(text, at)};
  if (text[at] == '\'' || text[at] == '"') return {behind_quotes(text, at)};
  if (text[at] != '$' || (at > 0 && in_name(text[at - 1]))) return {at + 1};
  const std::string_view name = name_at(text, at);
  const std::size_t end = at + 1 + name.size();
  if (end < text.size() && text[end] == '$') return {behind(text, text.substr(at, end - at + 1), end + 1)};  // $tag$ text $tag$
  return {end, name};
}

Message names_of(std::span<const SqlParameter> parameters) {
  std::string names;
  for (const SqlParameter& parameter : parameters) names += (names.empty() ? "" : ", ") + parameter.name;
  return names.empty() ? "none is declared" : say("declared: {}", names);
}

std::string literal(const SqlParameter& parameter) {
  if (const auto* integer = std::get_if<std::int64_t>(&parameter.value)) return fmt::format("CAST('{}' AS BIGINT)", *integer);
  if (const auto* flag = std::get_if<bool>(&parameter.value)) return *flag ? "TRUE" : "FALSE";
  if (const auto* text = std::get_if<std::string>(&parameter.value)) return duckdb::quoted(*text);
  return "CAST(NULL AS BIGINT)";
}

}  // namespace

std::string SqlText::place(std::size_t offset) const {
  std::size_t longer = 0;
  for (const Replaced& each : replaced) {
    if (each.at < offset) longer += std::min(each.longer, offset - each.at);
  }
  return place_in(written, offset - longer);
}

Result<SqlText> with_parameters(const std::string& written, std::span<const SqlParameter> parameters) {
  SqlText text{.written = written, .sql = {}};
  for (const SqlParameter& parameter : parameters) {
    const auto* value = std::get_if<std::string>(&parameter.value);
    if (value != nullptr && value->find('\0') != std::string::npos)
      return Error{ErrorCode::invalid_argument, say("the value of '{}' holds a zero byte", parameter.name), ""};
    text.variables.push_back("SET VARIABLE \"" + parameter.name + "\" = " + literal(parameter));
  }
  for (std::size_t at = 0; at < written.size();) {
    const Part part = part_at(written, at);
    if (part.parameter.empty()) {
      text.sql.append(written, at, part.end - at);
    } else {
      const auto is_named = [&](const SqlParameter& parameter) { return parameter.name == part.parameter; };
      if (std::none_of(parameters.begin(), parameters.end(), is_named)) {
        return Error{ErrorCode::invalid_argument, say("unknown parameter '${}'; {}", part.parameter, names_of(parameters)),
                     place_in(written, at)};
      }
      const std::string variable = fmt::format("getvariable('{}')", part.parameter);
      text.replaced.push_back({text.sql.size(), variable.size() - (part.end - at)});
      text.sql += variable;
    }
    at = part.end;
  }
  return text;
}

}  // namespace sightline::sql
