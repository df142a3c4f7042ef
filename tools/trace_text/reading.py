"""Reads the text of tools/gen_trace (described at its head) into events: dictionaries in the order of the file's members.

A statement is a head (words), a colon and items; each kind of statement is one read_ method of Trace.
Times become integer nanoseconds; numbers that must keep their spelling are Raw. The shape of a file is the task of
writing.py, damage that of damage.py.
"""
import decimal
import json
import re

SHORT = {'ext': 'External id', 'corr': 'correlation', 'shapes': 'Input Dims', 'types': 'Input type', 'strides': 'Input Strides',
         'stack': 'Call stack', 'seq': 'Sequence number', 'fwd': 'Fwd thread id', 'py': 'Python id', 'parent': 'Python parent id',
         'module': 'Python module id', 'regs': 'registers per thread', 'smem': 'shared memory', 'bps': 'blocks per SM',
         'wps': 'warps per SM', 'occ': 'est. achieved occupancy %', 'bw': 'memory bandwidth (GB/s)', 'total': 'Total Allocated',
         'reserved': 'Total Reserved', 'coll': 'Collective name', 'in': 'In msg nelems', 'out': 'Out msg nelems', 'group': 'Group size',
         'pg': 'Process Group Name', 'ranks': 'Process Group Ranks'}
BY_NAME = [(r'ProfilerStep#|Optimizer\.|enumerate\(', 'user_annotation'), (r'(cuda|hip)[A-Z]', 'cuda_runtime'), (r'cu[A-Z]', 'cuda_driver'),
           (r'Memcpy', 'gpu_memcpy'), (r'Memset', 'gpu_memset'), (r'.*\.py\(\d+\): |nn\.Module: |<built-in', 'python_function')]
DEVICE_TYPE = {'cpu': 0, 'cuda': 1, 'hip': 6, 'xpu': 12, 'hpu': 15, 'mtia': 19, 'privateuse1': 20}
DEVICE = {'name': 'Test GPU', 'totalGlobalMem': 17179869184, 'computeMajor': 8, 'computeMinor': 0, 'maxThreadsPerBlock': 1024,
          'maxThreadsPerMultiprocessor': 2048, 'regsPerBlock': 65536, 'warpSize': 32, 'sharedMemPerBlock': 49152, 'numSms': 100}
OPTIONS = {'style': 'modern', 'layout': 'kineto', 'times': None, 'unit': 'us', 'origin': '0', 'base': None, 'root': 'object',
           'metadata': 'before', 'members': 'before', 'order': 'text', 'flows': 'yes', 'bom': 'no', 'run': None, 'worker': 'worker0', 'stamp': None}
NUMBER = r'-?\d+(?:\.\d+)?'


class Raw(str):
    """Text that goes into the file unchanged: a number exactly as written."""


class Fault(Exception):
    """An error in the text, for the person who wrote it."""


def pieces(body):
    """The comma or new-line separated items of a body; brackets and quoted strings stay whole."""
    item, depth, quoted, escaped = '', 0, False, False
    for char in body + '\n':
        if quoted:
            quoted, escaped = escaped or char != '"', char == '\\' and not escaped
        elif char == '"':
            quoted = True
        elif char in '[{':
            depth += 1
        elif char in ']}':
            depth -= 1
        if char in ',\n' and depth <= 0 and not quoted:
            if item.strip():
                yield item.strip()
            item = ''
        else:
            item += char
    if item.strip():
        raise Fault('unclosed quote or bracket: ' + item.strip())


def value_at(text):
    """The value at the start of `text`, and the rest."""
    if text[:1] in ('"', '[', '{'):
        value, end = json.JSONDecoder().raw_decode(text)
        return value, text[end:]
    word = re.match(r'[^\s\]]*', text).group()
    is_json = re.fullmatch(r'-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null', word)
    return (Raw(word) if is_json else word), text[len(word):]


def arguments(text):
    """key=value words -> {key: value}, with None for those left out by -key. '@' keys are members of the event."""
    found, text = {}, text.strip()
    while text:
        head = re.match(r'(-?)(@?)(?:"([^"]*)"|([^\s=]+))(=?)', text)
        if not head:
            raise Fault('not key=value: ' + text)
        minus, member, quoted, word, equals = head.groups()
        key = member + (quoted if quoted is not None else SHORT.get(word, word) if not member else word)
        text = text[head.end():]
        if minus:
            found[key] = None
        elif not equals:
            raise Fault('no value for %r' % key)
        else:
            found[key], text = value_at(text)
        text = text.lstrip()
    return found


