#!/usr/bin/env python3
"""Makes a large Ascend profile of one rank, as text and as a database, under build/bench/, and reuses what is already there.

usage: bench/make_ascend.py [text] [database] [--bytes 1e9] [--folder build/bench]

One step after the other: operators on a thread, each with a call of the driver and a task on one of three streams, copies, waits, and
at the end of a step a collective with its parts on planes. Lengths vary by a fixed rule, so a file is the same every time. The text is
trace_view.json and kernel_details.csv; the database has the tables that the framework's profiler writes for the same content.
"""
import argparse
import itertools
import os
import pathlib
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = 1_736_408_883_700_000_000  # ns since 1970
PROCESS, THREAD, QUEUE = 4321, 4321, 4400
DRIVER, HARDWARE, COLLECTIVES = ((PROCESS << 10) + (place << 5) for place in (7, 13, 15))
OPERATORS = 400  # of a step
KINDS = [("aten::mm", "MatMulV2", "AI_CORE"), ("aten::add", "Add", "AI_VECTOR_CORE"), ("aten::copy_", "MEMCPY_ASYNC", None),
         ("aten::softmax", "SoftmaxV2", "AI_VECTOR_CORE"), ("aten::linear", "MatMulV3", "MIX_AIC")]


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def operators():
    """Endless: (number, step, kind, start of the operator, its length, start of the task, its length)."""
    clock = BEGIN
    for number in itertools.count():
        step, place = divmod(number, OPERATORS)
        length = 9_000 + (number * 7919) % 6_000
        task = 4_000 + (number * 104729) % 9_000
        yield number, step, KINDS[number * 31 % 5] if place else KINDS[0], clock, length, clock + 20_000 + number % 997, task
        clock += 16_000


def write_text(folder, most):
    with open(folder / "part_trace_view.json", "w") as trace, open(folder / "part_kernel_details.csv", "w") as kernels:
        kernels.write("Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Stream ID,Task ID,"
                      "aicore_time(us),aic_mac_ratio,aic_mte2_ratio,cube_utilization(%)\n")
        trace.write("[" + ",\n".join(
            f'{{"ph":"M","name":"process_name","pid":{pid},"tid":0,"args":{{"name":"{name}"}}}}'
            for pid, name in ((PROCESS, "Python"), (DRIVER, "CANN"), (HARDWARE, "Ascend Hardware"), (COLLECTIVES, "HCCL"))))
        for plane in range(4):
            trace.write(f',\n{{"ph":"M","name":"thread_name","pid":{COLLECTIVES},"tid":{plane + 1},"args":{{"name":"Plane {plane}"}}}}')
        for number, step, (operator, kernel, core), start, length, task, ran in operators():
            stream, connection = 2 + number % 3, number + 1000
            trace.write(
                f',\n{{"ph":"X","name":"{operator}","pid":{PROCESS},"tid":{THREAD},"ts":"{us(start)}","dur":{length / 1000},"cat":"cpu_op",'
                f'"args":{{"Sequence number":{number},"Fwd thread id":0,"Input Dims":"32,{number % 64};\\r\\n64","Input type":"float;\\r\\nfloat"}}}},\n'
                f'{{"ph":"X","name":"Enqueue","pid":{PROCESS},"tid":{THREAD},"ts":"{us(start + 900)}","dur":1.5,"cat":"enqueue","args":{{"correlation_id":{number}}}}},\n'
                f'{{"name":"Node@launch","pid":{DRIVER},"tid":{QUEUE},"ts":"{us(start + 3000)}","dur":5.25,"args":{{"Thread Id":{QUEUE},"Mode":"launch",'
                f'"level":"node","id":"{kernel}","item_id":"0","connection_id":{connection}}},"ph":"X"}},\n'
                f'{{"name":"{kernel}","pid":{HARDWARE},"tid":{stream},"ts":"{us(task)}","dur":{ran / 1000},"args":{{"Model Id":4294967295,'
                f'"Task Type":"{core or "SDMA_SQE"}","Physic Stream Id":{stream},"Task Id":{number % 65536},"Batch Id":0,"Subtask Id":4294967295,'
                f'"connection_id":{connection}}},"ph":"X"}},\n'
                f'{{"ph":"s","bp":"e","name":"torch_to_npu","id":{task},"pid":{PROCESS},"tid":{THREAD},"ts":"{us(start)}","cat":"async_npu"}},\n'
                f'{{"ph":"f","bp":"e","name":"torch_to_npu","id":{task},"pid":{HARDWARE},"tid":{stream},"ts":"{us(task)}","cat":"async_npu"}}')
            if core:
                kernels.write(f"{step},{kernel},{kernel},{core},{us(task)}\t,{ran / 1000},{number % 40},24,{stream},{number % 65536},"
                              f"{ran / 1100:.3f},0.{number % 999:03d},0.{number % 500:03d},{number % 100}.5\n")
            if number % OPERATORS == OPERATORS - 1:
                trace.write(
                    f',\n{{"ph":"X","name":"ProfilerStep#{step}","pid":{PROCESS},"tid":{THREAD},"ts":"{us(start - 16_000 * (OPERATORS - 1))}",'
                    f'"dur":{16 * OPERATORS - 1},"cat":"cpu_op","args":{{}}}},\n'
                    f'{{"name":"hcom_allReduce__586_{step}_1","pid":{COLLECTIVES},"tid":0,"ts":"{us(start)}","dur":80.5,"args":{{"connection_id":'
                    f'{connection + 1_000_000_000},"model id":4294967295,"data_type":"FP32","alg_type":"MESH-RING","count":4097000}},"ph":"X"}}')
                for plane in range(4):
                    trace.write(
                        f',\n{{"name":"Memcpy","pid":{COLLECTIVES},"tid":{plane + 1},"ts":"{us(start + 100 * plane)}","dur":20.125,"args":{{"notify_id":"0",'
                        f'"stream id":9,"task id":{step},"task type":"Memcpy","src rank":0,"dst rank":{plane},"size(Byte)":2064384}},"ph":"X"}}')
                if trace.tell() >= most:
                    trace.write("]\n")
                    return


