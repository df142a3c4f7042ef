// Flight recorders of PyTorch's communication libraries: what each rank called last, from the dumps that a job writes when a
// collective does not end. A folder of dumps is one capture of all ranks. docs/formats/flight-recorder.md.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "formats/common/profile_builder.h"
#include "formats/common/whole_text.h"
#include "formats/flight_recorder/dump.h"
#include "formats/flight_recorder/dump_names.h"
#include "formats/read_context.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace {

using namespace flight_recorder;  // NOLINT: the parts of this reader
namespace fs = std::filesystem;

constexpr std::string_view kDefaultGroup = "default_pg";  // the description of the group of all ranks

bool sniff_dump(std::string_view, std::string_view head) { return looks_like_dump(head); }

// The dumps of a folder, by rank.
struct DumpFile {
  std::int64_t rank;
  std::string path, name;
};

std::vector<DumpFile> dumps_of(const std::vector<std::string>& files) {
  std::vector<DumpFile> dumps;
  for (const std::string& file : files) {
    std::string name = fs::path(file).filename().string();
    if (is_dump_name(name)) dumps.push_back({rank_of(name).value_or(kUnknown), file, std::move(name)});
  }
  std::stable_sort(dumps.begin(), dumps.end(), [](const DumpFile& a, const DumpFile& b) {
    return a.rank != b.rank ? a.rank < b.rank : natural_less(a.path, b.path);
  });
  return dumps;
}

class DumpAdder {
 public:
  explicit DumpAdder(ReadContext& context) : context_(context), p_(out_.profile()) {}

  Result<bool> add(const DumpFile& file) {
    Result<Dump> dump = read_dump(file.path, most_json_bytes(context_.progress()), p_, context_.progress());
    if (!dump) return dump.error();
    add_rank(file, *dump);
    const std::map<std::int64_t, DumpStatus> statuses = statuses_of(*dump);
    add_groups(file.rank, *dump, statuses);
    for (const DumpEntry& entry : dump->entries) add_record(file.rank, entry);
    report(file, *dump);
    return true;
  }

  void skip(const Error& error) {
    p_.add_problem(Severity::error, "unreadable_file", say("{}; its rank is missing", error.to_string()), 1, 0);
  }

  void skip_repeated(const DumpFile& file) {
    p_.add_problem(Severity::warning, "repeated_rank", say("{} is a second file of its rank; it was not read", file.name), 1, 0);
  }

  std::unique_ptr<Profile> finish() {
    p_.events = std::ssize(p_.collective_records.rank);
    complete_default_group();
    set_origin();
    add_lanes();
    return out_.finish();
  }

  bool empty() const { return p_.job_ranks.rows() == 0; }

 private:
  void add_rank(const DumpFile& file, const Dump& dump) {
    const Row row = add_unknown_row(p_.job_ranks);
    p_.job_ranks.rank[row] = file.rank;
    p_.job_ranks.file[row] = out_.text(to_utf8(file.name));
    p_.job_ranks.version[row] = dump.version;
    p_.job_ranks.records[row] = std::ssize(dump.entries);
    const std::int64_t first = dump.entries.empty() ? kUnknown : dump.entries.front().record;
    if (dump.entries.empty() || (first >= 0 && first != kUnknown)) p_.job_ranks.lost[row] = dump.entries.empty() ? 0 : first;
    if (p_.job_ranks.rows() == 1 && dump.library != StringId::none) out_.add_metadata("comm_lib_version", p_.text(dump.library));
  }

  static std::map<std::int64_t, DumpStatus> statuses_of(const Dump& dump) {
    std::map<std::int64_t, DumpStatus> statuses;
    for (const DumpStatus& status : dump.statuses) statuses[status.group_number] = status;
    return statuses;
  }

  // The groups that the file describes, and those that only its calls name. Some libraries describe a group without its name.
  void add_groups(std::int64_t rank, const Dump& dump, const std::map<std::int64_t, DumpStatus>& statuses) {
    std::map<StringId, std::int64_t> number;
    std::map<StringId, DumpGroup> groups;
    for (const DumpEntry& entry : dump.entries) {
      if (entry.group == StringId::none) continue;
      number[entry.group] = entry.group_number;
      groups.try_emplace(entry.group, DumpGroup{entry.group, entry.about, StringId::none});
    }
    for (const DumpGroup& group : dump.groups) {
      if (p_.text(group.name).empty()) {
        out_.report(Severity::note, "unnamed_group",
                    "a file describes a process group without its name; the ranks of the groups that calls name are not known",
                    kUnknown);
      } else {
        groups[group.name] = group;
      }
    }
    for (const auto& [name, group] : groups) {
      const auto known = number.find(name);
      const auto status = known == number.end() ? statuses.end() : statuses.find(known->second);
      add_group(rank, group, status == statuses.end() ? DumpStatus() : status->second);
    }
  }

