"""Modules stand in layers: imports lead down, never up and never in a circle."""

import ast
import re
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src/concordant"
DOCUMENT = Path(__file__).parents[1] / "docs/code.md"

#: Rooms and modules from the bottom to the top. A module belongs to the longest name
#: that it begins with, and imports its own room and what stands before that. `__init__`
#: are the public names.
LAYERS = [
    "version",
    "errors",
    "wording",
    "exact",
    "arrays",
    "bounded",
    "printing",
    "kept",
    "underflow",
    "door",
    "catalogue",
    "naming",
    "inference.chance_result",
    "kernels",
    "storage",
    "execution",
    "partition",
    "files",
    "cluster",
    "datasets",
    "measures.tables.pair_table",
    "sums",
    "measures.tables.crisp",
    "pairs",
    "measures.tables",
    "measures.ratio",
    "nulls.expectation",
    "measures.adjusted",
    "nulls",
    "compute",
    "inference.sums_by_sorts",
    "inference.profiles",
    "inference.object_means",
    "inference.leave_one_out",
    "inference.interval",
    "verdict",
    "comparison",
    "streams",
    "measures",
    "inference",
    "many",
    "choosing",
    "distributed",
    "plot",
    "report",
    "__init__",
    "paper",
    "cli",
    "__main__",
]
#: The edges that lead up: results draw themselves with what draws results, and
#: `compare` makes a test, which may compare; the path of a file stands for what it
#: holds. They are followed when that is asked for, and never at an import.
LATE = {
    ("comparison", "plot"),
    ("comparison", "plot.overview"),
    ("choosing.judging", "plot"),
    ("choosing.judging", "plot.panels"),
    ("many.agreeing", "plot"),
    ("many.levels", "plot"),
    ("many.levels", "plot.many"),
    ("many.point_estimate", "plot"),
    ("many.point_estimate", "plot.posterior_draws"),
    ("execution.engine", "execution.dask_workers"),
    ("many.agreeing", "plot"),
    ("many.aligned", "plot"),
    ("many.averaging", "plot"),
    ("many.modes", "plot"),
    ("inference.chance_result", "plot"),
    ("inference.differences", "plot"),
    ("inference.interval", "plot"),
    ("inference.local", "plot"),
    ("measures.comparing", "inference.permutation_test"),
    ("partition.partition", "files"),
    ("partition.partition", "files.partitions"),
}


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(
        parts if parts == ("__init__",) or parts[-1] != "__init__" else parts[:-1]
    )


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def is_empty(module):
    """Tell whether a package runs nothing of ours when it is imported."""
    statements = ast.parse(MODULES[module].read_text()).body
    ours = (name for node in statements for name in imported(node, module))
    return MODULES[module].stem == "__init__" and not any(ours)