def write_database(folder, most):
    path = folder / "part_ascend_pytorch_profiler_0.db"
    path.unlink(missing_ok=True)
    texts = {}

    def text(value):
        return texts.setdefault(value, len(texts))

    with sqlite3.connect(path) as file:
        file.executescript("""PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
            CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber
              INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type INTEGER);
            CREATE TABLE CONNECTION_IDS (id INTEGER, connectionId INTEGER);
            CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER);
            CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid
              INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
            CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER, mixBlockDim INTEGER, taskType
              INTEGER, opType INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, inputShapes INTEGER);
            CREATE TABLE TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);
            CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId
              INTEGER PRIMARY KEY, dataType INTEGER, count NUMERIC);""")
        rows = {name: [] for name in ("PYTORCH_API", "CONNECTION_IDS", "CANN_API", "TASK", "COMPUTE_TASK_INFO", "TASK_PMU_INFO", "COMMUNICATION_OP")}

        def flush():
            for table, waiting in rows.items():
                if waiting:
                    file.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(waiting[0]))})", waiting)
                    waiting.clear()

        for number, step, (operator, kernel, core), start, length, task, ran in operators():
            stream, connection = 2 + number % 3, number + 1000
            rows["PYTORCH_API"].append((str(start), str(start + length), PROCESS << 32 | THREAD, number, text(operator), number, 0,
                                        text("float;\r\nfloat"), text(f"32,{number % 64};\r\n64"), None, 50001))
            rows["CONNECTION_IDS"].append((number, connection))
            rows["CANN_API"].append((start + 3000, start + 8250, 10000, PROCESS << 32 | QUEUE, connection, text("launch")))
            rows["TASK"].append((task, task + ran, 0, connection, number, PROCESS, text("KERNEL_AICORE" if core else "MEMCPY_ASYNC"),
                                 4294967295, stream, number % 65536, 4294967295))
            if core:
                rows["COMPUTE_TASK_INFO"].append((text(kernel), number, 24, 0, text(core), text(kernel), text("ND;ND"), text("FLOAT;FLOAT"),
                                                  text(f'"32,{number % 64};64"')))
                rows["TASK_PMU_INFO"] += [(number, text(name), ran % prime / prime) for name, prime in (
                    ("aicore_time(us)", 11), ("aic_mac_ratio", 997), ("aic_mte2_ratio", 499), ("cube_utilization(%)", 97))]
            if number % OPERATORS == OPERATORS - 1:
                rows["PYTORCH_API"].append((str(start - 16_000 * (OPERATORS - 1)), str(start + 15_000), PROCESS << 32 | THREAD, None,
                                            text(f"ProfilerStep#{step}"), -1, 0, None, None, None, 50001))
                rows["COMMUNICATION_OP"].append((text(f"hcom_allReduce__586_{step}_1"), start, start + 80_500, connection + 1_000_000_000,
                                                 text("17522688603477080586"), step, 4, 4_097_000))
                if step % 64 == 63:
                    flush()
                    if path.stat().st_size >= most:
                        break
        flush()
        file.executemany("INSERT INTO STRING_IDS VALUES (?, ?)", [(key, value) for value, key in texts.items()])
    file.close()


KINDS_OF_FILES = {"text": (write_text, ("trace_view.json", "kernel_details.csv")), "database": (write_database, ("ascend_pytorch_profiler_0.db",))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinds", nargs="*", metavar="text|database", help="default: both")
    parser.add_argument("--bytes", type=float, default=1e9, help="size of the trace, or of the database (default 1e9)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "bench")
    chosen = parser.parse_args()
    for kind in chosen.kinds or KINDS_OF_FILES:
        if kind not in KINDS_OF_FILES:
            parser.error(f"unknown kind {kind!r}: choose text or database")
        write, names = KINDS_OF_FILES[kind]
        folder = chosen.folder / f"ascend_{kind}"
        folder.mkdir(parents=True, exist_ok=True)
        if all((folder / name).exists() for name in names):
            print(f"{folder}: reused", file=sys.stderr)
            continue
        write(folder, chosen.bytes)
        for name in names:  # an incomplete file never takes the final name
            os.replace(folder / f"part_{name}", folder / name)
        print(f"{folder}: written, {sum((folder / name).stat().st_size for name in names) / 1e9:.3f} GB", file=sys.stderr)


if __name__ == "__main__":
    main()
