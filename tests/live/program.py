"""Runs build/release/sightline on a folder and sends requests over HTTP, as a browser would (docs/http.md).

`with Program(folder) as program` gives state() and report(); only this file knows how the program is started.
"""
import json
import os
import pathlib
import secrets
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = ROOT / 'build' / 'release' / 'sightline'
PATIENCE_SECONDS = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Program:
    def __init__(self, folder):
        self.port = free_port()
        self.token = secrets.token_hex(16)
        self.process = subprocess.Popen([str(BINARY), 'view', str(folder), '--port', str(self.port)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, 'SIGHTLINE_TOKEN': self.token})

    def __enter__(self):
        try:
            self.loaded = self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()

    def get(self, path, **query):
        url = 'http://127.0.0.1:%d%s?%s' % (self.port, path, urllib.parse.urlencode(query))
        request = urllib.request.Request(url, headers={'Authorization': 'Bearer ' + self.token})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError('%s %s: %s' % (path, query, error.read().decode())) from None

    def wait(self):
        """The state once nothing is loading."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError('the program ended: ' + self.process.stderr.read())
            try:
                state = self.get('/api/state')
                if not state['loading']:
                    return state
            except urllib.error.URLError:
                pass  # not listening yet
            time.sleep(0.05)
        raise AssertionError('still loading after %d s' % PATIENCE_SECONDS)

    def spans(self):
        """(run, worker, span, the span's state) of everything found."""
        for run in self.loaded['runs']:
            for worker in run['workers']:
                for span in worker['spans']:
                    yield run['name'], worker['name'], span['name'], span

    def report(self, run, worker, span, view, **parameters):
        return self.get('/api/report', run=run, worker=worker, span=span, view=view, **parameters)


def columns(table):
    """Column values by key."""
    return {column['key']: column['values'] for column in table['columns']}