def imported(node, module):
    """List what a statement imports of ours, with the packages that this runs."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{module}, line {node.lineno}: a relative import"
        below = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if local(name) in MODULES else node.module for name in below]
    elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
        names = [
            argument.value
            for argument in node.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
    else:
        names = []
    for name in names:
        if name == "concordant":
            yield "__init__"
        elif name.startswith("concordant."):
            parts = local(name).split(".")
            packages = (".".join(parts[:depth]) for depth in range(1, len(parts) + 1))
            yield from (each for each in packages if each in MODULES)


def local(name):
    return name.removeprefix("concordant.")


def edges_of(text, module):
    """Find all imports in a module: those in functions and for types, too."""
    found = {
        name for node in ast.walk(ast.parse(text)) for name in imported(node, module)
    }
    own = {name for name in found if f"{module}.".startswith(f"{name}.")}
    return {name for name in found - own if not is_empty(name)}


def layer(module):
    owners = [
        name for name in LAYERS if module == name or module.startswith(f"{name}.")
    ]
    assert owners, f"{module} is in no layer"
    return LAYERS.index(max(owners, key=len))


EDGES = {name: edges_of(path.read_text(), name) for name, path in MODULES.items()}


def upward(edges):
    return {
        (module, other)
        for module, others in edges.items()
        for other in others
        if layer(other) > layer(module)
    }


def test_no_import_leads_up():
    assert upward(EDGES) - LATE == set()


def test_the_exception_is_needed_and_waits_for_a_call():
    assert upward(EDGES) & LATE
    for module in {module for module, _ in LATE}:
        tree = ast.parse(MODULES[module].read_text())
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        late = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, functions)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if any((module, name) in LATE for name in imported(node, module)):
                assert id(node) in late


def test_no_imports_go_in_a_circle():
    downward = {
        module: {other for other in others if (module, other) not in LATE}
        for module, others in EDGES.items()
    }
    try:
        TopologicalSorter(downward).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_every_layer_holds_something():
    used = {LAYERS[layer(module)] for module in MODULES}
    assert [name for name in LAYERS if name not in used | {"errors"}] == []


def test_the_catalogue_takes_nothing_but_the_standard_library():
    for path in (ROOT / "catalogue").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                ours = name.startswith("concordant.catalogue")
                assert ours or name.partition(".")[0] in sys.stdlib_module_names, path


def twice(names):
    return [name for name, times in Counter(names).items() if times > 1]


def test_no_file_name_occurs_twice():
    assert (
        twice(path.stem for path in MODULES.values() if path.stem != "__init__") == []
    )


def test_no_name_of_a_class_occurs_twice():
    classes = [
        node.name
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    assert twice(classes) == []


@pytest.mark.parametrize(
    "statement",
    [
        "from concordant.cli.options import dask_option",
        "import concordant.cli.options",
        "from concordant import cli",
        "from concordant.cli import options",
        "def f():\n    from concordant.cli import options",
        "if TYPE_CHECKING:\n    from concordant.cli.options import dask_option",
        "import_module('concordant.cli.options')",
        "importlib.import_module('concordant.cli')",
        "__import__('concordant.cli')",
        "from concordant import compare",
        "import concordant as cc",
    ],
)
def test_imports_are_found_wherever_they_stand(statement):
    assert upward({"partition.ids": edges_of(statement, "partition.ids")})


def test_kernels_use_nothing_that_a_cache_on_disk_would_not_notice():
    # Numba keeps machine code by the time of the kernel's own file. A kernel or a
    # constant of another module, once compiled in, would stay as it was.
    for module, others in EDGES.items():
        if module == "kernels.compiling":
            # Of these nothing is compiled.
            assert others == {"errors", "kernels.announcing"}
        elif module.startswith("kernels."):
            assert others <= {"arrays", "kernels.compiling"}, module


def test_kernels_have_room_for_the_widest_band():
    from concordant.kernels import folding
    from concordant.pairs import bands, distribution, grid

    assert folding.PLACE_BITS == distribution.PLACE_BITS
    assert folding.MOST_ADDED == grid.MOST_ADDED
    assert bands.BLOCK_SIZE < folding.MOST_ADDED


def test_the_documentation_shows_the_layers():
    rows = [
        line.split("|")[1].replace("`", "").strip()
        for line in DOCUMENT.read_text().splitlines()
        if line.startswith("| `")
    ]
    shown = [
        name.strip().removesuffix(".py").removesuffix("/").replace("/", ".")
        for row in rows
        for name in row.split(",")
    ]
    assert shown == LAYERS


def test_what_the_documentation_names_is_there():
    text = DOCUMENT.read_text()
    for path in re.findall(r"`([a-z_/]+\.py)`", text):
        assert any((at / path).is_file() for at in (ROOT, ROOT.parents[1])), path
    code = "\n".join(path.read_text() for path in MODULES.values())
    for name in re.findall(r"`(?:[A-Z][a-z]+\.)?([A-Za-z_]+)`", _told(text)):
        assert re.search(rf"(def|class) {name}\b|\b{name}( =|:)", code), name


def _told(text):
    """Leave out the table of layers, and the words for work and rules."""
    before, _, rest = text.partition("## Layers")
    return before + rest.partition("## The life")[2].partition("## Words")[0]
