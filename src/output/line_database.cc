// Lines are appended to one buffer, which is handed on when it is long enough; what is the same on all points of a lane is made
// once. Requests are those of InfluxDB's HTTP interface. The token is never part of a message, and goes to no other host:
// redirects are not followed.
#include "output/line_database.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <thread>

#include "base/gzip.h"
#include "base/http_client.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "model/kind_names.h"

namespace sightline::output {

// ---- lines ----

namespace {

void append_tag(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;  // the protocol has no empty tags
  out.append(",").append(key).append("=");
  append_tag_value(out, to_utf8(value));
}

class PointWriter {
 public:
  PointWriter(const Profile& profile, const PointTags& tags, const PointBatches& batches,
              const std::function<bool(std::string_view)>& take)
      : p_(profile), batches_(batches), take_(take), origin_(profile.origin_unix_ns == kUnknown ? 0 : profile.origin_unix_ns) {
    append_tag(common_, "run", tags.run);
    append_tag(common_, "worker", tags.worker);
    append_tag(common_, "span", tags.span);
  }

  std::int64_t run() {
    for (Row lane = 0; lane < p_.lanes.rows() && !stopped_; ++lane) write_lane(lane);
    write_counters();
    if (!stopped_ && !text_.empty()) hand_on();
    return points_;
  }

 private:
  // A lane's number tells it from others of its name.
  std::string tags_of(Row lane) const {
    const Row main = p_.main_lane(lane), process = p_.lanes.process[main];
    std::string tags = common_;
    if (process != kNoRow) append_tag(tags, "process", p_.text(p_.processes.name[process]));
    const std::string_view name = p_.text(p_.lanes.name[main]);
    append_tag(tags, "lane", name.empty() ? p_.text(p_.lanes.track[main]) : name);
    append_tag(tags, "lane_id", std::to_string(lane));
    return tags;
  }

  // The end of a point: which of those at its time it is, its fields, and the time.
  void finish(std::string_view fields, Time time) {
    nth_ = points_of_lane_ != 0 && time == last_time_ ? nth_ + 1 : 0;
    last_time_ = time;
    ++points_of_lane_;
    if (nth_ != 0) fmt::format_to(std::back_inserter(text_), ",nth={}", nth_);
    fmt::format_to(std::back_inserter(text_), " {} {}\n", fields, origin_ + time);
    ++points_;
    if (++in_batch_ >= batches_.points || text_.size() >= batches_.bytes) hand_on();
  }

  void write_lane(Row lane) {
    const std::string tags = tags_of(lane);
    points_of_lane_ = 0;
    for (Row slice = p_.lanes.first[lane]; slice < p_.lanes.last[lane] && !stopped_; ++slice) {
      while (work_ < p_.device_work.rows() && p_.device_work.slice[work_] < slice) ++work_;
      fields_ = "name=";
      append_field_text(fields_, to_utf8(p_.text(p_.slices.name[slice])));
      fmt::format_to(std::back_inserter(fields_), ",duration={}i,depth={}i,row={}i", p_.slices.duration[slice],
                     p_.slices.depth[slice], slice);
      const bool work = work_ < p_.device_work.rows() && p_.device_work.slice[work_] == slice;
      if (work && p_.device_work.bytes[work_] != kUnknown)
        fmt::format_to(std::back_inserter(fields_), ",bytes={}i", p_.device_work.bytes[work_]);
      text_.append("slice").append(tags).append(",kind=").append(slice_kind_name(p_.slices.kind[slice]));
      finish(fields_, p_.slices.start[slice]);
    }
  }

  // A value that is unknown has no point: the protocol knows none.
  void write_counters() {
    Row lane = kNoRow;
    std::string tags;
    for (Row row = 0; row < p_.counters.rows() && !stopped_; ++row) {
      if (p_.counters.lane[row] != lane) {
        lane = p_.counters.lane[row];
        tags = tags_of(lane);
        points_of_lane_ = 0;
      }
      if (!std::isfinite(p_.counters.value[row])) continue;
      text_.append("counter").append(tags);
      finish(fmt::format("value={}", p_.counters.value[row]), p_.counters.time[row]);
    }
  }

