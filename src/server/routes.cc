// From request to response: access first, then the API, then the page's files.
#include "server/routes.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "agent/mcp.h"
#include "analyses/losses/loss_comparison.h"
#include "base/gzip.h"
#include "base/text.h"
#include "engine/capture.h"
#include "engine/sql_reports.h"
#include "output/query_schema.h"
#include "output/report_format.h"
#include "output/state_json.h"
#include "output/table_rows.h"
#include "server/capture_service.h"
#include "server/open_service.h"
#include "server/query_cache.h"
#include "server/rank_routes.h"
#include "server/timeline_routes.h"
#include "server/web_assets.h"

namespace sightline::server {

namespace {

constexpr std::string_view kProfilePath = "/profile/";
constexpr std::string_view kUploadPath = "/api/uploads/";
constexpr std::string_view kAgentPath = "/mcp";
constexpr std::size_t kPackedFrom = 1400;  // below, a response is one network packet anyway

Response text_response(int status, std::string_view type, std::string body, bool packed) {
  Response response{.status = status, .content_type = std::string(type), .body = {}, .headers = {}};
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (packed && body.size() >= kPackedFrom) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    body = gzip_pack(body);
  }
  body.shrink_to_fit();  // it may wait for its client, and its size is counted
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return 400;
    case ErrorCode::not_found:
    case ErrorCode::unsupported: return 404;
    case ErrorCode::unavailable:
    case ErrorCode::cancelled: return 409;
    case ErrorCode::unreadable:
    case ErrorCode::malformed: break;
  }
  return 500;
}

Response error_response(const Error& error) {
  return error_answer(status_of(error.code), error_code_name(error.code), error.message, error.where);
}

// The parameters of the query that are for the analysis.
ParameterTexts analysis_parameters(const ParameterTexts& query) {
  constexpr std::string_view kOurs[] = {"run",        "worker", "span",   "other_run", "other_worker",
                                        "other_span", "view",   "format", "table",     "token"};
  ParameterTexts given;
  for (const auto& parameter : query) {
    if (std::find(std::begin(kOurs), std::end(kOurs), parameter.first) == std::end(kOurs)) given.push_back(parameter);
  }
  return given;
}

std::string file_name_of(const Report& report, const std::string& table, ReportFormat format) {
  std::string name = report.view + (table.empty() ? "" : "-" + table);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_'; }, '_');
  return name + (format == ReportFormat::csv ? ".csv" : ".md");
}

Question question_of(const Request& request, const ParameterTexts& rest) {
  return {.profile = {request.parameter("run"), request.parameter("worker"), request.parameter("span")},
          .view = request.parameter("view"),
          .parameters = analysis_parameters(rest),
          .other = {request.parameter("other_run"), request.parameter("other_worker"), request.parameter("other_span")},
          .propose = true};
}

// The report; with `group_rows`, the groups of the matching rows of one of its tables.
Result<KeptReportPtr> kept_report(const Answers& answers, const Request& request, RowsWanted& wanted,
                                  const ParameterTexts& rest) {
  const Result<KeptReportPtr> kept = answers.kept_report(question_of(request, rest));
  if (!kept || wanted.group.empty()) return kept;
  Result<Report> grouped = grouped_report((*kept)->report(), {wanted.table, wanted.group, std::exchange(wanted.filter, {})});
  if (!grouped) return grouped.error();
  return KeptReportPtr(std::make_shared<const KeptReport>(*std::move(grouped)));
}

Response table_response(const Answers& answers, const Request& request) {
  ParameterTexts rest;
  Result<RowsWanted> wanted = parse_rows_wanted(request.parameters, rest);
  if (!wanted) return error_response(wanted.error());
  const Result<KeptReportPtr> kept = kept_report(answers, request, *wanted, rest);
  if (!kept) return error_response(kept.error());
  Result<std::string> body = table_rows_json(**kept, *wanted);
  if (!body) return error_response(body.error());
  return text_response(200, "application/json", std::move(*body), accepts_gzip(request.accept_encoding));
}

// A report in the format requested, CSV and markdown as a file.
Response formatted_response(const Report& report, const Request& request, ReportFormat format) {
  const std::string table = request.parameter("table");
  Result<std::string> body = format_report(report, format, table, {.width = 120, .colour = false, .most_rows = 0});
  if (!body) return error_response(body.error());
  Response response = text_response(200, content_type(format), std::move(*body), accepts_gzip(request.accept_encoding));
  if (format == ReportFormat::csv || format == ReportFormat::markdown) {
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + file_name_of(report, table, format) + "\"");
  }
  return response;
}

