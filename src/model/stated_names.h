// Names in tables of names and values (work_facts, metadata),
// and names of lanes, that analyses and exports use in
// calculations. All other names of a file are kept, shown and
// searched, but no sum depends on them. A reader of another
// format that knows the same value uses the name here.
#pragma once

#include <array>
#include <string_view>

#include "base/layers.h"

namespace sightline::model::stated {

// ---- facts of a slice (work_facts) ----

// Facts of a throttled state, which lasts as long as its slice: the device may run at
// kLimitAllowed / kLimitOf of full speed; without both values, this share is unknown.
// kLimitKind is the cause, as text. Older files have numbers instead; only kLimitFirstKind
// (kFirstKind) and kLimitUnknown (an unknown share) have a public meaning.
inline constexpr std::string_view kLimitAllowed = "k", kLimitOf = "n", kLimitKind = "type";
inline constexpr int kLimitFirstKind = 0, kLimitUnknown = 99;
inline constexpr std::string_view kFirstKind = "activity_0", kUnknownKind = "unknown";

// The purpose of matrix work; kTransposing: it transposes a matrix and computes nothing. Newer files use the second name.
inline constexpr std::string_view kPurpose = "instruction_type", kMatrixPurpose = "tensor_instruction_type";
inline constexpr std::string_view kTransposing = "TRANSPOSE";

// Floating-point operations of matrix work, converted to 16-bit elements, the type of the device's peak.
inline constexpr std::string_view kScaledFlops = "adjusted_flops";

// Bytes of a whole transfer; its copies have their own bytes.
inline constexpr std::string_view kTransferBytes = "transfer_size", kNewTransferBytes = "transfer_bytes";

// A fact whose name has this ending is a number of bytes that the work moved; these are summed by name.
inline constexpr std::string_view kBytesEnding = "_bytes";
// Bytes read from and written to device memory; when a file has only one of them, the other is 0.
inline constexpr std::string_view kMemoryRead = "hbm_read_bytes", kMemoryWritten = "hbm_write_bytes";

// The source of work: the frames of the framework's program that caused it, and the
// frames of a kernel written by hand, outermost last, joined by ';' ("file(line):
// function"); and the line of the innermost frame of both, "file:line".
inline constexpr std::string_view kCallStack = "call_stack", kKernelStack = "kernel_stack", kSourceLine = "source_line";
// Work with one of these facts belongs to a kernel written by hand.
// vendor: the second is the compiler's name
inline constexpr std::string_view kKernelInstruction = "kernel_instruction_name", kKernelLine = "nki_source_location";

// Work whose name begins with this applies a function to each element.
inline constexpr std::string_view kActivation = "ACTIVATE";

// The stream on which an event was recorded that a wait on another stream waits for, as the number in its track.
inline constexpr std::string_view kWaitedStream = "wait_on_stream";

// ---- operators of programs ----

// Opcodes: kDot and kConvolution multiply matrices, and
// kFusion contains other operators. An opcode with
// kCallEnding calls code that the file does not describe.
inline constexpr std::string_view kDot = "dot", kConvolution = "convolution", kFusion = "fusion", kCallEnding = "call";
// A category of operators that compute element by element. A category that begins with kConvolution multiplies matrices.
inline constexpr std::string_view kLoopFusion = "loop fusion";

// ---- ranks in a collective ----

// Facts of the range of the host that calls the collective: the rank within its group that a collective with a root comes from or
// goes to, else the caller's own; and the ranks of the job that a transfer from rank to rank comes from and goes to.
inline constexpr std::string_view kCollectiveRank = "Rank", kSourceRank = "Src Rank", kTargetRank = "Dst Rank";

// ---- problems ----

// A problem that the tool that wrote the file reports
// itself: its code and message. The values of the message
// are the tool's text and the tool's category.
inline constexpr std::string_view kVendorWarning = "vendor_warning";
inline constexpr const char* kVendorSays = "the vendor's tool says: {} ({})";

// ---- metadata ----

// Sums in the file: kSummary + the name of a metric of the device summary, in the unit of that metric (times in seconds).
inline constexpr std::string_view kSummary = "summary.";
inline constexpr std::string_view kModelFlops = "summary.model_flops", kSummedTime = "summary.total_time";
inline constexpr std::string_view kCompiledFlops = "model_flops";  // of the model, as its compiler counts them

inline constexpr std::string_view kProgramTime = "exec_duration_ps";     // how long the program ran on the device, ps
inline constexpr std::string_view kCopyBandwidth = "dma_ddr_bandwidth";  // of the copy engines, bytes a second
inline constexpr std::string_view kRecordingEnd = "last_hw_timestamp";   // ns since the beginning

// The system that was recorded, under these names or as members of the summary.
inline constexpr std::array<std::string_view, 8> kSystem{
    "instance_type",    "nd_idx",          "nc_idx",         "profiler_version",
    "compiler_version", "runtime_version", "driver_version", "collectives_version"};

// ---- lanes ----

inline constexpr std::string_view kThrottlingTrack = "throttling";  // of a lane of states of throttling
inline constexpr std::string_view kLayersTrack = "layers";          // of a lane of layers, each from its first to its last work
inline constexpr std::string_view kTransfersEnding = " transfers";  // of a queue's lane of whole transfers

// Names that readers give lanes, their groups and counters. In a title they are texts of the program, not names of the file.
inline constexpr std::array<std::string_view, 18> kOwnTitles{"Compute busy",
                                                             "DMA busy",
                                                             "DMA packets in flight",
                                                             "DMA throughput",
                                                             "Device memory",
                                                             "Errors",
                                                             "Executions",
                                                             "Framework operators",
                                                             "HBM throughput",
                                                             "HLO operators",
                                                             "Host memory in use",
                                                             "Layers",
                                                             "PSUM in use",
                                                             "Pending DMA",
                                                             "SBUF in use",
                                                             "Semaphores",
                                                             "Throttling",
                                                             "Unknown thread"};
inline constexpr std::string_view kUnknownThread = kOwnTitles.back();
// Likewise, with a name or a number in it. The first that fits counts.
inline constexpr std::array<const char*, 14> kOwnTitleTemplates{
    "CPU {} in use", "PSUM bank {} in use", "SBUF partition {} in use", "Thread {}",    "memory space {}",
    "stream {}",     "{} control",          "{} data transfer",         "{} execution", "{} overview",
    "{} transfers",  "{} driver version",   "{} runtime version",       "{} version"};

// Counters.
inline constexpr std::string_view kPendingCopies = "Pending DMA";
inline constexpr std::string_view kCopyRate = "DMA throughput (B/s)", kMemoryRate = "HBM throughput (B/s)";
inline constexpr std::string_view kCoreMemoryInUse = "SBUF in use (share)", kSumMemoryInUse = "PSUM in use (share)";

// ---- problems ----

// Codes of problems whose messages must be shown with every number of a
// step: the reader found other steps than those that the program marked;
// steps may end before their work ends; some steps are left out.
inline constexpr std::string_view kNoStepMarks = "no_step_marks", kStepsMayEndEarly = "steps_may_end_early",
                                  kStepsLeftOut = "steps_left_out";

}  // namespace sightline::model::stated
