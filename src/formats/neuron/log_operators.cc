// The operators' files of the TensorBoard plugin's log: {"ops": [{...}, ...], "total_time": N}, of the framework's operators
// or of those of the compiled program. The names of a row's members are not documented, so each is accepted in the spellings
// that the plugin's columns suggest; members that match none are named in the problems. A framework's operator has no
// operator of its own in the program: it covers all that it was compiled to.
#include "formats/neuron/log_operators.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/input_file.h"
#include "formats/common/decimal.h"
#include "formats/tables/json_rows.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

using namespace json_rows;

namespace {

namespace dom = simdjson::dom;

enum class Member { name, calls, device, core, time, fused, opcode, category, shape, known };

struct Spelling {
  std::string_view text;  // as folded() makes it
  Member member;
  double ns = 1;  // of a time: how long its unit is
};

// The last ones are the plugin's own arithmetic, which the views repeat.
constexpr Spelling kSpellings[] = {
    {"name", Member::name},
    {"op", Member::name},
    {"opname", Member::name},
    {"operator", Member::name},
    {"operatorname", Member::name},
    {"hloname", Member::name},
    {"hloop", Member::name},
    {"hloopname", Member::name},
    {"frameworkop", Member::name},
    {"frameworkopname", Member::name},
    {"occurrences", Member::calls},
    {"occurrence", Member::calls},
    {"numoccurrences", Member::calls},
    {"count", Member::calls},
    {"calls", Member::calls},
    {"device", Member::device},
    {"deviceid", Member::device},
    {"neurondevice", Member::device},
    {"neurondeviceid", Member::device},
    {"ndidx", Member::device},
    {"core", Member::core},
    {"coreid", Member::core},
    {"neuroncore", Member::core},
    {"neuroncoreid", Member::core},
    {"ncidx", Member::core},
    {"time", Member::time},
    {"timens", Member::time},
    {"totaltime", Member::time},
    {"totaltimens", Member::time},
    {"duration", Member::time},
    {"durationns", Member::time},
    {"timeus", Member::time, 1e3},
    {"totaltimeus", Member::time, 1e3},
    {"durationus", Member::time, 1e3},
    {"fused", Member::fused},
    {"fusedops", Member::fused},
    {"fusedoperators", Member::fused},
    {"fusednames", Member::fused},
    {"opcode", Member::opcode},
    {"hloopcode", Member::opcode},
    {"category", Member::category},
    {"opcategory", Member::category},
    {"shape", Member::shape},
    {"outputshape", Member::shape},
    {"timepercent", Member::known},
    {"timepercentage", Member::known},
    {"percent", Member::known},
    {"percentage", Member::known},
};

// "Time (ns)" -> "timens", "Time %" -> "timepercent", "op_name" -> "opname".
std::string folded(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') text += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
    if (c == '%') text += "percent";
  }
  return text;
}

const Spelling* spelling_of(std::string_view key) {
  const std::string text = folded(key);
  const auto* found =
      std::find_if(std::begin(kSpellings), std::end(kSpellings), [&](const Spelling& s) { return s.text == text; });
  return found == std::end(kSpellings) ? nullptr : found;
}

std::string text_of(dom::element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return value.is_null() ? "" : std::string(simdjson::minify(value));
}

// A number, or a text that is a number; nothing for anything else.
std::optional<double> number_of(dom::element value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? parse_real(text) : std::nullopt;
}

// 2, "2" and "NeuronDevice 2" -> 2.
std::int64_t ordinal_of(dom::element value) {
  const std::string text = text_of(value);
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  return parse_integer(std::string_view(text).substr(digits)).value_or(kUnknown);
}

// A whole number, else unknown. A number larger than any count or time of a recording (11 days) is damage, so sums do not
// overflow.
std::int64_t whole(std::optional<double> number, double unit = 1) {
  constexpr double kMost = 1e15;
  if (!number || !(*number >= 0) || !(*number * unit < kMost)) return kUnknown;
  return std::llround(*number * unit);
}

// A list of names, or one text of names separated by commas.
std::vector<std::string> names_of(dom::element value) {
  std::vector<std::string> names;
  dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    for (const dom::element each : list) names.push_back(text_of(each));
  } else {
    const std::string text = text_of(value);
    for (std::size_t first = 0; first <= text.size();) {
      const std::size_t comma = std::min(text.find(',', first), text.size());
      names.push_back(text.substr(first, comma - first));
      first = comma + 1;
    }
  }
  for (std::string& name : names) {
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
  }
  std::erase(names, "");
  return names;
}

struct OperatorRow {
  std::string name, opcode, category, shape, core;
  std::int64_t calls = kUnknown, device = kUnknown;
  Time total = kUnknown;
  std::vector<std::string> fused;
};

class Operators {
 public:
  Operators(LogOperators kind, Profile& profile) : kind_(kind), p_(profile) {}

  void take(std::string& text, std::int64_t offset) {
    ++rows_;
    dom::object object;
    OperatorRow row;
    if (parser_.parse(text.data(), text.size(), false).get(object) == simdjson::SUCCESS) read(object, row);
    if (row.name.empty()) {
      if (unusable_++ == 0) first_unusable_ = offset;
      return;
    }
    add(row);
  }

