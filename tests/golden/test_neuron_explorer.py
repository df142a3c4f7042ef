"""Folders of Parquet tables as Neuron Explorer keeps a profile, made by us (tests/support/explorer_export.py): each table becomes
the data that docs/formats/neuron.md describes. No folder written by the vendor was available; its JSON, converted to these
tables, must read the same.
"""
import gzip
import json
import pathlib
import random
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from explorer_export import of_vendor_json, write  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
SAMPLES = sorted((SHARED / "samples" / "neuron").glob("*/*.json.gz"))
pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")


def slices(folder, where="1"):
    return query(folder, f"""select p.name, l.name, l.kind, s.name, s.kind, s.start, s.duration from slices s join lanes l on l.id = s.lane
                             join processes p on p.id = l.process where {where} order by s.id""")


def facts(folder, name):
    return {key: value if text is None else text for key, value, text in query(
        folder, f"select f.name, f.number, f.text from work_facts f join slices s on s.id = f.slice where s.name = '{name}'")}


def samples(folder):
    told = {}
    for lane, time, value in query(folder, "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane order by c.id"):
        told.setdefault(lane, []).append((time, value))
    return told


def problems(folder):
    return {code: (message, count) for code, message, count in query(folder, "select code, message, count from problems")}


@pytest.mark.parametrize("seed, parts", [(1, 1), (2, 3), (3, 4)])
def test_the_written_tables(seed, parts, tmp_path):
    dice = random.Random(seed)
    engines = ("Tensor", "TensorMatrix", "Vector", "Scalar", "GpSimd", "Sync")
    instructions, time = [], 0
    for row in range(200):
        time += dice.randrange(1, 50)
        instructions.append({"start_ts": time, "end_ts": time + (length := dice.randrange(60)), "duration_ns": length, "engine": "Tensor",
                             "timeline_track": dice.choice(engines), "opcode": dice.choice(("NOP", "ACTIVATE", "DRAIN")), "id": 1 << 62 | row,
                             "pc": row, "pcore_idx": dice.choice((0, 1)), "operands": f"r{row}"})
    folder = tmp_path / "run@latest"
    write(folder, {"Instruction": instructions}, parts={"Instruction": parts})
    told = query(folder, """select p.name, l.name, s.name, s.start, s.duration, f.number from slices s join lanes l on l.id = s.lane
                            join processes p on p.id = l.process join work_facts f on f.slice = s.id and f.name = 'pc'""")
    written = [("NeuronCore" + (", physical core 1" if row["pcore_idx"] else ""), row["timeline_track"], row["opcode"], row["start_ts"],
                row["duration_ns"], row["pc"]) for row in instructions]
    assert sorted(told) == sorted(written)
    (rows,), = query(folder, "select value from metadata where key = 'rows.Instruction'")
    assert rows == "200"
    runs = json.loads(subprocess.run([program_report.PROGRAM, "info", tmp_path, "--format", "json"], capture_output=True, text=True).stdout)["runs"]
    assert [worker["name"] for run in runs for worker in run["workers"]] == ["run"]


