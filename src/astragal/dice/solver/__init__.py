"""Exact odds of dice, from six mechanisms; each module states the law that it computes by."""
