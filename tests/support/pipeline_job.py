#!/usr/bin/env python3
"""The traces of a job with pipeline parallelism: four stages whose schedule is GPipe by hand, or interleaved.

usage: pipeline_job.py FOLDER
"""
import json
import pathlib
import sys

STAGES, FORWARD, BACKWARD, START, HOST_STEP = 4, 10, 20, 10, 400  # us


class Trace:
    def __init__(self, rank, size):
        self.rank, self.size, self.events, self.launches = rank, size, [], 0

    def add(self, category, name, tid, start, duration, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0 if category == "kernel" else 100, "tid": tid,
                            "ts": start, "dur": duration, "args": args})

    def step(self, number):
        self.host = number * HOST_STEP
        self.add("user_annotation", f"ProfilerStep#{number}", 1, self.host, HOST_STEP)
        self.host += 1

    def kernel(self, name, operator, start, duration, stream=7, **args):
        self.launches += 1
        self.add("cpu_op", operator, 1, self.host, 0.5)
        self.add("cuda_runtime", "cudaLaunchKernel", 1, self.host + 0.1, 0.2, correlation=self.launches)
        self.add("kernel", name, stream, start, duration, correlation=self.launches, device=0, stream=stream, **args)
        self.host += 1

    def communicate(self, kind, group, ranks, start, duration, **args):
        self.kernel("ncclDevKernel_SendRecv", "record_param_comms", start, duration, 13, **{
            "Collective name": kind, "dtype": "Float", "In msg nelems": 100, "Out msg nelems": 100, "Group size": len(ranks),
            "Process Group Name": group, "Process Group Ranks": str(ranks), **args})

    def write(self, folder):
        device = {"id": 0, "name": "Made-up GPU", "totalGlobalMem": 1 << 30, "computeMajor": 9, "computeMinor": 0, "numSms": 132}
        text = {"schemaVersion": 1, "deviceProperties": [device], "host_name": "node",
                "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": self.size}, "traceEvents": self.events}
        (folder / f"rank{self.rank}.pt.trace.json").write_text(json.dumps(text))


def gpipe(trace, stage, step, micro_batches, in_pairs=False, forward=FORWARD):
    """The forward of micro-batch j on stage s begins (s + j) * 10 after the start; when the last stage has done all of them, the
    backward of j begins ((3 - s) + j) * 20 later."""
    def transfer(kind, other, start):
        pair = sorted((stage, other))
        group = (f"p{pair[0]}", pair, {}) if in_pairs else ("5", list(range(STAGES)), {"Process Group Description": "pp"})
        trace.communicate(kind, group[0], group[1], start, 2, **group[2])

    begin = step * HOST_STEP + START
    turn = begin + (STAGES - 1 + micro_batches) * FORWARD
    trace.step(step)
    for batch in range(micro_batches):
        at = begin + (stage + batch) * FORWARD
        if stage > 0:
            transfer("recv", stage - 1, at - 2)
        trace.kernel("gemm", "aten::mm", at, forward)
        if stage < STAGES - 1:
            transfer("send", stage + 1, at + FORWARD)
    for batch in range(micro_batches):
        at = turn + (STAGES - 1 - stage + batch) * BACKWARD
        if stage < STAGES - 1:
            transfer("recv", stage + 1, at - 2)
        trace.kernel("gemm_grad", "autograd::engine::evaluate_function: MmBackward0", at, BACKWARD)
        if stage > 0:
            transfer("send", stage - 1, at + BACKWARD)


def interleaved(trace, stage, step, micro_batches=STAGES, chunks=2, stages=STAGES, ring="5"):
    """`chunks` parts of the model on each rank, of half the time each: part c of rank s is stage c * stages + s of the model. Its
    forward of micro-batch j begins (c * stages + s + j) * 5 after the start, and the backward is the mirror image."""
    begin, rounds, forward, backward = step * HOST_STEP + START, chunks * stages, FORWARD // 2, BACKWARD // 2
    turn = begin + (rounds - 1 + micro_batches) * forward
    ranks = list(range(stages))

    def transfer(kind, start):
        trace.communicate(kind, ring, ranks, start, 2, **{"Process Group Description": "pp"})

    trace.step(step)
    work = [(begin + (c * stages + stage + j) * forward, "f", c) for c in range(chunks) for j in range(micro_batches)]
    work += [(turn + (rounds - 1 - c * stages - stage + j) * backward, "b", c) for c in range(chunks) for j in range(micro_batches)]
    for at, way, chunk in sorted(work):
        of_model = chunk * stages + stage
        length = forward if way == "f" else backward
        if of_model != (0 if way == "f" else rounds - 1):
            transfer("recv", at - 2)
        if way == "f":
            trace.kernel("gemm", "aten::mm", at, length)
        else:
            trace.kernel("gemm_grad", "autograd::engine::evaluate_function: MmBackward0", at, length)
        if of_model != (rounds - 1 if way == "f" else 0):
            transfer("send", at + length)


def interleaved_job(stages=STAGES, **how):
    traces = [Trace(stage, stages) for stage in range(stages)]
    for stage, trace in enumerate(traces):
        interleaved(trace, stage, 1, stages=stages, **how)
    return traces


def job(**how):
    """Step 1 has two micro-batches, and the forward of stage 1 takes 8 instead of 10; step 2 has four."""
    traces = [Trace(stage, STAGES) for stage in range(STAGES)]
    for stage, trace in enumerate(traces):
        gpipe(trace, stage, 1, 2, **how, forward=8 if stage == 1 else FORWARD)
        gpipe(trace, stage, 2, 4, **how)
    return traces


def written(folder, traces):
    for trace in traces:
        trace.write(folder)
    return folder


if __name__ == "__main__":
    written(pathlib.Path(sys.argv[1]), job())
