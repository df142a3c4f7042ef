"""`sightline capture xla` records real JAX processes that run jax.profiler.start_server."""
import json
import pathlib
import subprocess
import time

from program import BINARY, free_port
from targets import Targets

LOOP = '''
import sys, time, jax, jax.numpy as jnp
jax.profiler.start_server(int(sys.argv[1]))
step = jax.jit(lambda x: jnp.tanh(x @ x).sum())
x = jnp.ones((200, 200))
print('running', flush=True)
while True:
    step(x).block_until_ready()
    time.sleep(0.002)
'''


class Loops(Targets):
    program = LOOP

    def __init__(self, count=1):
        self.ports = [free_port() for _ in range(count)]
        self.way = ('xla', ','.join('127.0.0.1:%d' % port for port in self.ports))
        super().__init__([[port] for port in self.ports])


def profiles(done):
    return [pathlib.Path(name) for name in done.stdout.splitlines()]


def test_a_loop_is_recorded():
    with Loops() as loops:
        done = loops.capture('--duration', '500ms')
        assert done.returncode == 0, done.stderr
        (profile,) = profiles(done)
        assert profile.name == '127.0.0.1_%d.xplane.pb' % loops.ports[0]
        assert profile.parent.parent == loops.out / 'plugins' / 'profile'
        assert b'/host:CPU' in profile.read_bytes()
        info = subprocess.run([str(BINARY), 'info', str(loops.out), '--format', 'json'], capture_output=True, text=True)
        assert info.returncode == 0 and 'ready' in json.dumps(json.loads(info.stdout)), info.stdout + info.stderr


def test_two_servers_at_once():
    with Loops(2) as loops:
        done = loops.capture('--duration', '500ms')
        assert done.returncode == 0, done.stderr
        assert len(profiles(done)) == 2


def test_ctrl_c_keeps_what_was_recorded():
    with Loops() as loops:
        capture = loops.begin('--duration', '1m')
        time.sleep(3)  # a server does not show that it records
        code, names, errors = capture.ctrl_c()
        assert code == 0 and len(names) == 1, errors


def test_two_captures_of_one_server():
    with Loops() as loops:
        first = loops.begin('--duration', '6s')
        time.sleep(2)
        second = loops.capture('--duration', '300ms')
        assert second.returncode == 1 and 'it is being recorded already: one at a time' in second.stderr, second.stderr
        code, names, errors = first.ended()
        assert code == 0 and len(names) == 1, errors


def test_a_server_that_is_killed():
    with Loops() as loops:
        capture = loops.begin('--duration', '20s')
        time.sleep(3)
        loops.processes[0].kill()
        code, _, errors = capture.ended()
        assert code == 1 and '127.0.0.1:%d: ' % loops.ports[0] in errors, errors
