"""dice.notation."""
