"""Dice, readings and exact odds. Nothing in this package depends on a particular game."""
