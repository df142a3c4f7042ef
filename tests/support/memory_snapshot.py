"""Memory snapshots of our own making, in the form that torch.cuda.memory._dump_snapshot() pickles, and a slow replay of one."""
import random

FRAMES = [{"name": "forward", "filename": "model.py", "line": 7}, {"name": "main", "filename": "train.py", "line": 3}]


def entry(action, addr, size, time, **more):
    place = {"device_free": addr} if action == "oom" else {"addr": addr}
    return {"action": action, **place, "size": size, "stream": 0, "time_us": time, "frames": FRAMES, **more}


def segment(address, blocks, device=0):
    """`blocks`: (size, state)."""
    made, at = [], address
    for size, state in blocks:
        made.append({"address": at, "size": size, "requested_size": size, "state": state, "frames": []})
        at += size
    allocated = sum(size for size, state in blocks if state == "active_allocated")
    active = sum(size for size, state in blocks if state != "inactive")
    return {"device": device, "address": address, "total_size": at - address, "allocated_size": allocated, "active_size": active,
            "requested_size": allocated, "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0), "is_expandable": False,
            "frames": FRAMES, "blocks": made}


def annotation(stage, name, time, device=0):
    return {"stage": stage, "name": name, "device": device, "time_us": time}


def small(start=1_700_000_000_000_000):
    """Device 1: 100 bytes allocated before the history and released in it, 400 allocated before it and kept, 1,000 allocated in it and
    released, 300 allocated in it and kept."""
    trace = [entry("segment_alloc", 0x9000, 2000, start), entry("alloc", 0x9000, 1000, start + 10), entry("free_requested", 0x100, 100, start + 20),
             entry("free_completed", 0x100, 100, start + 20), entry("alloc", 0x9400, 300, start + 30), entry("oom", 50, 99999, start + 40),
             entry("free_requested", 0x9000, 1000, start + 50), entry("free_completed", 0x9000, 1000, start + 60)]
    return {"segments": [segment(0x9000, [(0x400, "inactive"), (300, "active_allocated"), (2000 - 0x400 - 300, "inactive")], 1),
                         segment(0x20000, [(400, "active_allocated"), (600, "inactive")], 1)],
            "device_traces": [[], trace],
            "allocator_settings": {"expandable_segments": False, "max_split_size": -1},
            "external_annotations": [annotation("START", "ProfilerStep#4", start + 5, 1), annotation("END", "ProfilerStep#4", start + 55, 1)]}


def random_trace(seed, entries=3000):
    """A history with every kind of block, whose segments are as they must be at its end."""
    draw = random.Random(seed)
    live, trace, time = {}, [], 1_700_000_000_000_000
    for address in range(1, 40):
        live[address << 20] = draw.randrange(1, 1 << 19)
    while len(trace) < entries:
        time += draw.randrange(0, 50)
        if draw.random() < 0.52:
            address = draw.randrange(40, 4000) << 20
            if address in live:
                continue
            live[address] = draw.randrange(1, 1 << 19)
            trace.append(entry("alloc", address, live[address], time))
        elif live:
            address = draw.choice(sorted(live))
            size = live.pop(address)
            trace.append(entry("free_requested", address, size, time))
            trace.append(entry("free_completed", address, size, time))
    return {"segments": [segment(address, [(size, "active_allocated")]) for address, size in live.items()], "device_traces": [trace]}


def replay(snapshot, device):
    """Bytes allocated before the history, after each allocation and release, and the most of them: by two sweeps over plain lists."""
    trace = snapshot["device_traces"][device]
    releases = "free_requested" if any(each["action"] == "free_requested" for each in trace) else "free_completed"
    known, before = set(), 0
    for each in trace:
        if each["action"] == "alloc":
            known.add(each["addr"])
        elif each["action"] == releases:
            before += 0 if each["addr"] in known else each["size"]
            known.discard(each["addr"])
    for each in snapshot["segments"]:
        if each["device"] == device and sum(block["size"] for block in each["blocks"]) == each["total_size"]:
            before += sum(block["size"] for block in each["blocks"] if block["state"] == "active_allocated" and block["address"] not in known)
    now, after = before, []
    for each in trace:
        if each["action"] in ("alloc", releases):
            now += each["size"] if each["action"] == "alloc" else -each["size"]
            after.append(now)
    return before, after, max(after, default=before)
