"""Counts equal cells and cells that a named fault of the original changes, and keeps the cells that differ otherwise."""
from collections import Counter

finished = []  # of this process: the input of docs/metrics-agreement.md


class Tally:
    def __init__(self):
        self.equal, self.excused, self.different = 0, Counter(), []

    def compare(self, what, ours, theirs, tolerance=0):
        if ours == theirs or None not in (ours, theirs) and tolerance and abs(float(ours) - float(theirs)) <= tolerance:
            self.equal += 1
        else:
            self.different.append((what, ours, theirs))

    def excuse(self, fault, cells=1):
        """`fault` is the reason why these cells are not compared."""
        self.excused[fault] += cells

    def finish(self, title):
        finished.append((title, self))
        moved = "".join(f", {cells} moved by {fault}" for fault, cells in self.excused.items())
        print(f"{title}: {self.equal} cells equal{moved}, {len(self.different)} different")
        assert not self.different, self.different[:10]
