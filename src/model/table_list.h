// THE list of tables: what each table holds, its columns, which rows its columns refer to, and how its rows are sorted.
// Storage, checks, the cache, Arrow, Parquet, CSV, SQL and docs/formats/tables.md derive from it (tables.h).
//
// Included several times, so it has no include guard: the includer defines what each line becomes.
//   TABLE(Struct, name, doc)              begins a table: what its rows are, as a sentence
//   COLUMN(name, type, unit, doc)         a column; `unit` is one of Unit
//   ROW(name, table, refers, doc)         a column of rows of another table; `refers` is one of Refers
//   ONE_ROW_PER(column)                   sorted by the column, in which no value occurs twice
//   SORTED_BY(column)                     sorted by the column, among rows that are equal in the lines above
//   DESCENDING_BY(column)                 the same, largest first
//   GROUPED_BY(column)                    rows with equal values (in all columns of GROUPED_BY) are consecutive
//   END_TABLE                             ends it
#ifndef TABLE
#define TABLE(Struct, name, doc)
#endif
#ifndef COLUMN
#define COLUMN(name, type, unit, doc)
#endif
#ifndef ROW
#define ROW(name, table, refers, doc)
#endif
#ifndef ONE_ROW_PER
#define ONE_ROW_PER(column)
#endif
#ifndef SORTED_BY
#define SORTED_BY(column)
#endif
#ifndef DESCENDING_BY
#define DESCENDING_BY(column)
#endif
#ifndef GROUPED_BY
#define GROUPED_BY(column)
#endif
#ifndef END_TABLE
#define END_TABLE
#endif

TABLE(Processes, processes, "The processes of the trace.")
COLUMN(pid, StringId, id, "Process id as the file writes it")
COLUMN(name, StringId, none, "Process name")
COLUMN(label, StringId, none, "Label, such as CPU or GPU 0")
COLUMN(sort_key, std::int64_t, none, "Order among processes")
END_TABLE

TABLE(Devices, devices, "The devices that the trace describes.")
COLUMN(ordinal, std::int64_t, id, "Device number within the worker")
COLUMN(name, StringId, none, "Product name")
COLUMN(memory, std::int64_t, bytes, "Device memory")
COLUMN(compute_major, std::int64_t, none, "Compute capability, major")
COLUMN(compute_minor, std::int64_t, none, "Compute capability, minor")
COLUMN(cores, std::int64_t, count, "Multiprocessors or compute units")
COLUMN(threads_per_core, std::int64_t, count, "Maximum number of resident threads per core")
COLUMN(registers_per_core, std::int64_t, count, "Registers per core")
COLUMN(shared_per_core, std::int64_t, bytes, "Shared memory per core")
COLUMN(shared_per_block, std::int64_t, bytes, "Maximum shared memory of a block that does not opt in for more")
COLUMN(warp_size, std::int64_t, count, "Threads per warp")
COLUMN(clock, double, hertz, "Clock rate of the cores")
COLUMN(peak_flops, double, flops_per_second, "Peak floating-point operations per second")
COLUMN(peak_bandwidth, double, bytes_per_second, "Peak bytes per second to and from device memory")
COLUMN(peak_source, StringId, none, "Where the peaks come from: the file, or a named table")
END_TABLE

TABLE(DeviceMemories, device_memories, "The memories that a device's programs use, with their peaks.")
ROW(device, devices, always, "Row of devices")
COLUMN(name, StringId, none, "Memory as the file names it")
COLUMN(peak, double, bytes_per_second, "Peak bytes per second, read and written together")
COLUMN(peak_read, double, bytes_per_second, "Peak bytes per second that are read")
COLUMN(peak_written, double, bytes_per_second, "Peak bytes per second that are written")
GROUPED_BY(device)
END_TABLE

TABLE(Lanes, lanes, "Threads, streams, engines and queues; each holds a range of rows of slices.")
COLUMN(kind, LaneKind, none, "Host thread, device stream, engine, queue or counter")
ROW(process, processes, or_none, "Row of processes, or none")
COLUMN(device, std::int64_t, id, "Device ordinal, for device lanes")
COLUMN(track, StringId, id, "Thread or stream id as the file writes it")
COLUMN(name, StringId, none, "Thread or stream name")
ROW(overflow_of, lanes, or_none, "For an overflow lane, its main lane; else none")
COLUMN(sort_key, std::int64_t, none, "Order within the process")
ROW(first, slices, or_end, "First row of slices on this lane")
ROW(last, slices, or_end, "One past the last row of slices on this lane")
END_TABLE

