// Splitting a form into its parts.
#include "server/multipart.h"
#include "base/fields.h"

#include <algorithm>

namespace sightline::server {

namespace {

constexpr std::size_t kMostHeaders = 8192;  // bytes of one part
constexpr std::size_t kMostBoundary = 70;   // RFC 2046

// The parameter of a header, such as name="log" or boundary=x, with or without quotes.
std::string parameter(std::string_view header, std::string_view name) {
  const std::string search = lower_case(header), sought = std::string(name) + "=";
  for (std::size_t at = search.find(sought); at != std::string::npos; at = search.find(sought, at + 1)) {
    if (at == 0 || std::string_view("; \t").find(search[at - 1]) == std::string_view::npos) continue;
    std::string_view value = header.substr(at + sought.size());
    if (!value.starts_with('"')) return std::string(value.substr(0, value.find_first_of("; \t\r")));
    value.remove_prefix(1);
    return std::string(value.substr(0, value.find('"')));
  }
  return "";
}

}  // namespace

std::optional<std::string> form_boundary(std::string_view content_type) {
  if (!lower_case(content_type).starts_with("multipart/form-data")) return std::nullopt;
  std::string boundary = parameter(content_type, "boundary");
  if (boundary.empty() || boundary.size() > kMostBoundary) return std::nullopt;
  return boundary;
}

void Multipart::add(std::string_view bytes) {
  std::string joined = std::move(kept_);
  joined += bytes;
  rest_ = joined;
  while (step()) {
  }
  kept_ = at_ == At::end || at_ == At::nonsense ? "" : std::string(rest_);
  rest_ = {};
}

// False: more bytes are needed, or nothing follows.
bool Multipart::step() {
  switch (at_) {
    case At::preamble:
    case At::content: return find_border();
    case At::border: return read_border();
    case At::headers: return read_headers();
    case At::end:
    case At::nonsense: break;
  }
  return false;
}

bool Multipart::find_border() {
  const std::size_t found = rest_.find(border_);
  const bool is_there = found != std::string_view::npos;
  const std::size_t sure = is_there ? found : rest_.size() - std::min(rest_.size(), border_.size() - 1);
  if (at_ == At::content && sure > 0) bytes_(rest_.substr(0, sure));
  rest_.remove_prefix(is_there ? found + border_.size() : sure);
  if (is_there) at_ = At::border;
  return is_there;
}

bool Multipart::read_border() {
  if (rest_.size() < 2) return false;
  at_ = rest_.starts_with("\r\n") ? At::headers : rest_.starts_with("--") ? At::end : At::nonsense;
  return at_ == At::headers;  // whose first line break is the border's
}

bool Multipart::read_headers() {
  const std::size_t end = rest_.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (rest_.size() > kMostHeaders) at_ = At::nonsense;
    return false;
  }
  std::string name, file;
  for (std::string_view lines = rest_.substr(0, end); !lines.empty();) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(lines.size(), line.size() + 2));
    if (!lower_case(line).starts_with("content-disposition:")) continue;
    name = parameter(line, "name");
    file = parameter(line, "filename");
  }
  begin_(name, file);
  rest_.remove_prefix(end + 4);
  at_ = At::content;
  return true;
}

}  // namespace sightline::server
