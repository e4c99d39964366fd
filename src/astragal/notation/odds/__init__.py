"""Exact odds of dice notation: of dice, of pools, of pools that meet, of values without end."""