TABLE(Slices, slices, "Everything that has a start and a length; parents come before their children.")
COLUMN(start, Time, ns, "Start, since the run's origin")
COLUMN(duration, Time, ns, "Length; 0 is an instant")
ROW(lane, lanes, always, "Row of lanes")
ROW(parent, slices, or_none, "The slice of the same lane that encloses this one, or none")
COLUMN(name, StringId, none, "Name")
COLUMN(kind, SliceKind, none, "What it is")
COLUMN(depth, std::uint16_t, count, "Number of enclosing slices on the lane")
COLUMN(source, std::int64_t, bytes, "Offset of the event in the (decompressed) file")
SORTED_BY(lane)
SORTED_BY(start)
DESCENDING_BY(duration)
END_TABLE

TABLE(Operators, operators, "Attributes of the slices that are framework operators.")
ROW(slice, slices, always, "Row of slices")
COLUMN(input_shapes, StringId, none, "Shapes of the inputs, as a list")
COLUMN(input_types, StringId, none, "Element types of the inputs, as a list")
COLUMN(input_strides, StringId, none, "Strides of the inputs in elements, as a list")
COLUMN(concrete_inputs, StringId, none, "Values of the inputs that are not tensors, as a list")
COLUMN(call_stack, StringId, none, "Frames, outermost last, joined by ;")
COLUMN(matrix_eligible, bool, none, "Whether matrix units can run it")
ONE_ROW_PER(slice)
END_TABLE

TABLE(Modules, modules, "Attributes of the slices that are calls of a framework module.")
ROW(slice, slices, always, "Row of slices")
COLUMN(instance, std::int64_t, id, "Which module object was called")
ONE_ROW_PER(slice)
END_TABLE

TABLE(Launches, launches, "Attributes of the host calls that can enqueue device work.")
ROW(slice, slices, always, "Row of slices")
COLUMN(correlation, std::int64_t, id, "Id shared with the device work it enqueued")
ROW(owner, slices, or_none, "The host range (operator, annotation, step) that made the call")
COLUMN(rule, OwnerRule, none, "How the owner was found")
ONE_ROW_PER(slice)
END_TABLE

TABLE(DeviceWork, device_work, "Attributes of device work (kernels, copies, fills, collectives).")
ROW(slice, slices, always, "Row of slices")
COLUMN(device, std::int64_t, id, "Device ordinal")
ROW(launch, launches, or_none, "Row of launches that enqueued it, or none")
ROW(owner, slices, or_none, "The host range it is attributed to, or none")
COLUMN(rule, OwnerRule, none, "How the owner was found")
COLUMN(core_type, CoreType, none, "Kind of core that ran it")
COLUMN(core, StringId, none, "Core or engine as the file names it")
COLUMN(type, StringId, none, "Type of work as the file names it")
COLUMN(correlation, std::int64_t, id, "Id shared with the launching call")
COLUMN(grid, StringId, none, "Grid size")
COLUMN(block, StringId, none, "Block size")
COLUMN(registers, std::int32_t, count, "Registers per thread")
COLUMN(shared_bytes, std::int64_t, bytes, "Shared memory per block")
COLUMN(blocks_per_core, float, count, "Blocks per multiprocessor")
COLUMN(warps_per_core, float, count, "Warps per multiprocessor")
COLUMN(occupancy, float, percent, "Estimated achieved occupancy")
COLUMN(fill_source, FillSource, none,
       "Where these three values come from: file or computed; for occupancy alone also computed_for_zero or unknown_for_zero")
COLUMN(bytes, std::int64_t, bytes, "Bytes copied or set")
ONE_ROW_PER(slice)
END_TABLE

TABLE(Compilations, compilations,
      "Compilations that the log of the framework's compiler describes, in a folder beside the recording.")
COLUMN(region, StringId, none, "Which frame, and which compilation of it, as in the names of compiled regions")
COLUMN(function, StringId, none, "Function that was compiled")
COLUMN(place, StringId, none, "Its frame: file, line and function")
COLUMN(reason, StringId, none, "Why it was compiled again")
COLUMN(restarts, StringId, none, "Why the compiler began again, such as graph breaks")
COLUMN(failure, StringId, none, "Why it failed")
COLUMN(operators, std::int64_t, count, "Operators of its graph")
COLUMN(guards, std::int64_t, count, "Conditions that must hold for its code to be used")
COLUMN(total, Time, ns, "Time that compiling took")
COLUMN(backend, Time, ns, "Of that, in the backend")
COLUMN(autograd, Time, ns, "Of that, in making the graphs of forward and backward pass")
COLUMN(inductor, Time, ns, "Of that, in the compiler of graphs")
COLUMN(code, Time, ns, "Of that, in writing code")
COLUMN(triton, Time, ns, "Of that, in compiling Triton kernels")
END_TABLE

TABLE(CompileArtifacts, compile_artifacts, "Files that the framework's compiler wrote: graphs, code, guards.")
ROW(compilation, compilations, always, "Row of compilations")
COLUMN(name, StringId, none, "Name of the file")
COLUMN(path, StringId, none, "Its path, or its address")
END_TABLE

