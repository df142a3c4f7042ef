// What msprof-analyze computes over all ranks of a job, the folder cluster_analysis_output: sums of steps by rank, collectives of
// each rank, what moved between ranks, and the process groups. docs/formats/ascend.md.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_path.h"
#include "formats/ascend/communication.h"
#include "formats/ascend/csv_table.h"
#include "formats/ascend/folder.h"
#include "formats/ascend/json_document.h"
#include "formats/ascend/reported_sums.h"
#include "formats/common/whole_text.h"
#include "formats/read_context.h"
#include "formats/registry.h"
#include "formats/tables/database.h"

namespace sightline::formats {

namespace ascend {
namespace {

namespace dom = simdjson::dom;
namespace fs = std::filesystem;

constexpr std::string_view kStepTable = "cluster_step_trace_time.csv", kCollectives = "cluster_communication.json",
                           kMatrix = "cluster_communication_matrix.json", kGroups = "communication_group.json",
                           kDatabase = "cluster_analysis.db";

// "(0, 1)" and "(0,1)" as "[0, 1]"; none if it holds no number.
StringId ranks_named(std::string_view set, StringPool& strings) {
  std::string list = "[";
  for (std::size_t at = 0; at < set.size();) {
    const std::size_t digits = set.find_first_of("0123456789", at);
    if (digits == std::string_view::npos) break;
    const std::size_t end = std::min(set.find_first_not_of("0123456789", digits), set.size());
    list.append(list.size() > 1 ? ", " : "").append(set.substr(digits, end - digits));
    at = end;
  }
  return list.size() == 1 ? StringId::none : strings.intern(list + ']');
}

class ClusterReader {
 public:
  ClusterReader(std::map<std::string, std::string> files, ReadContext& context)
      : files_(std::move(files)), context_(context), profile_(std::make_unique<Profile>()), p_(*profile_) {}

  Result<std::unique_ptr<Profile>> read() {
    context_.stage("reading the sums of all ranks");
    const std::string* database = file(kDatabase);
    if (database != nullptr) add_database(*database);
    // A database states the same as the texts.
    if (const std::string* one = file(kStepTable); one != nullptr && p_.reported_steps.rows() == 0) add_step_table(*one);
    if (const std::string* one = file(kCollectives); one != nullptr && p_.communications.rows() == 0) add_collectives(*one);
    const bool no_matrix = std::none_of(p_.transfers.source.begin(), p_.transfers.source.end(), known);
    if (const std::string* one = file(kMatrix); one != nullptr && no_matrix) add_matrix_file(*one);
    if (const std::string* one = file(kGroups); one != nullptr && p_.process_groups.rows() == 0) add_group_file(*one);
    sort_communications(p_);
    if (unlisted_routes_ > 0) {
      p_.add_problem(Severity::warning, "unknown_group",
                     "ranks between which something moved are not in a group that the files list; it was left out",
                     unlisted_routes_, kUnknown);
    }
    add_ranks();
    set_origin();
    p_.events = static_cast<std::int64_t>(p_.reported_steps.rows() + p_.communications.rows() + p_.transfers.rows());
    return std::move(profile_);
  }

 private:
  static bool known(std::int64_t value) { return value != kUnknown; }

  const std::string* file(std::string_view name) const {
    const auto at = files_.find(std::string(name));
    return at == files_.end() ? nullptr : &at->second;
  }

  void note_unread(const Error& error) {
    p_.add_problem(Severity::error, "unreadable_file", say("{}; its sums are missing", error.to_string()), 1, 0);
  }

  // ---- steps ----

  void add_step_sum(StringId step, std::int64_t rank, std::string_view name, std::int64_t duration) {
    if (duration == kUnknown) return;
    ReportedSteps& all = p_.reported_steps;
    all.step.push_back(step);
    all.rank.push_back(rank);
    all.device.push_back(kUnknown);
    all.name.push_back(p_.strings.intern(name));
    all.duration.push_back(duration);
  }

  // A stage of a pipeline is a set of ranks. Its sums are the largest of its ranks', which are here already.
  void add_stage(std::string_view set) {
    const StringId ranks = ranks_named(set, p_.strings);
    if (ranks != StringId::none && stages_.insert(ranks).second)
      add_group(p_.strings.intern("stage " + std::to_string(stages_.size() - 1)), p_.strings.intern("pipeline stage"), ranks);
  }