Result<ReportFormat> format_of(const Request& request) {
  const std::string wanted = request.parameter("format");
  const std::optional<ReportFormat> format = report_format(wanted.empty() ? "json" : wanted);
  if (format) return *format;
  return Error{ErrorCode::invalid_argument, say("no format '{}'; available: json, csv, markdown, text", wanted), ""};
}

Response report_response(const Answers& answers, const Request& request) {
  const Result<ReportFormat> format = format_of(request);
  if (!format) return error_response(format.error());
  const bool grouped = !request.parameter("group_rows").empty();
  if (grouped || (*format == ReportFormat::json && request.parameter("table").empty())) {
    ParameterTexts rest;
    Result<RowsWanted> wanted = grouped ? parse_rows_wanted(request.parameters, rest) : RowsWanted{};
    if (!wanted) return error_response(wanted.error());
    const Result<KeptReportPtr> kept = kept_report(answers, request, *wanted, grouped ? rest : request.parameters);
    if (!kept) return error_response(kept.error());
    if (*format != ReportFormat::json) return formatted_response((*kept)->report(), request, *format);
    // As the page requests it: long tables by their first rows.
    return text_response(200, "application/json", report_json(**kept), accepts_gzip(request.accept_encoding));
  }
  const Result<Report> report = answers.report(question_of(request, request.parameters));
  if (!report) return error_response(report.error());
  return formatted_response(*report, request, *format);
}

// The answer to SQL; without SQL, the tables and examples.
Response query_response(const Engine& engine, const Request& request) {
  const Result<ReportFormat> format = format_of(request);
  if (!format) return error_response(format.error());
  const Result<ProfilePtr> profile = engine.answers().profile(question_of(request, {}).profile);
  if (!profile) return error_response(profile.error());
  const std::string sql = request.parameter("sql");
  if (sql.empty()) {
    return text_response(200, "application/json", query_schema_json(**profile), accepts_gzip(request.accept_encoding));
  }
  const auto compute = [&] {
    const SqlLimits limits{.memory = memory_per_query(engine.loader().memory()), .stop = request.client_has_left};
    const Result<Report> report = query_report(**profile, sql, limits);
    return report ? formatted_response(*report, request, *format) : error_response(report.error());
  };
  if (!answers_alike(sql)) return compute();
  static QueryCache cache;  // its answers are distinguished by their profiles
  const std::string packed = accepts_gzip(request.accept_encoding) ? "gzip" : "";
  return cache.answer(*profile, packed + '\n' + request.parameter("format") + '\n' + request.parameter("table") + '\n' + sql,
                      request.client_has_left, compute);
}

constexpr std::size_t kLongestField = 1000;
constexpr std::size_t kMostPoints = 1'500'000;  // of all logs of a form

// Losses of logs that the page sends: a form whose fields `loss_tag` and `iteration_tag` are for the files `log` after them, and
// `base` and `compared` (numbers of logs, from 1) for all. The logs are read while they arrive; only the points are kept, until
// the answer is made.
class LossForm {
 public:
  void begin(const std::string& name, const std::string& file_name) {
    end_part();
    field_ = name;
    text_.clear();
    if (name == "log" && logs_.size() <= kMostLossLogs) reader_.emplace(file_name, tags_);  // one too many is refused
  }

  void add(std::string_view bytes) {
    if (reader_) {
      has_room_ &= points_ + reader_->points() <= kMostPoints;
      if (has_room_) reader_->add(bytes);
    } else {
      text_.append(bytes.substr(0, kLongestField - std::min(kLongestField, text_.size())));
    }
  }

  Result<Report> report() {
    end_part();
    if (logs_.size() > kMostLossLogs)
      return Error{ErrorCode::invalid_argument, say("at most {} logs are compared", kMostLossLogs), ""};
    const Result<std::size_t> base = number_of_log("base", base_), compared = number_of_log("compared", compared_);
    if (!base) return base.error();
    if (!compared) return compared.error();
    if (points_ > kMostPoints)
      return Error{ErrorCode::invalid_argument, say("the logs have more than {} points", kMostPoints), ""};
    return loss_report(logs_, *base, *compared);
  }

