"""The view Lightning on a fresh recording of PyTorch Lightning's own profiler: it counts every recorded module and hook."""
import collections
import json
import pathlib
import subprocess
import tempfile

from program import Program, columns
from test_newcomer import TORCH

TRAIN = '''
import logging
import torch
import lightning.pytorch as pl
from lightning.pytorch.profilers import PyTorchProfiler

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))

    def training_step(self, batch, index):
        return self.layers(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 16)), batch_size=8)
profiler = PyTorchProfiler(dirpath="out", filename="net", schedule=torch.profiler.schedule(wait=1, warmup=1, active=3), record_module_names=True)
pl.Trainer(max_epochs=1, profiler=profiler, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
           accelerator="cpu").fit(Net(), data)
'''


def test_the_view_lightning_counts_every_recorded_call():
    with tempfile.TemporaryDirectory(prefix='sightline_live_') as folder:
        done = subprocess.run([TORCH, '-c', TRAIN], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        [file] = pathlib.Path(folder, 'out').rglob('*.pt.trace.json')
        events = [event for event in json.loads(file.read_text())['traceEvents'] if event.get('ph') == 'X']
        recorded = collections.Counter(event['name'] for event in events)
        modules = {name.partition(': ')[2]: count for name, count in recorded.items() if name.startswith('[pl][module]')}
        hooks = {name.removeprefix('[pl][profile]'): count for name, count in recorded.items() if name.startswith('[pl][profile]')}
        assert modules and hooks, sorted(recorded)
        with Program(file.parent) as program:
            [(run, worker, name, span)] = program.spans()
            assert span['status'] == 'ready' and not span['problems'] and span['views']['lightning'] is None, span
            tables = program.report(run, worker, name, 'lightning')['tables']
            shown = columns(tables['modules'])
            called = {name: calls for name, calls in zip(shown['name'], shown['calls']) if calls}
            assert called == modules, (called, modules)
            counted = collections.Counter()
            shown = columns(tables['hooks'])
            for hook, calls in zip(shown['name'], shown['calls']):
                counted[hook] += calls
            assert counted == hooks, (counted, hooks)
