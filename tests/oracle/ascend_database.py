"""The content of the database exports of an Ascend profile, in the figures of ascend_operators.py and ascend_tables.py.

`ascend_pytorch_profiler*.db` holds the events (ns, bytes, names as ids into STRING_IDS), `analysis.db` the sums (us, ms). Files are
opened as immutable: nothing is ever written beside or into them. A database lacks tables for data that was not recorded.
"""
import sqlite3
from collections import defaultdict
from fractions import Fraction

from ascend_operators import NAMES, Span, _total, _without_twins
from ascend_tables import output

OPERATOR = 50001  # PYTORCH_API.type
NO_CONTEXT = 4294967295  # TASK.contextId of a task that is not part of another


class Database:
    """One file; a table that does not exist has no rows, and the file itself may be missing."""

    def __init__(self, folder, pattern):
        path = next(iter(sorted(output(folder).glob(pattern))), None)
        self.file = path and sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.strings = dict(self.rows("STRING_IDS", "id", "value"))

    def rows(self, table, *columns):
        known = self.file and {row[1] for row in self.file.execute(f"PRAGMA table_info({table})")}
        if not known:
            return []
        chosen = ", ".join(column if column in known else "NULL" for column in columns)
        return self.file.execute(f"SELECT {chosen} FROM {table}").fetchall()


def events(folder):
    return Database(folder, "ascend_pytorch_profiler*.db")


def tasks(data):
    """(connection, name, core, length) of device work: compute tasks and whole collectives."""
    computed = {row[0]: row[1:] for row in data.rows("COMPUTE_TASK_INFO", "globalTaskId", "name", "taskType")}
    for connection, begin, end, key in data.rows("TASK", "connectionId", "startNs", "endNs", "globalTaskId"):
        if key in computed:
            name, core = computed[key]
            yield connection, data.strings[name], data.strings[core], int(end) - int(begin)
    for connection, begin, end, name in data.rows("COMMUNICATION_OP", "connectionId", "startNs", "endNs", "opName"):
        yield connection, data.strings[name], "HCCL", int(end) - int(begin)


def kernels(folder):
    by_name, by_core = defaultdict(list), defaultdict(Fraction)
    for _, name, core, length in tasks(events(folder)):
        by_name[name].append(Fraction(length))
        by_core[core] += length
    return dict(by_name), dict(by_core)


def operators(folder):
    """By name. Device time is that of all tasks that the operator's connections lead to, including copies."""
    data = events(folder)
    leads = defaultdict(list)
    for key, connection in data.rows("CONNECTION_IDS", "id", "connectionId"):
        leads[key].append(connection)
    spent, matrix = defaultdict(int), defaultdict(int)
    collectives = {row[0] for row in data.rows("COMMUNICATION_OP", "connectionId")}
    computed = {row[0] for row in data.rows("COMPUTE_TASK_INFO", "globalTaskId")}
    rows = data.rows("TASK", "connectionId", "startNs", "endNs", "globalTaskId", "streamId", "taskId", "contextId")
    divided = {(stream, task) for *_, stream, task, context in rows if context not in (None, NO_CONTEXT)}
    for connection, begin, end, key, stream, task, context in rows:
        whole = key not in computed and context in (None, NO_CONTEXT) and (stream, task) in divided
        if connection not in collectives and not whole:  # parts of a collective do not count as work, nor does a task with parts
            spent[connection] += int(end) - int(begin)
    for connection, _, core, length in tasks(data):
        spent[connection] += length if connection in collectives else 0
        matrix[connection] += length if core == "AI_CORE" else 0
    spans = []
    stacks = defaultdict(list)
    rows = [row for row in data.rows("PYTORCH_API", "startNs", "endNs", "globalTid", "name", "connectionId", "type")
            if row[5] == OPERATOR]
    for begin, end, thread, name, key, _ in sorted(rows, key=lambda row: (int(row[0]), -int(row[1]))):
        span, stack = Span(data.strings[name], Fraction(int(begin)), Fraction(int(end))), stacks[thread]
        while stack and stack[-1].end <= span.start:
            stack.pop()
        if stack:
            span.parent = stack[-1]
            stack[-1].children.append(span)
        stack.append(span)
        for connection in leads.get(key, ()):
            span.device += spent[connection]
            span.matrix += matrix[connection]
        spans.append(span)
    groups = defaultdict(lambda: dict.fromkeys(NAMES, Fraction(0)))
    for span in _without_twins(spans):
        if span.name.startswith("ProfilerStep#"):
            continue
        device, on_matrix = _total(span)
        children = sum(child.end - child.start for child in span.children)
        for figure, value in zip(NAMES, (1, span.end - span.start - children, span.end - span.start, span.device, device,
                                         span.matrix, on_matrix)):
            groups[span.name][figure] += value
    return dict(groups)


def blocks(folder):
    data = events(folder)
    for name, size, begin, end, held, device in data.rows("OP_MEMORY", "name", "size", "allocationTime", "releaseTime", "duration",
                                                          "deviceId"):
        yield data.strings[name], abs(size), begin, end, held, f"NPU:{device}"


def curves(folder):
    data, found = events(folder), {}
    for component, time, allocated, reserved, device in data.rows("MEMORY_RECORD", "component", "timestamp", "totalAllocated",
                                                                  "totalReserved", "deviceId"):
        found.setdefault((f"NPU:{device}", data.strings[component]), []).append((time, allocated, reserved))
    for component, time, held, device in data.rows("NPU_MEM", "type", "timestampNs", "hbm", "deviceId"):
        if data.strings[component] == "app":  # the process; "device" is all processes together
            found.setdefault((f"NPU:{device}", "APP"), []).append((time, None, held))
    return found


def steps(folder):
    """As the text's: us, under the titles that the text has."""
    titles = {"computing": "Computing", "communication_not_overlapped": "Communication(Not Overlapped)", "overlapped": "Overlapped",
              "communication": "Communication", "free": "Free", "stage": "Stage", "bubble": "Bubble", "preparing": "Preparing"}
    found = {}
    for step, *sums in Database(folder, "analysis.db").rows("StepTraceTime", "step", *titles):
        found[step] = {title: Fraction(str(value)) * 1000 for title, value in zip(titles.values(), sums) if value is not None}
    return found