// A graph is a list of device work that was captured once and is launched, by one call, many times.
TABLE(CapturedGraphs, captured_graphs,
      "Graphs of device work whose capture was recorded: in this recording, or in a file beside it.")
COLUMN(name, StringId, none, "The named range around the capture, or the name of its file")
COLUMN(part, std::int64_t, id, "Number of the capture within that range, from 0")
COLUMN(file, StringId, none, "File that recorded the capture; unknown: this recording")
COLUMN(batch, std::int64_t, count, "Tokens that it was captured for, by the range's name")
COLUMN(calls, std::int64_t, count, "Calls that put device work into the graph")
COLUMN(match, GraphMatch, none,
       "Why it fits no launch: nested_graph or unfinished; else by_name, or by_order if it does not name all kernels")
END_TABLE

TABLE(GraphLaunches, graph_launches, "Calls that launched a graph of device work.")
ROW(launch, launches, always, "Row of launches")
ROW(captured, captured_graphs, or_none, "The captured graph that it was matched to, or none")
COLUMN(graph, std::int64_t, id, "Id of the graph, as the file writes it")
COLUMN(works, std::int64_t, count, "Pieces of device work that were recorded for it; 0: the recording does not show what ran")
COLUMN(match, GraphMatch, none, "How it was matched to the capture, or why not")
ONE_ROW_PER(launch)
END_TABLE

// They have rows in slices, and in operators or modules, like ranges that ran on the host, and are inside the launching call.
TABLE(ReplayedRanges, replayed_ranges,
      "Operators, modules and annotations of a graph's capture, once for each launch of the graph: no host code ran, so they are "
      "instants without a host time.")
ROW(slice, slices, always, "Row of slices")
ROW(launch, launches, always, "Row of launches: the launch of the graph")
COLUMN(source, std::int64_t, bytes, "Offset of the event in the (decompressed) file of the capture")
ONE_ROW_PER(slice)
END_TABLE

TABLE(WorkFacts, work_facts,
      "Attributes that only some devices report for their work (core counters, gaps, formats), one row per value.")
ROW(slice, slices, always, "Row of slices")
COLUMN(name, StringId, none, "Name of the attribute, as in the file")
COLUMN(number, double, none, "The value, if it is a number")
COLUMN(text, StringId, none, "The value, if it is text")
SORTED_BY(slice)
END_TABLE

// For device work, or for an execution of a compiled program's operator.
TABLE(WorkCosts, work_costs, "Operations and bytes of slices, where the file states them or they follow from what ran.")
ROW(slice, slices, always, "Row of slices")
COLUMN(flops, double, flops, "Floating-point operations; a multiplication with an addition is two")
COLUMN(bytes, std::int64_t, bytes, "Bytes moved to and from device memory")
COLUMN(bytes_read, std::int64_t, bytes, "Bytes read from device memory")
COLUMN(bytes_written, std::int64_t, bytes, "Bytes written to device memory")
ONE_ROW_PER(slice)
END_TABLE

TABLE(OperatorCosts, operator_costs,
      "What a call of an operator with these inputs costs, by the formula of its family: operations and bytes that it needs.")
COLUMN(name, StringId, none, "Operator")
COLUMN(input_shapes, StringId, none, "Shapes of the inputs, as a list")
COLUMN(input_types, StringId, none, "Element types of the inputs, as a list")
COLUMN(family, StringId, none, "Family of operators that share the formula")
COLUMN(precision, StringId, none, "Element type that it computes with, such as bf16")
COLUMN(unit, StringId, none, "What computes it: matrix or vector; memory if it only moves data")
COLUMN(flops, double, flops, "Floating-point operations; a multiplication with an addition is two")
COLUMN(bytes_read, double, bytes, "Bytes of its inputs")
COLUMN(bytes_written, double, bytes, "Bytes of its results")
COLUMN(at_least, bool, none, "Whether it may need more")
END_TABLE

// Device work belongs to the innermost operator with a formula among the ranges that caused it.
TABLE(CostedCalls, costed_calls, "Calls of operators with a formula, and the device work of each.")
ROW(slice, slices, always, "Row of slices: the call")
ROW(cost, operator_costs, always, "What it costs")
ROW(work, slices, always, "Row of slices: the longest of its device work")
COLUMN(device_time, Time, ns, "Sum of the lengths of its device work")
ONE_ROW_PER(slice)
END_TABLE

TABLE(DevicePeaks, device_peaks, "What devices can do at most: dense operations per second by precision, and bytes per second.")
ROW(device, devices, always, "Row of devices")
COLUMN(precision, StringId, none, "Element type; unknown in the row of the bandwidth")
COLUMN(flops, double, flops_per_second, "Floating-point operations per second")
COLUMN(bandwidth, double, bytes_per_second, "Bytes per second to and from device memory")
COLUMN(source, StringId, none, "Where the figure comes from")
GROUPED_BY(device)
END_TABLE

