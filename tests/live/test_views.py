"""The program on fresh recordings: every file loads without a problem, every view reports, and its sums are right.

The expected figures are counted here directly from the recorded file, with the shortest possible code, and
compared with the program's report in nanoseconds.
"""
import collections
import re

from program import Program, columns
from trace_shape import load

WANTED = {'overview', 'operators', 'timeline', 'memory', 'metadata', 'problems'}  # no kernels on the CPU


def nanoseconds(event):
    """Start and end of an event."""
    start = round(event['ts'] * 1000)
    return start, start + round(event['dur'] * 1000)


def recorded(fresh, span):
    return load(fresh / span['file'])['traceEvents']


def union_length(ranges):
    total, reach = 0, -1
    for start, end in sorted(ranges):
        total += max(0, end - max(start, reach))
        reach = max(reach, end)
    return total


def close(one, two, events):
    """Equal up to the rounding of times to doubles: half a nanosecond per event and side."""
    return abs(one - two) <= events + 1


def test_every_file_is_read_without_a_problem(fresh):
    with Program(fresh) as program:
        spans = list(program.spans())
        assert len(spans) == 5, [span[:3] for span in spans]
        for run, worker, name, span in spans:
            assert span['status'] == 'ready' and not span['problems'], (run, worker, name, span)


def test_the_views_are_available_and_report(fresh):
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            missing = {view for view in WANTED if span['views'].get(view, 'no such view') is not None}
            assert not missing, (run, worker, name, {view: span['views'].get(view) for view in missing})
            no_reports = {view['id'] for view in program.loaded['views'] if view['scope'] == 'none'}
            for view in (view for view, reason in span['views'].items() if reason is None and view not in no_reports):
                report = program.report(run, worker, name, view)
                assert report['panels'], view
                for key, table in report['tables'].items():
                    lengths = {len(column['values']) for column in table['columns']}
                    assert lengths <= {table['rows']}, (view, key, lengths)
                for panel in report['panels']:
                    assert panel.get('table', next(iter(report['tables']), None)) in (*report['tables'], None), (view, panel['id'])


def test_each_step_is_spent_completely(fresh):
    """On the CPU a step is exactly its ProfilerStep range, and its categories sum to it."""
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            steps = [nanoseconds(e) for e in recorded(fresh, span) if re.match(r'ProfilerStep#\d+$', e['name'])]
            report = program.report(run, worker, name, 'overview')
            panel = next(panel for panel in report['panels'] if panel['kind'] == 'bars' and panel.get('stacked'))
            values = columns(report['tables'][panel['table']])
            sums = [sum(row) for row in zip(*(values[series] for series in panel['series']))]
            assert len(sums) == len(steps), (run, worker, name)
            for got, (start, end) in zip(sums, steps):
                assert close(got, end - start, 1), (run, worker, name, got, end - start)


def test_operator_self_times_sum_to_the_time_in_operators(fresh):
    """Self times partition each thread's operator time; no operator has more calls than were recorded."""
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            operators = [e for e in recorded(fresh, span) if e.get('cat') == 'cpu_op']
            by_thread = collections.defaultdict(list)
            for event in operators:
                by_thread[event['tid']].append(nanoseconds(event))
            values = columns(program.report(run, worker, name, 'operators')['tables']['operators'])
            expected = sum(union_length(ranges) for ranges in by_thread.values())
            assert close(sum(values['host_self']), expected, len(operators)), (run, worker, name, sum(values['host_self']), expected)
            calls = collections.Counter(e['name'] for e in operators)
            wrong = {op: count for op, count in zip(values['name'], values['calls']) if not 0 < count <= calls[op]}
            assert not wrong, wrong
