"""The paper, reproduced: its data, experiments, printed numbers and verdicts."""

from concordant.paper.paper_tables import Printed, printed_values
from concordant.paper.real_data_studies import chance, random_starts, real_data
from concordant.paper.repetitions import run_studies
from concordant.paper.simulated_data import (
    Sample,
    make_bias_experiment,
    make_first_simulation,
    make_random_set,
    make_second_simulation,
)
from concordant.paper.simulations import (
    bias_experiment,
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
