#include "fleet/lake_tables.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <fmt/core.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"
#include "model/column.h"
#include "model/lake_columns.h"
#include "model/profile.h"
#include "store/content_key.h"

namespace sightline::fleet {

// ---- the list ----

namespace {

constexpr LakeType kInteger = LakeType::integer, kText = LakeType::text, kFlag = LakeType::flag;
constexpr Stored kDifferences = Stored::differences;

constexpr LakeColumn kRank{"rank_id", kInteger, Unit::id, "ranks.id"};
constexpr LakeColumn kStep{"step", kInteger, Unit::id, "steps.step of the same rank; unknown outside of steps"};

constexpr LakeColumn kRanks[] = {
    {"id", kInteger, Unit::id, "Number of the rank's trace in the list of ranks; other tables refer to it as rank_id"},
    {"worker", kText, Unit::none, "Name of the worker, from its file's name"},
    {"rank", kInteger, Unit::id, "Index in the job, as recorded"},
    {"world_size", kInteger, Unit::count, "Ranks of the job, as recorded"},
    {"host", kText, Unit::none, "Host name, as recorded, else from the worker's name"},
    {"process", kText, Unit::none, "Process id, likewise"},
    {"state", kText, Unit::none, "read, partial (problems has the reason) or failed (likewise, and the rank has no other rows)"},
    {"has_recorded_steps", kFlag, Unit::none, "Whether steps were recorded; else one step, numbered 0, is the whole recording"},
    {"collectives", kInteger, Unit::count, "Collectives of the rank"},
    {"source", kText, Unit::none, "Path or address of its trace"},
    {"source_bytes", kInteger, Unit::bytes, "Size of the trace as it is stored"},
    {"origin", kInteger, Unit::ns, "Time 0 of the rank, ns since 1970 on its host's clock"},
    {"rack", kText, Unit::none, "Rack of the host, as the site's list of hosts says"},
    {"switch", kText, Unit::none, "Network switch of the host, likewise"},
    {"role", kText, Unit::none, "Name of its folder, in a job whose folders are roles; else unknown"},
    {"profile", kText, Unit::none, "Path in the lake of a file with all its columns, of map --with-profiles; else unknown"}};

constexpr LakeColumn kDevices[] = {kRank,
                                   {"ordinal", kInteger, Unit::id, "Device number within the worker"},
                                   {"name", kText, Unit::none, "Product name"},
                                   {"memory", kInteger, Unit::bytes, "Device memory"},
                                   {"compute_major", kInteger, Unit::none, "Compute capability, major"},
                                   {"compute_minor", kInteger, Unit::none, "Compute capability, minor"},
                                   {"cores", kInteger, Unit::count, "Multiprocessors or compute units"}};

constexpr LakeColumn kSteps[] = {kRank,
                                 {"step", kInteger, Unit::id, "Index of the step within the rank"},
                                 {"number", kInteger, Unit::id, "Number of the step as recorded"},
                                 {"start", kInteger, Unit::ns, "Start of its window, on the rank's clock", kDifferences},
                                 {"total", kInteger, Unit::ns, "Length of its window", kDifferences},
                                 {"computation", kInteger, Unit::ns, "Only computing", kDifferences},
                                 {"overlap", kInteger, Unit::ns, "Computing and communicating", kDifferences},
                                 {"communication", kInteger, Unit::ns, "Only communicating", kDifferences},
                                 {"other", kInteger, Unit::ns, "Neither", kDifferences}};

constexpr LakeColumn kCollectives[] = {
    kRank,
    kStep,
    {"operation", kInteger, Unit::id, "operations.operation of the same rank"},
    {"group_id", kInteger, Unit::id, "The process group: a hash of its role, name and list of ranks"},
    {"match_key", kInteger, Unit::id, "Equal on all ranks of one collective; unknown if match_rule is none", kDifferences},
    {"match_rule", kText, Unit::none,
     "sequence (number in the group), order (in the step) or none (from rank to rank in a larger group)"},
    {"occurrence", kInteger, Unit::count, "If matched by order: number of equal collectives before it in the step", kDifferences},
    {"kind", kText, Unit::none, "Kind of collective"},
    {"sequence", kInteger, Unit::id, "Sequence number within the group, as recorded", kDifferences},
    {"start", kInteger, Unit::ns, "Start, on the rank's clock", kDifferences},
    {"duration", kInteger, Unit::ns, "Time in it", kDifferences},
    {"in_bytes", kInteger, Unit::bytes, "Bytes that this rank put in"},
    {"message_bytes", kInteger, Unit::bytes, "Size of the message, where it does not depend on the number of ranks"},
    {"bytes_per_rank", kInteger, Unit::bytes, "Size of the message per rank of the group, elsewhere"},
    {"group_size", kInteger, Unit::count, "Ranks of the group, as recorded"},
    {"apart", kFlag, Unit::none, "Whether it overlaps no other collective of its rank and crosses no step boundary"},
    {"window_step", kInteger, Unit::id, "If apart: the step (steps.step) whose window contains it; unknown if no step does"},
    {"slice", kInteger, Unit::id, "Its row of slices in the rank's profile", kDifferences}};

constexpr LakeColumn kOperations[] = {kRank,
                                      {"operation", kInteger, Unit::id, "In the order of first calls"},
                                      {"title", kText, Unit::none, "Kind, else the name as recorded"},
                                      {"name", kText, Unit::none, "As recorded"},
                                      {"group_words", kText, Unit::none, "The group's name in the program, else its id"}};

constexpr LakeColumn kMemberships[] = {kRank,
                                       {"group_id", kInteger, Unit::id, "See collectives"},
                                       {"name", kText, Unit::none, "Process group"},
                                       {"about", kText, Unit::none, "What the program calls it, such as tp or dp"},
                                       {"listed_ranks", kText, Unit::none, "List of its ranks, as recorded"},
                                       {"group_size", kInteger, Unit::count, "Its ranks, as recorded"},
                                       {"collectives", kInteger, Unit::count, "Collectives of the rank in it"}};

constexpr LakeColumn kSumsByName[] = {kRank,
                                      {"name", kText, Unit::none, "Name"},
                                      {"calls", kInteger, Unit::count, "How often"},
                                      {"total", kInteger, Unit::ns, "Sum of the durations", kDifferences},
                                      {"shortest", kInteger, Unit::ns, "Shortest", kDifferences},
                                      {"median", kInteger, Unit::ns, "Median (nearest rank)", kDifferences},
                                      {"p99", kInteger, Unit::ns, "99th percentile (nearest rank)", kDifferences},
                                      {"longest", kInteger, Unit::ns, "Longest", kDifferences}};

constexpr LakeColumn kMemory[] = {kRank,
                                  {"device", kInteger, Unit::id, "Device ordinal, -1 for the host"},
                                  {"device_name", kText, Unit::none, "Name of the device"},
                                  {"allocated", kInteger, Unit::bytes, "Most bytes allocated at once"},
                                  {"reserved", kInteger, Unit::bytes, "Most bytes reserved at once"}};

constexpr LakeColumn kProblems[] = {kRank,
                                    {"severity", kText, Unit::none, "note, warning or error"},
                                    {"code", kText, Unit::none, "Stable name of the cause"},
                                    {"message", kText, Unit::none, "What was found, and what was done about it"},
                                    {"count", kInteger, Unit::count, "Number of occurrences"},
                                    {"place", kInteger, Unit::bytes, "Byte of the first, in the decompressed file"}};

// ---- of the whole capture ----

constexpr LakeColumn kCaptures[] = {
    {"capture", kText, Unit::none, "Name of the capture"},
    {"ranks", kInteger, Unit::count, "Ranks that were read"},
    {"ranks_damaged", kInteger, Unit::count, "Ranks of which all or a part could not be read"},
    {"world_size", kInteger, Unit::count, "Ranks of the job, as recorded"},
    {"collectives", kInteger, Unit::count, "Collectives on all ranks"},
    {"matched", kInteger, Unit::count, "Of these, known on two ranks or more"},
    {"matched_by_order", kInteger, Unit::count, "Of these, by their order in the step"},
    {"point_to_point", kInteger, Unit::count, "Not matched: from rank to rank in a larger group"},
    {"unequal", kInteger, Unit::count, "Not matched: without number, in steps where ranks have different numbers of them"},
    {"alone", kInteger, Unit::count, "Not matched: seen on one rank only"}};

constexpr LakeColumn kGroups[] = {{"group_id", kInteger, Unit::id, "See collectives"},
                                  {"name", kText, Unit::none, "Process group"},
                                  {"axis", kText, Unit::none, "What the program calls it, else its name"},
                                  {"about", kText, Unit::none, "What the program calls it"},
                                  {"listed_ranks", kText, Unit::none, "List of its ranks, as recorded"},
                                  {"group_size", kInteger, Unit::count, "Its ranks, as recorded"},
                                  {"ranks", kInteger, Unit::count, "Its ranks in this capture"},
                                  {"first_rank", kInteger, Unit::id, "The lowest of these"},
                                  {"last_rank", kInteger, Unit::id, "The highest"}};

constexpr LakeColumn kMatches[] = {{"match_key", kInteger, Unit::id, "See collectives"},
                                   {"group_id", kInteger, Unit::id, "See collectives"},
                                   {"kind", kText, Unit::none, "Kind of collective"},
                                   {"last_kind", kText, Unit::none, "Kind as its last rank recorded it"},
                                   {"sequence", kInteger, Unit::id, "Sequence number, as recorded"},
                                   {"match_rule", kText, Unit::none, "sequence or order"},
                                   {"step_number", kInteger, Unit::id, "steps.number on its last rank"},
                                   {"first_step_number", kInteger, Unit::id, "steps.number on the first of its ranks"},
                                   {"ranks", kInteger, Unit::count, "Ranks that recorded it"},
                                   {"group_size", kInteger, Unit::count, "Ranks of the group, as recorded by the first of them"},
                                   {"bytes", kInteger, Unit::bytes, "Size of the message"},
                                   {"transfer", kInteger, Unit::ns, "Shortest time in it: the time in which data moved"},
                                   {"longest", kInteger, Unit::ns, "Longest time in it"},
                                   {"waited", kInteger, Unit::ns, "Sum over its ranks of (time in it - transfer)"},
                                   {"delay", kInteger, Unit::ns, "Second shortest time in it - transfer"},
                                   {"last_rank_id", kInteger, Unit::id, "The rank that arrived last; on ties, the first"},
                                   {"last_step", kInteger, Unit::id, "Its step"},
                                   {"last_slice", kInteger, Unit::id, "Its slice"},
                                   {"outlying", kFlag, Unit::none, "Whether its late arrival is an outlier"},
                                   {"partial", kFlag, Unit::none, "The group has more ranks than recorded it"}};

constexpr LakeColumn kRankSteps[] = {
    kRank,
    {"step", kInteger, Unit::id, "steps.step"},
    {"number", kInteger, Unit::id, "steps.number"},
    {"total", kInteger, Unit::ns, "Length of the step"},
    {"computation", kInteger, Unit::ns, "Only computing"},
    {"overlap", kInteger, Unit::ns, "Computing and communicating"},
    {"communication", kInteger, Unit::ns, "Only communicating"},
    {"other", kInteger, Unit::ns, "Neither"},
    {"transfer", kInteger, Unit::ns, "Data moves in some collective"},
    {"waiting", kInteger, Unit::ns, "It waits in collectives for others, and no data moves"},
    {"unmatched", kInteger, Unit::ns, "It is only in collectives that no other rank recorded"},
    {"caused", kInteger, Unit::ns, "Waits of other ranks in collectives in which it arrived last"},
    {"delay", kInteger, Unit::ns, "Sum over these collectives of its arrival time minus that of the rank before it"},
    {"last", kInteger, Unit::count, "How many these are"},
    {"outlying", kInteger, Unit::count, "Number of these collectives in which its late arrival is an outlier"}};

constexpr LakeColumn kRankWaits[] = {kRank,
                                     kStep,
                                     {"axis", kText, Unit::none, "groups.axis"},
                                     {"calls", kInteger, Unit::count, "Collectives of the rank that were matched"},
                                     {"transfer", kInteger, Unit::ns, "Sum of their transfers"},
                                     {"waited", kInteger, Unit::ns, "Sum of (time in it - transfer)"},
                                     {"caused", kInteger, Unit::ns, "Others' waits in those to which it came last"},
                                     {"last", kInteger, Unit::count, "How many these are"}};

constexpr LakeColumn kOperationSums[] = {kRank,
                                         kStep,
                                         {"operation", kInteger, Unit::id, "operations.operation"},
                                         {"first_start", kInteger, Unit::ns, "Start of the first call"},
                                         {"calls", kInteger, Unit::count, "Calls"},
                                         {"latency", kInteger, Unit::ns, "Sum of the times in them"},
                                         {"sized", kInteger, Unit::count, "Calls of known size"},
                                         {"bytes", kInteger, Unit::bytes, "Bytes that these put in"},
                                         {"matched", kInteger, Unit::count, "Calls that other ranks recorded as well"},
                                         {"transfer", kInteger, Unit::ns, "Sum of the transfers of these"},
                                         {"waiting", kInteger, Unit::ns, "Sum of (time in it - transfer)"}};

constexpr LakeColumn kBandwidth[] = {{"kind", kText, Unit::none, "Kind of collective"},
                                     {"about", kText, Unit::none, "groups.about"},
                                     {"ranks", kInteger, Unit::count, "Ranks of the group, as recorded, else those seen"},
                                     {"bytes", kInteger, Unit::bytes, "Size of the message"},
                                     {"step_number", kInteger, Unit::id, "steps.number on the first of the ranks"},
                                     {"collectives", kInteger, Unit::count, "Collectives; one on several ranks counts once"},
                                     {"timed", kInteger, Unit::count, "Of these, with a transfer above 0"},
                                     {"transfer", kInteger, Unit::ns, "Sum of the transfers"},
                                     {"fastest", kInteger, Unit::ns, "Shortest transfer above 0"},
                                     {"waited", kInteger, Unit::ns, "Sum of the waits"},
                                     {"members", kInteger, Unit::count, "Calls of all ranks in them"}};

constexpr LakeColumn kLinks[] = {
    {"host_a", kText, Unit::none, "Host"},
    {"host_b", kText, Unit::none, "Host"},
    {"kind", kText, Unit::none, "Kind of collective"},
    {"bytes", kInteger, Unit::bytes, "Size of the message"},
    {"hosts", kInteger, Unit::count, "Hosts of the group; it is listed for each pair of neighbours in the order of its ranks"},
    {"collectives", kInteger, Unit::count, "Collectives over the two hosts"},
    {"transfer", kInteger, Unit::ns, "Sum of the transfers"},
    {"fastest", kInteger, Unit::ns, "Shortest transfer"}};

constexpr LakeColumn kPlaces[] = {kRank,
                                  {"axis", kText, Unit::none, "groups.axis"},
                                  {"group_id", kInteger, Unit::id, "See collectives"},
                                  {"place", kInteger, Unit::id, "Which of the group's ranks it is, by rank"}};

constexpr LakeColumn kKernelRanks[] = {{"name", kText, Unit::none, "Kernel"},
                                       {"ranks", kInteger, Unit::count, "Ranks that ran it"},
                                       {"calls", kInteger, Unit::count, "Calls on all ranks"},
                                       {"total", kInteger, Unit::ns, "Sum of the durations on all ranks"},
                                       {"mean_median", kInteger, Unit::ns, "Median over ranks of the mean duration of a call"},
                                       {"mean_most", kInteger, Unit::ns, "Largest mean duration of a call"},
                                       {"mean_least", kInteger, Unit::ns, "Smallest mean duration of a call"},
                                       {"slowest_rank_id", kInteger, Unit::id, "The rank with the largest; the first of equals"}};

constexpr LakeColumn kMembers[] = {{"match_key", kInteger, Unit::id, "matches.match_key"},
                                   {"group_id", kInteger, Unit::id, "See collectives"},
                                   kRank,
                                   kStep,
                                   {"start", kInteger, Unit::ns, "Start, on the rank's clock"},
                                   {"duration", kInteger, Unit::ns, "Time in it"},
                                   {"slice", kInteger, Unit::id, "Its row of slices in the rank's profile"}};

constexpr LakeTableInfo kTables[] = {
    {"ranks", "Each rank: its worker, host and trace.", kRanks, "id", true},
    {"devices", "The devices that did any work.", kDevices},
    {"steps", "The parts of each rank's steps. computation + overlap + communication + other = total.", kSteps},
    {"collectives", "Each collective of each rank, by rank, group and order.", kCollectives},
    {"operations", "The collective operations of each rank: name and group.", kOperations},
    {"memberships", "The process groups of each rank.", kMemberships},
    {"kernels", "The kernels of each rank by name: durations on the device.", kSumsByName},
    {"operators", "The operators of each rank by name: durations on the host, nested ones included.", kSumsByName},
    {"memory", "Peaks of the memory of each rank's devices.", kMemory},
    {"problems", "What was wrong with a rank's trace.", kProblems},
    {"captures", "What the capture holds, and how its collectives were matched.", kCaptures, "capture"},
    {"groups", "The process groups.", kGroups, "group_id"},
    {"matches", "Collectives that two ranks or more recorded, each once, by group.", kMatches, "group_id, match_key"},
    {"rank_steps", "The parts of each rank's steps, with its waits and the waits that it caused.", kRankSteps, "rank_id, step"},
    {"rank_waits", "The waits of each rank and step, by the purpose of the group (axis).", kRankWaits, "rank_id, step, axis"},
    {"operation_sums", "Sums of the collectives of each rank, step and operation.", kOperationSums, "rank_id, step, operation"},
    {"bandwidth", "Sums of matched collectives of one kind and size.", kBandwidth, "kind, about, ranks, bytes, step_number"},
    {"links", "Sums of matched collectives over pairs of hosts.", kLinks, "host_a, host_b, kind, bytes, hosts"},
    {"places", "The place of each rank in its groups: its coordinates.", kPlaces, "rank_id, axis, group_id"},
    {"kernel_ranks", "Kernels by name, over all ranks.", kKernelRanks, "name"},
    {"members", "The members of matched collectives, by group and collective.", kMembers, "group_id, match_key, rank_id"}};

std::string_view type_name(LakeType type) {
  switch (type) {
    case LakeType::integer: return "int64";
    case LakeType::text: return "text";
    case LakeType::flag: return "flag";
  }
  return "";
}

}  // namespace

std::span<const LakeTableInfo> lake_tables() { return kTables; }

const LakeTableInfo* find_lake_table(std::string_view name) {
  const auto* found = std::find_if(std::begin(kTables), std::end(kTables), [&](const auto& table) { return table.name == name; });
  return found == std::end(kTables) ? nullptr : found;
}

const LakeTableInfo& lake_table(std::string_view name) {
  const LakeTableInfo* found = find_lake_table(name);
  CHECK(found != nullptr);
  return *found;
}

std::vector<std::string> lake_table_names() {
  std::vector<std::string> names;
  for (const LakeTableInfo& table : kTables) names.emplace_back(table.name);
  return names;
}

std::string schema_fingerprint() {
  std::string text;
  for (const LakeTableInfo& table : kTables) {
    if (!table.is_mapped()) continue;
    text.append(table.name).append("\n");
    for (const LakeColumn& column : table.columns)
      text.append(column.name).append(" ").append(type_name(column.type)).append("\n");
  }
  return store::hex(store::checksum(text));
}

std::string lake_tables_markdown() {
  std::string out =
      "# Tables of a lake\n\nPrinted by `sightline fleet tables`. [fleet.md](../fleet.md) explains the lake. An unknown value is "
      "NULL.\n";
  for (const bool reduced : {false, true}) {
    out += reduced ? "\n## Of the whole capture\n" : "\n## Of each rank\n";
    for (const LakeTableInfo& table : kTables) {
      if (table.is_mapped() == reduced) continue;
      out += fmt::format("\n### {}\n\n{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n", table.name, table.doc);
      for (const LakeColumn& column : table.columns)
        out += fmt::format("| {} | {} | {} | {} |\n", column.name, type_name(column.type), unit_name(column.unit), column.doc);
    }
  }
  return out;
}

// ---- files ----

namespace {

constexpr std::int64_t kRowGroup = 1 << 17;
constexpr std::int64_t kBatch = 1 << 14;
constexpr std::int64_t kDictionary = 4 << 20;  // bytes of the distinct values of a column in a row group

std::shared_ptr<arrow::DataType> arrow_type(LakeType type) {
  switch (type) {
    case LakeType::integer: return arrow::int64();
    case LakeType::text: return arrow::utf8();
    case LakeType::flag: return arrow::boolean();
  }
  return arrow::null();
}

std::shared_ptr<arrow::Schema> schema_of(const LakeTableInfo& table) {
  arrow::FieldVector fields;
  for (const LakeColumn& column : table.columns) {
    auto about = arrow::key_value_metadata({"unit", "doc"}, {std::string(unit_name(column.unit)), std::string(column.doc)});
    fields.push_back(arrow::field(std::string(column.name), arrow_type(column.type), true, std::move(about)));
  }
  return arrow::schema(fields, arrow::key_value_metadata({"table", "doc"}, {std::string(table.name), std::string(table.doc)}));
}

std::shared_ptr<parquet::WriterProperties> properties_of(const LakeTableInfo& table) {
  parquet::WriterProperties::Builder builder;
  builder.compression(parquet::Compression::ZSTD)
      ->max_row_group_length(kRowGroup)
      ->dictionary_pagesize_limit(kDictionary)
      ->created_by("sightline " SIGHTLINE_VERSION);
  for (const LakeColumn& column : table.columns) {
    if (column.stored != Stored::differences) continue;
    const std::string name(column.name);
    builder.disable_dictionary(name)->encoding(name, parquet::Encoding::DELTA_BINARY_PACKED);
  }
  return builder.build();
}

}  // namespace

struct LakeWriter::File {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders;
  std::shared_ptr<arrow::io::BufferOutputStream> bytes;
  std::unique_ptr<parquet::arrow::FileWriter> writer;
  std::int64_t waiting = 0;  // rows in the builders
  arrow::Status failed;

