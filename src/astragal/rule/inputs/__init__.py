"""The inputs of a roll: asks, their inputs, totals with their sources, words."""
