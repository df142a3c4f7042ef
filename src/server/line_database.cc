// Requests of InfluxDB's HTTP interface. The token is never part of a message, and goes to no other host: redirects are not
// followed.
#include "server/line_database.h"

#include <fmt/core.h>
#include <httplib.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/gzip.h"
#include "base/json_writer.h"

namespace sightline {

namespace {

constexpr time_t kConnectSeconds = 10;
constexpr time_t kAnswerSeconds = 120;
constexpr int kTries = 5;  // of a request that the server has no time for
constexpr std::int64_t kMostWaitSeconds = 30;
constexpr std::size_t kMostShown = 300;  // characters of an answer or a line

using Params = httplib::Params;

// "http://host:1/below" -> "http://host:1" and "/below".
std::pair<std::string, std::string> split(const std::string& endpoint) {
  const std::size_t scheme = endpoint.find("://");
  const std::size_t path = endpoint.find('/', scheme == std::string::npos ? 0 : scheme + 3);
  std::string below = path == std::string::npos ? "" : endpoint.substr(path);
  while (below.ends_with('/')) below.pop_back();
  return {endpoint.substr(0, path), below};
}

std::string cut(std::string_view text) {
  return text.size() <= kMostShown ? std::string(text) : std::string(text.substr(0, kMostShown)) + "...";
}

// One member of an answer that is an object, as text; empty when there is none.
std::string member(const std::string& body, std::string_view key) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view found;
  if (parser.parse(body).get(root) != simdjson::SUCCESS) return "";
  return root[key].get(found) == simdjson::SUCCESS ? std::string(found) : "";
}

// The id of the first entry of a list, such as {"orgs": [{"id": "..."}]}.
std::string first_id(const std::string& body, std::string_view list) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array entries;
  if (parser.parse(body).get(root) != simdjson::SUCCESS || root[list].get(entries) != simdjson::SUCCESS) return "";
  for (const simdjson::dom::element entry : entries) {
    std::string_view id;
    if (entry["id"].get(id) == simdjson::SUCCESS) return std::string(id);
  }
  return "";
}

// The line that a message is about, by its number. Version 1 has none: it quotes the line in its message.
std::string line_meant(const std::string& body, std::string_view lines) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::int64_t number = 0;
  if (parser.parse(body).get(root) != simdjson::SUCCESS || root["line"].get(number) != simdjson::SUCCESS || number < 1) return "";
  std::size_t begin = 0;
  for (std::int64_t at = 1; at < number && begin != std::string_view::npos; ++at) {
    const std::size_t end = lines.find('\n', begin);
    begin = end == std::string_view::npos ? end : end + 1;
  }
  if (begin >= lines.size()) return "";
  return fmt::format("; line {}: {}", number, cut(lines.substr(begin, lines.find('\n', begin) - begin)));
}

}  // namespace

