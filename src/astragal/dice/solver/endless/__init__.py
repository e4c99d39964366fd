"""Sums and pools without end that are compared: every chance is a finite fraction."""
