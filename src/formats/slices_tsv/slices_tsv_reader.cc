// Slices as text: each line is `start_us duration_us thread name`, separated by tabs.
#include "formats/registry.h"

#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/common/profile_builder.h"
#include "formats/read_context.h"

namespace sightline::formats {

static Result<std::unique_ptr<Profile>> read_slices_tsv(ReadContext& context) {
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  ProfileBuilder out;
  std::string line;
  for (std::int64_t at = 0; (*in)->line(line, kLongestLine); at = (*in)->position()) {
    const std::vector<std::string_view> fields = split_line(line, '\t');
    const auto start = parse_us_as_ns(fields[0]);
    const auto duration = fields.size() == 4 ? parse_us_as_ns(fields[1]) : std::nullopt;
    if (!start || !duration || *duration < 0) {
      out.report(Severity::error, "malformed_line", "a line is not `start_us duration_us thread name`; it was skipped", at);
      continue;
    }
    out.add(out.thread(to_utf8(fields[2])), {*start, *duration, out.text(to_utf8(fields[3])), SliceKind::annotation, at});
  }
  if ((*in)->failed()) return (*in)->error();
  return out.finish();
}

Reader slices_tsv_reader() {
  return {.id = "slices_tsv", .title = "Slices as text", .endings = {".slices.tsv"}, .read_capture = read_slices_tsv};
}

}  // namespace sightline::formats