  void take_total(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    stated_total_ = whole(parse_real(text));
  }

  void report(const std::string& file_name) const {
    if (unusable_ > 0) {
      p_.add_problem(Severity::warning, "unusable_rows", say("{}: rows of operators without a name", file_name), unusable_,
                     first_unusable_);
    }
    if (!strange_.empty()) {
      std::string names;
      for (const std::string& name : strange_) names += (names.empty() ? "" : ", ") + name;
      p_.add_problem(Severity::note, "unknown_members",
                     say("{}: members of operators that are not understood: {}", file_name, names),
                     static_cast<std::int64_t>(strange_.size()), 0);
    }
    if (stated_total_ != kUnknown && !untimed_ && stated_total_ != sum_) {
      p_.add_problem(Severity::note, "other_total",
                     say("{}: the file states a total time of {} ns; the times of its operators sum to {} ns", file_name,
                         stated_total_, sum_),
                     1, 0);
    }
  }

  std::int64_t rows() const { return rows_; }

 private:
  void read(dom::object object, OperatorRow& row) {
    for (const auto& [key, value] : object) {
      const Spelling* spelling = spelling_of(key);
      if (spelling == nullptr) {
        strange_.insert(std::string(key));
        continue;
      }
      switch (spelling->member) {
        case Member::name: row.name = text_of(value); break;
        case Member::calls: row.calls = whole(number_of(value)); break;
        case Member::device: row.device = ordinal_of(value); break;
        case Member::core: row.core = core_of(value); break;
        case Member::time: row.total = whole(number_of(value), spelling->ns); break;
        case Member::fused: row.fused = names_of(value); break;
        case Member::opcode: row.opcode = text_of(value); break;
        case Member::category: row.category = text_of(value); break;
        case Member::shape: row.shape = text_of(value); break;
        case Member::known: break;
      }
    }
  }

  // "NeuronCore 1" and 1 -> "1"
  static std::string core_of(dom::element value) {
    const std::int64_t number = ordinal_of(value);
    return number == kUnknown ? text_of(value) : std::to_string(number);
  }

  StringId intern(const std::string& text) { return text.empty() ? StringId::none : p_.strings.intern(text); }

  void set_name(Row row, const std::string& name) {
    (kind_ == LogOperators::framework ? p_.program_operators.framework_operator : p_.program_operators.name)[row] = intern(name);
  }

  // The same operator has one row per core.
  Row operator_of(const OperatorRow& about) {
    const auto [at, is_new] = operators_.try_emplace({about.name, about.opcode, about.fused}, kNoRow);
    if (!is_new) return at->second;
    ProgramOperators& all = p_.program_operators;
    const Row row = add_unknown_row(all);
    set_name(row, about.name);
    all.opcode[row] = intern(about.opcode);
    all.category[row] = intern(about.category);
    all.shape[row] = intern(about.shape);
    for (const std::string& member : about.fused) {
      const Row part = add_unknown_row(all);
      set_name(part, member);
      all.fused_into[part] = row;
    }
    return at->second = row;
  }

  void add(const OperatorRow& row) {
    ReportedProgramWork& all = p_.reported_program_work;
    all.program_operator.push_back(operator_of(row));
    all.device.push_back(row.device);
    all.core.push_back(intern(row.core));
    all.calls.push_back(row.calls);
    all.total.push_back(row.total);
    if (row.total == kUnknown) {
      untimed_ = true;
    } else {
      sum_ += row.total;
    }
  }

  LogOperators kind_;
  Profile& p_;
  dom::parser parser_;
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, Row> operators_;
  std::set<std::string> strange_;
  std::int64_t rows_ = 0, unusable_ = 0, first_unusable_ = 0;
  Time sum_ = 0, stated_total_ = kUnknown;
  bool untimed_ = false;
};

}  // namespace

Result<bool> add_log_operators(const std::string& file, LogOperators kind, ReadProgress* progress, Profile& profile) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(file);
  if (!source) return source.error();
  ByteStream in(**source, file, progress);
  const std::string file_name = std::filesystem::path(file).filename().string();
  Operators operators(kind, profile);
  const bool whole = for_each_row(
      in,
      [&](const std::string& section, std::string& row, std::int64_t offset) {
        if (section == "ops") operators.take(row, offset);
      },
      [&](const std::string& name, const std::string& text) {
        if (name == "total_time") operators.take_total(text);
      });
  operators.report(file_name);
  profile.events += operators.rows();
  if (in.failed() && operators.rows() == 0) return in.error();
  if (in.failed()) {
    profile.add_problem(Severity::error, "malformed", say("{}; the operators before it were read", in.error().to_string()), 1,
                        in.position());
  } else if (!whole) {
    const auto with_cause = [&](const char* what) {
      return (*source)->damage() ? say("{} ({cause})", what, *(*source)->damage()) : what;
    };
    if (operators.rows() == 0)
      return Error{ErrorCode::malformed, with_cause("the file ends before its first operator"),
                   file + ":" + std::to_string(in.position())};
    profile.add_problem(
        Severity::error, "truncated",
        say("{}: {}", file_name, with_cause("the file ends before its list of operators does; those before it were read")), 1,
        in.position());
  }
  return true;
}

}  // namespace sightline::formats::neuron
