"""A short run of a device with every kind of record of an NTFF, for tests of its conversions."""
from ntff_export import ENGINES, Run, notify, slot

BEGIN = 10_000  # ns: where the program begins
MATMUL, COPY = 0x02, 0x55
SIGNAL, WAIT = {6: 0x13, 7: 9}, {4: 5, 5: 9, 8: 1}  # semaphore 9: one more; until it is at least 1
SCALAR_CHANGES = (4 + 4 * ENGINES.index("act") + 3) << 24 | 0x100


def device_run(seed=0, **changes):
    """Five engines, two queues, two semaphores, throttling. `seed` moves some times, so that another seed is other content."""
    run = Run(duration=5_000_000, queues=[(0, 1, 2, "qSPSpillReload0"), (1, 2, 3, "q in, out=1")],
              memory={"weight": 4096, "io": 8}, **changes)
    for number, engine in enumerate(ENGINES):
        waits = WAIT if engine == "dve" else {}
        run.code(engine, [notify(2), slot(0xA4, SIGNAL if engine == "act" else {}), slot(MATMUL if engine == "pe" else COPY), slot(0xA2, waits)])
        run.instruction(engine, 0, BEGIN, 10)
        time = BEGIN + 20 + seed
        for at in (1, 2, 3, 2):
            run.instruction(engine, at, time, 40 + number, waited=14 * at)
            time += 100 + 10 * number
    # A change is recorded some 40 ns before the instruction that makes it ends.
    run.semaphores.append((9, run.record("event", "events", BEGIN + 20 + seed, SCALAR_CHANGES | 9, 1), 1))
    for at in range(6):
        run.packet(at % 2, 1 + at % 2, BEGIN + 50 + 60 * at, 45, 512 * (at + 1), crc=at)
        run.semaphore(3 + at % 2, BEGIN + 55 + 61 * at, at)
    run.throttle(BEGIN + 40, 3, 4)
    run.throttle(BEGIN + 300)
    return run