  void add_step_table(const std::string& path) {
    Result<CsvTable> table = CsvTable::open(path);
    if (!table) return note_unread(table.error());
    const auto step = table->column({"Step"}), type = table->column({"Type"}), index = table->column({"Index"});
    while (table->next()) {
      if (same_title(table->text(type), "stage")) {
        add_stage(table->text(index));
        continue;
      }
      const StringId named = step_named(table->text(step), p_.strings);
      const std::int64_t rank = table->integer(index);
      if (rank < 0) {  // unknown, or damaged
        table->skip_row();
        continue;
      }
      ranks_.insert(rank);
      for (const auto& [column, title] : kStepSums) add_step_sum(named, rank, title, table->us_as_ns(table->column({title})));
    }
    table->report(p_);
  }

  // ---- collectives ----

  void add_collective(std::int64_t rank, const CommunicationSums& sums) {
    CollectiveSlices none(p_);
    add_communication(sums, none, 0, p_);
    p_.communications.rank.back() = rank;
    ranks_.insert(rank);
  }

  // {ranks of a group: {step: {collective@group: {rank: sums}}}}
  void add_collectives(const std::string& path) {
    const Result<JsonDocument> document = JsonDocument::open(path, most_json());
    if (!document) return note_unread(document.error());
    const bool whole = each_entry(document->root(), [&](StringId ranks, StringId step, std::string_view key, dom::object entry) {
      if (key == kSumOfAll) return;
      const auto [name, group] = name_and_group(key);
      for (const auto& [number, value] : entry) {
        dom::object of_rank, times;
        const auto rank = parse_integer(number);
        if (!rank || *rank < 0 || value.get(of_rank) != simdjson::SUCCESS) continue;
        if (of_rank["Communication Time Info"].get(times) != simdjson::SUCCESS) continue;
        const auto ns = [&](std::string_view member) { return scaled(real_member(times, member), kNsOfMs); };
        const CommunicationSums sums{step,
                                     p_.strings.intern(name),
                                     group.empty() ? ranks : p_.strings.intern(group),
                                     usable_or_unknown(parse_us_as_ns(text_member(times, "Start Timestamp(us)"))),
                                     ns("Elapse Time(ms)"),
                                     ns("Transit Time(ms)"),
                                     ns("Wait Time(ms)"),
                                     ns("Synchronization Time(ms)")};
        add_collective(*rank, sums);
        add_links(of_rank, sums, static_cast<Row>(p_.communications.rows() - 1), p_);
      }
    });
    if (!whole) note_shape(path);
  }

  // {ranks of a group: {step: {operation@group: {"0-1": what moved}}}}. Ranks are those of the job.
  void add_matrix_file(const std::string& path) {
    const Result<JsonDocument> document = JsonDocument::open(path, most_json());
    if (!document) return note_unread(document.error());
    const bool whole = each_entry(document->root(), [&](StringId ranks, StringId step, std::string_view key, dom::object links) {
      if (key == "total-op-info") return;  // of all operations together
      const auto [name, group] = name_and_group(key);
      for (const auto& [ends, value] : links) {
        dom::object link;
        const std::string_view pair = ends;
        const std::size_t dash = pair.find('-');
        if (dash == std::string_view::npos || value.get(link) != simdjson::SUCCESS) continue;
        add_route({kNoRow, step, p_.strings.intern(name), group.empty() ? ranks : p_.strings.intern(group),
                   p_.strings.intern(text_member(link, "Transport Type")), parse_integer(pair.substr(0, dash)).value_or(kUnknown),
                   parse_integer(pair.substr(dash + 1)).value_or(kUnknown),
                   scaled(real_member(link, "Transit Size(MB)"), kBytesOfTrafficMega),
                   scaled(real_member(link, "Transit Time(ms)"), kNsOfMs)},
                  ranks);
      }
    });
    if (!whole) note_shape(path);
  }

