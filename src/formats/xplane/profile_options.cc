// profile_options: a table of fields; docs/formats/xplane.md, "The wire format".
#include "formats/xplane/profile_options.h"

#include <fmt/core.h>

#include <map>

#include "base/text.h"
#include "formats/binary/proto_span.h"

namespace sightline::formats::xplane {

namespace {

enum class Kind { number, flag, text, device, trace_options, advanced };
struct Option {
  std::string_view name;
  Kind kind;
  bool always = false;
};

// By number of field; 5, the version of the message, tells nobody anything.
const std::map<unsigned, Option>& options() {
  static const std::map<unsigned, Option> all{{1, {"include_dataset_ops", Kind::flag}},
                                              {2, {"host_tracer_level", Kind::number, true}},
                                              {3, {"device_tracer_level", Kind::number, true}},
                                              {4, {"python_tracer_level", Kind::number, true}},
                                              {6, {"device_type", Kind::device}},
                                              {7, {"enable_hlo_proto", Kind::flag, true}},
                                              {8, {"start_timestamp_ns", Kind::number}},
                                              {9, {"duration_ms", Kind::number}},
                                              {10, {"repository_path", Kind::text}},
                                              {11, {"trace_options", Kind::trace_options}},
                                              {12, {"advanced_configuration", Kind::advanced}},
                                              {13, {"raise_error_on_start_failure", Kind::flag}},
                                              {14, {"session_id", Kind::text}},
                                              {15, {"override_hostname", Kind::text}},
                                              {16, {"jax_version", Kind::text}},
                                              {17, {"jaxlib_version", Kind::text}}};
  return all;
}

std::string flag_text(bool flag) { return flag ? "true" : "false"; }

std::string device_text(std::uint64_t type) {
  constexpr std::string_view kTypes[] = {"unspecified", "CPU", "GPU", "TPU", "pluggable"};
  return type < std::size(kTypes) ? std::string(kTypes[type]) : fmt::format("{}", type);
}

// Of a map entry: its key, and a value that is a text, a flag or a number.
std::pair<std::string, std::string> advanced_option(ProtoSpan entry) {
  std::pair<std::string, std::string> option;
  while (entry.next()) {
    if (entry.field() == 1) option.first = to_utf8(entry.bytes());
    if (entry.field() != 2) continue;
    for (ProtoSpan value = entry.message(); value.next();) {
      if (value.field() == 1) option.second = to_utf8(value.bytes());
      if (value.field() == 2) option.second = flag_text(value.unsigned_integer() != 0);
      if (value.field() == 3) option.second = fmt::format("{}", value.integer());
    }
  }
  return option;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> profile_options(std::string_view message) {
  std::map<unsigned, std::string> said;
  std::vector<std::pair<std::string, std::string>> advanced;
  for (ProtoSpan field(message); field.next();) {
    const auto option = options().find(field.field());
    if (option == options().end()) continue;
    std::string& value = said[field.field()];
    switch (option->second.kind) {
      case Kind::number: value = fmt::format("{}", field.unsigned_integer()); break;
      case Kind::flag: value = flag_text(field.unsigned_integer() != 0); break;
      case Kind::text: value = to_utf8(field.bytes()); break;
      case Kind::device: value = device_text(field.unsigned_integer()); break;
      case Kind::trace_options:
        for (ProtoSpan of = field.message(); of.next();) {
          if (of.field() == 1) value = fmt::format("host_traceme_filter_mask={:#x}", of.unsigned_integer());
        }
        break;
      case Kind::advanced: advanced.push_back(advanced_option(field.message())); break;
    }
  }
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [number, option] : options()) {
    const auto value = said.find(number);
    if (option.kind == Kind::advanced) {
      for (auto& [key, text] : advanced) all.emplace_back(fmt::format("{}.{}", option.name, key), std::move(text));
    } else if (value != said.end()) {
      all.emplace_back(option.name, value->second);
    } else if (option.always) {
      all.emplace_back(option.name, option.kind == Kind::flag ? flag_text(false) : "0");
    }
  }
  return all;
}

}  // namespace sightline::formats::xplane
