// Multipart: the parts of a form (multipart/form-data) as its bytes come, in pieces of any size. It keeps no more of them than a
// part's headers, or as much as a border between two parts has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/message.h"

namespace sightline::server {

// What separates the parts, as a Content-Type header says it; absent if that is not a form's.
std::optional<std::string> form_boundary(std::string_view content_type);

class Multipart {
 public:
  // `begin` and `bytes` are called from within add(), and outlive this.
  Multipart(const std::string& boundary, const FormBegin& begin, const FormBytes& bytes)
      : border_("\r\n--" + boundary), kept_("\r\n"), begin_(begin), bytes_(bytes) {}

  void add(std::string_view bytes);

  // Whether the border after the last part was there.
  bool whole() const { return at_ == At::end; }

 private:
  enum class At { preamble, border, headers, content, end, nonsense };

  bool step();
  bool find_border();
  bool read_border();
  bool read_headers();

  const std::string border_;
  std::string kept_;       // of add()s before
  std::string_view rest_;  // of what is looked at
  At at_ = At::preamble;
  const FormBegin& begin_;
  const FormBytes& bytes_;
};

}  // namespace sightline::server
