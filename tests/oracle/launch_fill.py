"""How full a device is, for the oracle: from the trace, else computed from the launch and the device.

`fill_launches` gives each kernel `blocks`, `warps` (per multiprocessor) and `occupancy` (percent), None where unknown. The rules of the
occupancy are those of the vendor's calculator: what fits on a multiprocessor by blocks, threads, registers and shared memory.
"""
import math

from kineto_trace import number

# Most blocks on a multiprocessor, by compute capability; step and reserve of shared memory follow from the major number.
MOST_BLOCKS = {(7, 0): 32, (7, 2): 32, (7, 5): 16, (8, 0): 32, (8, 6): 16, (8, 7): 16, (8, 9): 24, (9, 0): 32, (10, 0): 32, (10, 3): 32,
               (12, 0): 24, (12, 1): 24}
GRID_IN_THREADS = ("hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel")


def fill_launches(events, runtimes, devices, faults):
    call_of = {device.order: runtime.event.name for runtime in runtimes for device in runtime.devices}
    properties = {entry["id"]: entry for entry in devices if "id" in entry}
    for event in events:
        if event.kind != "kernel":
            continue
        event.blocks = number(event.args.get("blocks per SM"))
        event.warps = number(event.args.get("warps per SM"))
        event.occupancy = number(event.args.get("est. achieved occupancy %"))
        device = event.args.get("device", event.pid)
        shared = event.args.get("shared memory")
        usual = properties.get(device, {}).get("sharedMemPerBlock") or 48 << 10
        compute = event.occupancy is None and "missing_fill_not_computed" not in faults
        if event.occupancy == 0 and shared is not None and shared > usual and "false_zero_occupancy" not in faults:
            event.occupancy, compute = None, True
        if device in properties and event.args.get("grid") and event.args.get("block"):
            _fill(event, properties[device], call_of.get(event.order), compute, faults)


def _fill(event, device, call, compute_occupancy, faults):
    grid, block = event.args["grid"], event.args["block"]
    if call in GRID_IN_THREADS:
        grid = [-(-int(size) // int(of)) for size, of in zip(grid, block)]
    blocks, threads = math.prod(int(size) for size in grid), math.prod(int(size) for size in block)
    if "missing_fill_not_computed" not in faults:
        if event.blocks is None and device.get("numSms"):
            event.blocks = blocks / device["numSms"]
        if event.warps is None and device.get("numSms") and device.get("warpSize"):
            event.warps = blocks / device["numSms"] * threads / device["warpSize"]
    if compute_occupancy:
        event.occupancy = computed_occupancy(
            device, blocks, threads, event.args.get("registers per thread"), event.args.get("shared memory"))


def computed_occupancy(device, blocks, threads, registers, shared):
    """Percent; None if too little is known, for example the registers of AMD's kernels."""
    generation = (device.get("computeMajor"), device.get("computeMinor"))
    needed = [device.get(key) for key in ("numSms", "maxThreadsPerMultiprocessor", "regsPerMultiprocessor", "sharedMemPerMultiprocessor")]
    if generation not in MOST_BLOCKS or device.get("warpSize") != 32 or None in (*needed, registers, shared):
        return None
    cores, most_threads, all_registers, all_shared = needed
    warps = math.ceil(threads / 32)
    fits = [MOST_BLOCKS[generation], most_threads // 32 // warps]
    if registers:
        of_a_warp = math.ceil(registers * 32 / 256) * 256
        fits.append(all_registers // 4 // of_a_warp * 4 // warps)
    step, reserve = (128, 1024) if generation[0] >= 8 else (256, 0)
    of_a_block = math.ceil((shared + reserve) / step) * step
    if of_a_block:
        fits.append(all_shared // of_a_block)
    if min(fits) == 0:
        return None
    return 100 * min(min(fits), blocks / cores) * threads / most_threads
