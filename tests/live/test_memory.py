"""Memory on fresh recordings: the view reports the sums and the peak that this test counts from the recorded events."""
from collections import defaultdict

from program import Program, columns
from trace_shape import load


def recorded_memory(fresh, span):
    """Device name -> its events' arguments in order of time."""
    events = [event for event in load(fresh / span['file'])['traceEvents'] if event['name'] == '[memory]']
    devices = defaultdict(list)
    for event in sorted(events, key=lambda event: event['ts']):
        kind, ordinal = event['args']['Device Type'], event['args']['Device Id']
        assert kind in (0, 1), 'a device that this test does not know'
        devices['CPU' if kind == 0 else 'GPU%d' % ordinal].append(event['args'])
    return devices


def facts(report):
    return {fact['label']: fact['value'] for panel in report['panels'] for fact in panel.get('facts', ())}


def all_rows(program, place, device, table):
    """Every row of a table, page by page if it is long: column values by key."""
    run, worker, name = place
    whole = program.report(run, worker, name, 'memory', device=device)['tables'][table]
    if not whole.get('paged'):
        return columns(whole)
    values = defaultdict(list)
    for offset in range(0, whole['rows'], 10_000):
        page = program.get('/api/table', run=run, worker=worker, span=name, view='memory', device=device, table=table,
                           offset=offset, limit=10_000)
        for key, part in columns(page).items():
            values[key] += part
    return values


def test_memory_peaks_and_sums(fresh):
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            devices = recorded_memory(fresh, span)
            assert devices, (run, worker, name)
            for device, events in devices.items():
                shown = facts(program.report(run, worker, name, 'memory', device=device))
                totals = [event['Total Allocated'] for event in events]
                sizes = [event['Bytes'] for event in events]
                expected = {'Peak allocated': max(totals), 'Peak reserved': max(event['Total Reserved'] for event in events),
                            'Allocated before recording': totals[0] - sizes[0], 'Allocated at the end': totals[-1],
                            'Bytes allocated': sum(size for size in sizes if size > 0),
                            'Bytes released': -sum(size for size in sizes if size < 0), 'Events': len(events)}
                found = {label: shown[label] for label in expected}
                assert found == expected, (run, worker, name, device)


def test_every_memory_event_is_an_end_of_one_block(fresh):
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            for device, events in recorded_memory(fresh, span).items():
                blocks = all_rows(program, (run, worker, name), device, 'events')
                ends = sum(time is not None for key in ('allocated_at', 'released_at') for time in blocks[key])
                assert ends == len(events), (run, worker, name, device)
                assert sum(size for size, time in zip(blocks['size'], blocks['allocated_at']) if time is not None) == \
                    sum(max(event['Bytes'], 0) for event in events)
                for start, end, length in zip(blocks['allocated_at'], blocks['released_at'], blocks['duration']):
                    assert length == (None if None in (start, end) else end - start)


def test_live_memory_sums_to_the_total(fresh):
    with Program(fresh) as program:
        for run, worker, name, span in program.spans():
            for device in recorded_memory(fresh, span):
                report = program.report(run, worker, name, 'memory', device=device)
                live = columns(report['tables']['live'])
                assert sum(live['size']) == facts(report)['Peak allocated'], (run, worker, name, device)
                assert sum(columns(report['tables']['categories'])['live']) == facts(report)['Peak allocated']
