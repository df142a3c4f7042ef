"""sightline.profile without anything to record; tests/live runs it with torch and JAX."""
import pytest


def record(sightline, **arguments):
    with sightline.profile(**arguments):
        pytest.fail("nothing can be recorded")


def test_arguments_are_looked_at_first(sightline, tmp_path):
    for arguments in ({"profile_type": "everything"}, {"ms_duration": 0}, {"framework": "numpy"}):
        with pytest.raises(ValueError):
            record(sightline, logdir=tmp_path / "logs", **arguments)
    assert not (tmp_path / "logs").exists()


def test_no_framework_is_imported(sightline, tmp_path):
    with pytest.raises(sightline.Error, match="import torch, torch_xla or jax first"):
        record(sightline, logdir=tmp_path)


def test_a_folder_that_cannot_be_made(sightline, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        record(sightline, logdir=tmp_path / "file" / "logs")
