#!/usr/bin/env python3
"""Writes a memory snapshot of about a given size, with stacks of 25 frames that share them, as PyTorch pickles them.

usage: bench/make_snapshot.py OUTPUT [MEGABYTES]
"""
import pickle
import random
import sys


def main():
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 100
    draw = random.Random(1)
    frames = [{"name": f"function_{at}", "filename": f"/program/model_{at % 50}.py", "line": at} for at in range(2000)]
    stacks = [[draw.choice(frames) for _ in range(25)] for _ in range(3000)]
    live, trace, time = [], [], 1_700_000_000_000_000
    for _ in range(int(megabytes * 1e6 / 262)):
        time += draw.randrange(1, 9)
        if len(live) < 3000 or draw.random() < 0.5:
            live.append((0x7F0000000000 + draw.randrange(1 << 30) * 512, draw.randrange(1, 1 << 16) * 512))
            at, size = live[-1]
            actions = ["alloc"]
        else:
            place = draw.randrange(len(live))
            live[place], live[-1] = live[-1], live[place]
            at, size = live.pop()
            actions = ["free_requested", "free_completed"]
        for action in actions:
            trace.append({"action": action, "addr": at, "size": size, "stream": 0, "time_us": time, "compile_context": "N/A", "frames": list(draw.choice(stacks))})
    with open(sys.argv[1], "wb") as file:
        pickle.dump({"segments": [], "device_traces": [trace], "external_annotations": []}, file)
    print(len(trace), "entries")


if __name__ == "__main__":
    main()