  arrow::Status open(const LakeTableInfo& table) {
    schema = schema_of(table);
    for (const LakeColumn& column : table.columns) {
      std::unique_ptr<arrow::ArrayBuilder> builder;
      ARROW_RETURN_NOT_OK(arrow::MakeBuilder(arrow::default_memory_pool(), arrow_type(column.type), &builder));
      builders.push_back(std::move(builder));
    }
    ARROW_ASSIGN_OR_RAISE(bytes, arrow::io::BufferOutputStream::Create());
    ARROW_ASSIGN_OR_RAISE(writer,
                          parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), bytes, properties_of(table)));
    return arrow::Status::OK();
  }

  arrow::Status write() {
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    for (const auto& builder : builders) {
      ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
      arrays.push_back(std::move(array));
    }
    const auto batch = arrow::RecordBatch::Make(schema, waiting, std::move(arrays));
    waiting = 0;
    return writer->WriteRecordBatch(*batch);
  }

  void note(const arrow::Status& status) {
    if (failed.ok()) failed = status;
  }
};

LakeWriter::LakeWriter(const LakeTableInfo& table) : table_(&table), file_(std::make_unique<File>()) {
  file_->failed = file_->open(table);
}

LakeWriter::~LakeWriter() = default;
LakeWriter::LakeWriter(LakeWriter&&) noexcept = default;

