"""XLA profiles of GPUs: three real files beside the checkout (../shared/samples/xplane), and one that we made, against the slow
reader in tests/oracle/xplane.py. Every event is counted and every time compared. (For a TPU: test_tpu_sample.py.)
"""
import collections
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle"), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
import xplane  # noqa: E402
import xplane_export  # noqa: E402

SAMPLES = sorted((HERE.parents[1].parent / "shared" / "samples" / "xplane").glob("tracelens_*.xplane.pb"))
OURS = "our own"
MEMORY = ("MemoryAllocation", "MemoryDeallocation")

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")


@pytest.fixture(scope="module", params=[*SAMPLES, OURS], ids=lambda file: getattr(file, "stem", file))
def file(request, tmp_path_factory):
    if request.param != OURS:
        return request.param
    made = tmp_path_factory.mktemp("xplane") / "host0.xplane.pb"
    made.write_bytes(xplane_export.gpu_training().file())
    return made


def test_the_samples_exist():
    if not SAMPLES:
        pytest.skip("the shared samples are not here: only the file of our own making was compared")
    assert len(SAMPLES) == 3


def events(file):
    """(plane, line, event) of every event that has a time."""
    for plane in xplane.load(file).planes:
        for line in plane.lines:
            for event in line.events:
                if event.occurrences is None:
                    yield plane, line, event


def differing(ours, theirs):
    ours, theirs = collections.Counter(ours), collections.Counter(theirs)
    return list((ours - theirs).items())[:5], list((theirs - ours).items())[:5]


# Lanes that the reader adds have no id from the file.
SLICES = """FROM slices JOIN lanes ON slices.lane = lanes.id JOIN processes ON lanes.process = processes.id
            WHERE lanes.track NOT LIKE 'derived%'"""


def test_every_event_is_a_slice(file):
    theirs = [(plane.name, str(line.id), event.name, event.start_ns, event.duration_ns)
              for plane, line, event in events(file) if event.name not in MEMORY]
    ours = query(file, f"SELECT processes.name, lanes.track, slices.name, slices.start, slices.duration {SLICES}")
    assert theirs
    assert differing(ours, theirs) == ([], [])


def details(text):
    return dict(re.findall(r"(\w+):(\S+)", text))


def test_device_work(file):
    theirs, bad = [], 0
    for plane, line, event in events(file):
        if not plane.name.startswith("/device:GPU:"):
            continue
        said = details(event.stats.get("kernel_details") or event.stats.get("memcpy_details"))
        absurd = int(said.get("regs", 0)) > 65536
        bad += absurd
        shared = [int(said[key]) for key in ("static_shared", "dynamic_shared", "group_mem") if key in said]
        theirs.append((int(plane.name.split(":")[2]), event.name, event.start_ns, event.duration_ns, event.stats["correlation_id"],
                       f"[{said['grid'].replace(',', ', ')}]" if "grid" in said else None,
                       f"[{said['block'].replace(',', ', ')}]" if "block" in said else None,
                       int(said["regs"]) if "regs" in said and not absurd else None,
                       sum(shared) if shared and not absurd else None,
                       int(said["size"]) if "memcpy_details" in event.stats else None,
                       float(said.get("occ_pct", 0)) or None))
    ours = query(file, """SELECT w.device, slices.name, slices.start, slices.duration, w.correlation, w.grid, w.block, w.registers,
                          w.shared_bytes, w.bytes, w.occupancy FROM device_work w JOIN slices ON w.slice = slices.id""")
    assert theirs
    assert differing(ours, theirs) == ([], [])
    stated = query(file, "SELECT count FROM problems WHERE code = 'implausible_details'")
    assert stated == ([(bad,)] if bad else [])


