"""The faults of the original plugin that the oracle can switch on and off, one by one.

A fault is a name for one place where the original's rule gives a wrong number and a better one is known. `ALL` is the original,
`NONE` the best we know, `OURS` the faults that our program still has; `ORDER` is the fixed order in which a comparison
switches them off. The text describes both rules. Differences that are not numbers (crashes, prose, the order of equal
rows) are not listed.
"""

FAULTS = {
    "double_microseconds": (
        "adds times in double microseconds, so every end is rounded to the double's step (0.25 us for absolute decimals)",
        "keeps int64 nanoseconds, exact"),
    "overlap_dropped": (
        "drops a slice that overlaps another of its thread, with everything that it launched",
        "keeps it, inside the innermost slice that contains it whole"),
    "gpu_annotation_as_host": (
        "treats gpu_user_annotation as host annotations: extra steps, host time and communication nodes on stream rows",
        "treats them as device rows: never a step, never host time, never in a tree"),
    "driver_launches_ignored": (
        "ignores cuda_driver, xpu_driver, privateuse1_driver and other unknown runtimes, so work launched by them has no owner",
        "counts every *_runtime and *_driver category as runtime"),
    "device_categories_ignored": (
        "ignores mtia_ccp_events, hpu_op and collective_comm, so these traces look CPU-only",
        "counts them as device work"),
    "scope_metrics_as_kernels": (
        "counts the XPU scope profiler's `metrics: ...` rows as kernels",
        "leaves them out"),
    "mtia_rows_as_kernels": (
        "does not know these rows (see device_categories_ignored)",
        "counts DMA requests of mtia_ccp_events as copies, and does not count event_wait and event_record as work"),
    "collectives_unrecognised": (
        "knows ten collective names, all on the host, and counts communication kernels as compute",
        "uses the library in the kernel's name, `Collective name`, the category and the prefixes of all back ends"),
    "collective_kernels_by_library_only": (
        "recognises communication kernels by the library only (see collectives_unrecognised)",
        "counts kernels of any library with all_reduce, all_gather and so on in their names as communication"),
    "own_correlation_as_external_id": (
        "uses an External id that only repeats the call's correlation id",
        "accepts it only when that operator encloses the call; otherwise thread and time decide"),
    "zero_external_id_to_root": (
        "assigns no owner to calls with External id 0",
        "uses thread and time: 0 means that there is no id"),
    "no_external_id_to_first_node": (
        "assigns all calls without External id to the first node without one, usually the outermost module",
        "uses thread and time"),
    "unmatched_external_id_orphaned": (
        "loses a call whose External id matches no operator",
        "uses thread and time"),
    "annotation_launches_orphaned": (
        "drops user annotations, so the nodes around them lose the work launched directly under an annotation",
        "keeps them as owners, transparent for host time"),
    "collective_annotations_as_nodes": (
        "treats annotations of its ten collective names as operators, so these take host time and launches from the operators around "
        "them and are not shown",
        "treats them like any annotation"),
    "merge_drops_launches": (
        "drops the runtime calls of an operator that absorbs an only child of the same name",
        "keeps the calls of both"),
    "nested_calls_counted_twice": (
        "subtracts a driver call inside a runtime call from the operator's self time a second time",
        "counts the outer call only"),
    "launch_time_by_owner": (
        "subtracts a call's time from the operator that owns it by id, even when it ran inside a child, so self times become negative",
        "subtracts it from the innermost node that it ran in"),
    "stale_kernels": (
        "assigns device events without a runtime call to the root of the step thread, or loses them",
        "uses their External id, else lists them without operator"),
    "missing_correlation_matched": (
        "links device events without correlation to a runtime call without correlation",
        "does not link them"),
    "threads_by_tid_only": (
        "identifies threads by tid alone",
        "identifies them by pid and tid"),
    "backward_modules_lose_operators": (
        "builds modules of the backward pass in the tree of the main thread: it moves the backward operators that belong to them there, and "
        "loses all others, from every table and from memory; it also loses the allocations of the moved ones on their thread",
        "keeps every operator where it ran; the view Modules has the backward time of each module"),
    "full_step_overcount": (
        "starts counting again when a category has covered the steps completely, so the sum of the parts exceeds the step",
        "counts each instant once"),
    "zero_length_steps": (
        "also averages over steps of length zero",
        "averages over steps that took time"),
    "gpu_only_trace": (
        "shows a step of about -1.8e19 us for a trace without operators",
        "uses the window of the device events"),
    "implicit_step_of_operators": (
        "uses the extent of all operators as the step of a trace without steps, so the step lacks a graph launched outside of them, "
        "with everything that the graph ran",
        "uses the extent of all operators, of device work and of the calls that launched it"),
    "device_by_position": (
        "looks a device's properties up by their position",
        "looks them up by `id`"),
    "device_argument_only": (
        "knows a kernel's device only from its `device` argument",
        "falls back to the numeric pid of the device row"),
    "tensor_core_list_outdated": (
        "knows the tensor-core kernel names up to Ampere",
        "knows Hopper, Blackwell, flash attention and AMD matrix instructions"),
    "tensor_core_list_incomplete": (
        "knows only some families of tensor-core kernels (see tensor_core_list_outdated)",
        "also knows CUTLASS by mangled name, cuDNN's TF32 implicit GEMM, TensorRT-LLM's generated kernels and MIOpen's gtcx"),
    "untold_tensor_cores_unused": (
        "says that a kernel does not use tensor cores when it does not know the kernel names of the device",
        "shows that this is unknown"),
    "device_share_of_operators": (
        "computes a device's share of kernel time on tensor cores from the kernels that operators launched, so a graph replayed outside "
        "of operators does not count",
        "computes it from all kernels of the device"),
    "eligibility_of_first_call": (
        "takes an operator's eligibility from its first call",
        "takes it from any call"),
    "eligibility_stops_at_modules": (
        "does not look through a module for eligible operators inside an operator",
        "takes any operator inside"),
    "zero_denominator_as_zero": (
        "prints 0 for a division by zero",
        "shows the result as unknown"),
    "missing_occupancy_as_zero": (
        "counts a missing blocks per SM or occupancy as 0 in the kernel's mean",
        "averages over the calls that have a value"),
    "false_zero_occupancy": (
        "shows the occupancy of 0 that the trace has for kernels with more shared memory than a block gets by default",
        "computes it from the launch and the properties of the device; if the trace lacks these, it is unknown"),
    "missing_fill_not_computed": (
        "has no blocks per SM and no occupancy if the trace has none, as for AMD devices",
        "computes what follows from the launch and the properties of the device"),
    "memory_devices_unknown": (
        "knows memory of CPU and CUDA devices only; with events of another (HIP, XPU, ...) its curve and its list of events fail",
        "knows every device type of the framework"),
    "memory_addresses_across_devices": (
        "matches a release on one device with an allocation of the same address on another",
        "distinguishes devices"),
    "memory_events_need_addresses": (
        "lists no memory events that were recorded without addresses",
        "lists each, with its other end unknown"),
    "memory_repeated_address_lost": (
        "loses an allocation without a recorded release when its address is reused; it also loses all but the last of several releases "
        "of an address without an allocation",
        "lists them, with their other end unknown"),
    "memory_calls_undercounted": (
        "does not count the calls inside ranges in which nothing was allocated or released",
        "counts every call"),
    "memory_outside_operators_lost": (
        "does not count allocations in a range that is not an operator as allocations of the operators around that range",
        "does so"),
    "memory_totals_empty": (
        "never shows how much memory a device has",
        "shows it when the trace contains it"),
    "memory_peak_of_wrong_device": (
        "compares the host's peak with the memory of the last GPU, and looks devices up by position",
        "compares each device's peak with that device's memory, and the host's peak with no memory"),
}

ORDER = tuple(FAULTS)
ALL = frozenset(ORDER)
NONE = frozenset()
OURS = frozenset()


def stages():
    """The cumulative chain from the original to us: (fault just switched off, or None; faults still on)."""
    on = set(ALL)
    yield None, frozenset(on)
    for fault in ORDER:
        if fault not in OURS:
            on.discard(fault)
            yield fault, frozenset(on)
