// TypeScript declarations from the descriptions that the JSON is written by.
#include "output/wire.h"

#include <set>

#include "output/opening_wire.h"
#include "output/query_schema.h"
#include "output/rank_axis_json.h"
#include "output/report_wire.h"
#include "output/slice_json.h"
#include "output/state_json.h"
#include "output/tiles.h"
#include "output/timeline_json.h"

namespace sightline::output {

namespace {

std::string comment(std::string_view doc, std::string_view indent) {
  return doc.empty() ? std::string() : std::string(indent) + "/** " + std::string(doc) + " */\n";
}

// On one line where it fits.
std::string union_type(const std::string& name, const std::vector<std::string>& members) {
  constexpr std::size_t kWidth = 110;
  std::string line = "export type " + name + " =", lines = line;
  for (const std::string& member : members) {
    line += (&member == members.data() ? " " : " | ") + member;
    lines += "\n  | " + member;
  }
  return (line.size() < kWidth ? line : lines) + ";\n";
}

// The declarations, each after those that it needs.
class TypeScript {
 public:
  // The type of a member; declares it, if it has a name.
  template <typename T>
  std::string type_of();

  std::string text() const { return text_; }

 private:
  template <typename T>
  std::string declared_enum();
  template <typename T>
  std::string declared_struct();
  void declare(const std::string& name, const std::string& declaration) {
    if (names_.insert(name).second) text_ += "\n" + declaration;
  }

  std::set<std::string> names_;
  std::string text_;
};

// The Wire that turns one struct into an interface.
class TypeWire {
 public:
  explicit TypeWire(TypeScript& all) : all_(all) {}

  void type(std::string_view name, std::string_view doc = "") {
    name_ = name;
    doc_ = doc;
  }

  template <typename T>
  void must(std::string_view key, const T&, std::string_view doc = "") {
    add(key, ": " + all_.type_of<T>(), doc);
  }

  template <typename T>
  void some(std::string_view key, const T&, std::string_view doc = "") {
    if constexpr (kIsOptional<T>) {
      add(key, "?: " + all_.type_of<typename T::value_type>(), doc);
    } else {
      add(key, "?: " + all_.type_of<T>(), doc);
    }
  }

  template <typename... Kinds>
  void kind(const std::variant<Kinds...>&) {}

  template <typename... Kinds>
  void members(const std::variant<Kinds...>&) {
    kinds_ = {all_.type_of<Kinds>()...};
  }

  void messages() { add("messages", "?: Messages", "The templates and values of its texts."); }
  void remember(const std::vector<Message>&) {}

  const std::string& name() const { return name_; }

  // With the member "kind", where the struct is one of several.
  std::string declaration(std::string_view kind) const {
    const std::string tag = kind.empty() ? "" : "  kind: \"" + std::string(kind) + "\";\n";
    const std::string head = kinds_.empty() ? name_ : name_ + "Head", content = name_ + "Content";
    const std::string text = comment(doc_, "") + "export interface " + head + " {\n" + tag + members_ + "}\n";
    if (kinds_.empty()) return text;
    return text + "\n" + union_type(content, kinds_) + "\nexport type " + name_ + " = " + head + " & " + content + ";\n";
  }

 private:
  void add(std::string_view key, const std::string& type, std::string_view doc) {
    members_ += comment(doc, "  ") + "  " + std::string(key) + type + ";\n";
  }

  TypeScript& all_;
  std::string name_, doc_, members_;
  std::vector<std::string> kinds_;
};

template <typename T>
std::string TypeScript::type_of() {
  if constexpr (std::same_as<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_enum_v<T>) {
    return declared_enum<T>();
  } else if constexpr (std::integral<T> || std::same_as<T, KnownNumber>) {
    return "number";
  } else if constexpr (std::floating_point<T> || std::same_as<T, WireNumber>) {
    return "number | null";
  } else if constexpr (WireText<T> || std::same_as<T, NameOrText>) {
    return "string";
  } else if constexpr (std::same_as<T, Cell>) {
    return "Cell";
  } else if constexpr (std::same_as<T, SentCells>) {
    return "Cell[]";
  } else if constexpr (kIsOptional<T>) {
    return type_of<typename T::value_type>() + " | null";
  } else if constexpr (WireMap<T>) {
    return "Record<string, " + type_of<std::remove_cvref_t<decltype(std::declval<T>().begin()->second)>>() + ">";
  } else if constexpr (std::ranges::range<T>) {
    const std::string each = type_of<std::ranges::range_value_t<T>>();
    return each.find(' ') == std::string::npos ? each + "[]" : "(" + each + ")[]";
  } else {
    return declared_struct<T>();
  }
}

template <typename T>
std::string TypeScript::declared_enum() {
  std::vector<std::string> names;
  for (const std::string_view name : WireEnum<T>::kNames) names.push_back('"' + std::string(name) + '"');
  const std::string type(WireEnum<T>::kType);
  declare(type, union_type(type, names));
  return type;
}

template <typename T>
std::string TypeScript::declared_struct() {
  TypeWire wire(*this);
  describe(wire, T{});
  if constexpr (requires { T::kKind; }) {
    declare(wire.name(), wire.declaration(T::kKind));
  } else {
    declare(wire.name(), wire.declaration(""));
  }
  return wire.name();
}

constexpr std::string_view kHead =
    R"(// The wire: what the program sends (docs/http.md). Printed by `sightline types`: do not edit. Names and texts come from a
// trace: they are untrusted and are only put into text nodes.

/** A name or figure; a template and the values of its gaps `{}`; or several of these with `between` between them. */
export type Said = string | Said[] | { list: Said[]; between: string };

/** The templates and values of an answer's texts, by their English. */
export type Messages = Record<string, Said>;

/** Null is unknown. */
export type Cell = number | string | boolean | null;
)";

}  // namespace

std::string wire_types() {
  TypeScript types;
  types.type_of<SentReport>();
  types.type_of<SentRows>();
  types.type_of<SentState>();
  types.type_of<SentTimeline>();
  types.type_of<SliceDetail>();
  types.type_of<SentHits>();
  types.type_of<SentFlows>();
  types.type_of<SentMarkers>();
  types.type_of<SentTileHeader>();
  types.type_of<SentCounterHeader>();
  types.type_of<SentRankAxis>();
  types.type_of<SentActivityHeader>();
  types.type_of<SentCollectiveAnswer>();
  types.type_of<SentSchema>();
  types.type_of<SentCapture>();
  types.type_of<SentOpening>();
  types.type_of<SentErrorBody>();
  return std::string(kHead) + types.text();
}

}  // namespace sightline::output
