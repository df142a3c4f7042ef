"""Processes that work until the end of a with statement, to be captured; a capture of them, and the files it left.

A subclass sets what is started (`program`, `arguments`) and how `sightline capture` addresses it (`way`).
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from program import BINARY, ROOT

sys.path.insert(0, str(ROOT / 'tests' / 'support'))
from on_terminal import OnTerminal  # noqa: E402

PYTHON = ROOT / '.venv-live' / 'bin' / 'python'


class Targets:
    program = ''  # Python, which prints 'running' when it is ready
    way = ()  # of `sightline capture`

    def __init__(self, arguments, settings=()):
        """`arguments` and additions to the environment, for each process."""
        self.folder = tempfile.TemporaryDirectory(prefix='live-', dir='/tmp')  # the path of a socket must be short
        self.out = pathlib.Path(self.folder.name) / 'out'
        self.settings = {**os.environ, **self.common_settings()}
        added = list(settings) or [{}] * len(arguments)
        self.processes = [subprocess.Popen([str(PYTHON), '-c', self.program, *map(str, given)], stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, text=True, env={**self.settings, **more})
                          for given, more in zip(arguments, added)]

    def common_settings(self):
        return {}

    def __enter__(self):
        try:
            for process in self.processes:
                assert process.stdout.readline() == 'running\n'
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()
        self.folder.cleanup()

    def command(self, *arguments):
        return [str(BINARY), 'capture', *map(str, self.way), '--out', str(self.out), *map(str, arguments)]

    def capture(self, *arguments):
        return subprocess.run(self.command(*arguments), env=self.settings, capture_output=True, text=True, timeout=180)

    def begin(self, *arguments):
        return OnTerminal(self.command(*arguments), self.settings)


def left_in_tmp(before):
    """The files that captures and libkineto left in /tmp, compared with `before`."""
    found = set(pathlib.Path('/tmp').iterdir()) - before
    return {path.name for path in found if 'kineto' in path.name or path.name.startswith('sightline-capture-')}
