"""Files as programs write them, each with the partition that it means."""

import bz2
import gzip
import io
import lzma
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

N = 20
RNG = np.random.default_rng(7)
M = RNG.dirichlet([0.6, 0.8, 1.0], N)
M2 = RNG.dirichlet([0.6, 0.8], N)
LABELS = RNG.integers(0, 3, N)
LABELS[:3] = 0, 1, 2
FROM_ONE = np.roll(LABELS, 1) + 1
WORDS = np.array(["setosa", "virginica", "versicolor"])[LABELS]
NOISY = np.where(RNG.random(N) < 0.3, -1, FROM_ONE)
NAMES = [f"flower {i}" for i in range(1, N + 1)]
SHORT = [f"f{i}" for i in range(1, N + 1)]
COUNTED = [str(i) for i in range(N)]
FROM_ONE_ON = [str(i) for i in range(1, N + 1)]


@dataclass(frozen=True)
class Case:
    """
    A file and what it means.

    `options` are those without which it is refused, in the order in which messages
    name them; `truth` is a matrix, or labels, as one passes them to a Partition.
    """

    name: str
    content: bytes
    truth: object
    ids: list | None = None
    options: dict = field(default_factory=dict)
    partition: dict = field(default_factory=dict)  # what Partition is told of the truth
    kept: object = None


CASES: dict[str, Case] = {}


def case(title, name, content, truth, ids=None, kept=None, partition=None, **options):
    assert title not in CASES
    data = content.encode() if isinstance(content, str) else content
    CASES[title] = Case(name, data, truth, ids, options, partition or {}, kept)


def saved(write, *args, **options):
    stream = io.BytesIO()
    write(stream, *args, **options)
    return stream.getvalue()


def lines(rows, between=",", end="\n"):
    return "".join(between.join(map(str, row)) + end for row in rows)


def comma(number):
    return repr(float(number)).replace(".", ",")


# NumPy

case("savetxt", "u.txt", saved(np.savetxt, M), M)
case("savetxt, commas", "u.csv", saved(np.savetxt, M, delimiter=","), M)
case("savetxt, tabs", "u.tsv", saved(np.savetxt, M, delimiter="\t"), M)
case("savetxt, bars", "u.txt", saved(np.savetxt, M, delimiter="|"), M)
case("savetxt, comma and blank", "u.csv", saved(np.savetxt, M, delimiter=", "), M)
case("savetxt, 4 digits", "u.txt", saved(np.savetxt, M, fmt="%.4f"), M.round(4))
case("savetxt, names", "u.txt", saved(np.savetxt, M, header="a b c"), M, skip=1)
case(
    "savetxt, names, commas",
    "u.csv",
    saved(np.savetxt, M, delimiter=",", header="a,b,c"),
    M,
    skip=1,
)
case(
    "savetxt, a comment",
    "u.txt",
    saved(np.savetxt, M, header="fuzzy C-means, 20 flowers, m = 2"),
    M,
    skip=1,
)
case(
    "savetxt, two comments",
    "u.txt",
    saved(np.savetxt, M, header="fuzzy C-means\nm = 2"),
    M,
    skip=2,
)
case("savetxt, labels from 1", "l.txt", saved(np.savetxt, FROM_ONE, fmt="%d"), FROM_ONE)
case(
    "savetxt, labels from 0",
    "l.txt",
    saved(np.savetxt, LABELS, fmt="%d"),
    LABELS,
    header=False,
)
case("savetxt, labels as floats", "l.txt", saved(np.savetxt, LABELS), LABELS)
case(
    "savetxt, labels in a row",
    "l.txt",
    saved(np.savetxt, FROM_ONE[None], fmt="%d"),
    FROM_ONE,
    transpose=True,
)
case(
    "savetxt, one-hot",
    "l.txt",
    saved(np.savetxt, np.eye(3)[FROM_ONE - 1], fmt="%d"),
    np.eye(3)[FROM_ONE - 1],
)
case(
    "savetxt, one-hot of two",
    "l.txt",
    saved(np.savetxt, np.eye(2)[LABELS % 2], fmt="%d"),
    np.eye(2)[LABELS % 2],
    header=False,
)
case("savetxt, gzip", "u.txt.gz", gzip.compress(saved(np.savetxt, M)), M)
case("save", "u.npy", saved(np.save, M), M)
case("save, single precision", "u.npy", saved(np.save, M.astype("f4")), M.astype("f4"))
case("save, by columns", "u.npy", saved(np.save, np.asfortranarray(M)), M)
case("save, labels", "l.npy", saved(np.save, LABELS.astype("i4")), LABELS)
case("save, labels in a column", "l.npy", saved(np.save, LABELS[:, None]), LABELS)
case(
    "save, labels in a row",
    "l.npy",
    saved(np.save, LABELS[None]),
    LABELS,
    transpose=True,
)
case("save, words", "l.npy", saved(np.save, WORDS), WORDS)
case("save, gzip", "u.npy.gz", gzip.compress(saved(np.save, M)), M)
case("savez", "u.npz", saved(np.savez, M), M)
case("savez, ids", "u.npz", saved(np.savez, U=M, ids=np.array(NAMES)), M, NAMES)
for layout in ("csr_matrix", "csc_array", "coo_matrix", "coo_array"):
    packed = saved(sparse.save_npz, getattr(sparse, layout)(M))
    case(f"scipy's save_npz, {layout}", "u.npz", packed, M)
