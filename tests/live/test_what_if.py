"""Is what-if true? Real models are recorded with a known cost after each layer and without it. The cost is predicted away, and the
prediction is compared with the steps without it. The table in docs/what-if.md is `.venv/bin/python tests/live/test_what_if.py`.

Steps with and without the cost take turns in one recording, and a step is compared with the one without the cost beside it; every figure
is a median over steps. So what else the machine does disturbs little. How much is measured as well: `noise` is the error of predicting a
step without the cost from the one before it.
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

from program import BINARY, columns
from targets import PYTHON

LARGEST_ERROR = 0.03
STEPS = 30  # of each cost

# RECORDER FILE MODEL DEVICE THREADS STEPS COST...: records so many steps with each cost, in turn. A COST is PLACE-MILLISECONDS.
RECORDER = """
import queue, sys, threading, time, torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

(file, name, device, threads, steps), costs = sys.argv[1:6], [cost.split('-') for cost in sys.argv[6:]]
torch.manual_seed(0)
torch.set_num_threads(int(threads))
size = 1 if device == 'cpu' else 8
def perceptron():
    return [nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(6)], torch.randn(1024 * size, 512)
def convolutions():
    return [nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.ReLU()) for i, o in ((3, 32), (32, 32), (32, 64))], torch.randn(32 * size, 3, 32, 32)
def transformer():
    return [nn.TransformerEncoderLayer(128, 4, 512, batch_first=True) for _ in range(3)], torch.randn(16 * size, 64, 128)
layers, batch = {'perceptron': perceptron, 'convolutions': convolutions, 'transformer': transformer}[name]()
model, batch = nn.Sequential(*layers).to(device), batch.to(device)
optimizer = torch.optim.SGD(model.parameters(), 1e-3)
place, seconds = 'none', 0.0
source, target = torch.ones(16 << 20), torch.ones(16 << 20)  # 64 MB each: more than the caches

def spin():
    with record_function('spin'):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

def after(where):
    if where != place.split('.')[0]:
        return
    if place == 'forward.device':
        torch.cuda._sleep(int(seconds * cycles_of_a_second))
    elif place == 'forward.copy':
        with record_function('spin'):
            target.copy_(source)
    else:
        spin()

for layer in layers:
    layer.register_forward_hook(lambda *_: after('forward'))
    layer.register_full_backward_hook(lambda *_: after('backward'))

def step():
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    loss.item()

cycles_of_a_second = 0
if device == 'cuda':
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(2):
        begin.record(); torch.cuda._sleep(100_000_000); end.record(); end.synchronize()
    cycles_of_a_second = 1e8 / (begin.elapsed_time(end) / 1e3)

batches, wanted = queue.Queue(), queue.Queue()
def loader():  # a thread that prepares the next batch while the step of this one runs
    while wanted.get():
        spin()
        batches.put(None)

for _ in range(5):
    step()
place, milliseconds = costs[0]
seconds = float(milliseconds) / 1e3
if place == 'thread':
    thread = threading.Thread(target=loader)
    thread.start()
    wanted.put(True)
