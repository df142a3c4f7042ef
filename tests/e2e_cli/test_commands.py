"""The command line without a command, its completion, man pages and progress."""
import subprocess

import pytest

from program import OnTerminal, needs_program, sightline, trace, write_trace

pytestmark = needs_program

COMPLETE = """
source "$1"; shift
compopt() { COMPREPLY=(files); }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sightline
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    script = tmp_path_factory.mktemp("completion") / "sightline.bash"
    script.write_text(sightline("completion", "bash").stdout)

    def completed(*words):
        done = subprocess.run(["bash", "-c", COMPLETE, "bash", script, "sightline", *words], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout.split()

    return completed


def test_without_a_command_it_prints_the_help():
    done = sightline()
    assert done.returncode == 0 and done.stdout == sightline("--help").stdout and "\n  view " in done.stdout


@pytest.mark.parametrize("word, command", [("veiw", "view"), ("rep", "report"), ("lsit", "list"), ("exprot", "export")])
def test_a_typing_error_gets_the_nearest_command(word, command):
    done = sightline(word, "x")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"sightline: no command '{word}': did you mean {command}?\n"


def test_an_unknown_word_gets_no_guess():
    assert sightline("xyzzy").stderr == "sightline: no command 'xyzzy' and no file of this name (see: sightline --help)\n"


def test_a_path_alone_is_viewed(tmp_path):
    assert sightline(tmp_path / "nope.json").stderr == f"sightline: {tmp_path}/nope.json: no such file or directory\n"
    path = write_trace(tmp_path / "w.pt.trace.json")
    done = sightline(path, "--output-format", "summary-json", "--no-cache")  # an option of `view`
    assert done.returncode == sightline("view", path, "--output-format", "summary-json", "--no-cache").returncode


def test_the_help_uses_no_notation_of_the_library():
    text = sightline("diff", "--help").stdout
    assert "Usage: sightline diff [OPTIONS] PATH..." in text and "(1x)" not in text and "TEXT ..." not in text and "UINT" not in text
    assert "step_time, device_time" in text and "kernel:NAME" in text, "the metrics of --fail-on"


def test_the_suffix_chooses_the_format(tmp_path):
    path = write_trace(tmp_path / "w.pt.trace.json")
    page = tmp_path / "page.html"
    assert sightline("export", path, "-o", page).returncode == 0
    assert page.read_text().lower().startswith("<!doctype html>")
    assert sightline("export", path, "-o", tmp_path / "part.json").returncode == 0
    assert (tmp_path / "part.json").read_text().startswith("{")


@pytest.mark.parametrize("form, name", [("chrome", "page.html"), ("html", "page.json")])
def test_a_format_that_does_not_fit_the_suffix_is_refused(tmp_path, form, name):
    path = write_trace(tmp_path / "w.pt.trace.json")
    done = sightline("export", path, "--format", form, "-o", tmp_path / name)
    assert done.returncode == 2 and f"--format {form} does not fit the name of the output" in done.stderr
    assert not (tmp_path / name).exists()


def test_info_fails_when_the_end_of_a_file_is_missing(tmp_path):
    path = write_trace(tmp_path / "w.pt.trace.json", trace(50))
    assert sightline("info", path).returncode == 0
    path.write_bytes(path.read_bytes()[:-200])
    done = sightline("info", path)
    assert done.returncode == 1 and "the file ends in the middle of" in done.stdout and " ready " in done.stdout


def test_bash_completes_commands_options_values_and_files(bash):
    assert {"view", "report", "completion"} <= set(bash(""))
    assert bash("re") == ["report", "remove"]
    assert bash("report", "--fo") == ["--format"]
    assert bash("report", "--format", "") == ["text", "json", "csv", "markdown"]
    assert bash("report", "x", "--format", "m") == ["markdown"]
    assert bash("report", "") == ["files"]
    assert "torch" in bash("capture", "")
    assert "--duration" in bash("capture", "torch", "--d")
    assert bash("export", "-o", "") == ["files"]


def test_zsh_and_fish_know_every_command_and_option():
    zsh, fish = sightline("completion", "zsh").stdout, sightline("completion", "fish").stdout
    assert zsh.startswith("#compdef sightline\n") and "--format[" in zsh and ":value:(text json csv markdown)" in zsh
    assert "-a report -d 'Write one view of a profile'" in fish and "-l format -x -a 'text json csv markdown'" in fish


def test_man_pages_have_every_option():
    assert "\n.B report\n" in sightline("man").stdout
    page = sightline("man", "view").stdout
    assert page.startswith('.TH "SIGHTLINE-VIEW" 1') and "\n.B \\-\\-port VALUE\n" in page and "(default: 3001)" in page
    assert sightline("man", "nonsense").returncode == 2


def test_a_terminal_shows_the_progress_and_removes_it(tmp_path):
    path = write_trace(tmp_path / "w.pt.trace.json")
    code, _, printed = OnTerminal("info", path, "--no-cache", SIGHTLINE_PROGRESS_AFTER="0").ended()
    assert code == 0 and " million events" in printed and printed.rstrip("\n").endswith("\r\x1b[K"), repr(printed)
    assert sightline("info", path, "--no-cache", SIGHTLINE_PROGRESS_AFTER="0").stderr == "", "no terminal"
