// Fuzzes the body of PUT /api/markers: the input is JSON, or not. Accepted markers are written as equivalent JSON.
#include <cstdint>
#include <string>
#include <string_view>

#include "output/timeline_json.h"
#include "store/marker_store.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

FUZZ_TARGET(markers_fuzz, data, size) {
  using namespace sightline::tests;
  using namespace sightline::output;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<std::vector<Marker>> markers = parse_markers(text);
  if (!markers) {
    require(!markers.error().message.empty(), "an error names its cause");
    return 0;
  }
  static MarkerStore store("");
  const std::string key(48, '0');
  if (!store.write(key, "set", *markers)) return 0;
  const Result<std::vector<Marker>> kept = store.read(key, "set");
  require(kept.ok() && kept->size() == markers->size(), "markers are lost");
  const Result<std::vector<Marker>> again = parse_markers(wire_json(SentMarkers{{}, "set", true, *kept}));
  require(again.ok() && *again == *kept, "markers are not what was written");
  return 0;
}
