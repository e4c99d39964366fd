"""table.decide."""