case("savez, two arrays", "u.npz", saved(np.savez, U=M, labels=LABELS), M, array="U")
case(
    "savez, ids and names",
    "u.npz",
    saved(np.savez, U=M, ids=np.arange(N), name=np.array(NAMES)),
    M,
    NAMES,
    id_column="name",
)

# pandas

FRAME = pd.DataFrame(M)
NAMED = pd.DataFrame(M, columns=["a", "b", "c"])
BY_NAME = NAMED.set_axis(NAMES)
SERIES = pd.Series(LABELS)
TABLE = pd.DataFrame(
    {
        "id": FROM_ONE_ON,
        "x": RNG.normal(size=N),
        "y": RNG.normal(size=N),
        "kmeans": LABELS,
        "gmm": FROM_ONE,
    }
)
case("frame", "u.csv", FRAME.to_csv(), M, COUNTED)
case("frame without index", "u.csv", FRAME.to_csv(index=False), M)
AGAIN = pd.read_csv(io.StringIO(NAMED.to_csv()))
case("frame that was read", "u.csv", AGAIN.to_csv(index=False), M, COUNTED)
case(
    "frame of two without index",
    "u.csv",
    pd.DataFrame(M2).to_csv(index=False),
    M2,
    header=True,
)
case(
    "frame of two, columns 1 and 0",
    "u.csv",
    pd.DataFrame(M2, columns=[1, 0]).to_csv(index=False),
    M2,
    header=True,
)
case(
    "frame, columns from 1",
    "u.csv",
    pd.DataFrame(M, columns=[1, 2, 3]).to_csv(index=False),
    M,
)
case(
    "frame, columns 2, 5, 7",
    "u.csv",
    pd.DataFrame(M, columns=[2, 5, 7]).to_csv(index=False),
    M,
    header=True,
)
case("frame, names", "u.csv", NAMED.to_csv(), M, COUNTED)
case("frame, names without index", "u.csv", NAMED.to_csv(index=False), M)
case(
    "frame, clusters object and background",
    "u.csv",
    pd.DataFrame(M2, columns=["object", "background"]).to_csv(index=False),
    M2,
)
case("frame, index of names", "u.csv", BY_NAME.to_csv(), M, NAMES)
case(
    "frame, index with a name", "u.csv", BY_NAME.to_csv(index_label="flower"), M, NAMES
)
case("frame, nothing but numbers", "u.csv", FRAME.to_csv(index=False, header=False), M)
case("frame, no heading", "u.csv", BY_NAME.to_csv(header=False), M, NAMES)
case(
    "frame, semicolons and commas",
    "u.csv",
    NAMED.to_csv(sep=";", decimal=","),
    M,
    COUNTED,
)
case(
    "frame, tabs and commas",
    "u.txt",
    pd.DataFrame(M2).to_csv(sep="\t", decimal=",", header=False, index=False),
    M2,
)
case(
    "frame, quoted commas",
    "u.csv",
    pd.DataFrame(M2).map(comma).to_csv(header=False, index=False, quoting=1),
    M2,
)
case("frame, tabs", "u.tsv", NAMED.to_csv(sep="\t"), M, COUNTED)
case("frame, CRLF", "u.csv", NAMED.to_csv(lineterminator="\r\n"), M, COUNTED)
case("frame, UTF-16", "u.csv", NAMED.to_csv().encode("utf-16"), M, COUNTED)
case("frame, byte order mark", "u.csv", NAMED.to_csv().encode("utf-8-sig"), M, COUNTED)
case("frame as text", "u.txt", FRAME.round(3).to_string(), M.round(3), COUNTED)
case("frame, gzip", "u.csv.gz", gzip.compress(NAMED.to_csv().encode()), M, COUNTED)
case("frame, bzip2", "u.csv.bz2", bz2.compress(NAMED.to_csv().encode()), M, COUNTED)
case("frame, xz", "u.csv.xz", lzma.compress(NAMED.to_csv().encode()), M, COUNTED)
case(
    "frame, zstd",
    "u.csv.zst",
    pa.Codec("zstd").compress(NAMED.to_csv().encode()).to_pybytes(),
    M,
    COUNTED,
)
case(
    "frame, gzip without the suffix",
    "u.csv",
    gzip.compress(NAMED.to_csv().encode()),
    M,
    COUNTED,
)
for digits in (2, 3, 4):
    case(
        f"frame, {digits} digits",
        "u.csv",
        NAMED.round(digits).to_csv(index=False),
        M.round(digits),
    )