// Sums of many short slices need them.
TABLE(FineTimes, fine_times, "The parts of start and duration below one ns, where the file has times in ps.")
ROW(slice, slices, always, "Row of slices")
COLUMN(start, std::int32_t, none, "Exact start minus the slice's start in ps, 0 to 999")
COLUMN(duration, std::int32_t, none, "Exact length minus the slice's duration in ps, 0 to 999")
ONE_ROW_PER(slice)
END_TABLE

// Instructions of an HLO module, or nodes of a graph.
TABLE(ProgramOperators, program_operators, "The operators of compiled programs, as their compiler names them.")
COLUMN(program, StringId, none, "Compiled program (module) that it is part of")
COLUMN(program_id, StringId, id, "Id of the program as the file writes it")
COLUMN(name, StringId, none, "Name within the program")
COLUMN(opcode, StringId, none, "Its operation, such as dot or fusion")
COLUMN(category, StringId, none, "Kind of operation, as the file or its compiler groups them")
COLUMN(framework_operator, StringId, none, "Path of the framework's operator that it was made from")
COLUMN(source, StringId, none, "Line of the program's source, as file:line")
COLUMN(shape, StringId, none, "Shape of its result")
ROW(fused_into, program_operators, or_none, "The operator that it was fused into, or none")
COLUMN(flops, double, flops, "Floating-point operations of one execution")
COLUMN(bytes, std::int64_t, bytes, "Bytes that one execution moves to and from device memory")
END_TABLE

TABLE(ProgramInputs, program_inputs,
      "Which results an operator of a compiled program reads, one row per operand and in their order.")
ROW(program_operator, program_operators, always, "Row of program_operators that reads")
ROW(input, program_operators, always, "Row of program_operators whose result it reads")
GROUPED_BY(program_operator)
END_TABLE

TABLE(ProgramTraffic, program_traffic,
      "Bytes that one execution of a compiled program's operator moves to and from each memory of the device.")
ROW(program_operator, program_operators, always, "Row of program_operators")
COLUMN(memory, StringId, none, "Memory, as in device_memories")
COLUMN(bytes, std::int64_t, bytes, "Bytes moved, in any direction")
COLUMN(bytes_read, std::int64_t, bytes, "Bytes read")
COLUMN(bytes_written, std::int64_t, bytes, "Bytes written")
GROUPED_BY(program_operator)
END_TABLE

TABLE(ProgramWork, program_work, "Which operator of a compiled program a slice executes.")
ROW(slice, slices, always, "Row of slices")
ROW(program_operator, program_operators, always, "Row of program_operators")
ONE_ROW_PER(slice)
END_TABLE

TABLE(ReportedProgramWork, reported_program_work,
      "Executions of a program's operator, where the file states only their number and total duration.")
ROW(program_operator, program_operators, always, "Row of program_operators")
COLUMN(device, std::int64_t, id, "Device ordinal")
COLUMN(core, StringId, none, "Core or engine of the device, as the file names it")
COLUMN(calls, std::int64_t, count, "Number of executions")
COLUMN(total, Time, ns, "Total duration")
END_TABLE

TABLE(ProgramBuffers, program_buffers, "Where a compiled program keeps its values, one row per value and piece of memory.")
COLUMN(program, StringId, none, "Compiled program (module)")
COLUMN(program_id, StringId, id, "Id of the program as the file writes it")
ROW(program_operator, program_operators, or_none, "Row of program_operators that makes the value, or none")
COLUMN(value, StringId, none, "The value as the compiler names it")
COLUMN(use, StringId, none, "What the piece of memory is for: parameter, output, constant, temporary")
COLUMN(allocation, std::int64_t, id, "Number of the piece of memory")
COLUMN(offset, std::int64_t, bytes, "Offset in that piece")
COLUMN(bytes, std::int64_t, bytes, "Size of the value")
COLUMN(first, std::int64_t, count, "Position in the program's schedule where it becomes live")
COLUMN(last, std::int64_t, count, "Position in the program's schedule where it is last used")
END_TABLE

TABLE(Tensors, tensors, "Tensors of compiled programs, such as inputs, outputs and weights.")
COLUMN(name, StringId, none, "Name")
COLUMN(use, StringId, none, "Use, as the file names it: input, output, weight")
COLUMN(shape, StringId, none, "Shape")
COLUMN(dtype, StringId, none, "Element type")
COLUMN(format, StringId, none, "Order of its dimensions, as the file names it")
COLUMN(bytes, std::int64_t, bytes, "Size")
COLUMN(loads, std::int64_t, count, "Copies from device memory into the core's own memory")
COLUMN(loaded_bytes, std::int64_t, bytes, "Bytes of those copies")
END_TABLE

