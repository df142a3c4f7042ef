"""Profiles of machine-learning jobs as Arrow tables, and functions that record and show them.

    import sightline

    profile = sightline.open("runs/resnet")          # a file, or a folder and the first profile in it
    profile["slices"]                                # a pyarrow.Table: pandas, polars and DuckDB take it as it is
    profile.report("kernels")["kernels"]             # a table of a view, as the page shows it
    profile.query("SELECT count(*) AS n FROM slices")

    torch.profiler.profile(on_trace_ready=sightline.trace_handler("runs/resnet"))

    with sightline.profile(logdir="runs/resnet"):    # torch, torch_xla or jax, whichever is imported
        train()

The program `sightline`, which the package contains, computes everything.
"""
from .profiling import profile
from .program import Error
from .recording import trace_handler
from .tables import Profile, find, open

__all__ = ["Error", "Profile", "find", "open", "profile", "trace_handler"]
