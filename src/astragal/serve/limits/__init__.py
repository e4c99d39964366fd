"""Bounds on who connects: addresses and the networks that they count as, connections and their heads."""