  // `ranks`: of the group. The file names ranks by their numbers in the job; a row has those within the group.
  void add_route(Transfer route, StringId ranks) {
    if (route.source < 0 || route.target < 0) return;
    ranks_.insert(route.source);
    ranks_.insert(route.target);
    const std::vector<std::int64_t>& members = members_of(ranks);
    const auto within = [&](std::int64_t rank) { return std::find(members.begin(), members.end(), rank) - members.begin(); };
    const bool in_group = within(route.source) < std::ssize(members) && within(route.target) < std::ssize(members);
    if (!in_group) {
      ++unlisted_routes_;
      return;
    }
    route.source = within(route.source);
    route.target = within(route.target);
    add_transfer(route, p_.transfers);
    p_.transfers.group_ranks.back() = ranks;
  }

  const std::vector<std::int64_t>& members_of(StringId ranks) {
    const auto [at, is_new] = members_.try_emplace(ranks);
    if (is_new) {
      for (const std::string_view one : split_line(p_.text(ranks), ',')) {
        const std::size_t digit = one.find_first_of("0123456789");
        if (digit != std::string_view::npos)
          at->second.push_back(
              parse_integer(one.substr(digit, one.find_first_not_of("0123456789", digit) - digit)).value_or(kUnknown));
      }
    }
    return at->second;
  }

  template <typename Take>
  bool each_entry(dom::element root, Take&& take) {
    dom::object groups;
    if (root.get(groups) != simdjson::SUCCESS) return false;
    for (const auto& [set, of_group] : groups) {
      dom::object steps;
      if (of_group.get(steps) != simdjson::SUCCESS) return false;
      const StringId ranks = ranks_named(set, p_.strings);
      for (const auto& [step, of_step] : steps) {
        dom::object entries;
        if (of_step.get(entries) != simdjson::SUCCESS) return false;
        for (const auto& [key, value] : entries) {
          dom::object entry;
          if (value.get(entry) == simdjson::SUCCESS) take(ranks, step_named(step, p_.strings), std::string_view(key), entry);
        }
      }
    }
    return true;
  }

  void note_shape(const std::string& path) {
    p_.add_problem(Severity::error, "unreadable_file",
                   say("{}: its members are not steps of groups of ranks; the rest of it was not read", path), 1, 0);
  }

  // ---- groups ----

  void add_group(StringId name, StringId about, StringId ranks) {
    const Row row = add_unknown_row(p_.process_groups);
    p_.process_groups.name[row] = name;
    p_.process_groups.about[row] = about;
    p_.process_groups.ranks[row] = ranks;
    const std::string_view list = p_.text(ranks);
    if (!list.empty()) p_.process_groups.group_size[row] = std::count(list.begin(), list.end(), ',') + 1;
  }

  // {"collective": [[0, 1], ...], "p2p": [...]}
  void add_group_file(const std::string& path) {
    const Result<JsonDocument> document = JsonDocument::open(path, most_json());
    if (!document) return note_unread(document.error());
    dom::object kinds;
    if (document->root().get(kinds) != simdjson::SUCCESS) return note_shape(path);
    for (const auto& [kind, value] : kinds) {
      dom::array sets;
      if (value.get(sets) != simdjson::SUCCESS) continue;
      for (const dom::element set : sets) {
        const StringId ranks = ranks_named(simdjson::minify(set), p_.strings);
        if (ranks != StringId::none) add_group(ranks, p_.strings.intern(kind), ranks);
      }
    }
  }

  // ---- the database ----

  void add_database(const std::string& path) {
    Result<Database> database = Database::open(path, context_.progress());
    if (!database) return note_unread(database.error());
    add_step_rows(*database);
    add_group_rows(*database);
    add_collective_rows(*database);
    add_matrix_rows(*database);
    add_base(*database);
    database->report(p_);
  }

  void add_step_rows(Database& db) {
    std::vector<std::string_view> columns = {"step", "type", "index"};
    for (const auto& [column, title] : kStepSums) columns.push_back(column);
    db.each("ClusterStepTraceTime", columns, [&](const Database::Row& row) {
      if (row.text(1) == "stage") return add_stage(row.text(2));
      const std::int64_t rank = row.integer(2);
      if (rank < 0) return;
      ranks_.insert(rank);
      for (std::size_t i = 0; i < kStepSums.size(); ++i)
        add_step_sum(step_named(row.text(0), p_.strings), rank, kStepSums[i].second,
                     scaled(row.real(static_cast<int>(i) + 3), kNsOfUs));
    });
  }

