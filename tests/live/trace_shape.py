"""The structure of a recording, without its times: enough to decide that two recordings of one program have the same structure.

A fresh recording differs from the committed one in times, ids and addresses, and in a few events that torch
writes only sometimes. It must not differ in members, kinds of events, their arguments, steps, modules and operators.
Used by tests/live; of the file format it uses only JSON and dictionaries.
"""
import collections
import gzip
import json
import re

SOMETIMES = {'finished'}  # on a range that was still open when the window closed


def load(path):
    return json.loads(gzip.decompress(path.read_bytes()))


def kind(event):
    return '%s %s' % (event['ph'], event.get('cat', '-'))


def step_numbers(events):
    found = re.compile(r'ProfilerStep#(\d+)$')
    return sorted(int(match[1]) for match in (found.match(e['name']) for e in events) if match)


def preconditions(trace):
    """The data that each view needs to show something."""
    events = trace['traceEvents']
    args = [e.get('args', {}) for e in events]
    return {
        'steps': step_numbers(events),
        'operators': any(e.get('cat') == 'cpu_op' for e in events),
        'call stacks': any('Call stack' in a for e, a in zip(events, args) if e.get('cat') == 'cpu_op'),
        'input shapes': any('Input Dims' in a for a in args),
        'memory events': any(e['name'] == '[memory]' and 'Total Allocated' in a for e, a in zip(events, args)),
        'modules': sorted({e['name'] for e, a in zip(events, args) if 'Python module id' in a}),
        'forward and backward': any(e.get('cat') == 'fwdbwd' for e in events),
        'data loading': any(e['name'].startswith('enumerate(DataLoader)') for e in events),
        'collectives': sorted({e['name'] for e in events if re.match(r'(gloo|nccl):', e['name'])}),
        'ranks': (trace.get('distributedInfo') or {}).get('world_size'),
    }


def shape(trace):
    """The comparable structure: a dictionary of plain values."""
    events = trace['traceEvents']
    keys = collections.defaultdict(set)
    for event in events:
        keys[kind(event)].update(set(event.get('args', {})) - SOMETIMES)
    operators = collections.Counter(e['name'] for e in events if e.get('cat') == 'cpu_op')
    return {'members': sorted(trace), 'kinds': sorted(keys), 'arguments': {k: sorted(v) for k, v in keys.items()},
            'operators': dict(sorted(operators.items())), **preconditions(trace)}


def differences(committed, fresh):
    """Sentences about the differences of two traces; none if they have the same structure."""
    one, two = shape(committed), shape(fresh)
    found = ['%s: committed %s, fresh %s' % (key, one[key], two[key]) for key in one if one[key] != two[key]]
    a, b = len(committed['traceEvents']), len(fresh['traceEvents'])
    if abs(a - b) > 0.05 * a:
        found.append('events: committed %d, fresh %d' % (a, b))
    return found
