#!/usr/bin/env python3
"""Writes docs/metrics-agreement.md: where our numbers equal the original plugin's, and where and why they differ.

Everything in the page is measured here, on the samples beside the checkout. Run it again when a rule or the program changes.

    python3 tests/golden/write_metrics_agreement.py
"""
import pathlib
import sys
from collections import Counter, defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import ascend_section  # noqa: E402
import diff_agreement  # noqa: E402
import distributed_agreement  # noqa: E402
import hta_section  # noqa: E402
import module_agreement  # noqa: E402
from test_pytorch_agreement import tally_of  # noqa: E402

PAGE = agreement.ROOT / "docs" / "metrics-agreement.md"
FAULTS = agreement.fault_list.FAULTS
OURS = agreement.fault_list.OURS

INTRODUCTION = """# Agreement with the PyTorch profiler plugin

The Overview, Operators, Kernels, Memory, Modules, Call tree, Distributed and Diff views replace those of the removed PyTorch profiler plugin for TensorBoard. This page says in how
many cells both give the same number, and lists every rule that differs. `tests/golden/write_metrics_agreement.py` generates it.

An independent, slow implementation in Python (`tests/oracle`) can switch each fault of the original on and off. With all faults on, it
reproduces the original's answer in every cell of {samples} samples. With Sightline's rules, it gives Sightline's answer, to the nanosecond. A fault is
listed as the cause of a difference only if switching off this fault alone, at its place in the order below, changes that cell.

- **compared**: cells of the original's answers (and of rows that only Sightline has) in the same form and rounding.
- **equal**: the same value; for cells that the original does not round, within the error of its double microseconds (0.002 us or 0.001%).
- **differ**: cells changed by one or more of the faults below. A test fails if there is any other difference.

The list of advice is not compared, because Sightline has different advice.

The original thins a memory curve to 10,240 points. Sightline's exact curve is compared before thinning: the original's thinning, applied to it,
gives the original's points.
"""


def main():
    tallies = {case: tally_of(case) for case in agreement.cases()}
    if not tallies:
        sys.exit("no samples beside the checkout: the page is left as it was")
    touched = _touched(tallies)
    parts = [INTRODUCTION.format(samples=len(tallies)), "## Cells by view", _view_table(tallies), "## Cells by sample", _sample_table(tallies),
             "## Rules that differ", "The rules are in the order in which they are switched off. Several rules can change a cell."]
    parts[1:1] = _open_differences(tallies)
    parts += [_fault_text(fault, touched[fault]) for fault in FAULTS if fault not in OURS and touched[fault]]
    unseen = [fault for fault in FAULTS if fault not in OURS and not touched[fault]]
    parts += ["## Rules that differ, but changed no cell of these samples",
              "\n".join(f"- `{fault}`: the original {FAULTS[fault][0]}; Sightline {FAULTS[fault][1]}." for fault in unseen)]
    if OURS:
        parts += ["## Known to be better, not yet in Sightline", "\n".join(f"- `{fault}`: {FAULTS[fault][1]}." for fault in FAULTS if fault in OURS)]
    parts += module_agreement.section()
    parts += distributed_agreement.section()
    parts += diff_agreement.section()
    parts += ascend_section.section()
    parts += hta_section.section()
    PAGE.write_text("\n\n".join(part.rstrip("\n") for part in parts) + "\n", encoding="utf-8")
    print(f"{PAGE.relative_to(agreement.ROOT)}: {_totals(tallies.values())}")


def _open_differences(tallies):
    """A section that should not exist: differences that no rule explains, so faults of our own."""
    lines = [f"- {case.name}: {' › '.join(_short(part) for part in cell if part is not None)}: original {_value(theirs)}, Sightline {_value(ours)}"
             for case, tally in tallies.items() for cell, theirs, ours in tally.unexplained]
    return ["## Wrong in Sightline", "No rule explains these; the tests fail until they are fixed.", "\n".join(lines)] if lines else []


def _totals(tallies):
    compared = sum(sum(tally.compared.values()) for tally in tallies)
    equal = sum(sum(tally.equal.values()) for tally in tallies)
    return f"{compared:,} compared, {equal:,} equal, {compared - equal:,} differ"


def _touched(tallies):
    """Fault -> [(case, cell, golden, ours, all faults of the cell)]."""
    touched = defaultdict(list)
    for case, tally in tallies.items():
        for cell, (theirs, ours, faults) in tally.excused.items():
            for fault in faults:
                touched[fault].append((case, cell, theirs, ours, faults))
    return touched


def _table(head, lines):
    rule = "|".join("---:" if index else "---" for index in range(len(head)))
    return "\n".join(["| " + " | ".join(head) + " |", f"|{rule}|"] + ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines])


def _view_table(tallies):
    views = agreement.golden_cells.VIEWS
    lines, sums = [], Counter()
    for view in views:
        compared = sum(tally.compared[view] for tally in tallies.values())
        equal = sum(tally.equal[view] for tally in tallies.values())
        sums.update(compared=compared, equal=equal)
        lines.append((f"`{view}`", f"{compared:,}", f"{equal:,}", f"{compared - equal:,}"))
    lines.append(("all", f"{sums['compared']:,}", f"{sums['equal']:,}", f"{sums['compared'] - sums['equal']:,}"))
    return _table(("view of the original", "compared", "equal", "differ"), lines)


def _sample_table(tallies):
    lines = []
    for case, tally in tallies.items():
        compared, equal = sum(tally.compared.values()), sum(tally.equal.values())
        causes = Counter(fault for _, _, faults in tally.excused.values() for fault in faults)
        lines.append((case.name, f"{compared:,}", f"{equal:,}", f"{compared - equal:,}",
                      ", ".join(f"`{fault}` {count:,}" for fault, count in causes.most_common())))
    return _table(("sample", "compared", "equal", "differ", "changed by"), lines)


def _fault_text(fault, cells):
    samples = Counter(case.name for case, *_ in cells)
    case, cell, theirs, ours, _ = max(cells, key=_telling)
    where = " › ".join(_short(part) for part in cell if part is not None)
    return "\n".join([
        f"### {fault}", "",
        f"The original {FAULTS[fault][0]}. Sightline {FAULTS[fault][1]}.", "",
        f"{len(cells):,} cells: " + ", ".join(f"{name} {count:,}" for name, count in samples.most_common()) + ".", "",
        f"Example ({case.name}): {where}: original {_value(theirs)}, Sightline {_value(ours)}."])


def _telling(entry):
    """The best example: changed by this fault alone, with two numbers, in a widely used view, with a large difference."""
    _, cell, theirs, ours, faults = entry
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (theirs, ours))
    apart = abs(theirs - ours) / max(abs(theirs), abs(ours)) if numbers and (theirs or ours) else 0
    both = agreement.ABSENT not in (theirs, ours)
    return (len(faults) == 1, numbers and theirs and ours and True or False, both, cell[0] == "overview", apart, str(cell))


def _short(part):
    text = str(part)
    return text if len(text) <= 60 else text[:40] + "…" + text[-15:]


def _value(value):
    if value is None:
        return "unknown"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
