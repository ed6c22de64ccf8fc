"""Numbers that compare two partitions, as the public interface has them."""
