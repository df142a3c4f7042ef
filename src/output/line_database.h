// LineDatabase: an InfluxDB, or what speaks its protocol: version 2 (a bucket of an organisation, a token), or version 1 (a
// database). Which of the two it is the server says itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::output {

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
