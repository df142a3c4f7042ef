// One pass that counts brackets.
#include "model/path_parts.h"

namespace sightline::model {

std::vector<std::string_view> path_parts(std::string_view path) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const char c = i == path.size() ? '/' : path[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != '/' || (depth > 0 && i < path.size())) continue;
    if (i > first) parts.push_back(path.substr(first, i - first));
    first = i + 1;
  }
  return parts;
}

}  // namespace sightline::model
