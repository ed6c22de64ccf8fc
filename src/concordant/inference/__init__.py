"""Tests, intervals, and where two partitions differ."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concordant.inference.by_chance import concordance_test
    from concordant.inference.chance_result import ConcordanceTest
    from concordant.inference.closed_form import NullMoments, null_moments

__all__ = ["ConcordanceTest", "NullMoments", "concordance_test", "null_moments"]

# Names are imported when they are first used, as in the package above.
_HOMES = {
    "ConcordanceTest": "concordant.inference.chance_result",
    "NullMoments": "concordant.inference.closed_form",
    "concordance_test": "concordant.inference.by_chance",
    "null_moments": "concordant.inference.closed_form",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
