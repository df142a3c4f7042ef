// Fuzzes the routes of the server over a small profile: the input is a line "METHOD PATH?QUERY", then the body. For every input,
// the response is not a server failure (500), and is valid JSON if its type is JSON. sql_fuzz has queries; this target begins no
// recordings.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "formats/read_context.h"
#include "server/routes.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/small_profile.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_profile.h"

namespace {

using namespace sightline::tests;

Result<std::unique_ptr<Profile>> read_small(ReadContext&) { return parse_text_profile(kSmallProfile); }

const std::array<Reader, 1>& readers_of_text() {
  static const std::array<Reader, 1> readers{
      Reader{.id = "text",
             .title = "Text profile",
             .claims_file = [](std::string_view name) { return name.ends_with(".small"); },
             .sniff_file = [](std::string_view, std::string_view) { return true; },
             .name_file =
                 [](std::string_view) {
                   return ProfileName{"w", ""};
                 },
             .read_capture = read_small,
             .text_at = [](const std::string&, std::int64_t) { return Result<std::string>("{}"); },
             .claims_folder = nullptr,
             .name_folder = nullptr}};
  return readers;
}

class Server {
 public:
  Server() : engine_({.threads = 1, .timelines = true, .readers = readers_of_text()}) {
    std::ofstream(folder_.path() + "/a.small") << "a";
    std::ofstream(folder_.path() + "/b.small") << "b";
    require(engine_.add_path(folder_.path()).ok(), "the profile is not found");
    engine_.start();
    engine_.loader().wait();
  }

  Response answer(const Request& request) const {
    return sightline::tests::answer(engine_, {.host = "127.0.0.1", .token = ""}, request);
  }

 private:
  TemporaryFolder folder_;
  Engine engine_;
};

std::string take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string taken(text.substr(0, at));
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

Request parse(std::string_view text) {
  Request request;
  request.host = "127.0.0.1";
  const std::string line = take_until(text, '\n');
  std::string_view rest = line;
  request.method = take_until(rest, ' ');
  request.path = take_until(rest, '?');
  request.query = rest;
  while (!rest.empty()) {
    const std::string pair = take_until(rest, '&');
    std::string_view value = pair;
    std::string key = take_until(value, '=');
    request.parameters.emplace_back(std::move(key), value);
  }
  request.body = text;
  return request;
}

}  // namespace

FUZZ_TARGET(routes_fuzz, data, size) {
  static const Server server;
  static simdjson::dom::parser json;
  const Request request = parse({reinterpret_cast<const char*>(data), size});
  if (request.path == "/api/query" || request.path == "/api/capture") return 0;
  const Response response = server.answer(request);
  require(response.status >= 200 && response.status < 500, "the server failed");
  if (response.content_type == "application/json" && !response.body->empty())
    require(json.parse(*response.body).error() == simdjson::SUCCESS, "the type is JSON, but the body is not: " + *response.body);
  return 0;
}
