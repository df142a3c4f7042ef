// NotificationRows: all that was recorded, by lane: instructions by engine, packets by queue, semaphores by their number. What
// makes the tables takes a lane at a time and gives its memory back.
#pragma once

#include <array>
#include <vector>

#include "formats/binary/row_chunks.h"
#include "formats/neuron/notifications.h"

namespace sightline::formats::neuron {

class NotificationRows final : public RowTaker {
 public:
  static constexpr std::size_t kDmaEngines = 32, kQueues = 16, kSemaphores = 256;

  void take(std::span<const InstructionRow> rows) override;
  void take(std::span<const PacketRow> rows) override;
  void take(std::span<const SemaphoreRow> rows) override;
  void take(const ThrottleRow& row) override { throttle.push_back(row); }
  void take(const LostMark& mark) override { lost.push_back(mark); }

  std::array<RowChunks<InstructionRow>, kEngines> instructions;     // by engine
  std::array<RowChunks<PacketRow>, kQueues * kDmaEngines> packets;  // by queue, then by DMA engine
  std::array<RowChunks<SemaphoreRow>, 2 * kSemaphores> semaphores;  // semaphores by number, then events
  std::vector<ThrottleRow> throttle;
  std::vector<LostMark> lost;
  std::int64_t records = 0;  // that they were made from
};

}  // namespace sightline::formats::neuron
