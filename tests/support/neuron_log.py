"""Writes the log of the Neuron TensorBoard plugin: a folder <logdir>/plugins/neuron/<stamp>/ of JSON files.

    log = Log()
    log.operator("hlo", "dot.3", calls=2, time=400, core=1, fused=["a", "b"])
    log.slice("Process Execution", "HLO Ops", "dot.3", start=100, duration=200)
    folder = log.write(tmp_path / "logs")

Times are ns. `network()` is a small one with everything: a model of two layers on two cores. The plugin's names for the members
of an operator's row are not public: `members` sets the names.
"""
import json
import pathlib
from dataclasses import dataclass, field

GROUPS = ("Process Overview", "Process Control", "Process Execution", "Process Data Transfer")
MEMBERS = {"name": "name", "calls": "occurrences", "device": "neuron_device", "core": "neuron_core", "time": "time_ns",
           "fused": "fused"}


@dataclass
class Log:
    members: dict = field(default_factory=lambda: dict(MEMBERS))
    operators: dict = field(default_factory=lambda: {"framework": [], "hlo": []})
    slices: list = field(default_factory=list)
    start_unix_ns: int = 1682643254_000000000

    def operator(self, kind, name, calls, time, device=0, core=0, fused=()):
        self.operators[kind].append({"name": name, "calls": calls, "device": device, "core": core, "time": time,
                                     **({"fused": list(fused)} if fused else {})})

    def slice(self, group, row, name, start, duration, fused=()):
        self.slices.append((group, row, name, start, duration, tuple(fused)))

    def file(self, kind):
        """The text of neuron_{kind}_op.json."""
        rows = self.operators[kind]
        ops = [{self.members[key]: value for key, value in row.items()} for row in rows]
        return json.dumps({"ops": ops, "total_time": sum(row["time"] for row in rows)})

    def trace(self):
        """A Chrome trace: a process per group, a thread per row, in their order."""
        rows = list(dict.fromkeys(each[:2] for each in self.slices))
        groups = list(dict.fromkeys(group for group, _ in rows))
        events = []
        for pid, group in enumerate(groups, 1):
            events.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": group}})
            events.append({"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}})
        for tid, (group, row) in enumerate(rows, 1):
            pid = groups.index(group) + 1
            events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": row}})
            events.append({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": tid}})
        for group, row, name, start, duration, fused in self.slices:
            args = {"fused": ", ".join(fused)} if fused else {}
            events.append({"ph": "X", "name": name, "pid": groups.index(group) + 1, "tid": rows.index((group, row)) + 1,
                           "ts": start / 1000, "dur": duration / 1000, "args": args})
        return json.dumps({"displayTimeUnit": "ns", "neuronStartTimestampNs": self.start_unix_ns, "traceEvents": events})

    def write(self, logdir, stamp="2023_04_28_00_54_04_c1a992f0ea378f7a_1", trace="neuron_op_timeline_split.json"):
        folder = pathlib.Path(logdir) / "plugins" / "neuron" / stamp
        folder.mkdir(parents=True)
        for kind in self.operators:
            (folder / f"neuron_{kind}_op.json").write_text(self.file(kind))
        (folder / trace).write_text(self.trace())
        return folder


def network():
    """A forward pass: input, a linear layer and a ReLU, each on two cores; the ReLU and the input were fused."""
    log = Log()
    model, linear, relu = "NN[model]", "NN[model]/Linear[layer1]", "NN[model]/ReLU[nl1]"
    dot, add, maximum, given = f"{linear}/aten__addmm_dot", f"{linear}/aten__addmm_add", f"{relu}/aten__relu_maximum", f"{model}/input"
    for core, slower in ((0, 0), (1, 20)):
        log.operator("framework", dot, 2, 400 + slower, core=core)
        log.operator("framework", add, 1, 100 + slower, core=core)
        log.operator("framework", "fused_3", 1, 250 + slower, core=core, fused=(given, maximum))
        log.operator("framework", given, 1, 90, core=core)
        log.operator("hlo", "dot.5", 2, 400 + slower, core=core)
        log.operator("hlo", "add.7", 1, 100 + slower, core=core)
        log.operator("hlo", "fused_3", 1, 250 + slower, core=core, fused=("input.1", "maximum.9"))
        log.operator("hlo", "input.1", 1, 90, core=core)
    log.slice("Process Overview", "Neuron Runtime Setup", "Neuron Runtime Setup", 0, 1000)
    log.slice("Process Overview", "Compute Busy", "Compute Busy", 1000, 750)
    log.slice("Process Overview", "DMA Busy", "DMA Busy", 900, 600)
    for group, shift in (("Process Execution", 1000), ("Process Data Transfer", 900)):
        log.slice(group, "Modules", "NN", shift, 750)
        log.slice(group, "Modules", "Linear[layer1]", shift, 500)
        log.slice(group, "Modules", "ReLU[nl1]", shift + 500, 250)
        log.slice(group, "Framework Ops", dot, shift, 400)
        log.slice(group, "Framework Ops", add, shift + 400, 100)
        log.slice(group, "Framework Ops", "fused_3", shift + 500, 250, (given, maximum))
        log.slice(group, "HLO Ops", "dot.5", shift, 400)
        log.slice(group, "HLO Ops", "add.7", shift + 400, 100)
        log.slice(group, "HLO Ops", "fused_3", shift + 500, 250, ("input.1", "maximum.9"))
    log.slice("Process Control", "HLO Ops", "SyncTensorsGraph.53", 950, 800)
    return log


if __name__ == "__main__":
    import sys

    network().write(sys.argv[1])
