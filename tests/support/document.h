// Documents of the checkout, for tests that compare them with what the program prints.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// The text of the file at `path`, such as "docs/metrics.md". Throws std::runtime_error where there is none, which fails the test:
// a document that is not found is never taken for one that agrees.
std::string document(std::string_view path);

}  // namespace sightline
