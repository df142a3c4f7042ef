"""A program whose stderr is a terminal, where it prints its progress: so a test waits for a message, and not for a time."""
import os
import select
import signal
import subprocess
import time

PATIENCE_SECONDS = 120  # an event that takes longer never comes, however busy the machine is


class OnTerminal:
    def __init__(self, command, environment):
        self.terminal, other_end = os.openpty()
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=other_end, text=True, env=environment)
        os.close(other_end)
        self.said = ""

    def until(self, words):
        """Waits until the program has printed this; None: until the terminal is closed."""
        end = time.monotonic() + PATIENCE_SECONDS
        while words is None or words not in self.said:
            readable, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert readable, (words, self.said)
            try:
                self.said += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:  # no process has it open any more
                assert words is None, (words, self.said)
                return

    def ended(self):
        """(exit code, lines of stdout, all of stderr), once it has ended."""
        self.until(None)
        os.close(self.terminal)
        printed, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, printed.splitlines(), self.said

    def ctrl_c(self):
        """The same, after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()
