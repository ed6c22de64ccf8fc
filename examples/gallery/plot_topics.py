"""
Does a topic model find the topics?
===================================

Documents mix topics, so topics are a fuzzy partition by nature. Here the true shares
are known, and we see how long documents must be for latent Dirichlet allocation to
find them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import LatentDirichletAllocation

import concordant as cc

rng = np.random.default_rng(0)
n_documents, n_words, n_topics = 300, 60, 4
topics = rng.dirichlet(np.full(n_words, 0.05), size=n_topics)
shares = rng.dirichlet(np.full(n_topics, 0.3), size=n_documents)

lengths = (10, 30, 100, 300)
of_memberships, of_hardened = [], []
for length in lengths:
    counts = rng.multinomial(length, shares @ topics)
    model = LatentDirichletAllocation(
        n_topics, doc_topic_prior=0.3, topic_word_prior=0.05, random_state=0
    )
    P, Q = cc.Partition(model.fit_transform(counts)), cc.Partition(shares)
    of_memberships.append(cc.adjusted_concordance_index(P, Q))
    of_hardened.append(cc.adjusted_rand_index(P.harden(), Q.harden()))
    numbers = f"ACI {of_memberships[-1]:.3f}, hardened {of_hardened[-1]:.3f}"
    print(f"{length:4} words: {numbers}")

# %%
# Nobody has to match the topics by hand: ACI does not depend on their order.

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
ax.plot(lengths, of_memberships, "o-", label="ACI of the shares")
ax.plot(lengths, of_hardened, "s--", label="adjusted Rand index, hardened")
ax.set_xscale("log")
ax.set_xticks(lengths, [str(length) for length in lengths])
ax.set_xlabel("words in a document")
ax.set_ylabel("agreement with the true topics")
ax.set_ylim(0, 1)
ax.legend(frameon=False)
