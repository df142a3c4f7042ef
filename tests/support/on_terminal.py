"""A program whose stderr is a terminal, where it says how far it is: so that a test waits for what it says, and not for a time."""
import os
import select
import signal
import subprocess
import time

PATIENCE_SECONDS = 120  # what takes so long never comes, however busy the machine is


class OnTerminal:
    def __init__(self, command, environment):
        self.terminal, other_end = os.openpty()
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=other_end, text=True, env=environment)
        os.close(other_end)
        self.said = ""

    def until(self, words):
        """Until it has said this; None: until nobody is there to say anything."""
        end = time.monotonic() + PATIENCE_SECONDS
        while words is None or words not in self.said:
            readable, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert readable, (words, self.said)
            try:
                self.said += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:  # nobody has it open any more
                assert words is None, (words, self.said)
                return

    def ended(self):
        """(exit code, lines of stdout, all it said), once it has ended."""
        self.until(None)
        os.close(self.terminal)
        printed, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, printed.splitlines(), self.said

    def ctrl_c(self):
        """The same, after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()