  void add_group_rows(Database& db) {
    for (const std::string_view table : {"CommunicationGroupMapping", "CommunicationGroup"}) {
      db.each(table, {"rank_set", "group_name", "pg_name", "type"}, [&](const Database::Row& row) {
        const StringId ranks = ranks_named(row.text(0), p_.strings);
        const StringId name = row.text(1).empty() ? ranks : p_.strings.intern(row.text(1));
        const StringId about = p_.strings.intern(row.text(2).empty() ? row.text(3) : row.text(2));
        if (ranks == StringId::none) return;
        add_group(name, about, ranks);
        ranks_named_[name] = ranks;
      });
      if (p_.process_groups.rows() > stages_.size()) return;
    }
  }

  void add_collective_rows(Database& db) {
    std::map<std::tuple<StringId, std::int64_t, StringId, StringId>, Row> rows;
    for (const std::string_view table : {"ClusterCommunicationTime", "ClusterCommAnalyzerTime"}) {
      db.each(table,
              {"step", "rank_id", "hccl_op_name", "group_name", "start_timestamp", "elapsed_time|elapse_time", "transit_time",
               "wait_time", "synchronization_time"},
              [&](const Database::Row& row) {
                const std::int64_t rank = row.integer(1);
                if (rank < 0 || row.text(2).empty() || row.text(2) == kSumOfAll) return;
                const CommunicationSums sums{step_named(row.text(0), p_.strings), p_.strings.intern(row.text(2)),
                                             p_.strings.intern(row.text(3)),      usable_or_unknown(scaled(row.real(4), kNsOfUs)),
                                             scaled(row.real(5), kNsOfMs),        scaled(row.real(6), kNsOfMs),
                                             scaled(row.real(7), kNsOfMs),        scaled(row.real(8), kNsOfMs)};
                add_collective(rank, sums);
                rows[{sums.step, rank, sums.name, sums.group}] = static_cast<Row>(p_.communications.rows() - 1);
              });
    }
    std::set<std::pair<Row, StringId>> seen;  // a row per size of packets repeats the link
    for (const std::string_view table : {"ClusterCommunicationBandwidth", "ClusterCommAnalyzerBandwidth"}) {
      db.each(table,
              {"step", "rank_id", "hccl_op_name", "group_name", "band_type|transport_type", "transit_size", "transit_time"},
              [&](const Database::Row& row) {
                const StringId step = step_named(row.text(0), p_.strings), name = p_.strings.intern(row.text(2)),
                               group = p_.strings.intern(row.text(3)), link = p_.strings.intern(row.text(4));
                const auto of = rows.find({step, row.integer(1), name, group});
                if (of == rows.end() || row.text(4) == "SDMA" || !seen.emplace(of->second, link).second) return;
                if (!(row.real(5) > 0) && !(row.real(6) > 0)) return;
                add_transfer({of->second, step, name, group, link, kUnknown, kUnknown, scaled(row.real(5), kBytesOfTrafficMega),
                              scaled(row.real(6), kNsOfMs)},
                             p_.transfers);
              });
    }
  }

  void add_matrix_rows(Database& db) {
    for (const std::string_view table : {"ClusterCommunicationMatrix", "ClusterCommAnalyzerMatrix"}) {
      db.each(table,
              {"step", "hccl_op_name", "group_name", "src_rank", "dst_rank", "transport_type", "transit_size", "transit_time"},
              [&](const Database::Row& row) {
                if (row.text(1) == "total-op-info") return;
                add_route({kNoRow, step_named(row.text(0), p_.strings), p_.strings.intern(row.text(1)),
                           p_.strings.intern(row.text(2)), p_.strings.intern(row.text(5)), scaled(row.real(3), 1),
                           scaled(row.real(4), 1), scaled(row.real(6), kBytesOfTrafficMega), scaled(row.real(7), kNsOfMs)},
                          ranks_named_.contains(p_.strings.intern(row.text(2))) ? ranks_named_[p_.strings.intern(row.text(2))]
                                                                                : StringId::none);
              });
    }
  }

