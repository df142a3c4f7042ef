"""The oracle on traces small enough to check by hand, above all for the faults that no sample has."""
import pathlib
import sys
from decimal import Decimal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import faults  # noqa: E402
import golden_cells  # noqa: E402
import many_faults  # noqa: E402
import modules  # noqa: E402
import steps as step_stage  # noqa: E402
from kineto_oracle import analyse  # noqa: E402
from tensor_cores import uses_tensor_cores  # noqa: E402
from kineto_trace import Trace, nanoseconds  # noqa: E402


def event(category, name, start, duration, tid=1, pid=1, **args):
    args = {key.replace("_", " ") if key != "External_id" else "External id": value for key, value in args.items()}
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": duration, "args": args}


def trace_of(*events, devices=()):
    return Trace({"traceEvents": list(events), "deviceProperties": list(devices)})


def with_fault(trace, fault):
    return analyse(trace, faults.NONE | {fault}), analyse(trace, faults.NONE)


def test_decimals_become_nanoseconds_exactly():
    assert nanoseconds(Decimal("1623143089861.123")) == 1623143089861123
    assert nanoseconds(Decimal("0.0005")) == 1 and nanoseconds(Decimal("-0.0005")) == -1
    assert nanoseconds(Decimal("2.0004")) == 2000 and nanoseconds(7) == 7000


def test_every_stage_switches_one_fault_off():
    chain = list(faults.stages())
    assert chain[0] == (None, faults.ALL) and chain[-1][1] == faults.OURS
    assert all(len(before) - len(after) == 1 for (_, before), (_, after) in zip(chain, chain[1:]))


def test_parts_that_are_kept_are_those_of_a_new_run():
    """Every stage, far ones after each other, so that trees are kept, dropped and taken up again."""
    calls = [event("cuda_runtime", "cudaLaunchKernel", 35, 5, External_id=2, correlation=1), event("cuda_driver", "cuLaunchKernel", 155, 5, correlation=2),
             event("kernel", "a", 40, 50, tid=7, pid=0, correlation=1, device=0), event("kernel", "b", 160, 20, tid=7, pid=0, correlation=2, device=0),
             event("kernel", "metrics: a", 40, 50, tid=7, pid=0, device=0)]
    document = {"traceEvents": backward_pass().document["traceEvents"] + calls, "deviceProperties": []}
    trace, other = Trace(document), Trace(document)
    kept = many_faults.ManyFaults(other)
    chain = [on for _, on in faults.stages()]
    scope = faults.NONE | {"scope_metrics_as_kernels"}  # one tree, then another, then other kernels of the first
    trees = [scope, faults.NONE, scope | {"missing_occupancy_as_zero"}]
    for on in trees + chain + [chain[i * 7 % len(chain)] for i in range(len(chain))]:
        expected = golden_cells.of_figures(analyse(trace, on), trace, on)
        assert golden_cells.of_figures(kept.analyse(on), other, on) == expected


def test_full_step_counted_once():
    """The specification's example: a step of 110 covered by kernels, with 10 of runtime and 40 of host work."""
    trace = trace_of(event("user_annotation", "ProfilerStep#1", 0, 110), event("cuda_runtime", "cudaLaunchKernel", 10, 10),
                     event("cpu_op", "aten::add", 20, 40), event("kernel", "add", 0, 110, tid=7, pid=0, device=0))
    wrong, right = with_fault(trace, "full_step_overcount")
    assert {part: time for part, time in wrong.rows[0].items() if time} == {
        "kernel": 110000, "runtime": 10000, "host": 40000, "other": 60000, "total": 110000}
    assert {part: time for part, time in right.rows[0].items() if time} == {"kernel": 110000, "total": 110000}