DEVICE = {
    "Instruction": [
        {"start_ts": 40, "end_ts": 60, "duration_ns": 20, "engine": "Tensor", "timeline_track": "TensorMatrix", "opcode": "MATMUL", "id": 1,
         "operands": "a", "layer": "/m/mm", "hlo_name": "%dot.3 = dot(%p0)", "raw_flops": 192, "hbm_read_bytes": 512, "stack_frame_ids": [4, 5],
         "made_up_column": "kept"},
        {"start_ts": 5, "end_ts": 95, "duration_ns": 90, "engine": "Sync", "opcode": "EVENT_SEMAPHORE", "id": 2, "operands": ""}],
    "Flow": [{"in_id": 2, "in_table": "Instruction", "out_id": 1, "out_table": "Instruction"},
             {"in_id": 1, "in_table": "Instruction", "out_id": 1, "out_table": "DmaPacket"}, {"in_id": 77, "in_table": "?", "out_id": 1, "out_table": "DmaPacket"}],
    "DmaPacket": [{"start_ts": 12, "end_ts": 17, "duration_ns": 5, "id": 1, "engine_idx": 10, "queue_idx": 1, "queue_name": "qSync-Q1-E10",
                   "queue_type": "data", "transfer_bytes": 64, "crc": 7}],
    "DmaPacketAggregated": [{"start_ts": 12, "end_ts": 21, "duration_ns": 9, "id": 9, "queue_name": "qSync", "queue_idx": 1, "variable": "w"}],
    "Throttle": [{"timestamp": 20, "duration": 4, "k": 7, "n": 8, "type": "activity_0"}, {"timestamp": 24, "duration": 6, "k": 1, "n": 1, "type": "unknown"}],
    "ActiveTime": [{"start_ts": 40, "end_ts": 60, "engine": "tensor", "duration_ns": 20, "pcore_idx": 0}],
    "CoreBarriers": [{"start_ts": 1, "end_ts": 3, "duration_ns": 2, "engine_name": "Sync", "id": 5, "semaphore": 7}],
    "CcOp": [{"start_ts": 50, "end_ts": 90, "duration_ns": 40, "operation": "AllReduce", "algorithm": "Ring", "num_elements": 8, "dtype": "fp32",
              "op_id": 3, "stream_id": 1, "stream_index": 0, "input_size": 32, "output_size": 32, "replica_group": "[[0, 1]]"}],
    "CcInstruction": [{"start_ts": 51, "end_ts": 52, "duration_ns": 1, "core_idx": 2, "description": "wait"}],
    "CcStream": [{"stream_id": 1, "stream_index": 0, "cc_core_ids": "[0, 1]"}],
    "Error": [{"timestamp": 66, "description": "EMBD OOB", "error_type_id": 1, "type": "Errors"}],
    "ExecutionInfo": [{"execution_index": 0, "neff_name": "graph.neff", "execution_start_ts": 1, "execution_end_ts": 99}],
    "FrameworkNode": [{"node_name": "/m", "start_ts": 40, "end_ts": 60, "mfu": 12.5}],
    "FrameworkInstruction": [{"id": 1, "framework_name": "/m/mm", "start_ts": 40, "end_ts": 60, "element_count_per_interval": [1, 2]}],
    "HloInstruction": [{"id": 1, "hlo_name": "%dot.3", "start_ts": 40, "end_ts": 60, "hbm_read_bytes": 512}],
    "SbufAllocation": [{"start_ts": 10, "end_ts": 70, "start_address": 0, "end_address": 64, "partition": 32, "tensor_name": "w"}],
    "SemaphoreUpdate": [{"timestamp": 18, "id": "S[7] (qSync)", "value": 16}, {"timestamp": 3, "id": "2", "value": 1}],
    "PendingDma": [{"timestamp": 10, "value": 1}], "DmaUsage": [{"timestamp": 10, "current_throughput": 1.5}],
    "HbmUsage": [{"timestamp": 10, "current_throughput": 2.5}], "PsumUsage": [{"timestamp": 10, "avg_util_percent": 50.0, "bank_1_util_percent": 100.0}],
    "SbufUsage": [{"timestamp": 10, "avg_util_percent": 25.0, "partition_32_util_percent": 75.0}],
    "HbmUsageSummaryByType": [{"usage_type": "Weights", "usage_bytes": 32}],
    "TensorInfo": [{"variable_name": "w", "type": "WEIGHT", "shape": "[4 8]", "format": "NC", "size": 64, "load_to_sbuf_dma_count": 2}],
    "DmaQueuesInfo": [{"name": "qSync", "type": "weights", "idx": 1, "engine_idx": 10, "axi_port": 0, "dram_channel": 3}],
    "Metadata": [{"profile_schema_version": "7.4.0", "neuroncore_idx": 3, "instance_type": "trn2.48xlarge", "last_hw_timestamp": 120}],
    "NeffHeader": [{"network_name": "graph.neff", "uuid": "ab"}], "Summary": [{"total_time": 0.5}],
    "Warning": [{"message": "look", "category": "Missing Data"}],
    "OpcodeSummary": [{"engine": "Tensor", "opcode": "MATMUL"}], "StackFrame": [{"id": "4", "file_location_id": 1}, {"id": "5", "file_location_id": 1}],
    "StackFrameFileLocation": [{"id": "1", "file_name_id": 1, "line_number": 3}], "StackFrameFileName": [{"id": "1", "name": "m.py"}],
}