// A value that the slice's own event lacks comes from the host range that launched it.
TABLE(Collectives, collectives, "Arguments of collectives; the slices are on the host or on a device.")
ROW(slice, slices, always, "Row of slices")
COLUMN(kind, CollectiveKind, none, "Kind of collective")
COLUMN(name, StringId, none, "Collective as recorded, such as allreduce")
COLUMN(group, StringId, none, "Process group")
COLUMN(group_about, StringId, none, "Description of the process group in the program")
COLUMN(group_ranks, StringId, none, "Ranks of the process group, as a list")
COLUMN(group_size, std::int64_t, count, "Ranks in the group")
COLUMN(dtype, StringId, none, "Element type")
COLUMN(in_elements, std::int64_t, count, "Elements sent by this rank")
COLUMN(out_elements, std::int64_t, count, "Elements received by this rank")
COLUMN(in_bytes, std::int64_t, bytes, "Bytes sent by this rank")
COLUMN(out_bytes, std::int64_t, bytes, "Bytes received by this rank")
COLUMN(sequence, std::int64_t, id, "Sequence number within the group")
ONE_ROW_PER(slice)
END_TABLE

TABLE(NetworkTransfers, network_transfers,
      "Transfers of a device over the network of the hosts, which operators of its program begin and wait for.")
ROW(send, slices, always, "Row of slices: the operator that begins to send")
ROW(receive, slices, or_none, "Row of slices: the operator that begins to receive, or none")
ROW(send_done, slices, or_none, "Row of slices: the operator that waits until the data were sent, or none")
ROW(receive_done, slices, always, "Row of slices: the operator that waits until the data were received")
COLUMN(name, StringId, none, "Transfer, as the program names it")
COLUMN(kind, StringId, none, "Kind of transfer as the file names it, such as ALL_REDUCE")
COLUMN(group_size, std::int64_t, count, "Devices that exchange the data")
COLUMN(bytes, std::int64_t, bytes, "Bytes that cross the network for this device")
END_TABLE

TABLE(Steps, steps, "The iterations.")
COLUMN(number, std::int64_t, id, "Iteration number as recorded")
COLUMN(start, Time, ns, "Start on the host")
COLUMN(duration, Time, ns, "Length on the host")
ROW(slice, slices, or_none, "Row of slices, or none")
SORTED_BY(start)
END_TABLE

// One row per step of an engine; the range is the engine's own, whose name states what the step does.
TABLE(ServingSteps, serving_steps, "Steps of an inference engine, with the requests and tokens that their named ranges state.")
ROW(slice, slices, always, "Row of slices: the range of the host")
COLUMN(phase, ServingPhase, none, "Whether it processes prompts (prefill), generates tokens (decode), or both (mixed)")
COLUMN(requests, std::int64_t, count, "Requests of the step")
COLUMN(tokens, std::int64_t, count, "Tokens that the step processes")
COLUMN(padded_batch, std::int64_t, count, "Requests or tokens that it computes, padding included")
COLUMN(image_size, StringId, none, "Width and height of the images that a diffusion engine makes")
COLUMN(prefill_requests, std::int64_t, count, "Requests of which it processes the prompt, or a chunk of it")
COLUMN(prefill_tokens, std::int64_t, count, "Tokens of those prompts or chunks")
COLUMN(decode_requests, std::int64_t, count, "Requests for which it generates tokens")
COLUMN(decode_tokens, std::int64_t, count, "Tokens that it generates or verifies")
COLUMN(prefill_sq, std::int64_t, count, "Attention of prefill: sum of queries over the requests")
COLUMN(prefill_sk, std::int64_t, count, "Attention of prefill: sum of keys, the cached ones included")
COLUMN(prefill_sqsq, std::int64_t, count, "Attention of prefill: sum of queries * queries")
COLUMN(prefill_sqsk, std::int64_t, count, "Attention of prefill: sum of queries * keys")
COLUMN(decode_sq, std::int64_t, count, "Attention of decode: sum of queries; of all requests, if the file does not divide them")
COLUMN(decode_sk, std::int64_t, count, "Attention of decode: sum of keys")
COLUMN(decode_sqsq, std::int64_t, count, "Attention of decode: sum of queries * queries")
COLUMN(decode_sqsk, std::int64_t, count, "Attention of decode: sum of queries * keys")
COLUMN(guessed, bool, none, "Whether no name states the step, and it is guessed from a call of the function that runs the model")
ONE_ROW_PER(slice)
END_TABLE