 private:
  void end_part() {
    if (reader_) {
      logs_.push_back(reader_->finish());
      points_ += logs_.back().points.size();
    }
    reader_.reset();
    if (field_ == "loss_tag") tags_.loss = text_;
    if (field_ == "iteration_tag") tags_.iteration = text_;
    if (field_ == "base") base_ = text_;
    if (field_ == "compared") compared_ = text_;
    field_.clear();
  }

  static Result<std::size_t> number_of_log(const std::string& field, const std::string& text) {
    const std::optional<std::int64_t> number = whole_number<std::int64_t>(text);
    if (number && *number > 0) return static_cast<std::size_t>(*number - 1);
    return Error{ErrorCode::invalid_argument, say("{} must be the number of a log, from 1, not '{}'", field, text), ""};
  }

  LossTags tags_;
  std::vector<LossLog> logs_;
  std::optional<LossLogReader> reader_;
  std::size_t points_ = 0;  // of logs_
  bool has_room_ = true;
  std::string field_, text_, base_ = "1", compared_ = "2";
};

Result<Report> losses_answer(const Request& request) {
  if (!request.form)
    return Error{ErrorCode::invalid_argument, "send the logs as a form (multipart/form-data) with files named log", ""};
  LossForm form;
  const bool whole = request.form([&](const std::string& name, const std::string& file) { form.begin(name, file); },
                                  [&](std::string_view bytes) { form.add(bytes); });
  if (!whole) return Error{ErrorCode::invalid_argument, "the form with the logs ended too early, or is larger than 1 GiB", ""};
  return form.report();
}

Response losses_response(const Request& request) {
  const Result<ReportFormat> format = format_of(request);
  if (!format) return error_response(format.error());
  const Result<Report> report = losses_answer(request);
  if (!report) return error_response(report.error());
  return formatted_response(*report, request, *format);
}

const WebAsset* find_asset(std::string_view wanted) {
  const std::span<const WebAsset> assets = web_assets();
  const auto found = std::lower_bound(assets.begin(), assets.end(), wanted,
                                      [](const WebAsset& asset, std::string_view p) { return asset.path < p; });
  return found != assets.end() && found->path == wanted ? &*found : nullptr;
}

// The page requests its files beside itself, so it is answered at the top only. The way up is relative: the whole
// interface may be below a path of a proxy.
Response redirect_to_top(const Request& request) {
  std::string location;
  for (auto depth = std::count(request.path.begin(), request.path.end(), '/'); depth > 1; --depth) location += "../";
  if (!request.query.empty()) location += "?" + request.query;
  Response response = text_response(302, "text/plain", "", false);
  response.headers.emplace_back("Location", std::move(location));
  return response;
}

// /profile/NAME, with the name that `view --ingest-only` prints: redirects to the page of that profile.
Response profile_response(const Answers& answers, const Request& request) {
  const std::string name = request.path.substr(kProfilePath.size());
  const std::optional<ProfileSelector> found = answers.named(name);
  if (!found) return error_answer(404, "not_found", say("no profile has the name '{}'", name));
  Response response = text_response(302, "text/plain", "", false);
  response.headers.emplace_back("Location", "../" + place_query(*found));
  return response;
}

