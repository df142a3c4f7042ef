// Collectives of trace events: their names and sizes, and what a kernel takes from the place where it was launched.
#include "formats/common/collectives.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "formats/registry.h"
#include "model/kind_names.h"
#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

TEST(CollectiveKind, AnySpelling) {
  EXPECT_EQ(collective_kind("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"), CollectiveKind::all_reduce);
  EXPECT_EQ(collective_kind("allreduce_coalesced"), CollectiveKind::all_reduce);
  EXPECT_EQ(collective_kind("void vllm::cross_device_reduce_1stage<float, 2>()"), CollectiveKind::all_reduce);
  EXPECT_EQ(collective_kind("_allgather_base"), CollectiveKind::all_gather);
  EXPECT_EQ(collective_kind("nccl:_reduce_scatter_base"), CollectiveKind::reduce_scatter);
  EXPECT_EQ(collective_kind("all_to_allv"), CollectiveKind::all_to_all);
  EXPECT_EQ(collective_kind("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)"), CollectiveKind::send_receive);
  EXPECT_EQ(collective_kind("hcom_broadcast_"), CollectiveKind::broadcast);
  EXPECT_EQ(collective_kind("ncclDevKernel_Reduce_Sum_bf16"), CollectiveKind::reduce);
  EXPECT_EQ(collective_kind("xccl::barrier"), CollectiveKind::barrier);
  EXPECT_EQ(collective_kind("ncclDevKernel_Generic"), CollectiveKind::unknown);
}

TEST(CollectiveSize, OfElements) {
  EXPECT_EQ(element_bytes("c10::BFloat16"), 2);
  EXPECT_EQ(element_bytes("Float"), 4);
  EXPECT_EQ(element_bytes("long int"), 8);
  EXPECT_EQ(element_bytes("Float8_e4m3fn"), 1);
  EXPECT_EQ(element_bytes("TensorList"), kUnknown);
}

TEST(CollectiveSize, OfInputs) {
  EXPECT_EQ(input_size("[[2, 3], [], [4]]", "[\"float\", \"Scalar\", \"c10::Half\"]").bytes, 32);
  EXPECT_EQ(input_size("[[2, 3], [4]]", "[\"float\", \"float\"]").elements, 10);
  EXPECT_EQ(input_size("[[2, 3], [4]]", "[\"float\", \"float\"]").type, "float");
  EXPECT_EQ(input_size("[[]]", "[\"float\"]").bytes, 4);                      // a tensor of one element
  EXPECT_EQ(input_size("[[[2], [3]]]", "[\"TensorList\"]").bytes, kUnknown);  // its type is not stated
  EXPECT_EQ(input_size("[[2], [[3]]]", "[\"float\", \"float\"]").bytes, 8);
  EXPECT_EQ(input_size("[[9223372036854775807, 2]]", "[\"float\"]").bytes, kUnknown);
  EXPECT_EQ(input_size("", "").bytes, kUnknown);
  EXPECT_EQ(input_size("[", "]").bytes, kUnknown);
}

// "kind name group size in out seq" of the collective at the slice of that name.
std::string collective(const Profile& p, std::string_view name) {
  const auto text = [&](StringId id) { return id == StringId::none ? "-" : std::string(p.text(id)); };
  const auto number = [](std::int64_t value) { return value == kUnknown ? "-" : std::to_string(value); };
  const Collectives& c = p.collectives;
  for (Row i = 0; i < c.rows(); ++i) {
    if (p.text(p.slices.name[c.slice[i]]) != name) continue;
    return fmt::format("{} {} {} {} {} {} {}", collective_kind_name(c.kind[i]), text(c.name[i]), text(c.group[i]),
                       number(c.group_size[i]), number(c.in_bytes[i]), number(c.out_bytes[i]), number(c.sequence[i]));
  }
  return "none";
}

