"""NTFF files of a real device: the vendor's JSON of each (beside it in ../shared/samples/neuron), and the slow reading of them in
../shared/oracles/ntff.

The tests compare every instruction, semaphore change, DMA packet, throttle state and dependency, and those of the vendor's
summary metrics that follow from the file alone. Lengths are summed here as whole ns, so they may differ by 1 ns a row; the
program's sums use ps (test_neuron_metrics.py).
"""
import gzip
import importlib
import json
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
ORACLE = SHARED / "oracles" / "ntff"
FILES = sorted((SHARED / "samples" / "neuron").glob("*/*.ntff"))

pytestmark = [pytest.mark.skipif(not FILES, reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]
each = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def vendor(file):
    return json.loads(gzip.decompress(file.with_suffix(".json.gz").read_bytes()))


def facts(file):
    """{slice: {name: number or text}}"""
    told = {}
    for slice_row, name, number, text in query(file, "select slice, name, number, text from work_facts"):
        told.setdefault(slice_row, {})[name] = text if number is None else number
    return told


def instructions(file):
    """(lane, opcode, start, duration, facts) by lane and time."""
    told = facts(file)
    sql = """select s.id, l.name, s.name, s.start, s.duration from slices s join lanes l on l.id = s.lane
             where l.kind = 'engine' and l.track <> 'throttling' order by l.name, s.start, s.id"""
    return [(lane, opcode, start, length, told[row]) for row, lane, opcode, start, length in query(file, sql)]


def operands(text):
    """Without the names of semaphores, which only the compiled model has, and in one spelling of spaces and of S[..]."""
    text = re.sub(r"\$?S\[(\d+)\](?: \([^)]*\))?", r"$S[\1]", text)
    return " ".join(re.sub(r"\$+", "$", text).split())


@each
def test_every_instruction(file):
    tally = Tally()
    theirs = sorted(vendor(file)["instruction"], key=lambda row: (row["label"], row["timestamp"], row["pc"]))
    ours = sorted(instructions(file), key=lambda row: (row[0], row[2], row[4]["pc"]))
    tally.compare("instructions", len(ours), len(theirs))
    for (lane, opcode, start, length, told), row in zip(ours, theirs):
        where = (row["label"], row["timestamp"])
        for what, a, b in (("lane", lane, row["label"]), ("opcode", opcode, row["opcode"]), ("start", start, row["timestamp"]),
                           ("duration", length, row["duration"]), ("pc", told["pc"], row["pc"]),
                           ("operands", operands(told["operands"] or ""), operands(row["operands"])),
                           ("evt_wait_time", told["evt_wait_time"], row["evt_wait_time"]),
                           ("crc_in", told["crc_in"], row["crc_in"]), ("crc_out", told["crc_out"], row["crc_out"])):
            tally.compare((*where, what), a, b)
    tally.finish(f"instructions, {file.stem}")


@each
def test_every_semaphore(file):
    tally = Tally()
    theirs = sorted((int(re.search(r"(\d+)(?:\]|$)", row["id"])[1]), row["timestamp"], row["value"])
                    for row in vendor(file)["semaphore_update"])
    sql = "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane where l.name like 'S[%'"
    ours = sorted((int(name[2:-1]), time, value) for name, time, value in query(file, sql))
    tally.compare("changes", len(ours), len(theirs))
    for a, b in zip(ours, theirs):
        for what, ours_is, theirs_is in zip(("id", "time", "value"), a, b):
            tally.compare((b, what), ours_is, theirs_is)
    tally.finish(f"semaphores, {file.stem}")


@each
def test_every_packet(file):
    tally = Tally()
    told = facts(file)
    theirs = sorted((int(row["dma_engine"]), int(row["dma_queue"]), row["timestamp"], row["duration"], row["transfer_size"], row["crc"],
                     row["queue_type"]) for row in vendor(file)["dma"] if row["aggregated"] == "no")
    sql = """select s.id, l.track, s.start, s.duration, w.bytes, w.type from slices s join lanes l on l.id = s.lane
             join device_work w on w.slice = s.id where l.kind = 'queue'"""
    ours = []
    for row, track, start, length, size, type_ in query(file, sql):
        queue, engine = re.fullmatch(r"Q(\d+)-E(\d+)", track).groups()
        ours.append((int(engine), int(queue), start, length, size, told[row]["crc"], type_))
    tally.compare("packets", len(ours), len(theirs))
    for a, b in zip(sorted(ours), theirs):
        for what, ours_is, theirs_is in zip(("engine", "queue", "start", "duration", "bytes", "crc", "type"), a, b):
            tally.compare((b, what), ours_is, theirs_is)
    tally.finish(f"DMA packets, {file.stem}")


@each
def test_every_throttle_state(file):
    tally = Tally()
    told = facts(file)
    theirs = sorted(vendor(file)["ham"], key=lambda row: row["timestamp"])
    sql = "select s.id, s.start, s.duration from slices s join lanes l on l.id = s.lane where l.track = 'throttling' order by s.start"
    ours = query(file, sql)
    tally.compare("states", len(ours), len(theirs))
    for (row, start, length), b in zip(ours, theirs):
        known = b["type"] != 99  # the vendor writes 1/1 for an unknown state, we write nothing
        limit = told.get(row, {})
        for what, a, of in (("start", start, b["timestamp"]), ("k", limit.get("k"), b["k"] if known else None),
                            ("n", limit.get("n"), b["n"] if known else None)):
            tally.compare((b["timestamp"], what), a, of)
        tally.compare((b["timestamp"], "duration"), length, b["duration"])
    tally.finish(f"throttling, {file.stem}")


@each
def test_dependencies(file):
    """The vendor's predecessors, all of them and no others."""
    tally = Tally()
    rows = {row["id"]: (row["label"], row["timestamp"], row["pc"]) for row in vendor(file)["instruction"]}
    theirs = {(rows[edge["id"]], rows[row["id"]]) for row in vendor(file)["instruction"] for edge in row.get("predecessors", ())}
    edges = query(file, """select la.name, a.start, pa.number, lb.name, b.start, pb.number from flows f
                           join slices a on a.id = f."from" join lanes la on la.id = a.lane
                           join slices b on b.id = f."to" join lanes lb on lb.id = b.lane
                           join work_facts pa on pa.slice = a.id and pa.name = 'pc'
                           join work_facts pb on pb.slice = b.id and pb.name = 'pc'""")
    ours = {(edge[:3], edge[3:]) for edge in edges}
    assert len(theirs) >= 17 and len(ours) == len(edges), "each once"
    for edge in sorted(ours | theirs):
        tally.compare(edge, edge in ours, edge in theirs)
    tally.finish(f"dependencies, {file.stem}")


@each
def test_the_json_reads_like_the_file(file):
    """The vendor's JSON, read by the program, has the same slices and samples as the file that it was made from, and each slice
    has at least the file's facts. These differ by nature: names of queues and holders, semaphores' names, lengths of throttle
    states."""
    tally = Tally()
    other = file.with_suffix(".json.gz")
    theirs, ours = instructions(other), instructions(file)
    tally.compare("instructions", len(ours), len(theirs))
    for a, b in zip(sorted(ours, key=lambda row: (row[0], row[2], row[4]["pc"])), sorted(theirs, key=lambda row: (row[0], row[2], row[4]["pc"]))):
        tally.compare("instruction", a[:4], b[:4])
        for name in ("pc", "evt_wait_time", "crc_in", "crc_out"):
            tally.compare(name, a[4][name], b[4][name])
        tally.compare("operands", operands(a[4].get("operands") or ""), operands(b[4].get("operands") or ""))
    packets = """select l.track, s.start, s.duration, w.bytes, w.device, w.core from slices s join lanes l on l.id = s.lane
                 join device_work w on w.slice = s.id where l.kind = 'queue'"""
    for a, b in zip(sorted(query(file, packets)), sorted(query(other, packets))):
        tally.compare("packet", (re.search(r"Q\d+-E\d+", a[0])[0], *a[1:]), (re.search(r"Q\d+-E\d+", b[0])[0], *b[1:]))
    changes = "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane where l.name like 'S[%'"
    named = sorted((re.match(r"S\[\d+\]", name)[0], time, value) for name, time, value in query(other, changes))
    for a, b in zip(sorted(query(file, changes)), named):
        tally.compare("change", a, b)
    tally.compare("counts", *([len(query(path, sql)) for sql in (packets, changes)] for path in (file, other)))
    sums = "select sum(allocated), count(*) from memory_usage union all select count(*), max(start) from slices where name like 'limit %'"
    tally.compare("memory and throttling", query(file, sums), query(other, sums))
    tally.finish(f"JSON as the file, {file.stem}")


@each
def test_data_of_the_compiler(file):
    """Costs, tensors and operators of the vendor's JSON add up to its own sums; FLOPs also follow from the file alone."""
    tally = Tally()
    other = file.with_suffix(".json.gz")
    theirs = vendor(file)
    (summary,) = theirs["summary"]
    costs = """select coalesce(sum(flops), 0), coalesce(sum(bytes_read), 0), coalesce(sum(bytes_written), 0), coalesce(sum(bytes), 0)
               from work_costs"""
    (flops, read, written, moved), = query(other, costs)
    tally.compare("flops", flops, summary["hardware_flops"])
    tally.compare("read, written", (read, written), (summary["hbm_read_bytes"], summary["hbm_write_bytes"]))
    tally.compare("moved", moved, read + written)
    (flops, _, _, moved), = query(file, costs)
    tally.compare("flops of the file", flops, summary["hardware_flops"])
    tally.compare("packets' bytes", moved, sum(row["transfer_size"] for row in theirs["dma"] if row["aggregated"] == "no"))
    nodes = [row for row in theirs["neff_node"] if row["variable_name"]]
    written = sorted((row["variable_name"], row["type"], row["shape"], row["format"], int(row["size"]), row.get("load_to_sbuf_dma_count"),
                      row.get("load_to_sbuf_total_size_bytes")) for row in nodes)
    tally.compare("tensors", sorted(query(other, "select name, use, shape, format, bytes, loads, loaded_bytes from tensors")), written)
    tally.compare("weights", sum(row[4] for row in written if row[1] == "WEIGHT"), summary["weight_size_bytes"])
    (layer,) = (row for row in theirs["layer_summary"] if row["name"] != "/sg00")
    sql = """select o.program, o.framework_operator, o.name, o.opcode, l.name, count(*), coalesce(sum(s.duration) filter (s.name <> 'EVENT_SEMAPHORE'), 0)
             from program_work w join slices s on s.id = w.slice join lanes l on l.id = s.lane join program_operators o on o.id = w.program_operator
             group by all"""
    for engine, lanes in ENGINES.items():
        rows = [row for row in query(other, sql) if row[4] in lanes]
        tally.compare(f"{engine}: operator", {row[:4] for row in rows} - {("graph.neff/sg00", "_dot.3", "dot.3", "dot")}, set())
        tally.compare(f"{engine}: instructions", sum(row[5] for row in rows), layer[f"{engine}_engine_instruction_count"])
        tally.compare(f"{engine}: time", sum(row[6] for row in rows), layer[f"{engine}_engine_instruction_time"], len(rows) * 8)
    layers = query(other, "select s.name, s.start, s.duration from slices s join lanes l on l.id = s.lane where l.name = 'Layers'")
    tally.compare("layers", sorted(layers), sorted((row["name"], row["start"], row["duration"]) for row in theirs["layer_summary"]))
    declared = dict(query(other, "select key, value from metadata where key like 'dma_queue.%'"))
    tally.compare("queues", sorted(declared), sorted(f"dma_queue.{q['q_name']}-Q{q['q_idx']}-E{q['q_eng_idx']}"
                                                     for q in theirs["dma_queues_info"]))
    tally.compare("sections that are not read", query(other, "select message from problems where code = 'unknown_section'"), [])
    tally.finish(f"the compiler's, {file.stem}")


HOLDERS = {"generic": "Generic", "pe": "Tensor Instructions", "act": "Scalar Instructions", "pool": "GpSimd Instructions", "io": "IO",
           "spill": "DRAM Spill", "weight": "Weights", "profiler buffers": "Profiler Buffers", "act table": "Scalar Table",
           "dve": "Vector Instructions", "sp": "Sync Instructions", "shared scratchpad": "Shared Scratchpad", "tensor": "Tensors",
           "ucode": "Ucode lib", "pool stdio": "GpSimd STDIO", "collectives": "Collectives", "scratchpad": "Scratchpad",
           "xt cc": "XT CC (unused)", "dma rings runtime": "DMA Rings Runtime", "dma rings spill": "DMA Rings Spill",
           "dma rings io": "DMA Rings IO", "dma rings collectives": "DMA Rings Collectives"}


@each
def test_memory_breakdown(file):
    tally = Tally()
    ours = {HOLDERS[name]: amount for name, amount in query(file, "select component, allocated from memory_usage")}
    ours["Total"] = sum(ours.values())
    theirs = {row["usage_type"]: row["amount_bytes"] for row in vendor(file)["nc_mem_usage"]}
    for holder in sorted(set(ours) | set(theirs)):
        tally.compare(holder, ours.get(holder), theirs.get(holder))
    tally.finish(f"memory, {file.stem}")


def union(spans):
    total, reached = 0, None
    for start, end in sorted(spans):
        if reached is None or start > reached:
            total, reached = total + end - start, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


ENGINES = {"tensor": ("Tensor", "TensorMatrix"), "vector": ("Vector",), "scalar": ("Scalar",), "gpsimd": ("GpSimd",), "sync": ("Sync",)}


@each
def test_summary(file):
    """The vendor's sums, from our tables: seconds within 1 ns a row, everything else equal."""
    tally = Tally()
    ((summary,), (about,)) = (vendor(file)[key] for key in ("summary", "metadata"))
    rows = instructions(file)
    (picoseconds,), = query(file, "select value from metadata where key = 'exec_duration_ps'")
    total = int(picoseconds) * 1e-12
    tally.compare("total_time", total, summary["total_time"], 1e-15)
    tally.compare("cycles", total * about["pe_clock_others"] * 1e9, summary["neuroncore_cycle_count"], 1)
    (span,), = query(file, "select max(start + duration) from slices")
    tally.compare("last_hw_timestamp", span, about["last_hw_timestamp"])
    # The vendor's table of models counts the cycles of the recording, not of the program, under the same name.
    tally.compare("cycles of the recording", span * 1.4, vendor(file)["model_info"][0]["neuroncore_cycle_count"], 2)
    for engine, lanes in ENGINES.items():
        own = [row for row in rows if row[0] in lanes]
        busy = [(start, start + length) for _, opcode, start, length, _ in own if opcode != "EVENT_SEMAPHORE"]
        ns = len(own) * 1e-9
        tally.compare(f"{engine} count", len(own), summary[f"{engine}_engine_instruction_count"])
        tally.compare(f"{engine} time", sum(b - a for a, b in busy) * 1e-9, summary[f"{engine}_engine_instruction_time"], ns)
        tally.compare(f"{engine} active", union(busy) * 1e-9, summary[f"{engine}_engine_active_time"], 2 * ns)
    tally.compare("matmuls", sum(row[1] == "MATMUL" for row in rows), summary["matmul_instruction_count"])
    activations = [row for row in rows if row[1].startswith("ACTIVATE")]
    tally.compare("activations", len(activations), summary["activate_instruction_count"])
    tally.compare("activation time", sum(row[3] for row in activations) * 1e-9, summary["activate_instruction_time"], len(activations) * 1e-9)
    flops = sum(row[4].get("flops", 0) for row in rows)
    tally.compare("hardware_flops", flops, summary["hardware_flops"])
    peak = 2 * about["pe_num_rows"] * about["pe_num_cols"] * about["pe_clock_freq"] * 1e9
    tally.compare("hfu", flops / (peak * total), summary["hfu_estimated_percent"], 1e-9)
    packets = query(file, """select l.name, s.start, s.start + s.duration, w.bytes from slices s join lanes l on l.id = s.lane
                             join device_work w on w.slice = s.id where l.kind = 'queue'""")
    spans = [(start, end) for _, start, end, _ in packets]
    tally.compare("dma_packet_time", sum(b - a for a, b in spans) * 1e-9, summary["dma_packet_time"], len(spans) * 1e-9)
    tally.compare("dma_active_time", union(spans) * 1e-9, summary["dma_active_time"], len(spans) * 1e-9)
    for kind, made_here in (("software_dynamic", True), ("static", False)):
        of_kind = [row for row in packets if row[0].startswith("qPoolDynamic") == made_here]
        busy = union([row[1:3] for row in of_kind])
        tally.compare(f"{kind} active", busy * 1e-9, summary[f"{kind}_dma_active_time"], len(of_kind) * 1e-9)
        tally.compare(f"{kind} share", len(of_kind) / len(packets), summary[f"{kind}_dma_packet_percent"], 1e-15)
        tally.compare(f"{kind} packets", len(of_kind), summary[f"{kind}_dma_packet_count"])
        tally.compare(f"{kind} bytes", sum(row[3] for row in of_kind), summary[f"{kind}_dma_size"])
    active = union([(s, s + d) for _, opcode, s, d, _ in rows if opcode != "EVENT_SEMAPHORE"] + spans)
    tally.compare("total_active_time", active * 1e-9, summary["total_active_time"], (len(rows) + len(spans)) * 1e-9)
    tally.compare("total_active_share", active * 1e-9 / total, summary["total_active_time_percent"], (len(rows) + len(spans)) * 1e-9 / total)
    told = facts(file)
    states = query(file, "select s.id, s.duration from slices s join lanes l on l.id = s.lane where l.track = 'throttling'")
    known = [(length, told[row]["k"] / told[row]["n"]) for row, length in states if row in told]
    tally.compare("throttled", sum(length for length, _ in known), summary["throttle_active_nc0_time_ns"], len(known))
    tally.compare("limit while throttled", sum(length * limit for length, limit in known) / sum(length for length, _ in known),
                  summary["throttle_activity_0_avg_util_limit_nc0_percent"], 1e-12)
    limits = sum(length * limit for length, limit in known) + sum(length for row, length in states if row not in told)
    tally.compare("limit", limits / span, summary["throttle_avg_util_limit_nc0_percent"], len(states) / span)
    tally.finish(f"summary, {file.stem}")


@each
def test_slow_reading(file, monkeypatch):
    """The oracle keeps ps and all work of the runtime; ours are those of its rows that start with the program or later."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(ORACLE))
    monkeypatch.delitem(sys.modules, "dis", raising=False)  # Python has a module of this name too
    decode, dis, verify = (importlib.import_module(name) for name in ("decode", "dis", "verify"))
    tally = Tally()
    read = decode.decode(file)
    base = {engine: (read["instrs"][number][0] // 64) & 0xFFFFF for engine, number in verify.IDX.items()}
    slots = {engine: read["instrs"][number][1] for engine, number in verify.IDX.items()}
    theirs, begin = [], None
    for engine, pc, start, end, waited, crc_in, crc_out, *_ in verify.instrs(read)[0]:
        at = pc - base[engine]
        if not 0 <= at < len(slots[engine]) // 64:
            continue
        slot = slots[engine][at * 64:at * 64 + 64]
        theirs.append((engine, start, end, at, slot, waited, crc_in, crc_out))
        if slot[0] == 0xA6 and slot[36] == 2:
            begin = max(end, begin or end)
    names = {"PE": "Tensor", "ACT": "Scalar", "POOL": "GpSimd", "DVE": "Vector", "SP": "Sync"}
    rows = sorted((names[engine], (start - begin) // 1000, at, (end - start) // 1000, *dis.dis(slot), waited * 10 // 14, crc_in, crc_out)
                  for engine, start, end, at, slot, waited, crc_in, crc_out in theirs if start >= begin)
    ours = sorted((lane.removesuffix("Matrix"), start, told["pc"], length, opcode, told["operands"] or "", told["evt_wait_time"],
                   told["crc_in"], told["crc_out"]) for lane, opcode, start, length, told in instructions(file))
    tally.compare("instructions", len(ours), len(rows))
    for a, b in zip(ours, rows):
        tally.compare((b[:3], "operands"), dis.norm(operands(a[5])), dis.norm(operands(b[5])))
        for what, ours_is, theirs_is in zip(range(9), a, b):
            if what != 5:
                tally.compare((b[:3], what), ours_is, theirs_is)
    tally.finish(f"oracle, {file.stem}")
