"""dice.render."""
