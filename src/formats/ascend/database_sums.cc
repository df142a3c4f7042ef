// analysis.db: the same sums as the text's step_trace_time.csv (us), communication.json and communication_matrix.json (ms, MB).
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "base/sort.h"
#include "formats/ascend/communication.h"
#include "formats/ascend/csv_table.h"
#include "formats/ascend/database_events.h"
#include "formats/ascend/reported_sums.h"
#include "formats/common/decimal.h"

namespace sightline::formats::ascend {

namespace {

// Microseconds since 1970, rounded to the precision of a double: a quarter of one.
std::int64_t start_of(const Database::Row& row, int column) {
  const std::int64_t start = scaled(row.real(column), kNsOfUs);
  return start > 0 && start < kFarthestNs ? start : kUnknown;
}

StringId step_of(const Database::Row& row, int column, Profile& profile) { return step_named(row.text(column), profile.strings); }

void add_steps(Database& db, Profile& profile) {
  std::vector<std::string_view> columns = {"step", "deviceId"};
  for (const auto& [column, title] : kStepSums) columns.push_back(column);
  ReportedSteps& all = profile.reported_steps;
  db.each("StepTraceTime", columns, [&](const Database::Row& row) {
    for (std::size_t i = 0; i < kStepSums.size(); ++i) {
      const std::int64_t duration = scaled(row.real(static_cast<int>(i) + 2), kNsOfUs);
      if (duration == kUnknown) continue;
      all.step.push_back(step_of(row, 0, profile));
      all.rank.push_back(kUnknown);
      all.device.push_back(row.integer(1));
      all.name.push_back(profile.strings.intern(kStepSums[i].second));
      all.duration.push_back(duration);
    }
  });
}

// For a row that begins with name, group, step, link, size and time.
void add_transfer(Row of, const Database::Row& row, std::int64_t source, std::int64_t target, Profile& profile) {
  StringPool& strings = profile.strings;
  ascend::add_transfer(
      {of, step_of(row, 2, profile), strings.intern(row.text(0)), strings.intern(row.text(1)), strings.intern(row.text(3)),
       source, target, scaled(row.real(4), kBytesOfTrafficMega), scaled(row.real(5), kNsOfMs)},
      profile.transfers);
}

using Operation = std::tuple<StringId, StringId, StringId>;  // step, name, group

struct Packet {
  Row transfer;
  std::int64_t bytes, count, duration;
};

void add_transfers(Database& db, const std::map<Operation, Row>& communications, Profile& profile) {
  // One row per link and packet size; the link's sums are the same in all of them.
  std::map<std::pair<Operation, StringId>, Row> rows;
  std::set<Operation> parted;  // operations with links whose sum is SDMA
  std::vector<Packet> packets;
  const auto key = [&](const Database::Row& row) {
    return Operation{step_of(row, 2, profile), profile.strings.intern(row.text(0)), profile.strings.intern(row.text(1))};
  };
  db.each("CommAnalyzerBandwidth", {"hccl_op_name", "group_name", "step", "transport_type", "transit_size"},
          [&](const auto& row) {
            const std::string_view link = row.text(3);
            if ((link == "HCCS" || link == "PCIE" || link == "SIO") && row.real(4) > 0) parted.insert(key(row));
          });
  db.each("CommAnalyzerBandwidth",
          {"hccl_op_name", "group_name", "step", "transport_type", "transit_size", "transit_time", "package_size", "count",
           "total_duration"},
          [&](const Database::Row& row) {
            const auto of = key(row);
            if ((row.text(3) == "SDMA" && parted.contains(of)) || (!(row.real(4) > 0) && !(row.real(5) > 0))) return;
            const auto [at, is_new] =
                rows.try_emplace({of, profile.strings.intern(row.text(3))}, static_cast<Row>(profile.transfers.rows()));
            if (is_new) {
              const auto known = communications.find(of);
              add_transfer(known == communications.end() ? kNoRow : known->second, row, kUnknown, kUnknown, profile);
            }
            if (!(row.real(6) > 0)) return;
            packets.push_back(
                {at->second, scaled(row.real(6), kBytesOfTrafficMega), scaled(row.real(7), 1), scaled(row.real(8), kNsOfMs)});
          });
  sort_up(packets, &Packet::transfer);
  for (const Packet& packet : packets) {
    profile.packets.transfer.push_back(packet.transfer);
    profile.packets.bytes.push_back(packet.bytes);
    profile.packets.count.push_back(packet.count);
    profile.packets.duration.push_back(packet.duration);
  }
}

void add_matrix(Database& db, Profile& profile) {
  db.each("CommAnalyzerMatrix",
          {"hccl_op_name", "group_name", "step", "transport_type", "transit_size", "transit_time", "src_rank", "dst_rank"},
          [&](const Database::Row& row) { add_transfer(kNoRow, row, row.integer(6), row.integer(7), profile); });
}

void add_collectives(Database& db, std::int64_t origin, Profile& profile) {
  CollectiveSlices slices(profile);
  std::map<Operation, Row> communications;
  db.each("CommAnalyzerTime",
          {"hccl_op_name", "group_name", "step", "start_timestamp", "elapse_time", "transit_time", "wait_time",
           "synchronization_time"},
          [&](const Database::Row& row) {
            const CommunicationSums sums{step_of(row, 2, profile),
                                         profile.strings.intern(row.text(0)),
                                         profile.strings.intern(row.text(1)),
                                         start_of(row, 3),
                                         scaled(row.real(4), kNsOfMs),
                                         scaled(row.real(5), kNsOfMs),
                                         scaled(row.real(6), kNsOfMs),
                                         scaled(row.real(7), kNsOfMs)};
            if (sums.name == StringId::none || profile.text(sums.name) == kSumOfAll) return;
            communications[{sums.step, sums.name, sums.group}] = add_communication(sums, slices, origin, profile);
          });
  add_transfers(db, communications, profile);
  sort_communications(profile);
  name_groups(profile);
}

}  // namespace

void add_sums_database(const std::string& path, std::int64_t origin, MissingSums missing, ReadProgress* progress,
                       Profile& profile) {
  Result<Database> db = Database::open(path, progress);
  if (!db) {
    profile.add_problem(Severity::error, "unreadable_file",
                        say("{}; the sums of steps and collectives are missing", db.error().to_string()), 1, 0);
    return;
  }
  if (missing.steps) add_steps(*db, profile);
  if (missing.collectives) add_collectives(*db, origin, profile);
  if (missing.matrix) add_matrix(*db, profile);
  db->report(profile);
}

}  // namespace sightline::formats::ascend
