// Fuzzes the reader of the sums of all ranks: the first byte chooses which file the rest is, beside a small one of each other
// kind. For every input the reader must return an error that names its cause, or a profile that passes check_profile.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "analyses/ranks/rank_summary.h"
#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

constexpr std::array<std::pair<const char*, std::string_view>, 5> kClusterFiles = {
    {{"cluster_step_trace_time.csv", "Step,Type,Index,Computing,Free\n3,rank,0,5,1\n3,stage,\"(0, 1)\",5,1\n"},
     {"cluster_communication.json",
      R"_({"(0, 1)":{"step3":{"a__1@9":{"0":{"Communication Time Info":{"Elapse Time(ms)":0.03}}}}}})_"},
     {"cluster_communication_matrix.json",
      R"_({"(0, 1)":{"step3":{"a-top1@9":{"0-1":{"Transport Type":"HCCS","Transit Size(MB)":2.5}}}}})_"},
     {"communication_group.json", R"({"collective":[[0,1]]})"},
     {"cluster_analysis.db", ""}}};

}  // namespace

FUZZ_TARGET(ascend_cluster_fuzz, data, size) {
  if (size == 0) return 0;
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::size_t chosen = data[0] % kClusterFiles.size();
  for (std::size_t i = 0; i < kClusterFiles.size(); ++i) {
    if (i != chosen && !kClusterFiles[i].second.empty()) folder.write(kClusterFiles[i].first, kClusterFiles[i].second);
  }
  folder.write(kClusterFiles[chosen].first, {reinterpret_cast<const char*>(data) + 1, size - 1});
  const sightline::tests::Reader reader = sightline::tests::ascend_cluster_reader();
  const auto read = sightline::tests::sound_reading(reader, folder.path(), {});
  if (read.ok() && sightline::analyses::states_sums_of_ranks(**read)) (void)sightline::analyses::summarise_job(**read);
  return 0;
}
