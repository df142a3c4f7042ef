// Fuzzes the reader of training logs: the first byte sets the length of the pieces in which the text arrives, the rest is the
// text. The cuts must not change the result, and two such logs can be compared.
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyses/losses/loss_comparison.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

namespace {

using namespace sightline::tests;

LossLog read_in_pieces(std::string_view text, std::size_t size) {
  LossLogReader reader("log", {});
  while (!text.empty()) {
    reader.add(text.substr(0, size));
    text.remove_prefix(std::min(size, text.size()));
  }
  return reader.finish();
}

bool same(const LossPoint& a, const LossPoint& b) {
  return a.iteration == b.iteration && std::bit_cast<std::uint64_t>(a.loss) == std::bit_cast<std::uint64_t>(b.loss);
}

}  // namespace

FUZZ_TARGET(loss_log_fuzz, data, size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<LossLog> logs{read_in_pieces(text, text.size() + 1), read_in_pieces(text, data[0] % 64 + 1)};
  require(std::equal(logs[0].points.begin(), logs[0].points.end(), logs[1].points.begin(), logs[1].points.end(), same),
          "how the text is cut changes its losses");
  require(logs[0].lines == logs[1].lines && logs[0].lines_with_one_tag == logs[1].lines_with_one_tag,
          "how the text is cut changes its lines");
  require(loss_report(logs).ok(), "two logs cannot be compared");
  return 0;
}
