"""cli.table."""
