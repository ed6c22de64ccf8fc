"""The value of a pair of objects: how far one partition holds them apart."""
