"""`with sightline.profile(...)` around real torch and real JAX."""
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

from program import BINARY, ROOT, free_port

PYTHON = ROOT / '.venv-live' / 'bin' / 'python'
TORCH = '''
import sys, time, torch, sightline
before = torch.ones(2, 2) @ torch.ones(2, 2)
with sightline.profile(profile_type=sys.argv[2], ms_duration=int(sys.argv[3]), logdir=sys.argv[1]) as profiler:
    for _ in range(50):
        torch.randn(64, 64) @ torch.randn(64, 64)
        profiler.step()
        time.sleep(0.01)
assert not torch.autograd._profiler_enabled()
with torch.profiler.profile():  # another can be begun
    pass
'''
JAX = '''
import sys, threading, time, jax, jax.numpy as jnp, sightline
step = jax.jit(lambda x: jnp.tanh(x @ x).sum())
x = jnp.ones((100, 100))
step(x).block_until_ready()
threads = threading.active_count()
try:
    with sightline.profile(ms_duration=int(sys.argv[2]), traced_only=True, logdir=sys.argv[1]):
        for _ in range(50):
            step(x).block_until_ready()
            time.sleep(0.01)
        if sys.argv[3] == 'raises':
            raise KeyError('of the block')
except KeyError:
    print('raised')
time.sleep(0.1)
assert threading.active_count() <= threads, threading.enumerate()
jax.profiler.start_trace(sys.argv[1] + '/again')  # another can be begun
jax.profiler.stop_trace()
'''


def run(program, *arguments, **settings):
    return subprocess.run([str(PYTHON), '-c', program, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'PYTHONPATH': str(ROOT / 'python'), **settings})


def matrix_products(folder):
    (name,) = folder.glob('*.pt.trace.json.gz')
    events = json.load(gzip.open(name))['traceEvents']
    return [event for event in events if event.get('name') == 'aten::mm']


def test_torch():
    with tempfile.TemporaryDirectory() as folder:
        done = run(TORCH, folder + '/logs', 'operator', 60_000)
        assert done.returncode == 0, done.stderr
        products = matrix_products(pathlib.Path(folder, 'logs'))
        assert len(products) == 50 and products[0]['args']['Input Dims'] == [[64, 64], [64, 64]]


def test_torch_for_a_time_and_without_shapes():
    with tempfile.TemporaryDirectory() as folder:
        done = run(TORCH, folder, 'trace', 100)
        assert done.returncode == 0, done.stderr
        products = matrix_products(pathlib.Path(folder))
        assert 1 <= len(products) < 50 and 'Input Dims' not in products[0]['args']


def test_jax():
    for milliseconds, end in ((60_000, 'ends'), (200, 'ends'), (60_000, 'raises')):
        with tempfile.TemporaryDirectory() as folder:
            done = run(JAX, folder, milliseconds, end)
            assert done.returncode == 0 and ('raised' in done.stdout) == (end == 'raises'), done.stderr
            (profile, _again) = sorted(pathlib.Path(folder).glob('**/*.xplane.pb'), key=lambda path: 'again' in str(path))
            info = subprocess.run([str(BINARY), 'info', str(profile)], capture_output=True, text=True)
            assert info.returncode == 0, info.stderr


ONE_AT_A_TIME = '''
import sys, sightline
if sys.argv[2] == 'torch':
    import torch
    work = lambda: torch.randn(8, 8) @ torch.randn(8, 8)
else:
    import jax.numpy
    work = lambda: jax.numpy.ones((8, 8)).sum().block_until_ready()
with sightline.profile(logdir=sys.argv[1] + '/outer'):
    try:
        with sightline.profile(logdir=sys.argv[1] + '/inner'):
            pass
    except sightline.Error as error:
        print(error)
    work()
try:
    with sightline.profile(logdir=sys.argv[1] + '/raising'):
        raise KeyError('of the block')
except KeyError:
    print('raised')
with sightline.profile(logdir=sys.argv[1] + '/again'):
    work()
if sys.argv[2] == 'torch':
    with torch.profiler.profile():
        try:
            with sightline.profile(logdir=sys.argv[1] + '/other'):
                pass
        except sightline.Error as error:
            print(error)
'''


def test_one_block_at_a_time_and_others_after_it():
    for framework, ending in (('torch', '.pt.trace.json.gz'), ('jax', '.xplane.pb')):
        with tempfile.TemporaryDirectory() as folder:
            done = run(ONE_AT_A_TIME, folder, framework)
            assert done.returncode == 0, done.stderr
            said = done.stdout.splitlines()
            assert said[:2] == ['this process is being recorded already: one sightline.profile at a time', 'raised'], said
            assert (said[2:] == ['torch.profiler records this process already: one at a time']) == (framework == 'torch')
            recorded = {path.relative_to(folder).parts[0] for path in pathlib.Path(folder).glob('**/*' + ending)}
            assert recorded >= {'outer', 'again'} and not recorded & {'inner', 'other'}, recorded


