"""Flight recorders of real jobs over gloo, in each of which rank 2 does something else, beside torch's own analysis of the same files."""
import json
import pathlib
import pickle
import subprocess
import tempfile

from program import BINARY, ROOT

PYTHON = ROOT / '.venv-live' / 'bin' / 'python'
JOB = pathlib.Path(__file__).resolve().parent / 'stuck_job.py'
MEMBERS = {'0': [0, 1, 2, 3], '1': [0, 1], '2': [2, 3]}
ANALYSE = '''
import json, pickle, sys, types
from torch.distributed.flight_recorder.components import builder
details = {name: pickle.load(open(sys.argv[1] + "/" + name, "rb")) | {"rank": rank, "host_name": name}
           for rank, name in enumerate("rank_%d" % rank for rank in range(4))}
args = types.SimpleNamespace(verbose=False, just_print_entries=False, allow_incomplete_ranks=False, mismatch_cap=10)
database = builder.build_db(details, args, "2.10")
found = [{"group": one.group_id, "number": one.collective_seq_id, "missing": sorted(one.missing_ranks or []),
          "culprits": sorted(one.mismatch_collectives or {}), "operation": one.collective_name.rpartition(":")[2],
          "kinds": sorted({str(other.type_of_mismatch.state) for other in (one.mismatch_collectives or {}).values()})}
         for one in database.collectives if not one.pass_check or one.missing_ranks]
print(json.dumps(found))
'''


def records(fault):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='sightline_stuck_'))
    subprocess.run([str(PYTHON), str(JOB), str(folder), fault], check=True, capture_output=True, timeout=300)
    return folder


def named(folder):
    """The same records with the groups named: gloo describes them without their names, which torch's analysis does not read."""
    out = folder / 'named'
    out.mkdir()
    for rank in range(4):
        dump = pickle.loads((folder / ('rank_%d' % rank)).read_bytes())
        dump['pg_config'] = {name: {'name': name, 'desc': 'default_pg' if name == '0' else 'tp', 'ranks': str(ranks)}
                             for name, ranks in MEMBERS.items() if rank in ranks}
        (out / ('rank_%d' % rank)).write_bytes(pickle.dumps(dump, 2))
    return out


def torch_finds(folder):
    done = subprocess.run([str(PYTHON), '-c', ANALYSE, str(folder)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def table(folder, key):
    done = subprocess.run([str(BINARY), 'report', str(folder), '--view', 'hangs', '--format', 'json', '--no-cache'],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    columns = {column['key']: column['values'] for column in json.loads(done.stdout)['tables'][key]['columns']}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def stuck(folder):
    return [row for row in table(folder, 'groups') if row.get('stuck') is not None]


def test_a_rank_that_is_absent():
    for fault, group, others in (('absent', 'default_pg (0)', '0, 1, 3'), ('group', 'tp (2)', '3')):
        folder = named(records(fault))
        [theirs] = [one for one in torch_finds(folder) if one['missing']]
        [ours] = [row for row in stuck(folder) if row['absent']]
        assert ours['group'] == group and ours['absent'] == '2' == ','.join(map(str, theirs['missing'])), (ours, theirs)
        assert (ours['stuck'], ours['operation']) == (theirs['number'], theirs['operation']), (ours, theirs)
        assert ours['waiting'] == others


def test_ranks_that_differ():
    for fault, kind, prop in (('operation', 'TYPE', 'operation'), ('size', 'SIZE', 'shapes of the inputs'),
                              ('dtype', 'DTYPE', 'element types of the inputs')):
        folder = named(records(fault))
        [theirs] = [one for one in torch_finds(folder) if one['culprits']]
        ours = table(folder, 'differences')
        assert {row['number'] for row in ours} == {theirs['number']}, (ours, theirs)
        assert ours[0]['property'] == prop and any(kind in one for one in theirs['kinds']), (ours, theirs)
        assert {row['other_ranks'] for row in ours} == {'2'} == {','.join(map(str, theirs['culprits']))}, (ours, theirs)


def test_a_job_that_is_not_stuck():
    folder = named(records('none'))
    assert stuck(folder) == [] and table(folder, 'differences') == [] and torch_finds(folder) == []


def test_the_files_as_gloo_writes_them():
    folder = records('absent')
    as_json = (folder / 'json').rename(folder.with_name(folder.name + '_json'))  # else a profile of its own in the folder
    [ours] = [row for row in stuck(folder) if row['absent']]
    assert (ours['absent'], ours['operation'], ours['waiting']) == ('2', 'all_reduce', '0, 1, 3')
    frames = [row['stack'] for row in table(folder, 'ranks') if row['rank'] == 0]
    assert 'stuck_job.py' in frames[0] and 'faulty_step' in frames[0]
    assert [(row['absent'], row['waiting']) for row in stuck(as_json)] == [('2', '0, 1, 3')]
