#include "fleet/trino_client.h"

#include <simdjson.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "base/text.h"

namespace sightline::fleet {

namespace {

using simdjson::dom::element;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnect{5'000}, kAnswer{60'000}, kPatience{30'000}, kPause{200};
constexpr std::string_view kScheme = "trino:";

std::string own_user() {
  const char* name = std::getenv("USER");
  return name != nullptr && *name != '\0' ? name : "sightline";
}

struct Page {
  std::string next;  // empty: the statement has ended
  std::optional<Error> failed;
  std::vector<TrinoRow> rows;
};

std::string text_of(const element& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? to_utf8(text) : simdjson::minify(value);
}

std::string text_in(const element& object, const char* name) {
  element value;
  return object[name].get(value) == simdjson::SUCCESS ? text_of(value) : "";
}

Error failure_of(const element& error) {
  const bool is_ours = text_in(error, "errorType") == "USER_ERROR";
  const std::string text = text_in(error, "message") + " (" + text_in(error, "errorName") + ")";
  return {is_ours ? ErrorCode::unsupported : ErrorCode::unavailable, Message::verbatim(text), ""};
}

Result<Page> parse_page(const std::string& body) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(body).get(root) != simdjson::SUCCESS || !root.is_object())
    return Error{ErrorCode::unavailable, "the answer is not one of a Trino coordinator", ""};
  Page page{.next = text_in(root, "nextUri"), .failed = std::nullopt, .rows = {}};
  if (element error; root["error"].get(error) == simdjson::SUCCESS) page.failed = failure_of(error);
  simdjson::dom::array data;
  if (root["data"].get(data) != simdjson::SUCCESS) return page;
  for (const element row : data) {
    simdjson::dom::array cells;
    if (row.get(cells) != simdjson::SUCCESS) continue;
    TrinoRow& to = page.rows.emplace_back();
    for (const element cell : cells) to.push_back(text_of(cell));
  }
  return page;
}

// Busy, or behind a proxy whose server starts again.
bool is_passing(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

// The address is absolute, and may name the server as it knows itself; requests go to the server that we know.
std::string path_of(const std::string& address) {
  const std::size_t host = address.find("://");
  const std::size_t path = host == std::string::npos ? 0 : address.find('/', host + 3);
  return path == std::string::npos ? "/" : address.substr(path);
}

Result<Page> page_of(const Result<HttpAnswer>& answer) {
  if (!answer) return Error{ErrorCode::unavailable, say("the engine does not answer: {}", answer.error().message), ""};
  if (answer->status == 200) return parse_page(answer->body);
  if (answer->status == 401 || answer->status == 403) return Error{ErrorCode::unsupported, "the engine refuses this user", ""};
  return Error{ErrorCode::unavailable, say("the engine answers with the status {}", std::to_string(answer->status)), ""};
}

}  // namespace

Result<TrinoAddress> parse_trino_address(const std::string& text) {
  const Error wrong{ErrorCode::invalid_argument, "not an engine such as trino:http://user@coordinator:8080/catalog", text};
  if (!text.starts_with(kScheme)) return wrong;
  std::string url = text.substr(kScheme.size());
  TrinoAddress address{.http = {}, .user = own_user(), .catalog = ""};
  const std::size_t host = url.find("://"), at = url.find('@');
  if (host != std::string::npos && at != std::string::npos) {
    address.user = url.substr(host + 3, at - host - 3);
    url.erase(host + 3, at - host - 2);
  }
  Result<HttpAddress> http = parse_http_address(url);
  if (!http) return wrong;
  const std::size_t slash = http->below.rfind('/');
  if (slash == std::string::npos || address.user.empty()) return wrong;
  address.catalog = http->below.substr(slash + 1);
  http->below.resize(slash);
  address.http = *std::move(http);
  return address;
}

TrinoClient::TrinoClient(TrinoAddress address) : address_(std::move(address)), http_(address_.http.server, kConnect, kAnswer) {}

HttpHeaders TrinoClient::headers() const {
  HttpHeaders all{{"X-Trino-User", address_.user}, {"X-Trino-Source", "sightline"}, {"X-Trino-Catalog", address_.catalog}};
  if (!schema_.empty()) all.emplace_back("X-Trino-Schema", schema_);
  if (!session_.empty()) all.emplace_back("X-Trino-Session", session_);
  if (const char* password = std::getenv("TRINO_PASSWORD"); password != nullptr && *password != '\0')
    all.emplace_back("Authorization", basic_authorization(address_.user, password));
  return all;
}

// `may_repeat`: also after a request that may have arrived. One that did not is always sent again.
template <typename Send>
Result<HttpAnswer> TrinoClient::patiently(bool may_repeat, Send&& send) const {
  const auto end = steady_clock::now() + kPatience;
  for (;;) {
    Result<HttpAnswer> answer = send();
    const bool again = answer ? is_passing(answer->status) : may_repeat || answer.error().code == ErrorCode::unavailable;
    if (!again || steady_clock::now() > end) return answer;
    std::this_thread::sleep_for(kPause);
  }
}

Result<std::vector<TrinoRow>> TrinoClient::run(const std::string& sql) {
  const HttpHeaders with = headers();
  Result<HttpAnswer> answer = patiently(false, [&] { return http_.post(address_.http.below + "/v1/statement", with, sql); });
  std::vector<TrinoRow> rows;
  for (;;) {
    Result<Page> page = page_of(answer);
    if (!page) return page.error();
    if (page->failed) return *page->failed;
    std::move(page->rows.begin(), page->rows.end(), std::back_inserter(rows));
    if (page->next.empty()) return rows;
    answer = patiently(true, [&] { return http_.get(path_of(page->next), with); });
  }
}

}  // namespace sightline::fleet