  void hand_on() {
    stopped_ = stopped_ || !take_(text_);
    text_.clear();
    in_batch_ = 0;
  }

  const Profile& p_;
  const PointBatches& batches_;
  const std::function<bool(std::string_view)>& take_;
  std::int64_t origin_;
  std::string common_, text_, fields_;
  std::size_t in_batch_ = 0;
  std::int64_t points_ = 0, points_of_lane_ = 0, nth_ = 0;
  Time last_time_ = 0;
  Row work_ = 0;  // row of device_work, whose slices ascend as those of the lanes do
  bool stopped_ = false;
};

}  // namespace

void append_tag_value(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == ',' || c == '=' || c == ' ') out += '\\';
    const bool line_end = c == '\n' || c == '\r';
    out += line_end ? "\\ " : std::string_view(&c, 1);
  }
  if (!text.empty() && text.back() == '\\') out += "\\ ";
}

void append_field_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::int64_t write_points(const Profile& profile, const PointTags& tags, const PointBatches& batches,
                          const std::function<bool(std::string_view)>& take) {
  return PointWriter(profile, tags, batches, take).run();
}

// ---- the server ----

namespace {

constexpr std::chrono::seconds kConnect{10};
constexpr std::chrono::seconds kAnswer{120};
constexpr int kTries = 5;  // of a request that the server has no time for
constexpr std::int64_t kMostWaitSeconds = 30;
constexpr std::size_t kMostShown = 300;  // characters of an answer or a line

using Params = std::vector<std::pair<std::string, std::string>>;

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
  Connection(DatabaseAddress where, const HttpAddress& http)
      : address(std::move(where)), below(http.below), client(http.server, kConnect, kAnswer) {}

  Error error(TemplateMessage message) const { return {ErrorCode::unreadable, std::move(message), address.endpoint}; }

  Error refused(const HttpAnswer& answer, std::string_view lines) const {
    std::string message = member(answer.body, "message");
    if (message.empty()) message = member(answer.body, "error");
    if (message.empty()) message = answer.body;
    while (!message.empty() && (message.back() == '\n' || message.back() == '\r')) message.pop_back();
    return error(say("the database answered {}: {}{}", answer.status, cut(message), line_meant(answer.body, lines)));
  }

  HttpHeaders headers() const {
    if (address.token.empty()) return {};
    const std::size_t colon = address.token.find(':');
    if (second) return {{"Authorization", "Token " + address.token}};
    if (colon == std::string::npos) return {};
    return {{"Authorization", basic_authorization(address.token.substr(0, colon), address.token.substr(colon + 1))}};
  }

  std::string path(const std::string& route, const Params& params) const {
    std::string text = below + route;
    for (std::size_t i = 0; i < params.size(); ++i)
      text += (i == 0 ? "?" : "&") + params[i].first + "=" + percent_encoded(params[i].second);
    return text;
  }

  Result<HttpAnswer> get(const std::string& route, const Params& params) {
    return checked(client.get(path(route, params), headers()));
  }

  Result<HttpAnswer> post(const std::string& route, const Params& params, const std::string& body, const char* type,
                          bool packed) {
    HttpHeaders all = headers();
    all.emplace_back("Content-Type", type);
    if (packed) all.emplace_back("Content-Encoding", "gzip");
    return checked(client.post(path(route, params), all, body));
  }

  Result<HttpAnswer> checked(Result<HttpAnswer> answer) const {
    if (answer) return answer;
    return error(answer.error().code == ErrorCode::unavailable ? "no server answers there: is the database running?"
                                                               : say("no answer: {}", answer.error().message));
  }

