// Kinds of links between ranks, by the names that files give them.
#pragma once

#include <cstdint>
#include <string_view>

namespace sightline::analyses {

// How far a link reaches. Within a node, ranks copy from memory to memory; between nodes they go through network cards.
enum class LinkReach : std::uint8_t { device, node, network, unknown };

LinkReach link_reach(std::string_view transport);

// "within the device", "within a node", "between nodes", "not known".
std::string_view reach_title(LinkReach reach);

// Packets below this size, in bytes, do not use the link well: 16 MB within a node, 1 MB between nodes (MB = 10^6). 0: not known.
std::int64_t small_packet_limit(LinkReach reach);

}  // namespace sightline::analyses
