"""`sightline capture torch` records real torch processes without preparation except the switch KINETO_USE_DAEMON."""
import gzip
import json
import os
import pathlib
import re
import tempfile
import time

from program import ROOT, free_port
from targets import PYTHON, Targets, left_in_tmp

TRAINING = '''
import os, sys, time, torch
distributed = 'RANK' in os.environ
if distributed:
    torch.distributed.init_process_group('gloo')
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
model = torch.nn.parallel.DistributedDataParallel(model) if distributed else model
print('running', flush=True)
for _ in range(int(sys.argv[1])):
    model(torch.randn(32, 64)).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    time.sleep(0.002)
'''


class Training(Targets):
    """Processes that train, with a separate folder for their sockets."""
    program = TRAINING
    way = ('torch',)

    def __init__(self, ranks=1, steps=1_000_000):
        group = {'WORLD_SIZE': str(ranks), 'MASTER_ADDR': '127.0.0.1', 'MASTER_PORT': str(free_port())}
        super().__init__([[steps]] * ranks, [{'KINETO_USE_DAEMON': '1', **({'RANK': str(rank), **group} if ranks > 1 else {})}
                                             for rank in range(ranks)])

    def common_settings(self):
        return {'KINETO_IPC_SOCKET_DIR': self.folder.name}


def traces(done):
    """The files whose names a capture printed, by worker."""
    names = [pathlib.Path(name) for name in done.stdout.splitlines() if name.endswith('.gz')]
    return {name.name.split('.')[0]: json.load(gzip.open(name)) for name in names}


def slices(trace, category):
    return [event for event in trace['traceEvents'] if event.get('ph') == 'X' and event.get('cat') == category]


def span_ms(events):
    return (max(e['ts'] + e['dur'] for e in events) - min(e['ts'] for e in events)) / 1000


def test_a_process_is_recorded_for_the_requested_time():
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


def test_a_command_is_recorded_and_continues():
    with Training(ranks=0) as training:
        done = training.capture('--delay', '1s', '--duration', '300ms', '--', PYTHON, '-c', TRAINING, 12_000)
        assert done.returncode == 0, done.stderr
        assert 'running\n' in done.stdout and 'continues' in done.stderr
        (trace,) = traces(done).values()
        assert slices(trace, 'cpu_op')


RECORDS_ITSELF = f'''
import os, pathlib, sys, time, torch
sys.path.insert(0, {str(ROOT / 'python')!r})
import sightline
def work():
    for _ in range(20):
        torch.randn(32, 32) @ torch.randn(32, 32)
    time.sleep(0.005)
traces = pathlib.Path(os.environ['KINETO_ONDEMAND_TRACE_DIR'])
work()
print('running', flush=True)
while not list(traces.glob('sightline-capture-*/*')):  # until it is recorded
    work()
try:
    with sightline.profile(logdir=sys.argv[1]):
        print('recorded')
except sightline.Error as error:
    print(error, flush=True)
while list(traces.glob('sightline-capture-*')):
    work()
with sightline.profile(logdir=sys.argv[1]):
    work()
print('done', flush=True)
'''


class RecordsItself(Training):
    """A process that starts to record itself as soon as it is recorded from outside."""
    program = RECORDS_ITSELF

    def __init__(self):
        self.traces = tempfile.TemporaryDirectory(prefix='live-')
        super().__init__(steps=os.path.join(self.traces.name, 'own'))

    def common_settings(self):
        return {**super().common_settings(), 'KINETO_ONDEMAND_TRACE_DIR': self.traces.name}


def test_a_process_that_records_itself_does_not_crash():
    with RecordsItself() as training:
        done = training.capture('--duration', '1s')
        assert done.returncode == 0, done.stderr
        (process,) = training.processes
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert re.match(r'this process is being recorded from outside, into /\S+_\d+\.json\S*: one at a time\ndone\n', said), said
        assert slices(*traces(done).values(), 'cpu_op')


def test_a_process_that_is_killed():
    with Training() as training:
        capture = training.begin('--duration', '30s')
        capture.until('1 recording')
        training.processes[0].kill()
        training.processes[0].wait()
        code, _, errors = capture.ended()
        assert code == 1 and 'it ended before its recording was complete' in errors, errors


def test_ctrl_c_leaves_nothing_behind():
    before = set(pathlib.Path('/tmp').iterdir())
    with Training() as training:
        capture = training.begin('--duration', '4s')
        capture.until('1 recording')
        code, names, errors = capture.ctrl_c()
        assert code == 1 and not names and 'stopped' in errors, errors
        again = training.capture('--duration', '300ms', '--pid', training.processes[0].pid)
        assert again.returncode == 0, again.stderr
        assert training.processes[0].poll() is None, 'it goes on'
    assert not left_in_tmp(before)


def test_ctrl_c_while_it_waits_for_processes():
    with Training(ranks=0) as training:
        capture = training.begin()
        capture.until('listening for')
        code, names, errors = capture.ctrl_c()
        assert code == 1 and not names and 'stopped; nothing was recorded' in errors, errors
        assert not list(pathlib.Path(training.folder.name).iterdir()), 'neither a socket nor a folder'
