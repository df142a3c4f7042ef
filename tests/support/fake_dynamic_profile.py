"""A process that watches profiler_config.json as torch_npu's dynamic_profile does, for tests without it.

usage: fake_dynamic_profile.py FOLDER [--rank N] [--every SECONDS] [--first STEP]

A step every `--every` seconds. When the file's time (whole seconds) has changed it takes the request: it logs the step at which
it starts and stops, and then writes a small result below prof_dir.
"""
import argparse
import json
import os
import pathlib
import time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--rank', type=int, default=0)
    parser.add_argument('--every', type=float, default=0.05)
    parser.add_argument('--first', type=int, default=1)
    chosen = parser.parse_args()
    config = chosen.folder / 'profiler_config.json'
    (chosen.folder / 'log').mkdir(exist_ok=True)
    log = open(chosen.folder / 'log' / ('dp_host_%d_rank_%d.log' % (os.getpid(), chosen.rank)), 'a', buffering=1)
    seen = int(config.stat().st_mtime) if config.exists() else 0
    wanted, step, ends = None, chosen.first - 1, None
    print('watching', flush=True)
    while True:
        step += 1
        time.sleep(chosen.every)
        if wanted is None and config.exists() and int(config.stat().st_mtime) != seen:
            seen = int(config.stat().st_mtime)
            wanted = json.loads(config.read_text())
        if wanted and ends is None and (wanted['start_step'] == -1 or wanted['start_step'] == step):
            log.write('time [INFO] Start Dynamic Profiler at %d step.\n' % step)
            ends = step + wanted['active']
        if wanted and wanted['start_step'] == 0:
            wanted = None
        if ends == step:
            log.write('time [INFO] Stop Dynamic Profiler at %d step.\n' % step)
            folder = pathlib.Path(wanted['prof_dir']) / ('host_%d_2026_ascend_pt' % os.getpid())
            (folder / 'ASCEND_PROFILER_OUTPUT').mkdir(parents=True)
            (folder / ('profiler_info_%d.json' % chosen.rank)).write_text('{"rank_id": %d}' % chosen.rank)
            (folder / 'ASCEND_PROFILER_OUTPUT' / 'step_trace_time.csv').write_text(
                'Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n0,%d,10.0,0.0,0.0,0.0,5.0\n' % step)
            (folder / 'ASCEND_PROFILER_OUTPUT' / 'trace_view.json').write_text(json.dumps([
                {'ph': 'M', 'name': 'process_name', 'pid': 1, 'tid': 0, 'args': {'name': 'Ascend Hardware'}},
                {'ph': 'X', 'name': 'MatMul', 'pid': 1, 'tid': 3, 'ts': '10.0', 'dur': 5.0, 'args': {'Task Type': 'AI_CORE'}}]))
            wanted = ends = None


if __name__ == '__main__':
    main()
