// The state of an engine on the wire: what is loaded and how far, and which views each profile can have.
// docs/http.md describes it.
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "engine/engine.h"

namespace sightline::output {

std::string state_json(const Engine& engine, std::string_view version,
                       const std::function<bool(const CaptureState&)>& shown = {});

// {"code", "message", "where"} as a JSON object.
void write_error(JsonWriter& json, const Error& error);

}  // namespace sightline::output
