"""Writes one small run as an Ascend profile, as text exports or as databases: the same content both ways.

    run = Run(step=(3, 0, 100_000),
              operators=[Operator("mm", 10_000, 50_000, causes=[0])],
              tasks=[Task("MatMul", "AI_CORE", 40_000, 7_500)])
    run.write_text(folder); run.write_database(other)

Times are ns since `Run.begin`, memory is bytes. A task whose core is HCCL is a whole collective; copies have the core MEMCPY.
"""
import json
import sqlite3
from dataclasses import dataclass, field

THREAD, PROCESS = 7, 70


@dataclass
class Operator:
    name: str
    start: int
    length: int
    causes: list = field(default_factory=list)  # indices of tasks
    shapes: str = ""


@dataclass
class Task:
    name: str
    core: str
    start: int
    length: int
    stream: int = 2
    blocks: int = 8


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
    rank: int = 0
    begin: int = 1_736_408_883_700_000_000

    # ---- text ----

    def write_text(self, folder):
        made = output(folder)
        (folder / f"profiler_info_{self.rank}.json").write_text(json.dumps({"rank_id": self.rank}))
        (made / "trace_view.json").write_text(json.dumps(self._events()))
        (made / "kernel_details.csv").write_text("Name,Accelerator Core,Start Time(us),Duration(us),Block Dim\n" + "".join(
            f"{task.name},{task.core},{self._at(task.start)}\t,{us(task.length)},{task.blocks}\n"
            for task in self.tasks if task.core != "MEMCPY"))
        (made / "operator_memory.csv").write_text(
            "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Device Type\n" + "".join(
                f"{block.name},{block.bytes / 1024!r},{self._at(block.start)}\t,{self._at(block.end)}\t,"
                f"{'' if block.end is None else us(block.end - block.start)},NPU:0\n" for block in self.blocks))
        (made / "memory_record.csv").write_text(
            "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n" + "".join(
                f"{held.component},{self._at(held.time)}\t,{'' if held.allocated is None else repr(held.allocated / 2**20)},"
                f"{held.reserved / 2**20!r},NPU:0\n" for held in self.held))
        if self.sums:
            (made / "step_trace_time.csv").write_text(
                ",".join(["Step", *self.sums]) + "\n" + ",".join([str(self.step[0]), *map(us, self.sums.values())]) + "\n")

    def _at(self, time):
        return "" if time is None else us(self.begin + time)

    def _events(self):
        events = [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}}
                  for pid, name in ((PROCESS, "Python"), (32, "Ascend Hardware"), (64, "HCCL"))]
        events.append({"ph": "M", "name": "thread_name", "pid": 64, "tid": 0, "args": {"name": "Group 0 Communication"}})
        for operator in self._ranges():
            place = {"pid": PROCESS, "tid": THREAD, "ts": self._at(operator.start)}
            events.append({"ph": "X", "cat": "cpu_op", "name": operator.name, **place, "dur": operator.length / 1000,
                           "args": {"Input Dims": operator.shapes}})
            for index in operator.causes:
                flow = {"cat": "async_npu", "name": "torch_to_npu", "bp": "e", "id": self.begin + self.tasks[index].start}
                events.append({"ph": "s", **flow, **place})
                events.append({"ph": "f", **flow, **self._place(self.tasks[index])})
        for task in self.tasks:
            events.append({"ph": "X", "name": task.name, **self._place(task), "dur": task.length / 1000,
                           "args": {"Task Type": "SDMA_SQE" if task.core == "MEMCPY" else task.core}})
        return events

    def _place(self, task):
        pid, tid = (64, 0) if task.core == "HCCL" else (32, task.stream)
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

        api, links, tasks, computed, collectives = [], [], [], [], []
        for key, operator in enumerate(self._ranges()):
            api.append((str(at(operator.start)), str(at(operator.start + operator.length)), PROCESS << 32 | THREAD, key,
                        text(operator.name), text(operator.shapes), 50001))
            links += [(key, 100 + index) for index in operator.causes]
        for index, task in enumerate(self.tasks):
            span = (at(task.start), at(task.start + task.length))
            if task.core == "HCCL":
                collectives.append((text(task.name), *span, 100 + index, text("7")))
                continue
            kind = "MEMCPY_ASYNC" if task.core == "MEMCPY" else "KERNEL_AICORE"
            tasks.append((*span, 0, 100 + index, index, text(kind), task.stream))
            if task.core != "MEMCPY":
                computed.append((text(task.name), index, task.blocks, text(task.core)))
        tables = {
            "PYTORCH_API": ("startNs TEXT, endNs TEXT, globalTid, connectionId, name, inputShapes, type", api),
            "CONNECTION_IDS": ("id, connectionId", links),
            "TASK": ("startNs, endNs, deviceId, connectionId, globalTaskId, taskType, streamId", tasks),
            "COMPUTE_TASK_INFO": ("name, globalTaskId, blockDim, taskType", computed),
            "COMMUNICATION_OP": ("opName, startNs, endNs, connectionId, groupName", collectives),
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
        if self.sums:
            columns = {"Computing": "computing", "Communication": "communication", "Overlapped": "overlapped", "Free": "free"}
            write_tables(made / "analysis.db", {"StepTraceTime": (
                ", ".join(["step TEXT", *(f"{columns[title]} NUMERIC" for title in self.sums)]),
                [(str(self.step[0]), *(ns / 1000 for ns in self.sums.values()))])})


def write_tables(path, tables):
    with sqlite3.connect(path) as file:
        for name, (columns, rows) in tables.items():
            if rows:
                file.execute(f"CREATE TABLE {name} ({columns})")
                file.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    file.close()