void LakeWriter::begin_row(std::size_t columns) {
  CHECK(columns == table_->columns.size());
  if (file_->waiting == kBatch && file_->failed.ok()) file_->failed = file_->write();
  ++file_->waiting;
  ++rows_;
  next_ = 0;
}

void LakeWriter::put(std::int64_t value) {
  const std::size_t column = next_++;
  CHECK(table_->columns[column].type == LakeType::integer);
  auto& builder = static_cast<arrow::Int64Builder&>(*file_->builders[column]);
  file_->note(value == kUnknown ? builder.AppendNull() : builder.Append(value));
}

void LakeWriter::put(std::string_view value) {
  const std::size_t column = next_++;
  CHECK(table_->columns[column].type == LakeType::text);
  auto& builder = static_cast<arrow::StringBuilder&>(*file_->builders[column]);
  file_->note(value.empty() ? builder.AppendNull() : builder.Append(to_utf8(value)));
}

void LakeWriter::put(bool value) {
  const std::size_t column = next_++;
  CHECK(table_->columns[column].type == LakeType::flag);
  file_->note(static_cast<arrow::BooleanBuilder&>(*file_->builders[column]).Append(value));
}

Result<std::string> LakeWriter::finish() {
  if (file_->failed.ok()) file_->failed = file_->write();
  file_->note(file_->writer == nullptr ? arrow::Status::OK() : file_->writer->Close());
  const auto buffer = file_->failed.ok() ? file_->bytes->Finish() : arrow::Result<std::shared_ptr<arrow::Buffer>>(file_->failed);
  if (buffer.ok()) return (*buffer)->ToString();
  return Error{ErrorCode::unavailable,
               say("the table {} cannot be written: {}", std::string(table_->name), buffer.status().message()), ""};
}

// ---- reading what a file is ----

namespace {

template <typename Value, typename Read>
Result<Value> of_footer(const std::string& path, Read&& read) {
  try {
    return read(*parquet::ParquetFileReader::OpenFile(path)->metadata());
  } catch (const std::exception& failed) {  // Parquet's readers throw
    return Error{ErrorCode::unreadable, Message::verbatim(failed.what()), path};
  }
}

}  // namespace

Result<std::int64_t> rows_of_file(const std::string& path) {
  return of_footer<std::int64_t>(path, [](const parquet::FileMetaData& footer) { return footer.num_rows(); });
}

Result<std::vector<std::string>> columns_missing(const LakeTableInfo& table, const std::string& path) {
  return of_footer<std::vector<std::string>>(path, [&](const parquet::FileMetaData& footer) {
    std::vector<std::string> missing;
    for (const LakeColumn& column : table.columns) {
      const std::string name(column.name);
      if (footer.schema()->ColumnIndex(name) < 0 && !is_added_column(table.name, name)) missing.push_back(name);
    }
    return missing;
  });
}

}  // namespace sightline::fleet
