"""Hostile Chrome traces, as PyTorch writes them: invalid values of members, broken structure, absurd sizes."""
import gzip

from cases import altered, damaged, file_case, packed_case

ENDING = ".pt.trace.json"
HEAD = b'{"schemaVersion":1,"deviceProperties":[],"traceEvents":['

# Values in place of a number or a text.
VALUES = {
    "NaN": "NaN", "infinity": "Infinity", "1e308": "1e308", "1e999": "1e999", "-1e308": "-1e308", "-5": "-5", "2^63-1": "9223372036854775807",
    "2^64": "18446744073709551616", "-2^63": "-9223372036854775808", "number as text": '"12"', "text": '"abc"', "null": "null", "array": "[1]",
    "object": '{"a":1}', "1e-308": "1e-308", "many decimals": "0." + "1" * 100_000, "many digits": "1" * 100_000, "hexadecimal": "0x10",
    "plus": "+5", "no decimals": "5.", "true": "true", "empty text": '""', "minus zero": "-0", "nothing": "",
}

def event(name="op", ph="X", cat="cpu_op", pid=1, tid=1, ts=1, dur=1, args="{}"):
    return f'{{"ph":"{ph}","cat":"{cat}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts},"dur":{dur},"args":{args}}}'.encode()


SOUND = [event(f"op{i}", ts=10 * i, dur=5) for i in range(20)]


def trace(*events):
    return HEAD + b",\n".join([*SOUND, *events]) + b"]}"


def members(**changes):
    values = {"ph": '"X"', "cat": '"cpu_op"', "name": '"hostile"', "pid": "1", "tid": "1", "ts": "1", "dur": "1", "args": "{}", **changes}
    return ("{" + ",".join(f'"{key}":{value}' for key, value in values.items()) + "}").encode()


def arguments(values):
    return "{" + ",".join(f'"{key}":{value}' for key, value in values.items()) + "}"


KERNEL = {"correlation": "7", "External id": "3", "stream": "7", "device": "0", "bytes": "64", "grid": "[1,1,1]", "block": "[1,1,1]",
          "registers per thread": "32", "shared memory": "1024", "blocks per SM": "0.5", "est. achieved occupancy %": "30"}
COLLECTIVE = {"Collective name": '"allreduce"', "In msg nelems": "8", "Out msg nelems": "8", "Group size": "2", "dtype": '"Float"',
              "Process Group Name": '"0"', "Process Group Ranks": "[0,1]"}
MEMORY = {"Addr": "140", "Bytes": "64", "Total Allocated": "64", "Total Reserved": "64", "Device Type": "1", "Device Id": "0"}
OPERATOR = {"Input Dims": "[[2,3]]", "Input type": '["float"]', "External id": "3", "Call stack": '"a;b"', "Sequence number": "1",
            "Python id": "1", "Python parent id": "0", "Python module id": "0"}
# The members of an event, its arguments, the whole numbers among them that are reported if invalid, and its other members.
ARGUMENTS = {
    "kernel": (KERNEL, {"correlation", "External id", "device", "bytes", "shared memory"}, {"cat": '"kernel"'}),
    "collective": (COLLECTIVE, {"In msg nelems", "Out msg nelems", "Group size"}, {"cat": '"kernel"', "name": '"ncclKernel"'}),
    "operator": (OPERATOR, {"External id"}, {}),
    "memory": (MEMORY, set(MEMORY), {"ph": '"i"', "name": '"[memory]"', "cat": '"cpu_instant_event"'}),
}
ROOT = {"schemaVersion": "1", "baseTimeNanoseconds": "0", "traceName": '"t"', "displayTimeUnit": '"ms"', "trace_id": '"x"',
        "distributedInfo": '{"rank":0}', "deviceProperties": "[]", "record_shapes": "1", "with_stack": "1"}
DEVICE = {"id": "0", "name": '"GPU"', "totalGlobalMem": "1", "numSms": "80", "computeMajor": "7", "computeMinor": "0", "warpSize": "32",
          "maxThreadsPerMultiprocessor": "2048", "maxThreadsPerBlock": "1024", "regsPerBlock": "1", "sharedMemPerBlock": "1"}


# Valid values of a time. A duration may not be negative.
TIMES = {"-5", "number as text", "1e-308", "many decimals", "plus", "no decimals", "minus zero"}
NUMBERS = TIMES | {"2^63-1", "-2^63"}


def told_of(valid, what):
    return "any" if what in valid else "told"


def lenient(what):
    """For a member that becomes unknown, and is shown as unknown, if it is invalid: only a broken text must be reported."""
    return "told" if what == "nothing" else "any"


