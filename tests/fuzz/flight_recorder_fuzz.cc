// Fuzzes the reader of flight recorders: the input is the file of rank 1, a pickle or JSON, beside a small file of rank 0. For
// every input the reader must return an error that names its cause, or a profile that passes check_profile, of which the view
// Hangs gives a report.
#include <cstdint>
#include <string_view>

#include "analyses/views.h"
#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

constexpr std::string_view kRank0 = R"({"version":"2.10","comm_lib_version":"","pg_status":{"0":{"last_completed_collective":"1",
"last_enqueued_collective":"2","last_started_collective":"-1"}},"pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[0, 1]"}},
"entries":[{"record_id":0,"pg_id":0,"process_group":["0","default_pg"],"collective_seq_id":1,"p2p_seq_id":0,"op_id":1,
"profiling_name":"gloo:all_reduce","time_created_ns":1000,"input_sizes":[[16,4]],"input_dtypes":["Float"],"output_sizes":[[16,4]],
"output_dtypes":["Float"],"state":"completed","retired":true,"timeout_ms":10,"is_p2p":false},{"record_id":1,"pg_id":0,
"process_group":["0","default_pg"],"collective_seq_id":2,"p2p_seq_id":0,"op_id":2,"profiling_name":"gloo:all_reduce",
"time_created_ns":2000,"state":"scheduled","retired":false,"is_p2p":false}]})";

}  // namespace

FUZZ_TARGET(flight_recorder_fuzz, data, size) {
  static sightline::tests::InputFolder folder;
  folder.clear();
  folder.write("trace_rank_0", kRank0);
  folder.write("trace_rank_1", {reinterpret_cast<const char*>(data), size});
  const sightline::tests::Reader reader = sightline::tests::flight_recorder_reader();
  auto read = sightline::tests::sound_reading(reader, folder.path(), {});
  sightline::tests::require(read.ok(), "rank 0 is read, whatever the other file holds");
  const sightline::analyses::Analysis hangs = sightline::analyses::hangs_analysis();
  const sightline::analyses::Parameters none({});
  const sightline::model::ProfilePtr profile = std::move(read).value();
  sightline::tests::require(hangs.run({{&profile, 1}, none}).ok(), "the view has a report");
  return 0;
}
