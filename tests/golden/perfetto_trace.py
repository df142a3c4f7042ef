"""A Perfetto trace decoded by hand: protocol buffers, interned names, tracks, and slices from their begins and ends. Shares no
code with the writer."""
import struct


def fields(data):
    """(number, value) of a message; bytes for length-delimited ones."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 1:
            yield key >> 3, struct.unpack_from("<Q", data, at)[0]
            at += 8
        elif kind == 2:
            size = varint()
            assert at + size <= len(data)
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError(f"wire type {kind}")


def one(message, number, default=None):
    return next((value for field, value in message if field == number), default)


def every(message, number):
    return [value for field, value in message if field == number]


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Trace:
    """tracks: uuid -> dict; slices: dicts, closed; counters: (uuid, time, value)."""

    def __init__(self, data):
        self.tracks, self.slices, self.counters, self.realtime_at = {}, [], [], None
        interned = {1: {}, 2: {}, 3: {}, 29: {}}
        open_slices, last = {}, {}
        for number, packet in fields(data):
            assert number == 1
            packet = list(fields(packet))
            for batch in every(packet, 12):
                for kind, entry in fields(batch):
                    entry = list(fields(entry))
                    assert one(entry, 1) not in interned[kind], "a name is written once"
                    interned[kind][one(entry, 1)] = one(entry, 2).decode()
            if (snapshot := one(packet, 6)) is not None:
                clocks = {one(c, 1): one(c, 2) for c in (list(fields(c)) for c in every(list(fields(snapshot)), 1))}
                self.realtime_at = clocks[1] - clocks[6]
            if (descriptor := one(packet, 60)) is not None:
                self.add_track(list(fields(descriptor)))
            if (event := one(packet, 11)) is None:
                continue
            event, time = list(fields(event)), one(packet, 8)
            uuid, kind = one(event, 11), one(event, 9)
            assert uuid in self.tracks, "a track is described before it is used"
            assert time >= last.get(uuid, 0), "events of a track are in order of time"
            last[uuid] = time
            stack = open_slices.setdefault(uuid, [])
            if kind == 1:
                made = {"track": uuid, "start": time, "name": interned[2][one(event, 10)], "category": interned[1][one(event, 3)], "depth": len(stack),
                        "flows": every(event, 47), "ends": every(event, 48), "args": dict(self.argument(list(fields(a)), interned) for a in every(event, 4))}
                stack.append(made)
            elif kind == 2:
                made = stack.pop()
                made["duration"] = time - made["start"]
                self.slices.append(made)
            else:
                assert kind == 4
                self.counters.append((uuid, time, struct.unpack("<d", struct.pack("<Q", one(event, 44)))[0]))
        assert not any(open_slices.values()), "what is begun is ended"

    def add_track(self, track):
        process, thread = one(track, 3), one(track, 4)
        known = {"name": (one(track, 2) or b"").decode(), "parent": one(track, 5), "counter": one(track, 8) is not None}
        if process is not None:
            process = list(fields(process))
            known |= {"pid": one(process, 1), "name": (one(process, 6) or b"").decode()}
        if thread is not None:
            thread = list(fields(thread))
            known |= {"pid": one(thread, 1), "tid": one(thread, 2), "name": (one(thread, 5) or b"").decode()}
        assert one(track, 1) not in self.tracks
        self.tracks[one(track, 1)] = known

    @staticmethod
    def argument(annotation, interned):
        key = interned[3][one(annotation, 1)]
        for number, read in ((4, signed), (5, lambda v: struct.unpack("<d", struct.pack("<Q", v))[0]), (9, bytes.decode), (17, interned[29].get)):
            if (value := one(annotation, number)) is not None:
                return key, read(value)
        raise ValueError(f"{key} has no value")
