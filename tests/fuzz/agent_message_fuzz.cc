// Fuzzes what an agent sends to `sightline mcp`: the input is one message, JSON-RPC or not. Every message gets one line of JSON
// with its id, or nothing if it is a notification or a response; arguments of a call are bound, but the tool is not run, because
// it could read any path.
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/answer.h"
#include "agent/mcp.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

namespace {

using namespace sightline::agent;
using sightline::tests::require;

void check_line(const std::string& line) {
  require(line.find('\n') == line.npos, "a message is one line");
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  require(parser.parse(line).get(object) == simdjson::SUCCESS, "an answer is a JSON object");
  require(object["jsonrpc"].error() == simdjson::SUCCESS && object["id"].error() == simdjson::SUCCESS, "an answer has an id");
  require((object["result"].error() == simdjson::SUCCESS) != (object["error"].error() == simdjson::SUCCESS),
          "an answer is a result or an error");
}

void bind_arguments(const RpcMessage& message) {
  std::string_view name;
  simdjson::dom::element given;
  if (!message.params || (*message.params)["name"].get(name) != simdjson::SUCCESS) return;
  const Tool* const tool = find_tool(name);
  if (tool == nullptr || (*message.params)["arguments"].get(given) != simdjson::SUCCESS) return;
  const Result<Arguments> bound = Arguments::bind(tool->inputs, given);
  require(bound.ok() || !bound.error().message.empty(), "an error names its cause");
  if (!bound) return;
  const Result<Evidence> evidence = parse_evidence(bound->text(tool->name == "view" ? "evidence" : "path"));
  if (!evidence) return;
  const Result<Evidence> again = parse_evidence(evidence_id(*evidence));
  require(again.ok() && again->parameters == evidence->parameters && again->row == evidence->row, "an id is not its row's");
}

}  // namespace

FUZZ_TARGET(agent_message_fuzz, data, size) {
  static Engine engine;
  static const Agent agent(engine, {});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_message(text);
  const auto* const message = std::get_if<RpcMessage>(&parsed);
  if (const auto* const fault = std::get_if<RpcFault>(&parsed)) {
    check_line(rpc_error(*fault).text);
  } else if (message != nullptr && message->method == "tools/call") {
    bind_arguments(*message);
  } else if (message != nullptr) {
    if (const std::optional<RpcReply> reply = answer_message(agent, *message)) check_line(reply->text);
  }
  return 0;
}
