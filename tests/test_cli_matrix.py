"""The command that compares all pairs of partitions, and its pictures."""

import csv
import io
import itertools
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of

import concordant as cc
from concordant.files import write_table
from concordant.plot.beside_points import beside
from concordant.plot.many import by_similarity, partition_map, similarity_heat_map
from concordant.plot.plane import in_the_plane

RNG = np.random.default_rng(0)
FUZZY = {name: RNG.dirichlet([1.0] * 3, 8) for name in "ABCD"}
LABELS = [0, 0, 1, 1, 2, 2, 2, 0]
FILES = [f"{name}.csv" for name in FUZZY]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ids = np.array([f"object {i}" for i in range(8)], dtype=object)
    for number, (name, memberships) in enumerate(FUZZY.items()):
        order = np.random.default_rng(number).permutation(8)
        names = ["x", "y", "z"]
        write_table(f"{name}.csv", memberships[order], names=names, ids=ids[order])
        np.save(f"{name}.npy", memberships)
    np.save("L.npy", LABELS)


def as_document(*args):
    document = json.loads(output_of("matrix", *args, "--json"))
    check_schema(document, "matrix")
    return document


@pytest.mark.parametrize("suffix", ["csv", "npy"])
def test_all_pairs_are_those_of_the_library_to_the_last_bit(suffix):
    document = as_document(*(f"{name}.{suffix}" for name in FUZZY))
    assert document["matched_by"] == ("id" if suffix == "csv" else "position")
    aci, ndc = (np.array(document["values"][name]) for name in ("aci", "ndc"))
    for i, j in itertools.product(range(4), repeat=2):
        P, Q = FUZZY["ABCD"[i]], FUZZY["ABCD"[j]]
        assert aci[i, j] == cc.adjusted_concordance_index(P, Q)
        assert ndc[i, j] == cc.normalized_degree_of_concordance(P, Q)


def test_statistics_of_a_fuzzy_partition_with_itself_are_computed():
    document = as_document("A.csv", "B.csv", "--index", "rand", "--family", "campello")
    assert document["family"] == "campello"
    assert document["t_norm"] == "min"
    (found,) = document["values"].values()
    A, B = FUZZY["A"], FUZZY["B"]
    for (i, P), (j, Q) in itertools.product(enumerate((A, B)), repeat=2):
        assert found[i][j] == cc.rand_index(P, Q, family="campello")
    assert found[0][0] < 1.0
    assert document["errors"] == {}


@pytest.mark.parametrize(
    ("name", "family", "t_norm"),
    [("L", "crisp", None), ("A", "huellermeier", "product")],
)
def test_the_family_is_that_of_the_library_by_default(name, family, t_norm):
    document = as_document("L.npy", f"{name}.npy", "--index", "adjusted_rand")
    assert (document["family"], document["t_norm"]) == (family, t_norm)
    P = FUZZY.get(name, LABELS)
    found = document["values"]["adjusted_rand"][0][1]
    assert found == cc.adjusted_rand_index(LABELS, P)


def test_csv_has_a_row_for_each_pair_with_all_digits():
    rows = [*csv.DictReader(io.StringIO(output_of("matrix", *FILES, "--csv")))]
    assert [(row["P"], row["Q"]) for row in rows] == [*itertools.combinations(FILES, 2)]
    values = as_document(*FILES)["values"]
    for name in ("aci", "ndc"):
        found = [float(row[name]) for row in rows]
        upper = np.triu_indices(4, 1)
        assert found == np.array(values[name])[upper].tolist()


def test_the_plain_table_numbers_the_files():
    text = output_of("matrix", "A.csv", "B.csv", "--index", "ndc")
    ndc = cc.normalized_degree_of_concordance(FUZZY["A"], FUZZY["B"])
    assert text == (
        "2 partitions of 8 objects, matched by id\n"
        "1: A.csv (fuzzy, 3 clusters)\n"
        "   8 objects, 3 columns of memberships, commas, heading, ids from `id`\n"
        "2: B.csv (fuzzy, 3 clusters)\n"
        "   8 objects, 3 columns of memberships, commas, heading, ids from `id`\n"
        "\n"
        "NDC       1       2\n"
        "-------------------\n"
        f"1    1.0000  {ndc:.4f}\n"
        f"2    {ndc:.4f}  1.0000\n"
    )


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_picture_is_drawn_with_the_same_bytes_each_time(tmp_path, form):
    for name in ("one", "two"):
        output_of("matrix", *FILES, "--plot", f"{name}.{form}")
    one, two = ((tmp_path / f"{name}.{form}").read_bytes() for name in ("one", "two"))
    assert one == two
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form]
    assert one.startswith(start)
    if form == "svg":
        ET.fromstring(one)