TABLE(MemoryEvents, memory_events, "Allocations and releases.")
COLUMN(time, Time, ns, "Time of the event")
ROW(lane, lanes, or_none, "The host thread that allocated or released")
COLUMN(device_type, std::int64_t, id, "The framework's device type number; 0 is the host")
COLUMN(device, std::int64_t, id, "Device ordinal, -1 for the host")
COLUMN(device_name, StringId, none, "Name of the device, such as CPU or GPU0")
COLUMN(address, std::int64_t, id, "Address")
COLUMN(bytes, std::int64_t, bytes, "Bytes allocated, negative when released")
COLUMN(total_allocated, std::int64_t, bytes, "Allocated on the device afterwards")
COLUMN(total_reserved, std::int64_t, bytes, "Reserved by the allocator afterwards")
ROW(stack, stacks, or_none, "Where the program allocated or released")
COLUMN(stream, std::int64_t, id, "Stream that the block belongs to, as the file writes it")
COLUMN(context, StringId, none, "What the program noted about it")
SORTED_BY(time)
END_TABLE

TABLE(MemorySegments, memory_segments, "Pieces of device memory that an allocator held when the recording ended.")
COLUMN(device, std::int64_t, id, "Device ordinal")
COLUMN(device_name, StringId, none, "Name of the device")
COLUMN(address, std::int64_t, id, "Where it begins")
COLUMN(bytes, std::int64_t, bytes, "Its size")
COLUMN(allocated, std::int64_t, bytes, "Bytes of its blocks that the program uses")
COLUMN(active, std::int64_t, bytes, "Bytes of its blocks that the program or a stream uses")
COLUMN(kind, StringId, none, "Size of the blocks that it is for: small or large")
COLUMN(stream, std::int64_t, id, "Stream whose allocations it serves")
COLUMN(pool, StringId, none, "Pool that it belongs to; 0.0 is the common one")
COLUMN(expandable, bool, none, "Whether it can grow")
ROW(stack, stacks, or_none, "Where the program needed it")
GROUPED_BY(device)
SORTED_BY(address)
END_TABLE

TABLE(MemoryBlocks, memory_blocks, "The blocks of these segments.")
ROW(segment, memory_segments, always, "Row of memory_segments")
COLUMN(address, std::int64_t, id, "Where it begins")
COLUMN(bytes, std::int64_t, bytes, "Its size")
COLUMN(requested, std::int64_t, bytes, "Bytes that the program requested, before rounding")
COLUMN(state, StringId, none, "allocated, awaiting_free (a stream still uses it) or free")
ROW(stack, stacks, or_none, "Where the program allocated it")
ROW(allocation, memory_events, or_none, "Its allocation, if it was recorded")
SORTED_BY(segment)
SORTED_BY(address)
END_TABLE

TABLE(MemoryFailures, memory_failures, "Requests that the allocator could not serve.")
COLUMN(time, Time, ns, "When it failed")
COLUMN(device, std::int64_t, id, "Device ordinal")
COLUMN(device_name, StringId, none, "Name of the device")
COLUMN(requested, std::int64_t, bytes, "Bytes requested")
COLUMN(device_free, std::int64_t, bytes, "Bytes of the device that no process used")
COLUMN(stream, std::int64_t, id, "Stream of the request")
ROW(stack, stacks, or_none, "Where the program requested it")
SORTED_BY(time)
END_TABLE

TABLE(Stacks, stacks, "Call stacks, each as its innermost frame and the stack that called it.")
ROW(caller, stacks, or_none, "The stack that called it; none: it is the outermost frame")
COLUMN(name, StringId, none, "Function")
COLUMN(file, StringId, none, "Source file")
COLUMN(line, std::int64_t, id, "Line")
COLUMN(part, StringId, none, "Part of a training step that the frames tell, such as backward or optimizer")
COLUMN(library, bool, none, "Whether the frame is the framework's or the language's own, not the user's")
END_TABLE

TABLE(WeightedStacks, weighted_stacks,
      "Call stacks with weights, such as the samples that found each, where the file states no times.")
COLUMN(thread, StringId, none, "Thread or process, if the file names it")
ROW(stack, stacks, always, "Row of stacks: the innermost frame")
COLUMN(weight, double, none, "Weight of exactly this stack")
COLUMN(counts, StringId, none, "What the weight counts, such as bytes, if the file states it")
END_TABLE

TABLE(MemoryUsage, memory_usage, "Memory held by each component of the software. A value holds until the next one.")
COLUMN(time, Time, ns, "Time of the record")
COLUMN(device_name, StringId, none, "Name of the device")
COLUMN(component, StringId, none, "Component, as the file names it")
COLUMN(allocated, std::int64_t, bytes, "Bytes allocated by the component")
COLUMN(reserved, std::int64_t, bytes, "Bytes reserved on the device")
COLUMN(active, std::int64_t, bytes, "Bytes allocated, or kept for a stream that still uses them")
GROUPED_BY(device_name)
GROUPED_BY(component)
SORTED_BY(time)
END_TABLE