  void add_group(std::int64_t rank, const DumpGroup& group, const DumpStatus& status) {
    ProcessGroups& all = p_.process_groups;
    const Row row = add_unknown_row(all);
    all.rank[row] = rank;
    all.name[row] = group.name;
    all.about[row] = group.about;
    all.ranks[row] = group.ranks;
    const std::string_view ranks = p_.text(group.ranks);
    if (!ranks.empty() && ranks != "[]") all.group_size[row] = std::count(ranks.begin(), ranks.end(), ',') + 1;
    all.last_enqueued[row] = status.enqueued;
    all.last_started[row] = status.started;
    all.last_completed[row] = status.completed;
    if (status.completed != kUnknown) ended_[{rank, group.name}] = status.completed;
  }

  void add_record(std::int64_t rank, const DumpEntry& entry) {
    CollectiveRecords& all = p_.collective_records;
    const Row row = add_unknown_row(all);
    all.rank[row] = rank;
    all.group[row] = entry.group;
    all.group_about[row] = entry.about;
    all.sequence[row] = entry.sequence;
    all.point_to_point[row] = entry.point_to_point;
    all.number[row] = entry.number;
    all.name[row] = entry.name;
    all.in_shapes[row] = entry.in_shapes;
    all.in_types[row] = entry.in_types;
    all.out_shapes[row] = entry.out_shapes;
    all.out_types[row] = entry.out_types;
    all.state[row] = entry.state;
    all.retired[row] = entry.retired;
    all.created[row] = entry.created;
    all.started[row] = entry.started;
    all.completed[row] = entry.completed;
    all.timeout[row] = entry.timeout;
    all.call_stack[row] = entry.stack;
  }

  void report(const DumpFile& file, const Dump& dump) {
    if (!dump.damage.empty()) {
      p_.add_problem(Severity::error, "damaged_file", say("{}: {}; what is before it was read", file.name, dump.damage), 1,
                     dump.damaged_at);
    }
    if (dump.incomplete > 0) {
      p_.add_problem(Severity::error, "incomplete_entry",
                     "a call has no operation or no number in its process group; it was left out", dump.incomplete, kUnknown);
    }
    if (dump.cut_texts > 0) {
      p_.add_problem(Severity::warning, "long_text", "a text or list is too long; the rest was left out", dump.cut_texts,
                     kUnknown);
    }
  }

  // The group of all ranks has at least those that have a file.
  void complete_default_group() {
    ProcessGroups& all = p_.process_groups;
    for (Row row = 0; row < all.rows(); ++row) {
      if (p_.text(all.about[row]) == kDefaultGroup) p_.world_size = std::max(p_.world_size, all.group_size[row]);
    }
    std::string ranks = "[";
    for (const std::int64_t rank : p_.job_ranks.rank) {
      if (rank == kUnknown) return;
      if (ranks.size() > 1) ranks += ", ";
      ranks += std::to_string(rank);
    }
    const StringId text = out_.text(ranks + ']');
    for (Row row = 0; row < all.rows(); ++row) {
      if (p_.text(all.about[row]) != kDefaultGroup || all.ranks[row] != StringId::none) continue;
      all.ranks[row] = text;
      out_.report(Severity::note, "assumed_ranks",
                  "the files do not state the ranks of the group of all ranks; it is taken to have those with a file", kUnknown);
    }
  }

  void set_origin() {
    CollectiveRecords& all = p_.collective_records;
    Time origin = kUnknown;
    for (const Time created : all.created) {
      if (created != kUnknown) origin = origin == kUnknown ? created : std::min(origin, created);
    }
    if (origin == kUnknown) origin = 0;
    if (origin > 0) p_.origin_unix_ns = origin;
    for (auto* times : {&all.created, &all.started, &all.completed}) {
      for (Time& time : *times) {
        if (time == kUnknown) continue;
        time -= origin;
        p_.span_end = std::max(p_.span_end, time);
      }
    }
  }

