"""A job of four processes over gloo in which one rank does something else than the others; each then writes its flight recorder.

usage: stuck_job.py FOLDER FAULT      FAULT: none, absent, operation, size, dtype, group
Files: FOLDER/rank_N (pickle) and FOLDER/json/fr_trace_rank_N.json.
"""
import datetime
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

WORLD = 4
ODD = 2  # the rank that differs


def train_step(torch, groups, step):
    """Two collectives of the job and one of each small group."""
    import torch.distributed as dist
    dist.all_reduce(torch.ones(16, 4))
    for group in groups:
        if group is not None:
            dist.all_gather([torch.zeros(8) for _ in range(2)], torch.ones(8), group=group)
    if step % 2 == 0:
        dist.broadcast(torch.ones(3), src=0)


def faulty_step(torch, rank, fault, tensor_parallel):
    """What the ranks do last; with a fault, the job ends without waiting for it."""
    import torch.distributed as dist
    odd = rank == ODD
    if fault == 'none':
        dist.all_reduce(torch.ones(32))
        wait_for_records()
    elif fault == 'absent':
        if not odd:
            dist.all_reduce(torch.ones(32), async_op=True)
    elif fault == 'operation':
        (dist.broadcast(torch.ones(32), src=1, async_op=True) if odd else dist.all_reduce(torch.ones(32), async_op=True))
    elif fault == 'size':
        dist.all_reduce(torch.ones(48 if odd else 32), async_op=True)
    elif fault == 'dtype':
        dist.all_reduce(torch.ones(32, dtype=torch.float64 if odd else torch.float32), async_op=True)
    elif fault == 'group':
        if not odd:
            dist.all_reduce(torch.ones(5), group=tensor_parallel, async_op=True)


def write_records(folder, rank):
    from torch._C._distributed_c10d import _dump_fr_trace, _dump_fr_trace_json
    (folder / ('rank_%d' % rank)).write_bytes(_dump_fr_trace(includeCollectives=True, includeStackTraces=True, onlyActive=False))
    text = _dump_fr_trace_json(includeCollectives=True, onlyActive=False)
    (folder / 'json' / ('fr_trace_rank_%d.json' % rank)).write_bytes(text if isinstance(text, bytes) else text.encode())


def wait_for_records():
    """A collective that has ended is recorded as ended a little later, by another thread."""
    from torch._C._distributed_c10d import _dump_fr_trace_json
    end = time.monotonic() + 10
    while time.monotonic() < end:
        entries = json.loads(_dump_fr_trace_json(includeCollectives=True, onlyActive=False)).get('entries', [])
        if all(entry.get('retired') for entry in entries):
            return
        time.sleep(0.01)


def work(rank, folder, fault, store, ready):
    import torch
    import torch.distributed as dist
    dist.init_process_group('gloo', init_method='file://' + store, rank=rank, world_size=WORLD,
                            timeout=datetime.timedelta(seconds=60))
    pairs = [dist.new_group([0, 1], group_desc='tp'), dist.new_group([2, 3], group_desc='tp')]
    own = [group for group, ranks in zip(pairs, ([0, 1], [2, 3])) if rank in ranks]
    for step in range(3):
        train_step(torch, own, step)
    wait_for_records()
    folder = pathlib.Path(folder)
    if fault != 'none' and rank == ODD:
        ready.wait()  # the others have written theirs: what this rank does may end them
    faulty_step(torch, rank, fault, own[0])
    write_records(folder, rank)
    if fault == 'none' or rank != ODD:
        ready.wait()
    while not all((folder / "json" / f"fr_trace_rank_{one}.json").exists() for one in range(WORLD)):
        time.sleep(0.01)
    os._exit(0)  # the collectives never end


def main():
    folder, fault = pathlib.Path(sys.argv[1]), sys.argv[2]
    (folder / 'json').mkdir(parents=True, exist_ok=True)
    os.environ.setdefault('TORCH_FR_BUFFER_SIZE', '2000')
    start = multiprocessing.get_context('spawn')
    with tempfile.TemporaryDirectory() as place:
        ready = start.Barrier(WORLD)
        ranks = [start.Process(target=work, args=(rank, str(folder), fault, place + '/store', ready)) for rank in range(WORLD)]
        for one in ranks:
            one.start()
        for one in ranks:
            one.join()
    return 0 if all((folder / ('rank_%d' % rank)).exists() for rank in range(WORLD)) else 1


if __name__ == '__main__':
    sys.exit(main())
