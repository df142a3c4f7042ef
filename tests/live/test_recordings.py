"""Fresh recordings of real torch have the structure of the committed samples.

A difference means that torch writes something new: read it, extend the reader, and record the samples again with
tools/record_sample.py samples.
"""
import re

from trace_shape import differences, load, preconditions

EXPECTED = {'conv': ('conv_rank0', [[2, 3, 4, 5, 6, 7]]), 'transformer': ('transformer_rank0', [[2, 3], [6, 7]]),
            'ddp': ('ddp_rank0 ddp_rank1', [[2, 3, 4, 5, 6]] * 2)}


def files(folder, run):
    return sorted((folder / run).glob('*.pt.trace.json.gz'))


def test_files_workers_and_steps(committed, fresh):
    for folder in (committed, fresh):
        for run, (workers, steps) in EXPECTED.items():
            found = files(folder, run)
            assert sorted({path.name.split('.')[0] for path in found}) == workers.split(), found
            assert [preconditions(load(path))['steps'] for path in found] == steps, run


def test_same_structure(committed, fresh):
    for run in EXPECTED:
        for old, new in zip(files(committed, run), files(fresh, run)):
            found = differences(load(old), load(new))
            assert not found, '%s: %s' % (run, '; '.join(found))


def test_every_view_has_something_to_show(committed, fresh):
    for folder in (committed, fresh):
        for run in EXPECTED:
            for path in files(folder, run):
                has = preconditions(load(path))
                wanted = {'steps', 'operators', 'call stacks', 'input shapes', 'memory events', 'modules', 'forward and backward'}
                wanted |= {'conv': {'data loading'}, 'ddp': {'collectives', 'ranks'}}.get(run, set())
                assert not [key for key in wanted if not has[key]], path.name


def test_small_enough_and_neutral(committed, fresh):
    for folder in (committed, fresh):
        for run in EXPECTED:
            for path in files(folder, run):
                assert path.stat().st_size < 256 * 1024, path.name
                trace = load(path)
                assert trace['host_name'] == 'host0'
                paths = {frame for event in trace['traceEvents'] for frame in re.findall(r'(?:^|;)(/[^;]*\.py)', str(event.get('args', {}).get('Call stack', '')))}
                assert not paths, sorted(paths)[:3]
