"""
What hardening hides in a topic model
=====================================

Documents mix topics, so topics are a fuzzy partition by nature. How strongly they mix
is what the prior of latent Dirichlet allocation is about. Here the true shares are
known, any mixture is as likely as any other, and documents have twenty words.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import LatentDirichletAllocation

import concordant as cc

rng = np.random.default_rng(0)
n_documents, n_words, n_topics = 300, 60, 4
topics = rng.dirichlet(np.full(n_words, 0.05), size=n_topics)
shares = rng.dirichlet(np.ones(n_topics), size=n_documents)
counts = rng.multinomial(20, shares @ topics)
Q = cc.Partition(shares)

priors = (0.01, 0.1, 0.3, 1.0)
of_memberships, of_hardened = [], []
for prior in priors:
    model = LatentDirichletAllocation(
        n_topics,
        doc_topic_prior=prior,
        topic_word_prior=0.05,
        max_iter=40,
        random_state=0,
    )
    P = cc.Partition(model.fit_transform(counts))
    of_memberships.append(cc.adjusted_concordance_index(P, Q))
    of_hardened.append(cc.adjusted_rand_index(P.harden(), Q.harden()))
    numbers = f"ACI {of_memberships[-1]:.3f}, hardened {of_hardened[-1]:.3f}"
    print(f"prior {prior:4}: {numbers}")

# %%
# With a small prior the model says that each document is about one topic. Its strongest
# topics are nearly as good as those of the others, so the hardened partitions hardly
# tell the priors apart; the shares of the topics are far off, as ACI shows. Nobody has
# to match the topics by hand: ACI does not depend on their order.

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
ax.plot(priors, of_memberships, "o-", label="ACI of the shares")
ax.plot(priors, of_hardened, "s--", label="adjusted Rand index, hardened")
ax.set_xscale("log")
ax.set_xticks(priors, [str(prior) for prior in priors])
ax.set_xlabel("prior of the shares")
ax.set_ylabel("agreement with the true topics")
ax.set_ylim(0, 1)
ax.legend(frameon=False)