def test_merged_operator_keeps_its_own_calls():
    """An operator with one child of its name: both launch, 5 us each."""
    trace = trace_of(event("cpu_op", "aten::copy_", 0, 100, External_id=1), event("cpu_op", "aten::copy_", 10, 50, External_id=2),
                     event("cuda_runtime", "cudaLaunchKernel", 2, 3, External_id=1, correlation=11),
                     event("cuda_runtime", "cudaLaunchKernel", 20, 4, External_id=2, correlation=12),
                     event("kernel", "a", 200, 5, tid=7, pid=0, correlation=11, device=0),
                     event("kernel", "b", 210, 5, tid=7, pid=0, correlation=12, device=0))
    wrong, right = with_fault(trace, "merge_drops_launches")
    assert wrong.operators["name"]["aten::copy_",].device_self == 5000
    group = right.operators["name"]["aten::copy_",]
    assert (group.calls, group.device_self, group.host_self) == (1, 10000, 93000)


def test_overlapping_slice_is_kept():
    trace = trace_of(event("cpu_op", "outer", 0, 100), event("cpu_op", "first", 10, 20), event("cpu_op", "second", 20, 20),
                     event("cpu_op", "inner", 25, 10))
    wrong, right = with_fault(trace, "overlap_dropped")
    assert ("second",) not in wrong.operators["name"] and ("second",) in right.operators["name"]
    assert right.operators["name"]["second",].host_self == 10000
    assert right.operators["name"]["outer",].host_self == 60000


def test_trace_of_kernels_alone_has_a_step():
    trace = trace_of(event("kernel", "a", 10, 5, tid=7, pid=0), event("kernel", "b", 20, 5, tid=7, pid=0))
    assert analyse(trace, faults.NONE).rows[0]["total"] == 15000
    assert analyse(trace, faults.NONE | {"gpu_only_trace"}).rows[0]["total"] < -1.8e19


def test_scope_profiler_rows_are_not_kernels():
    trace = trace_of(event("kernel", "gemm", 10, 5, tid=7, pid=0), event("kernel", "metrics: gemm", 10, 5, tid=8, pid=0))
    wrong, right = with_fault(trace, "scope_metrics_as_kernels")
    assert len(wrong.kernels) == 2 and len(right.kernels) == 1


def test_devices_are_found_by_id():
    devices = [{"id": 3, "name": "three"}, {"id": 0, "name": "zero"}]
    trace = trace_of(event("cpu_op", "a", 0, 10), event("kernel", "k", 1, 2, tid=7, pid=0, device=0), devices=devices)
    wrong, right = with_fault(trace, "device_by_position")
    assert wrong.devices[0].name == "three" and right.devices[0].name == "zero"


def test_call_inside_a_child_is_subtracted_from_the_child():
    """The call belongs to the outer operator by id but ran inside the inner one: it must not be subtracted from the outer's
    self time twice."""
    trace = trace_of(event("cpu_op", "outer", 0, 20, External_id=1), event("cpu_op", "inner", 2, 16, External_id=2),
                     event("cuda_runtime", "cudaLaunchKernel", 4, 10, External_id=1, correlation=9))
    wrong, right = with_fault(trace, "launch_time_by_owner")
    assert wrong.operators["name"]["outer",].host_self == -6000
    assert (right.operators["name"]["outer",].host_self, right.operators["name"]["inner",].host_self) == (4000, 6000)


def test_annotation_of_a_collective_is_not_a_node():
    trace = trace_of(event("cpu_op", "outer", 0, 20), event("user_annotation", "nccl:all_reduce", 2, 16), event("cpu_op", "inner", 4, 10))
    wrong, right = with_fault(trace, "collective_annotations_as_nodes")
    assert wrong.operators["name"]["outer",].host_self == 4000
    assert right.operators["name"]["outer",].host_self == 10000


def test_call_inside_a_call_counts_once():
    trace = trace_of(event("cpu_op", "op", 0, 20, External_id=1), event("cuda_runtime", "cudaLaunchKernel", 4, 10, External_id=1, correlation=9),
                     event("cuda_driver", "cuLaunchKernel", 5, 8, External_id=1, correlation=10))
    wrong, right = with_fault(trace, "nested_calls_counted_twice")
    assert wrong.operators["name"]["op",].host_self in (2000, 10000)
    assert right.operators["name"]["op",].host_self == 10000


