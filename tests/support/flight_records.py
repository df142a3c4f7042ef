"""What flight recorders write, as plain data: a call, a file, and a small job of three ranks that is stuck."""

FRAMES = [{"name": "all_reduce", "filename": "/lib/site-packages/torch/distributed/distributed_c10d.py", "line": 3},
          {"name": "step", "filename": "train.py", "line": 12}]


def call(record, number, name="nccl:all_reduce", group=("0", "default_pg"), shape=(16, 4), dtype="Float", state="scheduled", **more):
    return {"record_id": record, "pg_id": int(group[0]), "process_group": group, "collective_seq_id": number, "p2p_seq_id": 0,
            "op_id": number, "profiling_name": name, "time_created_ns": 1_700_000_000_000_000_000 + 1000 * record,
            "input_sizes": [list(shape)], "input_dtypes": [dtype], "output_sizes": [list(shape)], "output_dtypes": [dtype],
            "state": state, "time_discovered_started_ns": None, "time_discovered_completed_ns": None, "retired": state == "completed",
            "timeout_ms": 600_000, "is_p2p": False, "frames": FRAMES, **more}


def dump(entries, ended, ranks="[0, 1, 2]"):
    return {"version": "2.10", "comm_lib_version": "2.30", "entries": entries,
            "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": ranks}},
            "pg_status": {"0": {"last_enqueued_collective": entries[-1]["collective_seq_id"] if entries else -1,
                                "last_started_collective": -1, "last_completed_collective": ended}}}


def job():
    """Rank 1 makes number 1 only; 0 and 2 wait in number 2."""
    first = call(0, 1, state="completed")
    return {rank: dump([first] + ([call(1, 2, "nccl:all_gather")] if rank != 1 else []), 1) for rank in range(3)}
