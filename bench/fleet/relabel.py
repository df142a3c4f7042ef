#!/usr/bin/env python3
"""Makes a lake of a large job from the map of one real trace, commits it, and measures both.

usage: .venv-fleet/bin/python bench/fleet/relabel.py RANKS FOLDER [--steps 10] [--layers 300] [--ranks-per-shard 16] [--memory 4G]
           [--engine trino:http://... --engine-lake ADDRESS] [--keep]

`sightline map` maps one trace of steps x (2 x layers + 1) collectives. Its rows are written again for each rank, as map would write
them: with the rank's own groups (tp: 8 ranks of a node; dp: one rank of each node), keys and manifests, and with that trace's durations
in another order and starts that vary, so that they compress as badly as real ones. The ranks are simulated; the commit is real.
Prints bytes per collective, time and largest memory of the commit, and the load of the machine. Needs the environment of `make fleet`.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline")
NODE = 8
DIFFERENCES = {"collectives": ["match_key", "occurrence", "sequence", "start", "duration", "slice"],
               "steps": ["start", "total", "computation", "overlap", "communication", "other"],
               "kernels": ["total", "shortest", "median", "p99", "longest"]}
DIFFERENCES["operators"] = DIFFERENCES["kernels"]


def group_hash(*parts):
    return xxhash.xxh3_64_intdigest(" ".join(map(str, parts)).encode()) >> 2


class Template:
    """The tables of one rank, as `map` wrote them."""

    def __init__(self, lake):
        (path,) = lake.glob("manifests/capture=one/0*.json")
        self.manifest = json.loads(path.read_text())
        self.tables = {name: pq.ParquetFile(lake / files[0]["path"]).read() for name, files in self.manifest["tables"].items()}
        memberships = self.tables["memberships"]
        self.axes = dict(zip(memberships["group_id"].to_pylist(), memberships["about"].to_pylist()))

    def of_shard(self, name, ranks, world, random):
        """The rows of these ranks."""
        table = self.tables[name]
        rows = table.num_rows
        key = "id" if name == "ranks" else "rank_id"
        tiled = pa.concat_tables([table] * len(ranks)).combine_chunks()
        put = lambda column, values: tiled.set_column(tiled.schema.get_field_index(column), tiled.schema.field(column), pa.array(values))
        tiled = put(key, np.repeat(np.array(ranks), rows))
        if name == "ranks":
            tiled = put("rank", np.array(ranks))
            tiled = put("worker", [f"node{rank // NODE:05}_{4000 + rank % NODE}" for rank in ranks])
            tiled = put("host", [f"node{rank // NODE:05}" for rank in ranks])
            tiled = put("world_size", np.full(len(ranks), world))
        if name in ("collectives", "memberships"):
            old = tiled["group_id"].to_numpy()
            new = np.empty_like(old)
            shift = np.zeros_like(old)
            sizes = np.empty_like(old)
            for place, rank in enumerate(ranks):
                part = slice(place * rows, (place + 1) * rows)
                for group, axis in self.axes.items():
                    here = old[part] == group
                    number = rank // NODE if axis == "tp" else rank % NODE
                    new[part][here] = group_hash(axis, number)
                    shift[part][here] = group_hash("key", axis, number) - group_hash("key", axis)
                    sizes[part][here] = NODE if axis == "tp" else world // NODE
            tiled = put("group_id", new)
            tiled = put("group_size", sizes)
            if name == "collectives":
                tiled = put("match_key", tiled["match_key"].to_numpy() + shift)
                durations = tiled["duration"].to_numpy().reshape(len(ranks), rows).copy()
                kinds = tiled["message_bytes"].to_numpy().reshape(len(ranks), rows)[0]
                for size in np.unique(kinds):
                    at = np.flatnonzero(kinds == size)
                    durations[:, at] = random.permuted(durations[:, at], axis=1)
                tiled = put("duration", durations.ravel())
                tiled = put("start", tiled["start"].to_numpy() + random.integers(0, 2000, len(ranks) * rows))
        return tiled


def write_lake(template, lake, world, per_shard):
    shards = (world + per_shard - 1) // per_shard
    random = np.random.default_rng(1)
    total = size = 0
    for shard in range(shards):
        ranks = list(range(shard * per_shard, min(world, (shard + 1) * per_shard)))
        files = {}
        for name in template.tables:
            table = template.of_shard(name, ranks, world, random)
            delta = DIFFERENCES.get(name, [])
            sink = pa.BufferOutputStream()
            pq.write_table(table, sink, compression="zstd", row_group_size=1 << 17, use_dictionary=[c for c in table.column_names if c not in delta],
                           column_encoding={c: "DELTA_BINARY_PACKED" for c in delta}, store_schema=False)
            data = sink.getvalue().to_pybytes()
            path = f"data/{name}/capture=job/shard={shard:05}/relabelled.parquet"
            (lake / path).parent.mkdir(parents=True, exist_ok=True)
            (lake / path).write_bytes(data)
            files[name] = [{"path": path, "rows": table.num_rows, "bytes": len(data), "xxh3": xxhash.xxh3_64_hexdigest(data)}]
            if name == "collectives":
                total, size = total + table.num_rows, size + len(data)
        manifest = {**template.manifest, "capture": "job", "attempt": "relabelled", "shard": shard, "shards": shards, "ranks": len(ranks),
                    "plan_ranks": world, "world_size": world, "plan": "relabelled", "tables": files}
        folder = lake / "manifests" / "capture=job"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{shard:05}.relabelled.json").write_text(json.dumps(manifest))
    return total, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranks", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--layers", type=int, default=300)
    parser.add_argument("--ranks-per-shard", type=int, default=16)
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--engine")
    parser.add_argument("--engine-lake")
    parser.add_argument("--no-members", action="store_true")
    parser.add_argument("--keep", action="store_true", help="commit the lake that is there")
    chosen = parser.parse_args()
    job, one, lake = chosen.folder / "one-job", chosen.folder / "one", chosen.folder / "lake"
    if not chosen.keep:
        for folder in (job, one, lake):
            shutil.rmtree(folder, ignore_errors=True)
        make = [sys.executable, ROOT / "bench" / "make_ranks.py", str(NODE), job, "--steps", str(chosen.steps), "--layers", str(chosen.layers), "--kernels", "1"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([PROGRAM, "map", job, "--shard", f"0/{NODE}", "-o", one, "--capture", "one"], check=True)
        begin = time.monotonic()
        rows, size = write_lake(Template(one), lake, chosen.ranks, chosen.ranks_per_shard)
        print(f"{rows} collectives of {chosen.ranks} ranks: {size / rows:.2f} bytes each; written in {time.monotonic() - begin:.0f} s", flush=True)
    for list_file in lake.glob("manifests/*/COMMITTED.json"):
        list_file.unlink()
    command = [PROGRAM, "fleet", "commit", lake, "--capture", "job", "--memory", chosen.memory]
    command += ["--engine", chosen.engine, "--engine-lake", chosen.engine_lake] if chosen.engine else []
    command += ["--no-members"] if chosen.no_members else []
    begin, load = time.monotonic(), os.getloadavg()[0]
    ended = subprocess.run(list(map(str, command)))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"commit: {time.monotonic() - begin:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processor time with the map, "
          f"largest process {used.ru_maxrss >> 10} MB, load {load:.0f} to {os.getloadavg()[0]:.0f}")
    whole = sum(file.stat().st_size for file in lake.rglob("*") if file.is_file())
    print(f"the lake: {whole >> 20} MB")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