@pytest.fixture(scope="module")
def device(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explorer") / "device"
    write(folder, DEVICE)
    return folder


def test_slices(device):
    core = "NeuronCore 3"
    assert slices(device) == [
        (core, "TensorMatrix", "engine", "MATMUL", "kernel", 40, 20), (core, "Sync", "engine", "EVENT_SEMAPHORE", "sync", 5, 90),
        (core, "Throttling", "engine", "limit 7/8", "other", 20, 4), (core, "Throttling", "engine", "limit unknown", "other", 24, 6),
        (core, "Errors", "other", "EMBD OOB", "other", 66, 0), (core, "Executions", "other", "execution 0", "device_annotation", 1, 98),
        (core, "Sync barriers", "other", "barrier", "sync", 1, 2), (core, "CC stream 0", "engine", "AllReduce", "collective", 50, 40),
        (core, "CC-core 2", "engine", "wait", "other", 51, 1), ("Busy time", "tensor", "other", "busy", "other", 40, 20),
        ("Layers", "Framework operators", "other", "/m/mm", "device_annotation", 40, 20),
        ("Layers", "HLO operators", "other", "%dot.3", "device_annotation", 40, 20), ("Layers", "Layers", "other", "/m", "device_annotation", 40, 20),
        ("DMA", "qSync-Q1-E10", "queue", "qSync", "memcpy", 12, 5), ("DMA", "qSync transfers", "queue", "qSync", "other", 12, 9),
        ("SBUF", "partition 32", "other", "w", "other", 10, 60)]
    assert facts(device, "MATMUL") == {"operands": "a", "layer": "/m/mm", "hlo_name": "%dot.3 = dot(%p0)", "raw_flops": 192, "hbm_read_bytes": 512,
                                       "stack_frame_ids": "[4, 5]", "made_up_column": "kept", "call_stack": "m.py:3", "source_line": "m.py:3"}


def test_side_tables(device):
    assert query(device, "select slice, flops, bytes_read, bytes_written, bytes from work_costs") == [(0, 192, 512, 0, 512)]
    assert query(device, "select o.program, o.name, o.opcode, o.framework_operator, w.slice from program_operators o join program_work w "
                         "on w.program_operator = o.id") == [("graph.neff", "dot.3", "dot", "/m/mm", 0)]
    assert query(device, """select a.name, b.name from flows f join slices a on a.id = f."from" join slices b on b.id = f."to" """) == [
        ("EVENT_SEMAPHORE", "MATMUL"), ("MATMUL", "qSync")]
    assert query(device, "select kind, name, dtype, in_bytes, group_ranks from collectives") == [("all_reduce", "AllReduce", "fp32", 32, "[[0, 1]]")]
    assert query(device, "select name, use, shape, format, bytes, loads, loaded_bytes from tensors") == [("w", "WEIGHT", "[4 8]", "NC", 64, 2, None)]
    assert query(device, "select device_name, component, allocated from memory_usage") == [("NeuronCore 3", "Weights", 32)]
    assert samples(device) == {
        "PSUM in use (%)": [(10, 50)], "PSUM bank 1 in use (%)": [(10, 100)], "SBUF in use (%)": [(10, 25)], "SBUF partition 32 in use (%)": [(10, 75)],
        "Pending DMA": [(10, 1)], "DMA throughput (B/s)": [(10, 1.5)], "HBM throughput (B/s)": [(10, 2.5)], "S[7] (qSync)": [(18, 16)], "S[2]": [(3, 1)]}


def test_metadata_and_problems(device):
    told = dict(query(device, "select key, value from metadata"))
    assert {"neff.uuid": "ab", "summary.total_time": "0.500000", "profile_schema_version": "7.4.0", "cc_stream.1": "CC-cores [0, 1]",
            "dma_queue.qSync-Q1-E10": "type weights, AXI port 0, DRAM channel 3", "execution.0": "graph.neff", "rows.OpcodeSummary": "1",
            "rows.StackFrame": "2", "rows.Instruction": "2"}.items() <= told.items()
    assert {code: message for code, (message, _) in problems(device).items()} == {
        "vendor_warning": "the vendor's tool says: look (Missing Data)", "device_errors": "the device reported errors during the run: see the lane Errors"}


def test_a_system_profile(tmp_path):
    begin = 1_790_000_000_000_000_000

    def event(row, name, start, length, source, **more):
        return {"id": row, "name": name, "start_ts": begin + start, "end_ts": begin + start + length, "duration_ns": length,
                "trace_event_source": source, "instance_id": "i-1", "process_id": 5, "thread_id": 6, **more}

    write(tmp_path, {
        "SystemProfileEvents": [event(1, "aten::mm", 0, 90, "framework", flow_id=["7"]), event(2, "m.py(3): f", 0, 99, "framework"),
                                event(3, "nrt_execute", 10, 70, "neuron_rt", flow_id=["7"], extra_attributes_json="{}"),
                                event(4, "nc_exec_running", 20, 40, "neuron_hw", nc_idx=1, flow_id=["7"])],
        "CpuUsage": [{"timestamp": begin + 5, "util_percent": 12.5, "cpu_id": "0", "instance_id": "i-1"}],
        "HostMemUsage": [{"timestamp": begin + 5, "used_bytes": 1024, "used_percent": 1.0, "instance_id": "i-1"}],
        "SystemProfileHbmUsage": [{"timestamp": begin + 5, "total_bytes": 10, "weights_bytes": 4, "device_idx": 0, "hbm_idx": 1}],
        "DeviceProfileList": [{"device_profile_name": "n_1", "instance_id": "i-1", "process_id": 5, "nc_id": 1}],
        "SystemProfileMetadata": [{"first_ts": "2026", "ntff_version": 6}]}, version=None)
    host = "Process 5 of i-1"
    assert slices(tmp_path) == [(host, "thread 6", "host_thread", "nrt_execute", "runtime", 10, 70),
                                (host, "thread 6, framework", "host_thread", "m.py(3): f", "python", 0, 99),
                                (host, "thread 6, framework", "host_thread", "aten::mm", "op", 0, 90),
                                (host, "NeuronCore 1", "device_stream", "nc_exec_running", "kernel", 20, 40)]
    assert query(tmp_path, """select a.name, b.name from flows f join slices a on a.id = f."from" join slices b on b.id = f."to" """) == [
        ("aten::mm", "nrt_execute"), ("nrt_execute", "nc_exec_running")]
    assert samples(tmp_path) == {"CPU 0 in use (%), i-1": [(5, 12.5)], "Host memory in use (bytes), i-1": [(5, 1024)],
                                 "device 0, HBM 1: total (bytes)": [(5, 10)], "device 0, HBM 1: weights (bytes)": [(5, 4)]}
    done = subprocess.run([program_report.PROGRAM, "report", tmp_path, "--view", "overview"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# An instruction with nothing but ids: of its BIR node, which refers to the levels above; of two stacks; of a line of a kernel.
ORIGIN = {
    "Instruction": [
        {"start_ts": 0, "end_ts": 9, "duration_ns": 9, "engine": "Tensor", "opcode": "MATMUL", "id": 1, "raw_bir_id": 31,
         "stack_frame_ids": "[4, 6]", "hlo_name": "", "pcore_idx": 0},
        {"start_ts": 10, "end_ts": 14, "duration_ns": 4, "engine": "Vector", "opcode": "ADD", "id": 2, "kernel_instruction_name": "I-7:2",
         "pcore_idx": 0},
        {"start_ts": 20, "end_ts": 21, "duration_ns": 1, "engine": "Sync", "opcode": "NOP", "id": 3, "stack_frame_ids": "[9]", "pcore_idx": 0},
        {"start_ts": 30, "end_ts": 31, "duration_ns": 1, "engine": "Scalar", "opcode": "COPY", "id": 4, "stack_frame_ids": "[7]", "pcore_idx": 0}],
    "AssemblyInstruction": [{"instruction_id": 1, "compiler_opcode": "MATMUL", "compiler_operands": "b", "compiler_pc": 8},
                            {"instruction_id": 1, "compiler_opcode": "LDWEIGHTS", "compiler_operands": "a", "compiler_pc": 7}],
    "BirInstruction": [{"id": 1, "raw_bir_id": 31, "raw_penguin_id": 21, "raw_hlo_id": 11, "raw_framework_id": 5, "bir_name": "I-31"}],
    "PenguinInstruction": [{"id": 1, "raw_penguin_id": 21, "penguin_name": "mm_21", "start_ts": 0, "end_ts": 9}],
    "HloInstruction": [{"id": 1, "raw_hlo_id": 11, "hlo_name": "%dot.3", "start_ts": 0, "end_ts": 9}],
    "FrameworkInstruction": [{"id": 1, "raw_framework_id": 5, "framework_name": "/m/mm", "start_ts": 0, "end_ts": 9}],
    "StackFrame": [{"id": "4", "file_location_id": 1, "parent_frame_id": "5"}, {"id": "5", "file_location_id": 2, "parent_frame_id": ""},
                   {"id": "6", "file_location_id": 2, "parent_frame_id": "5"}, {"id": "7", "file_location_id": 1, "parent_frame_id": "8"},
                   {"id": "8", "file_location_id": 77, "parent_frame_id": "7"}],
    "StackFrameFileLocation": [{"id": "1", "file_name_id": 3, "function_name_id": 1, "line_number": 12},
                               {"id": "2", "file_name_id": 3, "function_name_id": 2, "line_number": 40}],
    "StackFrameFileName": [{"id": "3", "name": "/src/m.py"}],
    "StackFrameFunctionName": [{"id": "1", "name": "forward"}, {"id": "2", "name": "train"}],
    "KernelInstructions": [{"kernel_instruction_name": "I-7:2", "stack_frame_id": 2, "iteration_variables_id": 6, "pcore_idx": 0,
                            "file_path": "k.py", "line_number": 9}],
    "KernelStackFrames": [{"stack_frame_id": 2, "fully_qualified_function_name": "k.add", "parent_stack_frame_id": 1, "pcore_idx": 0,
                           "file_path": "k.py", "line_number": 9},
                          {"stack_frame_id": 1, "fully_qualified_function_name": "k.kernel", "parent_stack_frame_id": None, "pcore_idx": 0,
                           "file_path": "k.py", "line_number": 3}],
    "KernelIterationVariables": [
        {"iteration_variable_id": 6, "variable_name": "j", "variable_value": 3, "parent_iteration_variable_id": 5, "pcore_idx": 0},
        {"iteration_variable_id": 5, "variable_name": "i", "variable_value": 0, "parent_iteration_variable_id": None, "pcore_idx": 0}],
}


def test_where_instructions_come_from(tmp_path):
    write(tmp_path, ORIGIN)
    told = facts(tmp_path, "MATMUL")
    assert {key: told[key] for key in told if not key.startswith("raw")} == {
        "bir_instruction_name": "I-31", "penguin_name": "mm_21", "hlo_name": "%dot.3", "layer": "/m/mm",
        "compiled_from": "LDWEIGHTS a; MATMUL b", "call_stack": "/src/m.py(12): forward;/src/m.py(40): train",
        "call_stack_2": "/src/m.py(40): train;/src/m.py(40): train", "source_line": "/src/m.py:12", "stack_frame_ids": "[4, 6]"}
    assert query(tmp_path, "select name, framework_operator, source from program_operators") == [("%dot.3", "/m/mm", "/src/m.py:12")]
    told = facts(tmp_path, "ADD")
    assert (told["kernel_stack"], told["kernel_loops"], told["source_line"]) == ("k.py(9): k.add;k.py(3): k.kernel", "i=0, j=3", "k.py:9")
    assert "call_stack" not in facts(tmp_path, "NOP") and problems(tmp_path)["missing_origin"][1] == 1
    assert facts(tmp_path, "COPY")["call_stack"] == "/src/m.py(12): forward", "frames that lead in a circle end"
    assert ("Layers", "Tensorizer operators", "other", "mm_21", "device_annotation", 0, 9) in slices(tmp_path)


def test_transfers_and_their_instructions(tmp_path):
    instruction = {"engine": "Sync", "opcode": "WRITE", "pcore_idx": 0}
    write(tmp_path, {
        "Instruction": [{"start_ts": 5, "end_ts": 8, "duration_ns": 3, "id": 1, **instruction}, {"start_ts": 20, "end_ts": 22, "duration_ns": 2, "id": 2, **instruction},
                        {"start_ts": 30, "end_ts": 31, "duration_ns": 1, "id": 3, **instruction}, {"start_ts": 30, "end_ts": 31, "duration_ns": 1, "id": 4, **instruction}],
        "DmaPacketAggregated": [{"start_ts": start, "end_ts": start + 9, "duration_ns": 9, "id": row, "queue_name": "q", "trigger": trigger, "completion": end}
                                for row, start, trigger, end in ((7, 10, 5, 8), (8, 11, 20, 22), (9, 12, 30, 31))],
        "Flow": [{"in_id": 1, "in_table": "Instruction", "out_id": 8, "out_table": "DmaPacketAggregated", "dependency_type": "DGE_TRIGGER"}]})
    links = """select a.start, b.start from flows f join slices a on a.id = f."from" join slices b on b.id = f."to" order by b.start"""
    assert query(tmp_path, links) == [(5, 10), (5, 11)], "a flow is believed first; of two instructions of the same times none"
    again = tmp_path / "again.json"
    subprocess.run([program_report.PROGRAM, "export", tmp_path, "--format", "json", "--output", again, "--no-cache"], check=True)
    assert query(again, links) == [(5, 10), (5, 11)]


def test_damage(tmp_path):
    rows = [{"start_ts": 1, "end_ts": 2, "duration_ns": 1, "engine": "Sync", "opcode": "NOP"}, {"engine": "Sync", "opcode": "NOP"}]
    write(tmp_path, {"Instruction": rows, "NewTable": [{"a": 1}]}, version="8.0.0")
    (tmp_path / "DmaPacket.parquet").write_bytes(b"PAR1 no table PAR1")
    told = problems(tmp_path)
    assert "DmaPacket.parquet: not a readable Parquet file" in told["unreadable_file"][0]
    assert told["missing_time"][1] == 1 and "NewTable" in told["unknown_table"][0] and "version 8.0.0" in told["other_schema"][0]
    (tmp_path / "Instruction.parquet").write_bytes(b"")
    done = subprocess.run([program_report.PROGRAM, "report", tmp_path, "--view", "overview"], capture_output=True, text=True)
    assert done.returncode != 0 and "nothing could be read" in done.stderr


def test_a_row_is_found_again(device):
    row = query(device, "select id from slices where name = 'AllReduce'")[0][0]
    source = query(device, f"select source from slices where id = {row}")[0][0]
    assert source > 0
    told = query(device, "select source from slices where name = 'limit unknown'")[0][0]
    assert told & ((1 << 40) - 1) == 1, "the second row of its table"


@pytest.mark.skipif(not SAMPLES, reason="the shared samples are not here")
@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_the_tables_read_as_the_json(file, tmp_path):
    data = json.loads(gzip.decompress(file.read_bytes()))
    write(tmp_path, of_vendor_json(data), row_group=50)
    for sql in ("""select l.name, l.kind, s.name, s.kind, s.start, s.duration from slices s join lanes l on l.id = s.lane where l.name <> 'Layers'
                   order by s.id""",
                """select s.start, w.core, w.core_type, w.type, w.bytes, c.flops, c.bytes, c.bytes_read from device_work w join slices s on s.id = w.slice
                   left join work_costs c on c.slice = s.id order by w.slice""",
                """select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane where l.name like 'S[%' or l.name like 'Pending%' order by c.id""",
                "select name, use, shape, format, bytes, loads, loaded_bytes from tensors", "select component, allocated from memory_usage",
                "select name, opcode, framework_operator from program_operators", "select device_name, component, allocated from memory_usage",
                """select a.start, b.start from flows f join slices a on a.id = f."from" join slices b on b.id = f."to" order by a.start, b.start, b.duration""",
                "select key, value from metadata where key like 'dma_queue.%'", "select code, message from problems"):
        ours, theirs = query(tmp_path, sql), query(file, sql)
        assert ours == theirs, sql
        assert ours, sql
    assert len(query(tmp_path, "select id from slices")) > 250
