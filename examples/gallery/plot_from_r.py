"""
For users of R
==============

Memberships from ``fclust::FKM`` or ``e1071::cmeans``, written by ``write.csv``, are
read as they are, row names and all.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

import concordant as cc
import concordant.plot
from concordant.files import read_partition

# As R writes them: ``write.csv(round(fit$U, 3), "U.csv")`` and
# ``write.csv(data.frame(class = classes), "classes.csv")``.
FROM_R = {
    "U.csv": """"","Clus 1","Clus 2"
"Obj 1",0.971,0.029
"Obj 2",0.884,0.116
"Obj 3",0.640,0.360
"Obj 4",0.215,0.785
"Obj 5",0.052,0.948
"Obj 6",0.308,0.692
""",
    "classes.csv": """"","class"
"Obj 1","a"
"Obj 2","a"
"Obj 3","a"
"Obj 4","b"
"Obj 5","b"
"Obj 6","a"
""",
}
with TemporaryDirectory() as folder:
    for name, text in FROM_R.items():
        (Path(folder) / name).write_text(text)
    U, classes = (read_partition(Path(folder) / name) for name in FROM_R)
print(U)
print(classes)

# %%
# ``ConsRankClass::fuzzyconcordance`` estimates ACI from random permutations. Here it is
# exact; the estimate is available, too.

print(f"exact      {cc.adjusted_concordance_index(U, classes):.4f}")
drawn = cc.concordance(
    U, classes, method="permutations", n_permutations=1000, random_state=0
)
print(f"estimated  {drawn.aci:.4f} ± {drawn.error:.4f}")

# %%
# ``fclust::ARI.F(VC, U)`` is Campello's family.

ari = cc.adjusted_rand_index(classes, U, family="campello")
print(f"ARI.F      {ari:.4f}")

# %%
# Objects are matched by their row names. The picture shows their memberships.

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
concordant.plot.memberships(U, ax=ax, name="U.csv")