warmup, active = len(costs), int(steps) * len(costs)
with profile(activities=[ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * (device == 'cuda'),
             schedule=schedule(wait=0, warmup=warmup, active=active, repeat=1),
             on_trace_ready=lambda made: made.export_chrome_trace(file),
             experimental_config=torch._C._profiler._ExperimentalConfig(profile_all_threads=True)) as recording:
    for number in range(warmup + active):  # the number of the step in the recording, too
        place, milliseconds = costs[number % len(costs)]
        seconds = float(milliseconds) / 1e3
        if place == 'thread':
            batches.get()
            wanted.put(True)
        step()
        recording.step()
if place == 'thread':
    batches.get()
    wanted.put(False)
    thread.join()
"""


def _difference(steps, others):
    return statistics.median(other / step - 1 for step, other in zip(steps, others))


class Case:
    """One cost in one model: median steps in ns, without it, with it, and predicted from those with it."""

    def __init__(self, model, threads, cost, without, recorded, predicted):
        self.model, self.threads, (self.place, self.milliseconds) = model, threads, cost.split('-')
        self.without, self.recorded, self.predicted = map(statistics.median, (without, recorded, predicted))
        self.error = _difference(without, predicted)
        self.noise = abs(_difference(without[::2], without[1::2]))

    def __str__(self):
        return '| %s | %d | %s, %s ms | %.2f | %.2f | %.2f | %+.1f %% | %.1f %% |' % (
            self.model, self.threads, self.place, self.milliseconds, self.recorded / 1e6, self.without / 1e6, self.predicted / 1e6,
            100 * self.error, 100 * self.noise)


def predict(file, change, costs):
    """For each cost, the recorded and the predicted lengths of its steps, in ns."""
    done = subprocess.run([BINARY, 'what-if', file, change, '--format', 'json', '--no-cache'], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    table = columns(json.loads(done.stdout)['tables']['steps'])
    lengths = {cost: ([], []) for cost in costs}
    for number, recorded, predicted in zip(table['step'], table['recorded'], table['predicted']):
        of_cost = lengths[costs[number % len(costs)]]
        of_cost[0].append(recorded)
        of_cost[1].append(predicted)
    return lengths


def measure(model, threads, costs, device='cpu'):
    """A Case for each cost."""
    with tempfile.TemporaryDirectory(prefix='sightline_spin_') as temporary:
        def record(name, costs):
            file = pathlib.Path(temporary, name + '.json')
            done = subprocess.run([PYTHON, '-c', RECORDER, file, model, device, str(threads), str(STEPS), *costs], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            return file
        # What a thread does beside a step reaches into the next one, so its steps take no turns with others.
        turns = [WITHOUT, *(cost for cost in costs if not cost.startswith('thread'))]
        file = record('turns', turns)
        without = predict(file, 'host*1', turns)[WITHOUT][0]
        for cost in costs:
            among = turns if cost in turns else [cost]
            change = 'kernel:spin_kernel*0' if '.device-' in cost else 'host:spin*0'
            yield Case(model, threads, cost, without, *predict(file if cost in turns else record('thread', among), change, among)[cost])


MODELS = ('perceptron', 'convolutions', 'transformer')
WITHOUT = 'none-0'
HOST = ('forward-1', 'forward-4', 'forward-10', 'backward-4')
WRONG = ('forward.copy-0', 'thread-4', 'thread-60')


def check(case):
    """Whether the case can be judged: on a busy machine, a small cost is less than what repetitions differ by."""
    print('      ' + str(case), flush=True)
    if case.recorded <= case.without * (1 + case.noise):
        print('      its cost is smaller than the noise: not judged', flush=True)
        return False
    assert abs(case.error) <= max(LARGEST_ERROR, case.noise), case
    return True


def test_spins_of_the_host():
    judged = []
    for model in MODELS:
        for threads in (1, 2) if os.cpu_count() > 2 else (1,):  # with no core to spare, whatever else runs disturbs too much
            judged += [check(case) for case in measure(model, threads, HOST)]
    assert sum(judged) >= len(judged) / 2, 'most costs were smaller than the noise: repeat it on a quiet machine'


def test_a_thread_that_is_waited_for_is_not_predicted_away():
    """What docs/what-if.md says: waits for batches keep their length, so the prediction is the step as recorded."""
    case, = measure('perceptron', 1, ('thread-60',))
    assert case.recorded > case.without * (1 + case.noise) and abs(case.predicted / case.recorded - 1) < 0.001, case


def test_spins_of_a_device():
    done = subprocess.run([PYTHON, '-c', 'import torch; print(torch.cuda.is_available())'], capture_output=True, text=True)
    if done.stdout.strip() != 'True':
        raise unittest.SkipTest('no CUDA device here, so spins of a device were not recorded')
    for model in MODELS:
        for case in measure(model, 1, ('forward.device-0.5', 'forward.device-2', 'forward-0.5', 'forward-2'), 'cuda'):
            check(case)


if __name__ == '__main__':
    print('| model | threads | cost after each layer | with it, ms | without it, ms | predicted, ms | error | noise |')
    print('|---|---|---|---|---|---|---|---|')
    for some_model in MODELS:
        for count in (1, 2):
            for some_case in measure(some_model, count, HOST + WRONG):
                print(some_case, flush=True)
