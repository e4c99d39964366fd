"""Dice, pools, faces and readings. This room knows no game's words."""
