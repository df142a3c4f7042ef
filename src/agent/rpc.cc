// Messages, checked member by member.
#include "agent/rpc.h"

#include "base/json_writer.h"

namespace sightline::agent {

std::optional<std::string> id_text(simdjson::dom::element id) {
  if (!id.is_string() && !id.is_int64() && !id.is_uint64()) return std::nullopt;
  std::string text;
  if (id.is_string()) {
    base::append_json_string(text, std::string_view(id));
  } else {
    text = simdjson::minify(id);
  }
  return text;
}

std::variant<RpcMessage, RpcFault, std::monostate> parse_message(std::string_view text) {
  if (text.size() > kMostMessageBytes)
    return RpcFault{"null", RpcCode::parse_error, "the message is longer than " + std::to_string(kMostMessageBytes) + " bytes"};
  const auto parser = std::make_shared<simdjson::dom::parser>();
  simdjson::dom::element root;
  if (const simdjson::error_code error = parser->parse(text.data(), text.size()).get(root); error != simdjson::SUCCESS)
    return RpcFault{"null", RpcCode::parse_error, std::string("no valid JSON: ") + simdjson::error_message(error)};
  if (root.is_array()) return RpcFault{"null", RpcCode::invalid_request, "a message is an object; batches are not supported"};
  simdjson::dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return RpcFault{"null", RpcCode::invalid_request, "a message is an object"};

  RpcMessage message{.memory = parser, .id = {}, .method = {}, .params = {}};
  simdjson::dom::element member;
  std::string_view method;
  const bool has_method = object["method"].get(method) == simdjson::SUCCESS;
  const bool has_id = object["id"].get(member) == simdjson::SUCCESS;
  if (!has_method && has_id && (object["result"].error() == simdjson::SUCCESS || object["error"].error() == simdjson::SUCCESS))
    return std::monostate{};
  if (has_id) {
    const std::optional<std::string> id = id_text(member);
    if (!id) return RpcFault{"null", RpcCode::invalid_request, "an id is a string or an integer"};
    message.id = *id;
  }
  const auto fault = [&](const char* why) {
    return RpcFault{message.id.empty() ? "null" : message.id, RpcCode::invalid_request, why};
  };
  std::string_view version;
  if (object["jsonrpc"].get(version) != simdjson::SUCCESS || version != "2.0") return fault("the member jsonrpc is \"2.0\"");
  if (!has_method) return fault("the member method is a string");
  message.method = method;
  if (object["params"].get(member) == simdjson::SUCCESS) {
    simdjson::dom::object params;
    if (member.get(params) != simdjson::SUCCESS) return fault("the member params is an object");
    message.params = params;
  }
  return message;
}

RpcReply rpc_result(std::string_view id, std::string_view result) {
  return {std::string(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":)").append(result).append("}")};
}

RpcReply rpc_error(std::string_view id, RpcCode code, std::string_view message, std::string_view data) {
  std::string out = std::string(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"error":{"code":)");
  out += std::to_string(static_cast<int>(code)) + ",\"message\":";
  base::append_json_string(out, message);
  if (!data.empty()) out.append(",\"data\":").append(data);
  return {out + "}}", code};
}

}  // namespace sightline::agent
