// The timeline into a time-series database: InfluxDB's line protocol, one point per slice and per value of a counter of the file,
// and the server that takes it. docs/coming-from-neuron-profile.md lists measurements, tags and fields.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::output {

// ---- lines ----

// Stand on every point as tags; an empty one is left out.
struct PointTags {
  std::string run, worker, span;
};

struct PointBatches {
  std::size_t points = 5000;    // of a batch at most
  std::size_t bytes = 4 << 20;  // from which a batch is taken even with fewer points
};

// Gives lines to `take` batch by batch until it answers false, and returns how many points were made. Times are ns since 1970, or
// since the run's origin where that is not known. Points of one series and time would replace each other: the second and later
// have the tag `nth`.
std::int64_t write_points(const Profile& profile, const PointTags& tags, const PointBatches& batches,
                          const std::function<bool(std::string_view)>& take);

// `text` as the value of a tag: blanks, commas and equals signs are escaped, line ends become blanks. A backslash at the end
// would escape what follows, so a blank is put behind it.
void append_tag_value(std::string& out, std::string_view text);

// As a field that is a text, quotes included.
void append_field_text(std::string& out, std::string_view text);

// ---- the server ----

// An InfluxDB, or what speaks its protocol: version 2 (a bucket of an organisation, a token), or version 1 (a database). Which of
// the two it is the server says itself.
struct DatabaseAddress {
  std::string endpoint;      // http://host:port, with a path below which it stands if need be
  std::string organisation;  // of version 2
  std::string bucket;        // of version 1 the database
  std::string token;         // of version 1 user:password; empty: none
};

class LineDatabase {
 public:
  // Asks the server for its version. An Error when it does not answer, or lacks what that version requests.
  static Result<LineDatabase> connect(DatabaseAddress address);
  LineDatabase(LineDatabase&&) noexcept;
  LineDatabase& operator=(LineDatabase&&) noexcept;
  ~LineDatabase();

  // Writes lines as one request; the bucket is made when there is none. An Error has the server's message, and the line
  // that it was about.
  Result<bool> write(std::string_view lines);

 private:
  struct Connection;
  explicit LineDatabase(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace sightline::output
