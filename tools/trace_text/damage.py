"""The ways in which tools/gen_trace can damage a trace: each kind is one deterministic edit of a text.

EVENT edits the text of one event, LIST the list of the events' texts, FILE the bytes of the whole file. Every edit takes
an optional argument (the word after the colon of --damage KIND:ARGUMENT) and must change something, else it raises.
"""
import gzip
import re

from trace_text.reading import Fault, Raw
from trace_text.writing import event_text, events_of, file_text

NAME = r'("name": ?")((?:[^"\\]|\\.)*)"'
DURATION = r'("dur": ?)([-+.\deE]+)'
VALUE = r'(?:"(?:[^"\\]|\\.)*"|\{[^}]*\}|[^\s,}]+)'


def edit(pattern, replacement):
    """An edit of the first match; a callable replacement gets the match and the argument."""
    def apply(text, argument):
        changed = re.sub(pattern, lambda m: replacement(m, argument) if callable(replacement) else m.expand(replacement), text, count=1, flags=re.S)
        if changed == text:
            raise Fault('the chosen event has nothing to damage in this way')
        return changed
    return apply


def duration(value):
    return edit(DURATION, lambda match, _: match[1] + value.replace('OLD', match[2]))


def without(text, argument):
    """The event without one member: `missing` leaves out dur, `missing:name` name, ..."""
    key = argument or 'dur'
    return edit(r'("%s": ?%s\s*,\s*)|(,\s*"%s": ?%s)' % (key, VALUE, key, VALUE), '')(text, None)


def nested(match, argument):
    depth = int(argument or 5000)
    return '{"deep": ' + '[' * depth + ']' * depth + ', '


EVENT = {
    'bad-escape': edit(NAME, r'\1C:\\x\2"'),  # \x is not an escape of JSON
    'control': edit(NAME, lambda m, argument: m[1] + m[2] + chr(int(argument or 10)) + '"'),  # raw; default a new line
    'surrogate': edit(NAME, r'\1\2\\ud800"'),  # half of an escaped pair
    'invalid-utf8': edit(NAME, lambda m, _: m[1] + m[2] + '\udcff\udcfe"'),  # bytes FF FE
    'unclosed-string': edit(NAME, r'\1\2'),
    'missing-comma': edit(r',(\s*"(?:name|cat)")', r'\1'),
    'unbalanced-brace': edit(r'\}(\s*)$', r'\1'),  # the event's last brace is missing
    'extra-brace': edit(r'\}(\s*)$', r'}}\1'),
    'deep': edit(r'^\{', nested),
    'missing': without,
    'nan': duration('NaN'),
    'na': duration('N/A'),
    'infinity': duration('Infinity'),
    'overflow': duration('1e400'),
    'huge': duration('99999999999999999999'),
    'null-duration': duration('null'),
    'text-duration': duration('"long"'),
    'negative-duration': duration('-OLD'),
    'duplicate-duration': duration('999999, "dur": OLD'),  # most parsers let the last one win
    'nan-argument': edit(r'^\{', '{"note": NaN, '),
    'na-argument': edit(r'^\{', '{"note": N/A, '),
}
LIST = {
    'trailing-comma': lambda texts, _: texts + [''],
    'double-comma': lambda texts, _: texts[:len(texts) // 2] + [''] + texts[len(texts) // 2:],
    'number-event': lambda texts, _: texts[:len(texts) // 2] + ['42'] + texts[len(texts) // 2:],
}


def packed(data):
    return gzip.compress(data, 6, mtime=0)


def cut(data, argument):
    """The first N bytes; -N drops the last N; by default two thirds stay."""
    return data[:int(argument) if argument else len(data) * 2 // 3]


def members(data):
    """A valid gzip file of two members: it is not damaged, but some readers fail on it."""
    half = len(data) // 2
    return packed(data[:half]) + packed(data[half:])


FILE = {
    'cut': cut,
    'empty': lambda data, _: b'',
    'no-end': lambda data, _: data.rstrip()[:-1],
    'trailing-garbage': lambda data, _: data + b'garbage',
    'no-events': lambda data, _: b'{"schemaVersion": 1}\n',
    'not-json': lambda data, _: b'this is not a trace\n',
    'gzip-crc': lambda data, _: packed(data)[:-8] + b'\xde\xad\xbe\xef' + packed(data)[-4:],
    'gzip-length': lambda data, _: packed(data)[:-4] + b'\xde\xad\xbe\xef',
    'gzip-cut': lambda data, argument: cut(packed(data), argument),
    'gzip-garbage': lambda data, _: packed(data) + b'garbage',
    'gzip-members': lambda data, _: members(data),
}
KINDS = sorted({**EVENT, **LIST, **FILE})


def render(trace, damage=None):
    """The bytes of the file with the damage KIND[:ARGUMENT][@N], or without damage."""
    match = re.fullmatch(r'([\w-]+)(?::([\w-]+))?(?:@(\d+))?', damage) if damage else None
    kind, argument, number = match.groups() if match else (None, None, None)
    if damage and kind not in KINDS:
        raise Fault('unknown damage %r: one of %s' % (damage, ', '.join(KINDS)))
    events = events_of(trace)
    texts = [event_text(event, trace.options['layout']) for event in events]
    if kind in EVENT:
        slices = [i for i, event in enumerate(events) if not isinstance(event, Raw) and event.get('ph') == 'X']
        chosen = slices[int(number) if number else len(slices) // 2]
        texts[chosen] = EVENT[kind](texts[chosen], argument)
    if kind in LIST:
        texts = LIST[kind](texts, argument)
    data = file_text(trace, texts).encode('utf-8', 'surrogateescape')
    if trace.options['bom'] == 'yes':
        data = b'\xef\xbb\xbf' + data
    return FILE[kind](data, argument) if kind in FILE else data
