#include "capture/model_run/npy_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/text.h"

namespace sightline::capture {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

// The text between `key`: and what ends it in the header, which is a Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const char closing = rest.starts_with('(') ? ')' : rest.starts_with('\'') ? '\'' : ',';
  return rest.substr(0, rest.find(closing, 1));
}

bool parse_shape(std::string_view text, std::vector<std::int64_t>& shape) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos) return true;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto size = whole_number<std::int64_t>(text.substr(0, end));
    if (!size) return false;
    shape.push_back(*size);
    text.remove_prefix(end);
  }
  return true;
}

// Bytes that the shape needs; nullopt when that many cannot be.
std::optional<std::uint64_t> size_of(const std::vector<std::int64_t>& shape, std::uint64_t element) {
  std::uint64_t size = element;
  for (const std::int64_t dimension : shape) {
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(dimension), &size)) return std::nullopt;
  }
  return size;
}

}  // namespace

Result<NpyArray> read_array(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::not_found, std::string("cannot be opened: ") + std::strerror(errno), path};
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const auto broken = [&](const char* what) { return Error{ErrorCode::malformed, what, path}; };
  if (!all.starts_with(kMagic)) return NpyArray{.type = "", .shape = {}, .bytes = all};
  if (all.size() < 12) return broken("its header is truncated");
  const std::size_t length_size = all[6] == 1 ? 2 : 4;  // version 1 has a short header
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_size; ++i) length |= std::size_t{static_cast<unsigned char>(all[8 + i])} << (8 * i);
  const std::size_t data = 8 + length_size + length;
  if (data > all.size()) return broken("its header is truncated");
  const std::string_view header = std::string_view(all).substr(8 + length_size, length);
  std::string_view type = value_of(header, "descr");
  if (type.starts_with('\'')) type.remove_prefix(1);
  NpyArray array;
  const auto element = type.size() > 2 ? whole_number<std::uint64_t>(type.substr(2)) : std::nullopt;
  if (!element || !parse_shape(value_of(header, "shape"), array.shape)) return broken("its header is not understood");
  if (type[0] == '>' || type[1] == 'O' || type[1] == 'U' || value_of(header, "fortran_order") != "False") {
    return Error{ErrorCode::unsupported, "store it little-endian, rows first, and as numbers", path};
  }
  const std::optional<std::uint64_t> size = size_of(array.shape, *element);
  if (!size || *size != all.size() - data) return broken("its number of bytes does not match its shape");
  array.type = std::string(type.substr(1));
  array.bytes = all.substr(data);
  return array;
}

// A header of version 1, which ends with a line feed so that what follows it is aligned to 64 bytes.
std::string npy_text(const NpyArray& array) {
  std::string shape;
  for (const std::int64_t size : array.shape) shape += std::to_string(size) + ", ";
  const char order = array.type.ends_with('1') || array.type.starts_with('V') ? '|' : '<';
  std::string header = std::string("{'descr': '") + order + array.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kBefore = 10, kAligned = 64;  // the magic, the version and the length
  header.append(kAligned - 1 - (kBefore + header.size()) % kAligned, ' ').push_back('\n');
  std::string text(kMagic);
  text.append({'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  return text + header + array.bytes;
}

}  // namespace sightline::capture