def test_launches(file):
    calls = {}
    for plane, line, event in events(file):
        if plane.name == "/host:CPU" and "correlation_id" in event.stats:
            calls.setdefault(event.stats["correlation_id"], []).append((event.name, event.start_ns))
    theirs = []
    for plane, line, event in events(file):
        if plane.name.startswith("/device:"):
            # Of several calls with one id, the last that began before the work.
            known = sorted(calls.get(event.stats.get("correlation_id"), []), key=lambda call: call[1])
            before = [call for call in known if call[1] <= event.start_ns] or known[:1]
            theirs.append((event.name, event.start_ns, *(before[-1] if before else (None, None))))
    ours = query(file, """SELECT work.name, work.start, call.name, call.start FROM device_work w JOIN slices work ON w.slice = work.id
                          LEFT JOIN launches ON w.launch = launches.id LEFT JOIN slices call ON launches.slice = call.id""")
    assert theirs
    assert differing(ours, theirs) == ([], [])


def test_owners_of_launches(file):
    """A call for an operator of a program belongs to a range of that name which is open when the call begins."""
    ours = query(file, """SELECT call.start, owner.name, owner.start, owner.start + owner.duration, launches.rule FROM launches
                          JOIN slices call ON launches.slice = call.id LEFT JOIN slices owner ON launches.owner = owner.id""")
    wanted = {event.start_ns: event.stats["hlo_op"] for plane, line, event in events(file)
              if plane.name == "/host:CPU" and "correlation_id" in event.stats and "hlo_op" in event.stats}
    ranges = {name: [] for name in wanted.values()}
    for plane, line, event in events(file):
        if plane.name == "/host:CPU" and event.name in ranges:
            ranges[event.name].append((event.start_ns, event.start_ns + event.duration_ns))
    owned = 0
    for start, name, begin, end, rule in ours:
        if start not in wanted:
            continue
        if not any(a <= start < b for a, b in ranges[wanted[start]]):
            continue
        assert (name, rule) == (wanted[start], "linked_id"), start
        assert begin <= start < end
        owned += 1
    assert owned or not wanted


def test_memory(file):
    theirs = []
    for plane, line, event in events(file):
        if event.name in MEMORY:
            sign = 1 if event.name == "MemoryAllocation" else -1
            device = re.match(r"GPU_(\d+)_", event.stats["allocator_name"])
            theirs.append((event.start_ns, f"GPU{device[1]}", sign * event.stats["allocation_bytes"], event.stats["addr"],
                           event.stats["bytes_allocated"]))
    ours = query(file, "SELECT time, device_name, bytes, address, total_allocated FROM memory_events")
    assert theirs
    assert differing(ours, theirs) == ([], [])
    assert [row[0] for row in ours] == sorted(row[0] for row in ours)


def test_devices(file):
    theirs = []
    for plane in xplane.load(file).planes:
        said = plane.stats
        if plane.name.startswith("/device:GPU:") and "core_count" in said:
            per_cycle = {("AMD", 9, 4): 2048, ("AMD", 9, 5): 4096, ("Nvidia", 9, 0): 4096}
            per_cycle = per_cycle[said["device_vendor"], said["compute_cap_major"], said["compute_cap_minor"]]
            # The files have half of the 5.3 and 8 TB/s of AMD's data sheets.
            bandwidth = said["memory_bandwidth"] * (2 if said["device_vendor"] == "AMD" else 1)
            theirs.append((int(plane.name.split(":")[2]), said["memory_size"], said["core_count"], said["clock_rate"] * 1000,
                           bandwidth, per_cycle * said["core_count"] * said["clock_rate"] * 1000))
    ours = query(file, "SELECT ordinal, memory, cores, clock, peak_bandwidth, peak_flops FROM devices")
    assert theirs
    assert ours == theirs


def test_arrows(file):
    """To a consumer from the last producer before it, and from earlier producers with no consumer in between."""
    producers, consumers, theirs = collections.defaultdict(list), collections.defaultdict(list), []
    for plane, line, event in events(file):
        if "_p" in event.stats:
            producers[event.stats["_pt"], event.stats["_p"]].append(event)
        if "_c" in event.stats:
            consumers[event.stats["_ct"], event.stats["_c"]].append(event)
    for key, all_of_key in consumers.items():
        for event in all_of_key:
            before = [one for one in producers[key] if one.start_ns <= event.start_ns and one is not event]
            last = max((one.start_ns for one in before), default=0)
            theirs += [(one.name, one.start_ns, event.name, event.start_ns) for one in before
                       if not any(one.start_ns <= other.start_ns < last for other in all_of_key)]
    ours = query(file, """SELECT a.name, a.start, b.name, b.start FROM flows JOIN slices a ON flows."from" = a.id
                          JOIN slices b ON flows."to" = b.id""")
    assert differing(ours, theirs) == ([], [])


