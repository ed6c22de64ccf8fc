"""Models of chance: what the discordance of unrelated partitions would be."""
