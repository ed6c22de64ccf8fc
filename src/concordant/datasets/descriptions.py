"""Where each real data set comes from and how to cite it."""

_REPOSITORY = """
Kelly, M., Longjohn, R. and Nottingham, K. The UCI Machine Learning Repository.
https://archive.ics.uci.edu
"""

#: One text per data set, by its name.
DESCRIPTIONS = {
    "vehicle": f"""Vehicle silhouettes (Statlog)

846 silhouettes of four model vehicles (bus, opel, saab, van), described by 18 measures
of their shape. From the Turing Institute, Glasgow; donated by P. Mowforth and
B. Shepherd.

Siebert, J. P. (1987). Vehicle recognition using rule based methods. Turing Institute
Research Memorandum TIRM-87-018.
https://archive.ics.uci.edu/dataset/149/statlog+vehicle+silhouettes
{_REPOSITORY}""",
    "sonar": f"""Sonar, mines against rocks

208 sonar returns from a metal cylinder (M) or from rocks (R), each the energy in 60
frequency bands, from 0 to 1.

Gorman, R. P. and Sejnowski, T. J. (1988). Analysis of hidden units in a layered
network trained to classify sonar targets. Neural Networks 1, 75-89.
Sejnowski, T. and Gorman, R. Connectionist Bench (Sonar, Mines vs. Rocks). UCI Machine
Learning Repository. https://doi.org/10.24432/C5T01Q
{_REPOSITORY}""",
    "pima": f"""Pima Indians diabetes

768 women of Pima Indian heritage with 8 measurements; whether they showed signs of
diabetes (pos) or not (neg). From the National Institute of Diabetes and Digestive and
Kidney Diseases. Zeros that stand for missing measurements are kept as they are.

Smith, J. W., Everhart, J. E., Dickson, W. C., Knowler, W. C. and Johannes, R. S.
(1988). Using the ADAP learning algorithm to forecast the onset of diabetes mellitus.
Proceedings of the Symposium on Computer Applications and Medical Care, 261-265.
{_REPOSITORY}""",
    "iris": f"""Iris

50 flowers of each of three species of iris, by the length and width of sepals and
petals in cm. This is Fisher's version, which R and scikit-learn have too; the file at
UCI differs from it in rows 35 and 38.

Fisher, R. A. (1936). The use of multiple measurements in taxonomic problems. Annals of
Eugenics 7, 179-188.
Fisher, R. A. Iris. UCI Machine Learning Repository. https://doi.org/10.24432/C56C76
{_REPOSITORY}""",
    "ionosphere": f"""Ionosphere

351 radar returns that show structure in the ionosphere (good) or do not (bad): 17
pulses, each a complex number given in two columns. All 34 columns are kept; the second
is constant.

Sigillito, V. G., Wing, S. P., Hutton, L. V. and Baker, K. B. (1989). Classification of
radar returns from the ionosphere using neural networks. Johns Hopkins APL Technical
Digest 10, 262-266.
Sigillito, V., Wing, S., Hutton, L. and Baker, K. Ionosphere. UCI Machine Learning
Repository. https://doi.org/10.24432/C5W01B
{_REPOSITORY}""",
    "flags": f"""Flags

194 countries by area, population and what is seen on their flags: the ten numeric
attributes, and crescent, triangle, icon, animate and text, which are 0 or 1. The class
is the religion. Which columns the paper kept is not stated there; these give its six
self-comparison values, and so do 18 other sets of columns.

Forsyth, R. (1990). Flags. UCI Machine Learning Repository.
https://doi.org/10.24432/C52C7Z
{_REPOSITORY}""",
}
