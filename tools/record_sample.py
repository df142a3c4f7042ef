#!/usr/bin/env python3
"""Records the committed samples with real torch: on the CPU samples/conv, transformer and ddp, on a GPU those named _cuda.

It runs a program of samples/programs under torch.profiler with everything switched on, and names the files
as torch.profiler.tensorboard_trace_handler does, <worker>.<ns>.pt.trace.json.gz. It replaces text that identifies the
recording machine (host name, absolute paths), and refuses a file that still contains such text; everything
else stays byte for byte as torch wrote it. Beside the files it writes torch's own sums by operator of the last window, in µs:
torch_sums.rank<N>.json. It needs the environment of tools/live-requirements.txt, which `make live` creates. The GPU samples
need a GPU and a torch for it, and are recorded only when named.

usage: .venv-live/bin/python tools/record_sample.py OUT [conv] [transformer] [ddp] [gpt_cuda] [graph_cuda] [ddp_cuda]
"""
import argparse
import gzip
import importlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / 'samples' / 'programs'
MODULE = {'conv': 'train_conv', 'transformer': 'train_transformer', 'ddp': 'train_ddp',
          'gpt_cuda': 'train_gpt_cuda', 'graph_cuda': 'infer_graph_cuda', 'ddp_cuda': 'train_ddp_cuda'}
ON_CPU = ['conv', 'transformer', 'ddp']
RANKS = {'ddp': 2, 'ddp_cuda': 2}
SUMS = ['key', 'count', 'self_cpu_time_total', 'cpu_time_total', 'self_device_time_total', 'device_time_total']
LIMIT_BYTES = 256 * 1024
# An absolute path: two or more parts, opening a string or following a space, quote or parenthesis.
ABSOLUTE = re.compile(r'(?<=["\s(\'=;:])/[\w.+-]+/[\w.+/-]+')


def neutral(text, file_name):
    """The trace's text without the machine's paths and name. Raises if some are left."""
    for folder in sorted({sysconfig.get_path('purelib'), sysconfig.get_path('stdlib'), str(ROOT / 'tools'), str(PROGRAMS), str(ROOT),
                          os.path.realpath(sys.prefix), sys.prefix, sys.base_prefix}, key=len, reverse=True):
        text = text.replace(folder.rstrip('/') + '/', '')
    text = re.sub(r'/[^"\s]*/torchinductor_[^/]+/', 'torchinductor/', text)
    text = re.sub(r'"traceName": "[^"]*"', '"traceName": "%s"' % file_name, text)
    text = re.sub(r'"host_name": "[^"]*"', '"host_name": "host0"', text)
    left = ABSOLUTE.findall(text)
    host = socket.gethostname()
    if len(host) > 3 and host != 'localhost' and host in text:
        left.append(host)
    if left:
        raise SystemExit('record_sample.py: the machine still shows in %s: %s' % (file_name, sorted(set(left))[:5]))
    json.loads(text)
    return text


def record(name, rank, out):
    """Runs one program under the profiler in this process and writes one file per window into `out`."""
    import torch
    from torch.profiler import ProfilerActivity, profile, schedule
    activities = [ProfilerActivity.CPU] if name in ON_CPU else [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    sys.path.insert(0, str(PROGRAMS))
    program = importlib.import_module(MODULE[name])
    worker = '%s_rank%d' % (name, rank)

    def write(profiler):
        file_name = '%s.%d.pt.trace.json' % (worker, time.time_ns())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, file_name)
            profiler.export_chrome_trace(str(path))
            text = neutral(path.read_text(encoding='utf-8'), file_name)
        with open(out / (file_name + '.gz'), 'wb') as file:
            with gzip.GzipFile(filename='', fileobj=file, mode='wb', compresslevel=9, mtime=0) as packed:
                packed.write(text.encode('utf-8'))

        sums = [{key: getattr(row, key) for key in SUMS} for row in profiler.key_averages()]
        (out / ('torch_sums.rank%d.json' % rank)).write_text('[\n%s\n]\n' % ',\n'.join(json.dumps(row) for row in sums))

    torch.set_num_threads(1)
    verbose = torch._C._profiler._ExperimentalConfig(verbose=True)  # verbose: operators carry their call stack
    program.main(profile(activities=activities, schedule=schedule(**program.STEPS), on_trace_ready=write,
                         record_shapes=True, profile_memory=True, with_stack=True, with_flops=True, with_modules=True,
                         experimental_config=verbose))


def record_rank(name, rank, out, meeting):
    """A child process: joins the group when the program has several ranks, then records."""
    ranks = RANKS.get(name, 1)
    if ranks > 1:
        import torch
        import torch.distributed as dist
        if name not in ON_CPU:
            torch.cuda.set_device(rank % torch.cuda.device_count())
            os.environ['NCCL_HOSTID'] = str(rank)  # NCCL refuses two ranks of one host on one GPU
        dist.init_process_group('gloo' if name in ON_CPU else 'nccl', init_method='file://' + meeting, rank=rank, world_size=ranks)
    record(name, rank, out)
    if ranks > 1:
        dist.destroy_process_group()


def run(name, out):
    """Records the sample `name` into the folder out/name, one process per rank, and reports the files."""
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob('*.pt.trace.json.gz'):
        old.unlink()
    quiet = {**os.environ, 'NCCL_SOCKET_IFNAME': 'lo', 'NCCL_IB_DISABLE': '1', 'KINETO_LOG_LEVEL': '99', 'GLOO_SOCKET_IFNAME': 'lo',
             'PYTHONDONTWRITEBYTECODE': '1', 'TORCH_CPP_LOG_LEVEL': 'ERROR', 'PYTHONWARNINGS': 'ignore'}
    with tempfile.TemporaryDirectory() as meeting:
        children = [subprocess.Popen([sys.executable, __file__, '--child', name, str(rank), str(folder), meeting + '/group'], env=quiet)
                    for rank in range(RANKS.get(name, 1))]
        failed = [child.args[3:5] for child in children if child.wait()]
    if failed:
        raise SystemExit('record_sample.py: %s failed: %s' % (name, failed))
    for path in sorted(folder.glob('*.pt.trace.json.gz')):
        size = path.stat().st_size
        events = len(json.loads(gzip.decompress(path.read_bytes()))['traceEvents'])
        print('%s/%s: %d bytes, %d events' % (name, path.name, size, events), flush=True)
        if size >= LIMIT_BYTES:
            raise SystemExit('record_sample.py: over %d bytes: take fewer steps in samples/programs' % LIMIT_BYTES)


def main():
    if sys.argv[1:2] == ['--child']:
        name, rank, out, meeting = sys.argv[2:]
        return record_rank(name, int(rank), pathlib.Path(out), meeting)
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('out', type=pathlib.Path, help='folder that receives one folder per sample, e.g. samples')
    parser.add_argument('names', nargs='*', metavar='|'.join(MODULE), help='default: those of a CPU')
    chosen = parser.parse_args()
    for name in chosen.names or ON_CPU:
        if name not in MODULE:
            parser.error('unknown sample %r: choose of %s' % (name, ', '.join(MODULE)))
        run(name, chosen.out)


if __name__ == '__main__':
    main()