# torch has one recording per process; a recording that another one took over, or that another thread ended, crashed the process.
CROSSED = '''
import sys, threading, torch, sightline
def work():
    for _ in range(50):
        torch.randn(64, 64) @ torch.randn(64, 64)
def on_a_thread(what):
    def told():
        try:
            what()
        except sightline.Error as error:
            print(error)
    thread = threading.Thread(target=told)
    thread.start()
    thread.join()
def record():
    with torch.profiler.profile() as profiler:
        work()
folder, started, go = sys.argv[1], threading.Event(), threading.Event()
def record_meanwhile():
    with torch.profiler.profile() as profiler:
        work()
        started.set()
        go.wait()
    profiler.export_chrome_trace(folder + '/other.json')

other = threading.Thread(target=record_meanwhile)
other.start()
started.wait()
try:
    with sightline.profile(logdir=folder + '/beside'):
        pass
except sightline.Error as error:
    print(error)
go.set()
other.join()

with sightline.profile(logdir=folder + '/inside') as profiler:
    work()
    on_a_thread(record)
    try:
        record()
    except sightline.Error as error:
        print(error)
record()  # and now it may

with sightline.profile(logdir=folder + '/stopped') as profiler:
    work()
    profiler.stop()
    profiler.stop()

block = sightline.profile(logdir=folder + '/elsewhere')
block.__enter__()
on_a_thread(lambda: block.__exit__(None, None, None))
'''


def test_two_recordings_at_once_crash_nothing():
    with tempfile.TemporaryDirectory() as folder:
        done = run(CROSSED, folder)
        assert done.returncode == 0, done.stderr
        ours = 'sightline.profile records this process: one at a time'
        assert done.stdout.splitlines() == ['torch.profiler records this process already: one at a time', ours, ours,
                                            'the block ended on another thread than it began on: torch can end a recording only on the thread that began it']
        assert pathlib.Path(folder, 'other.json').exists()
        assert {path.parent.name for path in pathlib.Path(folder).glob('*/*.gz')} == {'inside', 'stopped', 'elsewhere'}
        assert len(matrix_products(pathlib.Path(folder, 'inside'))) == 50


LOST = '''
import sys, threading, torch, sightline
def work():
    for _ in range(50):
        torch.randn(64, 64) @ torch.randn(64, 64)
def profiler(name):
    return torch.profiler.profile(on_trace_ready=sightline.trace_handler(sys.argv[1] + '/' + name))
twice = profiler('twice')
twice.start()
work()
twice.stop()
twice.stop()
taken = profiler('taken')
taken.start()
work()
def take():
    with profiler('taker'):
        work()
thread = threading.Thread(target=take)
thread.start()
thread.join()
taken.stop()
print('goes on')
'''


def test_a_lost_recording_is_not_saved():
    with tempfile.TemporaryDirectory(dir='/tmp') as folder:  # the path of a socket must be short
        done = run(LOST, folder, KINETO_USE_DAEMON='1', KINETO_IPC_SOCKET_DIR=folder, PYTHONWARNINGS='always')
        assert done.returncode == 0 and done.stdout == 'goes on\n', done.stderr
        assert done.stderr.count('torch has lost this recording') == 2, done.stderr
        assert {path.parent.name for path in pathlib.Path(folder).glob('*/*.gz')} == {'twice', 'taker'}


JAX_CROSSED = '''
import subprocess, sys, jax, jax.numpy as jnp, sightline
step = jax.jit(lambda x: jnp.tanh(x @ x).sum())
x = jnp.ones((100, 100))
def work():
    step(x).block_until_ready()
with sightline.profile(logdir=sys.argv[1] + '/stopped'):
    work()
    jax.profiler.stop_trace()
print('stopped')
jax.profiler.start_server(int(sys.argv[2]))
capture = subprocess.Popen([sys.argv[3], 'capture', 'xla', 'localhost:' + sys.argv[2], '--duration', '4s', '--out', sys.argv[1] + '/outside'])
while capture.poll() is None:
    with sightline.profile(logdir=sys.argv[1] + '/beside'):
        work()
print('capture', capture.returncode)
with sightline.profile(logdir=sys.argv[1] + '/again'):
    work()
'''


def test_jax_ended_or_recorded_by_others():
    with tempfile.TemporaryDirectory() as folder:
        done = run(JAX_CROSSED, folder, free_port(), BINARY)
        assert done.returncode == 0 and done.stdout.startswith('stopped\n') and '\ncapture ' in done.stdout, (done.stdout, done.stderr)
        assert 'jax recorded nothing, or the block ended its recording' in done.stderr
        recorded = {path.relative_to(folder).parts[0] for path in pathlib.Path(folder).glob('**/*.xplane.pb')}
        assert recorded >= {'stopped', 'again'}, recorded


def test_wrong_arguments():
    for arguments, message in (('profile_type="all"', 'profile_type is one of'), ('ms_duration=0', 'ms_duration is a number'),
                               ('logdir="/proc/none"', '/proc/none'), ('framework="numpy"', 'framework is one of')):
        done = run(f'import torch, sightline\nwith sightline.profile({arguments}):\n    pass\n')
        assert done.returncode == 1 and message in done.stderr.splitlines()[-1], done.stderr


def test_nothing_to_record():
    done = run('import sightline\nwith sightline.profile():\n    pass\n')
    assert done.returncode == 1 and 'import torch, torch_xla or jax first' in done.stderr
