"""Try the wheel on every supported Python that is found, and with the lowest versions.

    python .ci/versions.py dist/concordant-1.0.0-py3-none-any.whl

Each environment is fresh and holds the wheel, not the source; one is made as README
tells, by `pip install` of this folder. In each, `installed.py` runs README's examples
and every command from another folder; then, unless it has the Python and the versions
of the environment that runs this, a quick selection of the tests. Pythons are looked
for on the PATH and among those of pyenv; none is downloaded.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lowest import PROJECT, lowest_versions

ROOT = PROJECT.parent
CONSTRAINTS = ROOT / "constraints.txt"

# Little of what these reach is compiled: each environment compiles anew.
QUICK_TESTS = (
    "cli_agreement",
    "comparison",
    "errors",
    "files",
    "ids",
    "imports",
    "partition",
    "plot",
)
_FRAMES = ("polars",)  # which the package reads, and does not require
_TOOLS = ("pytest", "hypothesis", "jsonschema")
_ASK = "import sys; print('%d.%d' % sys.version_info[:2])"
# The wheel is tested, so the source is not on the path.
_ALONE = ("-c", str(PROJECT), "-o", "pythonpath=tests", "-p", "no:cacheprovider")
# Old packages warn of others that are newer than they know.
_OLD = ("-o", "filterwarnings=default", "--disable-warnings")
_CONSTRAINED = ("-c", str(CONSTRAINTS), *_TOOLS, *_FRAMES)


@dataclass(frozen=True)
class Trial:
    """An environment: its name, its Python, what is installed, what is run."""

    name: str
    python: str
    requirements: tuple[str, ...]
    tests: tuple[str, ...] | None  # options of pytest
    package: str = ""  # by default the wheel


def supported() -> list[str]:
    """List the versions of Python that pyproject.toml names, the oldest first."""
    text = PROJECT.read_text(encoding="utf-8")
    versions = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    return sorted(versions, key=lambda version: int(version.partition(".")[2]))


def candidates(version: str) -> Iterator[str]:
    """Give the places where a version of Python may be."""
    if version == _of_this():
        yield sys.executable
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python")))


def found(version: str) -> str | None:
    """Find a Python that is of this version and runs."""
    for python in candidates(version):
        asked = subprocess.run(
            [python, "-c", _ASK], capture_output=True, text=True, check=False
        )
        if asked.returncode == 0 and asked.stdout.startswith(f"{version}\n"):
            return python
    return None


def trials() -> list[Trial]:
    """List the environments to be tried; say which Pythons there are not."""
    pythons = {}
    for version in supported():
        python = found(version)
        if python is None:
            print(f"Python {version}: not found", flush=True)
        else:
            pythons[version] = python
    lowest = lowest_versions("arrow", "distributed")
    lowest += _pins_of(_FRAMES, lowest_versions("dev"))
    lowest += _pins_of(_TOOLS, CONSTRAINTS.read_text(encoding="utf-8").split())
    oldest = next(iter(pythons))
    return [
        Trial(f"Python {oldest}, lowest versions", pythons[oldest], (*lowest,), _OLD),
        *(
            Trial(
                f"Python {version}",
                python,
                _CONSTRAINED,
                None if version == _of_this() else (),
            )
            for version, python in pythons.items()
        ),
        Trial("pip install .", sys.executable, _CONSTRAINED[:2], None, str(ROOT)),
    ]


def tried(trial: Trial, wheel: Path) -> tuple[bool, str]:
    """Make an environment, run what is to be run, and give what was printed."""
    # Tests of a trial do not write compiled code or anything else beside the source.
    with tempfile.TemporaryDirectory(prefix="concordant-") as folder:
        place = Path(folder, "env")
        python = place / "bin" / "python"
        package = trial.package or f"{wheel}[arrow,distributed]"
        inside = {
            **os.environ,
            "NUMBA_CACHE_DIR": str(Path(folder, "compiled")),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        inside.pop("PYTHONPATH", None)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "-qq"]
        tests = [str(ROOT / "tests" / f"test_{name}.py") for name in QUICK_TESTS]
        steps = {
            "environment": [trial.python, "-m", "venv", "--without-pip", str(place)],
            "packages": [*pip, "install", "--no-compile", *trial.requirements, package],
            "commands": [str(python), "-I", str(ROOT / ".ci" / "installed.py")],
        }
        if trial.tests is not None:
            pytest = [str(python), "-m", "pytest", "-q", *_ALONE, *trial.tests]
            steps["tests"] = [*pytest, *tests]
        lines = []
        for step, command in steps.items():
            started = time.monotonic()
            ended = subprocess.run(
                command,
                cwd=folder,
                env=inside,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            seconds = time.monotonic() - started
            lines.append(f"{trial.name}: {step}, {seconds:.0f} s")
            if ended.returncode:
                return False, "\n".join([ended.stdout, *lines, f"{trial.name}: FAILED"])
        return True, "\n".join(lines)


def main() -> None:
    """Try all environments, two at a time, and fail if one of them does."""
    (wheel,) = map(Path, sys.argv[1:])
    failed = False
    with ThreadPoolExecutor(2) as pool:
        for passed, text in pool.map(lambda t: tried(t, wheel.resolve()), trials()):
            print(text, flush=True)
            failed |= not passed
    sys.exit(failed)


def _pins_of(names: tuple[str, ...], pins: list[str]) -> list[str]:
    return [pin for pin in pins if pin.partition("==")[0] in names]


def _of_this() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


if __name__ == "__main__":
    main()
