"""XProf's answers on the same files, offline: kernels, operators of programs, framework operators, memory plans, steps.

Intended differences (docs/formats/xplane.md): XProf counts kernels where we count executions. It counts no operations for a
library's matrix product, counts those of every element-wise operator too, and reads no shared memory of an AMD kernel. A fusion
whose module does not contain its framework operator gets the one that its kernels name; in XProf it has none."""
import collections
import gzip
import json
import pathlib
import shutil
import subprocess

from program import BINARY, ROOT, columns
from test_jax import PYTHON, query, record, xplane

SAMPLES = sorted((ROOT.parent / 'shared' / 'samples' / 'xplane').glob('*.xplane.pb'))
OF_TPUS = [file for file in SAMPLES if file.name.startswith('tpu_')]
OF_GPUS = [file for file in SAMPLES if file not in OF_TPUS]
TOOLS = 'kernel_stats', 'hlo_stats', 'framework_op_stats'


def xprof(file, fresh, *tools, **parameters):
    """XProf's rows by tool; it writes beside the file, so it gets a copy."""
    folder = fresh / 'xprof' / file.name.split('.')[0]
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / 'host.xplane.pb'
    shutil.copyfile(file, copy)
    script = pathlib.Path(__file__).with_name('xprof_answers.py')
    done = subprocess.run([str(PYTHON), str(script), str(copy), json.dumps(parameters), *(tools or TOOLS)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def microseconds(ns):
    return round(ns / 1000, 3)


def test_kernels_are_those_of_xprof(fresh):
    for file in OF_GPUS:
        theirs = collections.Counter()
        for row in xprof(file, fresh)['kernel_stats']:
            theirs[row['kernel_name'], row['grid_dim'], row['block_dim']] += round(row['occurrences'])
            theirs[row['kernel_name'], row['grid_dim'], row['block_dim'], 'us'] += row['total_duration_us']
        ours = collections.Counter()
        for name, grid, block, count, total in query(file, """
                SELECT s.name, w.grid, w.block, count(*), sum(s.duration) FROM device_work w JOIN slices s ON w.slice = s.id
                WHERE w.grid IS NOT NULL GROUP BY 1, 2, 3"""):
            key = name, grid.strip('[]').replace(' ', ''), block.strip('[]').replace(' ', '')
            ours[key] += count
            ours[(*key, 'us')] += microseconds(total)
        # XProf lists only kernels of a program's operators.
        shown = {key: value for key, value in ours.items() if key in theirs}
        assert theirs and set(shown) == set(theirs), file.name
        assert not [(key, shown[key], theirs[key]) for key in theirs if abs(shown[key] - theirs[key]) > 0.01 + 1e-6 * theirs[key]], file.name


def operators(file):
    """(program id, name) -> category, framework operator, source, total us, operations and bytes of one execution."""
    rows = query(file, """SELECT o.program_id, o.name, any_value(o.category), any_value(o.framework_operator), any_value(o.source), sum(s.duration),
                                 any_value(o.flops), any_value(o.bytes), any_value(o.opcode)
                          FROM program_work w JOIN program_operators o ON w.program_operator = o.id JOIN slices s ON w.slice = s.id
                          GROUP BY o.id, o.program_id, o.name""")
    return {(row[0], row[1]): row[2:] for row in rows}


def test_operators_of_programs_are_those_of_xprof(fresh):
    compared = matrix_products = 0
    for file in SAMPLES:
        ours = operators(file)
        for row in xprof(file, fresh)['hlo_stats']:
            if row['hlo_op_name'] in ('IDLE', ''):
                continue
            category, framework, source, total, flops, moved, opcode = ours.pop((row['program_id'], row['hlo_op_name']))
            assert category == row['category']
            assert row['tf_op_name'].rstrip(':') in (framework or '', '')
            assert abs(microseconds(total) - row['total_time']) < 0.01 + 1e-6 * row['total_time'], row['hlo_op_name']
            if source:
                assert '>%s</div>' % source in row['source_info']
            seconds, occurrences = row['total_self_time'] * 1e-6, row['occurrences']
            theirs = row['model_flop_rate'] * 1e9 * seconds / occurrences
            if theirs and category == 'custom fusion':  # a matrix product, and the work around it
                assert abs(flops - theirs) < 0.001 * theirs, row['hlo_op_name']
                matrix_products += 1
            said = row['measured_memory_bw'] * 2 ** 30 * seconds / occurrences
            if said and moved and category != 'custom-call':
                assert abs(moved - said) < 0.001 * said, (row['hlo_op_name'], moved, said)
            compared += 1
        assert not ours, file.name
    assert not SAMPLES or (compared > 25 and matrix_products > 4)


def test_framework_operators_are_those_of_xprof(fresh):
    for file in SAMPLES:
        ours = collections.Counter()
        known = xplane.programs(xplane.load(file))
        for (number, name), (_, framework, _, total, *_) in operators(file).items():
            if known[number][1][name]['operator']:
                ours[framework] += microseconds(total)
        rows = [row for row in xprof(file, fresh)['framework_op_stats'] if row['host_or_device'] == 'Device' and row['operation'] in ours]
        assert {row['operation'] for row in rows} == set(ours)
        for row in rows:
            assert abs(ours[row['operation']] - row['total_time']) < 0.01 + 1e-6 * row['total_time'], row['operation']


def planned_memory(file):
    """For each program its name, its peak, its total, and the sizes of the values at the peak, in the device's memory."""
    def table(key, *parameters):
        done = subprocess.run([str(BINARY), 'report', str(file), '--view', 'memory', '--format', 'json', '--rows', '0', *parameters],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return columns(json.loads(done.stdout)['tables'][key])

    plans = table('plans')
    for name, number, space, peak, total in zip(*(plans[key] for key in ('program', 'value', 'space', 'peak', 'total'))):
        if space != 'device memory':
            continue
        live = table('plan_live', '--param', 'program=' + number)
        assert sum(live['counted']) == peak
        yield '%s(%s)' % (name, number), peak, total, live['counted']


def in_bytes(mebibytes):
    return round(mebibytes * 2 ** 20)


def of_a_gpu(fresh, committed):
    """The committed recording, decompressed: XProf reads no gzip."""
    packed = next((committed / 'jax_cuda').rglob('*.xplane.pb.gz'))
    unpacked = fresh / 'host0.xplane.pb'
    unpacked.write_bytes(gzip.decompress(packed.read_bytes()))
    return unpacked


def test_memory_plans_are_those_of_xprof(fresh, committed):
    compared = 0
    for file in [*SAMPLES, of_a_gpu(fresh, committed), record()]:
        for module, peak, total, live in planned_memory(file):
            theirs = xprof(file, fresh, 'memory_viewer', module_name=module)['memory_viewer']
            assert peak == in_bytes(theirs.get('peakHeapMib', 0)), (file.name, module)
            assert total == in_bytes(theirs.get('totalBufferAllocationMib', 0)), (file.name, module)
            # Of values in one place XProf names the first that was ever there, and it adds up all values smaller than 16 KiB.
            sizes = [in_bytes(row['logicalBufferSizeMib']) for row in theirs.get('maxHeap', []) if row['logicalBufferId'] != -1]
            assert sorted(sizes) == sorted(size for size in live if size >= 16384), (file.name, module)
            compared += 1
    assert compared > 10


def test_steps_are_those_of_xprof(fresh, committed):
    """XProf's step is from the first to the last device work of the step. Without a device it is the mark, although the work
    that it requested may not be done then: ours lasts until that (docs/formats/xplane.md)."""
    spans = """SELECT t.number, max(s.start + s.duration) - min(s.start) FROM device_work w JOIN slices s ON w.slice = s.id
        JOIN launches l ON w.launch = l.id JOIN slices h ON l.slice = h.id
        JOIN steps t ON h.start >= t.start AND h.start + h.duration <= t.start + t.duration GROUP BY 1 ORDER BY 1"""
    for file, sql in (of_a_gpu(fresh, committed), spans), (record(), 'SELECT number, s.duration FROM steps t JOIN slices s ON t.slice = s.id'):
        theirs = [(int(row['stepnum'].split()[-1]), round(row['stepTimeMs'] * 1e6)) for row in xprof(file, fresh, 'overview_page:1')['overview_page:1']]
        assert theirs and query(file, sql) == theirs, file.name


def test_operators_of_a_tpu_are_those_of_xprof(fresh):
    """Each operator's count, self time and bytes. Ours are whole ns: an execution is off by less than one."""
    for file in OF_TPUS:
        ours = {(number, name): values for number, name, *values in query(file, """
            SELECT o.program_id, o.name, count(*), sum(s.duration), o.bytes FROM program_work w JOIN slices s ON w.slice = s.id
            JOIN program_operators o ON w.program_operator = o.id GROUP BY o.id, o.program_id, o.name, o.bytes""")}
        compared = 0
        for row in xprof(file, fresh)['hlo_stats']:
            if row['hlo_op_name'] in ('IDLE', ''):
                continue
            count, total, moved = ours.pop((row['program_id'], row['hlo_op_name']))
            assert count == row['occurrences'], row['hlo_op_name']
            assert abs(microseconds(total) - row['total_self_time']) <= 0.001 * (count + 1), row['hlo_op_name']
            said = row['measured_memory_bw'] * 2 ** 30 * row['total_self_time'] * 1e-6 / count
            assert abs(moved - said) < 0.001 * said, row['hlo_op_name']
            compared += 1
        assert not ours and compared > 10


def test_memory_peaks_of_a_tpu_are_those_of_xprof(fresh):
    for file in OF_TPUS:
        theirs = {'TPU' + number: said['profileSummary'] for number, said in
                  xprof(file, fresh, 'memory_profile')['memory_profile']['memoryProfilePerAllocator'].items()}
        peaks = dict(query(file, 'SELECT device_name, max(total_allocated) FROM memory_events GROUP BY 1'))
        assert peaks == {name: int(said['peakStats']['peakBytesInUse']) for name, said in theirs.items()} != {}
        capacity = dict(query(file, "SELECT 'TPU' || ordinal, memory FROM devices"))
        assert capacity == {name: int(said['memoryCapacity']) for name, said in theirs.items()}


def test_steps_of_a_tpu_without_marks(fresh):
    """XProf has no steps if the program marked none; ours are the runs of the program, and the problem says so."""
    for file in OF_TPUS:
        assert xprof(file, fresh, 'overview_page:1')['overview_page:1'] == []
        assert query(file, "SELECT count(*) FROM problems WHERE code = 'no_step_marks'") == [(1,)]


def test_xprof_reads_our_recording(fresh):
    rows = xprof(record(), fresh)['framework_op_stats']
    assert rows
