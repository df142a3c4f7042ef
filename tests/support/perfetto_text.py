"""Perfetto traces written as text, for tests. Each line is a packet, or says something about those that follow.

    style interned 1000                   names, categories and keys are written once, numbered from 1000 or 1 (default: inline, with each event)
    sequence 2                            of the packets that follow (default 1); clear: a packet that clears its state
    dropped                               the next packet says that packets before it were lost
    defaults track=5 clock=64             for the events of this sequence
    clocks 6=1000 1=1700000000000001000   a snapshot: clock=time; 64=0/incremental/1000 is a clock of that unit; primary=6
    process 1 pid=100 name="python"       a track and what it is: process, thread, track, counter; parent=1, label=, description=
    counter 4 parent=1 name="bytes" multiplier=1024 incremental=1
    begin 2 @100 "aten::mm" (cpu_op) {"External id": 1} flow=7 ends=8 gpu=9      on track 2; ~64 after the time: of that clock
    end 2 @150
    instant 2 @160 "mark"
    count 4 @100 = 3.5                    extra counters of an event: +4=3.5
    names 24 1="Kernel" 100="stream 07"   interned data by field; of the sequence
    stage 0 @100+50 queue=100 stage=1 id=5 name="gemm" kernel=1 grid=2,1,1 block=64,1,1 args={"registers_per_thread": 32} {"correlation": "5"} waits=4
    gpu 0 @100 3="Power (W)":250.5         values of counters of a device, with their names
    packed 3 zstd                         the last 3 packets as one packet that is compressed by zstd (default: zlib)
    raw 37 "abc"                          a packet with that field; bytes 0a02: bytes of the file

usage: tests/support/perfetto_text.py TEXT|- OUT[.gz]
"""
import gzip
import json
import pathlib
import re
import struct
import sys
import zlib

