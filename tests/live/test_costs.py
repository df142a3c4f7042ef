"""Costs of a recording against PyTorch's FlopCounterMode, which counts the same run while it is recorded.

It counts products, convolutions and attention. Three differences are known: it does not count the addition of a bias, it
counts all pairs of a causal mask, which has half of them, and it counts the gradient of the weight of a convolution with groups
as if there were one group.
"""
import json
import subprocess
import tempfile

from program import BINARY
from targets import PYTHON

# Prints {operator: operations}, and writes the recording.
MODEL = """
import json, sys, torch
from torch.nn import functional as F
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

torch.manual_seed(0)
images = torch.randn(2, 3, 16, 16, requires_grad=True)
convolutions = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, stride=2, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(8, 8, 3, groups=4, dilation=2),
    torch.nn.ConvTranspose2d(8, 6, 4, stride=2, padding=1))
dense = torch.nn.Sequential(torch.nn.Linear(48, 32), torch.nn.GELU(), torch.nn.Linear(32, 16, bias=False))
tokens = torch.randn(2, 4, 24, 16, requires_grad=True)
left, right = torch.randn(5, 7, 9, requires_grad=True), torch.randn(5, 9, 3, requires_grad=True)
added = torch.randn(5, 7, 3)

def step():
    out = convolutions(images).flatten(1)
    loss = dense(out[:, :48]).sum() + torch.bmm(left, right).sum() + torch.baddbmm(added, left, right).sum()
    loss = loss + F.scaled_dot_product_attention(tokens, tokens, tokens, is_causal=True).sum()
    loss = loss + F.scaled_dot_product_attention(tokens, tokens, tokens).sum()
    loss.backward()

step()
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
    step()
recorded.export_chrome_trace(sys.argv[1])
with FlopCounterMode(display=False) as counted:
    step()
print(json.dumps({str(operator): flops for operator, flops in counted.get_flop_counts()['Global'].items()}))
"""


def calls_of(trace):
    for event in json.load(open(trace))['traceEvents']:
        given = event.get('args', {})
        if event.get('cat') == 'cpu_op' and 'Input Dims' in given:
            lists = [json.dumps(given.get(key, [])) for key in ('Input Dims', 'Input type', 'Input Strides', 'Concrete Inputs')]
            yield event['name'], given, '\t'.join([event['name'], *lists])


def as_torch_counts(name, given, flops):
    """The operations of a call, with the three differences."""
    dims, inputs = given['Input Dims'], given.get('Concrete Inputs', [])
    if name == 'aten::addmm':
        return flops - dims[1][0] * dims[2][1]
    if name == 'aten::baddbmm':
        return flops - dims[1][0] * dims[1][1] * dims[2][2]
    if name == 'aten::convolution_backward':  # half of them are for the weight
        return flops + (int(inputs[9]) - 1) * flops / 2
    causal = {'aten::_scaled_dot_product_flash_attention_for_cpu': 4, 'aten::_scaled_dot_product_flash_attention_for_cpu_backward': 7}
    return flops * 2 if name in causal and inputs[causal[name]] == 'True' else flops


def our_sums(trace):
    calls = list(calls_of(trace))
    table = subprocess.run([str(BINARY), 'costs', '-'], input=''.join(line + '\n' for *_, line in calls), capture_output=True,
                           text=True, check=True).stdout.splitlines()[1:]
    sums = {}
    for (name, given, _), row in zip(calls, table, strict=True):
        if flops := row.split('\t')[1]:
            sums[name] = sums.get(name, 0) + as_torch_counts(name, given, float(flops))
    return sums


def recorded(trace, name):
    """The inputs of each call of an operator."""
    members = ('Input Dims', 'Input type', 'Input Strides', 'Concrete Inputs')
    return [[given[member] for member in members] for called, given, _ in calls_of(trace) if called == name]


def test_operations_are_those_that_torch_counts():
    with tempfile.TemporaryDirectory(prefix='live-') as folder:
        trace = folder + '/costs.pt.trace.json'
        done = subprocess.run([str(PYTHON), '-c', MODEL, trace], capture_output=True, text=True, check=True)
        theirs = {name.replace('.', '::'): flops for name, flops in json.loads(done.stdout).items()}
        ours = our_sums(trace)
    assert {'aten::mm', 'aten::addmm', 'aten::bmm', 'aten::convolution', 'aten::convolution_backward'} <= set(theirs)
    assert {name: ours.get(name) for name in theirs} == theirs


REPRODUCED = ('aten::addmm', 'aten::mm', 'aten::bmm', 'aten::baddbmm', 'aten::convolution', 'aten::convolution_backward', 'aten::copy_',
              'aten::_scaled_dot_product_flash_attention_for_cpu_backward', 'aten::gelu', 'aten::sum', 'aten::add_')


def test_a_reproduced_operator_has_the_recorded_inputs():
    with tempfile.TemporaryDirectory(prefix='live-') as folder:
        trace, script, again = folder + '/costs.pt.trace.json', folder + '/script.py', folder + '/again.json'
        subprocess.run([str(PYTHON), '-c', MODEL, trace], capture_output=True, check=True)
        for name in REPRODUCED:
            text = subprocess.run([str(BINARY), 'reproduce', trace, '--operator', name], capture_output=True, text=True, check=True)
            with open(script, 'w') as file:
                file.write(text.stdout)
            done = subprocess.run([str(PYTHON), script, '--device', 'cpu', '--profile', again], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert recorded(again, name)[0] in recorded(trace, name), name
