#!/usr/bin/env python3
"""Makes the traces of a job of many ranks: a small transformer's steps, eight ranks to a node, kernels that vary from rank to rank.

usage: bench/make_ranks.py RANKS FOLDER [--steps 10] [--layers 8] [--kernels 12] [--plain]

Each node is a group "tp" that reduces activations twice a layer; ranks with the same place on their nodes are a group "dp" that
reduces gradients. Ranks wait for one another as in reality: a collective begins when its rank arrives and ends on all its ranks
at once. One rank (the middle one) computes 8% slower than the others, and one node is slow in one step, so the expected
findings are known. `--kernels` of each layer sets the size: about 3.2 KB of text each, layer and step.
"""
import argparse
import gzip
import json
import pathlib
import random

PER_NODE = 8
TRANSFER = {"tp": 90, "dp": 700}  # us
ELEMENTS = {"tp": 4 << 20, "dp": 48 << 20}


class Rank:
    def __init__(self, number, size):
        self.number, self.node = number, number // PER_NODE
        self.random = random.Random(number)
        self.speed = 1.08 if number == size // 2 else 1 + 0.01 * self.random.random()
        self.clock = 1_000_000 + self.random.randrange(400)  # its host's clock, and when it began
        self.now = float(self.clock)
        self.events, self.correlation, self.sequence = [], 0, {"tp": 0, "dp": 0}
        first = self.node * PER_NODE
        self.ranks = {"tp": list(range(first, min(first + PER_NODE, size))), "dp": list(range(number % PER_NODE, size, PER_NODE))}

    def add(self, category, name, tid, start, duration, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0 if category == "kernel" else self.pid, "tid": tid,
                            "ts": round(start, 3), "dur": round(duration, 3), "args": args})

    @property
    def pid(self):
        return 4000 + self.number % PER_NODE

    def launch(self, name, duration, operator, stream=7, start=None, **args):
        """A kernel, by default from `now` on, launched a little earlier on the host."""
        self.correlation += 1
        start = self.now if start is None else start
        external = 2 * self.correlation
        self.add("cpu_op", operator, 1, start - 30, 8, **{"External id": external})
        self.add("cuda_runtime", "cudaLaunchKernel", 1, start - 28, 4, **{"External id": external, "correlation": self.correlation})
        self.add("kernel", name, stream, start, duration,
                 **{"External id": external, "correlation": self.correlation, "device": 0, "stream": stream, **args})

    def compute(self, kernels, slow):
        for index in range(kernels):
            duration = 20 * self.speed * slow * (0.9 + 0.2 * self.random.random())
            self.launch(f"gemm_{index % 4}", duration, "aten::mm")
            self.now += duration + 1

    def collective(self, group, arrivals):
        """Ends when the last rank has arrived and the data is there; the clocks of ranks differ by a constant."""
        begun = self.now
        end = self.clock + max(arrivals) + TRANSFER[group]
        self.sequence[group] += 1
        ranks = self.ranks[group]
        shown = ranks if len(ranks) <= 30 else f"[{ranks[0]}, {ranks[1]}, ..., {ranks[-1]}]"
        self.launch("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", end - begun, "record_param_comms", 13, begun, **{
            "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": ELEMENTS[group], "Out msg nelems": ELEMENTS[group],
            "Group size": len(ranks), "Process Group Name": {"tp": "1", "dp": "2"}[group], "Process Group Description": group,
            "Process Group Ranks": str(shown), "Seq": self.sequence[group]})
        self.now = end + 1


def together(ranks, group):
    """One collective of every group of the kind."""
    arrivals = {}
    for rank in ranks:
        arrivals.setdefault(tuple(rank.ranks[group]), []).append(rank.now - rank.clock)
    for rank in ranks:
        rank.collective(group, arrivals[tuple(rank.ranks[group])])


def run(ranks, steps, layers, kernels):
    slow_node, slow_step = len(ranks) // PER_NODE // 4, steps // 2
    for step in range(steps):
        starts = [rank.now for rank in ranks]
        for _ in range(layers):
            for _ in range(2):
                for rank in ranks:
                    rank.compute(kernels, 1.3 if (rank.node, step) == (slow_node, slow_step) and len(ranks) > PER_NODE else 1)
                together(ranks, "tp")
        together(ranks, "dp")
        for rank, start in zip(ranks, starts):
            rank.now += 60
            rank.add("user_annotation", f"ProfilerStep#{step}", 1, start - 45, rank.now - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranks", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    for name, default in (("steps", 10), ("layers", 8), ("kernels", 12)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--plain", action="store_true", help="do not compress")
    chosen = parser.parse_args()
    ranks = [Rank(number, chosen.ranks) for number in range(chosen.ranks)]
    run(ranks, chosen.steps, chosen.layers, chosen.kernels)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for rank in ranks:
        device = {"id": 0, "name": "Made-up GPU", "totalGlobalMem": 80 << 30, "computeMajor": 9, "computeMinor": 0, "numSms": 132}
        text = json.dumps({"schemaVersion": 1, "deviceProperties": [device], "host_name": f"node{rank.node:03}",
                           "distributedInfo": {"backend": "nccl", "rank": rank.number, "world_size": chosen.ranks},
                           "traceEvents": rank.events}).encode()
        name = f"node{rank.node:03}_{rank.pid}.1700000000000.pt.trace.json"
        if chosen.plain:
            (chosen.folder / name).write_bytes(text)
        else:
            (chosen.folder / f"{name}.gz").write_bytes(gzip.compress(text, 1, mtime=0))
        rank.events = None
    print(f"{chosen.ranks} ranks in {chosen.folder}")


if __name__ == "__main__":
    main()