def field_cases():
    for what, value in VALUES.items():
        yield f"event ts: {what}", trace(members(ts=value)), told_of(TIMES, what)
        yield f"event dur: {what}", trace(members(dur=value)), told_of(TIMES - {"-5"}, what)
        yield f"event ph: {what}", trace(members(ph=value)), "told"
        for member in ("pid", "tid", "cat", "name", "args"):
            yield f"event {member}: {what}", trace(members(**{member: value})), lenient(what)
        for of, (sound, integers, more) in ARGUMENTS.items():
            for key in sound:
                data = trace(members(args=arguments({**sound, key: value}), **more))
                yield f"{of} {key}: {what}", data, told_of(NUMBERS, what) if key in integers else lenient(what)
        counted = {"-5", "1e308", "-1e308", "1e999", "2^63-1", "2^64", "-2^63", "many digits", *TIMES}
        yield f"counter: {what}", trace(members(ph='"C"', args=arguments({"x": value}))), told_of(counted, what)
        yield f"flow id: {what}", trace(members(ph='"s"', id=value), members(ph='"f"', id=value)), lenient(what)
        for key in ROOT:
            yield f"file {key}: {what}", root({**ROOT, key: value}), lenient(what)
        for key in DEVICE:
            yield f"device {key}: {what}", root({"deviceProperties": f"[{arguments({**DEVICE, key: value})}]"}), "any"


def root(values):
    return arguments(values)[:-1].encode() + b',"traceEvents":[' + b",".join(SOUND) + b"]}"


def structure_cases():
    whole = trace()
    yield "an object alone", b"{", "told"
    yield "an array alone", b"[", "told"
    yield "no file end", HEAD, "told"
    yield "no events", HEAD + b"]}", "any"
    yield "blanks", b" " * 1_000_000, "told"
    yield "a text", b'"traceEvents"', "told"
    yield "a number", b"1", "told"
    yield "null", b"null", "told"
    yield "an array of events", b"[" + b",".join(SOUND) + b"]", "valid"
    yield "events twice", HEAD + b",".join(SOUND) + b'],"traceEvents":[' + b",".join(SOUND[:3]) + b"]}", "any"
    yield "events are an object", b'{"traceEvents":{}}', "told"
    yield "events are null", b'{"traceEvents":null}', "told"
    yield "an event is a number", trace(b"1"), "told"
    yield "an event is a text", trace(b'"x"'), "told"
    yield "an event is an array", trace(b"[]"), "told"
    yield "an event is empty", trace(b"{}"), "told"
    yield "a comma too many", trace(b""), "any"
    yield "a comma too few", HEAD + b" ".join(SOUND) + b"]}", "any"
    yield "a member twice", trace(b'{"ph":"X","ph":"B","name":"a","name":"b","pid":1,"pid":2,"tid":1,"ts":1,"ts":2,"dur":1,"dur":9}'), "any"
    yield "one brace too few", trace(SOUND[0][:-1], SOUND[1]), "told"
    yield "one brace too many", trace(SOUND[0] + b"}", SOUND[1]), "told"
    yield "no closing bracket", whole[:-2], "told"
    yield "no closing brace", whole[:-1], "any"
    yield "garbage after the end", whole + b"garbage", "told"
    yield "a second file after the end", whole + whole, "told"
    yield "zeros after the end", whole + bytes(1000), "told"
    yield "names that are not UTF-8", trace(event("x").replace(b'"x"', b'"\xff\xfe\xc0\x80\xed\xa0\x80"')), "told"
    yield "a lone surrogate", trace(event("\\ud800")), "any"
    yield "an unknown escape", trace(event("\\uZZZZ")), "told"
    yield "an unknown escape of one letter", trace(event("\\q")), "told"
    yield "a NUL in a name", trace(event("a\0b")), "told"
    yield "a NUL in a name, escaped", trace(event("a\\u0000b")), "any"
    yield "control characters in a name", trace(event("\x1b[31mred\x07")), "told"
    yield "control characters in a name, escaped", trace(event("\\u001b]0;owned\\u0007\\u001b[2J")), "any"
    yield "a quote in a name", trace(event('a"b')), "told"
    yield "an empty name", trace(event("")), "any"
    yield "a byte order mark", b"\xef\xbb\xbf" + whole, "any"
    yield "UTF-16", whole.decode().encode("utf-16"), "told"
    yield "markup", b"<html><script>alert(1)</script></html>", "told"
    yield "a comment", HEAD + b"/* x */" + b",".join(SOUND) + b"]}", "told"
    yield "one quote for text", whole.replace(b'"', b"'"), "told"
    yield "members nested deep before the events", b'{"meta":' + b"[" * 10_000 + b"]" * 10_000 + b',"traceEvents":[' + b",".join(SOUND) + b"]}", "any"
    yield "an argument nested deep", trace(event(args='{"a":' * 10_000 + "1" + "}" * 10_000)), "any"
    yield "arrays nested deep", b"[" * 100_000, "told"
    yield "objects nested deep", b'{"a":' * 100_000, "told"
    yield "far apart", trace(event("late", ts="9.2e15"), event("early", ts="-9.2e15")), "any"
    yield "ends before it begins", trace(event("b", ph="E", ts=5)), "told"
    yield "begins and never ends", trace(event("b", ph="B", ts=5)), "told"
    yield "overlapping all", trace(*(event(f"n{i}", ts=300 + i, dur=1000) for i in range(1000))), "any"
    yield "a long sum", trace(*(event("k", ts=i, dur="9e12") for i in range(1000))), "any"
    yield "a fake step", trace(event("ProfilerStep#99999999999999999999999", cat="user_annotation")), "any"
    yield "steps of one number", trace(*(event("ProfilerStep#1", cat="user_annotation", ts=300 + 10 * i, dur=9) for i in range(50))), "any"