// Stored as in the file: shown beside the computed sums, and used where no slices allow a computation.
TABLE(ReportedSteps, reported_steps, "Sums of steps that the file itself states, one row per step and sum.")
COLUMN(step, StringId, none, "Step as the file names it; none: the whole recording")
COLUMN(rank, std::int64_t, id, "Rank of the job, where the capture has sums of several")
COLUMN(device, std::int64_t, id, "Device ordinal")
COLUMN(name, StringId, none, "What was summed, as the file names it")
COLUMN(duration, Time, ns, "The sum")
END_TABLE

TABLE(ReportedOperators, reported_operators, "Operator calls without start times, where the file states only their durations.")
COLUMN(name, StringId, none, "Name")
COLUMN(input_shapes, StringId, none, "Shapes of the inputs, as a list")
COLUMN(call_stack, StringId, none, "Frames, outermost last, joined by ;")
COLUMN(host_self, Time, ns, "Host time, excluding the operators that it calls")
COLUMN(host_total, Time, ns, "Host time, including the operators that it calls")
COLUMN(device_self, Time, ns, "Time of the device work that it enqueued itself")
COLUMN(device_total, Time, ns, "Time of the device work that it and the operators it calls enqueued")
COLUMN(matrix_self, Time, ns, "The part of device_self on matrix units")
COLUMN(matrix_total, Time, ns, "The part of device_total on matrix units")
END_TABLE

// Kernels by their type, host calls by their name.
TABLE(ReportedCalls, reported_calls, "Calls by name, where the file states only their number and durations.")
COLUMN(kind, SliceKind, none, "Kind of call: a kernel, or a runtime call of the host")
COLUMN(device, std::int64_t, id, "Device ordinal")
COLUMN(name, StringId, none, "Type of the kernel or name of the call, as the file names it")
COLUMN(part, StringId, none, "Core that ran the kernel, or layer of software of the call")
COLUMN(calls, std::int64_t, count, "Number of calls")
COLUMN(total, Time, ns, "Total duration")
COLUMN(shortest, Time, ns, "Shortest duration")
COLUMN(longest, Time, ns, "Longest duration")
END_TABLE

TABLE(Communications, communications, "Collectives, with the sums over their parts that the file states.")
ROW(slice, slices, or_none, "Row of slices, or none")
COLUMN(rank, std::int64_t, id, "Rank of the job, where the capture has sums of several")
COLUMN(step, StringId, none, "Step as the file names it")
COLUMN(name, StringId, none, "Operation as the file names it")
COLUMN(group, StringId, none, "Process group")
COLUMN(start, Time, ns, "Start")
COLUMN(elapsed, Time, ns, "From its start to its end")
COLUMN(transit, Time, ns, "Time in which data moved")
COLUMN(wait, Time, ns, "Time spent waiting for other ranks")
COLUMN(synchronization, Time, ns, "The part of the waiting time before data moved")
SORTED_BY(start)
END_TABLE

TABLE(Transfers, transfers, "Bytes moved over a kind of link, or from one rank to another, as summed by the file.")
ROW(communication, communications, or_none, "Row of communications, or none")
COLUMN(step, StringId, none, "Step as the file names it")
COLUMN(name, StringId, none, "Operation as the file names it")
COLUMN(group, StringId, none, "Process group")
COLUMN(group_ranks, StringId, none, "Ranks of the process group, as a list")
COLUMN(transport, StringId, none, "Kind of link")
COLUMN(source, std::int64_t, id, "Sending rank within the group")
COLUMN(target, std::int64_t, id, "Receiving rank within the group")
COLUMN(bytes, std::int64_t, bytes, "Bytes moved")
COLUMN(duration, Time, ns, "Time in which they moved")
END_TABLE

TABLE(Packets, packets, "Packets of transfers, one row per size.")
ROW(transfer, transfers, always, "Row of transfers")
COLUMN(bytes, std::int64_t, bytes, "Size of one packet")
COLUMN(count, std::int64_t, count, "Packets of that size")
COLUMN(duration, Time, ns, "Total time of these packets")
SORTED_BY(transfer)
END_TABLE

// The next three describe several ranks of a job in one capture.
TABLE(JobRanks, job_ranks, "Ranks of the job that the capture has records or sums of.")
COLUMN(rank, std::int64_t, id, "Index in the job")
COLUMN(host, StringId, none, "Host name")
COLUMN(file, StringId, none, "File that its rows come from")
COLUMN(version, StringId, none, "Version of the file's format")
COLUMN(records, std::int64_t, count, "Rows of collective_records")
COLUMN(lost, std::int64_t, count, "Older records that newer ones had replaced when the file was written")
ONE_ROW_PER(rank)
END_TABLE

