// JsonFile: the text in one piece, and lookups that tolerate other types.
#include "formats/call_trees/json_file.h"

#include <cmath>

#include "formats/common/whole_text.h"

namespace sightline::formats::call_trees {

Result<bool> JsonFile::load(ReadContext& context) {
  constexpr std::size_t kLongest = (std::size_t{1} << 32) - 64;  // what simdjson can take
  path_ = context.path();
  const std::size_t most = most_json_bytes(context.progress(), kLongest);
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  while (true) {
    const std::string_view piece = (*in)->take_in_place(std::size_t{256} * 1024);
    if (piece.empty()) break;
    text_ += piece;
    if (text_.size() > most) return too_much_json(path_, most);
  }
  if ((*in)->failed()) return (*in)->error();
  const std::size_t size = text_.size();
  text_.resize(size + simdjson::SIMDJSON_PADDING);
  text_.resize(size);
  return true;
}

Error JsonFile::error(simdjson::error_code code) const {
  return {ErrorCode::malformed, say("not JSON: {}", simdjson::error_message(code)), path_ + ":0"};
}

double number_of(simdjson::dom::object object, std::string_view key, double otherwise) {
  double number = 0;
  return object[key].get_double().get(number) == simdjson::SUCCESS && std::isfinite(number) ? number : otherwise;
}

std::int64_t integer_of(simdjson::dom::object object, std::string_view key, std::int64_t otherwise) {
  const double number = number_of(object, key, NAN);
  return std::abs(number) < 9e18 ? static_cast<std::int64_t>(number) : otherwise;
}

std::string_view text_of(simdjson::dom::object object, std::string_view key) {
  std::string_view text;
  return object[key].get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::vector<simdjson::dom::element> list_of(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::array list;
  if (object[key].get_array().get(list) != simdjson::SUCCESS) return {};
  return {list.begin(), list.end()};
}

}  // namespace sightline::formats::call_trees
