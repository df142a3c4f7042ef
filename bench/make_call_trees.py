#!/usr/bin/env python3
"""Writes long recordings of call stacks: 2,000 functions, 3,000 stacks of 25 frames.

usage: bench/make_call_trees.py collapsed|speedscope|hatchet OUTPUT [MEGABYTES]
"""
import json
import random
import sys

DEPTH = 25


def collapsed(out, stacks, names, size):
    written = lines = 0
    while written < size:
        written += out.write(";".join(names[frame] for frame in stacks[lines % len(stacks)]) + f" {lines % 977 + 1}\n")
        lines += 1
    return lines, "lines"


def speedscope(out, stacks, names, size):
    texts = [json.dumps(stack) for stack in stacks]
    count = size // (len(texts[0]) + 6)
    out.write(json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": name} for name in names]}})[:-1])
    out.write(f', "profiles": [{{"type": "sampled", "name": "thread", "unit": "microseconds", "startValue": 0, "endValue": {count * 1000}, "samples": [')
    out.write(",".join(texts[at % len(texts)] for at in range(count)))
    out.write('], "weights": [' + ",".join(["1000"] * count) + "]}]}")
    return count, "samples"


def hatchet(out, stacks, names, size):
    """A root with a tree for each stack, again and again."""
    def tree(stack):
        text, opened = "", 0
        for frame in stack:
            text += f'{{"frame": {{"name": "{names[frame]}", "type": "function"}}, "metrics": {{"count": 1, "time (ns)": {frame + 1000}, "device_id": "0", "device_type": "CUDA"}}, "children": ['
            opened += 1
        return text + "]}" * opened

    trees = [tree(stack) for stack in stacks[:200]]
    count = size // len(trees[0])
    out.write('[{"frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0, "time (ns)": 0}, "children": [')
    out.write(",".join(trees[at % len(trees)] for at in range(count)))
    out.write(']}, {"CUDA": {"0": {"arch": "90", "clock_rate": 1980000, "memory_clock_rate": 2619000, "bus_width": 6144, "num_sms": 132}}}]')
    return count * DEPTH, "nodes"


def main():
    kind, path = sys.argv[1:3]
    size = int(float(sys.argv[3] if len(sys.argv) > 3 else 1000) * 1e6)
    draw = random.Random(1)
    names = [f"function_{at} (model_{at % 50}.py:{at})" for at in range(2000)]
    stacks = [[draw.randrange(2000) for _ in range(DEPTH)] for _ in range(3000)]
    with open(path, "w", encoding="utf-8") as out:
        count, what = {"collapsed": collapsed, "speedscope": speedscope, "hatchet": hatchet}[kind](out, stacks, names, size)
    print(f"{path}: {count} {what}")


if __name__ == "__main__":
    main()
