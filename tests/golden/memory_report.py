"""Our program's memory view of one trace in the shape of the oracle's figures (tests/oracle/memory.py)."""
import json
import os
import pathlib
import subprocess

PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "sightline"))
STATISTICS = ("calls", "size_increase", "self_size_increase", "allocations", "self_allocations", "allocation_size",
              "self_allocation_size")
WINDOW = 8000  # events: a curve with this many is not thinned


class DeviceMemory:
    def peak(self):
        return self.peak_allocated


def _run(file, **parameters):
    command = [str(PROGRAM), "report", str(file), "--view", "memory", "--format", "json"]
    for key, value in parameters.items():
        command += ["--param", f"{key}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def _columns(body, table, *keys):
    values = {column["key"]: column["values"] for column in body["tables"][table]["columns"]}
    return zip(*(values[key] for key in keys))


def devices(file):
    first = _run(file)
    if isinstance(first, str):
        assert "neither allocations nor plans" in first, first
        return {}
    names = next([choice["value"] for choice in parameter["choices"]] for parameter in first["parameters"] if parameter["key"] == "device")
    return {name: _device(file, name) for name in names}


def _device(file, name):
    body, memory = _run(file, device=name), DeviceMemory()
    memory.operators = {row[0]: list(row[1:]) for row in _columns(body, "operators", "name", *STATISTICS)}
    blocks = list(_columns(body, "events", "operator", "size", "allocated_at", "released_at"))
    memory.blocks = sorted(blocks, key=_place)
    facts = {fact["label"]: fact["value"] for panel in body["panels"] for fact in panel.get("facts", ())}
    memory.total, memory.peak_allocated = facts["Device memory"], facts["Peak allocated"]
    times = sorted(time for block in blocks for time in block[2:] if time is not None)
    memory.curve = [] if memory.peak_allocated is None else _curve(file, name, times)
    return memory


def _place(block):
    """Paired blocks in order of release, then allocations, then releases."""
    allocated, released = block[2:]
    return (allocated is None or released is None, allocated is None, released if released is not None else allocated, allocated or 0)


def _curve(file, device, times):
    """The exact curve, requested in short windows. Each begins at an event and ends with a point without one."""
    points, starts = [], sorted(set(times[::WINDOW]))
    for start, end in zip(starts, [*starts[1:], times[-1] + 1]):
        body = _run(file, device=device, start=start, end=end)
        points += [point for point in _columns(body, "curve", "time", "allocated", "reserved") if point[0] < end]
    return points


def first_time(devices_of_trace):
    """The time of the first event on any device; None without events."""
    return min((time for memory in devices_of_trace.values() for block in memory.blocks for time in block[2:] if time is not None),
               default=None)
