// What ranges mean to a library and to graphs: arguments of collectives, and launches of graphs.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>

#include "formats/common/collectives.h"
#include "formats/common/named_ranges.h"
#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

namespace {

// Domains of libraries, whose ranges are calls and not parts of the program.
constexpr std::array<std::string_view, 12> kLibraries = {"NCCL",     "cuBLAS",  "cuDNN", "CCCL",    "cuFFT",     "cuSPARSE",
                                                         "cuSOLVER", "NVSHMEM", "UCX",   "libcudf", "libkvikio", "nvJPEG"};

bool is_library(std::string_view domain) {
  return std::any_of(kLibraries.begin(), kLibraries.end(), [&](std::string_view library) { return domain.starts_with(library); });
}

std::set<Row> ranges_of_libraries(const Profile& p) {
  std::set<Row> slices;
  const StringId domain = p.strings.find(kDomainFact);
  if (domain == StringId::none) return slices;
  for (Row fact = 0; fact < p.work_facts.rows(); ++fact) {
    if (p.work_facts.name[fact] == domain && is_library(p.text(p.work_facts.text[fact]))) slices.insert(p.work_facts.slice[fact]);
  }
  return slices;
}

}  // namespace

void find_steps_and_modules(Profile& profile) {
  mark_steps(profile);
  mark_modules(profile, ranges_of_libraries(profile));
}

// ---- graphs ----

void add_graph_launches(const Report& report, Profile& p) {
  std::unordered_map<std::int64_t, std::int64_t> graph_of;  // by call
  for (const GraphOfWork& work : report.graphs) graph_of.try_emplace(work.correlation, work.graph);
  std::unordered_map<Row, std::int64_t> works;  // by launch
  for (const Row launch : p.device_work.launch) works[launch] += launch != kNoRow ? 1 : 0;
  std::unordered_map<StringId, bool> is_launch;
  for (Row launch = 0; launch < p.launches.rows(); ++launch) {
    const StringId name = p.slices.name[p.launches.slice[launch]];
    const auto [at, is_new] = is_launch.try_emplace(name, false);
    if (is_new) at->second = p.text(name).starts_with("cudaGraphLaunch") || p.text(name).starts_with("cuGraphLaunch");
    if (!at->second) continue;
    const Row row = add_unknown_row(p.graph_launches);
    const auto graph = graph_of.find(p.launches.correlation[launch]);
    const auto count = works.find(launch);
    p.graph_launches.launch[row] = launch;
    p.graph_launches.captured[row] = kNoRow;
    p.graph_launches.works[row] = count == works.end() ? 0 : count->second;
    if (graph != graph_of.end()) p.graph_launches.graph[row] = graph->second;
    p.graph_launches.match[row] = count == works.end() ? GraphMatch::not_recorded : GraphMatch::no_capture;
  }
}

// ---- collectives ----

namespace {

// What the payload of a range of NCCL states, under the names that its schema has.
struct Arguments {
  std::int64_t bytes = kUnknown, communicator = kUnknown, ranks = kUnknown;
};

Arguments arguments_of(std::string_view json) {
  Arguments found;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object members;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return found;
  if (root.get(members) != simdjson::SUCCESS) return found;
  const auto number = [&](std::string_view key) {
    std::int64_t value = 0;
    std::uint64_t large = 0;
    if (members[key].get(value) == simdjson::SUCCESS) return value;
    return members[key].get(large) == simdjson::SUCCESS ? static_cast<std::int64_t>(large) : kUnknown;
  };
  found.bytes = number("Message size [bytes]");
  found.communicator = number("NCCL communicator ID");
  found.ranks = number("No. of ranks");
  return found;
}

std::unordered_map<Row, Arguments> arguments_of_ranges(const Profile& p) {
  std::unordered_map<Row, Arguments> found;
  const StringId payload = p.strings.find("Payload");
  if (payload == StringId::none) return found;
  for (Row fact = 0; fact < p.work_facts.rows(); ++fact) {
    const StringId text = p.work_facts.text[fact];
    if (p.work_facts.name[fact] != payload || text == StringId::none) continue;
    const Row slice = p.work_facts.slice[fact];
    if (collective_kind(p.text(p.slices.name[slice])) != CollectiveKind::unknown) found[slice] = arguments_of(p.text(text));
  }
  return found;
}

}  // namespace

void describe_collectives(Profile& p) {
  const std::unordered_map<Row, Arguments> known = arguments_of_ranges(p);
  if (known.empty()) return;
  Row work = 0;
  for (Row i = 0; i < p.collectives.rows(); ++i) {
    while (work < p.device_work.rows() && p.device_work.slice[work] < p.collectives.slice[i]) ++work;
    if (work == p.device_work.rows() || p.device_work.slice[work] != p.collectives.slice[i]) continue;
    Row range = p.device_work.owner[work];
    while (range != kNoRow && !known.contains(range)) range = p.slices.parent[range];
    if (range == kNoRow) continue;
    const Arguments& arguments = known.at(range);
    Collectives& c = p.collectives;
    if (c.in_bytes[i] == kUnknown && arguments.bytes >= 0) c.in_bytes[i] = arguments.bytes;
    if (c.group_size[i] == kUnknown && arguments.ranks > 0) c.group_size[i] = arguments.ranks;
    if (c.group[i] == StringId::none && arguments.communicator != kUnknown) {
      c.group[i] = p.strings.intern(std::to_string(arguments.communicator));
    }
  }
}

}  // namespace sightline::formats::nsys
