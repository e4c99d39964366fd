"""cli.render."""
