#!/usr/bin/env python3
"""Starts a Trino cluster on this machine, runs a command with its address, and ends the cluster.

usage: bench/fleet/with_trino.py FOLDER [--workers 0] [--memory 3G] [--repeats] -- COMMAND...

FOLDER is what the cluster sees as local:///. In COMMAND, {engine} becomes the address for --engine. Needs `make fleet`. Prints the largest
memory of each server process at the end.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("fleet", "e2e_cli", "support")]
from trino import Trino  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--memory", default="3G")
    parser.add_argument("--query-memory", default="1500MB")
    parser.add_argument("--repeats", action="store_true", help="tasks of dead workers run again")
    split = sys.argv.index("--")
    chosen = parser.parse_args(sys.argv[1:split])
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Trino(pathlib.Path(folder) / "nodes", chosen.folder.resolve(), chosen.workers, chosen.memory, chosen.repeats, chosen.query_memory)
        try:
            command = [argument.format(engine=f"trino:{cluster.address}") for argument in sys.argv[split + 1:]]
            code = subprocess.run(command).returncode
            for node in cluster.nodes:
                status = pathlib.Path(f"/proc/{node.process.pid}/status").read_text()
                print(f"{node.name}: largest {int(status.split('VmHWM:')[1].split()[0]) >> 10} MB")
        finally:
            cluster.stop()
    return code


if __name__ == "__main__":
    sys.exit(main())
