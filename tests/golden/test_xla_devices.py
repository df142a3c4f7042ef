"""What profiles of XLA state about devices besides operators and times: bytes by memory, hardware counters, energy, and transfers
over the network of the hosts. Files that we made, figures by hand."""
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import event_file  # noqa: E402
import program_report  # noqa: E402
import xplane_export  # noqa: E402
from program_report import query, rows  # noqa: E402
from xplane_export import Ref, Space, Unsigned, message  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
NS, US = 1000, 1_000_000  # in ps


def device(space, **stats):
    tpu = space.plane("/device:TPU:0")
    tpu.say(device_type_string="TPU of ours", peak_teraflops_per_second=0.001, peak_hbm_bw_gigabytes_per_second=2.0, **stats)
    return tpu


def write(space, folder):
    file = folder / "host0.xplane.pb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(space.file())
    return file


def accesses(*parts):
    """(1 read or 2 written, memory, bytes) each."""
    return message(*((1, message((1, kind), (2, memory), (3, size))) for kind, memory, size in parts))


def test_the_memory_closest_to_its_peak_limits_an_operator(tmp_path):
    space = Space()
    tpu = device(space, peak_vmem_rd_bw_gigabytes_per_second=20.0, peak_vmem_wr_bw_gigabytes_per_second=10.0, peak_cmem_rd_bw_gigabytes_per_second=0.0)
    ops = tpu.line("XLA Ops", id=1)
    for at in 0, 500:
        ops.event("dot.1", at * NS, 100 * NS)
        ops.event("copy.2", (at + 100) * NS, 100 * NS)
    stated = {"program_id": 3, "hlo_category": Ref("mine")}
    tpu.describe("dot.1", stats={**stated, "flops": 20, "bytes_accessed": 1300, "memory_access_breakdown": accesses((1, 3, 1200), (2, 3, 100))})
    tpu.describe("copy.2", stats={**stated, "flops": 0, "bytes_accessed": 300, "memory_access_breakdown": accesses((1, 1, 150), (2, 3, 150))})
    body = program_report.report(write(space, tmp_path), "roofline")
    # Two executions of 100 ns each. dot.1 reads 12 bytes a ns of 20, writes 1 of 10 and computes 0.2 of 1; copy.2 reads 1.5 of 2 from
    # the device's memory and writes 1.5 of 10 on the chip.
    found = {(row.name, row.memory, row.direction): row for row in rows(body, "memories")}
    assert {key: (row.bytes, row.of_peak, row.closest) for key, row in found.items()} == {
        ("dot.1", "VMEM", "read"): (2400, pytest.approx(0.6), 1), ("dot.1", "VMEM", "written"): (200, pytest.approx(0.1), 0),
        ("copy.2", "HBM", "read and written"): (300, pytest.approx(0.75), 1), ("copy.2", "VMEM", "written"): (300, pytest.approx(0.15), 0)}
    points = {row.name: (row.bytes, row.of_roof, row.limit) for row in rows(body, "points")}
    assert points == {"dot.1": (0, pytest.approx(0.6), "reading memory on the chip"), "copy.2": (300, pytest.approx(0.75), "memory")}
    assert query(tmp_path / "host0.xplane.pb", "select name, peak, peak_read, peak_written from device_memories") == [
        ("HBM", 2e9, None, None), ("VMEM", None, 20e9, 10e9)]


def test_hardware_counters_are_counters(tmp_path):
    space = Space()
    tpu = device(space)
    tpu.line("XLA Ops", id=1).event("dot.1", 0, 100 * NS)
    for line, busy in ("counters_0", 800), ("counters_1", 500):
        read = tpu.line(line, id=int(line[-1]) + 5)
        read.event("CYCLES", 50 * NS, 0, {"performance_counter_id": Unsigned(11), "counter_value": Unsigned(2000)})
        read.event("MXU_BUSY", 50 * NS, 0, {"performance_counter_id": Unsigned(12), "counter_value": Unsigned(busy)})
    power = tpu.line("_counters_", id=9)
    for at, watts in (0, 100.0), (75, 200.0):
        power.event("VDD Core", at * NS, 0, {"power": watts})
    file = write(space, tmp_path)
    assert query(file, "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane order by 1, 2") == [
        ("CYCLES (counters_0)", 50, 2000), ("CYCLES (counters_1)", 50, 2000), ("MXU_BUSY (counters_0)", 50, 800),
        ("MXU_BUSY (counters_1)", 50, 500), ("VDD Core (power)", 0, 100), ("VDD Core (power)", 75, 200)]
    sensors = {row.counter: row for row in rows(program_report.report(file, "device_summary"), "sensors")}
    # 100 W for 75 ns and 200 W for 25 ns.
    assert sensors["VDD Core (power)"].mean == 125 and sensors["MXU_BUSY (counters_0)"].last == 800