def test_intervals():
    assert step_stage.merge([(5, 6), (0, 2), (2, 3)]) == [(0, 3), (5, 6)]
    assert step_stage.intersect([(0, 4), (6, 9)], [(2, 7)]) == [(2, 4), (6, 7)]
    assert step_stage.subtract([(0, 10)], [(2, 3), (5, 12)]) == [(0, 2), (3, 5)]


def test_tensor_core_names():
    for name in ("sm90_xmma_gemm_bf16", "nvjet_tst_64x64", "flash_bwd_dq_dk_dv_loop_kernel", "Cijk_Alik_Bljk_BBS_MT256x192x64_MI16x16x1_SN",
                 "igemm_fwd_gtcx3_nhwc", "cutlass_80_wmma_tensorop_bf16"):
        assert uses_tensor_cores(name), name
    for name in ("SubTensorOpWithScalar1d", "flash_bwd_dot_do_o_kernel", "Cijk_Alik_Bljk_SB_MT32x32x8_SN_MIAV0", "cutlass_80_simt_sgemm_128x32",
                 "scaled_fp8_quant_kernel<c10::Float8_e4m3fn>", "_ZN2ck16tensor_operation6device18kernel_elementwise"):
        assert not uses_tensor_cores(name), name


def memory(time, size, address=None, kind=1, ordinal=0, total=None, tid=1):
    args = {"Device Type": kind, "Device Id": ordinal, "Bytes": size}
    args.update({"Addr": address} if address is not None else {})
    args.update({"Total Allocated": total, "Total Reserved": 4096} if total is not None else {})
    return {"ph": "i", "name": "[memory]", "pid": 1, "tid": tid, "ts": time, "args": args}


