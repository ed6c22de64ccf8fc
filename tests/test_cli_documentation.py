"""The documentation of the command line shows what the commands print."""

import re
import shlex
from pathlib import Path

import pytest
from command_line import run

PAGE = Path(__file__).parents[1] / "docs" / "command_line.md"
OUT = r" --out .*\.csv"
SHORT = "id,x,y\na,0.29,0.71\nb,0.5,0.25\nc,1,0\nd,0,1\n"


def blocks(language):
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sessions():
    """Give each command of the page with what it shows below it."""
    for block in blocks("console"):
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = entry.partition("\n")
            yield command, shown


def shown_by(line):
    """Do what a shell would: redirections, pipes and three programs."""
    output = None
    for part in line.split(" | "):
        words = shlex.split(part)
        if "<" in words:
            output = Path(words[-1]).read_bytes()
            words = words[:-2]
        program, *words = words
        if program == "cat":
            output = Path(words[0]).read_text()
        elif program == "head":
            lines = Path(words[2]).read_text().splitlines(keepends=True)
            output = "".join(lines[: int(words[1])])
        else:
            assert program == "concordant"
            result = run(*words, input=output)
            output = result.stdout + result.stderr
    return output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder with the files that the page speaks of."""
    folder = tmp_path_factory.mktemp("page")
    examples = dict(sessions())
    for name in ("P.csv", "Q.csv", "table.csv"):
        (folder / name).write_text(examples[f"cat {name}"])
    (folder / "short.csv").write_text(SHORT)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for code in blocks("python"):
            exec(code, {})
        # What others read, whichever process runs them; clusterings come first.
        written = [command for command in examples if re.search(OUT, command)]
        for command in sorted(written, key=lambda command: " cluster " not in command):
            shown_by(command)
    return folder


@pytest.mark.parametrize(("command", "shown"), [*sessions()])
def test_a_command_prints_what_the_page_shows(folder, monkeypatch, command, shown):
    monkeypatch.chdir(folder)
    assert shown_by(command) == shown
