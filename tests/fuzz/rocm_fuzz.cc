// Fuzzes the reader of ROCm: rocpd and rpd databases that SQLite finds intact (chosen_database.h), and any bytes as the JSON of
// rocprofv3. For every input it must return an error that names its cause, or a profile that passes check_profile.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "tests/fuzz/chosen_database.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"

namespace {

using sightline::tests::Table;

const std::vector<Table> kRocpd = {
    {"rocpd_info_agent_7", {"id", "type", "type_index", "product_name", "name", "extdata"}},
    {"rocpd_string_7", {"id", "string"}},
    {"rocpd_info_process_7", {"id", "pid", "command"}},
    {"rocpd_info_thread_7", {"id", "pid", "tid", "name"}},
    {"rocpd_info_stream_7", {"id", "name"}},
    {"rocpd_track_7", {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"}},
    {"rocpd_timestamp_7", {"id", "value"}},
    {"rocpd_event_7", {"id", "category_id", "stack_id", "correlation_id", "extdata"}},
    {"rocpd_region_7", {"id", "pid", "tid", "start", "end", "start_id", "end_id", "track_id", "name_id", "event_id"}},
    {"rocpd_info_pmc_7", {"id", "symbol", "name", "agent_id"}},
    {"rocpd_pmc_event_7", {"event_id", "pmc_id", "value"}},
    {"rocpd_info_kernel_symbol_7", {"id", "display_name", "kernel_name", "arch_vgpr_count"}},
    {"rocpd_kernel_dispatch_7",
     {"start", "end", "pid", "tid", "agent_id", "queue_id", "stream_id", "event_id", "kernel_id", "workgroup_size_x",
      "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z", "group_segment_size"}},
    {"rocpd_memory_copy_7",
     {"start", "end", "pid", "tid", "name_id", "size", "dst_agent_id", "src_agent_id", "event_id", "stream_id"}},
    {"rocpd_memory_allocate_7", {"start", "end", "agent_id", "type", "level", "address", "size"}},
    {"rocpd_sample_7", {"timestamp", "track_id", "event_id"}}};

const std::vector<Table> kRpd = {
    {"rocpd_op", {"id", "gpuId", "queueId", "start", "end", "description_id", "opType_id"}},
    {"rocpd_string", {"id", "string"}},
    {"rocpd_ustring", {"id", "string"}},
    {"rocpd_api", {"id", "pid", "tid", "start", "end", "apiName_id", "args_id"}},
    {"rocpd_api_ops", {"api_id", "op_id"}},
    {"rocpd_kernelapi", {"api_ptr_id", "gridX", "gridY", "gridZ", "workgroupX", "workgroupY", "workgroupZ", "groupSegmentSize"}},
    {"rocpd_copyapi", {"api_ptr_id", "size"}},
    {"rocpd_counter", {"op_id", "name_id", "value"}},
    {"rocpd_monitor", {"deviceId", "monitorType", "start", "value"}}};

constexpr std::array<const char*, 14> kRocmTexts = {"",
                                                    "GPU",
                                                    "CPU",
                                                    "HIP_RUNTIME_API",
                                                    "MARKER_CORE_RANGE_API",
                                                    "UserMarker",
                                                    "{\"message\": \"step 1\", \"cu_count\": 304, \"gfx_target_version\": 90402}",
                                                    "{\"message\": \"aten::mm, seq = 1, sizes = [[2, 3]]\"}",
                                                    "MEMORY_COPY_HOST_TO_DEVICE",
                                                    "CopyDeviceToHost",
                                                    "KernelExecution",
                                                    "ncclDevKernel_Generic",
                                                    "ALLOC",
                                                    "FREE"};

}  // namespace

FUZZ_TARGET(rocm_fuzz, data, size, sightline::tests::prepare_databases) {
  sightline::tests::Choices choices(data, size);
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::uint8_t which = choices.next() % 4;
  if (which >= 2) {
    folder.write("1_results", {reinterpret_cast<const char*>(data) + 1, size - 1});
  } else {
    write_database(folder, "1_results", which == 0 ? kRocpd : kRpd, kRocmTexts, choices);
  }
  const sightline::tests::Reader reader = sightline::tests::rocm_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path() + "/1_results", options);
  return 0;
}
