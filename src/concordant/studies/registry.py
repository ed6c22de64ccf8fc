"""The studies by name."""

from collections.abc import Callable
from dataclasses import dataclass

from concordant.studies.bias import bias_experiment
from concordant.studies.chance import chance
from concordant.studies.first_study import first_simulation
from concordant.studies.pd_tables import pd_tables
from concordant.studies.random_starts import random_starts
from concordant.studies.real_data import real_data
from concordant.studies.rows import Row
from concordant.studies.second_study import second_simulation


@dataclass(frozen=True)
class Study:
    """
    An experiment that a run repeats.

    Parameters
    ----------
    name : str
        What the command line calls it.
    title : str
        What the page calls it.
    repetition : callable
        From a seed to the rows of one repetition.
    per_task : int
        Repetitions that are computed and kept together, some seconds of work.
    is_random : bool, default=True
        Whether repeating it makes sense.
    """

    name: str
    title: str
    repetition: Callable[[int], list[Row]]
    per_task: int
    is_random: bool = True


STUDIES = {
    study.name: study
    for study in (
        Study("bias", "Bias experiment", bias_experiment, 25),
        Study("simulation-1", "First simulation", first_simulation, 10),
        Study("simulation-2", "Second simulation", second_simulation, 4),
        Study("pd", "PD tables", pd_tables, 5),
        Study("real-data", "Real data", real_data, 1, is_random=False),
        Study("starts", "Random starts on real data", random_starts, 20),
        Study("chance", "What chance gives", chance, 25),
    )
}
