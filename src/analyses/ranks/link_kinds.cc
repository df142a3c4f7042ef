// Source of the limits: the advisor of msprof-analyze (small packets of SDMA and RDMA).
#include "analyses/ranks/link_kinds.h"

#include <algorithm>
#include <array>

namespace sightline::analyses {

LinkReach link_reach(std::string_view transport) {
  constexpr std::array<std::string_view, 2> kDevice = {"LOCAL", "ON_CHIP"};
  // vendor: files name links by their makers' names
  constexpr std::array<std::string_view, 10> kNode = {"HCCS", "HCCS_SW", "PCIE",   "SIO", "SDMA",
                                                      "PCIX", "PCIe",    "NVLINK", "P2P", "XGMI"};
  constexpr std::array<std::string_view, 6> kNetwork = {"RDMA", "ROCE", "RoCE", "IB", "NET", "TCP"};
  const auto is_one_of = [&](const auto& names) { return std::find(names.begin(), names.end(), transport) != names.end(); };
  if (is_one_of(kDevice)) return LinkReach::device;
  if (is_one_of(kNode)) return LinkReach::node;
  return is_one_of(kNetwork) ? LinkReach::network : LinkReach::unknown;
}

std::string_view reach_title(LinkReach reach) {
  switch (reach) {
    case LinkReach::device: return "within the device";
    case LinkReach::node: return "within a node";
    case LinkReach::network: return "between nodes";
    case LinkReach::unknown: return "not known";
  }
  return "not known";
}

std::int64_t small_packet_limit(LinkReach reach) {
  switch (reach) {
    case LinkReach::node: return 16'000'000;
    case LinkReach::network: return 1'000'000;
    default: return 0;
  }
}

}  // namespace sightline::analyses
