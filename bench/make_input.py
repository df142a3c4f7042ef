#!/usr/bin/env python3
"""Makes the large benchmark inputs, build/bench/<kind>_<size>.json and .json.gz, and reuses what is already there.

A real trace is repeated along the time axis, with every id kept unique, until the file has the wanted
size. Kinds: `modern` (relative time stamps with three decimals, NCCL arguments) and `classic` (integer absolute
microseconds, string thread ids). With ../shared beside the checkout both come from its samples through its scaler.
Without it both come from samples/conv, our own CPU recording, with a seeded launch and kernel added to each leaf
operator, so that the device code paths are measured too. It does not check the content; see tests/ for that.

usage: bench/make_input.py [modern] [classic] [--bytes 1e9] [--own] [--no-gzip]
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / 'build' / 'bench'
SHARED = ROOT.parent / 'shared'
SHARED_INPUT = {'modern': 'samples/pytorch/hta_nccl', 'classic': 'samples/pytorch/resnet50_num_workers_0'}
SEED = 20240117
# Arguments that identify one thing per event, by the family of ids they belong to. Zero and absent mean "none".
ID_ARGS = {'External id': 'ext', 'correlation': 'corr', 'Ev Idx': 'ev', 'Record function id': 'rf',
           'Sequence number': 'seq', 'Python id': 'py', 'Python parent id': 'py'}


def say(text):
    print(text, file=sys.stderr, flush=True)


def size_label(size):
    """1e9 -> '1GB', 2.5e8 -> '250MB': the label that names the file."""
    return '%gGB' % (size / 1e9) if size >= 1e9 else '%gMB' % (size / 1e6)


def load(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)


def shared_sample(kind):
    """The trace beside the checkout that `kind` is made from, or None when it is not there."""
    folder = SHARED / SHARED_INPUT[kind]
    found = sorted(folder.glob('*.json.gz')) if (SHARED / 'tools' / 'scale_trace.py').exists() else []
    return found[0] if found else None


def scale_with_shared(source, out, size):
    """Runs the scaler beside the checkout twice: once to learn the size of a copy, once with the right count."""
    def scale(copies):
        command = [sys.executable, str(SHARED / 'tools' / 'scale_trace.py'), str(source), str(out), str(copies)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return out.stat().st_size
    # Two small runs: ids grow with the copies, so the second and later ones are a little longer than the first.
    one, three = scale(1), scale(3)
    scale(max(1, 1 + round((size - one) / ((three - one) / 2))))


def add_device_work(events, rng):
    """Returns the events plus, for every leaf operator, a launch inside it and a kernel behind it on stream 7."""
    operators = sorted((e for e in events if e.get('cat') == 'cpu_op'), key=lambda e: (e['tid'], e['ts'], -e['dur']))
    leaves = [a for a, b in zip(operators, operators[1:] + [None])
              if b is None or b['tid'] != a['tid'] or b['ts'] >= a['ts'] + a['dur']]
    added, free_at = [], 0.0
    for number, op in enumerate(sorted(leaves, key=lambda e: e['ts']), 1):
        link = {'External id': op['args'].get('External id', 0), 'correlation': number}
        start = max(op['ts'] + op['dur'], free_at) + rng.randint(500, 4000) / 1000
        length = rng.randint(1000, 60000) / 1000
        free_at = start + length
        added.append({'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': op['pid'], 'tid': op['tid'],
                      'ts': op['ts'], 'dur': op['dur'], 'args': {**link, 'cbid': 211}})
        added.append({'ph': 'X', 'cat': 'kernel', 'name': 'void kernel_of_%s<float>(int, float*)' % op['name'].split('::')[-1],
                      'pid': 0, 'tid': 7, 'ts': round(start, 3), 'dur': length,
                      'args': {**link, 'device': 0, 'context': 1, 'stream': 7, 'registers per thread': rng.choice([16, 32, 96, 255]),
                               'shared memory': rng.choice([0, 1024, 49152]), 'blocks per SM': rng.randint(1, 4000) / 100,
                               'warps per SM': rng.randint(1, 32000) / 100, 'grid': [rng.randint(1, 4096), 1, 1],
                               'block': [rng.choice([64, 128, 256, 512]), 1, 1], 'est. achieved occupancy %': rng.randint(0, 100)}})
    return events + added


def classic_event(event):
    """The shape of 2021: capital categories, string thread ids, integer absolute microseconds."""
    capital = {'cpu_op': 'Operator', 'user_annotation': 'Operator', 'cuda_runtime': 'Runtime', 'kernel': 'Kernel'}
    out = dict(event, ts=1621401187000000 + int(event['ts']) % 10**9)
    if 'dur' in event:
        out['dur'] = int(event['dur'])
    if event.get('cat') in capital:
        out['cat'] = capital[event['cat']]
        out['tid'] = 'stream 7' if event['cat'] == 'kernel' else str(event['tid'])
    return out


def scale_own(kind, out, size):
    """Repeats our own recording with seeded device work until the file has `size` bytes."""
    sample = sorted((ROOT / 'samples' / 'conv').glob('*.pt.trace.json.gz'))
    if not sample:
        raise SystemExit('bench/make_input.py: no samples/conv; run tools/record_sample.py conv first')
    trace = load(sample[0])
    fixed = [e for e in trace['traceEvents'] if e.get('ph') == 'M']
    body = [e for e in trace['traceEvents'] if e.get('ph') in ('X', 'i', 's', 'f', 'C') and e.get('cat') not in ('Trace', 'python_function')
            and not str(e.get('name')).startswith(('Iteration Start', 'Record Window'))]
    body = add_device_work(body, random.Random(SEED))
    if kind == 'classic':
        body = [classic_event(e) for e in body]
    first = min(e['ts'] for e in body)
    period = int(max(e['ts'] + e.get('dur', 0) for e in body) - first) + 1000
    stride = {}
    for event in body:
        for key, family in ID_ARGS.items():
            stride[family] = max(stride.get(family, 1), int(event.get('args', {}).get(key) or 0) + 1)
        if isinstance(event.get('id'), int):
            stride['flow'] = max(stride.get('flow', 1), event['id'] + 1)
    steps = [int(e['name'].split('#')[1]) for e in body if e['name'].startswith('ProfilerStep#')]
    step_count = max(steps) - min(steps) + 1 if steps else 0

    def copy(event, k):
        moved = dict(event, ts=round(event['ts'] + k * period, 3))
        if isinstance(event.get('id'), int):
            moved['id'] = event['id'] + k * stride['flow']
        if event['name'].startswith('ProfilerStep#'):
            moved['name'] = 'ProfilerStep#%d' % (int(event['name'].split('#')[1]) + k * step_count)
        if 'args' in event:
            moved['args'] = {key: value + k * stride[ID_ARGS[key]] if key in ID_ARGS and value else value
                             for key, value in event['args'].items()}
        return moved

    head = {key: value for key, value in trace.items() if key not in ('traceEvents', 'traceName')}
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with open(out, 'w', encoding='utf-8') as file:
        written = file.write(encode(head)[:-1] + ',\n"traceEvents": [\n' + ',\n'.join(map(encode, fixed)))
        k = 0
        while written < size:
            written += file.write(''.join(',\n' + encode(copy(event, k)) for event in body))
            k += 1
        file.write('\n],\n"traceName": "benchmark.pt.trace.json"\n}\n')


def compress(plain, packed):
    """zlib level 6, the kind of stream that torch writes: pigz or gzip when installed, else Python's own."""
    for program in ('pigz', 'gzip'):
        if shutil.which(program):
            with open(packed, 'wb') as out:
                subprocess.run([program, '-6', '-n', '-c', str(plain)], check=True, stdout=out)
            return
    with open(plain, 'rb') as source, gzip.GzipFile(packed, 'wb', compresslevel=6, mtime=0) as out:
        shutil.copyfileobj(source, out, 1 << 20)


