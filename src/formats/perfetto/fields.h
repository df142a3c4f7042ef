// Numbers of the fields of Perfetto's messages, by message: docs/formats/perfetto.md, "The wire format".
#pragma once

#include <cstdint>

namespace sightline::formats::perfetto {

namespace packet_field {
inline constexpr unsigned kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12, kFlags = 13;
inline constexpr unsigned kCleared = 41, kDropped = 42, kThread = 44, kCompressed = 50, kGpuCounters = 52, kRenderStage = 53;
inline constexpr unsigned kClock = 58, kDefaults = 59, kTrackDescriptor = 60, kZstd = 133;
}  // namespace packet_field

namespace defaults_field {
inline constexpr unsigned kTrackEvent = 11, kClock = 58;
}

namespace clock_field {
inline constexpr unsigned kClocks = 1, kPrimary = 2;
inline constexpr unsigned kId = 1, kTimestamp = 2, kIncremental = 3, kMultiplier = 4;
}  // namespace clock_field

namespace interned_field {
inline constexpr unsigned kCategories = 1, kNames = 2, kKeys = 3, kContexts = 23, kSpecifications = 24, kTexts = 29;
inline constexpr unsigned kCounterDescriptors = 47, kKernels = 1000, kArgumentNames = 1001;
inline constexpr unsigned kId = 1, kName = 2;                         // of most entries
inline constexpr unsigned kDemangled = 3, kDescriptor = 2, kGpu = 3;  // of a kernel; of a counter descriptor
}  // namespace interned_field

namespace track_field {
inline constexpr unsigned kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kStaticName = 10;
inline constexpr unsigned kAtraceName = 13, kDescription = 14;
inline constexpr unsigned kPid = 1, kTid = 2, kProcessName = 6, kLabel = 8, kThreadName = 5, kReferenceTime = 6;
inline constexpr unsigned kMultiplier = 4, kIncremental = 5, kBuiltin = 1;  // of a counter
}  // namespace track_field

namespace event_field {
inline constexpr unsigned kDeltaUs = 1, kCategory = 3, kAnnotation = 4, kLegacy = 6, kType = 9, kNameId = 10, kTrack = 11;
inline constexpr unsigned kExtraValues = 12, kAbsoluteUs = 16, kCategoryText = 22, kName = 23, kCounterValue = 30,
                          kExtraTracks = 31;
inline constexpr unsigned kFlowOld = 36, kFlowEndOld = 42, kRealValue = 44, kExtraRealTracks = 45, kExtraReals = 46, kFlow = 47;
inline constexpr unsigned kFlowEnd = 48, kGpuCorrelation = 3000;
inline constexpr unsigned kLegacyNameId = 1, kPhase = 2, kLegacyDuration = 3;
}  // namespace event_field

namespace annotation_field {
inline constexpr unsigned kKeyId = 1, kBool = 2, kUnsigned = 3, kInteger = 4, kReal = 5, kText = 6, kPointer = 7, kNested = 8;
inline constexpr unsigned kJson = 9, kKey = 10, kEntries = 11, kItems = 12, kTextId = 17;
}  // namespace annotation_field

namespace stage_field {
inline constexpr unsigned kEventId = 1, kDuration = 2, kQueueOld = 3, kStageOld = 4, kContext = 5, kExtra = 6, kGpu = 11;
inline constexpr unsigned kQueue = 13, kStage = 14, kName = 17, kWaits = 18, kKernel = 19, kNameId = 20, kLaunch = 21;
inline constexpr unsigned kGrid = 1, kGroup = 2, kArguments = 3;  // of a launch
inline constexpr unsigned kArgumentNameId = 1, kArgumentName = 2, kInteger = 3, kUnsigned = 4, kReal = 5,
                          kText = 6;  // of an argument
}  // namespace stage_field

namespace counters_field {
inline constexpr unsigned kDescriptor = 1, kCounters = 2, kGpu = 3, kDescriptorId = 4, kSpecifications = 1;
inline constexpr unsigned kId = 1, kName = 2, kInteger = 2, kReal = 3;  // of a specification; of a value
}  // namespace counters_field

enum EventType : std::uint64_t { kNoType, kBegin, kEnd, kInstant, kCounter };

}  // namespace sightline::formats::perfetto
