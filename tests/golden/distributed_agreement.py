"""The view across ranks: the original's answers, the oracle and our program, as cells of tests/oracle/distributed.py."""
import gzip
import json
from collections import defaultdict

import agreement
import distributed
import module_agreement
import program_report

TWO_RANKS = agreement.SAMPLES / "hta_two_ranks"
GOLDEN = agreement.GOLDENS / "_http" / "filter_2ranks" / "All_default"
OURS = frozenset()
PARTS = dict(zip(distributed.OVERLAP, ("computation", "overlap", "communication", "other")))
WAITS = dict(zip(distributed.WAITING, ("transfer", "waiting")))


def two_ranks():
    """Worker -> trace, by the name that the original gave it."""
    return {f"hostA_{file.name.split('-')[-1][0]}": agreement.read_trace(file) for file in sorted(TWO_RANKS.glob("*.json.gz"))}


def workers_of(traces, faults):
    return {name: distributed.worker_of(trace, faults) for name, trace in traces.items()}


def oracle_cells(traces, faults):
    return distributed.cells_of(workers_of(traces, faults), faults)


def _body(name):
    return json.loads(gzip.open(GOLDEN / f"distributed_{name}.json.gz").read())


def golden_cells():
    cells = {}
    for name, legends in (("overlap", distributed.OVERLAP), ("waittime", distributed.WAITING)):
        for step, workers in _body(name)["data"].items():
            for worker, values in workers.items():
                cells.update({(name, step, worker, legend): value for legend, value in zip(legends, values)})
    for worker, table in _body("commops")["data"].items():
        columns = [column["name"] for column in table["columns"]]
        for row in table["rows"]:
            cells.update({("commops", worker, operation_name(row[0]), column): value for column, value in zip(columns[1:], row[1:])})
    return cells


def operation_name(name):
    """Ours are without the library's prefix."""
    return name.split(":", 1)[1] if ":" in name else name


def named_alike(cells):
    return {(*cell[:2], operation_name(cell[2]), cell[3]) if cell[0] == "commops" else cell: value for cell, value in cells.items()}


def worker_names(path):
    """Worker name of the program -> worker name of the original."""
    rows = program_report.rows(program_report.report(path, "distributed"), "workers")
    return {row.worker: f"hostA_{row.rank}" if path == TWO_RANKS else "w" for row in rows}


def program_cells(path):
    body, names, cells = program_report.report(path, "distributed"), worker_names(path), {}
    means = list(program_report.rows(body, "workers"))
    for row in [*program_report.rows(body, "worker_steps"), *means]:
        step = str(getattr(row, "step", "all"))
        for answer, legends in (("overlap", PARTS), ("waittime", WAITS)):
            for legend, column in legends.items():
                value = getattr(row, column)
                cells[answer, step, names[row.worker], legend] = None if value is None else value * 1e-3
    sums = defaultdict(list)
    for row in program_report.rows(body, "operations"):
        sums[names[row.worker], row.recorded].append(row)
    for (worker, name), rows in sums.items():
        cells.update({("commops", worker, name, column): value for column, value in _operation(rows).items()})
    return cells


def _operation(rows):
    def total(column):
        known = [getattr(row, column) for row in rows if getattr(row, column) is not None]
        return sum(known) if known else None

    calls, size, latency, transfer, matched = (total(column) for column in ("calls", "size", "latency", "transfer", "matched"))
    sized = sum(round(row.size / row.size_mean) for row in rows if row.size)
    return {"Calls": calls, "Total Size (bytes)": size, "Avg Size (bytes)": round(size / sized) if sized else size,
            "Total Latency (us)": latency * 1e-3, "Avg Latency (us)": round(latency * 1e-3 / calls),
            "Data Transfer Time (us)": None if transfer is None else transfer * 1e-3,
            "Avg Data Transfer Time (us)": None if transfer is None else round(transfer * 1e-3 / matched)}


def moved_cells(traces):
    return module_agreement.moved_cells(lambda faults: named_alike(oracle_cells(traces, faults)), distributed.CHAIN, distributed.EVERY)


def section():
    """The part of docs/metrics-agreement.md about the view across ranks."""
    golden, (_, _, moved) = golden_cells(), moved_cells(two_ranks())
    result = module_agreement.Compared(golden, program_cells(TWO_RANKS), moved)
    causes = "\n".join(f"- `{fault}` {count:,}" for fault, count in sorted(result.faults.items(), key=lambda item: -item[1]))
    rules = [f"- `{fault}`: the original {texts[0]}; Sightline {texts[1]}." for fault, texts in distributed.DISTRIBUTED_FAULTS.items()]
    return ["## Distributed",
            f"Two ranks of one job (`hta_two_ranks`). The oracle is `tests/oracle/distributed.py`: with all faults it gives all "
            f"{len(golden)} cells of the original's three answers (overlap, waiting, operations). Together with the cells that only Sightline has, {result.cells} cells are compared; "
            f"{result.equal} are equal, and the others are changed by",
            causes, "It also has these rules:", "\n".join(rules)]
