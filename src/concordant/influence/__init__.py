"""What each object adds to d and to E[d], and how sure an index is for that."""