def repeated(one, times):
    """Pieces of a trace of `times` events: one(i) is the text of event i."""

    def pieces():
        yield HEAD
        for first in range(0, times, 10_000):
            yield b"".join(one(i) + b"," for i in range(first, min(times, first + 10_000)))
        yield event() + b"]}"

    return pieces


def long_text(before, after, megabytes):
    def pieces():
        yield HEAD + b",".join(SOUND) + b"," + before
        for _ in range(megabytes):
            yield b"A" * 1_000_000
        yield after

    return pieces


# name, of event i, how many
CROWDS = [
    ("threads", lambda i: event(tid=i, ts=i), 1_000_000),
    ("processes", lambda i: event(pid=i, ts=i), 1_000_000),
    ("streams", lambda i: event("k", cat="kernel", pid=i % 64, tid=i, ts=i, args=f'{{"stream":{i},"device":{i % 64},"correlation":{i}}}'), 300_000),
    ("names", lambda i: event(f"n{i}", ts=2 * i), 1_000_000),
    ("slices that all overlap", lambda i: event(ts=i, dur=300_000), 200_000),
    ("slices that all nest", lambda i: event(ts=i, dur=2 * (300_000 - i)), 200_000),
    ("slices of one time", lambda i: event(), 500_000),
    ("ranges that never end", lambda i: event(ph="B", ts=i), 500_000),
    ("steps", lambda i: event(f"ProfilerStep#{i}", cat="user_annotation", ts=10 * i, dur=9), 300_000),
    ("arrows of one id", lambda i: f'{{"ph":"{"sf"[i % 2]}","id":7,"cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":{i}}}'.encode(), 500_000),
    ("counters", lambda i: f'{{"ph":"C","name":"c{i}","pid":1,"tid":1,"ts":{i},"args":{{"s{i}":1}}}}'.encode(), 300_000),
    ("thread names", lambda i: f'{{"ph":"M","name":"thread_name","pid":{i},"tid":{i},"args":{{"name":"t{i}"}}}}'.encode(), 500_000),
    ("allocations", lambda i: members(ph='"i"', name='"[memory]"', ts=str(i), args=arguments({**MEMORY, "Addr": str(i), "Device Id": str(i)})), 500_000),
]


