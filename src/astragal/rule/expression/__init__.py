"""Dice notation as a tree to play, and its odds."""
