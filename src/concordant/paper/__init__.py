"""The paper, reproduced: its data, experiments, printed numbers and verdicts."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concordant.paper.bias import bias_experiment
    from concordant.paper.null_study import chance
    from concordant.paper.printed import Printed, printed_values
    from concordant.paper.real_data_studies import random_starts, real_data
    from concordant.paper.repetitions import run_studies
    from concordant.paper.simulated_data import (
        Sample,
        make_bias_experiment,
        make_first_simulation,
        make_random_set,
        make_second_simulation,
    )
    from concordant.paper.simulations import (
        first_simulation,
        pd_tables,
        second_simulation,
    )
    from concordant.paper.study_rows import Row

__all__ = [
    "Printed",
    "Row",
    "Sample",
    "bias_experiment",
    "chance",
    "first_simulation",
    "make_bias_experiment",
    "make_first_simulation",
    "make_random_set",
    "make_second_simulation",
    "pd_tables",
    "printed_values",
    "random_starts",
    "real_data",
    "run_studies",
    "second_simulation",
]

# Names are imported when they are first used: the help of the command needs none.
_HOMES = {
    "Printed": "printed",
    "Row": "study_rows",
    "Sample": "simulated_data",
    "bias_experiment": "bias",
    "chance": "null_study",
    "first_simulation": "simulations",
    "make_bias_experiment": "simulated_data",
    "make_first_simulation": "simulated_data",
    "make_random_set": "simulated_data",
    "make_second_simulation": "simulated_data",
    "pd_tables": "simulations",
    "printed_values": "printed",
    "random_starts": "real_data_studies",
    "real_data": "real_data_studies",
    "run_studies": "repetitions",
    "second_simulation": "simulations",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
