"""The command line without a command, its completion, man pages and progress."""
import os
import re
import select
import shutil
import subprocess

import pytest

from program import PATIENCE_SECONDS, OnTerminal, needs_program, sightline, trace, write_trace

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


@pytest.mark.parametrize("name", ["page.xyz", "tables.parquet", "trace.json.gz"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path, name):
    path = write_trace(tmp_path / "w.pt.trace.json")
    done = sightline("export", path, "-o", tmp_path / name)
    assert done.returncode == 2 and not (tmp_path / name).exists()
    assert f"no format has names with .{name.rsplit('.')[-1]}" in done.stderr
    assert all(ending in done.stderr for ending in (".json", ".pftrace", ".perfetto-trace", ".html", "--format"))


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
    assert sorted(bash("re")) == ["remove", "report", "reproduce"]
    assert bash("report", "--fo") == ["--format"]
    assert bash("report", "--format", "") == ["text", "json", "csv", "markdown"]
    assert bash("report", "x", "--format", "m") == ["markdown"]
    assert bash("report", "") == ["files"]
    assert "torch" in bash("capture", "")
    assert "--duration" in bash("capture", "torch", "--d")
    assert bash("export", "-o", "") == ["files"]
    assert {"clean", "commit"} <= set(bash("fleet", "")) and bash("fleet", "commit", "") == ["files"]
    assert sorted(bash("completion", "")) == ["bash", "fish", "zsh"]
    assert bash("man", "ex") == ["export"]
    assert bash("report", "x", "--view", "roof") == ["roofline"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_commands_options_and_values(tmp_path):
    script = tmp_path / "sightline.fish"
    script.write_text(sightline("completion", "fish").stdout)

    def fish(line):
        run = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)})
        assert done.stderr == ""
        return [each.split("\t")[0] for each in done.stdout.splitlines()]

    assert {"view", "report", "completion"} <= set(fish("sightline "))
    assert "report" in fish("sightline re")
    assert fish("sightline report --fo") == ["--format"]
    assert sorted(fish("sightline report --format ")) == ["csv", "json", "markdown", "text"]
    assert fish("sightline report x --format m") == ["markdown"]
    assert "torch" in fish("sightline capture to")
    assert "--duration" in fish("sightline capture torch --d")
    assert sorted(fish("sightline completion ")) == ["bash", "fish", "zsh"]
    assert fish("sightline report x --view roof") == ["roofline"]


# Ctrl-X Ctrl-T prints the line as it is after completion, and empties it.
ZSH = """
PROMPT= RPROMPT= ; unsetopt prompt_cr prompt_sp beep; setopt no_auto_menu
autoload -Uz compinit; compinit -u -D
source ./sightline.zsh
show() { print; print -r -- "typed<$BUFFER>"; BUFFER= }
zle -N show; bindkey '^X^T' show; bindkey '^I' complete-word
print begun'!'
"""


class Zsh:
    """An interactive zsh on a terminal, in a folder, with the completion."""

    def __init__(self, folder):
        (folder / "sightline.zsh").write_text(sightline("completion", "zsh").stdout)
        (folder / "set_up").write_text(ZSH)
        self.terminal, other_end = os.openpty()
        self.process = subprocess.Popen(
            ["zsh", "-f", "-i"],
            stdin=other_end,
            stdout=other_end,
            stderr=other_end,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(other_end)
        self.said = ""
        self.write("source ./set_up\n")
        self.until("begun!()")

    def write(self, text):
        os.write(self.terminal, text.encode())

    def until(self, pattern):
        while not (found := re.search(pattern, self.said)):
            readable, _, _ = select.select([self.terminal], [], [], PATIENCE_SECONDS)
            assert readable, (pattern, self.said)
            self.said += os.read(self.terminal, 4096).decode(errors="replace")
        self.said = self.said[found.end() :]
        return found[1]

    def completed(self, line):
        self.write(line + "\t\x18\x14")
        return self.until(r"\ntyped<(.*?)>").strip()

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


@pytest.fixture
def zsh(tmp_path):
    shell = Zsh(tmp_path)
    yield shell
    shell.stop()


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes_commands_options_values_and_files(zsh):
    assert zsh.completed("sightline repo") == "sightline report"
    assert zsh.completed("sightline report --fo") == "sightline report --format"
    assert zsh.completed("sightline report x --format m") == "sightline report x --format markdown"
    assert zsh.completed("sightline capture tor") == "sightline capture torch"
    assert zsh.completed("sightline capture torch --dur") == "sightline capture torch --duration"
    assert zsh.completed("sightline report set_") == "sightline report set_up"
    assert zsh.completed("sightline report x --view roof") == "sightline report x --view roofline"
    assert zsh.completed("sightline man expo") == "sightline man export"


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
