"""`sightline capture torch` records real torch processes that know nothing of it but the switch KINETO_USE_DAEMON."""
import gzip
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from program import BINARY, ROOT

PYTHON = ROOT / '.venv-live' / 'bin' / 'python'
TRAINING = '''
import os, sys, time, torch
distributed = 'RANK' in os.environ
if distributed:
    torch.distributed.init_process_group('gloo')
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
model = torch.nn.parallel.DistributedDataParallel(model) if distributed else model
print('training', flush=True)
for _ in range(int(sys.argv[1])):
    model(torch.randn(32, 64)).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    time.sleep(0.002)
'''


class Training:
    """Processes that train until the end of a with statement, in an own place for their sockets."""

    def __init__(self, ranks=1, steps=1_000_000, **settings):
        self.folder = tempfile.TemporaryDirectory(prefix='live-')
        self.out = pathlib.Path(self.folder.name) / 'out'
        self.settings = {**os.environ, 'KINETO_IPC_SOCKET_DIR': self.folder.name, **settings}
        self.processes = []
        for rank in range(ranks):
            group = {'RANK': str(rank), 'WORLD_SIZE': str(ranks), 'MASTER_ADDR': '127.0.0.1', 'MASTER_PORT': '29611'} if ranks > 1 else {}
            self.processes.append(subprocess.Popen([str(PYTHON), '-c', TRAINING, str(steps)], stdout=subprocess.PIPE,
                                                   stderr=subprocess.DEVNULL, text=True,
                                                   env={**self.settings, 'KINETO_USE_DAEMON': '1', **group}))

    def __enter__(self):
        for process in self.processes:
            assert process.stdout.readline() == 'training\n'
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()
        self.folder.cleanup()

    def command(self, *arguments):
        return [str(BINARY), 'capture', 'torch', '--out', str(self.out), *map(str, arguments)]

    def capture(self, *arguments):
        return subprocess.run(self.command(*arguments), env=self.settings, capture_output=True, text=True, timeout=180)


def traces(done):
    """By worker, what a capture printed the names of."""
    names = [pathlib.Path(name) for name in done.stdout.splitlines() if name.endswith('.gz')]
    return {name.name.split('.')[0]: json.load(gzip.open(name)) for name in names}


def slices(trace, category):
    return [event for event in trace['traceEvents'] if event.get('ph') == 'X' and event.get('cat') == category]


def span_ms(events):
    return (max(e['ts'] + e['dur'] for e in events) - min(e['ts'] for e in events)) / 1000


def test_a_process_is_recorded_for_the_time_asked_for():
    with Training() as training:
        done = training.capture('--pid', training.processes[0].pid, '--duration', '1s', '--shapes', '--memory')
        assert done.returncode == 0, done.stderr
        (trace,) = traces(done).values()
        operators = slices(trace, 'cpu_op')
        assert 800 < span_ms(operators) <= 1100, span_ms(operators)
        assert any(event['args'].get('Input Dims') for event in operators)
        has_memory = any(event.get('name') == '[memory]' for event in trace['traceEvents'])
        assert has_memory != ('recorded no allocations' in done.stderr), done.stderr
        assert training.processes[0].poll() is None


def test_steps_are_counted():
    with Training() as training:
        time.sleep(1)
        done = training.capture('--iterations', 5, '--duration', '20s', '--stacks')
        assert done.returncode == 0, done.stderr
        (trace,) = traces(done).values()
        steps = [e for e in trace['traceEvents'] if str(e.get('name', '')).startswith('Optimizer.step')]
        assert 4 <= len(steps) <= 6, len(steps)
        assert slices(trace, 'python_function')


def test_ranks_are_recorded_at_once():
    with Training(ranks=2) as training:
        done = training.capture('--all', '--duration', '500ms')
        assert done.returncode == 0, done.stderr
        found = traces(done)
        assert sorted(found) == ['rank0', 'rank1'], done.stderr
        starts = [t['baseTimeNanoseconds'] + 1000 * min(e['ts'] for e in slices(t, 'cpu_op')) for t in found.values()]
        assert abs(starts[0] - starts[1]) < 100e6, starts


def test_a_command_is_recorded_and_goes_on():
    with Training(ranks=0) as training:
        done = training.capture('--delay', '1s', '--duration', '300ms', '--', PYTHON, '-c', TRAINING, 12_000)
        assert done.returncode == 0, done.stderr
        assert 'training\n' in done.stdout and 'goes on' in done.stderr
        (trace,) = traces(done).values()
        assert slices(trace, 'cpu_op')


def test_a_process_that_is_killed():
    with Training() as training:
        capture = subprocess.Popen(training.command('--duration', '30s'), env=training.settings, stderr=subprocess.PIPE, text=True)
        time.sleep(15)
        training.processes[0].kill()
        training.processes[0].wait()
        _, errors = capture.communicate(timeout=20)
        assert capture.returncode == 1 and 'it ended before its recording was complete' in errors, errors


def test_ctrl_c_leaves_nothing_behind():
    before = set(pathlib.Path('/tmp').iterdir())
    with Training() as training:
        capture = subprocess.Popen(training.command('--duration', '4s'), env=training.settings, stderr=subprocess.PIPE, text=True)
        time.sleep(15)
        capture.send_signal(signal.SIGINT)
        _, errors = capture.communicate(timeout=20)
        assert capture.returncode == 1 and 'given up' in errors, errors
        time.sleep(6)
        assert training.processes[0].poll() is None, 'it goes on'
        again = training.capture('--duration', '300ms', '--pid', training.processes[0].pid)
        assert again.returncode == 0, again.stderr
    left = {p.name for p in set(pathlib.Path('/tmp').iterdir()) - before if 'kineto' in p.name or p.name.startswith('sightline-')}
    assert not left, left