  // The sizes of the job and of its dimensions, and the hosts of its ranks.
  void add_base(Database& db) {
    db.each("ClusterBaseInfo", {"key", "value"}, [&](const Database::Row& row) {
      p_.metadata.key.push_back(p_.strings.intern(row.text(0)));
      p_.metadata.value.push_back(p_.strings.intern(row.text(1)));
      if (row.text(0) == "world_size" && row.integer(1) > 0) p_.world_size = row.integer(1);
    });
    std::map<std::string, StringId> hosts;
    db.each("HostInfo", {"hostUid", "hostName"},
            [&](const Database::Row& row) { hosts[std::string(row.text(0))] = p_.strings.intern(row.text(1)); });
    db.each("RankDeviceMap", {"rankId", "hostUid"}, [&](const Database::Row& row) {
      const auto host = hosts.find(std::string(row.text(1)));
      if (row.integer(0) >= 0 && host != hosts.end()) host_of_[row.integer(0)] = host->second;
    });
  }

  // ---- the whole ----

  void add_ranks() {
    for (const std::int64_t rank : ranks_) {
      const Row row = add_unknown_row(p_.job_ranks);
      p_.job_ranks.rank[row] = rank;
      const auto host = host_of_.find(rank);
      if (host != host_of_.end()) p_.job_ranks.host[row] = host->second;
    }
  }

  void set_origin() {
    Time first = kUnknown;
    for (const Time start : p_.communications.start) {
      if (start != kUnknown) first = first == kUnknown ? start : std::min(first, start);
    }
    if (first == kUnknown) return;
    p_.origin_unix_ns = first;
    for (Time& start : p_.communications.start) start = start == kUnknown ? kUnknown : start - first;
  }

  std::size_t most_json() const { return most_json_bytes(context_.progress()); }

  std::map<std::string, std::string> files_;  // path by name
  ReadContext& context_;
  std::unique_ptr<Profile> profile_;
  Profile& p_;
  std::int64_t unlisted_routes_ = 0;
  std::set<std::int64_t> ranks_;
  std::set<StringId> stages_;
  std::map<StringId, StringId> ranks_named_;               // of a group
  std::map<StringId, std::vector<std::int64_t>> members_;  // by list of ranks
  std::map<std::int64_t, StringId> host_of_;
};

// All files beside the one that is given, or in the folder that is given.
Result<std::map<std::string, std::string>> cluster_files(const std::string& path) {
  const bool is_file = is_of_all_ranks(fs::path(path).filename().string());
  const Result<std::vector<std::string>> all = files_in_folder(is_file ? fs::path(path).parent_path().string() : path);
  if (!all) return all.error();
  std::map<std::string, std::string> files;
  for (const std::string& file : *all) {
    const std::string name = fs::path(file).filename().string();
    if (is_of_all_ranks(name) || name == kGroups) files.emplace(name, file);
  }
  if (is_file) files[fs::path(path).filename().string()] = path;
  return files;
}

Result<std::unique_ptr<Profile>> read_cluster(ReadContext& context) {
  Result<std::map<std::string, std::string>> files = cluster_files(context.path());
  if (!files) return files.error();
  return ClusterReader(*std::move(files), context).read();
}

bool claims_cluster_folder(const FolderEntries& folder) {
  return std::any_of(folder.files.begin(), folder.files.end(), is_of_all_ranks);
}

// A span of its own: it is not one more rank of the job whose folders are beside it.
ProfileName name_cluster_folder(const std::string&, const FolderEntries&) { return {"all ranks", "cluster analysis"}; }

Result<std::vector<std::string>> cluster_files_of(const std::string& path) {
  const Result<std::map<std::string, std::string>> files = cluster_files(path);
  if (!files) return files.error();
  std::vector<std::string> paths;
  for (const auto& [name, file] : *files) paths.push_back(file);
  return paths;
}

}  // namespace
}  // namespace ascend

Reader ascend_cluster_reader() {
  return {.id = "ascend_cluster",
          .title = "Ascend cluster analysis",
          .claims_file = ascend::is_of_all_ranks,
          .read_capture = ascend::read_cluster,
          .words = {.device = "NPU", .matrix = "AI cores", .core = "AI core"},
          .claims_folder = ascend::claims_cluster_folder,
          .name_folder = ascend::name_cluster_folder,
          .leaves_other_files = true,
          .files_of = ascend::cluster_files_of};
}

}  // namespace sightline::formats
