// document: finds the checkout from the path of this file when it was compiled. A compiler cache makes __FILE__ relative, so
// cmake sets it.
#include "tests/support/document.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sightline::tests {

std::string document(std::string_view path) {
  const std::filesystem::path file = std::filesystem::path(SIGHTLINE_CHECKOUT) / path;
  std::ifstream in(file);
  if (!in) throw std::runtime_error("no " + file.string());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace sightline::tests
