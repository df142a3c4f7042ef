// Names that a reader states values under where a table holds names and values (work_facts, metadata) or lanes go by what they
// are, and that analyses and exports compute with. Whatever else a file states under names of its own is kept, shown and
// searched, and no sum depends on it. A reader of another format that knows the same states it under the name here.
#pragma once

#include <array>
#include <string_view>

#include "base/layers.h"

namespace sightline::model::stated {

// ---- facts of a slice (work_facts) ----

// Of a state of throttling, which holds while its slice lasts: the device may run at kLimitAllowed / kLimitOf of full speed. A
// state without both is one of unknown share. kLimitKind says what throttled, as text; kLimitKindNumber is how older files
// number that, of which only kLimitFirstKind (kFirstKind) and kLimitUnknown (of unknown share) have a public meaning.
inline constexpr std::string_view kLimitAllowed = "k", kLimitOf = "n", kLimitKind = "type";
inline constexpr int kLimitFirstKind = 0, kLimitUnknown = 99;
inline constexpr std::string_view kFirstKind = "activity_0", kUnknownKind = "unknown";

// What matrix work is for; kTransposing: it turns a matrix and computes nothing. Newer files use the second name.
inline constexpr std::string_view kPurpose = "instruction_type", kMatrixPurpose = "tensor_instruction_type";
inline constexpr std::string_view kTransposing = "TRANSPOSE";

// Floating-point operations of matrix work as it would cost with 16-bit elements, of which the device's peak is.
inline constexpr std::string_view kScaledFlops = "adjusted_flops";

// Bytes of a whole transfer, beside its copies.
inline constexpr std::string_view kTransferBytes = "transfer_size", kNewTransferBytes = "transfer_bytes";

// A fact of work whose name ends so is a number of bytes that the work moved: summed by name.
inline constexpr std::string_view kBytesEnding = "_bytes";
// Of device memory; where only one is stated, nothing moved the other way.
inline constexpr std::string_view kMemoryRead = "hbm_read_bytes", kMemoryWritten = "hbm_write_bytes";

// Where work comes from: the frames of the framework's program that asked for it, and those of a kernel that was written by hand,
// outermost last, joined by ';' ("file(line): function"); and the line of the innermost of both, "file:line".
inline constexpr std::string_view kCallStack = "call_stack", kKernelStack = "kernel_stack", kSourceLine = "source_line";
// Work that has any of these is of a kernel that was written by hand.
inline constexpr std::string_view kKernelInstruction = "kernel_instruction_name", kKernelLine = "nki_source_location";

// Names of work that begin so apply a function to each element.
inline constexpr std::string_view kActivation = "ACTIVATE";

// ---- operators of programs ----

// Opcodes: kDot and kConvolution multiply matrices, kFusion is made of others, and what ends with kCallEnding is not told here.
inline constexpr std::string_view kDot = "dot", kConvolution = "convolution", kFusion = "fusion", kCallEnding = "call";
// A category: it computes element by element. One that begins with kConvolution multiplies matrices.
inline constexpr std::string_view kLoopFusion = "loop fusion";

// ---- problems ----

// What the tool that wrote the file says itself is wrong with it: code and message of a problem. The message is kVendorSays, what
// the tool says, and in brackets its category of it.
inline constexpr std::string_view kVendorWarning = "vendor_warning", kVendorSays = "the vendor's tool says: ";

// ---- metadata ----

// What the file itself sums up: kSummary + the name of a metric of the device summary, in that metric's unit (times in seconds).
inline constexpr std::string_view kSummary = "summary.";
inline constexpr std::string_view kModelFlops = "summary.model_flops", kSummedTime = "summary.total_time";
inline constexpr std::string_view kCompiledFlops = "model_flops";  // that the model asks for, as its compiler counts them

inline constexpr std::string_view kProgramTime = "exec_duration_ps";     // how long the program ran on the device, ps
inline constexpr std::string_view kCopyBandwidth = "dma_ddr_bandwidth";  // of the copy engines, bytes a second
inline constexpr std::string_view kRecordingEnd = "last_hw_timestamp";   // ns since the beginning

// What the recording was made on, under these names or as members of the summary.
inline constexpr std::array<std::string_view, 8> kSystem{
    "instance_type",    "nd_idx",          "nc_idx",         "profiler_version",
    "compiler_version", "runtime_version", "driver_version", "collectives_version"};

// ---- lanes ----

inline constexpr std::string_view kThrottlingTrack = "throttling";  // of a lane of states of throttling
inline constexpr std::string_view kLayersTrack = "layers";          // of a lane of layers, each from its first to its last work
inline constexpr std::string_view kTransfersEnding = " transfers";  // of a queue's lane of whole transfers, beside its copies

// Counters.
inline constexpr std::string_view kPendingCopies = "Pending DMA";
inline constexpr std::string_view kCopyRate = "DMA throughput (B/s)", kMemoryRate = "HBM throughput (B/s)";
inline constexpr std::string_view kCoreMemoryInUse = "SBUF in use (share)", kSumMemoryInUse = "PSUM in use (share)";

// ---- problems ----

// What a reader found in place of steps that the program marked; that steps may end before their work does; that some are left
// out: codes of problems whose messages belong beside every number of a step.
inline constexpr std::string_view kNoStepMarks = "no_step_marks", kStepsMayEndEarly = "steps_may_end_early",
                                  kStepsLeftOut = "steps_left_out";

}  // namespace sightline::model::stated