def crowd_cases():
    for name, one, times in CROWDS:
        yield file_case(f"{times} {name}", ENDING, repeated(one, times), "any", large=True)
        yield file_case(f"{times // 100} {name}", ENDING, repeated(one, times // 100), "any")
    series = ",".join(f'"s{i}":1' for i in range(1_000_000))
    yield file_case("a counter of 1000000 series", ENDING, trace(members(ph='"C"', args=f"{{{series}}}")), "any", large=True)
    ranks = arguments({**COLLECTIVE, "Process Group Ranks": str(list(range(1_000_000))).replace(" ", "")})
    yield file_case("a collective of 1000000 ranks", ENDING, trace(members(cat='"kernel"', args=ranks)), "any", large=True)
    name, after = b'{"ph":"X","cat":"cpu_op","name":"', b'","pid":1,"tid":1,"ts":1,"dur":1}]}'
    yield file_case("a name of 100 MB", ENDING, long_text(name, after, 100), "any", large=True)
    yield file_case("an argument of 100 MB", ENDING, long_text(event()[:-3] + b'{"Input Dims":"', b'"}}]}', 100), "any", large=True)
    yield file_case("a name of 60 MB that does not end", ENDING, long_text(name, b"", 60), "told", large=True)
    deep = 1_000_000
    yield file_case("an argument nested a million deep", ENDING, trace(event(args='{"a":' * deep + "1" + "}" * deep)), "any", large=True)
    yield file_case("a root nested a million deep", ENDING, b"[" * deep, "told", large=True)


def packed_cases():
    whole = trace()
    packed = gzip.compress(whole, mtime=0)
    ending = ENDING + ".gz"
    for name, data in damaged("gzip", packed):
        yield file_case(name, ending, data)
    yield file_case("gzip: wrong checksum", ending, packed[:-8] + bytes(4) + packed[-4:])
    yield file_case("gzip: wrong length", ending, packed[:-4] + bytes(4))
    yield file_case("gzip: garbage behind it", ending, packed + b"garbage" * 100)
    yield file_case("gzip: zeros behind it", ending, packed + bytes(1000), "any")
    yield file_case("gzip: two members", ending, gzip.compress(whole[:200]) + gzip.compress(whole[200:]), "valid")
    yield file_case("gzip in gzip", ending, gzip.compress(packed), "any")
    yield file_case("gzip: not packed at all", ending, whole, "any")
    yield file_case("gzip without its ending", ENDING, packed, "valid")
    mega = 1 << 20
    yield packed_case("gzip: 1 GB of zeros", ending, [(bytes(mega), 1024)], level=1, large=True)
    yield packed_case("gzip: 1 GB of blanks", ending, [(HEAD, 1), (b" " * mega, 1024)], level=1, large=True)
    yield packed_case("gzip: a name of 1 GB", ending, [(HEAD + b'{"ph":"X","name":"', 1), (b"A" * mega, 1024), (b'"}]}', 1)], "any", level=1, large=True)
    yield packed_case("gzip: a text of 1 GB before the events", ending, [(b'{"x":"', 1), (b"A" * mega, 1024), (b'","traceEvents":[]}', 1)],
                      "any", level=1, large=True)
    yield packed_case("gzip: 200 MB of brackets", ending, [(b'{"x":', 1), (b"[" * mega, 200)], level=1, large=True)
    events = (event() + b",") * 10_000
    yield packed_case("gzip: 10 million events", ending, [(HEAD, 1), (events, 1000), (event() + b"]}", 1)], "any", large=True)


LINES = b"".join(b"%d\t%d.5\tthread %d\tslice %d\n" % (10 * i, 5, i % 3, i) for i in range(200))


def line_cases():
    """Slices as text: a cut may lie between two lines, and a changed byte in a name."""
    ending = ".slices.tsv"
    for name, data in (*damaged("lines", LINES), *altered("lines", LINES)):
        yield file_case(name, ending, data, "any")
    for name, value in VALUES.items():
        yield file_case(f"lines, start: {name}", ending, LINES + f"{value}\t1\tt\tn\n".encode(), "any")
        yield file_case(f"lines, duration: {name}", ending, LINES + f"1\t{value}\tt\tn\n".encode(), "any")
    for name, line in (("three fields", b"1\t1\tt"), ("five fields", b"1\t1\tt\tn\tm"), ("blanks for tabs", b"1 1 t n"), ("an empty line", b""),
                       ("a longer negative", b"1\t-1\tt\tn"), ("a zero byte", b"1\t1\0\tt\tn"), ("tabs only", b"\t" * 100_000)):
        yield file_case(f"lines: {name}", ending, LINES + line + b"\n" + LINES)
    yield file_case("lines: a name that is not UTF-8", ending, LINES + b"1\t1\t\xff\t\xfe\xc3\n", "any")
    yield file_case("lines: nested 70000 deep", ending, lambda: (b"%d\t%d\tt\tn\n" % (i, 200_000 - 2 * i) for i in range(70_000)), "any")
    for name, data in damaged("lines, packed", gzip.compress(LINES, mtime=0)):
        yield file_case(name, ending + ".gz", data)
    yield packed_case("lines: one of 1 GB", ending + ".gz", [(b"0\t1\tt\t", 1), (b"A" * (1 << 20), 1024)], "any", level=1, large=True)
    yield packed_case("lines: 10 million", ending + ".gz", [(b"10.125\t5.25\tthread\tslice\n" * 10_000, 1000)], "any", level=1, large=True)


def all_cases():
    for name, data, tells in (*field_cases(), *structure_cases()):
        yield file_case(name, ENDING, data, tells)
    for name, data in damaged("trace", trace()):
        yield file_case(name, ENDING, data)
    for name, data in altered("trace", trace()):
        yield file_case(name, ENDING, data, "any")
    yield from crowd_cases()
    yield from packed_cases()
    yield from line_cases()