TOKEN = re.compile(r'''\s+|(?P<json>\{.*\})(?=\s|$)|\((?P<category>[^)]*)\)|@(?P<time>-?\d+)(?:\+(?P<duration>\d+))?(?:~(?P<clock>\d+))?|'''
                   r'''=\s*(?P<value>-?[\d.]+)|(?P<key>[\w.+]+)=(?P<of>\{[^}]*\}|"[^"]*"(?::-?[\d.]+)?|\S+)|"(?P<text>[^"]*)"|(?P<word>\S+)''')


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(int(value))


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def fixed(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", int(value))


def real(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", float(value))


def plain(text):
    return text[1:-1] if text.startswith('"') else text


class Line:
    """The parts of a line: words, keys, and what has a form of its own."""

    def __init__(self, text):
        self.words, self.keys, self.texts, self.args = [], [], [], None
        self.category = self.time = self.duration = self.clock = self.value = None
        for token in TOKEN.finditer(text):
            if token["json"] is not None:
                self.args = json.loads(token["json"])
            elif token["category"] is not None:
                self.category = token["category"]
            elif token["time"] is not None:
                self.time, self.duration, self.clock = (None if part is None else int(part) for part in token.group("time", "duration", "clock"))
            elif token["value"] is not None:
                self.value = token["value"]
            elif token["key"] is not None:
                self.keys.append((token["key"], token["of"]))
            elif token["text"] is not None:
                self.texts.append(token["text"])
            elif token["word"] is not None:
                self.words.append(token["word"])

    def get(self, key, default=None):
        return next((plain(value) for name, value in self.keys if name == key), default)

    def every(self, key):
        return [plain(value) for name, value in self.keys if name == key]


class TraceText:
    def __init__(self, text):
        self.packets, self.interned, self.pending, self.sequence, self.style = [], {}, {}, 1, "inline"
        self.next_dropped, self.started, self.first_number = False, set(), 1
        self.take(text)

    def take(self, text):
        for line in text.splitlines():
            line = line.split(" # ")[0].strip()
            if line and not line.startswith("#"):
                word, _, rest = line.partition(" ")
                getattr(self, "take_" + word)(Line(rest))

    def bytes(self):
        return b"".join(self.packets)

    # ---- packets ----

    def packet(self, body, flags=2):
        if self.sequence not in self.started:
            flags |= 1
            self.started.add(self.sequence)
            self.interned[self.sequence] = {}
        for pending in self.pending.pop(self.sequence, []):
            body += data(12, pending)
        if self.next_dropped:
            body += number(42, 1)
            self.next_dropped = False
        self.packets.append(data(1, body + number(10, self.sequence) + number(13, flags)))

    def timed(self, line, body):
        clock = b"" if line.clock is None else number(58, line.clock)
        self.packet((b"" if line.time is None else number(8, line.time)) + clock + body)

    def intern(self, field, text):
        known = self.interned.setdefault(self.sequence, {})
        if (field, text) not in known:
            known[field, text] = self.first_number + len(known)
            self.pending.setdefault(self.sequence, []).append(data(field, number(1, known[field, text]) + data(2, text)))
        return known[field, text]

    def take_style(self, line):
        self.style = line.words[0]
        self.first_number = int(line.words[1]) if len(line.words) > 1 else 1

    def take_sequence(self, line):
        self.sequence = int(line.words[0])

    def take_dropped(self, line):
        self.next_dropped = True

    def take_clear(self, line):
        self.interned[self.sequence] = {}
        self.started.add(self.sequence)
        self.packet(b"", 1)

    def take_unstarted(self, line):
        """Packets of this sequence refer to state that was never written."""
        self.started.add(self.sequence)

    def take_defaults(self, line):
        event = number(11, line.get("track")) if line.get("track") else b""
        clock = number(58, line.get("clock")) if line.get("clock") else b""
        self.packet(data(59, clock + data(11, event)))

    def take_clocks(self, line):
        body = b""
        for clock, reading in line.keys:
            if clock == "primary":
                body += number(2, reading)
                continue
            time, *more = reading.split("/")
            unit = b"".join(number(4, part) if part.isdigit() else number(3, 1) for part in more)
            body += data(1, number(1, clock) + number(2, time) + unit)
        self.packet(data(6, body))

    def take_raw(self, line):
        self.packet(data(int(line.words[0]), line.texts[0]))

    def take_bytes(self, line):
        self.packets.append(bytes.fromhex(line.words[0]))

    def take_packed(self, line):
        count = int(line.words[0])
        whole = b"".join(self.packets[-count:])
        if "zstd" in line.words:
            import pyarrow

            pack = data(133, pyarrow.Codec("zstd").compress(whole, asbytes=True))
        else:
            pack = data(50, zlib.compress(whole))
        self.packets[-count:] = [data(1, pack)]

    # ---- tracks ----

    def track(self, line, about=b"", named=True):
        body = number(1, line.words[0]) + about
        if line.get("parent"):
            body += number(5, line.get("parent"))
        if named and line.get("name"):
            body += data(2, line.get("name"))
        if line.get("description"):
            body += data(14, line.get("description").replace("\\n", "\n"))
        self.packet(data(60, body))

    def take_process(self, line):
        about = number(1, line.get("pid")) + data(6, line.get("name", "")) + b"".join(data(8, label) for label in line.every("label"))
        self.track(line, data(3, about), named=False)

    def take_thread(self, line):
        self.track(line, data(4, number(1, line.get("pid")) + number(2, line.get("tid")) + data(5, line.get("name", ""))), named=False)

    def take_track(self, line):
        self.track(line)

    def take_counter(self, line):
        about = b"".join(number(field, line.get(key)) for key, field in (("unit", 3), ("multiplier", 4), ("incremental", 5)) if line.get(key))
        self.track(line, data(8, about))

    # ---- events ----

    def value(self, value):
        if isinstance(value, bool):
            return number(2, value)
        if isinstance(value, int):
            return number(4, value)
        if isinstance(value, float):
            return real(5, value)
        if isinstance(value, list):
            return b"".join(data(12, self.value(item)) for item in value)
        if isinstance(value, dict):
            return b"".join(data(11, self.annotation(key, item)) for key, item in value.items())
        return number(17, self.intern(29, value)) if self.style == "interned" else data(6, value)

    def annotation(self, key, value):
        named = number(1, self.intern(3, key)) if self.style == "interned" else data(10, key)
        return named + self.value(value)

    def event(self, line, kind):
        body = number(9, kind)
        if line.words:
            body += number(11, line.words[0])
        interned = self.style == "interned"
        for name in line.texts:
            body += number(10, self.intern(2, name)) if interned else data(23, name)
        if line.category:
            body += number(3, self.intern(1, line.category)) if interned else data(22, line.category)
        for key, value in (line.args or {}).items():
            body += data(4, self.annotation(key, value))
        body += b"".join(fixed(47, flow) for flow in line.every("flow")) + b"".join(fixed(48, flow) for flow in line.every("ends"))
        if line.get("gpu"):
            body += data(3000, number(1, line.get("gpu")))
        for key, value in line.keys:
            if key.startswith("+"):
                body += number(45, key[1:]) + real(46, value)
        if line.value is not None:
            body += real(44, line.value) if "." in line.value else number(30, line.value)
        self.timed(line, data(11, body))

    def take_begin(self, line):
        self.event(line, 1)

    def take_end(self, line):
        self.event(line, 2)

    def take_instant(self, line):
        self.event(line, 3)

    def take_count(self, line):
        self.event(line, 4)

    # ---- devices ----

    def take_names(self, line):
        for key, name in line.keys:
            self.pending.setdefault(self.sequence, []).append(data(int(line.words[0]), number(1, key) + data(2, plain(name))))

    @staticmethod
    def size(text):
        return b"".join(number(at + 1, part) for at, part in enumerate(text.split(",")))

    def take_stage(self, line):
        body = number(11, line.words[0]) + (number(2, line.duration) if line.duration is not None else b"")
        body += b"".join(number(field, line.get(key)) for key, field in (("id", 1), ("queue", 13), ("stage", 14), ("kernel", 19)) if line.get(key))
        if line.get("name"):
            body += number(20, self.intern(2, line.get("name"))) if self.style == "interned" else data(17, line.get("name"))
        if line.get("grid"):
            launch = data(1, self.size(line.get("grid"))) + data(2, self.size(line.get("block")))
            for key, value in json.loads(line.get("args", "{}")).items():
                launch += data(3, data(2, key) + number(4, value))
            body += data(21, launch)
        for key, value in (line.args or {}).items():
            body += data(6, data(1, key) + data(2, str(value)))
        body += b"".join(number(18, wait) for wait in line.every("waits"))
        self.timed(line, data(53, body))

    def take_gpu(self, line):
        specs, values = b"", b""
        for key, text in line.keys:
            name, _, value = text.rpartition(":")
            specs += data(1, number(1, key) + data(2, plain(name)))
            values += data(2, number(1, key) + real(3, value))
        self.timed(line, data(52, number(3, line.words[0]) + data(1, specs) + values))


def trace(text):
    return TraceText(text).bytes()


if __name__ == "__main__":
    source, target = sys.argv[1], pathlib.Path(sys.argv[2])
    made = trace(sys.stdin.read() if source == "-" else pathlib.Path(source).read_text())
    target.write_bytes(gzip.compress(made, mtime=0) if target.suffix == ".gz" else made)
