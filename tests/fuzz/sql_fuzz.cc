// Fuzzes SQL: the input is the text of a query over a small profile, run as `sightline query` and /api/query run it. Every text
// gives a table with columns of equal length, or an error that names its cause.
//
// Each query runs in a fork, as it does for users: even preparing a statement may take minutes and gigabytes, because
// DuckDB computes constants then, and only the end of a process limits that. A fork takes some 10 ms under
// AddressSanitizer, so this is by far the slowest target. The child's counters of covered code are shared with this
// process, so its findings count. DuckDB itself is not instrumented, and may abort in its own code; if a child ends
// early for any other reason, the target fails.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "sql/sql_query.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"
#include "tests/support/text_profile.h"

// The database is opened once and kept until the program ends.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libduckdb.so\n"; }

// libFuzzer's counters, one byte per edge of our code, and the function that receives AddressSanitizer's reports;
// null without them. (The assembler gets the names, because the compiler would make separate symbols of them.)
__asm__(".weakref counters_begin, __start___sancov_cntrs\n.weakref counters_end, __stop___sancov_cntrs");
extern "C" [[gnu::weak]] char counters_begin[];
extern "C" [[gnu::weak]] char counters_end[];
extern "C" [[gnu::weak]] void __asan_set_error_report_callback(void (*callback)(const char*));

namespace {

using namespace sightline::tests;

constexpr const char* kProfile = R"(
  rank 0 of 2
  device 0: Big GPU [memory=16000 cc=7.0 cores=80]
  thread 1: 0-100 step 5, 0-40 op aten::mm [id=1 shapes=[[2,3],[3,4]] stack=f;g], 10-15 runtime launch [corr=1], 110-150 module Linear [instance=1], 120-140 op aten::add
  stream 7: 20-30 kernel gemm [corr=1 blocks=0.5 occ=30], 62-65 memcpy HtoD [bytes=64], 70-90 collective ar [coll=all_reduce group=0 n=2 in=8]
  memory 0: 10 64 64 [at=8 thread=1], 20 -64 0 [at=8 thread=1]
  counter Clock: 0 1800, 50 800
)";

void* shared_bytes(void* at, std::size_t size, int flags) {
  void* const bytes = ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | flags, -1, 0);
  if (bytes == MAP_FAILED) std::abort();
  return bytes;
}

// Whether the child aborted in DuckDB's code, or had too little memory.
std::atomic<bool>& broke_off_alone() {
  static auto* const flag = new (shared_bytes(nullptr, sizeof(std::atomic<bool>), 0)) std::atomic<bool>(false);
  return *flag;
}

// Called for an error that AddressSanitizer found, which otherwise is reported as a failure.
void judge_report(const char* text) {
  const std::string_view report(text);
  const bool no_memory = report.find("out-of-memory") != report.npos || report.find("allocation-size-too-big") != report.npos;
  if (!no_memory && report.find("libduckdb.so") >= report.find("sightline::")) return;
  broke_off_alone() = true;
  ::_exit(1);
}

// All whole pages of them; counters on other pages count in this process only.
void share_counters() {
  if (counters_begin == nullptr) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  char* const begin = counters_begin + (page - reinterpret_cast<std::uintptr_t>(counters_begin) % page) % page;
  const std::size_t size = begin < counters_end ? (counters_end - begin) / page * page : 0;
  if (size == 0) return;
  const std::string before(begin, size);
  shared_bytes(begin, size, MAP_FIXED);
  std::memcpy(begin, before.data(), size);
}

void prepare() {
  share_counters();
  broke_off_alone();
  if (__asan_set_error_report_callback != nullptr) __asan_set_error_report_callback(judge_report);
}

}  // namespace

FUZZ_TARGET(sql_fuzz, data, size, prepare) {
  static const Result<std::unique_ptr<Profile>> profile = parse_text_profile(kProfile);
  require(profile.ok(), "the profile is not one");
  broke_off_alone() = false;
  const std::string sql(reinterpret_cast<const char*>(data), size);
  // The time limit bounds the memory as well; a memory limit would end the sanitizer, which needs much memory itself.
  const SqlLimits limits{.rows = 40, .bytes = 4096, .seconds = 0.2, .memory = std::int64_t{16} << 30};
  const Result<SqlAnswer> answer = query_profile(**profile, sql, limits);
  if (!answer) {
    const std::string& why = answer.error().message;
    require(!why.empty(), "an error names its cause");
    require(answer.error().code == ErrorCode::invalid_argument, "the query was not tried: " + why);
    require(!why.starts_with("the query failed: it needs") || broke_off_alone(), "the query broke off in our code");
    return 0;
  }
  const ReportTable& table = answer->table;
  require(!table.columns.empty() && table.rows() <= limits.rows, "the answer is not a table");
  for (const ReportColumn& column : table.columns) require(column.values.size() == table.rows(), "columns are not equally long");
  return 0;
}
