"""Counting cells that are equal, and keeping those that are not."""


class Tally:
    def __init__(self):
        self.equal, self.different = 0, []

    def compare(self, what, ours, theirs, tolerance=0):
        if ours == theirs or None not in (ours, theirs) and tolerance and abs(float(ours) - float(theirs)) <= tolerance:
            self.equal += 1
        else:
            self.different.append((what, ours, theirs))

    def finish(self, title):
        print(f"{title}: {self.equal} cells equal, {len(self.different)} different")
        assert not self.different, self.different[:10]