def test_a_picture_needs_no_ndc_among_the_indices(tmp_path):
    words = ("A.csv", "B.csv", "--index", "rand", "--plot", "map.svg")
    assert [*as_document(*words)["values"]] == ["rand"]
    assert (tmp_path / "map.svg").exists()


@pytest.mark.parametrize("name", ["a$b$c", "$\\frac{", "😀שלם", "<b>&", "x" * 90, "%k"])
def test_strange_names_are_drawn(tmp_path, name):
    np.save(f"{name}.npy", FUZZY["A"])
    output_of("matrix", "B.npy", f"{name}.npy", "C.npy", "--plot", "map.svg")
    ET.parse(tmp_path / "map.svg")


def test_noise_is_dropped_pair_by_pair():
    for name, labels in (("l", [0, 0, 1, 1, -1]), ("m", [0, -1, 1, 1, 0])):
        np.save(f"{name}.npy", labels)
    text = output_of("matrix", "l.npy", "m.npy", "l.npy", "--noise", "drop")
    assert "3 partitions of 4 objects, matched by position" in text
    value = as_document("l.npy", "m.npy", "--noise", "drop")["values"]["ndc"][0][1]
    assert value == 1.0


def test_possibilistic_partitions_need_an_index_that_has_them(tmp_path):
    (tmp_path / "M.csv").write_text("0.5,0.25\n1,0.5\n0,1\n")
    words = ("M.csv", "M.csv", "--kind", "possibilistic")
    assert "not defined for possibilistic" in fault_of("matrix", *words)
    document = as_document(*words, "--index", "rand", "--family", "brouwer")
    assert document["partitions"][0]["kind"] == "possibilistic"


# The pictures by themselves


def distances_of(points):
    return np.linalg.norm(points[:, None] - points[None, :], axis=2)


def test_points_of_the_plane_are_found_again():
    points = np.random.default_rng(0).normal(size=(9, 2))
    found, share = in_the_plane(distances_of(points))
    np.testing.assert_allclose(distances_of(found), distances_of(points), atol=1e-12)
    assert share == pytest.approx(1.0)
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=1e-12)


def test_points_of_space_are_shown_in_part():
    points = np.random.default_rng(0).normal(size=(9, 3))
    _, share = in_the_plane(distances_of(points))
    assert 0.0 < share < 1.0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_equal_partitions_are_one_point(k):
    points, share = in_the_plane(np.zeros((k, k)))
    assert not points.any()
    assert share == 1.0


def test_neighbours_in_the_heat_map_are_similar():
    positions = np.array([5.0, 1.0, 4.0, 2.0, 3.0])
    order = by_similarity(np.abs(positions[:, None] - positions))
    assert [positions[i] for i in order] in ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])


def test_pictures_are_drawn_on_given_axes_or_new_ones():
    from matplotlib.figure import Figure

    values = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]])
    left, right = Figure().subplots(1, 2)
    assert similarity_heat_map(values, "abc", ax=left) is left
    assert partition_map(1.0 - values, "abc", ax=right) is right
    assert [label.get_text() for label in left.get_xticklabels()] in (
        [*"cab"],
        [*"bac"],
    )
    assert similarity_heat_map(values, "abc", title="NDC").get_title() == "NDC"
    assert partition_map(1.0 - values, "abc") is not right


def test_partitions_at_the_same_place_share_a_label():
    from matplotlib.figure import Figure

    ax = partition_map(
        np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0.0]]), "abc", ax=Figure().subplots()
    )
    assert sorted(text.get_text() for text in ax.texts) == ["a\nb", "c"]


def test_labels_cover_neither_one_another_nor_wander_without_need():
    points = np.random.default_rng(0).normal(size=(30, 2))
    sizes = [(0.8, 0.1)] * 30
    places = beside(points, sizes, 0.02)
    for i, j in itertools.combinations(range(30), 2):
        x, y = np.abs(places[i] - places[j])
        assert x >= 0.8 - 1e-9 or y >= 0.1 - 1e-9
    alone = beside(points * 100.0, sizes, 0.02)
    np.testing.assert_array_equal(alone, points * 100.0 + [0.02, 0.0])


def test_large_heat_maps_have_no_numbers():
    from matplotlib.figure import Figure

    few, many = (
        similarity_heat_map(np.eye(k), ["x"] * k, ax=Figure().subplots())
        for k in (12, 13)
    )
    assert len(few.texts) == 144
    assert len(many.texts) == 0