def blocks(figures, device):
    return [(operator, size, *(None if time is None else time // 1000 for time in times)) for operator, size, *times in
            figures.memory[device].blocks]


def test_memory_of_any_device_type():
    trace = trace_of(event("cpu_op", "aten::add", 0, 10), memory(5, 64, 1, kind=6, total=64), memory(6, 8, 1, kind=12, ordinal=1, total=8))
    wrong, right = with_fault(trace, "memory_devices_unknown")
    assert wrong.memory == {}
    assert sorted(right.memory) == ["GPU0", "XPU1"] and right.memory["GPU0"].operators == {"aten::add": [1, 64, 64, 1, 1, 64, 64]}


def test_memory_addresses_belong_to_a_device():
    """Host and device allocate at the same address; the host's block is released first."""
    trace = trace_of(event("cpu_op", "a", 0, 10), event("cpu_op", "b", 20, 10), memory(5, 64, 1, total=64),
                     memory(25, 8, 1, kind=0, ordinal=-1, total=8), memory(40, -8, 1, kind=0, ordinal=-1, total=0), memory(50, -64, 1, total=0))
    wrong, right = with_fault(trace, "memory_addresses_across_devices")
    assert blocks(right, "GPU0") == [("a", 64, 5, 50)] and blocks(right, "CPU") == [("b", 8, 25, 40)]
    assert blocks(wrong, "GPU0") == [("a", 64, 5, None), (None, 64, None, 50)]


def test_memory_events_without_addresses_are_listed():
    trace = trace_of(event("cpu_op", "a", 0, 10), memory(5, 64), memory(6, -64))
    wrong, right = with_fault(trace, "memory_events_need_addresses")
    assert blocks(wrong, "GPU0") == []
    assert blocks(right, "GPU0") == [("a", 64, 5, None), (None, 64, None, 6)]


def test_memory_at_a_repeated_address_is_kept():
    trace = trace_of(memory(1, -4, 9), memory(2, -5, 9), memory(5, 64, 1), memory(6, 32, 1), memory(7, -32, 1))
    wrong, right = with_fault(trace, "memory_repeated_address_lost")
    assert blocks(wrong, "GPU0") == [(None, 32, 6, 7), (None, 5, None, 2)]
    assert blocks(right, "GPU0") == [(None, 32, 6, 7), (None, 64, 5, None), (None, 4, None, 1), (None, 5, None, 2)]


def test_memory_counts_calls_in_quiet_ranges():
    """Two calls of inner: one allocates memory, one does not."""
    trace = trace_of(event("cpu_op", "outer", 0, 10), event("cpu_op", "inner", 2, 4), memory(3, 64, 1),
                     event("cpu_op", "outer", 20, 10), event("cpu_op", "inner", 22, 4))
    wrong, right = with_fault(trace, "memory_calls_undercounted")
    assert wrong.memory["GPU0"].operators == {"outer": [2, 64, 0, 1, 0, 64, 0], "inner": [1, 64, 64, 1, 1, 64, 64]}
    assert right.memory["GPU0"].operators == {"outer": [2, 64, 0, 1, 0, 64, 0], "inner": [2, 64, 64, 1, 1, 64, 64]}


def test_memory_of_a_module_is_in_the_operator_around_it():
    trace = trace_of(event("cpu_op", "compiled", 0, 10), event("python_function", "nn.Module: Linear_0", 2, 4, Python_module_id=1), memory(3, 64, 1))
    wrong, right = with_fault(trace, "memory_outside_operators_lost")
    assert wrong.memory["GPU0"].operators == {}
    assert right.memory["GPU0"].operators == {"compiled": [1, 64, 0, 1, 0, 64, 0]}


def test_memory_of_the_device_is_shown():
    trace = trace_of(memory(3, 64, 1, ordinal=1), devices=[{"id": 1, "totalGlobalMem": 1000}])
    wrong, right = with_fault(trace, "memory_totals_empty")
    assert wrong.memory["GPU1"].total is None and right.memory["GPU1"].total == 1000


def test_memory_peak_is_compared_with_its_own_device():
    """The host uses more memory than a GPU has; GPU 1, which is first, is nearly full."""
    devices = [{"id": 1, "totalGlobalMem": 1000}, {"id": 0, "totalGlobalMem": 2000}]
    on = faults.NONE | {"memory_peak_of_wrong_device"}
    assert golden_cells._memory_of(devices, 0, -1, on) == 2000 and golden_cells._memory_of(devices, 0, -1, faults.NONE) is None
    assert golden_cells._memory_of(devices, 1, 1, on) == 2000 and golden_cells._memory_of(devices, 1, 1, faults.NONE) == 1000


def test_memory_calls_are_counted_where_any_device_allocates():
    """The original does not know HIP devices, but it does go into the ranges in which one allocates."""
    trace = trace_of(event("cpu_op", "outer", 0, 10), event("cpu_op", "inner", 2, 4), memory(3, 64, 1),
                     event("cpu_op", "outer", 20, 10), event("cpu_op", "inner", 22, 4), memory(23, 64, 1, kind=6))
    assert analyse(trace, faults.ALL).memory["GPU0"].operators == {"outer": [2, 64, 0, 1, 0, 64, 0], "inner": [2, 64, 64, 1, 1, 64, 64]}


HOPPER = {"id": 0, "numSms": 10, "warpSize": 32, "computeMajor": 9, "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048,
          "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 233472, "sharedMemPerBlock": 49152}


def test_a_false_zero_of_occupancy_is_computed():
    """100000 B and 1 KiB of shared memory, in steps of 128 B: two blocks of 128 threads on a core of 2048."""
    args = {"est._achieved_occupancy_%": 0, "blocks_per_SM": 2, "shared_memory": 100000, "registers_per_thread": 16,
            "grid": [1000, 1, 1], "block": [128, 1, 1], "device": 0}
    trace = trace_of(event("kernel", "k", 0, 10, tid=7, pid=0, **args), devices=[HOPPER])
    wrong, right = with_fault(trace, "false_zero_occupancy")
    assert wrong.kernels["k"].occupancy == 0 and right.kernels["k"].occupancy == 12.5
    assert wrong.devices[0].occupancy == 0 and right.devices[0].occupancy == 12.5


def test_missing_blocks_are_computed():
    """20 blocks on 10 cores; the call that counts the grid in threads has 20 x 128 of them."""
    for call, grid in (("hipLaunchKernel", 20), ("hipExtModuleLaunchKernel", 20 * 128)):
        trace = trace_of(event("cuda_runtime", call, 0, 1, correlation=1),
                         event("kernel", "k", 2, 10, tid=7, pid=0, device=0, correlation=1, grid=[grid, 1, 1], block=[128, 1, 1]),
                         devices=[{**HOPPER, "warpSize": 64}])
        wrong, right = with_fault(trace, "missing_fill_not_computed")
        assert wrong.kernels["k"].blocks_per_sm is None
        assert right.kernels["k"].blocks_per_sm == 2 and right.kernels["k"].occupancy is None


def test_matrix_units_of_other_devices_are_unknown():
    trace = trace_of(event("cpu_op", "op", 0, 10, External_id=1), event("mtia_runtime", "run", 1, 1, External_id=1, correlation=3),
                     event("mtia_ccp_events", "fc-dtype_Float", 20, 10, tid=7, pid=0, correlation=3))
    wrong, right = with_fault(trace, "untold_tensor_cores_unused")
    group = right.operators["name"]["op",]
    assert wrong.kernels["fc-dtype_Float"].tensor_cores is False and right.kernels["fc-dtype_Float"].tensor_cores is None
    assert (group.tc_share("self", faults.NONE), group.eligible, right.devices[0].tensor_core_share) == (None, None, None)


def graph_replay():
    """A graph is launched outside of all operators: its kernel runs 70-1070; a fill follows until 1110."""
    return trace_of(event("cpu_op", "aten::fill_", 0, 30, External_id=1), event("cuda_runtime", "launch", 5, 5, External_id=1, correlation=1),
                    event("kernel", "fill", 40, 1, tid=7, pid=0, device=0, correlation=1),
                    event("cuda_runtime", "cudaGraphLaunch", 50, 10, correlation=2),
                    event("kernel", "sm90_xmma_gemm", 70, 1000, tid=7, pid=0, device=0, correlation=2),
                    event("gpu_memset", "Memset", 1100, 10, tid=7, pid=0, device=0))


def test_a_replayed_graph_is_part_of_the_only_step():
    wrong, right = with_fault(graph_replay(), "implicit_step_of_operators")
    assert wrong.rows[0]["total"] == 41000 and right.rows[0]["total"] == 1110000
    assert (right.rows[0]["kernel"], right.rows[0]["memset"]) == (1001000, 10000)


def test_a_replayed_graph_counts_in_its_device():
    wrong, right = with_fault(graph_replay(), "device_share_of_operators")
    assert wrong.devices[0].tensor_core_share == 0 and right.devices[0].tensor_core_share == 1000 / 1001


def test_kernels_of_external_id_0_are_listed_for_the_root():
    trace = trace_of(event("operator", "outer", 0, 100, External_id=0), event("operator", "aten::mm", 10, 50, External_id=5),
                     event("runtime", "launch", 20, 5, External_id=0, correlation=1), event("runtime", "launch", 30, 5, External_id=5, correlation=2),
                     event("kernel", "a", 200, 10, tid=7, pid=0, correlation=1, device=0),
                     event("kernel", "b", 220, 10, tid=7, pid=0, correlation=2, device=0))
    listed = {key[:2]: group.calls for key, group in analyse(trace, faults.ALL).launches.items()}
    assert listed == {("a", "CallTreeRoot"): 2, ("b", "aten::mm"): 1}
    assert {key[:2] for key in analyse(trace, faults.NONE).launches} == {("a", "aten::mm"), ("b", "aten::mm")}


def backward_pass():
    """A module Net around a module Linear. ReluBackward0 belongs to Net, LinearBackward0 and the accumulation after it to Linear, and
    MeanBackward1 to no module. Memory is allocated in each of them, and on the main thread while it waits."""
    def flow(number, forward, backward):
        at = {"id": number, "pid": 1, "cat": "fwdbwd", "name": "fwdbwd"}
        return {**at, "ph": "s", "tid": 1, "ts": forward}, {**at, "ph": "f", "tid": 2, "ts": backward, "bp": "e"}
    evaluate = "autograd::engine::evaluate_function: "
    return Trace({"traceEvents": [
        event("user_annotation", "ProfilerStep#1", 0, 1000, External_id=1),
        event("python_function", "nn.Module: Net_0", 10, 200, Python_module_id=0), event("python_function", "nn.Module: Linear_0", 20, 100, Python_module_id=1),
        event("cpu_op", "aten::linear", 30, 80, External_id=2), event("cpu_op", "aten::relu", 150, 20, External_id=3),
        event("cpu_op", "aten::mean", 300, 50, External_id=4), event("cpu_op", "aten::wait", 380, 500, External_id=14),
        event("cpu_op", evaluate + "MeanBackward1", 400, 50, tid=2, External_id=5), event("cpu_op", "aten::div", 410, 30, tid=2, External_id=7),
        event("cpu_op", evaluate + "ReluBackward0", 460, 30, tid=2, External_id=8), event("cpu_op", "ReluBackward0", 465, 20, tid=2, External_id=9),
        event("cpu_op", evaluate + "LinearBackward0", 500, 100, tid=2, External_id=10),
        event("cpu_op", "LinearBackward0", 505, 80, tid=2, External_id=11),
        event("cpu_op", evaluate + "torch::autograd::AccumulateGrad", 610, 30, tid=2, External_id=12),
        memory(415, 8, 100, kind=0, ordinal=-1, tid=2), memory(470, 16, 101, kind=0, ordinal=-1, tid=2), memory(520, 5, 11, kind=0, ordinal=-1),
        *flow(1, 30, 505), *flow(2, 150, 465)]})


def test_backward_operators_are_moved_to_modules_or_lost():
    """The original's result for this trace, release 0.4.3."""
    fault = {"backward_modules_lose_operators"}
    wrong = modules.paths_of(backward_pass(), faults.NONE | fault, "1")
    net = ("ProfilerStep#1", "aten::wait", "nn.Module: Net_0.backward")
    linear = (*net, "nn.Module: Linear_0.backward")
    evaluate = "autograd::engine::evaluate_function: "
    assert {path: sums for path, sums in wrong.items() if path[:3] == net} == {
        net: [1, 180000], (*net, evaluate + "ReluBackward0"): [1, 30000], (*net, evaluate + "ReluBackward0", "ReluBackward0"): [1, 20000],
        linear: [1, 140000], (*linear, evaluate + "LinearBackward0"): [1, 100000],
        (*linear, evaluate + "LinearBackward0", "LinearBackward0"): [1, 80000], (*linear, evaluate + "torch::autograd::AccumulateGrad"): [1, 30000]}
    assert modules.paths_of(backward_pass(), faults.NONE | fault, "2") == {}
    right = modules.paths_of(backward_pass(), faults.NONE, "2")
    assert right[evaluate + "MeanBackward1", "aten::div"] == [1, 30000] and len(right) == 7


def test_memory_of_moved_backward_operators_is_lost():
    """Allocations of their thread find no operator there; one of the main thread counts for an operator moved there."""
    wrong, right = with_fault(backward_pass(), "backward_modules_lose_operators")
    evaluate = "autograd::engine::evaluate_function: "
    assert wrong.memory["CPU"].operators == {"LinearBackward0": [1, 5, 5, 1, 1, 5, 5], evaluate + "LinearBackward0": [1, 5, 0, 1, 0, 5, 0],
                                             "aten::wait": [1, 5, 0, 1, 0, 5, 0]}
    assert right.memory["CPU"].operators["aten::div"] == [1, 8, 8, 1, 1, 8, 8]
    assert right.memory["CPU"].operators["aten::wait"] == [1, 5, 5, 1, 1, 5, 5]
    assert {key[0] for key in right.operators["name"]} - {key[0] for key in wrong.operators["name"]} == {"aten::div", evaluate + "MeanBackward1"}
