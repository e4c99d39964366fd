"""What is put into a roll: asks, their inputs, totals with their sources, words."""
