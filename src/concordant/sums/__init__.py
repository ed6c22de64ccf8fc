"""What is summed over objects and over pairs, and gathered once."""
