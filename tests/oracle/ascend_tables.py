"""The content of the CSV and JSON exports of an Ascend profile, row by row and exactly, without the program.

Times are ns since 1970 as fractions, memory is bytes (MB and KB of memory are 2^20 and 2^10 bytes). Faults of the vendor's
TensorBoard plugin are switched on by name if a function has the parameter:

  transfers_doubled      bytes that moved are summed over all kinds of link, though SDMA is the sum of HCCS, PCIE and SIO
  megabytes_are_binary   a MB of a transfer counts 2^20 bytes; it is 10^6
  components_chosen      only PTA, GE, APP and PTA+GE are drawn; WORKSPACE and others are not
"""
import csv
import json
import re
from fractions import Fraction

KILOBYTE, MEGABYTE = 2**10, 2**20
ABSENT = ("", "N/A", "NA", "nan")
CHOSEN = ("PTA", "GE", "APP", "PTA+GE")


def output(folder):
    return folder / "ASCEND_PROFILER_OUTPUT"


def rows(folder, name):
    """The rows of a table as {title: cell}, without blanks around cells; no rows if the file does not exist."""
    path = output(folder) / name
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8-sig") as file:
        return [{key.strip(): (cell or "").strip() for key, cell in row.items()} for row in csv.DictReader(file)]


def number(cell):
    return None if cell in ABSENT else Fraction(cell)


def ns(cell):
    return None if cell in ABSENT else Fraction(cell) * 1000


def first_time(folder):
    """The least time of any event of the trace; 0 without one."""
    path = output(folder) / "trace_view.json"
    if not path.exists():
        return Fraction(0)
    return min(ns(str(event["ts"])) for event in json.loads(path.read_text()) if "ts" in event)


def blocks(folder):
    """(name, bytes, allocated, released, held, device) of every block; a size below 0 was allocated before the window."""
    for row in rows(folder, "operator_memory.csv"):
        yield (row["Name"], abs(number(row["Size(KB)"])) * KILOBYTE, ns(row["Allocation Time(us)"]), ns(row["Release Time(us)"]),
               ns(row["Duration(us)"]), row["Device Type"])


def curves(folder, faults=()):
    """{(device, component): [(time, allocated, reserved), ...]} in the order of the file."""
    found = {}
    for row in rows(folder, "memory_record.csv"):
        if "components_chosen" in faults and row["Component"] not in CHOSEN:
            continue
        scaled = [None if number(row[title]) is None else number(row[title]) * MEGABYTE
                  for title in ("Total Allocated(MB)", "Total Reserved(MB)")]
        found.setdefault((row["Device Type"], row["Component"]), []).append((ns(row["Timestamp(us)"]), *scaled))
    return found


def component_peaks(folder):
    """{(device, component): (bytes, time)}: the most that a component had reserved, and when it first did."""
    peaks = {}
    for row in rows(folder, "npu_module_mem.csv"):
        held, time = number(row["Total Reserved(MB)"]) * MEGABYTE, ns(row["Timestamp(us)"])
        key = row["Device"], row["Component"]
        if key not in peaks or held > peaks[key][0] or held == peaks[key][0] and time < peaks[key][1]:
            peaks[key] = held, time
    return peaks


def steps(folder):
    """{step: {sum: ns}} as the table states it."""
    return {row["Step"]: {title: ns(cell) for title, cell in row.items() if title not in ("Step", "Device_id")}
            for row in rows(folder, "step_trace_time.csv")}


def collectives(folder):
    """(step, operation, {time: ms}, {link: (MB, ms)}) of each, without the sums."""
    path = output(folder) / "communication.json"
    for step, kinds in (json.loads(path.read_text()) if path.exists() else {}).items():
        for kind in ("collective", "p2p"):
            for key, entry in kinds.get(kind, {}).items():
                if key != "Total Op Info":
                    links = {link: (sums["Transit Size(MB)"], sums["Transit Time(ms)"])
                             for link, sums in entry["Communication Bandwidth Info"].items()}
                    yield step.removeprefix("step"), key, entry["Communication Time Info"], links


def operation_table(folder, faults=()):
    """{operation: {calls, bytes, elapsed, transit}} over all steps, times in ns. `hcom_send__271_0_1@9` is `hcom_send__`."""
    megabyte = MEGABYTE if "megabytes_are_binary" in faults else 10**6
    table = {}
    for _, key, times, links in collectives(folder):
        counted = links if "transfers_doubled" in faults else {link: links[link] for link in ("RDMA", "SDMA") if link in links}
        sums = table.setdefault(re.match(r"[^\d ]*", key)[0], dict.fromkeys(("calls", "bytes", "elapsed", "transit"), 0))
        sums["calls"] += 1
        sums["bytes"] += sum(size for size, _ in counted.values()) * megabyte
        sums["elapsed"] += times["Elapse Time(ms)"] * 1e6
        sums["transit"] += times["Transit Time(ms)"] * 1e6
    return table
