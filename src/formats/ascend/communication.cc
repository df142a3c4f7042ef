// Units: times are ms, sizes are MB of 10^6 bytes. SDMA is the sum of HCCS, PCIE and SIO, not a separate link.
#include "formats/ascend/communication.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "formats/ascend/csv_table.h"
#include "formats/ascend/json_document.h"
#include "formats/common/decimal.h"

namespace sightline::formats::ascend {

namespace {

namespace dom = simdjson::dom;

constexpr Time kApart = 1'000;  // see CollectiveSlices::take
constexpr std::array<std::string_view, 5> kLinks = {"RDMA", "HCCS", "PCIE", "SDMA", "SIO"};

// Calls take(step, key, entry) for {step: {kind: {key: entry}}}; false if the document has another form.
template <typename Take>
bool each_entry(dom::element root, StringPool& strings, Take&& take) {
  dom::object steps;
  if (root.get(steps) != simdjson::SUCCESS) return false;
  for (const auto& [step, kinds] : steps) {
    dom::object by_kind;
    if (kinds.get(by_kind) != simdjson::SUCCESS) return false;
    for (const auto& kind : by_kind) {
      dom::object entries;
      if (kind.value.get(entries) != simdjson::SUCCESS) return false;
      for (const auto& [key, value] : entries) {
        dom::object entry;
        if (value.get(entry) == simdjson::SUCCESS && key != kSumOfAll)
          take(step_named(step, strings), std::string_view(key), entry);
      }
    }
  }
  return true;
}

// "Size Distribution": {size in MB: [count, ms]}, of the transfer that was added last.
void add_packets(dom::object link, Profile& profile) {
  dom::object sizes;
  if (link["Size Distribution"].get(sizes) != simdjson::SUCCESS) return;
  Packets& all = profile.packets;
  for (const auto& [size, value] : sizes) {
    dom::array figures;
    double count = 0, time = 0;
    const std::optional<double> megabytes = parse_real(size);
    const bool known = megabytes && value.get(figures) == simdjson::SUCCESS && figures.size() == 2 &&
                       figures.at(0).get(count) == simdjson::SUCCESS && figures.at(1).get(time) == simdjson::SUCCESS;
    if (!known) continue;
    all.transfer.push_back(static_cast<Row>(profile.transfers.rows() - 1));
    all.bytes.push_back(scaled(*megabytes, kBytesOfTrafficMega));
    all.count.push_back(scaled(count, 1));
    all.duration.push_back(scaled(time, kNsOfMs));
  }
}

void note_unread_collectives(const Error& error, Profile& profile) {
  profile.add_problem(Severity::error, "unreadable_file", say("{}; its data about collectives is missing", error.to_string()), 1,
                      0);
}

void note_unknown_shape(const std::string& path, Profile& profile) {
  profile.add_problem(Severity::error, "unreadable_file",
                      say("{}: its members are not steps of collectives; the rest of it was not read", path), 1, 0);
}

}  // namespace

std::pair<std::string_view, std::string_view> name_and_group(std::string_view key) {
  const std::size_t at = key.rfind('@');
  return at == std::string_view::npos ? std::pair{key, std::string_view{}} : std::pair{key.substr(0, at), key.substr(at + 1)};
}

void add_links(dom::object entry, const CommunicationSums& sums, Row row, Profile& profile) {
  dom::object links;
  if (entry["Communication Bandwidth Info"].get(links) != simdjson::SUCCESS) return;
  const auto size = [&](std::string_view link) {
    dom::object about;
    return links[link].get(about) == simdjson::SUCCESS ? real_member(about, "Transit Size(MB)") : 0.0;
  };
  const bool parts = size("HCCS") > 0 || size("PCIE") > 0 || size("SIO") > 0;
  for (const std::string_view link : kLinks) {
    dom::object about;
    if (links[link].get(about) != simdjson::SUCCESS || (link == "SDMA" && parts)) continue;
    const double moved = real_member(about, "Transit Size(MB)"), time = real_member(about, "Transit Time(ms)");
    if (!(moved > 0) && !(time > 0)) continue;
    add_transfer({row, sums.step, sums.name, sums.group, profile.strings.intern(link), kUnknown, kUnknown,
                  scaled(moved, kBytesOfTrafficMega), scaled(time, kNsOfMs)},
                 profile.transfers);
    add_packets(about, profile);
  }
}

void add_transfer(const Transfer& transfer, Transfers& all) {
  all.communication.push_back(transfer.communication);
  all.step.push_back(transfer.step);
  all.name.push_back(transfer.name);
  all.group.push_back(transfer.group);
  all.group_ranks.push_back(StringId::none);
  all.transport.push_back(transfer.transport);
  all.source.push_back(transfer.source);
  all.target.push_back(transfer.target);
  all.bytes.push_back(transfer.bytes);
  all.duration.push_back(transfer.duration);
}

CollectiveSlices::CollectiveSlices(const Profile& profile) {
  for (const Row slice : profile.collectives.slice) {
    if (is_device_work(profile.slices.kind[slice]))
      by_name_[profile.slices.name[slice]].emplace(profile.slices.start[slice], slice);
  }
}

Row CollectiveSlices::take(StringId name, Time start) {
  const auto known = by_name_.find(name);
  if (known == by_name_.end() || known->second.empty()) return kNoRow;
  std::multimap<Time, Row>& left = known->second;
  auto nearest = start == kUnknown ? left.begin() : left.lower_bound(start);
  const auto apart = [&](auto at) { return std::abs(at->first - start); };
  if (nearest == left.end() || (nearest != left.begin() && apart(std::prev(nearest)) <= apart(nearest))) --nearest;
  if (start != kUnknown && apart(nearest) > kApart) return kNoRow;
  const Row slice = nearest->second;
  left.erase(nearest);
  return slice;
}

Row add_communication(const CommunicationSums& sums, CollectiveSlices& slices, std::int64_t origin, Profile& profile) {
  Communications& all = profile.communications;
  const Row slice = slices.take(sums.name, sums.start == kUnknown ? kUnknown : sums.start - origin);
  all.slice.push_back(slice);
  all.rank.push_back(kUnknown);
  all.step.push_back(sums.step);
  all.name.push_back(sums.name);
  all.group.push_back(sums.group);
  all.start.push_back(slice == kNoRow ? sums.start : profile.slices.start[slice] + origin);
  all.elapsed.push_back(sums.elapsed);
  all.transit.push_back(sums.transit);
  all.wait.push_back(sums.wait);
  all.synchronization.push_back(sums.synchronization);
  return static_cast<Row>(all.rows() - 1);
}

void add_communications(const std::string& path, std::size_t most_json, std::int64_t origin, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unread_collectives(document.error(), profile);
  CollectiveSlices slices(profile);
  const bool known = each_entry(document->root(), profile.strings, [&](StringId step, std::string_view key, dom::object entry) {
    dom::object times;
    if (entry["Communication Time Info"].get(times) != simdjson::SUCCESS) return;
    const auto [name, group] = name_and_group(key);
    const auto ns = [&](std::string_view member) { return scaled(real_member(times, member), kNsOfMs); };
    const CommunicationSums sums{step,
                                 profile.strings.intern(name),
                                 profile.strings.intern(group),
                                 usable_or_unknown(parse_us_as_ns(text_member(times, "Start Timestamp(us)"))),
                                 ns("Elapse Time(ms)"),
                                 ns("Transit Time(ms)"),
                                 ns("Wait Time(ms)"),
                                 ns("Synchronization Time(ms)")};
    const Row row = add_communication(sums, slices, origin, profile);
    add_links(entry, sums, row, profile);
  });
  if (!known) note_unknown_shape(path, profile);
}

void add_matrix(const std::string& path, std::size_t most_json, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unread_collectives(document.error(), profile);
  StringPool& strings = profile.strings;
  const bool known = each_entry(document->root(), strings, [&](StringId step, std::string_view key, dom::object links) {
    const auto [name, group] = name_and_group(key);
    for (const auto& [ends, value] : links) {
      dom::object link;
      const std::string_view pair = ends;
      const std::size_t dash = pair.find('-');
      if (value.get(link) != simdjson::SUCCESS || dash == std::string_view::npos) continue;
      add_transfer(
          {kNoRow, step, strings.intern(name), strings.intern(group), strings.intern(text_member(link, "Transport Type")),
           parse_integer(pair.substr(0, dash)).value_or(kUnknown), parse_integer(pair.substr(dash + 1)).value_or(kUnknown),
           scaled(real_member(link, "Transit Size(MB)"), kBytesOfTrafficMega),
           scaled(real_member(link, "Transit Time(ms)"), kNsOfMs)},
          profile.transfers);
    }
  });
  if (!known) note_unknown_shape(path, profile);
}

void sort_communications(Profile& profile) {
  const Column<Time>& start = profile.communications.start;
  const std::vector<Row> order = sort_rows(profile.communications, [&](Row a, Row b) { return start[a] < start[b]; });
  std::vector<Row> now(order.size());
  for (Row i = 0; i < order.size(); ++i) now[order[i]] = i;
  for (Row& row : profile.transfers.communication) row = row == kNoRow ? kNoRow : now[row];
}

void name_collectives(Profile& profile) {
  Collectives& c = profile.collectives;
  for (Row i = 0; i < c.rows(); ++i) {
    const std::string_view slice = profile.text(profile.slices.name[c.slice[i]]);
    const std::size_t cut = slice.find("__");
    if (c.name[i] != StringId::none || !slice.starts_with("hcom_") || cut == std::string_view::npos) continue;
    c.name[i] = profile.strings.intern(std::string(slice.substr(0, cut)));
  }
}

void name_groups(Profile& profile) {
  Collectives& c = profile.collectives;
  for (Row i = 0; i < profile.communications.rows(); ++i) {
    const auto at = std::lower_bound(c.slice.begin(), c.slice.end(), profile.communications.slice[i]);
    if (at == c.slice.end() || *at != profile.communications.slice[i]) continue;
    StringId& group = c.group[static_cast<std::size_t>(at - c.slice.begin())];
    if (group == StringId::none) group = profile.communications.group[i];
  }
}

}  // namespace sightline::formats::ascend
