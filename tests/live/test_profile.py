"""`with sightline.profile(...)` around real torch and real JAX."""
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

from program import BINARY, ROOT

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


def run(program, *arguments):
    return subprocess.run([str(PYTHON), '-c', program, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'PYTHONPATH': str(ROOT / 'python')})


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


def test_nothing_to_record():
    done = run('import sightline\nwith sightline.profile():\n    pass\n')
    assert done.returncode == 1 and 'import torch, torch_xla or jax first' in done.stderr
