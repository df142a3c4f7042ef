"""Memory snapshots of our own making, in the form that torch.cuda.memory._dump_snapshot() pickles, and a slow replay of one."""
import random

MAIN = {"name": "main", "filename": "/home/me/train.py", "line": 3}
FRAMES = [{"name": "forward", "filename": "model.py", "line": 7}, MAIN]
LINEAR = {"name": "forward", "filename": "/env/site-packages/torch/nn/modules/linear.py", "line": 125}
ADAM = {"name": "step", "filename": "/env/site-packages/torch/optim/adam.py", "line": 40}
STACKS = [FRAMES, [{"name": "at::empty", "filename": "??", "line": 0}, LINEAR] + FRAMES, [ADAM, {**MAIN, "line": 9}], [LINEAR],
          [{"name": "load", "filename": "/home/me/data/read.py", "line": 12}, MAIN], []]


def entry(action, addr, size, time, **more):
    place = {"device_free": addr} if action == "oom" else {"addr": addr}
    return {"action": action, **place, "size": size, "stream": 0, "time_us": time, "frames": FRAMES, **more}


def block(address, size, state, frames=()):
    return {"address": address, "size": size, "requested_size": max(0, size - 3), "state": state, "frames": list(frames)}


def segment(address, blocks, device=0):
    """`blocks`: (size, state)."""
    made, at = [], address
    for size, state in blocks:
        made.append(block(at, size, state, STACKS[address % 6] if state != "inactive" else ()))
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
            trace.append(entry("alloc", address, live[address], time, frames=draw.choice(STACKS)))
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


def line(frames):
    """The innermost frame that is not a library's, else the innermost one, as the program writes it; None without frames."""
    own = [frame for frame in frames if "/torch/" not in frame["filename"] and frame["filename"] != "??"]
    if not frames:
        return None
    frame = (own or frames)[0]
    place = "/".join(frame["filename"].split("/")[-2:])
    return f"{frame['name']} ({place}:{frame['line']})" if frame["line"] else f"{frame['name']} ({place})"


def live_by_line(snapshot, device):
    """Bytes by line at the first peak; None: no stack; "before": allocated before the history, by what is unknown."""
    before, after, peak = replay(snapshot, device)
    moment = after.index(peak)
    releases = "free_requested" if any(each["action"] == "free_requested" for each in snapshot["device_traces"][device]) else "free_completed"
    changes = [each for each in snapshot["device_traces"][device] if each["action"] in ("alloc", releases)]
    live, lines, known = {}, {}, set()

    def add(name, size):
        lines[name] = lines.get(name, 0) + size

    for number, each in enumerate(changes):
        if each["action"] == "alloc":
            known.add(each["addr"])
            if number <= moment:
                live[each["addr"]] = each
        elif number <= moment:
            live.pop(each["addr"], None)
            known.discard(each["addr"])
        else:
            if each["addr"] not in known:
                add("before", each["size"])
            known.discard(each["addr"])
    for each in live.values():
        add(line(each["frames"]), each["size"])
    for each in snapshot["segments"]:
        if each["device"] == device and sum(block["size"] for block in each["blocks"]) == each["total_size"]:
            for block in each["blocks"]:
                if block["state"] == "active_allocated" and block["address"] not in known:
                    add(line(block["frames"]) or "before", block["size"])
    add("before", peak - sum(lines.values()))
    return {name: size for name, size in lines.items() if size}


def pools(snapshot, device):
    """By kind, stream and pool: bytes reserved, allocated, awaiting their release and free, and the sizes of the free blocks."""
    sums = {}
    for each in snapshot["segments"]:
        if each["device"] != device:
            continue
        of = sums.setdefault((each["segment_type"], each["stream"], ".".join(map(str, each["segment_pool_id"]))), [0, 0, 0, 0, []])
        of[0] += each["total_size"]
        for block in each["blocks"]:
            of[{"active_allocated": 1, "inactive": 3}.get(block["state"], 2)] += block["size"]
            if block["state"] == "inactive":
                of[4].append(block["size"])
    return sums


def random_segments(seed):
    """Segments of several streams and pools, cut into blocks."""
    draw = random.Random(seed)
    segments, at = [], 0x7F0000000000
    for _ in range(40):
        left = draw.choice([2, 20, 20, 34]) << 20
        kind = "small" if left == 2 << 20 else "large"
        blocks, size = [], left
        while left:
            part = min(left, draw.randrange(1, max(2, size >> 10)) * 512)
            blocks.append(block(at + size - left, part, draw.choice(["active_allocated", "inactive", "active_pending_free"]), draw.choice(STACKS)))
            left -= part
        segments.append({"device": 0, "address": at, "total_size": size, "allocated_size": sum(b["size"] for b in blocks if b["state"] == "active_allocated"),
                         "active_size": sum(b["size"] for b in blocks if b["state"] != "inactive"), "requested_size": 0, "stream": draw.choice([0, 0, 7]),
                         "segment_type": kind, "segment_pool_id": draw.choice([(0, 0), (0, 0), (0, 1)]), "is_expandable": False, "frames": draw.choice(STACKS),
                         "blocks": blocks})
        at += 64 << 20
    return {"segments": segments, "device_traces": [[entry("oom", 1 << 20, 30 << 20, 1_700_000_000_000_000)]]}
