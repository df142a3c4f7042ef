"""Runs one operator as it was recorded: the same shapes, strides, types and scalars; the values of tensors are random.

    python reproduce.py                        times it: median of many calls, with a cold cache
    python reproduce.py --profile trace.json   records it with torch.profiler
    python reproduce.py --device cpu           on another device than the first accelerator
"""
import argparse
import ast
import math
import statistics
import time

import torch

# What the recording has of the call: a list with an item for each argument, as text.
NAME = @NAME@
SHAPES = @SHAPES@
TYPES = @TYPES@
STRIDES = @STRIDES@
INPUTS = @INPUTS@
FLOPS = @FLOPS@  # of one call; None: unknown
BYTES = @BYTES@

DTYPES = {
    "bool": torch.bool, "unsigned char": torch.uint8, "signed char": torch.int8, "short int": torch.int16, "int": torch.int32,
    "long int": torch.int64, "long": torch.int64, "c10::Half": torch.float16, "c10::BFloat16": torch.bfloat16,
    "float": torch.float32, "double": torch.float64, "c10::complex<float>": torch.complex64,
    "c10::complex<double>": torch.complex128, "c10::Float8_e4m3fn": getattr(torch, "float8_e4m3fn", None),
    "c10::Float8_e5m2": getattr(torch, "float8_e5m2", None), "c10::Float8_e4m3fnuz": getattr(torch, "float8_e4m3fnuz", None),
    "c10::Float8_e5m2fnuz": getattr(torch, "float8_e5m2fnuz", None),
}  # fmt: skip
LISTS = ("TensorList", "GenericList")  # their types are not recorded: they are float32 here


def items(text):
    return ast.literal_eval(text) if text else []


def item(texts, i, otherwise):
    return texts[i] if i < len(texts) else otherwise


def index_limit(shapes, inputs):
    """Whole numbers are indices, below this: rows of the first tensor, or the dimension that a scalar argument names."""
    shape = next((shape for shape in shapes if shape and not isinstance(shape[0], list)), [2])
    dim = 1 if "nll_loss" in NAME else scalar(item(inputs, 1, ""))
    dim = dim if type(dim) is int and -len(shape) <= dim < len(shape) else 0
    return max(1, shape[dim])


def scalar(text):
    """A recorded value; None: it is not recorded, or was not given."""
    try:
        return ast.literal_eval(text) if isinstance(text, str) else text
    except (SyntaxError, ValueError):
        return None


def tensor(shape, strides, dtype, device, limit):
    if dtype is None:
        raise SystemExit(f"{NAME}: this version of torch has no such type")
    strides = strides if len(strides) == len(shape) else torch.empty(shape, device="meta").stride()
    stored = [1 if step == 0 else size for size, step in zip(shape, strides)]  # a stride of 0 repeats one element
    if dtype.is_floating_point or dtype.is_complex:
        wide = dtype if dtype.is_complex or dtype.itemsize > 1 else torch.float32
        values = torch.randn(stored, device=device, dtype=wide).to(dtype)
    else:
        values = torch.randint(0, 2 if dtype == torch.bool else limit, stored, device=device).to(dtype)
    made = torch.empty_strided(stored, strides, dtype=dtype, device=device)
    return made.copy_(values).expand(shape)


def recorded_arguments(device):
    shapes, types, strides, inputs = (items(text) for text in (SHAPES, TYPES, STRIDES, INPUTS))
    limit = index_limit(shapes, inputs)
    arguments = []
    for i, (shape, kind) in enumerate(zip(shapes, types)):
        steps = item(strides, i, [])
        if kind in LISTS:
            each = steps if len(steps) == len(shape) else [[]] * len(shape)
            arguments.append([tensor(one, step, torch.float32, device, limit) for one, step in zip(shape, each)])
        elif kind in DTYPES:
            arguments.append(tensor(shape, steps, DTYPES[kind], device, limit))
        elif shape:
            raise SystemExit(f"{NAME}: argument {i} has the type {kind!r}, which this script cannot make")
        else:
            arguments.append(scalar(item(inputs, i, "")))
    return arguments


def fits(argument, value):
    """Whether a value can be an argument of a schema, as far as tensors are concerned."""
    kind = str(argument.type)
    if isinstance(value, torch.Tensor):
        return kind in ("Tensor", "Optional[Tensor]")
    if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
        return "Tensor]" in kind and "List" in kind
    return kind != "Tensor" and (value is not None or kind.startswith("Optional") or argument.has_default_value())


def bound(overload, values):
    """A call of an overload without arguments; None: the values do not fit."""
    arguments = overload._schema.arguments
    if len(arguments) != len(values) or not all(map(fits, arguments, values)):
        return None
    given, named = [], {}
    for argument, value in zip(arguments, values):
        if value is None and argument.has_default_value():
            value = argument.default_value
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            given.append(value)
    return lambda: overload(*given, **named)


def operator(device):
    """The recorded call as a function without arguments: of the overloads, the first that takes the arguments."""
    space, _, name = NAME.partition("::")
    try:
        packet = getattr(getattr(torch.ops, space), name)
    except AttributeError:
        raise SystemExit(f"torch knows no operator {NAME}: import the library that registers it in this script") from None
    values = recorded_arguments(device)
    causes = []
    for overload in packet.overloads():
        call = bound(getattr(packet, overload), values)
        try:
            if call:
                call()
                return call
        except (TypeError, RuntimeError) as cause:
            causes.append(f"{overload}: {cause}")
    raise SystemExit(f"{NAME}: no overload takes the recorded arguments\n" + "\n".join(causes))


def seconds_of(call, device, budget=1.0):
    """The durations of calls. Before each, a write of 256 MiB replaces what the caches hold."""
    flush = torch.empty(1 << 28, dtype=torch.uint8, device=device)
    on_device = torch.get_device_module(device) if device != "cpu" else None
    durations, end = [], time.perf_counter() + budget
    for run in range(10_000):
        flush.zero_()
        if on_device:
            before, after = (on_device.Event(enable_timing=True) for _ in range(2))
            before.record()
            call()
            after.record()
            after.synchronize()
            taken = before.elapsed_time(after) / 1e3
        else:
            start = time.perf_counter()
            call()
            taken = time.perf_counter() - start
        if run >= 3:  # the first calls warm up
            durations.append(taken)
        if len(durations) >= 5 and time.perf_counter() > end:
            break
    return durations


def profile(call, path, device):
    kinds = torch.profiler.ProfilerActivity
    activities = [kinds.CPU] + [getattr(kinds, device.upper())] * hasattr(kinds, device.upper()) * (device != "cpu")
    call()
    with torch.profiler.profile(activities=activities, record_shapes=True) as recording:
        for _ in range(10):
            call()
        if device != "cpu":
            torch.get_device_module(device).synchronize()
    recording.export_chrome_trace(path)
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--profile", metavar="FILE")
    options = parser.parse_args()
    torch.manual_seed(0)
    with torch.no_grad():
        call = operator(options.device)
        if options.profile:
            return profile(call, options.profile, options.device)
        durations = seconds_of(call, options.device)
    median = statistics.median(durations)
    print(f"{NAME} on {options.device}: median {median * 1e6:.2f} us, min {min(durations) * 1e6:.2f} us, {len(durations)} calls")
    for count, unit in ((FLOPS, "TFLOP/s"), (BYTES, "TB/s")):
        if count:
            print(f"{count / median / 1e12:.{max(0, 3 - int(math.log10(max(1, count / median / 1e12))))}f} {unit}")


if __name__ == "__main__":
    main()
