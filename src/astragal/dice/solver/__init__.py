"""Exact odds of dice; each module is one mechanism, and states the law that it computes by."""