struct LineDatabase::Connection {
  explicit Connection(DatabaseAddress where)
      : address(std::move(where)), host(split(address.endpoint).first), below(split(address.endpoint).second), client(host) {
    client.set_connection_timeout(kConnectSeconds);
    client.set_read_timeout(kAnswerSeconds);
    client.set_write_timeout(kAnswerSeconds);
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);  // else each batch waits for the server to acknowledge its head
  }

  Error error(const std::string& message) const { return {ErrorCode::unreadable, message, address.endpoint}; }

  Error refused(const httplib::Response& answer, std::string_view lines) const {
    std::string said = member(answer.body, "message");
    if (said.empty()) said = member(answer.body, "error");
    if (said.empty()) said = answer.body;
    while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.pop_back();
    return error(fmt::format("the database answered {}: {}{}", answer.status, cut(said), line_meant(answer.body, lines)));
  }

  httplib::Headers headers() const {
    httplib::Headers all{{"User-Agent", "sightline"}};
    if (address.token.empty()) return all;
    const std::size_t colon = address.token.find(':');
    if (second) all.emplace("Authorization", "Token " + address.token);
    if (!second && colon != std::string::npos)
      all.insert(httplib::make_basic_authentication_header(address.token.substr(0, colon), address.token.substr(colon + 1)));
    return all;
  }

  std::string path(const std::string& route, const Params& params) const {
    return params.empty() ? below + route : httplib::append_query_params(below + route, params);
  }

  Result<httplib::Response> get(const std::string& route, const Params& params) {
    return checked(client.Get(path(route, params).c_str(), headers()));
  }

  Result<httplib::Response> post(const std::string& route, const Params& params, const std::string& body, const char* type,
                                 bool packed) {
    httplib::Headers all = headers();
    if (packed) all.emplace("Content-Encoding", "gzip");
    return checked(client.Post(path(route, params).c_str(), all, body, type));
  }

  Result<httplib::Response> checked(httplib::Result result) const {
    if (!result) {
      const bool connecting = result.error() == httplib::Error::Connection || result.error() == httplib::Error::ConnectionTimeout;
      return error(connecting ? "nobody listens there: is the database running?"
                              : "no answer: " + httplib::to_string(result.error()));
    }
    return *result;
  }

  // A server that is too busy says when to come again.
  Result<httplib::Response> post_lines(const std::string& packed) {
    const Params to = second ? Params{{"org", address.organisation}, {"bucket", address.bucket}, {"precision", "ns"}}
                             : Params{{"db", address.bucket}, {"precision", "n"}};
    for (int tries = 1;; ++tries) {
      Result<httplib::Response> answer = post(second ? "/api/v2/write" : "/write", to, packed, "text/plain; charset=utf-8", true);
      if (!answer || tries == kTries || (answer->status != 429 && answer->status != 503)) return answer;
      std::int64_t wait = 1;
      if (answer->has_header("Retry-After")) wait = std::atoll(answer->get_header_value("Retry-After").c_str());
      std::this_thread::sleep_for(std::chrono::seconds(std::clamp<std::int64_t>(wait, 0, kMostWaitSeconds)));
    }
  }

  Result<bool> make_bucket() {
    if (!second) {
      std::string name;
      for (const char c : address.bucket) name += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      const Result<httplib::Response> made =
          post("/query", {{"q", "CREATE DATABASE \"" + name + "\""}}, "", "application/x-www-form-urlencoded", false);
      if (!made) return made.error();
      if (made->status != 200) return refused(*made, "");
      return true;
    }
    const Result<httplib::Response> found = get("/api/v2/orgs", {{"org", address.organisation}});
    if (!found) return found.error();
    const std::string id = first_id(found->body, "orgs");
    if (found->status != 200) return refused(*found, "");
    if (id.empty()) return error("there is no organisation '" + address.organisation + "'");
    std::string body = "{\"orgID\": \"" + id + "\", \"retentionRules\": [], \"name\": ";
    append_json_string(body, address.bucket);
    body += '}';
    const Result<httplib::Response> made = post("/api/v2/buckets", {}, body, "application/json", false);
    if (!made) return made.error();
    if (made->status != 201) return refused(*made, "");
    return true;
  }

  DatabaseAddress address;
  std::string host, below;
  httplib::Client client;
  bool second = false;  // version 2
};

LineDatabase::LineDatabase(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
LineDatabase::LineDatabase(LineDatabase&&) noexcept = default;
LineDatabase& LineDatabase::operator=(LineDatabase&&) noexcept = default;
LineDatabase::~LineDatabase() = default;

Result<LineDatabase> LineDatabase::connect(DatabaseAddress address) {
  if (!address.endpoint.starts_with("http://") && !address.endpoint.starts_with("https://"))
    return Error{ErrorCode::invalid_argument, "an endpoint is http://HOST:PORT or https://HOST:PORT", address.endpoint};
  auto connection = std::make_unique<Connection>(std::move(address));
  const Result<httplib::Response> pong = connection->get("/ping", {});
  if (!pong) return pong.error();
  // Version 2 since 2.2 and version 1 name themselves; what does not is taken for version 2 where there is a token.
  std::string version = pong->get_header_value("X-Influxdb-Version");
  if (version.starts_with('v')) version.erase(0, 1);
  connection->second = version.empty() ? !connection->address.token.empty() : !version.starts_with('1');
  const DatabaseAddress& given = connection->address;
  if (connection->second && (given.token.empty() || given.organisation.empty())) {
    const std::string lacks =
        given.token.empty() ? "a token: set INFLUX_TOKEN, or run influx config create" : "an organisation: --db-org NAME";
    return Error{ErrorCode::invalid_argument, "InfluxDB 2 asks for " + lacks, given.endpoint};
  }
  return LineDatabase(std::move(connection));
}

Result<bool> LineDatabase::write(std::string_view lines) {
  Connection& to = *connection_;
  const std::string packed = gzip_pack(lines);
  Result<httplib::Response> answer = to.post_lines(packed);
  if (answer && answer->status == 404) {
    const Result<bool> made = to.make_bucket();
    if (!made) return made.error();
    answer = to.post_lines(packed);
  }
  if (!answer) return answer.error();
  if (answer->status != 204 && answer->status != 200) return to.refused(*answer, lines);
  return true;
}

}  // namespace sightline
