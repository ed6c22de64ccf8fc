"""What users hold becomes a `Partition`: the only validation."""