def make(path, how):
    """Calls how(temporary path) unless `path` exists; an incomplete file never takes the final name."""
    if path.exists():
        say('%s: reused, %.3f GB' % (path.name, path.stat().st_size / 1e9))
        return
    part = path.with_name('part_' + path.name)
    how(part)
    os.replace(part, path)
    say('%s: written, %.3f GB' % (path.name, path.stat().st_size / 1e9))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('kinds', nargs='*', metavar='modern|classic', help='default: modern')
    parser.add_argument('--bytes', type=float, default=1e9, help='size of the plain file (default 1e9)')
    parser.add_argument('--own', action='store_true', help='from our own sample even when ../shared is there')
    parser.add_argument('--no-gzip', action='store_true', help='leave out the .gz twin')
    chosen = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    for kind in chosen.kinds or ['modern']:
        if kind not in SHARED_INPUT:
            parser.error('unknown kind %r: choose modern or classic' % kind)
        source = None if chosen.own else shared_sample(kind)
        plain = OUT / ('%s%s_%s.json' % ('' if source else 'own_', kind, size_label(chosen.bytes)))
        room = shutil.disk_usage(OUT).free
        if not plain.exists() and room < 1.5 * chosen.bytes:
            raise SystemExit('bench/make_input.py: %.1f GB free, %.1f GB needed' % (room / 1e9, 1.5 * chosen.bytes / 1e9))
        if source:
            make(plain, lambda part: scale_with_shared(source, part, chosen.bytes))
        else:
            make(plain, lambda part: scale_own(kind, part, chosen.bytes))
        if not chosen.no_gzip:
            make(plain.with_name(plain.name + '.gz'), lambda part: compress(plain, part))
        print(plain)


if __name__ == '__main__':
    main()
