"""The steps of the README with real torch: its training program is recorded twice, and both runs are in TensorBoard, in Python,
and compared.

The test takes the program from the README itself, so the code that newcomers copy is the code that runs here.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / 'build' / 'python' / 'module'
TORCH = ROOT / '.venv-live' / 'bin' / 'python'
sys.path.insert(0, str(ROOT / 'python' / 'tests'))
from tensorboard_process import PLUGIN, TensorBoard, until  # noqa: E402


def wheel(*names):
    subprocess.run([ROOT / '.venv' / 'bin' / 'python', ROOT / 'tools' / 'wheel_environments', *names], check=True)


def torch_runs(folder, *arguments):
    """Runs Python with torch and the installed wheel in the folder."""
    done = subprocess.run([TORCH, *arguments], cwd=folder, capture_output=True, text=True, env={**os.environ, 'PYTHONPATH': str(MODULE)})
    assert done.returncode == 0, done.stderr


def sightline(*arguments):
    done = subprocess.run([MODULE / 'sightline' / 'bin' / 'sightline', *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def calls(report):
    """Operator -> number of calls."""
    columns = {column['key']: column['values'] for column in report['tables']['operators']['columns']}
    return dict(zip(columns['name'], columns['calls']))


def test_the_path_of_the_readme():
    wheel('module', 'newest')
    program = re.search(r'```python\n(# train\.py.*?)```', (ROOT / 'README.md').read_text(), re.S)[1]
    with tempfile.TemporaryDirectory(prefix='sightline_live_') as folder:
        (pathlib.Path(folder) / 'train.py').write_text(program)
        runs = pathlib.Path(folder) / 'runs'
        torch_runs(folder, 'train.py', 'before', '64')
        with TensorBoard('newest', runs, pathlib.Path(folder) / 'log') as board:
            until(board.active, 'the tab is active')
            until(lambda: [(run, status) for run, _, _, status in board.spans()] == [('before', 'ready')], 'the run is read')
            torch_runs(folder, 'train.py', 'after', '256')
            wanted = [('after', 'ready'), ('before', 'ready')]
            until(lambda: sorted((run, status) for run, _, _, status in board.spans()) == wanted, 'the second run appears')
            for run in ('before', 'after'):
                counted = calls(board.json(f'{PLUGIN}/api/report?view=operators&run={run}'))
                assert counted['aten::linear'] == 2 * 5, counted  # two layers, five recorded steps
                steps = board.json(f'{PLUGIN}/api/report?view=overview&run={run}')['tables']['steps']
                assert steps['rows'] == 5, steps['rows']
        assert not list(runs.rglob('.*')), 'nothing hidden is left'
        compared = sightline('diff', runs / 'before', runs / 'after')
        assert re.search(r'^Steps +5 +5 +0 ', compared, re.M), compared


def test_a_distributed_worker_is_named_by_its_rank():
    wheel('module')
    code = '''
import sightline, torch
torch.distributed.init_process_group("gloo", init_method="file://" + __import__("os").path.abspath("store"), rank=0, world_size=1)
with torch.profiler.profile(on_trace_ready=sightline.trace_handler("runs/job")):
    torch.ones(3).add(1)
torch.distributed.destroy_process_group()
with torch.profiler.profile(on_trace_ready=sightline.trace_handler("runs/alone", gzip=False)):
    torch.ones(3).add(1)
'''
    with tempfile.TemporaryDirectory(prefix='sightline_live_') as folder:
        torch_runs(folder, '-c', code)
        state = json.loads(sightline('info', pathlib.Path(folder) / 'runs', '--format', 'json'))
        workers = {run['name']: run['workers'][0]['name'] for run in state['runs']}
        assert workers['job'] == 'rank0' and re.search(r'_\d+$', workers['alone']), workers
