"""
Random wrong calls of all public functions: each is refused in words, or works.

``python tests/wrong_calls.py 500`` makes so many calls of each function.
"""

import dis
import inspect
import random
import sys
import warnings

import numpy as np

import concordant as cc
from concordant import cluster

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
#: What functions take, by the names of their arguments.
USUAL = {"P": P, "Q": Q, "partitions": RUNS, "path": "no-such-file.csv", "X": P}
USUAL |= {"chunks": [(P, P)], "reference": Q, "data": P, "centers": P[:2], "index": 0}
USUAL |= {"positions": [0, 1], "share": 0.5, "name": "iris", "i": 0, "j": 1, "start": 0}
USUAL |= {"stop": 2, "place": 0, "number": 0, "P_chunk": P, "Q_chunk": Q, "key": "aci"}
QUICK = {"n_clusters": [2], "n_resamples": 2, "n_references": 2}
#: What may be functions of the caller.
CALLED = ("progress", "say", "index")
#: Estimators leave data to scikit-learn, which words what is wrong with them.
OF_VALUES = ("ValueError", "TypeError", "InvalidParameterError")
LEFT_TO_OTHERS = (
    "cluster.",
    "FuzzyCMeans.",
    "PDClustering.",
    "Partition.from_estimator",
)


def results():
    """Return one result of each kind, whose methods are called."""
    labels = [[0, 0, 1, 1, 0], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]]
    estimator = cluster.FuzzyCMeans(2, random_state=0)
    X = np.random.default_rng(0).normal(size=(24, 2))
    return (
        cc.Partition(P),
        cc.Accumulator(),
        cc.compare(P, Q, indices="all", families="all"),
        cc.agreement(RUNS),
        cc.align_clusters(RUNS),
        cc.consensus(RUNS),
        cc.consensus(labels, loss="binder"),
        cc.stability(estimator, X, **QUICK),
        cc.validity(P, P),
        cc.random_hardenings(P, Q, n_draws=10),
        cc.wallace(P, Q),
        cc.object_discordance(P, Q),
        cc.concordance_test(P, Q),
        cc.confidence_interval(P, Q),
        cc.local_concordance(P, Q),
        estimator.fit(P),
        cluster.PDClustering(2).fit(P),
    )


def fitted(estimator):
    """Return a function that makes an estimator of its arguments and fits it."""

    def fit(**parameters):
        return estimator(**parameters).fit(P)

    fit.__dict__["__signature__"] = inspect.signature(estimator)
    return fit


def callables():
    """Yield public functions and methods by name, each with arguments it takes."""
    given = {name: getattr(cc, name) for name in cc.__all__}
    for package in (cc.inference, cc.plot, cc.report, cluster, cc.datasets):
        short = package.__name__.rpartition(".")[2]
        given |= {f"{short}.{name}": getattr(package, name) for name in package.__all__}
    made = {type(result).__name__: result for result in results()}
    for kind, result in made.items():
        names = [name for name in dir(type(result)) if not name.startswith("_")]
        members = {name: inspect.getattr_static(result, name) for name in names}
        for name, member in members.items():
            member = getattr(member, "__func__", member)
            module, doc = getattr(member, "__module__", ""), member.__doc__ or ""
            if module.startswith("concordant") and "Parameters\n" in doc:
                given[f"{kind}.{name}"] = getattr(result, name)
    usual = USUAL | {
        "comparison": made["Comparison"],
        "agreement": made["Agreement"],
        "estimate": made["PointEstimate"],
        "stability": made["Stability"],
        "estimator": made["FuzzyCMeans"],
        "other": cc.Accumulator(),
        "plot.null_distribution result": made["ConcordanceTest"],
        "plot.confidence_interval result": made["ConfidenceInterval"],
    }
    for name, function in given.items():
        if inspect.isclass(function):
            if name.startswith("cluster."):
                function = fitted(function)
            elif name not in ("Partition", "Accumulator"):
                continue  # an error, or a result, which functions make
        if not inspect.isroutine(function):
            continue
        names = inspect.signature(function).parameters
        right = {each: usual.get(f"{name} {each}", usual.get(each)) for each in names}
        empty = [x for x in names if names[x].default is names[x].empty]
        right = {x: right[x] for x in empty if right[x] is not None}
        yield name, function, right | (QUICK if name == "stability" else {})


def wrong_calls(function, right, n_calls, seed):
    """Yield keywords, of which one or two are drawn from what is wrong."""
    source = random.Random(seed)
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    parameters = inspect.signature(function).parameters.items()
    names = [name for name, each in parameters if each.kind not in kinds]
    for _ in range(n_calls if names else 0):
        changed = source.sample(names, min(len(names), source.choice((1, 1, 2))))
        wrong = {name: source.choice(WRONG) for name in changed}
        yield right | wrong


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
    code = trace.tb_frame.f_code
    if code.co_code[trace.tb_lasti] != dis.opmap["RAISE_VARARGS"]:
        return False  # what Python itself says of some expression
    return "concordant" in code.co_filename and bool(str(error))


def faults(n_calls, seed=0, only=""):
    """Return a line for each call that fails in the words of others."""
    for name, function, right in callables():
        if only not in name:
            continue
        for keywords in wrong_calls(function, right, n_calls, f"{name} {seed}"):
            if any(callable(keywords.get(each)) for each in CALLED):
                continue  # whose errors are the caller's own
            found = fault(function, keywords)
            if found is not None:
                if name.startswith(LEFT_TO_OTHERS) and found.startswith(OF_VALUES):
                    continue
                wrong = {k: x for k, x in keywords.items() if x is not right.get(k)}
                yield f"{name}({str(wrong)[:150]}): {found[:200]}"


if __name__ == "__main__":
    _, n_calls, seed, only = [*sys.argv, *("500", "0", "")[len(sys.argv) - 1 :]][:4]
    n_found = 0
    for line in faults(int(n_calls), int(seed), only):
        n_found += 1
        print(line.encode("ascii", "backslashreplace").decode(), flush=True)
    sys.exit(n_found > 0)
