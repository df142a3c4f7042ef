"""Fresh recordings of real JAX on the CPU, compared completely: every event, its steps, and the operators of its compiled
programs."""
import collections
import pathlib
import subprocess
import sys
import tempfile

from program import BINARY, ROOT, Program, columns

sys.path[:0] = [str(ROOT / 'tests' / 'oracle')]
import xplane  # noqa: E402

PYTHON = ROOT / '.venv-live' / 'bin' / 'python'
STEPS = 4


TEMPORARY = tempfile.TemporaryDirectory(prefix='sightline_jax_')  # apart from the recordings of torch, which other tests open as a whole
FOLDER = pathlib.Path(TEMPORARY.name, 'jax')


def record():
    """The file in FOLDER, recorded once."""
    if not list(FOLDER.glob('plugins/profile/*/*.xplane.pb')):
        script = pathlib.Path(__file__).with_name('jax_training.py')
        subprocess.run([str(PYTHON), str(script), str(FOLDER), str(STEPS)], check=True, env={'JAX_PLATFORMS': 'cpu', 'PATH': '/usr/bin:/bin'},
                       capture_output=True, timeout=300)
    return next(FOLDER.glob('plugins/profile/*/*.xplane.pb'))


def query(file, sql):
    import json
    done = subprocess.run([str(BINARY), 'query', str(file), sql, '--format', 'json', '--limit', '0'], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(zip(*(column['values'] for column in json.loads(done.stdout)['columns'])))


def events(file):
    for plane in xplane.load(file).planes:
        for line in plane.lines:
            for event in line.events:
                yield plane, line, event


def test_every_event_of_a_jax_recording():
    file = record()
    theirs = collections.Counter((str(line.id), event.name, event.start_ns, event.duration_ns) for _, line, event in events(file))
    ours = collections.Counter(query(file, "SELECT track, slices.name, start, duration FROM slices JOIN lanes ON slices.lane = lanes.id "
                                           "WHERE track NOT LIKE 'derived%'"))
    assert sum(theirs.values()) > 100
    assert ours == theirs


def executions(file, module):
    """The end of each execution of the module, in the order in which they began."""
    times, of = {}, {}
    for _, _, event in events(file):
        if (run := event.stats.get('run_id')) is not None:
            start, end = times.get(run, (event.start_ns, 0))
            times[run] = min(start, event.start_ns), max(end, event.start_ns + event.duration_ns)
            of[run] = event.stats.get('hlo_module', of.get(run))
    return [end for (_, end), run in sorted((extent, run) for run, extent in times.items()) if of[run] == module]


def test_steps_are_those_that_jax_marked():
    marked = sorted((event.start_ns, event.stats['step_num']) for _, _, event in events(record()) if '_r' in event.stats)
    assert query(record(), 'SELECT start, number FROM steps') == marked
    assert [number for _, number in marked] == list(range(STEPS))
    returned = sorted(event.start_ns + event.duration_ns for _, _, event in events(record()) if '_r' in event.stats)
    done = executions(record(), 'jit_train_step')
    assert len(done) == STEPS
    assert query(record(), 'SELECT start + duration FROM steps') == [(max(two),) for two in zip(returned, done)]


def test_a_step_without_a_mark_lasts_until_its_work_is_done():
    """A loop that requests all of its steps before the first is done: the steps together take as long as the loop."""
    script = """import sys, time, jax, jax.numpy as jnp
step = jax.jit(lambda w: jnp.tanh(w @ w) * 0.1)
w = step(jnp.full((700, 700), 0.01)).block_until_ready()
with jax.profiler.trace(sys.argv[1]):
    began = time.perf_counter_ns()
    for _ in range(20):
        w = step(w)
    w.block_until_ready()
    print(time.perf_counter_ns() - began)"""
    folder = pathlib.Path(TEMPORARY.name, 'unmarked')
    done = subprocess.run([str(PYTHON), '-c', script, str(folder)], check=True, env={'JAX_PLATFORMS': 'cpu', 'PATH': '/usr/bin:/bin'},
                          capture_output=True, text=True, timeout=300)
    file = next(folder.glob('plugins/profile/*/*.xplane.pb'))
    steps = query(file, 'SELECT start, start + duration FROM steps ORDER BY start')
    assert [end for _, end in steps] == executions(file, 'jit__lambda')
    assert all(start >= before for (start, _), (_, before) in zip(steps[1:], steps))
    assert len(steps) == 20 and 0.8 < sum(end - start for start, end in steps) / int(done.stdout) <= 1


def test_operators_of_jax_programs():
    file = record()
    executed = collections.Counter(event.stats['hlo_op'] for _, _, event in events(file) if 'hlo_op' in event.stats)
    ours = query(file, 'SELECT o.name, count(*) FROM program_work w JOIN program_operators o ON w.program_operator = o.id GROUP BY 1')
    assert dict(ours) == dict(executed)
    # batch 64x96 by weights 96x128: 2 * 64 * 128 * 96 operations, from a line of the script.
    products = query(file, "SELECT o.flops, o.source, o.framework_operator FROM program_operators o WHERE o.opcode = 'dot'")
    assert (2.0 * 64 * 128 * 96) in [flops for flops, _, _ in products]
    assert all('jax_training.py:' in source for flops, source, path in products if 'layers' in path)


def test_a_folder_of_jax_sessions_is_one_run():
    file = record()
    with Program(FOLDER) as program:
        (run, worker, span, state), = program.spans()
        assert (run, worker) == ('jax', file.name.split('.')[0])
        report = program.report(run, worker, span, 'overview')
        steps = columns(report['tables']['steps'])
        assert [int(number) for number in steps['step']] == list(range(STEPS))