def test_energy_is_a_fact_of_the_execution(tmp_path):
    space = Space()
    ops = device(space).line("XLA Ops", id=1)
    ops.event("dot.1", 0, 100 * NS, {"vdd_energy_j": 0.25, "program_id": 3})
    ops.event("dot.1", 200 * NS, 100 * NS, {"vdd_energy_j": 0.75, "program_id": 3})
    ops.event("copy.2", 400 * NS, 100 * NS, {"program_id": 3})
    # 1 J in 200 ns.
    assert query(write(space, tmp_path), """SELECT o.name, count(*), sum(f.number), sum(f.number) / (sum(s.duration) / 1e9)
        FROM work_facts f JOIN slices s ON s.id = f.slice JOIN program_work w ON w.slice = f.slice
        JOIN program_operators o ON o.id = w.program_operator WHERE f.name = 'vdd_energy_j' GROUP BY o.name""") == [("dot.1", 2, 1.0, 5e6)]


def attributes(**pairs):
    return message(*((1, message((1, key), (2, value))) for key, value in pairs.items()))


def multi_slice(kind="ALL_REDUCE", group=None):
    """A program that sends and receives 8000 bytes over the network of the hosts, in a group of 4 if no other is given, twice."""
    space, number, value = Space(), 3, xplane_export.shape(2000)
    names = attributes(_xla_host_transfer_rendezvous="all-reduce.7", _xla_megascale_transfer_type=kind)
    parts = ("send.1", "send", names), ("recv.2", "recv", names), ("send-done.3", "send-done", None), ("recv-done.4", "recv-done", None)
    made = [xplane_export.instruction(at, name, opcode, value) + message((26, 1), (68, about)) for at, (name, opcode, about) in enumerate(parts, 1)]
    made.append(xplane_export.instruction(5, "dot.5", "dot", value))
    space.plane("/host:metadata").describe(f"jit_f({number})", stats={"Hlo Proto": xplane_export.program("jit_f", [(1, made)])})
    tpu = device(space)
    ops = tpu.line("XLA Ops", id=1)
    # The second wait for the data is 30 us longer.
    for begin, wait in (0, 10), (200, 40):
        for name, at, length in ("send.1", 0, 2), ("recv.2", 2, 1), ("dot.5", 3, 80), ("send-done.3", 83, 4), ("recv-done.4", 90, wait):
            ops.event(name, (begin + at) * US, length * US, {"program_id": number})
    four = message(*((2, message(*((1, message((1, device))) for device in group))) for group in ((1, 2, 3, 4), (5, 6, 7, 8))))
    tpu.describe("send.1", stats={"hlo_category": Ref("host send"), "dcn_collective_info": four if group is None else group})
    return space


def test_network_transfers(tmp_path):
    file = write(multi_slice(), tmp_path)
    assert query(file, "select name, kind, group_size, bytes from network_transfers") == [("all-reduce.7", "ALL_REDUCE", 4, 12_000)] * 2
    [row] = rows(program_report.report(file, "network_transfers"), "network_transfers")
    assert (row.name, row.kind, row.device, row.calls, row.send, row.receive) == ("all-reduce.7", "ALL_REDUCE", 0, 2, "send.1", "recv-done.4")
    # From 0 to 90 us, without 2 + 1 + 4 us in the transfer's own operators.
    assert row.slack_ns == 83_000
    # To the end of the wait: 100 and 130 us. In the operators: 2 + 1 + 4 + 10 and 30 us more.
    assert row.observed_ns == 115_000 and row.stall_ns == 32_000 and row.total_stall_ns == 64_000
    # An all-reduce of 8000 bytes over 4 moves 2 x 3/4 of them; 12,000 bytes in 83 us.
    assert row.required == pytest.approx(12_000 / 83e-6)
    [(longest,)] = query(file, f"select start from slices where id = {row.slice}")
    assert longest == 290_000


def test_a_transfer_from_one_device_to_another_moves_its_bytes(tmp_path):
    pair = message((3, message((1, message((1, 1))), (2, message((1, 2))))))
    file = write(multi_slice("ONE_TO_ONE", pair), tmp_path)
    assert query(file, "select group_size, bytes from network_transfers") == [(1, 8_000)] * 2


def test_the_bytes_of_an_unknown_kind_are_unknown(tmp_path):
    file = write(multi_slice("SOMETHING_NEW"), tmp_path)
    assert query(file, "select group_size, bytes from network_transfers") == [(4, None)] * 2
    [row] = rows(program_report.report(file, "network_transfers"), "network_transfers")
    assert row.bytes is None and row.required is None and row.stall_ns == 32_000


def test_logs_of_the_run_beside_a_session(tmp_path):
    """TensorBoard's layout: the job logs into RUN, its profiles are in RUN/plugins/profile/SESSION."""
    space = Space()
    main = space.plane("/host:CPU").line("python", id=1)
    for step in 5, 6:
        main.event("train", (step - 5) * 1000 * US, 1000 * US, {"_r": 1, "step_num": step})
    space.plane("Task Environment").say(profile_start_time=Unsigned(1_700_000_000_000_000_000))
    run = tmp_path / "run"
    file = write(space, run / "plugins" / "profile" / "2026_01_01")
    event_file.write(run / "events.out.tfevents.1700000000.host", [(1_700_000_000 + 0.0005, 5, "loss", 2.0), (1_700_000_000 + 0.0015, 6, "loss", 1.5)])
    assert query(file, "select t.number, m.name, m.value from step_metrics m join steps t on t.id = m.step order by 1") == [(5, "loss", 2.0), (6, "loss", 1.5)]
