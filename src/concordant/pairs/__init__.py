"""Which pairs of objects are visited, in which order: bands, blocks, samples."""
