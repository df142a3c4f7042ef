// Statements to a Trino coordinator over its HTTP protocol: a POST with the statement, then a GET of each address that an answer
// names, until one names none (https://trino.io/docs/current/develop/client-protocol.html). Athena has another protocol.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/http_client.h"
#include "base/result.h"

namespace sightline::fleet {

// "trino:http://ada@coordinator:8080/lake": the user, else that of this process, and the catalog. The password, where the server
// wants one, is in the variable TRINO_PASSWORD.
struct TrinoAddress {
  HttpAddress http;
  std::string user, catalog;
};
Result<TrinoAddress> parse_trino_address(const std::string& text);

using TrinoRow = std::vector<std::string>;  // texts as they are, other values as JSON

class TrinoClient {
 public:
  explicit TrinoClient(TrinoAddress address);

  // Of the statements that follow; empty: none.
  void use_schema(const std::string& name) { schema_ = name; }

  // Session properties of the statements that follow, as "name=value,name=value"; empty: none.
  void use_session(const std::string& properties) { session_ = properties; }

  // unavailable: the coordinator does not answer for half a minute, forgot the statement, or failed at it; another attempt may
  // succeed. unsupported: the statement itself, or the rights of the user, are wrong.
  Result<std::vector<TrinoRow>> run(const std::string& sql);

 private:
  HttpHeaders headers() const;
  template <typename Send>
  Result<HttpAnswer> patiently(bool may_repeat, Send&& send) const;

  const TrinoAddress address_;
  HttpClient http_;
  std::string schema_, session_;
};

}  // namespace sightline::fleet
