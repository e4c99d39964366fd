"""table.rolls."""