TABLE(ProcessGroups, process_groups, "Process groups of the job, as each rank or the whole job states them.")
COLUMN(rank, std::int64_t, id, "Rank that states it; unknown: stated for the job")
COLUMN(name, StringId, none, "Process group")
COLUMN(about, StringId, none, "Its description in the program, such as tp")
COLUMN(ranks, StringId, none, "Its ranks, as a list")
COLUMN(group_size, std::int64_t, count, "How many ranks it has")
COLUMN(last_enqueued, std::int64_t, id, "Sequence number of the last collective that the rank enqueued in it; -1: none")
COLUMN(last_started, std::int64_t, id, "Sequence number of the last one that started; -1: none")
COLUMN(last_completed, std::int64_t, id, "Sequence number of the last one that completed; -1: none")
END_TABLE

TABLE(CollectiveRecords, collective_records,
      "Records that the communication library kept of its last collectives, one row per rank and call, whether or not it ended.")
COLUMN(rank, std::int64_t, id, "Rank that made the call")
COLUMN(group, StringId, none, "Process group")
COLUMN(group_about, StringId, none, "Description of the process group in the program")
COLUMN(sequence, std::int64_t, id, "Sequence number within the group")
COLUMN(point_to_point, bool, none, "Whether it is a send or receive, which have numbers of their own")
COLUMN(number, std::int64_t, id, "Number of the operation within the group, sends and receives included")
COLUMN(name, StringId, none, "Operation as recorded")
COLUMN(in_shapes, StringId, none, "Shapes of the inputs, as a list")
COLUMN(in_types, StringId, none, "Element types of the inputs, as a list")
COLUMN(out_shapes, StringId, none, "Shapes of the outputs, as a list")
COLUMN(out_types, StringId, none, "Element types of the outputs, as a list")
COLUMN(state, StringId, none, "How far it came, as recorded: scheduled, started or completed")
COLUMN(retired, bool, none, "Whether the library no longer watches it: it ended, or it timed out")
COLUMN(created, Time, ns, "When the call was made")
COLUMN(started, Time, ns, "When its start was noticed")
COLUMN(completed, Time, ns, "When its end was noticed")
COLUMN(timeout, Time, ns, "After how long the library gives up")
COLUMN(call_stack, StringId, none, "Frames, outermost last, joined by ;")
ROW(slice, slices, or_none, "Row of slices, or none")
SORTED_BY(rank)
END_TABLE

TABLE(Flows, flows, "Links from one slice to another, other than launches.")
COLUMN(kind, FlowKind, none, "Kind of link")
ROW(from, slices, always, "Row of slices")
ROW(to, slices, always, "Row of slices")
END_TABLE

TABLE(StepMetrics, step_metrics, "Figures that the job logged for its steps, such as its loss, from the logs beside the profile.")
ROW(step, steps, or_none, "Row of steps: the recorded step that the figure belongs to, or none")
COLUMN(number, std::int64_t, id, "Step number as logged")
COLUMN(time, Time, ns, "When it was logged")
COLUMN(name, StringId, none, "Figure as the log names it")
COLUMN(value, double, none, "Value")
COLUMN(log, StringId, none, "File or folder of the log")
END_TABLE

TABLE(Counters, counters, "Samples of counters; each counter has a separate lane.")
ROW(lane, lanes, always, "Row of lanes")
COLUMN(time, Time, ns, "Time of the sample")
COLUMN(value, double, none, "Value from then on")
SORTED_BY(lane)
SORTED_BY(time)
END_TABLE

TABLE(Metadata, metadata, "Metadata of the file.")
COLUMN(key, StringId, none, "Name of the entry in the file")
COLUMN(value, StringId, none, "Its value as text")
END_TABLE

TABLE(LakeFiles, lake_files, "Parquet files of a capture in a lake; SQL reads each table of them by its name.")
COLUMN(name, StringId, none, "Table that the file has rows of")
COLUMN(path, StringId, none, "Path of the file, or its address in a cloud")
COLUMN(row_count, std::int64_t, count, "Rows in the file")
COLUMN(bytes, std::int64_t, bytes, "Size of the file")
GROUPED_BY(name)
END_TABLE

TABLE(Problems, problems, "What was wrong with the file, and what Sightline did about it.")
COLUMN(severity, Severity, none, "note, warning or error")
COLUMN(code, StringId, none, "Stable name of the cause")
COLUMN(message, StringId, none, "What was found and what Sightline did about it")
COLUMN(parts, StringId, none, "Template and values of the message, as JSON (docs/http.md); unknown if it has no values")
COLUMN(count, std::int64_t, count, "Number of occurrences")
COLUMN(offset, std::int64_t, bytes, "Byte offset of the first occurrence, in the decompressed file")
END_TABLE

#undef TABLE
#undef COLUMN
#undef ROW
#undef ONE_ROW_PER
#undef SORTED_BY
#undef DESCENDING_BY
#undef GROUPED_BY
#undef END_TABLE
