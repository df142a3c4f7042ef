"""Writes one small run as an Ascend profile, as text exports or as databases: the same content both ways.

    run = Run(step=(3, 0, 100_000),
              operators=[Operator("mm", 10_000, 50_000, causes=[0])],
              tasks=[Task("MatMul", "AI_CORE", 40_000, 7_500)])
    run.write_text(folder); run.write_database(other)

Times are ns since `Run.begin`, memory is bytes. A task whose core is HCCL is a whole collective; copies have the core MEMCPY.
Content that the two exports cannot both express is not here.
"""
import csv
import json
import sqlite3
from dataclasses import dataclass, field

THREAD, PROCESS, DEVICE = 7, 70, 0
DRIVER, HARDWARE, FREQUENCY, COLLECTIVES = ((PROCESS << 10) + (place << 5) + DEVICE for place in (7, 13, 14, 15))
GROUP = "7"
LEVELS = {"AscendCL": 20000, "Node": 10000, "HCCL": 5500, "Runtime": 5000}


@dataclass
class Operator:
    name: str
    start: int
    length: int
    causes: list = field(default_factory=list)  # indices of tasks
    shapes: str = ""
    types: str = ""
    stack: list = field(default_factory=list)  # the innermost frame first


@dataclass
class Frame:
    """A Python function; of a module "nn.Module: Linear_0"."""

    name: str
    start: int
    length: int


@dataclass
class Call:
    """A call of the driver, which starts a task or, without one, nothing."""

    level: str
    name: str
    start: int
    length: int
    task: int | None = None  # its index


@dataclass
class Task:
    name: str
    core: str
    start: int
    length: int
    stream: int = 2
    blocks: int = 8
    type: str = "N/A"
    facts: dict = field(default_factory=dict)  # counters of a kernel by title
    collective: "Collective | None" = None


@dataclass
class Collective:
    """More about a task that is a collective: ms of its parts, MB over links, the parts on planes (name, plane, start,
    length)."""

    elements: int
    waited: float
    moved: float
    links: dict = field(default_factory=dict)  # link -> (MB, ms)
    ranks: dict = field(default_factory=dict)  # (from, to) -> (link, MB, ms)
    parts: list = field(default_factory=list)


@dataclass
class Block:
    name: str
    bytes: int
    start: int
    end: int | None = None


@dataclass
class Held:
    component: str
    time: int
    allocated: int | None
    reserved: int


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def output(folder):
    made = folder / "ASCEND_PROFILER_OUTPUT"
    made.mkdir(parents=True, exist_ok=True)
    return made


