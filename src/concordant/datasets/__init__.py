"""The paper's data: six real data sets, three simulation designs, the bias experiment.

Each generator draws one data set and takes a `random_state`; the global NumPy state is
neither read nor set.
"""

from concordant.datasets.bias_experiment import make_bias_experiment
from concordant.datasets.first_simulation import make_first_simulation
from concordant.datasets.random_set import make_random_set
from concordant.datasets.sample import Sample
from concordant.datasets.second_simulation import make_second_simulation
from concordant.datasets.uci import Dataset, load_uci

__all__ = [
    "Dataset",
    "Sample",
    "load_uci",
    "make_bias_experiment",
    "make_first_simulation",
    "make_random_set",
    "make_second_simulation",
]