case(
    "frame, percentages",
    "u.csv",
    lines([f"{x:.1f}%" for x in row] for row in 100 * M2),
    np.array([[float(f"{x:.1f}e-2") for x in row] for row in 100 * M2]),
)
case(
    "frame, whole percentages",
    "u.csv",
    lines([f"{x:.0f}%" for x in row] for row in 100 * M2),
    np.array([[float(f"{x:.0f}e-2") for x in row] for row in 100 * M2]),
)
case(
    "frame, percentages without a sign",
    "u.csv",
    lines([f"{x:.0f}" for x in row] for row in 100 * M),
    (100 * M).round(0),
    normalize=True,
    partition={"normalize": True},
)
case("series", "l.csv", SERIES.to_csv(), LABELS, COUNTED)
case("series without index", "l.csv", SERIES.to_csv(index=False), LABELS, header=True)
case(
    "series with a name", "l.csv", SERIES.rename("cluster").to_csv(index=False), LABELS
)
case(
    "series, index with a name",
    "l.csv",
    SERIES.set_axis(SHORT).to_csv(index_label="flower"),
    LABELS,
    SHORT,
    header=True,
)
case(
    "series, index called id",
    "l.csv",
    SERIES.set_axis(SHORT).to_csv(index_label="id"),
    LABELS,
    SHORT,
)
case(
    "series of words", "l.csv", pd.Series(WORDS).to_csv(index=False), WORDS, header=True
)
case(
    "series of words called species",
    "l.csv",
    pd.Series(WORDS, name="species").to_csv(index=False),
    WORDS,
)
case(
    "series of words with another name",
    "l.csv",
    pd.Series(WORDS, name="kind of flower").to_csv(index=False),
    WORDS,
    header=True,
)
case(
    "flower and species",
    "l.csv",
    pd.Series(WORDS, SHORT, name="species").to_csv(index_label="flower"),
    WORDS,
    SHORT,
)
case(
    "flower and kind",
    "l.csv",
    pd.Series(WORDS, SHORT, name="kind").to_csv(index_label="flower"),
    WORDS,
    SHORT,
    header=True,
)
GAPS = SERIES.where(np.arange(N) % 7 != 3)
case(
    "series with gaps",
    "l.csv",
    GAPS.rename("cluster").to_csv(index=False),
    LABELS,
    kept=np.flatnonzero(GAPS.notna()),
    missing="drop",
)
case(
    "series with gaps and index",
    "l.csv",
    GAPS.rename("cluster").to_csv(),
    LABELS,
    COUNTED,
    kept=np.flatnonzero(GAPS.notna()),
    missing="drop",
)
case(
    "series with gaps as text",
    "l.csv",
    GAPS.rename("cluster").to_csv(index=False, na_rep="NA"),
    LABELS,
    kept=np.flatnonzero(GAPS.notna()),
    missing="drop",
)
case(
    "words of which one is NA",
    "l.csv",
    pd.Series(np.where(LABELS == 1, "NA", WORDS), name="code").to_csv(),
    np.where(LABELS == 1, "NA", WORDS),
    COUNTED,
    labels_as_text=True,
)
case(
    "words with blanks behind some",
    "l.csv",
    pd.Series(
        [f"{w} " if i % 3 else w for i, w in enumerate(WORDS)], name="species"
    ).to_csv(),
    WORDS,
    COUNTED,
)
case(
    "several columns of labels",
    "t.csv",
    TABLE.to_csv(index=False),
    LABELS,
    FROM_ONE_ON,
    column="kmeans",
)
case(
    "several columns of labels and a gap elsewhere",
    "t.csv",
    TABLE.assign(x=TABLE.x.where(TABLE.x > 0)).to_csv(index=False),
    FROM_ONE,
    FROM_ONE_ON,
    column="gmm",
)
case(
    "memberships beside other columns",
    "t.csv",
    pd.concat([TABLE, NAMED], axis=1).to_csv(index=False),
    M,
    FROM_ONE_ON,
    columns=["a", "b", "c"],
)
case(
    "dummies",
    "l.csv",
    pd.get_dummies(pd.Series(WORDS)).to_csv(index=False),
    pd.get_dummies(pd.Series(WORDS)).to_numpy(),
)
case("parquet", "u.parquet", saved(NAMED.to_parquet), M)
case("parquet, index of names", "u.parquet", saved(BY_NAME.to_parquet), M, NAMES)
case(
    "parquet, labels with gaps",
    "l.parquet",
    saved(GAPS.astype("Int64").rename("cluster").to_frame().to_parquet),
    LABELS,
    kept=np.flatnonzero(GAPS.notna()),
    missing="drop",
)
case("feather", "u.feather", saved(NAMED.to_feather), M)

