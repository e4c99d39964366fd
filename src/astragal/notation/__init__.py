"""Dice notation such as ``4d6kh3 + 2 >= 14``: parsed, thrown and solved."""
