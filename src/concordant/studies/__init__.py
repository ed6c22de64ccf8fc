"""The paper's experiments, each a function from a seed to tidy rows."""

from concordant.studies.bias import bias_experiment
from concordant.studies.chance import chance
from concordant.studies.first_study import first_simulation
from concordant.studies.pd_tables import pd_tables
from concordant.studies.printed import Printed, printed_values
from concordant.studies.random_starts import random_starts
from concordant.studies.real_data import real_data
from concordant.studies.repetitions import run_studies
from concordant.studies.rows import Row
from concordant.studies.second_study import second_simulation

__all__ = [
    "Printed",
    "Row",
    "bias_experiment",
    "chance",
    "first_simulation",
    "pd_tables",
    "printed_values",
    "random_starts",
    "real_data",
    "run_studies",
    "second_simulation",
]