def named(rest):
    """'name (category) [arguments]' -> name, category or None, {arguments}."""
    tail = r'(?:\s+\(([a-z]\w*|-)\))?(?:\s*\[(.*)\])?\s*'
    if rest.startswith('"'):
        name, end = json.JSONDecoder(strict=False).raw_decode(rest)
        match = re.fullmatch(tail, rest[end:], re.S)
        groups = match and (name,) + match.groups()
    else:
        match = re.fullmatch('(.*?)' + tail, rest, re.S)
        groups = match and match.groups()
    if not groups:
        raise Fault('not a name (category) [arguments]: ' + rest)
    return groups[0], groups[1], arguments(groups[2] or '')


def statements(text):
    """(line number, head words, body) of every statement; comments dropped, continuations joined."""
    blocks = []
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r'^((?:"(?:[^"\\]|\\.)*"|[^"])*?)(?:^|\s)# .*$|^\s*#.*$', lambda m: m.group(1) or '', line).rstrip()
        if not line:
            continue
        if line[0].isspace() and blocks:
            blocks[-1][1] += '\n' + line
        else:
            blocks.append([number, line])
    for number, block in blocks:
        match = re.match(r'((?:"[^"]*"|[^:"]|:(?!\s|$))*):(?:\s|$)(.*)', block, re.S)
        if not match:
            raise Fault('line %d: no colon after the head' % number)
        words, rest = [], match.group(1).strip()
        while rest:
            word, rest = value_at(rest)
            words.append(word)
            rest = rest.lstrip()
        yield number, words, match.group(2)


