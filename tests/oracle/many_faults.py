"""Runs the oracle on one trace with many sets of faults. A part of the results is computed again only if one of the faults that it
looks up has been switched; each part looks a fault up where it matters, with `fault in faults`.
"""
import kineto_oracle

KEPT = 3  # results of a part; a large trace's forest takes about 300 MB


class LookedUp:
    """A set of faults that records which were looked up, and the answers."""

    def __init__(self, faults):
        self.faults, self.answers = faults, {}

    def __contains__(self, fault):
        answer = self.answers[fault] = fault in self.faults
        return answer


class Results:
    """The last results of one function of the faults, with the answers that each depends on."""

    def __init__(self):
        self.kept = []

    def get(self, faults, compute):
        """(the result, whether it is new)"""
        known = next((entry for entry in self.kept if all((fault in faults) == answer for fault, answer in entry[0].items())), None)
        if known is None:
            while len(self.kept) >= KEPT:  # before the next one takes memory
                self.kept.pop(0)
            looked_up = LookedUp(faults)
            entry = looked_up.answers, compute(looked_up)
        else:
            entry = known
            self.kept.remove(entry)
        self.kept.append(entry)
        return entry[1], known is None


class ManyFaults:
    def __init__(self, trace):
        self.trace, self.built, self.current = trace, Results(), None

    def analyse(self, faults):
        built, is_new = self.built.get(faults, lambda looked_up: kineto_oracle.Built(self.trace, looked_up))
        if is_new:
            built.parts = [Results() for _ in kineto_oracle.PARTS]
        elif built is not self.current:
            built.restore(self.trace, faults)
        self.current = built
        figures = kineto_oracle.Figures()
        for part, results in zip(kineto_oracle.PARTS, built.parts):
            figures.__dict__.update(results.get(faults, lambda looked_up: part(self.trace, built, looked_up))[0])
        return figures
