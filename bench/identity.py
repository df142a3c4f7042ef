"""Prints, as Markdown, the two identities that hold by construction on every sample: the replay of the dependency graph without a
change moves no node, and the causes of idle time sum to it. docs/what-if.md has the table.

    python bench/identity.py FOLDER...
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))
sys.path.insert(0, str(ROOT / "tests" / "golden"))
from program_report import rows  # noqa: E402
from test_what_if import PATTERNS, facts  # noqa: E402


def report(path, view):
    done = subprocess.run([PROGRAM, "report", path, "--view", view, "--format", "json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def idle(path):
    """The idle time, and the largest difference of a table's sum from it; None without device work."""
    body = report(path, "idle")
    if body is None:
        return None
    found = {fact["label"]: fact.get("value") for panel in body["panels"] if panel["kind"] == "facts" for fact in panel["facts"]}
    stated = found["Idle time"] + (found.get("Not known") or 0)
    return stated, max(abs(sum(row.time for row in rows(body, table)) - stated) for table in ("causes", "culprits", "lengths"))


class Sums:
    """Of the profiles of one folder: the sums of the figures, and the largest differences."""

    def __init__(self):
        self.profiles = self.nodes = self.moved = self.on_path = self.idle = self.causes = 0
        self.has_device = False

    def add(self, path, replayed):
        found, path_found, idled = facts(replayed), facts(report(path, "critical_path")), idle(path)
        self.profiles += 1
        self.nodes += found["Nodes"]
        self.moved = max(self.moved, found["Moved by at most"])
        self.on_path = max(self.on_path, abs(path_found["On the path"] - path_found["Step"]))
        if idled is not None:
            self.has_device = True
            self.idle += idled[0]
            self.causes = max(self.causes, idled[1])

    def cells(self):
        idle_cells = [f"{self.idle / 1e6:,.3f}", f"{self.causes:g}"] if self.has_device else ["no device", ""]
        return [str(self.profiles), f"{self.nodes:,}", f"{self.moved:g}", f"{self.on_path:g}", *idle_cells]


def main(folders):
    sums = {}
    for folder in map(pathlib.Path, folders):
        files = {path for pattern in PATTERNS for path in folder.glob(pattern)}
        files |= {path for path in folder.glob("*/*.gz") if ".trace.json" in path.name} | set(folder.glob("*/*.sqlite"))
        for path in sorted(files):
            replayed = report(path, "what_if")
            if replayed is not None:
                sums.setdefault("/".join(path.relative_to(folder).parts[:2]).removesuffix(f"/{path.name}"), Sums()).add(path, replayed)
    print("| sample | profiles | nodes | moved, ns | path - step, ns | idle, ms | causes - idle, ns |\n|---|---|---|---|---|---|---|")
    for name, of in sums.items():
        print(f"| {name} | {' | '.join(of.cells())} |")


if __name__ == "__main__":
    main(sys.argv[1:] or [ROOT / "samples"])
