"""
Random wrong calls of all public functions: each is refused in words, or works.

``python tests/wrong_calls.py 500`` makes so many calls of each function.
"""

import inspect
import random
import sys
import warnings

import numpy as np

import concordant as cc

P = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7], [0.6, 0.4]])
Q = [0, 0, 1, 1, 0]
RUNS = {"a": P, "b": Q, "c": [0, 1, 1, 0, 0]}
#: What may stand for any argument.
WRONG = (
    None,
    True,
    False,
    np.True_,
    0,
    1,
    -1,
    2,
    99,
    10**30,
    0.5,
    -0.5,
    1.5,
    float("nan"),
    float("inf"),
    np.float64(0.3),
    np.int64(2),
    1j,
    "",
    "aci",
    "position",
    "nowhere.csv",
    "\ud800",
    "a\0b",
    b"aci",
    [],
    [1],
    ["aci"],
    ["aci", None],
    (),
    {},
    {"a": 1},
    {1, 2},
    object(),
    object,
    len,
    np.zeros(0),
    np.zeros(5),
    np.ones((5, 2)) / 2,
    np.zeros((5, 2, 2)),
    np.array("x"),
    np.array([None] * 5),
    [[1, 2], [3]],
    range(5),
    "abcde",
    [0, 0, 1, 1, "x"],
    Exception("x"),
    lambda *some: 1.0,
)
FOREIGN = (KeyError, IndexError, AttributeError, RecursionError, ZeroDivisionError)


def functions():
    """Return the public functions with arguments that they take."""
    for name in cc.__all__:
        function = getattr(cc, name)
        if name == "stability":  # which takes an estimator, and seconds
            continue
        if inspect.isfunction(function) or name in ("Partition", "Accumulator"):
            yield name, function
    yield "inference.null_moments", cc.inference.null_moments


def right_arguments(function):
    """Return arguments that a function takes."""
    names = inspect.signature(function).parameters
    usual = {"P": P, "Q": Q, "partitions": RUNS, "path": "no-such-file.csv"}
    usual |= {"chunks": [(P, P)], "reference": Q, "data": P, "X": P, "centers": P[:2]}
    return {
        name: usual[name]
        for name, each in names.items()
        if name in usual and each.default is each.empty
    }


def wrong_calls(function, n_calls, seed):
    """Yield keywords, of which one or two are drawn from what is wrong."""
    source = random.Random(seed)
    names = [
        name
        for name, each in inspect.signature(function).parameters.items()
        if each.kind is not each.VAR_KEYWORD
    ]
    for _ in range(n_calls):
        changed = source.sample(names, min(len(names), source.choice((1, 1, 2))))
        wrong = {name: source.choice(WRONG) for name in changed}
        yield right_arguments(function) | wrong


def fault(function, keywords):
    """Return what is wrong with the error of a call, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(**keywords)
        except (ValueError, TypeError) as error:
            foreign = not is_worded(error)
            return f"{type(error).__name__}: {error}" if foreign else None
        except (ImportError, MemoryError):
            return None
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return None


def is_worded(error):
    """Return whether the package itself raised an error, in a sentence of its own."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return "concordant" in trace.tb_frame.f_code.co_filename and bool(str(error))


def faults(n_calls, seed=0):
    """Return a line for each call that fails in the words of others."""
    for name, function in functions():
        if not inspect.signature(function).parameters:
            continue
        for keywords in wrong_calls(function, n_calls, f"{name} {seed}"):
            found = fault(function, keywords)
            if found is not None:
                right = right_arguments(function)
                wrong = {k: x for k, x in keywords.items() if x is not right.get(k)}
                yield f"{name}({str(wrong)[:150]}): {found[:200]}"


if __name__ == "__main__":
    n_found = 0
    for line in faults(int(sys.argv[1]) if len(sys.argv) > 1 else 500):
        n_found += 1
        print(line.encode("ascii", "backslashreplace").decode())
    sys.exit(n_found > 0)