# polars

POLARS = pl.DataFrame(M, schema=["a", "b", "c"])
case("polars", "u.csv", POLARS.write_csv(), M)
case("polars, no heading", "u.csv", POLARS.write_csv(include_header=False), M)
case(
    "polars, semicolons and commas",
    "u.csv",
    POLARS.write_csv(separator=";", decimal_comma=True),
    M,
)
case("polars, parquet", "u.parquet", saved(POLARS.write_parquet), M)
case("polars, ipc", "u.ipc", saved(POLARS.write_ipc), M)
case(
    "polars, categories, ipc",
    "l.ipc",
    saved(pl.DataFrame({"c": pl.Series(WORDS, dtype=pl.Categorical)}).write_ipc),
    WORDS,
)
case(
    "polars, labels with gaps",
    "l.csv",
    pl.DataFrame({"cluster": [None if x != x else int(x) for x in GAPS]}).write_csv(),
    LABELS,
    kept=np.flatnonzero(GAPS.notna()),
    missing="drop",
)

# R

V = ["V1", "V2", "V3"]


def quoted(cells):
    return [f'"{cell}"' for cell in cells]


def row_names(rows, between, names=FROM_ONE_ON):
    return lines(
        ([f'"{i}"', *row] for i, row in zip(names, rows, strict=True)), between
    )