  // A server that is too busy says when to come again.
  Result<HttpAnswer> post_lines(const std::string& packed) {
    const Params to = second ? Params{{"org", address.organisation}, {"bucket", address.bucket}, {"precision", "ns"}}
                             : Params{{"db", address.bucket}, {"precision", "n"}};
    for (int tries = 1;; ++tries) {
      Result<HttpAnswer> answer = post(second ? "/api/v2/write" : "/write", to, packed, "text/plain; charset=utf-8", true);
      if (!answer || tries == kTries || (answer->status != 429 && answer->status != 503)) return answer;
      std::int64_t wait = 1;
      if (const std::string message = answer->header("Retry-After"); !message.empty()) wait = std::atoll(message.c_str());
      std::this_thread::sleep_for(std::chrono::seconds(std::clamp<std::int64_t>(wait, 0, kMostWaitSeconds)));
    }
  }

  Result<bool> make_bucket() {
    if (!second) {
      std::string name;
      for (const char c : address.bucket) name += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      const Result<HttpAnswer> made =
          post("/query", {{"q", "CREATE DATABASE \"" + name + "\""}}, "", "application/x-www-form-urlencoded", false);
      if (!made) return made.error();
      if (made->status != 200) return refused(*made, "");
      return true;
    }
    const Result<HttpAnswer> found = get("/api/v2/orgs", {{"org", address.organisation}});
    if (!found) return found.error();
    const std::string id = first_id(found->body, "orgs");
    if (found->status != 200) return refused(*found, "");
    if (id.empty()) return error(say("there is no organisation '{}'", address.organisation));
    std::string body = "{\"orgID\": \"" + id + "\", \"retentionRules\": [], \"name\": ";
    append_json_string(body, address.bucket);
    body += '}';
    const Result<HttpAnswer> made = post("/api/v2/buckets", {}, body, "application/json", false);
    if (!made) return made.error();
    if (made->status != 201) return refused(*made, "");
    return true;
  }

  DatabaseAddress address;
  std::string below;
  HttpClient client;
  bool second = false;  // version 2
};

LineDatabase::LineDatabase(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
LineDatabase::LineDatabase(LineDatabase&&) noexcept = default;
LineDatabase& LineDatabase::operator=(LineDatabase&&) noexcept = default;
LineDatabase::~LineDatabase() = default;

Result<LineDatabase> LineDatabase::connect(DatabaseAddress address) {
  const Result<HttpAddress> http = parse_http_address(address.endpoint);
  if (!http) return Error{ErrorCode::invalid_argument, "an endpoint is http://HOST:PORT or https://HOST:PORT", address.endpoint};
  auto connection = std::make_unique<Connection>(std::move(address), *http);
  const Result<HttpAnswer> pong = connection->get("/ping", {});
  if (!pong) return pong.error();
  // Version 2 since 2.2 and version 1 name themselves; what does not is taken for version 2 where there is a token.
  std::string version = pong->header("X-Influxdb-Version");
  if (version.starts_with('v')) version.erase(0, 1);
  connection->second = version.empty() ? !connection->address.token.empty() : !version.starts_with('1');
  const DatabaseAddress& given = connection->address;
  if (connection->second && (given.token.empty() || given.organisation.empty())) {
    const Message lacks =
        given.token.empty() ? "a token: set INFLUX_TOKEN, or run influx config create" : "an organisation: --db-org NAME";
    return Error{ErrorCode::invalid_argument, say("InfluxDB 2 needs {}", lacks), given.endpoint};
  }
  return LineDatabase(std::move(connection));
}

Result<bool> LineDatabase::write(std::string_view lines) {
  Connection& to = *connection_;
  const std::string packed = gzip_pack(lines);
  Result<HttpAnswer> answer = to.post_lines(packed);
  if (answer && answer->status == 404) {
    const Result<bool> made = to.make_bucket();
    if (!made) return made.error();
    answer = to.post_lines(packed);
  }
  if (!answer) return answer.error();
  if (answer->status != 204 && answer->status != 200) return to.refused(*answer, lines);
  return true;
}

}  // namespace sightline::output
