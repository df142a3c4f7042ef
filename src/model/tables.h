// THE data: every table of a profile, each column declared once with its unit and one line of documentation.
// A table is a struct of columns of equal length, and a list of ColumnInfo made from the same lines;
// storage, wire, CSV, SQL and docs derive from it (for_each_column). Rows are referred to by their number.
//
// Time is int64 nanoseconds since the run's origin; intervals are half-open. Unknown is never 0: an unknown
// integer is kUnknown (of 32 bits: -1), an unknown real is NaN, an unknown text is StringId::none, an unknown row is kNoRow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "model/column.h"
#include "model/string_pool.h"
#include "model/unit.h"

namespace sightline {

using Time = std::int64_t;  // ns since the run's origin
using Row = std::uint32_t;  // a row number of some table
inline constexpr Row kNoRow = std::numeric_limits<Row>::max();
inline constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
inline constexpr float kUnknownReal = std::numeric_limits<float>::quiet_NaN();

// What a slice is. Host kinds come first, device kinds from `kernel` on: see is_device_work.
enum class SliceKind : std::uint8_t {
  other,               // anything the format names and we do not know
  step,                // one iteration, on the host
  op,                  // a framework operator
  python,              // a Python function
  module,              // a Python function that is a framework module's call
  annotation,          // a user's named range on the host
  data_loading,        // fetching the next batch
  optimizer,           // an optimizer step
  host_communication,  // a host range that stands for a collective
  runtime,             // a host call that enqueues or waits for device work
  overhead,            // the profiler's or driver's own cost
  sync,                // waiting shown on a device row
  span,                // the profiler's own window
  device_annotation,   // a user's named range projected on a device row
  measurement,         // what counters were read for; its time may be made up, so no sum has it
  kernel,              // work on the device
  memcpy,              // a copy by the device
  memset,              // a fill by the device
  collective,          // a communication kernel or engine task
};

constexpr bool is_device_work(SliceKind kind) { return kind >= SliceKind::kernel; }

enum class LaneKind : std::uint8_t { host_thread, device_stream, engine, queue, counter, other };

// Which rule attributed device work (or a launching call) to the host range that caused it, strongest first.
enum class OwnerRule : std::uint8_t {
  none,         // not attributed
  linked_id,    // the id that the writer put on both
  containment,  // the innermost range open on the launching thread when the call began
  device_id,    // no launching call was recorded; the device event itself names the range
};

// Which kind of core ran a kernel.
enum class CoreType : std::uint8_t { unknown, general, matrix, vector, mixed, host };

// How it is known how well a kernel fills its device.
enum class FillSource : std::uint8_t {
  file,               // as the file has it
  computed,           // from the launch and the properties of the device
  computed_for_zero,  // as the file has it, but for the occupancy, which it says is 0
};

// What a collective does. Names are in collective_kind_name.h.
enum class CollectiveKind : std::uint8_t {
  unknown,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  send,
  receive,
  send_receive,
  barrier,
};

enum class FlowKind : std::uint8_t { launch, forward_backward, other };

enum class Severity : std::uint8_t { note, warning, error };

// ---- columns: C(name, type, unit, doc) -----------------------------------------------------------------

#define SIGHTLINE_PROCESSES(C)                             \
  C(pid, StringId, id, "Process id as the file writes it") \
  C(name, StringId, none, "Process name")                  \
  C(label, StringId, none, "Label, such as CPU or GPU 0")  \
  C(sort_key, std::int64_t, none, "Order among processes")

#define SIGHTLINE_DEVICES(C)                                                                              \
  C(ordinal, std::int64_t, id, "Device number within the worker")                                         \
  C(name, StringId, none, "Product name")                                                                 \
  C(memory, std::int64_t, bytes, "Device memory")                                                         \
  C(compute_major, std::int64_t, none, "Compute capability, major")                                       \
  C(compute_minor, std::int64_t, none, "Compute capability, minor")                                       \
  C(cores, std::int64_t, count, "Multiprocessors or compute units")                                       \
  C(threads_per_core, std::int64_t, count, "Most threads resident on one core")                           \
  C(registers_per_core, std::int64_t, count, "Registers of one core")                                     \
  C(shared_per_core, std::int64_t, bytes, "Shared memory of one core")                                    \
  C(shared_per_block, std::int64_t, bytes, "Most shared memory of a block that does not opt in for more") \
  C(warp_size, std::int64_t, count, "Threads that issue together")                                        \
  C(clock, double, hertz, "Cycles a second of its cores")                                                 \
  C(peak_flops, double, flops_per_second, "Most floating-point operations a second")                      \
  C(peak_bandwidth, double, bytes_per_second, "Most bytes a second of its memory")                        \
  C(peak_source, StringId, none, "Where the peaks come from: the file, or a named table")

#define SIGHTLINE_LANES(C)                                                                    \
  C(kind, LaneKind, none, "Host thread, device stream, engine, queue or counter")             \
  C(process, Row, id, "Row of processes, or none")                                            \
  C(device, std::int64_t, id, "Device ordinal, for device lanes")                             \
  C(track, StringId, id, "Thread or stream id as the file writes it")                         \
  C(name, StringId, none, "Thread or stream name")                                            \
  C(overflow_of, Row, id, "The lane this one relieves of slices that truly overlap, or none") \
  C(sort_key, std::int64_t, none, "Order within the process")                                 \
  C(first, Row, id, "First row of slices on this lane")                                       \
  C(last, Row, id, "One past the last row of slices on this lane")

// Sorted by (lane, start, -duration); parents come before their children.
#define SIGHTLINE_SLICES(C)                                                        \
  C(start, Time, ns, "Start, since the run's origin")                              \
  C(duration, Time, ns, "Length; 0 is an instant")                                 \
  C(lane, Row, id, "Row of lanes")                                                 \
  C(parent, Row, id, "The slice of the same lane that encloses this one, or none") \
  C(name, StringId, none, "Name")                                                  \
  C(kind, SliceKind, none, "What it is")                                           \
  C(depth, std::uint16_t, count, "Number of enclosing slices on the lane")         \
  C(source, std::int64_t, bytes, "Offset of the event in the (decompressed) file")

// One row per operator slice, by slice.
#define SIGHTLINE_OPERATORS(C)                                             \
  C(slice, Row, id, "Row of slices")                                       \
  C(input_shapes, StringId, none, "Shapes of the inputs, as a list")       \
  C(input_types, StringId, none, "Element types of the inputs, as a list") \
  C(call_stack, StringId, none, "Frames, outermost last, joined by ;")     \
  C(matrix_eligible, bool, none, "Whether matrix units can run it")

// One row per module call, by slice.
#define SIGHTLINE_MODULES(C)         \
  C(slice, Row, id, "Row of slices") \
  C(instance, std::int64_t, id, "Which module object was called")

// One row per host call that can enqueue device work, by slice.
#define SIGHTLINE_LAUNCHES(C)                                                         \
  C(slice, Row, id, "Row of slices")                                                  \
  C(correlation, std::int64_t, id, "Id shared with the device work it enqueued")      \
  C(owner, Row, id, "The host range (operator, annotation, step) that made the call") \
  C(rule, OwnerRule, none, "How the owner was found")

// One row per device slice that is work (kernel, memcpy, memset, collective), by slice.
#define SIGHTLINE_DEVICE_WORK(C)                                                                                        \
  C(slice, Row, id, "Row of slices")                                                                                    \
  C(device, std::int64_t, id, "Device ordinal")                                                                         \
  C(launch, Row, id, "Row of launches that enqueued it, or none")                                                       \
  C(owner, Row, id, "The host range it is attributed to, or none")                                                      \
  C(rule, OwnerRule, none, "How the owner was found")                                                                   \
  C(core_type, CoreType, none, "Kind of core that ran it")                                                              \
  C(core, StringId, none, "Core or engine as the file names it")                                                        \
  C(type, StringId, none, "Type of work as the file names it")                                                          \
  C(correlation, std::int64_t, id, "Id shared with the launching call")                                                 \
  C(grid, StringId, none, "Grid size")                                                                                  \
  C(block, StringId, none, "Block size")                                                                                \
  C(registers, std::int32_t, count, "Registers per thread")                                                             \
  C(shared_bytes, std::int64_t, bytes, "Shared memory per block")                                                       \
  C(blocks_per_core, float, count, "Blocks per multiprocessor")                                                         \
  C(warps_per_core, float, count, "Warps per multiprocessor")                                                           \
  C(occupancy, float, percent, "Estimated achieved occupancy")                                                          \
  C(fill_source, FillSource, none, "How these three are known: file, computed, or computed_for_zero (occupancy alone)") \
  C(bytes, std::int64_t, bytes, "Bytes copied or set")

// What only some devices say of their work, one row per value, by slice: counters of a core, gaps, formats.
#define SIGHTLINE_WORK_FACTS(C)                      \
  C(slice, Row, id, "Row of slices")                 \
  C(name, StringId, none, "As the file names it")    \
  C(number, double, none, "The value, if it is one") \
  C(text, StringId, none, "The value, if it is none")

// What slices cost, where the file states it or what ran follows from it, by slice: device work, or the execution of an
// operator that a compiler made. One row per slice of which anything is known.
#define SIGHTLINE_WORK_COSTS(C)                                                                  \
  C(slice, Row, id, "Row of slices")                                                             \
  C(flops, double, flops, "Floating-point operations; a multiplication with an addition is two") \
  C(bytes, std::int64_t, bytes, "Bytes moved to and from device memory")                         \
  C(bytes_read, std::int64_t, bytes, "The part of them that was read")                           \
  C(bytes_written, std::int64_t, bytes, "The part of them that was written")

// What is left of times beyond whole ns, by slice, where a file states them in ps. Sums of many short slices need it.
#define SIGHTLINE_FINE_TIMES(C)                                                  \
  C(slice, Row, id, "Row of slices")                                             \
  C(start, std::int32_t, none, "ps from the slice's start to its own, 0 to 999") \
  C(duration, std::int32_t, none, "ps of the slice's length beyond whole ns, 0 to 999")

// The operators of compiled programs, as their compiler names them (instructions of an HLO module, of a graph).
#define SIGHTLINE_PROGRAM_OPERATORS(C)                                                            \
  C(program, StringId, none, "Compiled program (module) that it is part of")                      \
  C(program_id, StringId, id, "Id of the program as the file writes it")                          \
  C(name, StringId, none, "Name within the program")                                              \
  C(opcode, StringId, none, "Its operation, such as dot or fusion")                               \
  C(category, StringId, none, "Kind of operation, as the file or its compiler groups them")       \
  C(framework_operator, StringId, none, "Path of the framework's operator that it was made from") \
  C(source, StringId, none, "Line of the program's source, as file:line")                         \
  C(shape, StringId, none, "Shape of its result")                                                 \
  C(fused_into, Row, id, "The operator that it was fused into, or none")                          \
  C(flops, double, flops, "Floating-point operations of one execution")                           \
  C(bytes, std::int64_t, bytes, "Bytes that one execution moves to and from device memory")

// Which operator of a compiled program a slice executes, by slice.
#define SIGHTLINE_PROGRAM_WORK(C)    \
  C(slice, Row, id, "Row of slices") \
  C(program_operator, Row, id, "Row of program_operators")

// Executions of an operator of a compiled program, where the file states only how many there were and how long they took.
#define SIGHTLINE_REPORTED_PROGRAM_WORK(C)                                      \
  C(program_operator, Row, id, "Row of program_operators")                      \
  C(device, std::int64_t, id, "Device ordinal")                                 \
  C(core, StringId, none, "Core or engine of the device, as the file names it") \
  C(calls, std::int64_t, count, "How often")                                    \
  C(total, Time, ns, "Duration of all of them")

// Where a compiled program keeps its values: one row per value and piece of memory.
#define SIGHTLINE_PROGRAM_BUFFERS(C)                                                                \
  C(program, StringId, none, "Compiled program (module)")                                           \
  C(program_id, StringId, id, "Id of the program as the file writes it")                            \
  C(program_operator, Row, id, "Row of program_operators that makes the value, or none")            \
  C(value, StringId, none, "The value as the compiler names it")                                    \
  C(use, StringId, none, "What the piece of memory is for: parameter, output, constant, temporary") \
  C(allocation, std::int64_t, id, "Which piece of memory")                                          \
  C(offset, std::int64_t, bytes, "Where in that piece")                                             \
  C(bytes, std::int64_t, bytes, "Size of the value")                                                \
  C(first, std::int64_t, count, "Place in the program's schedule at which it begins to live")       \
  C(last, std::int64_t, count, "Place in the program's schedule at which it is last used")

// The tensors that a compiled program takes, makes and holds.
#define SIGHTLINE_TENSORS(C)                                                            \
  C(name, StringId, none, "Name")                                                       \
  C(use, StringId, none, "What for, as the file names it: input, output, weight")       \
  C(shape, StringId, none, "Shape")                                                     \
  C(dtype, StringId, none, "Element type")                                              \
  C(format, StringId, none, "Order of its dimensions, as the file names it")            \
  C(bytes, std::int64_t, bytes, "Size")                                                 \
  C(loads, std::int64_t, count, "Copies from device memory into the core's own memory") \
  C(loaded_bytes, std::int64_t, bytes, "Bytes of those copies")

// One row per slice that is a collective (host or device) or carries a collective's arguments, by slice. What a slice
// does not say itself it has from the host range that launched it.
#define SIGHTLINE_COLLECTIVES(C)                                             \
  C(slice, Row, id, "Row of slices")                                         \
  C(kind, CollectiveKind, none, "What it does")                              \
  C(name, StringId, none, "Collective as recorded, such as allreduce")       \
  C(group, StringId, none, "Process group")                                  \
  C(group_about, StringId, none, "What the program calls the process group") \
  C(group_ranks, StringId, none, "Ranks of the process group, as a list")    \
  C(group_size, std::int64_t, count, "Ranks in the group")                   \
  C(dtype, StringId, none, "Element type")                                   \
  C(in_elements, std::int64_t, count, "Elements sent by this rank")          \
  C(out_elements, std::int64_t, count, "Elements received by this rank")     \
  C(in_bytes, std::int64_t, bytes, "Bytes sent by this rank")                \
  C(out_bytes, std::int64_t, bytes, "Bytes received by this rank")           \
  C(sequence, std::int64_t, id, "Sequence number within the group")

// By start.
#define SIGHTLINE_STEPS(C)                                    \
  C(number, std::int64_t, id, "Iteration number as recorded") \
  C(start, Time, ns, "Start on the host")                     \
  C(duration, Time, ns, "Length on the host")                 \
  C(slice, Row, id, "Row of slices, or none")

// By time.
#define SIGHTLINE_MEMORY_EVENTS(C)                                                      \
  C(time, Time, ns, "When")                                                             \
  C(lane, Row, id, "The host thread that allocated or released")                        \
  C(device_type, std::int64_t, id, "The framework's device type number; 0 is the host") \
  C(device, std::int64_t, id, "Device ordinal, -1 for the host")                        \
  C(device_name, StringId, none, "The device as people call it: CPU, GPU0, XPU1")       \
  C(address, std::int64_t, id, "Address")                                               \
  C(bytes, std::int64_t, bytes, "Bytes allocated, negative when released")              \
  C(total_allocated, std::int64_t, bytes, "Allocated on the device afterwards")         \
  C(total_reserved, std::int64_t, bytes, "Reserved by the allocator afterwards")

// What each component of the software held, by device and component, then by time. A value holds until the next.
#define SIGHTLINE_MEMORY_USAGE(C)                                    \
  C(time, Time, ns, "When")                                          \
  C(device_name, StringId, none, "The device as people call it")     \
  C(component, StringId, none, "Who holds it, as the file names it") \
  C(allocated, std::int64_t, bytes, "Handed out by the component")   \
  C(reserved, std::int64_t, bytes, "Taken from the device")          \
  C(active, std::int64_t, bytes, "Handed out or waiting for a stream's use")

// Sums that the file itself states, kept as they are: they stand where no slice allows to compute them, and beside
// what was computed. One row per step and sum.
#define SIGHTLINE_REPORTED_STEPS(C)                                     \
  C(step, StringId, none, "Step as the file names it; none: all of it") \
  C(device, std::int64_t, id, "Device ordinal")                         \
  C(name, StringId, none, "What was summed, as the file names it")      \
  C(duration, Time, ns, "The sum")

// Operator calls without a time, from a file that states only how long they took.
#define SIGHTLINE_REPORTED_OPERATORS(C)                                       \
  C(name, StringId, none, "Name")                                             \
  C(input_shapes, StringId, none, "Shapes of the inputs, as a list")          \
  C(call_stack, StringId, none, "Frames, outermost last, joined by ;")        \
  C(host_self, Time, ns, "On the host, without the operators it calls")       \
  C(host_total, Time, ns, "On the host")                                      \
  C(device_self, Time, ns, "Device work it enqueued itself")                  \
  C(device_total, Time, ns, "Device work it and what it calls enqueued")      \
  C(matrix_self, Time, ns, "Device work it enqueued itself, on matrix units") \
  C(matrix_total, Time, ns, "Device work of all it calls, on matrix units")

// Calls by name, where the file states only how many there were and how long they took: kernels by their type, host calls by
// their name.
#define SIGHTLINE_REPORTED_CALLS(C)                                                       \
  C(kind, SliceKind, none, "What was called: a kernel, or a runtime call of the host")    \
  C(device, std::int64_t, id, "Device ordinal")                                           \
  C(name, StringId, none, "Type of the kernel or name of the call, as the file names it") \
  C(part, StringId, none, "Core that ran the kernel, or layer of software of the call")   \
  C(calls, std::int64_t, count, "How often")                                              \
  C(total, Time, ns, "Duration of all of them")                                           \
  C(shortest, Time, ns, "Duration of the shortest")                                       \
  C(longest, Time, ns, "Duration of the longest")

// Collectives as the file sums them over their parts, by start.
#define SIGHTLINE_COMMUNICATIONS(C)                         \
  C(slice, Row, id, "Row of slices, or none")               \
  C(step, StringId, none, "Step as the file names it")      \
  C(name, StringId, none, "Operation as the file names it") \
  C(group, StringId, none, "Process group")                 \
  C(start, Time, ns, "Start")                               \
  C(elapsed, Time, ns, "From its start to its end")         \
  C(transit, Time, ns, "Time in which data moved")          \
  C(wait, Time, ns, "Time spent waiting for other ranks")   \
  C(synchronization, Time, ns, "The part of waiting that came before data moved")

// What moved over which kind of link, or from which rank to which.
#define SIGHTLINE_TRANSFERS(C)                                            \
  C(communication, Row, id, "Row of communications, or none")             \
  C(step, StringId, none, "Step as the file names it")                    \
  C(name, StringId, none, "Operation as the file names it")               \
  C(group, StringId, none, "Process group")                               \
  C(group_ranks, StringId, none, "Ranks of the process group, as a list") \
  C(transport, StringId, none, "Kind of link")                            \
  C(source, std::int64_t, id, "Sending rank within the group")            \
  C(target, std::int64_t, id, "Receiving rank within the group")          \
  C(bytes, std::int64_t, bytes, "Bytes moved")                            \
  C(duration, Time, ns, "Time they took")

// The packets that some transfers consist of, by transfer: one row per size.
#define SIGHTLINE_PACKETS(C)                            \
  C(transfer, Row, id, "Row of transfers")              \
  C(bytes, std::int64_t, bytes, "Size of one packet")   \
  C(count, std::int64_t, count, "Packets of that size") \
  C(duration, Time, ns, "Time they took together")

#define SIGHTLINE_FLOWS(C)                              \
  C(kind, FlowKind, none, "What connects the two ends") \
  C(from, Row, id, "Row of slices")                     \
  C(to, Row, id, "Row of slices")

#define SIGHTLINE_COUNTERS(C)      \
  C(lane, Row, id, "Row of lanes") \
  C(time, Time, ns, "When")        \
  C(value, double, none, "Value from then on")

#define SIGHTLINE_METADATA(C)                  \
  C(key, StringId, none, "Member of the file") \
  C(value, StringId, none, "Its value as text")

#define SIGHTLINE_PROBLEMS(C)                                             \
  C(severity, Severity, none, "note, warning or error")                   \
  C(code, StringId, none, "Stable name of the cause")                     \
  C(message, StringId, none, "What was found and what was done about it") \
  C(count, std::int64_t, count, "How often")                              \
  C(offset, std::int64_t, bytes, "Byte offset of the first, in the decompressed file")

// ---- the structs ----------------------------------------------------------------------------------------

struct ColumnInfo {
  std::string_view name;
  Unit unit;
  std::string_view doc;
};

#define SIGHTLINE_COLUMN_MEMBER(name, type, unit, doc) Column<type> name;
#define SIGHTLINE_COLUMN_VISIT(name, type, unit, doc) visit(ColumnInfo{#name, Unit::unit, doc}, self.name);

// Table NAME with rows(), for_each_column(visit) -> visit(ColumnInfo, Column&), in declaration order.
#define SIGHTLINE_TABLE(Name, table_name, FIRST, COLUMNS)  \
  struct Name {                                            \
    static constexpr std::string_view kName = table_name;  \
    COLUMNS(SIGHTLINE_COLUMN_MEMBER)                       \
    std::size_t rows() const { return FIRST.size(); }      \
    template <typename Self, typename Visit>               \
    static void visit_columns(Self& self, Visit&& visit) { \
      COLUMNS(SIGHTLINE_COLUMN_VISIT)                      \
    }                                                      \
    template <typename Visit>                              \
    void for_each_column(Visit&& visit) {                  \
      visit_columns(*this, visit);                         \
    }                                                      \
    template <typename Visit>                              \
    void for_each_column(Visit&& visit) const {            \
      visit_columns(*this, visit);                         \
    }                                                      \
  };

SIGHTLINE_TABLE(Processes, "processes", pid, SIGHTLINE_PROCESSES)
SIGHTLINE_TABLE(Devices, "devices", ordinal, SIGHTLINE_DEVICES)
SIGHTLINE_TABLE(Lanes, "lanes", kind, SIGHTLINE_LANES)
SIGHTLINE_TABLE(Slices, "slices", start, SIGHTLINE_SLICES)
SIGHTLINE_TABLE(Operators, "operators", slice, SIGHTLINE_OPERATORS)
SIGHTLINE_TABLE(Modules, "modules", slice, SIGHTLINE_MODULES)
SIGHTLINE_TABLE(Launches, "launches", slice, SIGHTLINE_LAUNCHES)
SIGHTLINE_TABLE(DeviceWork, "device_work", slice, SIGHTLINE_DEVICE_WORK)
SIGHTLINE_TABLE(WorkFacts, "work_facts", slice, SIGHTLINE_WORK_FACTS)
SIGHTLINE_TABLE(WorkCosts, "work_costs", slice, SIGHTLINE_WORK_COSTS)
SIGHTLINE_TABLE(FineTimes, "fine_times", slice, SIGHTLINE_FINE_TIMES)
SIGHTLINE_TABLE(ProgramOperators, "program_operators", program, SIGHTLINE_PROGRAM_OPERATORS)
SIGHTLINE_TABLE(ProgramWork, "program_work", slice, SIGHTLINE_PROGRAM_WORK)
SIGHTLINE_TABLE(ReportedProgramWork, "reported_program_work", program_operator, SIGHTLINE_REPORTED_PROGRAM_WORK)
SIGHTLINE_TABLE(ProgramBuffers, "program_buffers", program, SIGHTLINE_PROGRAM_BUFFERS)
SIGHTLINE_TABLE(Tensors, "tensors", name, SIGHTLINE_TENSORS)
SIGHTLINE_TABLE(Collectives, "collectives", slice, SIGHTLINE_COLLECTIVES)
SIGHTLINE_TABLE(Steps, "steps", number, SIGHTLINE_STEPS)
SIGHTLINE_TABLE(MemoryEvents, "memory_events", time, SIGHTLINE_MEMORY_EVENTS)
SIGHTLINE_TABLE(MemoryUsage, "memory_usage", time, SIGHTLINE_MEMORY_USAGE)
SIGHTLINE_TABLE(ReportedSteps, "reported_steps", step, SIGHTLINE_REPORTED_STEPS)
SIGHTLINE_TABLE(ReportedOperators, "reported_operators", name, SIGHTLINE_REPORTED_OPERATORS)
SIGHTLINE_TABLE(ReportedCalls, "reported_calls", kind, SIGHTLINE_REPORTED_CALLS)
SIGHTLINE_TABLE(Communications, "communications", slice, SIGHTLINE_COMMUNICATIONS)
SIGHTLINE_TABLE(Transfers, "transfers", communication, SIGHTLINE_TRANSFERS)
SIGHTLINE_TABLE(Packets, "packets", transfer, SIGHTLINE_PACKETS)
SIGHTLINE_TABLE(Flows, "flows", kind, SIGHTLINE_FLOWS)
SIGHTLINE_TABLE(Counters, "counters", lane, SIGHTLINE_COUNTERS)
SIGHTLINE_TABLE(Metadata, "metadata", key, SIGHTLINE_METADATA)
SIGHTLINE_TABLE(Problems, "problems", severity, SIGHTLINE_PROBLEMS)

#undef SIGHTLINE_TABLE
#undef SIGHTLINE_COLUMN_VISIT
#undef SIGHTLINE_COLUMN_MEMBER

}  // namespace sightline