  // A lane for each group of each rank. A call that is known to have ended, but not when, is an instant; one that has not ended
  // lasts until the last time of all files.
  void add_lanes() {
    const CollectiveRecords& all = p_.collective_records;
    for (Row first = 0; first < all.rows();) {
      Row last = first;
      std::map<StringId, std::vector<Row>> calls;
      for (; last < all.rows() && all.rank[last] == all.rank[first]; ++last) {
        if (all.created[last] != kUnknown) calls[all.group[last]].push_back(last);
      }
      const std::string rank = all.rank[first] == kUnknown ? "rank not known" : "rank " + std::to_string(all.rank[first]);
      if (!calls.empty()) {
        const Row process = out_.add_process(rank);
        for (const auto& [group, rows] : calls) add_lane(process, rows);
      }
      first = last;
    }
  }

  // By rank and group: the number of the last collective that ended.
  std::map<std::pair<std::int64_t, StringId>, std::int64_t> ended_;

  // Not every library notices when a call ends; then the status of the group tells, or that the call is no longer watched.
  bool has_ended(Row row) const {
    const CollectiveRecords& all = p_.collective_records;
    if (all.completed[row] != kUnknown || p_.text(all.state[row]) == "completed") return true;
    const auto status = ended_.find({all.rank[row], all.group[row]});
    if (status == ended_.end() || all.point_to_point[row]) return all.retired[row];
    return all.sequence[row] <= status->second;
  }

  void add_lane(Row process, const std::vector<Row>& rows) {
    CollectiveRecords& all = p_.collective_records;
    std::vector<NewSlice> slices;
    for (const Row row : rows) {
      const Time start = all.created[row];
      const Time end = all.completed[row] != kUnknown ? all.completed[row] : has_ended(row) ? start : p_.span_end;
      slices.push_back({start, std::max<Time>(0, end - start), all.name[row], SliceKind::host_communication, kUnknown});
    }
    const std::string_view about = p_.text(all.group_about[rows.front()]), name = p_.text(all.group[rows.front()]);
    const std::string title = about.empty() ? std::string(name) : std::string(about) + " (" + std::string(name) + ")";
    out_.add_lane({LaneKind::host_thread, process, kUnknown, name, title}, slices,
                  [&](std::size_t i, Row slice) { all.slice[rows[i]] = slice; });
  }

  ReadContext& context_;
  ProfileBuilder out_;
  Profile& p_;
};

// Whether a cloud path is a file follows from its name.
bool is_file(const std::string& path) {
  std::error_code failed;
  return is_remote(path) ? is_dump_name(fs::path(path).filename().string()) : !fs::is_directory(path, failed);
}

Result<std::unique_ptr<Profile>> read_dumps(ReadContext& context) {
  context.stage("reading the dumps of the ranks");
  DumpAdder adder(context);
  if (is_file(context.path())) {
    const std::string name = fs::path(context.path()).filename().string();
    const Result<bool> added = adder.add({rank_of(name).value_or(kUnknown), context.path(), name});
    if (!added) return added.error();
    return adder.finish();
  }
  const Result<std::vector<std::string>> files = files_in_folder(context.path());
  if (!files) return files.error();
  std::set<std::int64_t> seen;
  std::optional<Error> first;
  for (const DumpFile& file : dumps_of(*files)) {
    if (context.is_cancelled()) break;
    if (!seen.insert(file.rank).second) {
      adder.skip_repeated(file);
      continue;
    }
    const Result<bool> added = adder.add(file);
    if (added) continue;
    if (!first) first = added.error();
    adder.skip(added.error());
  }
  if (adder.empty() && first) return *first;
  return adder.finish();
}

ProfileName name_folder(const std::string& path, const FolderEntries&) { return {fs::path(path).filename().string(), ""}; }

Result<std::vector<std::string>> files_of(const std::string& path) {
  if (is_file(path)) return std::vector<std::string>{};
  const Result<std::vector<std::string>> files = files_in_folder(path);
  if (!files) return files.error();
  std::vector<std::string> dumps;
  for (const DumpFile& file : dumps_of(*files)) dumps.push_back(file.path);
  std::sort(dumps.begin(), dumps.end());
  return dumps;
}

}  // namespace

Reader flight_recorder_reader() {
  return {.id = "flight_recorder",
          .title = "Flight recorder of collectives",
          .claims_file = is_dump_name,
          .sniff_file = sniff_dump,
          .read_capture = read_dumps,
          .claims_folder = holds_dumps,
          .name_folder = name_folder,
          .leaves_other_files = true,
          .files_of = files_of};
}

}  // namespace sightline::formats
