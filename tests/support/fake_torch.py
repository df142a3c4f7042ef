"""A process that polls for configurations as libkineto does, and records on request: for tests without torch.

usage: fake_torch.py [--every SECONDS] [--behaviour NAME] [--lasts SECONDS] [--rank N] [--library FILE]

It polls through the socket in $KINETO_IPC_SOCKET_DIR. Behaviours: `records` (writes NAME.tmp and renames it), `in_place` (writes
the file under its name), `dies` (ends after it took the request), `torn` (ends in the middle of writing), `refuses` (takes no
request), `loses` (drops the first request), `idle` (its first recording has no operator), `always_idle` (none has), `leaves`
(ends a second after its trace was fetched), `hangs` (says that it records, and never ends), `busy` (says that it is being
recorded, and is). Prints a line per poll with a request. The library is mapped, as libtorch is: its path contains the release.
"""
import argparse
import json
import mmap
import os
import socket
import struct
import time

HEAD = struct.Struct('<Q32s')


def trace(pid, rank, operators):
    events = [{'ph': 'M', 'name': 'process_name', 'pid': pid, 'tid': 0, 'args': {'name': 'python'}}]
    for i in range(operators):
        events.append({'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::mm', 'pid': pid, 'tid': pid, 'ts': 20 * i, 'dur': 10})
    content = {'schemaVersion': 1, 'traceEvents': events}
    if rank is not None:
        content = {'schemaVersion': 1, 'distributedInfo': {'backend': 'gloo', 'rank': rank, 'world_size': 2}, 'traceEvents': events}
    return json.dumps(content)


class Process:
    def __init__(self, chosen):
        self.chosen = chosen
        self.folder = os.environ['KINETO_IPC_SOCKET_DIR']
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.own = os.path.join(self.folder, 'dynoconfigclient%d' % os.getpid())
        self.socket.bind(self.own)
        self.socket.settimeout(0.09)
        self.recordings = 0
        self.busy = chosen.behaviour == 'busy'
        self.requests = 0

    def poll(self):
        """The received configuration as a dictionary; None without one."""
        pids = [os.getpid(), os.getppid()]
        payload = struct.pack('<iiq', 0 if self.busy else 2, len(pids), int(os.environ.get('SLURM_JOB_ID', 0)))
        payload += struct.pack('<%di' % len(pids), *pids)
        try:
            self.socket.sendto(HEAD.pack(len(payload), b'req') + payload, os.path.join(self.folder, 'dynolog'))
            answer = self.socket.recv(65536)
        except (OSError, TimeoutError):
            return None
        text = answer[HEAD.size:].decode()
        return dict(line.split('=') for line in text.splitlines()) if text else None

    def record(self, config):
        behaviour = self.chosen.behaviour
        print('request', json.dumps(config), flush=True)
        self.requests += 1
        if behaviour == 'refuses' or behaviour == 'loses' and self.requests == 1:
            return
        path = config['ACTIVITIES_LOG_FILE'].replace('.json', '_%d.json' % os.getpid())
        written = path if behaviour == 'in_place' else path + '.tmp'
        with open(written, 'w') as out:
            if behaviour == 'dies':
                os._exit(3)
            time.sleep(int(config['ACTIVITIES_DURATION_MSECS']) / 1000)
            self.recordings += 1
            idle = behaviour == 'always_idle' or behaviour == 'idle' and self.recordings == 1
            text = trace(os.getpid(), self.chosen.rank, 0 if idle else 50)
            if behaviour == 'torn':
                out.write(text[:len(text) // 2])
                out.flush()
                os._exit(3)
            if behaviour == 'hangs':
                self.busy = True
                return
            out.write(text)
        if written != path:
            try:
                os.rename(written, path)
            except OSError as gone:
                print('lost', gone, flush=True)
        if behaviour == 'leaves':
            while os.path.exists(path):
                time.sleep(0.05)
            time.sleep(1)
            raise SystemExit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--every', type=float, default=0.1)
    parser.add_argument('--behaviour', default='records')
    parser.add_argument('--lasts', type=float, default=60)
    parser.add_argument('--rank', type=int)
    parser.add_argument('--library')
    process = Process(parser.parse_args())
    if process.chosen.library:
        with open(process.chosen.library, 'rb') as file:
            process.library = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    end = time.monotonic() + process.chosen.lasts
    while time.monotonic() < end:
        config = process.poll()
        if config:
            process.record(config)
        time.sleep(process.chosen.every)
    os.unlink(process.own)


if __name__ == '__main__':
    main()