Response asset_response(const Request& request) {
  const std::string_view path = std::string_view(request.path).substr(request.path.empty() ? 0 : 1);
  const WebAsset* asset = find_asset(path);
  if (asset == nullptr && path.find('/') != std::string_view::npos && !path.starts_with("assets/"))
    return redirect_to_top(request);
  if (asset == nullptr && path.find('.') == std::string_view::npos) asset = find_asset("index.html");
  if (asset == nullptr) return error_answer(404, "not_found", say("no such file: {}", request.path));
  Response response{.status = 200, .content_type = std::string(asset->content_type), .body = {}, .headers = {}};
  const bool hashed_name = asset->path.starts_with("assets/");
  response.headers.emplace_back("Cache-Control", hashed_name ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("ETag", asset->etag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (request.if_none_match.find(asset->etag) != std::string::npos) {
    response.status = 304;
    response.body = std::make_shared<const std::string>();
  } else if (accepts_gzip(request.accept_encoding)) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = std::make_shared<const std::string>(reinterpret_cast<const char*>(asset->gzip.data()), asset->gzip.size());
  } else {
    response.body = std::make_shared<const std::string>(gzip_unpack(asset->gzip));
  }
  return response;
}

// The methods of a path, as a sentence and as the Allow header.
struct Methods {
  std::string_view sentence = "this route takes GET only";
  std::string_view allow = "GET, HEAD";
};

Methods methods_of(std::string_view path) {
  if (path == "/api/markers") return {"this route takes GET, PUT and DELETE only", "GET, HEAD, PUT, DELETE"};
  if (path == "/api/capture") return {"this route takes GET, PUT and DELETE only", "GET, HEAD, PUT, DELETE"};
  if (path == "/api/losses" || path == "/api/uploads" || path == kAgentPath) return {"this route takes POST only", "POST"};
  if (path == "/api/open") return {"this route takes GET and POST only", "GET, HEAD, POST"};
  if (path.starts_with(kUploadPath)) return {"this route takes PUT and DELETE only", "PUT, DELETE"};
  return {};
}

bool method_allowed(const Request& request) {
  std::string_view allowed = methods_of(request.path).allow;
  while (!allowed.empty()) {
    const std::string_view method = allowed.substr(0, allowed.find(','));
    if (method == request.method) return true;
    allowed.remove_prefix(std::min(allowed.size(), method.size() + 2));
  }
  return false;
}

Response refuse_method(const Request& request) {
  const Methods methods = methods_of(request.path);
  Response response = error_answer(405, "method", methods.sentence);
  response.headers.emplace_back("Allow", methods.allow);
  return response;
}

Response open_response(const Request& request, OpenService* open) {
  if (open == nullptr && request.path == "/api/open" && request.method != "POST")
    return text_response(200, "application/json", R"({"files":false,"paths":false,"room":0,"uploads":[],"recent":[]})", false);
  if (open == nullptr) return error_answer(404, "not_found", "opening profiles from the page is off (--no-add)");
  Result<std::string> body = open->answer(request);
  if (!body) return error_response(body.error());
  return text_response(200, "application/json", *std::move(body), accepts_gzip(request.accept_encoding));
}

// The stateless revision of the protocol gives its errors a status; older ones do so only where there is no message.
int status_of(const RpcReply& reply, bool stateless) {
  if (!reply.error || !stateless) return 200;
  return *reply.error == RpcCode::method_not_found ? 404 : 400;
}

// One message of the Model Context Protocol, answered as JSON without a session.
Response agent_response(const Request& request, const Agent* agent) {
  if (agent == nullptr) return error_answer(404, "not_found", "tools for agents are off");
  const auto reply_with = [](int status, std::string text) {
    return text_response(status, "application/json", std::move(text), false);
  };
  if (std::string_view(request.content_type).substr(0, request.content_type.find_first_of("; ")) != "application/json")
    return error_answer(415, "invalid_argument", "a message has Content-Type: application/json");
  const auto parsed = parse_message(request.body);
  if (const auto* const fault = std::get_if<RpcFault>(&parsed)) return reply_with(400, rpc_error(*fault).text);
  const auto* const message = std::get_if<RpcMessage>(&parsed);
  if (message == nullptr || message->id.empty()) return reply_with(202, "");
  std::optional<RpcReply> reply = header_fault(*message, {request.mcp_version, request.mcp_method, request.mcp_name});
  if (reply) return reply_with(400, std::move(reply->text));
  reply = answer_message(*agent, *message, request.client_has_left);
  const int status = status_of(*reply, is_stateless(*message));
  return reply_with(status, std::move(reply->text));
}

Response route(const Engine& engine, const Request& request, const Services& services) {
  if (request.path == kAgentPath) return agent_response(request, services.agent);
  if (request.path == "/api/state") {
    return text_response(200, "application/json", state_json(engine, SIGHTLINE_VERSION), accepts_gzip(request.accept_encoding));
  }
  if (request.path == "/api/report") return report_response(engine.answers(), request);
  if (request.path == "/api/table") return table_response(engine.answers(), request);
  if (request.path == "/api/query") return query_response(engine, request);
  if (request.path == "/api/losses") return losses_response(request);
  if (request.path == "/api/markers") {
    Result<std::string> markers = markers_answer(engine.answers(), engine.markers(), request);
    if (!markers) return error_response(markers.error());
    return text_response(200, "application/json", *std::move(markers), false);
  }
  if (request.path == "/api/capture") {
    CaptureService* const captures = services.captures;
    if (captures == nullptr && request.method == "GET")
      return text_response(200, "application/json", wire_json(SentCapture{}), false);
    if (captures == nullptr) return error_answer(404, "not_found", "recording from the page is off (--no-capture)");
    Result<std::string> state = captures->answer(request);
    if (!state) return error_response(state.error());
    return text_response(200, "application/json", *std::move(state), false);
  }
  if (request.path == "/api/open" || request.path == "/api/uploads" || request.path.starts_with(kUploadPath))
    return open_response(request, services.open);
  auto drawn = timeline_answer(engine.answers(), request);
  if (!drawn) drawn = rank_answer(engine.answers(), request);
  if (drawn) {
    if (!*drawn) return error_response(drawn->error());
    Response response =
        text_response(200, (**drawn).content_type, std::move((**drawn).body), accepts_gzip(request.accept_encoding));
    if (!(**drawn).file_name.empty())
      response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + (**drawn).file_name + "\"");
    return response;
  }
  if (request.path.starts_with("/api/")) {
    return error_answer(
        404, "not_found",
        "no such route; available: /api/state, /api/report, /api/table, /api/query, /api/timeline, /api/tiles, /api/counters, "
        "/api/flows, /api/slice, /api/search, /api/export, /api/markers, /api/ranks, /api/rank_tiles, /api/rank_collective, "
        "/api/losses, /api/capture, "
        "/api/open, /api/uploads");
  }
  if (request.path.starts_with(kProfilePath)) return profile_response(engine.answers(), request);
  return asset_response(request);
}

