// Documents of the checkout, for tests that compare them with the program's output.
#pragma once

#include <string>
#include <string_view>

namespace sightline::tests {

// The text of the file at `path`, such as "docs/metrics.md". Throws std::runtime_error if it does not exist, which fails the
// test: a missing document never counts as equal.
std::string document(std::string_view path);

}  // namespace sightline::tests