class Trace:
    """The events and members that a text describes. Times are integer nanoseconds."""

    def __init__(self, settings):
        self.options, self.settings = dict(OPTIONS), settings
        self.options.update(settings)
        self.members, self.devices, self.events, self.lanes = {}, [], [], {}
        self.pid, self.process = 100, 'python'

    def ns(self, text):
        return int(decimal.Decimal(text) * (1 if self.options['unit'] == 'ns' else 1000))

    def read(self, text):
        for number, words, body in statements(text):
            try:
                reader = getattr(self, 'read_' + str(words[0] if words else ''), None)
                if not reader:
                    raise Fault('unknown statement')
                reader(words[1:], body)
            except (Fault, ValueError, IndexError) as fault:
                raise Fault('line %d: %s: %s' % (number, ' '.join(map(str, words)), fault)) from None
        self.link()

    def read_trace(self, words, body):
        given = {key: str(value) for key, value in arguments(body).items()}
        unknown = set(given) - set(OPTIONS)
        if unknown:
            raise Fault('unknown option %s' % sorted(unknown))
        self.options.update({**given, **self.settings})

    def read_process(self, words, body):
        self.pid, self.process = words[0], body.strip()

    def read_thread(self, words, body):
        self.lanes.setdefault((self.pid, words[0]), words[1] if len(words) > 1 else 'python')
        self.slices(self.pid, words[0], body, 'cpu_op', {})

    def read_stream(self, words, body):
        device = words[2] if len(words) > 2 else Raw('0')
        self.lanes.setdefault((device, words[0]), None)
        self.slices(device, words[0], body, 'kernel', {'device': device, 'stream': words[0]})

    def read_lane(self, words, body):
        self.slices(words[0], words[1], body, 'cpu_op', {})

    def slices(self, pid, tid, body, category, own):
        for item in pieces(body):
            match = re.match(r'(%s)([-+])(%s)\s+(.*)' % (NUMBER, NUMBER), item, re.S)
            if not match:
                raise Fault('not START-END name: ' + item)
            start, end = self.ns(match[1]), self.ns(match[3])
            name, chosen, args = named(match[4])
            chosen = chosen or next((cat for pattern, cat in BY_NAME if re.match(pattern, name)), category)
            members = {'ph': 'X', 'cat': None if chosen == '-' else chosen, 'name': name, 'pid': pid, 'tid': tid, 'ts': start,
                       'dur': end if match[2] == '+' else end - start}
            self.add(members, {**own, **args})

    def add(self, members, args):
        """Appends an event. args is moved below its members; '@key' arguments override members."""
        members.update({key[1:]: value for key, value in args.items() if key.startswith('@')})
        kept = {key: value for key, value in args.items() if not key.startswith('@')}
        self.events.append({**members, 'args': kept})

    def read_memory(self, words, body):
        for item in pieces(body):
            match = re.fullmatch(r'(%s)\s+([-+]\d+)\s+at\s+(\d+)\s*(?:\[(.*)\])?' % NUMBER, item, re.S)
            if not match:
                raise Fault('not TIME +BYTES at ADDRESS: ' + item)
            args = arguments(match[4] or '')
            kind, _, ordinal = str(args.pop('device', 'cpu')).partition(':')
            args = {'Device Type': DEVICE_TYPE[kind], 'Device Id': Raw(ordinal or '-1'), 'Addr': Raw(match[3]), 'Bytes': Raw(match[2].lstrip('+')), **args}
            self.add({'ph': 'i', 'cat': 'cpu_instant_event', 's': 't', 'name': '[memory]', 'pid': self.pid, 'tid': words[-1],
                      'ts': self.ns(match[1])}, args)

    def read_instant(self, words, body):
        for item in pieces(body):
            match = re.match(r'(%s)\s+(.*)' % NUMBER, item, re.S)
            name, category, args = named(match[2])
            pid, tid = (self.pid, words[1]) if words else ('', '')
            self.add({'ph': 'i', 'cat': category, 's': 't' if words else 'g', 'name': name, 'pid': pid, 'tid': tid, 'ts': self.ns(match[1])}, args)

    def read_counter(self, words, body):
        for item in pieces(body):
            time, _, rest = item.partition(' ')
            self.add({'ph': 'C', 'name': words[1], 'pid': words[0], 'tid': 0, 'ts': self.ns(time)}, arguments(rest))

    def read_flow(self, words, body):
        ends = re.fullmatch(r'\s*(?:(\w+)/)?(\w+)@(%s)\s*->\s*(?:(\w+)/)?(\w+)@(%s)\s*' % (NUMBER, NUMBER), body)
        if not ends:
            raise Fault('not tid@time -> tid@time: ' + body.strip())
        self.flow(words[0], words[1], (Raw(ends[1] or self.pid), Raw(ends[2]), self.ns(ends[3])), (Raw(ends[4] or self.pid), Raw(ends[5]), self.ns(ends[6])))

    def flow(self, name, number, source, target):
        for phase, (pid, tid, time) in (('s', source), ('f', target)):
            last = {'bp': 'e'} if phase == 'f' else {}
            self.events.append({'ph': phase, 'id': number, 'pid': pid, 'tid': tid, 'ts': time, 'cat': name, 'name': name, **last})

    def read_span(self, words, body):
        start, end = map(self.ns, re.fullmatch(r'\s*(%s)-(%s)\s*' % (NUMBER, NUMBER), body).groups())
        self.add({'ph': 'X', 'cat': 'Trace', 'name': 'PyTorch Profiler (0)', 'pid': 'Spans', 'tid': 'PyTorch Profiler', 'ts': start, 'dur': end - start}, {'Op count': 0})
        self.events.append({'ph': 'i', 's': 'g', 'name': 'Iteration Start: PyTorch Profiler', 'pid': 'Traces', 'tid': 'Trace PyTorch Profiler', 'ts': start})
        self.events.append({'ph': 'i', 's': 'g', 'name': 'Record Window End', 'pid': '', 'tid': '', 'ts': end})

    def read_device(self, words, body):
        given = {**DEVICE, **arguments(body)}
        self.devices.append({'id': words[0], **{key: value for key, value in given.items() if value is not None}})

    def read_distributed(self, words, body):
        self.members['distributedInfo'] = arguments(body)

    def read_meta(self, words, body):
        self.members.update(arguments(body))

    def read_raw(self, words, body):
        self.events.append(Raw(body.strip()))

    def link(self):
        """Launches give their External id to the device slices of their correlation, and an ac2g flow joins them."""
        slices = [e for e in self.events if isinstance(e, dict) and e['ph'] == 'X']
        launches = {e['args']['correlation']: e for e in slices if 'stream' not in e['args'] and e['args'].get('correlation')}
        for event in slices:
            launch = launches.get(event['args'].get('correlation'))
            if launch is None or 'stream' not in event['args']:
                continue
            if launch['args'].get('External id'):
                event['args'].setdefault('External id', launch['args']['External id'])
            if self.options['flows'] == 'yes':
                number = event['args']['correlation']
                self.flow('ac2g', number, (launch['pid'], launch['tid'], launch['ts']), (event['pid'], event['tid'], event['ts']))