@dataclass
class Run:
    operators: list
    tasks: list
    blocks: list = field(default_factory=list)
    held: list = field(default_factory=list)
    step: tuple | None = None  # number, start, end
    sums: dict = field(default_factory=dict)  # of the step table, by title, ns
    frames: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    frequency: list = field(default_factory=list)  # (time, MHz)
    modules: list = field(default_factory=list)  # (component of the driver, time, bytes)
    rank: int = 0
    begin: int = 1_736_408_883_700_000_000

    # ---- text ----

    def write_text(self, folder):
        made = output(folder)
        (folder / f"profiler_info_{self.rank}.json").write_text(json.dumps({"rank_id": self.rank}))
        (made / "trace_view.json").write_text(json.dumps(self._events()))
        titles = sorted({title for task in self.tasks for title in task.facts})
        write_csv(made / "kernel_details.csv", ["Name", "Type", "Accelerator Core", "Start Time(us)", "Duration(us)", "Block Dim", *titles], [
            [task.name, task.type, task.core, f"{self._at(task.start)}\t", us(task.length),
             "N/A" if task.core == "HCCL" else task.blocks,
             *(task.facts.get(title, "N/A") for title in titles)] for task in self.tasks if task.core != "MEMCPY"])
        (made / "operator_memory.csv").write_text(
            "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Device Type\n" + "".join(
                f"{block.name},{block.bytes / 1024!r},{self._at(block.start)}\t,{self._at(block.end)}\t,"
                f"{'' if block.end is None else us(block.end - block.start)},NPU:0\n" for block in self.blocks))
        (made / "memory_record.csv").write_text(
            "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n" + "".join(
                f"{held.component},{self._at(held.time)}\t,{'' if held.allocated is None else repr(held.allocated / 2**20)},"
                f"{held.reserved / 2**20!r},NPU:0\n" for held in self.held))
        if self.modules:
            write_csv(made / "npu_module_mem.csv", ["Component", "Timestamp(us)", "Total Reserved(KB)", "Device"],
                      [[name, f"{self._at(time)}\t", size / 1024, "NPU:0"] for name, time, size in self.modules])
        if self._collectives():
            self._write_collectives(made)
        if self.sums:
            (made / "step_trace_time.csv").write_text(
                ",".join(["Step", *self.sums]) + "\n" + ",".join([str(self.step[0]), *map(us, self.sums.values())]) + "\n")

    def _collectives(self):
        return [task for task in self.tasks if task.collective]

    def _write_collectives(self, made):
        sums, matrix = {}, {}
        for task in self._collectives():
            told = task.collective
            sums[f"{task.name}@{GROUP}"] = {
                "Communication Time Info": {
                    "Start Timestamp(us)": (self.begin + task.start) / 1000, "Elapse Time(ms)": task.length / 1e6,
                    "Transit Time(ms)": told.moved, "Wait Time(ms)": told.waited, "Synchronization Time(ms)": told.waited / 2},
                "Communication Bandwidth Info": {
                    link: {"Transit Size(MB)": size, "Transit Time(ms)": time} for link, (size, time) in told.links.items()}}
            matrix[f"{task.name}@{GROUP}"] = {
                f"{source}-{target}": {"Transport Type": link, "Transit Size(MB)": size, "Transit Time(ms)": time}
                for (source, target), (link, size, time) in told.ranks.items()}
        step = f"step{self.step[0]}"
        (made / "communication.json").write_text(json.dumps({step: {"p2p": {}, "collective": sums}}))
        (made / "communication_matrix.json").write_text(json.dumps({step: {"p2p": {}, "collective": matrix}}))

    def _at(self, time):
        return "" if time is None else us(self.begin + time)

    def _events(self):
        events = []

        def name(pid, called, label, place, *threads):
            for what, argument in (("name", {"name": called}), ("labels", {"labels": label}), ("sort_index", {"sort_index": place})):
                events.append({"ph": "M", "name": f"process_{what}", "pid": pid, "tid": 0, "args": argument})
            for tid, thread in threads:
                events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": thread}})
                events.append({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": tid}})

        planes = {plane for task in self._collectives() for _, plane, *_ in task.collective.parts}
        name(PROCESS, "Python", "CPU", 0, (THREAD, f"Thread {THREAD}"))
        name(HARDWARE, "Ascend Hardware", "NPU", 13, *((n, f"Stream {n}") for n in sorted({task.stream for task in self.tasks})))
        name(COLLECTIVES, "HCCL", "NPU", 15, (0, "Group 0 Communication"), *((1000 + n, f"Plane {n}") for n in sorted(planes)))
        if self.calls:
            name(DRIVER, "CANN", "CPU", 7, (THREAD, f"Thread {THREAD}"))
        if self.frequency:
            name(FREQUENCY, "AI Core Freq", "NPU", 14)
        for operator in self._ranges():
            place = {"pid": PROCESS, "tid": THREAD, "ts": self._at(operator.start)}
            about = {"Input Dims": operator.shapes, "Input type": operator.types, "Call stack": ";\r\n".join(operator.stack)}
            events.append({"ph": "X", "cat": "cpu_op", "name": operator.name, **place, "dur": operator.length / 1000,
                           "args": {key: value for key, value in about.items() if value}})
            for index in operator.causes:
                flow = {"cat": "async_npu", "name": "torch_to_npu", "bp": "e", "id": self.begin + self.tasks[index].start}
                events.append({"ph": "s", **flow, **place})
                events.append({"ph": "f", **flow, **self._place(self.tasks[index])})
        for frame in self.frames:
            events.append({"ph": "X", "cat": "python_function", "name": frame.name, "pid": PROCESS, "tid": THREAD,
                           "ts": self._at(frame.start), "dur": frame.length / 1000, "args": {}})
            if frame.name.startswith("nn.Module: "):
                events[-1]["args"]["Python module id"] = int(frame.name.rsplit("_", 1)[1])
        for call in self.calls:
            events.append({"ph": "X", "name": f"{call.level}@{call.name}", "pid": DRIVER, "tid": THREAD, "ts": self._at(call.start),
                           "dur": call.length / 1000,
                           "args": {"connection_id": 4294967295 if call.task is None else 100 + call.task}})
        for index, task in enumerate(self.tasks):
            about = {"Task Type": "SDMA_SQE" if task.core == "MEMCPY" else task.core}
            if self.calls:
                about["connection_id"] = 100 + index
            if task.collective:
                about |= {"data_type": "FP32", "count": task.collective.elements}
            events.append({"ph": "X", "name": task.name, **self._place(task), "dur": task.length / 1000, "args": about})
            for part, plane, start, length in task.collective.parts if task.collective else ():
                events.append({"ph": "X", "name": part, "pid": COLLECTIVES, "tid": 1000 + plane, "ts": self._at(start),
                               "dur": length / 1000, "args": {"task type": part}})
                events.append({"ph": "X", "name": "SDMA", "pid": HARDWARE, "tid": task.stream, "ts": self._at(start), "dur": length / 1000,
                               "args": {"Task Type": "SDMA", "connection_id": 100 + index}})
        for time, value in self.frequency:
            events.append({"ph": "C", "name": "AI Core Freq", "pid": FREQUENCY, "tid": 0, "ts": self._at(time), "args": {"MHz": value}})
        return events

    def _place(self, task):
        pid, tid = (COLLECTIVES, 0) if task.core == "HCCL" else (HARDWARE, task.stream)
        return {"pid": pid, "tid": tid, "ts": self._at(task.start)}

    def _ranges(self):
        if self.step:
            number, start, end = self.step
            yield Operator(f"ProfilerStep#{number}", start, end - start)
        yield from self.operators

    # ---- databases ----

    def write_database(self, folder):
        made, strings = output(folder), {}
        (folder / f"profiler_info_{self.rank}.json").write_text(json.dumps({"rank_id": self.rank}))

        def text(value):
            return strings.setdefault(value, len(strings))

        def at(time):
            return None if time is None else self.begin + time

        api, links, tasks, computed, collectives, parts, counted, chains = [], [], [], [], [], [], [], []
        for key, operator in enumerate(self._ranges()):
            api.append((str(at(operator.start)), str(at(operator.start + operator.length)), PROCESS << 32 | THREAD, key,
                        text(operator.name), text(operator.shapes), text(operator.types), key if operator.stack else None, 50001))
            links += [(key, 100 + index) for index in operator.causes]
            chains += [(key, text(frame), depth) for depth, frame in enumerate(operator.stack)]
        for frame in self.frames:
            api.append((str(at(frame.start)), str(at(frame.start + frame.length)), PROCESS << 32 | THREAD, None, text(frame.name), None,
                        None, None, 50003))
        facts = {"Input Shapes": "inputShapes", "Input Data Types": "inputDataTypes", "OP State": "opState"}
        for index, task in enumerate(self.tasks):
            span = (at(task.start), at(task.start + task.length))
            if task.core == "HCCL":
                collectives.append((text(task.name), *span, 100 + index, text(GROUP), *(
                    (4, task.collective.elements) if task.collective else (None, None))))
                for part, plane, start, length in task.collective.parts if task.collective else ():
                    parts.append((key := 10_000 + len(parts), text(part), plane))
                    tasks.append((at(start), at(start + length), DEVICE, 100 + index, key, text("SDMA"), task.stream))
                continue
            kind = "MEMCPY_ASYNC" if task.core == "MEMCPY" else "KERNEL_AICORE"
            tasks.append((*span, DEVICE, 100 + index, index, text(kind), task.stream))
            if task.core != "MEMCPY":
                computed.append((text(task.name), index, task.blocks, text(task.core), text(task.type), *(
                    text(task.facts.get(title, "")) for title in facts)))
                counted += [(index, text(title), value) for title, value in task.facts.items() if title not in facts]
        tables = {
            "PYTORCH_API": ("startNs TEXT, endNs TEXT, globalTid, connectionId, name, inputShapes, inputDtypes, callchainId, type", api),
            "PYTORCH_CALLCHAINS": ("id, stack, stackDepth", chains),
            "CONNECTION_IDS": ("id, connectionId", links),
            "CANN_API": ("startNs, endNs, type, globalTid, connectionId, name", [
                (at(call.start), at(call.start + call.length), LEVELS[call.level], PROCESS << 32 | THREAD,
                 4294967295 if call.task is None else 100 + call.task, text(call.name)) for call in self.calls]),
            "TASK": ("startNs, endNs, deviceId, connectionId, globalTaskId, taskType, streamId", tasks),
            "COMPUTE_TASK_INFO": (", ".join(("name, globalTaskId, blockDim, taskType, opType", *facts.values())), computed),
            "TASK_PMU_INFO": ("globalTaskId, name, value NUMERIC", counted),
            "COMMUNICATION_OP": ("opName, startNs, endNs, connectionId, groupName, dataType, count", collectives),
            "COMMUNICATION_TASK_INFO": ("globalTaskId, taskType, planeId", parts),
            "ENUM_HCCL_DATA_TYPE": ("id, name", [(4, "FP32")]),
            "AICORE_FREQ": ("deviceId, timestampNs, freq", [(DEVICE, at(time), value) for time, value in self.frequency]),
            "ENUM_MODULE": ("id, name", list(enumerate(sorted({name for name, *_ in self.modules})))),
            "NPU_MODULE_MEM": ("moduleId, timestampNs, totalReserved, deviceId", [
                (sorted({name for name, *_ in self.modules}).index(name), at(time), size, DEVICE) for name, time, size in self.modules]),
            "OP_MEMORY": ("name, size, allocationTime, releaseTime, duration, deviceId", [
                (text(block.name), block.bytes, at(block.start), at(block.end),
                 None if block.end is None else block.end - block.start, 0) for block in self.blocks]),
            "MEMORY_RECORD": ("component, timestamp, totalAllocated, totalReserved, deviceId", [
                (text(held.component), at(held.time), held.allocated, held.reserved, 0)
                for held in self.held if held.component != "APP"]),
            "NPU_MEM": ("type, hbm, timestampNs, deviceId", [
                (text("app"), held.reserved, at(held.time), 0) for held in self.held if held.component == "APP"]),
            "RANK_DEVICE_MAP": ("rankId, deviceId", [(self.rank, 0)]),
        }
        tables["STRING_IDS"] = ("id, value", [(key, value) for value, key in strings.items()])
        write_tables(made / f"ascend_pytorch_profiler_{self.rank}.db", tables)
        self._write_sums(made)

    def _write_sums(self, made):
        step, collectives = self.step and f"step{self.step[0]}", self._collectives()
        columns = {"Computing": "computing", "Communication": "communication", "Overlapped": "overlapped", "Free": "free"}
        tables = {
            "StepTraceTime": (", ".join(["step TEXT", *(f"{columns[title]} NUMERIC" for title in self.sums)]),
                              [(str(self.step[0]), *(ns / 1000 for ns in self.sums.values()))] if self.sums else []),
            "CommAnalyzerTime": (
                "hccl_op_name, group_name, step, start_timestamp, elapse_time, transit_time, wait_time, synchronization_time",
                [(task.name, GROUP, step, (self.begin + task.start) / 1000, task.length / 1e6, task.collective.moved,
                  task.collective.waited, task.collective.waited / 2) for task in collectives]),
            "CommAnalyzerBandwidth": ("hccl_op_name, group_name, step, transport_type, transit_size, transit_time", [
                (task.name, GROUP, step, link, size, time)
                for task in collectives for link, (size, time) in task.collective.links.items()]),
            "CommAnalyzerMatrix": ("hccl_op_name, group_name, step, transport_type, transit_size, transit_time, src_rank, dst_rank", [
                (task.name, GROUP, step, link, size, time, str(source), str(target))
                for task in collectives for (source, target), (link, size, time) in task.collective.ranks.items()])}
        if any(rows for _, rows in tables.values()):
            write_tables(made / "analysis.db", tables)


def write_csv(path, titles, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([titles, *rows])


def write_tables(path, tables):
    with sqlite3.connect(path) as file:
        for name, (columns, rows) in tables.items():
            if rows:
                file.execute(f"CREATE TABLE {name} ({columns})")
                file.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    file.close()


# A step with two operators, their two kernels and a copy, one block and what one component held.
SMALL_RUN = Run(
    step=(3, 0, 400_000),
    operators=[Operator("forward", 10_000, 90_001, [1]), Operator("linear", 20_000, 50_000, [0, 2], "2,3")],
    tasks=[
        Task("MatMul", "AI_CORE", 140_003, 7_500),
        Task("Cast", "AI_VECTOR_CORE", 150_000, 2_001),
        Task("MEMCPY_ASYNC", "MEMCPY", 155_000, 1_000),
    ],
    blocks=[Block("linear", 2048, 21_000, 300_000)],
    held=[Held("PTA", 21_000, 4 << 20, 8 << 20)],
    sums={"Computing": 9_501, "Communication": 0, "Overlapped": 0, "Free": 390_499},
)
