"""Writes the events that reading.py found as a Kineto JSON file, in the shape that its options request.

Every event becomes text by itself, so that damage.py can damage one event or the whole file. The layouts
are those of real files (2024's two lines per event, 2026's line per member) and two that only tools make.
It checks nothing: a text that describes nonsense becomes a file of nonsense.
"""
import decimal
import json
import re

from trace_text.reading import Raw

CLASSIC = {'cpu_op': 'Operator', 'user_annotation': 'Operator', 'cuda_runtime': 'Runtime', 'kernel': 'Kernel', 'gpu_memcpy': 'Memcpy',
           'gpu_memset': 'Memset'}


def time_text(ns, kind):
    """Nanoseconds as the microseconds of the file."""
    if kind == 'integer':
        return str(ns // 1000)
    if kind == 'shortest':
        return str(float(decimal.Decimal(ns) / 1000)) if ns % 1000 else str(ns // 1000)
    return {'decimal3': '%.3f', 'string': '"%.3f"', 'exponent': '%.15e'}[kind] % (decimal.Decimal(ns) / 1000)


def finished(event, options):
    """The event with its times as text and the file's style applied; left-out members are gone."""
    if isinstance(event, Raw):
        return event
    event = {key: value for key, value in event.items() if value is not None}
    kind = options['times'] or ('integer' if options['style'] == 'classic' else 'decimal3')
    if isinstance(event.get('ts'), int):
        event['ts'] = Raw(time_text(event['ts'] + 1000 * int(options['origin']), kind))
    if isinstance(event.get('dur'), int):
        event['dur'] = Raw(time_text(event['dur'], kind))
    args = {key: value for key, value in event.pop('args', {}).items() if value is not None}
    if options['style'] == 'classic':
        event['tid'] = ('stream %s' if 'stream' in args else '%s') % event.get('tid', '')
        event['cat'] = CLASSIC.get(event.get('cat'), event.get('cat'))
        if event['cat'] != 'Operator':
            args = {'external id' if key == 'External id' else key: value for key, value in args.items()}
        if event['cat'] is None or event['cat'] == 'cpu_instant_event':
            del event['cat']
    if options['style'] == 'string_ids':
        event = {key: str(value) if key in ('pid', 'tid', 'id') else value for key, value in event.items()}
        args = {key: str(value) if key in ('External id', 'correlation') else value for key, value in args.items()}
    return {**event, 'args': args} if args else event


def metadata(trace):
    """The M events: names and labels of processes and lanes."""
    for (pid, tid), name in trace.lanes.items():
        label = 'GPU %s' % pid if name is None else 'CPU'
        lane = 'stream %s' % tid if name is None else 'thread %s (%s)' % (tid, name)
        for what, on, key, value in (('process_name', Raw(0), 'name', trace.process), ('process_labels', Raw(0), 'labels', label),
                                     ('thread_name', tid, 'name', lane)):
            yield {'ph': 'M', 'name': what, 'pid': pid, 'tid': on, 'ts': 0, 'args': {key: value}}


def events_of(trace):
    """All events in the order of the file, finished."""
    order, place = trace.options['order'], trace.options['metadata']
    body = list(trace.events)
    if order != 'text':
        body.sort(key=lambda e: (e['ts'] if isinstance(e, dict) and isinstance(e.get('ts'), int) else 0), reverse=order == 'reversed')
    names = [] if place == 'omit' else list(metadata(trace))
    return [finished(event, trace.options) for event in (body + names if place == 'after' else names + body)]


def encode(value):
    """JSON text of a value; Raw is written unchanged."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return '{' + ', '.join('%s: %s' % (json.dumps(key), encode(item)) for key, item in value.items()) + '}'
    if isinstance(value, list):
        return '[' + ', '.join(map(encode, value)) + ']'
    return json.dumps(value, ensure_ascii=False)


def minified(text):
    """JSON text without the white space between its tokens."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda match: match[1] or '', text)


def event_text(event, layout):
    """One finished event in a layout."""
    if isinstance(event, Raw):
        return str(event)
    if layout == 'minified':
        return minified(encode(event))
    lines = ['"%s": %s' % (key, encode(value)) for key, value in event.items() if key != 'args']
    if layout == 'kineto':  # names on one line, times on the next
        keys = list(event)
        at = next((i for i, key in enumerate(keys) if key in ('ts', 'dur')), len(lines))
        lines = [', '.join(part) for part in (lines[:at], lines[at:]) if part]
    if event.get('args'):
        inner = ['%s: %s' % (json.dumps(key), encode(value)) for key, value in event['args'].items()]
        lines.append('"args": {\n      %s\n    }' % (',\n      ' if layout == 'indented' else ', ').join(inner))
    return '{\n    %s\n  }' % ',\n    '.join(lines)


def top_members(trace):
    """The members before and after traceEvents."""
    options = trace.options
    base = options['base'] or ('omit' if options['style'] == 'classic' else '1700000000000000000')
    rest = {'schemaVersion': 1, 'deviceProperties': trace.devices, **trace.members, 'displayTimeUnit': 'ms'}
    if base != 'omit':
        rest['baseTimeNanoseconds'] = Raw(base)
    return ({}, rest) if options['members'] == 'after' else (rest, {'traceName': 'generated.pt.trace.json'})


def file_text(trace, texts):
    """The whole file, from the texts of its events."""
    line = '' if trace.options['layout'] == 'minified' else '\n  '
    gap, end = ('', '') if not line else (' ', '\n')
    listed = '[%s%s%s]' % (line, (',' + line).join(texts), end)
    if trace.options['root'] == 'list':
        return listed
    before, after = ([(key, encode(value)) for key, value in part.items()] for part in top_members(trace))
    members = before + [('traceEvents', listed)] + after
    if not line:
        members = [(key, value if key == 'traceEvents' else minified(value)) for key, value in members]
    return '{%s%s%s}' % (line, (',' + line).join('"%s":%s%s' % (key, gap, value) for key, value in members), end)