// What a user without the token can do.
std::string way_in(const Access& access) {
  std::string text =
      "\nThis server answers only requests with its token. The address that it printed when it started holds the token:\n"
      "open that address once, and this browser keeps the token.\n";
  if (!access.see_address.empty()) {
    text += "\nTo see the address again, run this command on the server's machine, as the user who started the server:\n\n    " +
            access.see_address + "\n";
  }
  return text + "\nThrough a tunnel, replace the port in that address by the port of the tunnel.\n";
}

// Text for a user who opens the page, JSON for a script.
Response refused_response(const Access& access, const Request& request, const Refusal& refused) {
  if (request.path.starts_with("/api/") || request.path == kAgentPath) {
    const bool again = refused.for_want_of_token && !access.see_address.empty();
    return error_answer(403, "refused",
                        again ? say("{}; to see it again, run: {}", refused.why, access.see_address) : refused.why);
  }
  const std::string more = refused.for_want_of_token ? way_in(access) : "";
  return text_response(403, "text/plain; charset=utf-8", "Sightline: " + refused.why + "\n" + more, false);
}

bool opens_page(const Request& request) { return request.method == "GET" && !request.path.starts_with("/api/"); }

// Redirects from an address with the token to the same address without it, so that no copied address, bookmark or browser history
// holds the token. The location is relative, because a proxy may serve the page below another path.
Response without_token(const Access& access, const Request& request) {
  std::string location = "./" + query_escaped(request.path.substr(request.path.rfind('/') + 1));
  char before = '?';
  for (const auto& [key, value] : request.parameters) {
    if (key == "token") continue;
    location += before + query_escaped(key) + "=" + query_escaped(value);
    before = '&';
  }
  Response response = text_response(302, "text/plain", "", false);
  response.headers.emplace_back("Location", std::move(location));
  response.headers.emplace_back("Set-Cookie", token_cookie(access, request));
  return response;
}

}  // namespace

Work work_of(const Request& request) {
  const std::string_view path = request.path;
  if (path.starts_with(kUploadPath) && request.method == "PUT") return Work::upload;
  if (path == "/api/query" || path == kAgentPath) return Work::query;
  if (path == "/api/losses") return Work::form;
  const bool quick = !path.starts_with("/api/") || path == "/api/state" || path == "/api/markers" || path == "/api/capture";
  return quick ? Work::quick : Work::view;
}

std::optional<Response> refuse(const Access& access, const Request& request) {
  if (const std::optional<Refusal> refused = refusal(access, request)) {
    const bool once = refused->for_want_of_token && opens_page(request) && access.once != nullptr &&
                      access.once->take(request.parameter("token"));
    return once ? without_token(access, request) : refused_response(access, request, *refused);
  }
  if (!method_allowed(request)) return refuse_method(request);
  return std::nullopt;
}

Response answer(const Engine& engine, const Access& access, const Request& request, const Services& services) {
  if (std::optional<Response> refused = refuse(access, request)) return *std::move(refused);
  if (opens_page(request) && token_in_query(access, request)) return without_token(access, request);
  return route(engine, request, services);
}

}  // namespace sightline::server