std::unique_ptr<Profile> read_events(const std::string& events) {
  const TemporaryFile file(R"({"schemaVersion": 1, "host_name": "node7", "traceEvents": [)" + events + "]}");
  Result<std::unique_ptr<Profile>> result = kineto_reader().read(file.path(), {});
  EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  return std::move(*result);
}

constexpr std::string_view kHost = R"("ph": "X", "pid": 1, "tid": 1)";
constexpr std::string_view kStream = R"("ph": "X", "pid": 0, "tid": 20)";

TEST(Collectives, AKernelInheritsFromTheRangesAroundItsLaunch) {
  // The sequence number and the group are on record_param_comms, the sizes on the annotation, and nothing is on the kernel.
  const auto p = read_events(fmt::format(
      R"({{{0}, "cat": "cpu_op", "name": "record_param_comms", "ts": 10, "dur": 50, "args": {{"External id": 3,
           "Collective name": "alltoall_base", "Process Group Name": "4", "Process Group Description": "ep", "Process Group Ranks": "[0,1]",
           "Group size": 2, "Seq": 7}}}},
         {{{0}, "cat": "user_annotation", "name": "nccl:all_to_all", "ts": 20, "dur": 30, "args": {{"External id": 4,
           "Input Dims": [[10,2]], "Input type": ["float"]}}}},
         {{{0}, "cat": "cuda_runtime", "name": "launch", "ts": 25, "dur": 5, "args": {{"External id": 4, "correlation": 9}}}},
         {{{1}, "cat": "kernel", "name": "ncclKernel_SendRecv", "ts": 40, "dur": 9, "args": {{"correlation": 9}}}})",
      kHost, kStream));
  EXPECT_EQ(collective(*p, "nccl:all_to_all"), "all_to_all all_to_all 4 2 80 - 7");
  EXPECT_EQ(collective(*p, "ncclKernel_SendRecv"), "all_to_all all_to_all 4 2 80 - 7");
  EXPECT_EQ(p->text(p->collectives.group_about[2]), "ep");
  EXPECT_EQ(p->text(p->collectives.group_ranks[2]), "[0, 1]");
  EXPECT_EQ(p->host, "node7");
}

TEST(Collectives, ArgumentsOfTheKernelItselfComeFirst) {
  const auto p = read_events(fmt::format(
      R"({{{0}, "cat": "user_annotation", "name": "nccl:coalesced", "ts": 20, "dur": 30, "args": {{"External id": 4}}}},
         {{{0}, "cat": "cuda_runtime", "name": "launch", "ts": 25, "dur": 5, "args": {{"External id": 4, "correlation": 9}}}},
         {{{1}, "cat": "kernel", "name": "ncclDevKernel_Generic", "ts": 40, "dur": 9, "args": {{"correlation": 9,
           "Collective name": "_allgather_base", "In msg nelems": 5, "Out msg nelems": 40, "dtype": "BFloat16", "Group size": 8}}}})",
      kHost, kStream));
  EXPECT_EQ(collective(*p, "nccl:coalesced"), "other coalesced - - - - -");
  EXPECT_EQ(collective(*p, "ncclDevKernel_Generic"), "all_gather _allgather_base - 8 10 80 -");
}

TEST(Collectives, AKernelWithoutARangeIsKnownByItsName) {
  const auto p = read_events(fmt::format(
      R"({{{0}, "cat": "kernel", "name": "ncclDevKernel_ReduceScatter_Sum_f32", "ts": 40, "dur": 9, "args": {{}}}},
         {{{0}, "cat": "kernel", "name": "gemm", "ts": 50, "dur": 9, "args": {{}}}})",
      kStream));
  EXPECT_EQ(collective(*p, "ncclDevKernel_ReduceScatter_Sum_f32"), "reduce_scatter - - - - - -");
  EXPECT_EQ(p->collectives.rows(), 1u);
}

}  // namespace
}  // namespace sightline::formats
