// NotificationRows: each row to its lane.
#include "formats/neuron/notification_rows.h"

namespace sightline::formats::neuron {

void NotificationRows::take(std::span<const InstructionRow> rows) {
  for (const InstructionRow& row : rows) instructions[static_cast<std::size_t>(row.engine)].push_back(row);
}

void NotificationRows::take(std::span<const PacketRow> rows) {
  for (const PacketRow& row : rows) packets[std::size_t{row.queue} * kDmaEngines + row.engine].push_back(row);
}

void NotificationRows::take(std::span<const SemaphoreRow> rows) {
  for (const SemaphoreRow& row : rows) semaphores[(row.event ? kSemaphores : 0) + row.id].push_back(row);
}

}  // namespace sightline::formats::neuron