R_ROWS = [[repr(float(x)) for x in row] for row in M]
R_COMMAS = [[comma(x) for x in row] for row in M]
case(
    "write.csv",
    "u.csv",
    lines([quoted(["", *V])]) + row_names(R_ROWS, ","),
    M,
    FROM_ONE_ON,
)
case(
    "write.csv, clusters by number",
    "u.csv",
    lines([quoted(["", 1, 2, 3])]) + row_names(R_ROWS, ","),
    M,
    FROM_ONE_ON,
)
case("write.csv, row.names=FALSE", "u.csv", lines([quoted(V), *R_ROWS]), M)
case(
    "write.csv, named rows",
    "u.csv",
    lines([quoted(["", *V])]) + row_names(R_ROWS, ",", NAMES),
    M,
    NAMES,
)
case(
    "write.csv2",
    "u.csv",
    lines([quoted(["", *V])], ";") + row_names(R_COMMAS, ";"),
    M,
    FROM_ONE_ON,
)
case("write.csv2, row.names=FALSE", "u.csv", lines([quoted(V), *R_COMMAS], ";"), M)
case(
    "write.table",
    "u.txt",
    lines([quoted(V)], " ") + row_names(R_ROWS, " "),
    M,
    FROM_ONE_ON,
)
case(
    "write.table, named rows",
    "u.txt",
    lines([quoted(V)], " ") + row_names(R_ROWS, " ", NAMES),
    M,
    NAMES,
)
case(
    "write.table, clusters by number",
    "u.txt",
    lines([quoted([1, 2, 3])], " ") + row_names(R_ROWS, " "),
    M,
    FROM_ONE_ON,
)
case(
    "write.table, quote=FALSE",
    "u.txt",
    lines([V], " ") + lines(([i, *r] for i, r in zip(SHORT, R_ROWS, strict=True)), " "),
    M,
    SHORT,
)
case("write.table, nothing but numbers", "u.txt", lines(R_ROWS, " "), M)
case(
    "write.table, tabs",
    "u.tsv",
    lines([V], "\t")
    + lines(([i, *r] for i, r in zip(SHORT, R_ROWS, strict=True)), "\t"),
    M,
    SHORT,
)
case(
    "write.table, commas",
    "u.csv",
    lines([quoted(V)]) + row_names(R_ROWS, ","),
    M,
    FROM_ONE_ON,
)
case(
    "write.table, decimal commas",
    "u.txt",
    lines([quoted(V)], " ") + row_names(R_COMMAS, " "),
    M,
    FROM_ONE_ON,
)
case(
    "write.csv of kmeans",
    "l.csv",
    '"","x"\n' + row_names([[x] for x in FROM_ONE], ","),
    FROM_ONE,
    FROM_ONE_ON,
)
case(
    "write.csv of cutree",
    "l.csv",
    '"","x"\n' + row_names([[x] for x in FROM_ONE], ",", NAMES),
    FROM_ONE,
    NAMES,
)
case(
    "write.table of a factor",
    "l.txt",
    '"x"\n' + row_names([[f'"{w}"'] for w in WORDS], " "),
    WORDS,
    FROM_ONE_ON,
)
case(
    "write.table of a factor, quote=FALSE",
    "l.txt",
    "x\n" + lines(zip(SHORT, WORDS, strict=True), " "),
    WORDS,
    SHORT,
    delimiter="space",
)
case(
    "write.csv2 of a factor",
    "l.csv",
    '"";"x"\n' + row_names([[f'"{w}"'] for w in WORDS], ";"),
    WORDS,
    FROM_ONE_ON,
)
case("writeLines", "l.txt", lines([w] for w in WORDS), WORDS)
case("write", "l.txt", lines([x] for x in FROM_ONE), FROM_ONE)
case(
    "write.csv of labels with NA",
    "l.csv",
    '"","x"\n'
    + row_names([["NA" if i == 4 else x] for i, x in enumerate(FROM_ONE)], ","),
    FROM_ONE,
    FROM_ONE_ON,
    kept=np.delete(np.arange(N), 4),
    missing="drop",
)
case(
    "write.csv of a data frame",
    "t.csv",
    '"","Sepal.Length","Species","cluster"\n'
    + row_names(
        [[5.1, f'"{w}"', x] for w, x in zip(WORDS, FROM_ONE, strict=True)], ","
    ),
    FROM_ONE,
    FROM_ONE_ON,
    column="cluster",
)

# Excel

case(
    "Excel, semicolons, byte order mark",
    "u.csv",
    (
        "\ufeff"
        + lines(
            [
                ["Name", "A", "B", "C"],
                *([n, *r] for n, r in zip(NAMES, R_COMMAS, strict=True)),
            ],
            ";",
            "\r\n",
        )
    ),
    M,
    NAMES,
)
case(
    "Excel, sep=",
    "u.csv",
    "sep=;\r\n" + lines([["A", "B", "C"], *R_COMMAS], ";", "\r\n"),
    M,
    skip=1,
)
case(
    "Excel, Windows characters",
    "u.csv",
    lines(
        [
            ["Name", "A", "B", "C"],
            *([f"Blüte {i}", *r] for i, r in enumerate(R_COMMAS)),
        ],
        ";",
        "\r\n",
    ).encode("cp1252"),
    M,
    [f"Blüte {i}" for i in range(N)],
    encoding="cp1252",
)
case(
    "Excel, Unicode text",
    "u.txt",
    lines(
        [
            ["Name", "A", "B", "C"],
            *([f"Blüte {i}", *r] for i, r in enumerate(R_COMMAS)),
        ],
        "\t",
        "\r\n",
    ).encode("utf-16"),
    M,
    [f"Blüte {i}" for i in range(N)],
)
case("Excel, Macintosh", "u.csv", lines([["A", "B", "C"], *R_COMMAS], ";", "\r"), M)
case(
    "Excel, percentages",
    "u.csv",
    lines([["A", "B"], *([f"{x:.0f}%" for x in row] for row in 100 * M2)], ";"),
    np.array([[float(f"{x:.0f}e-2") for x in row] for row in 100 * M2]),
)
case(
    "Excel, labels",
    "l.csv",
    "\ufeff"
    + lines([["Name", "Cluster"], *zip(NAMES, WORDS, strict=True)], ";", "\r\n"),
    WORDS,
    NAMES,
)

# Julia, MATLAB, Octave, Weka, databases

