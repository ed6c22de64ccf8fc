"""Run README's examples and every command of the package that is installed.

    python -I .ci/installed.py

The folder in which it starts is another than that of the source; it gets the files.
"""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import concordant as cc
from concordant.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).with_name("concordant")

_EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)
_IRIS = (
    "from concordant.datasets import load_uci\n"
    "import numpy as np\n"
    "iris = load_uci('iris')\n"
    "np.savetxt('iris.csv', iris.data, delimiter=',', comments='', header='a,b,c,d')\n"
    "np.savetxt('truth.csv', iris.target_names[iris.target], '%s')\n"
)

# What is typed, in this order, and the files that must be there afterwards.
TYPED = {
    "--version": (),
    "formats": (),
    "help files": (),
    "cluster iris.csv --method fcm --k 3 --seed 0 --out P.csv": ("P.csv",),
    "cluster iris.csv --method pd --k 3 --seed 0 --out Q.csv": ("Q.csv",),
    "compare P.csv Q.csv --json --out scores.json": ("scores.json",),
    "test P.csv Q.csv --seed 0": (),
    "agreement P.csv Q.csv truth.csv --plot map.png": ("map.png",),
    "modes P.csv Q.csv --out modes --plot modes.svg": ("modes.svg",),
    "align P.csv Q.csv --out aligned --plot bars.png": ("bars.png",),
    "consensus P.csv Q.csv --out mean.csv": ("mean.csv",),
    "report P.csv Q.csv --truth truth.csv -o report.html": ("report.html",),
    "stability iris.csv --k 2:3 --starts 1 --resamples 2 --sets 2": (),
    "validity iris.csv P.csv Q.csv": (),
    "reproduce bias --quick --repetitions 2 --out look": ("look/reproduction.html",),
}


def run_readme() -> None:
    """Run the examples, and compare what they print with what README shows."""
    examples = _EXAMPLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    if not examples:
        raise SystemExit("README.md has no example with what it prints")
    namespace = {"__name__": "__main__"}
    for code, shown in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), namespace)
        if printed.getvalue() != shown:
            raise SystemExit(f"README.md does not show\n{printed.getvalue()}")


def run_commands() -> None:
    """Run every command as somebody would type it."""
    exec(_IRIS, {})
    left = {*COMMANDS} - {line.split()[0] for line in TYPED}
    if left:
        raise SystemExit(f"not typed: {', '.join(sorted(left))}")
    for line, files in TYPED.items():
        ended = subprocess.run(
            [PROGRAM, *line.split()], capture_output=True, text=True, check=False
        )
        if ended.returncode:
            raise SystemExit(f"concordant {line}\n{ended.stderr}")
        for name in files:
            if not Path(name).stat().st_size:
                raise SystemExit(f"concordant {line}: {name} is empty")


if __name__ == "__main__":
    if ROOT in Path(cc.__file__).resolve().parents:
        raise SystemExit(f"{cc.__file__} is the source, not what was installed")
    run_readme()
    run_commands()
