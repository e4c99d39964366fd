"""table.log."""