def test_operators_of_programs(file):
    """Every instruction of every module is a row, and each kernel executes the instruction that it names."""
    space = xplane.load(file)
    # If a module lacks the framework operator of an instruction, the instruction's kernels name it.
    told = {(str(event.stats["program_id"]), event.stats["hlo_op"]): event.stats.get("name")
            for plane, _, event in events(file) if "hlo_op" in event.stats}
    theirs = [(number, module, name, said["opcode"], said["shape"], said["operator"] or told.get((number, name)), said["source"] or None)
              for number, (module, instructions) in xplane.programs(space).items() for name, said in instructions.items()]
    ours = query(file, "SELECT program_id, program, name, opcode, shape, framework_operator, source FROM program_operators")
    assert theirs
    assert differing(ours, theirs) == ([], [])
    products = [(number, name, said["flops"]) for number, (_, instructions) in xplane.programs(space).items()
                for name, said in instructions.items() if said["opcode"] == "dot"]
    assert differing(query(file, "SELECT program_id, name, flops FROM program_operators WHERE opcode = 'dot'"), products) == ([], [])
    executed = [(event.start_ns, str(event.stats["program_id"]), event.stats["hlo_op"]) for plane, _, event in events(file)
                if plane.name.startswith("/device:") and "hlo_op" in event.stats]
    ours = query(file, """SELECT s.start, o.program_id, o.name FROM program_work w JOIN slices s ON w.slice = s.id
                          JOIN program_operators o ON w.program_operator = o.id""")
    assert differing(ours, executed) == ([], [])


def test_operators_inside_an_operator(file):
    """An instruction that is fused into an operator belongs to a computation that the operator calls."""
    space = xplane.load(file)
    known = xplane.programs(space)
    rows = query(file, """SELECT a.program_id, a.name, b.name FROM program_operators a JOIN program_operators b ON a.fused_into = b.id""")
    for number, name, into in rows:
        instructions = known[number][1]
        assert instructions[name]["computation"] in instructions[into]["called"], (number, name, into)
    called = sum(bool(said["called"]) for _, instructions in known.values() for said in instructions.values())
    assert bool(rows) == bool(called)


def test_derived_lanes(file):
    """The device has as many modules as executions were launched, and they contain all its work of operators."""
    rows = query(file, """SELECT lanes.name, lanes.device, s.name, s.start, s.start + s.duration FROM slices s JOIN lanes ON s.lane = lanes.id
                          WHERE lanes.track LIKE 'derived%'""")
    modules = [row for row in rows if row[0].startswith("XLA Modules")]
    assert modules and {row[0].split(" - ")[0] for row in rows} >= {"XLA Modules", "XLA Ops", "Framework Ops"}
    for plane, _, event in events(file):
        if plane.name.startswith("/device:") and "hlo_module" in event.stats:
            assert any(device == int(plane.name.split(":")[2]) and name == event.stats["hlo_module"] and start <= event.start_ns and
                       event.start_ns + event.duration_ns <= end for _, device, name, start, end in modules)


def test_metadata_of_the_recording(file):
    space = xplane.load(file)
    started = space.plane("Task Environment").stats["profile_start_time"]
    said = dict(query(file, "SELECT key, value FROM metadata"))
    assert said["hostname"] == space.hostnames[0]
    assert said["profile_start_time"] == str(started)


def test_an_event_is_found_again(file):
    """The Chrome trace that we export has every slice, and the details of a slice are those of the file."""
    source, name, start = query(file, "SELECT source, name, start FROM slices ORDER BY duration DESC LIMIT 1")[0]
    assert source > 0
    assert [event.start_ns for _, _, event in events(file) if event.name == name and event.start_ns == start]
