#!/usr/bin/env python3
"""The traces of a job that trains by reinforcement learning: two ranks that train an actor, and two that roll out, in a folder
for each. Ranks, process groups and sequence numbers are equal in both folders.

usage: roles_job.py FOLDER
"""
import json
import pathlib
import sys

from pipeline_job import Trace

# us after the start of the trace, of each rank: the computing kernel, and the all-reduce.
TIMES = {"actor_update": (1, [((410, 430), (440, 460)), ((410, 440), (450, 460))]),
         "rollout": (2, [((900, 940), (950, 954)), ((900, 940), (948, 954))])}
UNIX_NS = 1_700_000_000_000_000_000


def traces(role):
    step, ranks = TIMES[role]
    for rank, (computing, reducing) in enumerate(ranks):
        trace = Trace(rank, 2)
        trace.step(step)
        trace.kernel("gemm", "aten::mm", computing[0], computing[1] - computing[0])
        trace.communicate("allreduce", "0", [0, 1], reducing[0], reducing[1] - reducing[0],
                          **{"Seq": 1, "Process Group Description": "dp"})
        yield trace


def written(folder, roles=tuple(TIMES), unix=True):
    for role in roles:
        (folder / role).mkdir(parents=True)
        for trace in traces(role):
            trace.write(folder / role)
            if not unix:
                continue
            path = folder / role / f"rank{trace.rank}.pt.trace.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "baseTimeNanoseconds": UNIX_NS}))
    return folder


if __name__ == "__main__":
    written(pathlib.Path(sys.argv[1]))