case("CSV.write", "u.csv", lines([["x1", "x2", "x3"], *R_ROWS]), M)
case("writedlm", "u.txt", lines(R_ROWS, "\t"), M)
case("writedlm, labels", "l.txt", lines([x] for x in FROM_ONE), FROM_ONE)
case(
    "writedlm, missing",
    "l.txt",
    lines(["missing" if i == 4 else x] for i, x in enumerate(FROM_ONE)),
    FROM_ONE,
    kept=np.delete(np.arange(N), 4),
    missing="drop",
)
case(
    "writematrix",
    "u.csv",
    lines([f"{x:.15g}" for x in row] for row in M),
    np.array([[float(f"{x:.15g}") for x in row] for row in M]),
)
case(
    "writematrix of fcm's U",
    "u.csv",
    lines([f"{x:.15g}" for x in row] for row in M.T),
    np.array([[float(f"{x:.15g}") for x in row] for row in M]),
    transpose=True,
)
case(
    "writematrix of a row of labels",
    "l.csv",
    lines([FROM_ONE]),
    FROM_ONE,
    transpose=True,
)
case(
    "writetable",
    "u.csv",
    lines([["Var1", "Var2", "Var3"], *([f"{x:.15g}" for x in row] for row in M)]),
    np.array([[float(f"{x:.15g}") for x in row] for row in M]),
)
case(
    "save -ascii",
    "u.txt",
    "".join("".join(f"   {x:.7e}" for x in row) + "\n" for row in M),
    np.array([[float(f"{x:.7e}") for x in row] for row in M]),
)
case(
    "Octave's save -text",
    "u.txt",
    "# Created by Octave 8.4.0\n# name: U\n# type: matrix\n# rows: 20\n# columns: 3\n"
    + "".join(" " + " ".join(row) + "\n" for row in R_ROWS),
    M,
    skip=5,
)
ARFF = (
    "@relation iris_clustered\n\n@attribute sepallength numeric\n"
    "@attribute Cluster {cluster0,cluster1,cluster2}\n\n@data\n"
)
case(
    "Weka",
    "l.arff",
    ARFF + lines([f"{5 + i / 10}", f"cluster{x}"] for i, x in enumerate(LABELS)),
    [f"cluster{x}" for x in LABELS],
    skip=6,
    column=2,
)
case(
    "Weka, a question mark",
    "l.arff",
    ARFF
    + lines(
        [f"{5 + i / 10}", "?" if i == 4 else f"cluster{x}"]
        for i, x in enumerate(LABELS)
    ),
    [f"cluster{x}" for x in LABELS],
    kept=np.delete(np.arange(N), 4),
    skip=6,
    column=2,
    missing="drop",
)
case(
    "psql, bars",
    "u.txt",
    lines(
        [["id", "a", "b", "c"], *([n, *r] for n, r in zip(NAMES, R_ROWS, strict=True))],
        "|",
    ),
    M,
    NAMES,
)

# scikit-fuzzy, HDBSCAN

case("scikit-fuzzy's u", "u.npy", saved(np.save, M.T), M, transpose=True)
case("scikit-fuzzy's u as text", "u.txt", saved(np.savetxt, M.T), M, transpose=True)
case(
    "scikit-fuzzy's u as a frame",
    "u.csv",
    pd.DataFrame(M.T).to_csv(),
    M,
    COUNTED,
    transpose=True,
)
case(
    "scikit-fuzzy's u, 3 digits",
    "u.csv",
    saved(np.savetxt, M.T, fmt="%.3f", delimiter=","),
    M.round(3),
    transpose=True,
)
case("HDBSCAN's labels", "l.csv", lines([x] for x in NOISY), NOISY)
SOFT = M * RNG.uniform(0.3, 1.0, (N, 1))
case(
    "HDBSCAN's soft clusters",
    "u.txt",
    saved(np.savetxt, SOFT),
    SOFT,
    noise="column",
    partition={"noise": "column"},
)
HOLES = np.where(np.arange(N)[:, None] % 6 == 2, np.nan, M)
case(
    "HDBSCAN's soft clusters with NaN",
    "u.txt",
    saved(np.savetxt, HOLES),
    M,
    kept=np.flatnonzero(~np.isnan(HOLES[:, 0])),
    missing="drop",
)
case(
    "HDBSCAN's soft clusters with NaN, .npy",
    "u.npy",
    saved(np.save, HOLES),
    M,
    kept=np.flatnonzero(~np.isnan(HOLES[:, 0])),
    missing="drop",
)
