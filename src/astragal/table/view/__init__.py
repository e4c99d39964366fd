"""table.view."""
